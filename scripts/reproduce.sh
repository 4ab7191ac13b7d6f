#!/bin/bash
# Runs configs and writes every table and figure, the papers' claims, an audit and a report of the folders that they
# wrote to, and what configs/NAME.dumps says to dump beside NAME.json (into the folder's dump/). A point that
# fails does not stop the rest; the exit status says so at the end. What was interrupted goes on where it ended
# when the same is started again: BUILD/reproduce-*.state says how far it came.
# Usage: scripts/reproduce.sh [BUILD [DEVICE [all|rest|CONFIG...]]]   (make reproduce-all, make reproduce-NAME)
# all: the configs that reproduce a paper; rest: those that say "reproduce": false, which are about this suite:
# tables that choose, what a CPU does beside, the instrument itself. In a bundle, without arguments: all of them on
# the first GPU. DEVICE is as --device takes it, or "all": every GPU of the host, one after another.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
use_build reproduce "${1:-}"
device=${2:-auto}
shift $(($# < 2 ? $# : 2))
failed=0
on=(--device "$device")
[ "$device" != all ] || on=(--all-devices)

what=${1:-all}
case $what in
all | rest) mapfile -t configs < <(configs_of "$what") ;;
*) what=$(basename "$what" .json) configs=("$@") ;;
esac

# Lines "begun CONFIG", "done CONFIG STATUS" and "spent SECONDS"; the first line has what is being done.
state=$build/reproduce-$what.state marker=$build/reproduce-$what.began
if [ -e "$state" ] && [ -e "$marker" ] && [ "$(head -n 1 "$state")" = "$device ${configs[*]}" ]; then
    echo "== going on where the last run ended; to begin anew: rm $(printf %q "$state")" >&2
else
    echo "$device ${configs[*]}" >"$state" && touch "$marker" || exit 1
fi
trap '[ ! -e "$state" ] || echo "spent $SECONDS" >>"$state"' EXIT

# stop STATUS: in the midst of it.
at=${configs[0]}
stop()
{
    echo "== stopped in $at; the same command goes on from there" >&2
    exit "$1"
}
trap 'stop 130' INT TERM

draws=yes
if ! command -v gnuplot >/dev/null; then
    draws=no
    echo "== there is no gnuplot here: figures are left out; gpubench plot draws them where there is one" >&2
fi
draw() { [ $draws = no ] || "$gpubench" plot "$1" || failed=1; }

# device_of META: the device of a meta file, as --device takes it. Its object is the first with these members.
device_of() { grep -oE '"(uuid|index)":[[:space:]]*"?[^",]+' "$1" | head -n 1 | sed -E 's/.*:[[:space:]]*"?//'; }

# written_to NAME: the devices' folders in which a result file of that name was written since this began.
written_to()
{
    find results -name "$1" -newer "$marker" ! -name '*.samples.csv' ! -path '*/dump/*' ! -path '*/aa/*' ! -path '*/under/*' \
        ! -path '*/published/*' -printf '%h\n' | sort -u
}

# dump_all CONFIG: what is to be dumped with it, on the devices whose folders it has just written to.
dump_all()
{
    local name=${1##*/} results
    name=${name%.json}
    [ -e "configs/$name.dumps" ] || return 0
    while IFS= read -r results; do
        dump_into "$results" "$name"
    done < <(written_to "$name.csv")
}

# dump_into FOLDER NAME
dump_into()
{
    local results=$1 name=$2 card=$device file arguments
    [ "$device" != all ] || card=$(device_of "$results/$name.meta.json")
    mkdir -p "$results/dump" || return 1
    while read -r file arguments; do
        case $results:$file in
        *:'#'* | *:) continue ;;
        results/simt:quick) read -r file arguments <<<"$arguments" ;;
        results/simt:* | *:quick) continue ;;
        esac
        # shellcheck disable=SC2086 # they are words
        "$gpubench" dump $arguments --device "$card" --out "$results/dump/$file" || failed=1
    done <"configs/$name.dumps"
    draw "$results/dump"
}

