#!/bin/bash
# The code of old generations on this machine's GPU: for each worker of `make old-code` checks every variant, then
# measures each primitive's headline points, the usual worker first, and prints what the old code costs, and what
# failed and why. What the driver has compiled it keeps, so that a second run is faster. Logs: BUILD/old-code-logs.
# Usage: scripts/old-code.sh [OPTION...] [BUILD [CODE...]]   CODE: sm_35, ...; else all that BUILD has
#   --device N     the GPU (default: auto)
#   --out DIR      where results go, in folders usual, code-sm_35, ... (default: results/DEVICE/under)
#   --only STEP    check, measure, memcheck or table alone (default: check, measure and table)
#   --primitives LIST   these alone, with blanks between
#   --quick        the configs' quick points
#   --jobs N       checks at a time: most of their time goes to the driver's compiler (default: the cores)
#   --limit S      seconds for the checks of a primitive by one code (default: 240)
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
device=auto out='' only='check measure table' jobs=$(nproc) limit=240 size=--full
primitives='multipartition radix-sort stencil octree dynamic-array null'
while [ $# -gt 0 ]; do
    case $1 in
    --device) device=$2 ;;
    --out) out=$2 ;;
    --only) only=$2 ;;
    --primitives) primitives=$2 ;;
    --quick) size=--quick && shift && continue ;;
    --jobs) jobs=$2 ;;
    --limit) limit=$2 ;;
    --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//p}' "$0" && exit ;;
    -*) echo "old-code: no option $1; --help shows them" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift 2 || { echo "old-code: an option lacks its value; --help shows them" >&2; exit 2; }
