#!/bin/bash
# test: long 90
# scripts/scaling.sh: configs/*-multi.json run on 16 simulated GPUs, strong, weak and uneven, every row verified or with a reason;
# what is done is not done again, what has no time left is said; fewer GPUs.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
cd "$root" || exit 1
export SIMT_DEVICES=16 NO_COLOR=1
scaling() { scripts/scaling.sh "$@" >"$scratch/out" 2>"$scratch/err"; }
says() { cat "$scratch/out" "$scratch/err"; cat "$scratch/out" "$scratch/err" | grep -qF -- "$1"; }

# ours FILE GPUS: rows of ours on so many GPUs that were measured
ours()
{
    awk -F, -v gpus="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["gpus"] == gpus && $at["variant"] ~ /^peers/ && $at["status"] == "ok"' "$1"
}

check "all of it runs on 16 simulated GPUs" scaling --quick --out "$scratch/rows" "$BUILD" simt
mv "$scratch/out" "$scratch/first"
configs=(configs/*-multi.json) written=("$scratch"/rows/*-multi.csv)
check "... every config has its rows" test ${#written[@]} = ${#configs[@]}
for config in "${configs[@]}"; do
    name=$(basename "$config" .json)
    check "$name: nothing but verified rows, and what the GPUs are too few for" \
        grep -qxE "$name on simt: [0-9]+ ok(, [0-9]+ unsupported)?" "$scratch/first"
    for gpus in 1 2 4 8 16; do
        check "... ours on $gpus" grep -q . <(ours "$scratch/rows/$name.csv" $gpus)
    done
    [ "$name" = stencil-multi ] || # which has no such axis
        check "... uneven shares" grep -q ,uneven, <(ours "$scratch/rows/$name.csv" 4; ours "$scratch/rows/$name.csv" 16)
done
before=$(cat "$scratch"/rows/*.csv | cksum)
check "the same command has nothing left to do" scaling --quick --out "$scratch/rows" "$BUILD" simt
check "... and changes no row" test "$(cat "$scratch"/rows/*.csv | cksum)" = "$before"
check "an estimate runs nothing" scaling --quick --estimate --out "$scratch/none" "$BUILD" simt
check "... says how long it takes" says "time: about"
check "... and writes nothing" test ! -e "$scratch/none"
few() { SIMT_DEVICES=3 "$BUILD/gpubench" run configs/dynamic-array-multi.json --quick --device simt --out "$scratch/few" >"$scratch/out" 2>&1; }
check "of fewer GPUs" few
check "... those points that want more are left out, with a reason" grep -qF '"16 GPUs are asked for, 3 are simulated (SIMT_DEVICES)"' "$scratch/few/dynamic-array-multi.csv"
check "... the others are measured" grep -q . <(ours "$scratch/few/dynamic-array-multi.csv" 2)
faults() { SIMT_DEVICES=4 scripts/faults.sh --keys 16Ki "$@" "$BUILD" simt >"$scratch/out" 2>"$scratch/err"; }
check "ranks that fail" faults --after 1 --within 8
check "... which one is said" says "rank 3 of 4 is killed, 16Ki keys a GPU: crashed: rank 3: the worker ended at"
check "... one that hangs as well" says "rank 3 of 4 is stopped, 16Ki keys a GPU: timeout: "
check "... nothing is left of either" test "$(grep -c 'no process is left' "$scratch/out")" = 2
late_fault() { ! faults --after 3 --within 1 && says "that is not as it should be"; }
check "a fault that came too late proves nothing" late_fault
check "one GPU has no ranks to fail" refuses "several GPUs are needed, and --device simt is 1" env SIMT_DEVICES=1 scripts/faults.sh "$BUILD" simt
check "a limit of seconds" refuses "--limit takes seconds, not 'x'" scripts/scaling.sh --limit x
late() { ! scaling --limit 1 --quick --out "$scratch/late" "$BUILD" simt && says "the limit is reached before configs/"; }
check "a limit that is reached" late
check "options that it has not" refuses "no option --fast" scripts/scaling.sh --fast
finish