# has_bodies CONFIG FILE SCRIPT: the file is there, made by the script if need be, or the config reads none such.
has_bodies() { ! grep -qF "\"file:$2\"" "$1" || [ -e "$2" ] || "$3" "$2"; }

# run_one CONFIG: runs it, or what is left of it, unless it is done.
run_one()
{
    local config=$1 status=0 resume=
    if grep -qxF "done $config 0" "$state"; then return 0; fi
    if grep -qxF "done $config 1" "$state"; then
        failed=1
        return 0
    fi
    at=$config
    echo "== $at" >&2
    if grep -qxF "begun $config" "$state"; then resume=--resume; else echo "begun $config" >>"$state"; fi
    # Without its bodies a config cannot run; the others can.
    if ! has_bodies "$config" build/stars.csv scripts/star-catalogue.sh ||
        ! has_bodies "$config" build/galaxies.csv scripts/galaxy-catalogue.sh; then
        failed=1
        return 0
    fi
    "$gpubench" run "$config" "${on[@]}" $resume || status=$?
    # 1: a point failed, which its row and the table show. Anything else: there is no result.
    [ $status -le 1 ] || stop $status
    [ $status = 0 ] || failed=1
    dump_all "$config"
    echo "done $config $status" >>"$state"
}

for config in "${configs[@]}"; do run_one "$config"; done

mapfile -t folders < <(written_to '*.csv')
[ ${#folders[@]} -gt 0 ] || { echo "reproduce: no results were written" >&2; exit 1; }

# keep FILE COMMAND...: shows what it prints, and keeps that in FILE, whole. Its exit status, or 2.
keep()
{
    local file=$1 ends
    shift
    "$@" | tee "$file.new"
    ends=("${PIPESTATUS[@]}")
    if [ "${ends[1]}" != 0 ] || ! sync "$file.new" || ! mv -f "$file.new" "$file"; then
        echo "reproduce: $file cannot be written" >&2
        rm -f "$file.new"
        return 2
    fi
    return "${ends[0]}"
}

slow=0
# audit FOLDER: rows that are slower than they should be are no failure of the run; they are counted.
audit()
{
    local status=0
    keep "$1/audit.txt" "$gpubench" audit "$1" || status=$?
    [ $status -le 1 ] || failed=1
    slow=$((slow + $(sed -nE 's/^[0-9]+ rows audited: ([0-9]+) slower .*/\1/p' "$1/audit.txt" | grep . || echo 0)))
}
# Of one config: its table and its paper's claims are shown, those of the whole folder kept.
one=
case $what in
all | rest) ;;
*) [ ${#configs[@]} != 1 ] || one=$(sed -nE 's/.*"primitive": *"([^"]+)".*/\1/p' "${configs[0]}" | head -n 1) ;;
esac
for folder in "${folders[@]}"; do
    if [ -n "$one" ]; then
        keep "$folder/tables.txt" "$gpubench" table "$folder" >/dev/null || failed=1
        [ ! -e "$folder/$what.csv" ] || "$gpubench" table "$folder/$what.csv" --no-pager
        draw "$folder"
        keep "$folder/claims.txt" "$gpubench" claims "$folder" >/dev/null || failed=1
        if "$gpubench" list papers --no-pager | grep -q "^$one: "; then "$gpubench" claims "$folder" --paper "$one" --no-pager; fi
    else
        keep "$folder/tables.txt" "$gpubench" table "$folder" || failed=1
        draw "$folder"
        keep "$folder/claims.txt" "$gpubench" claims "$folder" || failed=1
    fi
    audit "$folder"
    if [ $draws = yes ]; then "$gpubench" report "$folder"; else "$gpubench" report "$folder" --no-figures; fi || failed=1
done
spent=$(awk -v now=$SECONDS '$1 == "spent" { before += $2 } END { print before + now }' "$state")
rm -f "$state" "$marker"
echo
figures=", report.html and the figures"
[ $draws = yes ] || figures=" and report.html, without figures, for there is no gnuplot here"
echo "reproduced in $spent s; per folder: tables.txt, claims.txt, audit.txt$figures: ${folders[*]}; rows slower than they should be: $slow"
exit $failed
