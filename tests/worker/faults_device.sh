#!/bin/bash
# test: thorough 16
# Kernels that never end, store anywhere, exhaust heap and memory, break the context, and hosts that
# crash: each is its own row's failure, and what is right beside and after it stays right. On the simt
# device, or on whatever device the given worker has; needs nothing but the driver beside it.
# Usage: tests/worker/faults_device.sh [WORKER [FOLDER]]   (default: the simt worker; FOLDER keeps the CSV)
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
worker=${1:-$BUILD/tests/gpubench-simt}
out=${2:-$scratch/faults}
primitive=$root/tests/worker/primitives/faults
gpubench=$BUILD/gpubench
# A machine with nothing installed: libcjson.so.1 in a folder lib beside the driver.
[ ! -d "$BUILD/lib" ] || export LD_LIBRARY_PATH="$BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
if [ ! -x "$worker" ]; then
    skip "faults of a device" "there is no $worker"
    finish
    exit
fi
worker=$(cd "$(dirname "$worker")" && pwd)/$(basename "$worker")
# A device small enough to be filled in no time.
export SIMT_MEMORY=100000000 SIMT_WORKERS=2

started=$SECONDS
"$gpubench" run "$primitive/faults.json" --full --worker "'$worker'" --out "$out" >"$scratch/out" 2>"$scratch/err"
status=$?
elapsed=$((SECONDS - started))
csv=$out/faults.csv
sed 's/^/# /' "$scratch/err" >&2

rows "$csv" >"$scratch/rows"
backend=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "backend") at = i } NR == 2 { print $at }' "$csv")
case $backend in
cuda) column=3 says=5 ;;
*) column=2 says=4 ;;
esac

echo "# $(wc -l <"$scratch/rows") rows on $backend in $elapsed s"
{
    printf 'variant|expected|n = 1000|n = 100000|reason\n'
    tail -n +2 "$primitive/expected.csv" | while IFS=, read -r -a line; do
        printf '%s|%s' "${line[0]}" "${line[column - 1]}"
        for n in 1000 100000; do
            printf '|%s' "$(awk -F'|' -v n=$n -v v="${line[0]}" '$1 == n && $2 == v { print $3 }' "$scratch/rows")"
        done
        printf '|%.100s\n' "$(awk -F'|' -v v="${line[0]}" '$2 == v { print $4; exit }' "$scratch/rows")"
    done
} | awk -F'|' '{ printf "# %-18s %-14s %-14s %-14s %s\n", $1, $2, $3, $4, $5 }'

# as_expected VARIANT STATUS FRAGMENT: at both points.
as_expected()
{
    local found=0 n variant got reason
    while IFS='|' read -r n variant got reason; do
        [ "$variant" = "$1" ] || continue
        echo "$n: $got: $reason"
        found=$((found + 1))
        [ "$got" = "$2" ] && [[ $reason == *"$3"* ]] || return 1
        [ "$got" != ok ] || [ -z "$reason" ] || return 1
    done <"$scratch/rows"
    [ $found = 2 ]
}
while IFS=, read -r -a line; do
    check "${line[0]}: ${line[column - 1]}" as_expected "${line[0]}" "${line[column - 1]}" "${line[says - 1]-}"
done < <(tail -n +2 "$primitive/expected.csv")

complete() { [ $status = 1 ] && [ "$(wc -l <"$scratch/rows")" = 46 ] && grep -q '"state":.*"complete"' "$out/faults.meta.json"; }
check "the run went on to its end" complete
check "what keeps memory is named, and its worker replaced" grep -q 'device memory are not free again with nothing open' "$scratch/err"
in_time() { echo "$elapsed s" && [ $elapsed -lt 120 ]; }
check "all of it takes less than two minutes" in_time
check "no worker is left" await 60 none_runs "$worker"
finish
[ "$not_ok" = 0 ]
