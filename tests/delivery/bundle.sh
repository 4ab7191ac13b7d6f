#!/bin/bash
# test: long 15
# A bundle runs from anywhere with an empty environment: a stand-in for a host that has nothing.
. "$(dirname "$0")/../harness/lib.sh"
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
for program in gpubench gpubench-simt gpubench-host; do
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
# Where there is no gnuplot, what else there is.
mkdir "$scratch/bin"
for tool in awk basename bash cat dirname find grep head mkdir mv rm sort sync tee touch; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
reproduces()
{
    (cd "$moved" && env -i PATH="$scratch/bin" scripts/reproduce.sh "$@") >"$scratch/said" 2>&1
    local status=$?
    cat "$scratch/said"
    return $status
}
check "reproduces a config" reproduces . simt configs/multipartition-small.json
check "... says that figures are left out" grep -q "report.html, without figures, for there is no gnuplot here: results/simt" "$scratch/said"
check "... and has tables, claims, an audit and a report" test -s "$moved/results/simt/tables.txt" -a -s "$moved/results/simt/claims.txt" \
    -a -s "$moved/results/simt/audit.txt" \
    -a -s "$moved/results/simt/report.html" -a ! -e "$moved/results/simt/report.html.new"
check "... of what was measured" grep -q "Measured on simt" "$moved/results/simt/tables.txt"

# By itself: the configs that reproduce a paper, on the first device. A stand-in tells what it was to run.
mkdir "$scratch/told" && cp -r "$moved/configs" "$moved/scripts" "$scratch/told/"
printf '#!/bin/sh\necho "$*" >>told\n' >"$scratch/told/gpubench" && chmod +x "$scratch/told/gpubench"
without_arguments()
{
    (cd "$scratch/told" && mkdir build && : >build/stars.csv && ! env -i PATH="$scratch/bin" scripts/reproduce.sh &&
        diff <(grep -LE '"reproduce": *false' configs/*.json | sed 's/.*/run & --device auto/') told)
}
check "without arguments it runs what make reproduce-all does" without_arguments

# A disk that fails: what was kept before stays, and the exit status says so.
cat >"$scratch/told/gpubench" <<'END'
#!/bin/sh
case $1 in
run) mkdir -p results/simt && touch -d '1 minute' results/simt/x.csv ;; # newer than the run's beginning
*) echo new ;;
esac
END
mkdir "$scratch/tools" && cp -P "$scratch/bin/"* "$scratch/tools/"
printf '#!/bin/sh\nexit 1\n' >"$scratch/tools/sync.new" && chmod +x "$scratch/tools/sync.new" && mv "$scratch/tools/sync.new" "$scratch/tools/sync"
kept()
{
    cd "$scratch/told" && mkdir -p results/simt && echo before >results/simt/tables.txt || return 1
    env -i PATH="$scratch/tools" scripts/reproduce.sh . simt configs/multipartition-small.json 2>&1 | tee said
    [ "${PIPESTATUS[0]}" = 1 ] && grep -q 'results/simt/tables.txt cannot be written' said && grep -qx before results/simt/tables.txt
}
check "what a disk does not take is said, and the last tables stay" kept
half_a_bundle()
{
    cd "$tree" && mkdir -p bundle && : >bundle/kept || return 1
    ! scripts/bundle.sh bundle 1 build/no-such-program && [ -e bundle/kept ] && [ ! -e bundle.new ]
}
check "a bundle that cannot be made leaves the last" half_a_bundle

check "runs inside its folder, as the README says" sh -c \
    "cd '$moved' && env -i ./gpubench run configs/multipartition.json --device simt --dry-run"
finish
