#!/bin/bash
# All that the folder of a GPU in results/ has, in the order of what it is worth: what reproduces the papers, the rest of
# the configs, equal runs (how far the device's times may be trusted), parts of its multiprocessors, planted faults,
# a profile, the code of old generations. A step that fails does not stop the others; what is done is not done again
# when the same is started again, and a step that was interrupted goes on where it ended.
# Usage: scripts/card.sh [OPTION...] [BUILD [DEVICE [STEP...]]]   STEP: a part (equal) or a step of it (equal/octree)
#   --limit S   ends after S seconds, as a batch job must; the same command goes on
#   --quick     the configs' quick points, of equal runs, parts, faults and old code
#   --lacks     runs nothing: which steps have not written their files yet, also of DEVICE=results/SLUG
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
limit=0 size=--full lacks=no
while [ $# -gt 0 ]; do
    case $1 in
    --limit) limit=${2:-} && shift ;;
    --quick) size=--quick ;;
    --lacks) lacks=yes ;;
    --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//p}' "$0" && exit ;;
    -*) echo "card: no option $1; --help shows them" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
[[ $limit =~ ^[0-9]+$ ]] || { echo "card: --limit takes seconds, not '$limit'" >&2; exit 2; }
use_build card "${1:-}"
device=${2:-auto} wanted=("${@:3}")

if [ $lacks = yes ] && [ -d "$device" ]; then
    results=${device%/}
else
    results=$(results_of "$gpubench" "$device")
fi || { echo "card: there is no usable device $device: gpubench info says why" >&2; exit 3; }
state=$build/card-${results##*/}.state

# CONFIG SAMPLES FILTER: the points at which equal runs are set beside each other: some of each order of magnitude.
equal=(
    "multipartition 30 (n == 1M || n == 32M) && dist == uniform && (bins == 64 || bins == 256 || bins == 1024 || bins == 4096)"
    "multipartition-small 20 n <= 4M"
    "multipartition-modern 12 n == 32Mi && type == u32 && (payload == none || payload == u32)"
    "stencil-modern 8 x == 512 && (radius == 1 || radius == 4)"
    "radix-sort-modern 15 n == 1M || n == 32Mi && type == u32 || n == 256Mi && dist == uniform && payload == none && type == u32 && order == ascending"
    "dynamic-array-modern 15 n <= 100M"
    "octree 15 n != 4M"
    "octree-modern 10 n == 4M || n == 16Mi && variant != cpu-parallel"
)
# The same, on a part of the multiprocessors, of which `gpubench project` learns what a variant is bound by.
parts="64 32 96 16"
limits=(
    "multipartition 8 n == 32M && dist == uniform && (bins == 64 || bins == 256 || bins == 1024 || bins == 4096) && (variant == multipartition || variant == buffer-per-warp || variant == large || variant == multisplit || variant == cub-label-sort)"
    "multipartition-modern 8 n == 32Mi && type == u32 && payload == none && (bins == 16 || bins == 256 || bins == 4096)"
    "stencil 8 x == 2048 && (block == 32x1x1 || variant == base || variant == csl || variant == comp)"
    "stencil-modern 8 x == 512 && fused <= 2 && (radius == 1 || radius == 4)"
    "radix-sort-modern 8 n == 32Mi && type == u32 && (dist == uniform || dist == sorted || dist == normal)"
    "dynamic-array-modern 8 n == 10M || n == 100M"
    "octree 8 n == 8M"
    "octree-modern 8 n == 4M && leaf == 1 && (dist == plummer || dist == cube) && variant != cpu-parallel"
)

# steps: all of them, a line a file in the folder: PART/NAME, and the file that it writes at its end, if any.
steps()
{
    local config n
    configs_of all | sed 's|.*/\(.*\)\.json|reproduce/all \1.csv|'
    sed -nE '/^(#|quick)/!s|^([^ ]+) .*|reproduce/all dump/\1|p' configs/*.dumps
    configs_of rest | sed 's|.*/\(.*\)\.json|rest/all \1.csv|'
    for config in "${equal[@]}"; do echo "equal/${config%% *} aa/third/${config%% *}.csv"; done
    for n in $parts; do
        for config in "${limits[@]}"; do echo "limits/$n/${config%% *} under/multiprocessors-$n/${config%% *}.csv"; done
    done
    echo "faults/faults faults/faults.csv"
    echo "profile/multipartition-modern profile/multipartition-modern-profile.csv"
    echo "old-code/check"
    echo "old-code/measure under/usual/null.csv"
    echo "old-code/memcheck"
}

# belongs STEP TO: whether a step is one, or of that part.
belongs() { [[ $1 = "$2" || $1 = "$2"/* ]]; }

mapfile -t all < <(steps | cut -d' ' -f1 | uniq)
for one in "${wanted[@]}"; do
    for step in "${all[@]}"; do ! belongs "$step" "$one" || continue 2; done
    echo "card: there is no step $one: $(printf '%s\n' "${all[@]%%/*}" | uniq | paste -sd ' '), or one of $(
        printf '%s\n' "${all[@]}" | paste -sd ' ')" >&2
    exit 2
done

# is_wanted STEP
is_wanted()
{
    local one
    for one in "${wanted[@]}"; do ! belongs "$1" "$one" || return 0; done
    [ ${#wanted[@]} = 0 ]
}

if [ $lacks = yes ]; then
    while read -r step file; do
        ! is_wanted "$step" || [ -z "$file" ] || [ -e "$results/$file" ] || echo "$results lacks $step: there is no $file"
    done < <(steps)
    exit
fi

# run_points LIST CONFIG OPTION...: runs what the list has of a config, or what is left of that.
run_points()
{
    local -n list=$1
    local samples filter filtered=() again=()
    read -r samples filter < <(printf '%s\n' "${list[@]}" | sed -n "s/^$2 //p")
    [ $size = --quick ] || filtered=(--filter "$filter")
    ! grep -qxF "begun $step" "$state" || again=(--resume)
    within "$gpubench" run "configs/$2.json" $size --device "$device" "${filtered[@]}" --samples "$samples" \
        "${again[@]}" "${@:3}"
}

# within COMMAND...: in what is left of the time. It then has a process group of its own, which a terminal's Ctrl-C does
# not reach.
child=
within()
{
    local status=0
    if [ "$limit" = 0 ]; then
        "$@"
    else
        timeout -k 60 $((limit - SECONDS)) "$@" &
        child=$!
        wait $child || status=$?
        child=
        return $status
    fi
}

# run_step PART/NAME
run_step()
{
    local part=${1%%/*} name=${1##*/} worker=$build/tests/gpubench-cuda
    case $part in
    reproduce) within scripts/reproduce.sh "$build" "$device" all ;;
    rest) within scripts/reproduce.sh "$build" "$device" rest ;;
    equal) run_points equal "$name" --aa --out "$results" ;;
    limits)
        local n=${1#*/}
        run_points limits "$name" --multiprocessors "${n%/*}" --out "$results/under/multiprocessors-${n%/*}" ;;
    faults)
        [ -x "$worker" ] || { echo "card: $1 needs $worker: make $worker builds it" >&2; return 1; }
        within "$gpubench" run tests/worker/primitives/faults/faults.json $size --device "$device" --worker "$worker" --out "$results/faults" ;;
    profile)
        BUILD=$build within scripts/profile.sh "configs/$name.json" --device "$device" --out "$results/profile" \
            --worker "$build/gpubench-cuda" --filter 'n == 32Mi && type == u32 && payload == none && bins == 256' ;;
    old-code)
        [ "$name" != measure ] || name="measure table"
        within scripts/old-code.sh --device "$device" --out "$results/under" --only "$name" ${size##--full} "$build" ;;
    esac
}

