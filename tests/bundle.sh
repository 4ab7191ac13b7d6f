#!/bin/bash
# A bundle runs from anywhere with an empty environment: a stand-in for a host that has nothing.
. "$(dirname "$0")/lib.sh"
tree=$scratch/tree
copy_tree "$tree" || exit 1
unset MAKEFLAGS MAKELEVEL
cd "$tree" || exit 1

moved=$scratch/elsewhere/bundle
run() { (cd "$scratch/elsewhere" && env -i "$@"); }
uses_own_cjson() { LD_TRACE_LOADED_OBJECTS=1 "$moved/$1" | tee /dev/stderr | grep -q "$moved/lib/libcjson"; }
no_cpp_runtime() { ! LD_TRACE_LOADED_OBJECTS=1 "$moved/$1" | grep -E 'libstdc|libgcc'; }

check "make bundle" make BUILD=build NVCC= bundle
mkdir "$scratch/elsewhere" && mv bundle "$moved"
for program in gpubench gpubench-simt; do
    check "$program takes libcjson from the bundle" uses_own_cjson $program
    check "$program needs no C++ run-time library" no_cpp_runtime $program
done
if [ -e "$moved/gpubench-opencl" ]; then
    own_loader() { LD_TRACE_LOADED_OBJECTS=1 "$moved/gpubench-opencl" | grep -q "$moved/lib/libOpenCL.so.1 "; }
    check "gpubench-opencl takes libcjson from the bundle" uses_own_cjson gpubench-opencl
    check "and the loader of OpenCL" own_loader
    check "with its licence" test -s "$moved/lib/libOpenCL.copyright"
    check "and describes itself" run "$moved/gpubench-opencl" --describe
else
    skip "gpubench-opencl in the bundle" "it is not built"
fi
check "libcjson is a file, not a link" test -f "$moved/lib/libcjson.so.1" -a ! -L "$moved/lib/libcjson.so.1"
check "its licences are there" test -s "$moved/LICENSE"
check "lists what it can run" run "$moved/gpubench" list
check "runs a config on the CPU" run "$moved/gpubench" run bundle/configs/multipartition.json \
    --device simt --filter 'bins == 40' --out out
check "wrote rows" test -s "$scratch/elsewhere/out/multipartition.csv"
check "prints the table with the paper's numbers" run "$moved/gpubench" table out
check "its script for the profiler finds gpubench there" sh -c "cd '$moved' && env -i PATH=\"\$PATH\" NCU=$root/tests/fixtures/ncu.sh \
    FAKE_NCU_LOG='$scratch/ncu.log' scripts/profile.sh configs/stencil-modern.json --quick --device simt \
    --worker \"'$moved/gpubench-simt'\" --filter 'radius == 1 && variant == base' --out '$scratch/profile'"
check "its scripts for clusters come along, with what to do" test -x "$moved/scripts/slurm/submit.sh" -a -s "$moved/docs/fleet.md"
check "runs inside its folder, as the README says" sh -c \
    "cd '$moved' && env -i ./gpubench run configs/multipartition.json --device simt --dry-run"
finish
