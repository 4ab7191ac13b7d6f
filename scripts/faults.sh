#!/bin/bash
# A rank fails in the middle of a run: a team of all GPUs, a process each, sorts at the largest size of configs/radix-sort-multi.json;
# one rank is killed, in a second run one is stopped (SIGSTOP). Its row has to say so, the row behind it has to be measured by a
# fresh team, and no process may be left. Rows go to a folder that is deleted. Exit status 1: one of these did not hold.
# Usage: scripts/faults.sh [OPTION...] [BUILD [DEVICES]]   as scripts/scaling.sh; of a list of DEVICES the first so many GPUs
#   --keys N     keys of each GPU (512Mi)
#   --after S    seconds from the beginning of the large row to the fault (5)
#   --within S   seconds that the large row may take (20)
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
keys=512Mi after=5 within=20
while [ $# -gt 0 ]; do
    case $1 in
    --keys) keys=${2:-} && shift ;;
    --after) after=${2:-} && shift ;;
    --within) within=${2:-} && shift ;;
    --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//p}' "$0" && exit ;;
    -*) echo "faults: no option $1; --help shows them" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
use_build faults "${1:-}"
devices=${2:-all}
info=$(info_of "$gpubench" "$devices") || exit 1
worker=$(sed -nE 's/.*"selected": *\{ *"command": *"([^"]*)".*/\1/p' <<<"$info") # the one that has these GPUs
ranks=$(sed -nE 's/.*"links": *\{ *"gpus": *([0-9]+).*/\1/p' <<<"$info")
[ -x "$worker" ] || { echo "faults: no worker has the device $devices" >&2; exit 2; }
[ "${ranks:-0}" -gt 1 ] || { echo "faults: several GPUs are needed, and --device $devices is ${ranks:-one}" >&2; exit 2; }

scratch=$(mktemp -d) || exit 1
member=$scratch/member # a name of its own: nobody else's are killed, or counted
trap 'pkill -KILL -f "^$member"; rm -rf "$scratch"' EXIT
ln -s "$(realpath "$worker")" "$member" || exit 1
cat >"$scratch/faults.json" <<END
{"schema": 1, "name": "faults", "primitive": "radix-sort-multi", "variants": ["peers"], "seed": 1,
 "points": [{"gpus": $ranks, "n": "64Ki", "scaling": "strong"}, {"gpus": $ranks, "n": "$keys", "scaling": "weak"},
            {"gpus": $ranks, "n": "32Ki", "scaling": "strong"}],
 "measure": {"samples": 3, "warmup": 1, "order": "sequential", "time_limit_s": $within},
 "overrides": [{"where": "scaling == weak", "samples": 1000000, "warmup": 0}]}
END
export GPUBENCH_TEAM_LIMIT_S=$((within / 2 + 1)) NO_COLOR=1
worst=0

# await SECONDS COMMAND...: until it holds
await()
{
    local end=$((SECONDS + $1))
    until "${@:2}"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}
# rows_of RUN: status and reason of each row
rows_of()
{
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { line = $0; status = $at["status"]; sub(".*," status ",", "", line); sub(/^"/, "", line); sub(/["].*|,,.*/, "", line); print status ": " line }' \
        "$scratch/$1/faults.csv" 2>/dev/null
}
# shellcheck disable=SC2317 # await calls it
begun() { [ "$(rows_of "$1" | wc -l)" -ge 1 ] || ! kill -0 "$driver" 2>/dev/null; }
# shellcheck disable=SC2317
none_left() { ! pgrep -f "^$member" >/dev/null; }

# one SIGNAL NAME PATTERN: the last rank gets it, and its row is PATTERN
one()
{
    local victim status=0 rows wanted=$3
    "$gpubench" run "$scratch/faults.json" --worker "$gpubench team --ranks $ranks -- $member" --out "$scratch/$1" >"$scratch/$1.log" 2>&1 &
    driver=$!
    await 120 begun "$1"
    sleep "$after"
    victim=$(pgrep -f "^$member" | tail -n 1)
    kill -"$1" "$victim" || worst=1
    wait $driver || status=$?
    mapfile -t rows < <(rows_of "$1")
    echo "rank $((ranks - 1)) of $ranks is $2, $keys keys a GPU: ${rows[1]:-no row}"
    if [[ $status = 1 && ${rows[0]:-} = ok:* && ${rows[1]:-} =~ $wanted && ${rows[2]:-} = ok:* ]]; then
        echo "  the row behind it was measured"
    else
        echo "  that is not as it should be (exit status $status, rows: ${rows[*]:-none}):"
        tail -n 20 "$scratch/$1.log"
        worst=1
    fi
    if await 20 none_left; then
        echo "  no process is left"
    else
        echo "  processes are left: $(pgrep -f "^$member" | xargs)"
        worst=1
    fi
}
one KILL killed "^crashed: rank $((ranks - 1)): the worker ended at .*signal 9"
one STOP stopped '^(timeout|crashed): .*(no answer to|has waited for)'
exit $worst
