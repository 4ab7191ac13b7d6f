#!/bin/bash
# test: long 25
# As a stranger would, in an empty folder, with nothing but an installed gpubench: a kernel of one's own is written, built
# by every way there is, checked, measured, drawn and compared; mistakes in it are found; nothing stays behind.
. "$(dirname "$0")/../harness/lib.sh"
prefix=$scratch/prefix
(cd "$root" && scripts/install.sh "$BUILD" "$prefix") >"$scratch/installed" 2>&1 || { cat "$scratch/installed"; exit 1; }
mkdir "$scratch/home" && cd "$scratch/home" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL CUDA11 "${!GPUBENCH_@}"
export PATH=$prefix/bin:/usr/local/bin:/usr/bin:/bin HOME=$scratch/home NVCC='' OPT=-O1
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
! grep -q -- --coverage "$root/build/c/flags.h" 2>/dev/null || OPT="-O1 --coverage"

# says WORDS COMMAND...: it fails, and says so.
says()
{
    ! "${@:2}" >"$scratch/said" 2>&1 || { echo "it did not fail"; return 1; }
    cat "$scratch/said"
    grep -qF -- "$1" "$scratch/said"
}
simt() { gpubench "$@" --device simt; }

# ---- new -----------------------------------------------------------------------------------------

check "new writes a folder" gpubench new primitive saxpy --axes 'dist=uniform|zipf,n=1k..4k,way=up|down,step=4'
quoted() { mkdir 'a b' && gpubench new primitive x --in 'a b' | tee new && grep -qxF "  gpubench build 'a b/x'" new && rm -r 'a b'; }
check "what comes next is a command to copy" quoted
check "never over another" says "saxpy: it is there already" gpubench new primitive saxpy
check "nor in a folder that is not there" says "--in names" gpubench new primitive other --in nowhere
check "a name is told that is none" says "lower-case letters" gpubench new primitive Saxpy
check "... and one that gpubench has" says "comes with gpubench" gpubench new primitive octree
for mistake in 'n=0..4k' 'n=uniform' 'dist=unifrom' 'a=1|b' 'n=4|4' 'variant=a|b' 'n='; do
    check "axes $mistake are refused" says "--axes: axis" gpubench new primitive other --axes "$mistake"
done
check "what was refused left nothing" test ! -e other

# ---- build, check, run, table, plot, compare ------------------------------------------------------

check "build says where to begin" says "gpubench new primitive NAME" gpubench build .
check "build makes the worker" gpubench build saxpy
check "... with races' eyes, too" gpubench build saxpy --hooks
quiet() { gpubench build saxpy >again 2>&1 && ! grep -E '  (CC|SIMT|LINK)' again; }
check "... and nothing twice" quiet
check "check passes every variant" simt check saxpy --quick
check "check passes under many schedules" simt check saxpy --schedules 3 --variant saxpy --case n=300
check "the hooks worker is one" simt check saxpy --schedules 3 --variant saxpy --case n=300 --worker saxpy/gpubench-simt-saxpy-hooks
check "run measures" simt run saxpy/saxpy.json --out one
rows() { columns one/saxpy.csv variant status | sort | uniq -c | tr -s ' ' | tee rows; diff rows <(printf ' %s\n' "$@"); }
check "each variant at each point" rows "8 cpu,ok" "8 saxpy,ok"
check "run measures from host to host" sh -c 'sed "s/\"warm\"/\"warm\", \"scope\": \"host-to-host\"/" saxpy/saxpy.json >saxpy/host.json &&
    gpubench run saxpy/host.json --device simt --out host && ! grep -E ",(wrong|crashed|unsupported)," host/saxpy.csv'
check "device memory is counted" sh -c 'sed "s/\"warm\"/\"warm\", \"device_memory\": \"8k\"/" saxpy/saxpy.json >saxpy/little.json &&
    ! gpubench run saxpy/little.json --device simt --out little && grep -q "out_of_memory,.*the point.s arrays" little/saxpy.csv'
