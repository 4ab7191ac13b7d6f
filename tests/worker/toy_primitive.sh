#!/bin/bash
# test: long 5
# A new primitive is one folder under kernels/ and one config: adds the toy of tests/worker/toy to a copy of
# the tree, with nothing else changed, builds, runs and judges it.
. "$(dirname "$0")/../harness/lib.sh"
tree=$scratch/tree
copy_tree "$tree" cuda gpubench-cuda || exit 1
cp -r "$root/tests/worker/toy/kernels" "$root/tests/worker/toy/configs" "$tree/" || exit 1
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL

# counted FILE NAME: how often a column of a CSV has which value.
counted() { columns "$1" "$2" | sort | uniq -c | tr -s ' ' | sed 's/^ //'; }
run() { build/gpubench run configs/toy.json --device simt --full --out "$1"; }
wrong_run()
{
    local status=0
    run out-wrong || status=$?
    echo "exit status $status"
    [ $status = 1 ]
}
rows_are() { local found; found=$(counted "$1" status) && echo "$found" && [ "$found" = "$2" ]; }

check "builds with the folder added" make NVCC= all
check "the primitive is listed" sh -c 'build/gpubench list primitives --device simt | grep -w toy'
check "the config runs" run out
check "every row is ok" rows_are out/toy.csv "2 ok"
check "its table names sizes and variant" sh -c \
    'build/gpubench table out >table.txt; cat table.txt; grep -q saxpy table.txt && grep -qi 4096 table.txt'
if command -v gnuplot >/dev/null; then
    check "its figure is drawn without a script for it" sh -c \
        'build/gpubench plot out --out figures --format svg && grep -q "toy: rate" figures/toy-default.svg'
fi
check "its variant passes check" build/gpubench check toy --device simt
completed() { bash scripts/completion.bash build/gpubench "$@" | cut -f 1 | tr '\n' ' '; }
check "the shell completes its config, name and variant" test \
    "$(completed run to)$(completed check to)$(completed check toy --variant '')$(completed run configs/to)" = \
    "toy toy saxpy configs/toy.json "

sed -i 's/a \* x\[i\] + y\[i\]/a * x[i] + y[i] + (i == n - 1)/' kernels/toy/saxpy.cu
check "builds with a planted mistake" make NVCC= all
check "a wrong result ends in exit status 1" wrong_run
check "its rows say wrong" rows_are out-wrong/toy.csv "2 wrong"
check "the reason names the first wrong element" grep -q 'element 4095 of out (4096 elements) is' out-wrong/toy.csv
check "check finds it too" sh -c '! build/gpubench check toy --device simt'

# Names that another primitive has: that of a function, and, which no linker tells, of an inline one.
clashes()
{
    ! make NVCC= build/gpubench-simt >make.out 2>&1 && cat make.out &&
        grep -qx 'null_nothing is defined by two primitives, in kernels/null/overhead.cu and in kernels/toy/saxpy.cu' make.out &&
        grep -q '^its_own is defined by two primitives, .* and one of them would be called for both$' make.out &&
        ! grep -q 'multiple definition' make.out
}
sed -i 's/\<toy_saxpy\>/null_nothing/' kernels/toy/*
echo 'inline __attribute__((used)) int its_own(int x) { return x; }' >>kernels/toy/saxpy.cu
echo 'inline __attribute__((used)) int its_own(int x) { return x + 1; }' >>kernels/null/round_trip.cu
check "names that another primitive has are told, with both files" clashes
finish