done
use_build old-code "${1:-}"
codes=("${@:2}")
if [ ${#codes[@]} = 0 ]; then
    mapfile -t codes < <(find "$build" -maxdepth 1 -name 'gpubench-cuda*-sm_*' -printf '%f\n' | sed 's/.*-//' | sort -V)
fi
[ ${#codes[@]} -gt 0 ] || { echo "old-code: $build has no worker of old code: make old-code builds them" >&2; exit 1; }

# PRIMITIVE CONFIG FILTER: what is measured. The CPU's variants have no code of a generation.
points=(
    "multipartition multipartition-modern n == 32Mi && bins == 256 && type == u32 && (payload == none || payload == u32)"
    "radix-sort radix-sort-modern n == 32Mi && dist == uniform && type == u32"
    "stencil stencil-modern x == 512 && y == 512 && z == 512 && fused <= 2 && (radius == 1 || radius == 4)"
    "octree octree-modern n == 4M && dist == plummer && leaf == 1 && variant != cpu-parallel"
    "dynamic-array dynamic-array-modern n == 30M"
    "null null variant == copy && bytes == 256Mi"
)

if [ -z "$out" ]; then
    out=$(results_of "$gpubench" "$device") || { echo "old-code: there is no usable device $device: gpubench info says why" >&2; exit 3; }
    out+=/under
fi
logs=$build/old-code-logs
mkdir -p "$logs" || exit 1
failed=0

# ---- checks ----------------------------------------------------------------------------------------

# The driver compiles a primitive's kernels on one core: those of all codes and primitives at the same time.
check_one() { timeout "$limit" "$gpubench" check "$2" --code "$1" --device "$device" --quick >"$logs/check-$1-$2.txt" 2>"$logs/check-$1-$2.err" || echo "status $?" >>"$logs/check-$1-$2.err"; }

check_all()
{
    local primitive code begun=$SECONDS
    for primitive in $primitives; do
        for code in "${codes[@]}"; do
            while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
            check_one "$code" "$primitive" &
        done
    done
    wait
    echo "== checks: $((SECONDS - begun)) s"
    for code in "${codes[@]}"; do
        printf '%s: %d passed, %d failed, %d untested\n' "$code" "$(verdicts "$code" passed | wc -l)" \
            "$(verdicts "$code" FAILED | wc -l)" "$(verdicts "$code" untested | wc -l)"
        verdicts "$code" FAILED && failed=1
        verdicts "$code" untested
        grep -H '^status [^0]' "$logs/check-$code-"*.err | sed 's|.*/check-\(sm_[0-9a-z]*\)-|\1 |; s|\.err:status 124|: not finished in '"$limit"' s|; s|\.err:|: |' && failed=1
    done
}

# verdicts CODE WORD: the lines of its checks that begin so.
verdicts() { grep -hE "^$2 " "$logs/check-$1-"*.txt 2>/dev/null; }

# ---- measuring -------------------------------------------------------------------------------------

# but CODE PRIMITIVE CONFIG: a filter's end that leaves out the config's variants which hang, as a check has found.
but()
{
    local variant
    sed -nE "s|^timeout $2/([a-z0-9-]*):.*|\1|p" "$logs/check-$1-$2.txt" 2>/dev/null | sort -u | while read -r variant; do
        if grep -q "\"$variant\"" "configs/$3.json"; then printf ' && variant != %s' "$variant"; fi
    done
}

# reasons LOG: what a run says of rows that are not ok, once a reason.
reasons() { sed -nE 's/^  ([a-z0-9-]+) +((unsupported|wrong|crashed|timeout|out_of_memory): )/\1 \2/p' "$1"; }

# measure FOLDER [CODE]
measure()
{
    local point primitive config filter log filtered begun=$SECONDS
    for point in "${points[@]}"; do
        read -r primitive config filter <<<"$point"
        [[ " $primitives " = *" $primitive "* ]] || continue
        log=$logs/run-${2:-usual}-$config
        filter="($filter)$([ $# = 1 ] || but "$2" "$primitive" "$config")"
        [ $size = --full ] && filtered=(--filter "$filter") || filtered=()
        "$gpubench" run "configs/$config.json" $size --device "$device" ${2:+--code "$2"} --out "$1" --samples 20 \
            "${filtered[@]}" >"$log.txt" 2>"$log.err" || { tail -n 3 "$log.err" && failed=1; }
        # What is not ok with this code alone.
        [ $# = 1 ] || reasons "$log.txt" | grep -vxFf <(reasons "$logs/run-usual-$config.txt") | sed "s|^|$2 $primitive/|"
    done
    echo "== ${2:-usual code}: measured in $((SECONDS - begun)) s"
}

measure_all()
{
    local code
    measure "$out/usual"
    for code in "${codes[@]}"; do measure "$out/code-$code" "$code"; done
}

# ---- memcheck --------------------------------------------------------------------------------------

# Every variant at small inputs, with compute-sanitizer looking at each access of the first code.
memcheck()
{
    local primitive code=${codes[0]} worker log
    worker=$(find "$build" -maxdepth 1 -name "gpubench-cuda*-$code")
    if ! command -v compute-sanitizer >/dev/null; then echo "memcheck: there is no compute-sanitizer on PATH: left out" && return; fi
    for primitive in $primitives; do
        [ "$primitive" != null ] || continue # its spins are longer than asked then
        log=$logs/memcheck-$code-$primitive.txt
        timeout "$limit" "$gpubench" check "$primitive" --code "$code" --device "$device" --quick \
            --worker "compute-sanitizer --tool memcheck --log-file $log $worker" >"$logs/memcheck-check-$primitive.txt" 2>&1 || failed=1
        printf 'memcheck %s %s: %d variants passed; %s\n' "$code" "$primitive" "$(grep -c '^passed ' "$logs/memcheck-check-$primitive.txt")" \
            "$(grep -h 'ERROR SUMMARY' "$log" | tail -n 1 | sed 's/^=* *//' | grep . || echo "not finished in $limit s")"
    done
}

# ---- what it costs ---------------------------------------------------------------------------------

table()
{
    local folders=() code
    for code in "${codes[@]}"; do [ ! -d "$out/code-$code" ] || folders+=("$out/code-$code"); done
    "$gpubench" compare "$out/usual" "${folders[@]}" --by-variant --format markdown --noise none 2>"$logs/compare.err" ||
        { cat "$logs/compare.err" && failed=1; }
}

for step in $only; do
    case $step in
    check) check_all ;;
    measure) measure_all ;;
    memcheck) memcheck ;;
    table) table ;;
    *) echo "old-code: --only $step: takes check, measure, memcheck or table" >&2 && exit 2 ;;
    esac
done
exit $failed