check "table shows it, from wherever" sh -c 'mkdir far && cd far && gpubench table ../one | grep -q saxpy'
check "table shows it" sh -c 'gpubench table one | tee table; grep -q saxpy table'
if command -v gnuplot >/dev/null; then
    check "plot draws the folder's figure" gpubench plot one --format svg
    check "... by its script" grep -l "saxpy: throughput" one/*.svg
    check "... from wherever" sh -c 'cd far && gpubench plot ../one --format svg --out . && grep -q "saxpy: throughput" ./*.svg'
    check "report has it, and no claims of papers" sh -c \
        'gpubench report one --out one.html && grep -q "<figure" one.html && ! grep -q "What the papers claim" one.html'
else
    skip "plot draws the folder's figure" "gnuplot is not installed"
fi
check "new variant adds one" gpubench new variant four --in saxpy
check "never over another" says "it is there already" gpubench new variant four --in saxpy
check "plain make builds it" make -C saxpy
check "... anew where a file's flags change" sh -c 'make -C saxpy FLAGS_four.cu=-DOTHER | tee made; grep -q "SIMT *four.cu" made'
check "run --resume measures it" simt run saxpy/saxpy.json --out one --resume
check "... and nothing else" rows "8 cpu,ok" "8 four,ok" "8 saxpy,ok"
check "a second run" simt run saxpy/saxpy.json --out two --export nvbench --export google-benchmark
check "compare sets it beside the first" sh -c 'gpubench compare one two | tee compared; grep -q four compared'
# Files such as other tools write, with the same rows.
compared() { gpubench compare one "two/saxpy.$1.json" | tee compared; grep -q "24 rows compared" compared; }
for tool in nvbench google-benchmark; do check "... and one of $tool" compared $tool; done

# ---- other ways to build -------------------------------------------------------------------------

by_pkg_config()
(
    local sdk cflags libs
    mkdir pkg && cp saxpy/*.c saxpy/*.cu saxpy/*.h pkg && cd pkg || exit 1
    sdk=$(pkg-config --variable=sdk gpubench-simt) && "$sdk/registry.sh" ./*.c ./*.cu >registry.c || exit 1
    read -ra cflags < <(pkg-config --cflags gpubench-simt) && read -ra libs < <(pkg-config --libs gpubench-simt) || exit 1
    # shellcheck disable=SC2086 # they are several
    gcc $OPT -c "${cflags[@]}" ./*.c && g++ $OPT -std=c++17 -x c++ -c "${cflags[@]}" ./*.cu &&
        g++ $OPT ./*.o "${libs[@]}" -o gpubench-simt-saxpy && simt check . --case n=100
)
by_cmake()
(
    mkdir cmake && cat >cmake/CMakeLists.txt <<'END' || exit 1
cmake_minimum_required(VERSION 3.18)
project(saxpy LANGUAGES C CXX)
find_package(gpubench 0.1 REQUIRED)
file(GLOB sources ../saxpy/*.c ../saxpy/*.cu)
gpubench_add_primitive(saxpy ${sources})
END
    cmake -S cmake -B cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_FLAGS="$OPT" -DCMAKE_CXX_FLAGS="$OPT" &&
        cmake --build cmake && simt check cmake --case n=100
)
for tool in pkg-config cmake; do
    if command -v $tool >/dev/null || [ -n "${TEST_TURN:-}" ]; then
        check "$tool builds it" "by_${tool//-/_}"
    else
        skip "$tool builds it" "$tool is not installed"
    fi
done
every_header()
{
    (cd "$prefix/include/gpubench" && find common -name '*.h' -o -path 'common/cuda/*.cuh' | grep -vE 'cub_sort|tensor_map' |
        sed 's/.*/#include "&"/' | sort) >all.cpp
    grep -q common/cuda/arrays.h all.cpp && g++ -std=c++17 -fsyntax-only -DGB_ARCH=900 -I"$prefix/include/gpubench" all.cpp
}
check "every header has what it includes" every_header

# ---- mistakes ------------------------------------------------------------------------------------

# planted WHAT-THE-CHECK-SAYS PATTERN NEW: in the kernel.
planted()
{
    cp saxpy/saxpy.cu kept.cu
    sed -i "s|$2|$3|" saxpy/saxpy.cu
    ! cmp -s kept.cu saxpy/saxpy.cu || { echo "$2 is not there"; return 1; }
    gpubench build saxpy && says "$1" simt check saxpy --variant saxpy --case n=1000
    local status=$?
    mv kept.cu saxpy/saxpy.cu
    return $status
}
check "a wrong result is found" planted "element 7 of y (1000 elements) is" '2 \* x\[i\] + 1' '2 * x[i] + (i != 7)'
check "an element left out is found" planted "element 999 of y (1000 elements) is not written" 'i < n' 'i + 1 < n'
check "a write behind the end is found" planted "byte 0 behind the end of y" 'i < n' 'i <= n'
check "input that changes is found" planted "of x, which is input, has changed" 'y\[i\] = ' 'y[i] = ((float *)x)[i] = '
touch saxpy/saxpy.cu

sed -i 's/define GB_INTERFACE [0-9]*$/define GB_INTERFACE 0/' "$prefix/include/gpubench/common/gpubench.h"
check "headers of another gpubench than the library's do not link, and say why" \
    says "gpubench_headers_have_interface_0_and_its_library_has_not" make -C saxpy
sed -i 's/^GB_SDK_VERSION := .*/GB_SDK_VERSION := 9.9.9/' "$prefix/share/gpubench/sdk/sdk.mk"
check "nor does build take an SDK of another version" says "its SDK in $prefix/share/gpubench/sdk of version 9.9.9" gpubench build saxpy
# shellcheck disable=SC2016 # that shell's
check "a variant that the build would not find is told" \
    bash -c 'echo "static GB_VARIANT(hidden) = {0};" >hidden.c && ! "$0" saxpy/primitive.c hidden.c 2>&1 | grep -v "at the beginning of a line"' \
    "$prefix/share/gpubench/sdk/registry.sh"

nothing_left() { "$root/scripts/install.sh" --remove "$prefix" && find "$prefix" -type f | tee left && [ ! -s left ]; }
check "uninstall leaves nothing" nothing_left
check "then make says what is missing" says "no gpubench with an SDK is on PATH" make -C saxpy
finish
