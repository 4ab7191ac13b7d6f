#!/bin/bash
# test: thorough turns 400
# Every variant of every primitive against its oracle on the simt device: all nasty inputs; of what several GPUs do together
# a tenth of them, since check_several_gpus.sh has all.
. "$(dirname "$0")/../harness/lib_check.sh"

mapfile -t all < <("$BUILD/gpubench" list variants --device simt 2>/dev/null | awk 'NR > 1 && NF == 0 { exit } NR > 1 { print $1 }' | sort -u)
alone=() together=()
for primitive in "${all[@]}"; do
    case $primitive in *-multi) together+=("$primitive") ;; *) alone+=("$primitive") ;; esac
done
passes "all inputs" "$BUILD/gpubench" check "${alone[@]}" --device simt
mv "$scratch/judged" "$scratch/before"
passes "a tenth of those of several GPUs" "$BUILD/gpubench" check "${together[@]}" --device simt --quick
cat "$scratch/before" >>"$scratch/judged"
check "each variant that runs here was judged" each_judged
finish
