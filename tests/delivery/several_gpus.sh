#!/bin/bash
# test: long 15
# scripts/scaling.sh: configs/*-multi.json run on simulated GPUs, every row verified or with a reason; what is done is not
# done again, what has no time left is said.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
cd "$root" || exit 1
export SIMT_DEVICES=3 NO_COLOR=1
scaling() { scripts/scaling.sh "$@" >"$scratch/out" 2>"$scratch/err"; }
says() { cat "$scratch/out" "$scratch/err"; cat "$scratch/out" "$scratch/err" | grep -qF -- "$1"; }

check "all of it runs on three simulated GPUs" scaling --quick --out "$scratch/rows" "$BUILD" simt
mv "$scratch/out" "$scratch/first"
configs=(configs/*-multi.json) written=("$scratch"/rows/*-multi.csv)
check "... every config has its rows" test ${#written[@]} = ${#configs[@]}
for config in "${configs[@]}"; do
    name=$(basename "$config" .json)
    check "$name: nothing but verified rows, and what the GPUs are too few for" \
        grep -qxE "$name on simt: [0-9]+ ok(, [0-9]+ unsupported)?" "$scratch/first"
    rows=$scratch/rows/$name.csv
    check "... some of two GPUs" grep -qE ",peers,.*,ok,.*" <(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "gpus") at = i } $at == 2' "$rows")
done
before=$(cat "$scratch"/rows/*.csv | cksum)
check "the same command has nothing left to do" scaling --quick --out "$scratch/rows" "$BUILD" simt
check "... and changes no row" test "$(cat "$scratch"/rows/*.csv | cksum)" = "$before"
check "an estimate runs nothing" scaling --quick --estimate --out "$scratch/none" "$BUILD" simt
check "... says how long it takes" says "time: about"
check "... and writes nothing" test ! -e "$scratch/none"
check "a limit of seconds" refuses "--limit takes seconds, not 'x'" scripts/scaling.sh --limit x
late() { ! scaling --limit 1 --quick --out "$scratch/late" "$BUILD" simt && says "the limit is reached before configs/"; }
check "a limit that is reached" late
check "options that it has not" refuses "no option --fast" scripts/scaling.sh --fast
finish
