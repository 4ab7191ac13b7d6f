#!/bin/bash
# All that several GPUs of this host run together (configs/*-multi.json): strong and weak scaling of the sort, the
# partition, the stencil, the octree and the array, on 1, 2, 4, ... of them. Rows lie in results/DEVICE/under/gpus-N/;
# what is done is not done again when the same is started again, and a config that fails does not stop the others.
# Usage: scripts/scaling.sh [OPTION...] [BUILD [DEVICES]]   DEVICES: all (the default) or a list such as 0,1,2,3;
#                                                           simt: simulated ones, which SIMT_DEVICES counts
#   --quick     the configs' quick points
#   --estimate  runs nothing: what there is to run, and about how long that takes
#   --faults    then scripts/faults.sh: a rank that is killed and one that is stopped, at the largest size (a minute more)
#   --limit S   ends after S seconds; the same command goes on
#   --out DIR   another folder than results/
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
limit=0 estimate=no faults=no options=() out=()
while [ $# -gt 0 ]; do
    case $1 in
    --limit) limit=${2:-} && shift ;;
    --quick) options+=(--quick) ;;
    --estimate) estimate=yes ;;
    --faults) faults=yes ;;
    --out) out=(--out "${2:-}") && shift ;;
    --help) sed -n '2,/^set/{/^set/d; s/^# \{0,1\}//p}' "$0" && exit ;;
    -*) echo "scaling: no option $1; --help shows them" >&2 && exit 2 ;;
    *) break ;;
    esac
    shift
done
[[ $limit =~ ^[0-9]+$ ]] || { echo "scaling: --limit takes seconds, not '$limit'" >&2; exit 2; }
use_build scaling "${1:-}"
devices=${2:-all} worst=0 began=$SECONDS

mapfile -t configs < <(configs_of together)
if [ $estimate = yes ]; then
    exec "$gpubench" run "${configs[@]}" --device "$devices" "${options[@]}" --dry-run
fi
for config in "${configs[@]}"; do
    within=()
    if [ "$limit" != 0 ]; then
        left=$((limit - (SECONDS - began)))
        if [ $left -lt 5 ]; then
            echo "scaling: the limit is reached before $config; the same command goes on"
            exit 1
        fi
        within=(timeout --signal=INT --kill-after=20 "$left")
    fi
    echo "=== $config"
    "${within[@]}" "$gpubench" run "$config" --device "$devices" "${options[@]}" "${out[@]}" --resume || worst=1
done
if [ $faults = yes ]; then
    echo "=== scripts/faults.sh"
    small=() # on a CPU
    [ "$devices" != simt ] || small=(--keys 16Ki --after 1 --within 8)
    scripts/faults.sh "${small[@]}" "$build" "$devices" || worst=1
fi
exit $worst