if [ -e "$state" ]; then
    echo "== going on where the last run ended; to begin anew: rm $(printf %q "$state")" >&2
else
    : >"$state" || exit 1
fi
stop()
{
    [ -z "$child" ] || { kill "$child" && wait "$child"; } 2>/dev/null
    ! [[ $1 = 130 ]] || echo "begun $step" >>"$state"
    echo "== stopped in $step; the same command goes on from there" >&2
    exit "$1"
}
trap 'stop 130' INT TERM

failed=() passed=0 step=
for step in "${all[@]}"; do
    is_wanted "$step" || continue
    if grep -qxF "done $step" "$state"; then passed=$((passed + 1)) && continue; fi
    if grep -qxF "failed $step" "$state"; then failed+=("$step") && continue; fi
    # Less time than a step takes to begin is none.
    [ "$limit" = 0 ] || [ $((limit - SECONDS)) -ge 5 ] || stop 1
    echo "== $step at $SECONDS s" >&2
    status=0
    run_step "$step" || status=$?
    # 124, 137: its time was up. 130, 143: somebody interrupted it.
    case $status in
    0) echo "done $step" >>"$state" && passed=$((passed + 1)) ;;
    124 | 137 | 130 | 143) echo "begun $step" >>"$state" && stop 1 ;;
    *) echo "failed $step" >>"$state" && failed+=("$step") ;;
    esac
done
rm -f "$state"
[ ${#failed[@]} = 0 ] || { printf 'card: %s failed\n' "${failed[@]}" >&2; exit 1; }
echo "$passed of ${#all[@]} steps done, in $results"
