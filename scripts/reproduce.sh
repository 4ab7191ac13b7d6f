#!/bin/bash
# Runs configs and draws every table and figure of the folders that they wrote to. A point that
# fails does not stop the rest; the exit status says so at the end.
# Usage: scripts/reproduce.sh BUILD DEVICE CONFIG...   (make reproduce-all, make reproduce-NAME)
set -u
cd "$(dirname "$0")/.." || exit 1
gpubench=$1/gpubench device=$2
shift 2
marker=$(mktemp) || exit 1
trap 'rm -f "$marker"' EXIT
failed=0

for config; do
    echo "== $config" >&2
    status=0
    "$gpubench" run "$config" --device "$device" || status=$?
    # 1: a point failed, which its row and the table show. Anything else: there is no result.
    [ $status -le 1 ] || exit $status
    [ $status = 0 ] || failed=1
done

mapfile -t folders < <(find results -name '*.csv' -newer "$marker" ! -name '*.samples.csv' -printf '%h\n' | sort -u)
[ ${#folders[@]} -gt 0 ] || { echo "reproduce: no results were written" >&2; exit 1; }
for folder in "${folders[@]}"; do
    "$gpubench" table "$folder" | tee "$folder/tables.txt" || failed=1
    "$gpubench" plot "$folder" || failed=1
done
exit $failed
