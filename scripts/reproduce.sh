#!/bin/bash
# Runs configs and draws every table and figure of the folders that they wrote to, and what
# configs/NAME.dumps says to dump beside NAME.json (into the folder's dump/). A point that fails does
# not stop the rest; the exit status says so at the end.
# Usage: scripts/reproduce.sh BUILD DEVICE CONFIG...   (make reproduce-all, make reproduce-NAME)
set -u
cd "$(dirname "$0")/.." || exit 1
gpubench=$1/gpubench device=$2
shift 2
marker=$(mktemp) || exit 1
trap 'rm -f "$marker"' EXIT
failed=0

# dump_all CONFIG: what is to be dumped with it, on the device whose folder it has just written to.
dump_all()
{
    local name=${1##*/} results file arguments
    name=${name%.json}
    [ -e "configs/$name.dumps" ] || return 0
    results=$(find results -name "$name.csv" -newer "$marker" -printf '%h\n' | head -n 1)
    [ -n "$results" ] || return 0
    mkdir -p "$results/dump" || return 1
    while read -r file arguments; do
        case $results:$file in
        *:'#'* | *:) continue ;;
        results/simt:quick) read -r file arguments <<<"$arguments" ;;
        results/simt:* | *:quick) continue ;;
        esac
        # shellcheck disable=SC2086 # they are words
        "$gpubench" dump $arguments --device "$device" --out "$results/dump/$file" || failed=1
    done <"configs/$name.dumps"
    "$gpubench" plot "$results/dump" || failed=1
}

for config; do
    echo "== $config" >&2
    status=0
    if grep -q '"file:build/stars.csv"' "$config" && [ ! -e build/stars.csv ]; then
        scripts/star-catalogue.sh build/stars.csv || failed=1
    fi
    "$gpubench" run "$config" --device "$device" || status=$?
    # 1: a point failed, which its row and the table show. Anything else: there is no result.
    [ $status -le 1 ] || exit $status
    [ $status = 0 ] || failed=1
    dump_all "$config"
done

mapfile -t folders < <(find results -name '*.csv' -newer "$marker" ! -name '*.samples.csv' ! -path '*/dump/*' -printf '%h\n' | sort -u)
[ ${#folders[@]} -gt 0 ] || { echo "reproduce: no results were written" >&2; exit 1; }
for folder in "${folders[@]}"; do
    "$gpubench" table "$folder" | tee "$folder/tables.txt" || failed=1
    "$gpubench" plot "$folder" || failed=1
done
exit $failed
