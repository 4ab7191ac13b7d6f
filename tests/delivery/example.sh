#!/bin/bash
# test: long 5
# The primitive of examples/segmented-reduction, outside the tree: a copy of its folder is built by the SDK alone, is
# checked, and its results have its own table and figures.
. "$(dirname "$0")/../harness/lib.sh"
folder=$scratch/example
mkdir "$folder" && (cd "$root/examples/segmented-reduction" && cp -r ./*.* Makefile plots tests "$folder/") || exit 1
cd "$folder" || exit 1
unset MAKEFLAGS MAKELEVEL
# What it includes is its own or of common/, which the SDK has.
includes()
{
    local name
    sed -nE 's/^ *#include "([^"]+)".*/\1/p' ./*.c ./*.h ./*.cu ./*.cuh | grep -v '^common/' | while read -r name; do
        [ -e "$name" ] || { echo "$name" && return 1; }
    done
}
# BUILD is the Makefile's of the tree; here everything lies in build/. Libraries that count their lines have it in OPT.
opt=${OPT:--O0}
built() { env -u BUILD make NVCC= OPT="$opt" GPUBENCH="$root" GPUBENCH_LIB="$BUILD" -j2; }
worker=$folder/gpubench-simt-segmented-reduction
# passed: every variant but CUB's has passed all cases that it could be asked.
passed()
{
    local said=$scratch/said.txt status=0
    "$BUILD/gpubench" check segmented-reduction --worker "$worker" --device simt --quick >"$said" 2>&1 || status=$?
    cat "$said"
    [ $status = 0 ] && [ "$(sed -n 's/^passed segmented-reduction\/\(.*\): .*/\1/p' "$said" | tr '\n' ' ')" = \
        "by-segment merge-path cpu-merge-path " ] && [ "$(grep -c '^untested .*: needs a\? \?\(newer \)\?CUB' "$said")" = 4 ]
}
# repeats: merge-path's sums of floats are the same bits under whichever schedule, and near those in double precision.
repeats()
{
    local seed
    # shellcheck disable=SC2086 # they are several
    "${CXX:-g++}" -std=c++17 $opt -fno-strict-aliasing -Wall -Wextra -pthread -DGB_ARCH=900 -I. -I"$root" -x c++ \
        tests/repeats.cu -x none build/c/[a-z]*.c.o build/simt/[a-z]*.cu.o "$BUILD/libgpubench_worker_simt.a" \
        -lcjson -lm -ldl -o repeats || return 1
    for seed in 1 2 3 4; do
        if ! SIMT_POLICY=random SIMT_SEED=$seed SIMT_PREEMPT=300 SIMT_RESIDENT=4 ./repeats >"bits.$seed"; then
            cat "bits.$seed"
            return 1
        fi
        cmp bits.1 "bits.$seed" || return 1
    done
    [ "$(sort -u bits.1 | wc -l)" -gt 400 ]
}
run()
{
    "$BUILD/gpubench" run segmented-reduction.json --worker "$worker" --device simt \
        --filter 'variant == merge-path || variant == by-segment' --out out
}
# planned: every config as a whole, of 256 million elements, without running any.
planned()
{
    local config
    for config in ./*.json; do
        "$BUILD/gpubench" run "$config" --worker "$worker" --device simt --full --dry-run || return 1
    done
}
shown()
{
    "$BUILD/gpubench" table out >table.txt 2>&1 && cat table.txt && grep -q '^Sums of segments, by how many' table.txt || return 1
    ! command -v gnuplot >/dev/null && return
    "$BUILD/gpubench" plot out --out figures --format svg && [ "$(echo figures/*)" = \
        "figures/segmented-reduction-dists.svg figures/segmented-reduction-segments.svg" ]
}
check "it includes nothing of kernels/ and bench/" includes
check "it builds by the SDK alone" built
check "its variants pass, CUB's are said to be missing" passed
check "equal input has equal output to the last bit, in whichever order blocks run" repeats
check "its configs plan in full" planned
check "its experiment runs" run
check "its own table and figures are found" shown
finish
