#!/bin/bash
# Runs configs and writes every table and figure, the papers' claims and a report of the folders that they
# wrote to, and what configs/NAME.dumps says to dump beside NAME.json (into the folder's dump/). A point that
# fails does not stop the rest; the exit status says so at the end. What was interrupted goes on where it ended
# when the same is started again: BUILD/reproduce-*.state says how far it came.
# Usage: scripts/reproduce.sh BUILD DEVICE CONFIG...   (make reproduce-all, make reproduce-NAME)
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1 gpubench=$1/gpubench device=$2
shift 2
failed=0
began=$SECONDS

# Lines "begun CONFIG" and "done CONFIG STATUS"; its first line has what is being done.
what=all
[ $# -gt 1 ] || what=$(basename "$1" .json)
state=$build/reproduce-$what.state marker=$build/reproduce-$what.began
if [ -e "$state" ] && [ -e "$marker" ] && [ "$(head -n 1 "$state")" = "$device $*" ]; then
    echo "== going on where the last run ended; to begin anew: rm $state" >&2
else
    echo "$device $*" >"$state" && touch "$marker" || exit 1
fi

# dump_all CONFIG: what is to be dumped with it, on the device whose folder it has just written to.
dump_all()
{
    local name=${1##*/} results file arguments
    name=${name%.json}
    [ -e "configs/$name.dumps" ] || return 0
    results=$(find results -name "$name.csv" -newer "$marker" ! -path '*/aa/*' -printf '%h\n' | head -n 1)
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

# run_one CONFIG: runs it, or what is left of it, unless it is done.
run_one()
{
    local config=$1 status=0 resume=
    if grep -qxF "done $config 0" "$state"; then return 0; fi
    if grep -qxF "done $config 1" "$state"; then
        failed=1
        return 0
    fi
    echo "== $config" >&2
    if grep -qxF "begun $config" "$state"; then resume=--resume; else echo "begun $config" >>"$state"; fi
    if grep -q '"file:build/stars.csv"' "$config" && [ ! -e build/stars.csv ]; then
        scripts/star-catalogue.sh build/stars.csv || failed=1
    fi
    "$gpubench" run "$config" --device "$device" $resume || status=$?
    # 1: a point failed, which its row and the table show. Anything else: there is no result.
    [ $status -le 1 ] || exit $status
    [ $status = 0 ] || failed=1
    dump_all "$config"
    echo "done $config $status" >>"$state"
}

for config; do run_one "$config"; done

mapfile -t folders < <(find results -name '*.csv' -newer "$marker" ! -name '*.samples.csv' ! -path '*/dump/*' \
    ! -path '*/aa/*' ! -path '*/published/*' -printf '%h\n' | sort -u)
[ ${#folders[@]} -gt 0 ] || { echo "reproduce: no results were written" >&2; exit 1; }
for folder in "${folders[@]}"; do
    "$gpubench" table "$folder" | tee "$folder/tables.txt" || failed=1
    "$gpubench" plot "$folder" || failed=1
    "$gpubench" claims "$folder" | tee "$folder/claims.txt" || failed=1
    "$gpubench" report "$folder" || failed=1
done
rm -f "$state" "$marker"
echo
echo "reproduced in $((SECONDS - began)) s; per folder: tables.txt, claims.txt, report.html and the figures:" \
    "${folders[*]}"
exit $failed
