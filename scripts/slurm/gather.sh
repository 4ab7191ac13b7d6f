#!/bin/bash
# Gathers what the jobs of scripts/slurm/submit.sh measured: copies FOLDER/tasks/TYPE/NAME.* to
# FOLDER/DEVICE/ and prints what became of each task. Never overwrites what was measured: results that are
# there already and are no earlier state of the same rows are renamed first, as gpubench run does.
# May be run at any time and again. Exit status 1 if a task did not complete.
# Usage: scripts/slurm/gather.sh FOLDER
set -u
export LC_ALL=C
say() { echo "gather: $*" >&2; }
if [ $# != 1 ] || [ "${1#-}" != "$1" ]; then
    say "usage: scripts/slurm/gather.sh FOLDER (the --out of submit.sh)"
    exit 2
fi
if ! cd "$1" 2>/dev/null || [ ! -d tasks ]; then
    say "$1: no folder that scripts/slurm/submit.sh wrote (it has no tasks/ in it)"
    exit 2
fi
exec 9>tasks/gather.lock || exit 1
flock 9 # without locks, as some network file systems are: nobody gathers twice at once, then
touch tasks/folders || exit 1
tab=$'\t' trouble=0

stop() { say "$*; nothing that was measured is lost: it lies in $PWD/tasks"; exit 1; }

# ---- one experiment of one type ------------------------------------------------------------------------

# folder_for TYPE DEVICE: where it goes: DEVICE, unless another type's results of such a device are there:
# then DEVICE-TYPE. Once chosen it stays.
folder_for()
{
    local chosen
    chosen=$(awk -F'\t' -v type="$1" -v device="$2" '$1 == type && $2 == device { print $3; exit }' tasks/folders)
    if [ -z "$chosen" ]; then
        chosen=$2
        if awk -F'\t' -v folder="$2" '$3 == folder { found = 1 } END { exit !found }' tasks/folders; then chosen=$2-$1; fi
        printf '%s\t%s\t%s\n' "$1" "$2" "$chosen" >>tasks/folders || stop "tasks/folders cannot be written"
    fi
    echo "$chosen"
}

# put FILE TO: a copy that is there whole or not at all.
put()
{
    if ! cp -p "$1" "$2.new" || ! mv "$2.new" "$2"; then
        rm -f "$2.new"
        stop "$2 cannot be written"
    fi
}

# kept_in FROM TO: every row of TO.csv is one of FROM's, retried ones included, so FROM may replace it.
kept_in()
{
    [ -s "$2.csv" ] || return 0
    awk 'FNR == 1 { file++ } file == 1 { rows[$0] = 1; next } !($0 in rows) { exit 1 }' \
        <(cat "$1.csv" "$1.retried.csv" 2>/dev/null) "$2.csv"
}

# move_aside TO: renames TO.csv and what belongs to it to TO.RUN_ID.csv...
move_aside()
{
    local id name number=1 suffix
    id=$(awk -F, 'NR == 2 { print $2 }' "$1.csv")
    [[ $id =~ ^[A-Za-z0-9_-]+$ ]] || id=unreadable-$(date -u -r "$1.csv" +%Y%m%dT%H%M%SZ)
    name=$1.$id
    while compgen -G "$name.*" >/dev/null; do
        number=$((number + 1))
        name=$1.$id-$number
    done
    for suffix in samples.csv meta.json retried.csv csv; do
        [ ! -e "$1.$suffix" ] || mv -n "$1.$suffix" "$name.$suffix" || stop "$1.$suffix cannot be renamed"
    done
    say "kept the earlier results as $PWD/$name.csv"
}

# copy FROM TO: paths without .csv. The rows first: their samples are always written before them, also
# where the task is still running.
copy()
{
    local suffix
    mkdir -p "$(dirname "$2")" || stop "$(dirname "$2") cannot be made"
    if [ -e "$2.lock" ] && ! flock -n "$2.lock" true; then
        say "$PWD/$2.csv: somebody writes it just now (see $2.lock): left as it is; gather again later"
        trouble=1
        return
    fi
    kept_in "$1" "$2" || move_aside "$2"
    for suffix in csv samples.csv retried.csv meta.json; do
        [ ! -e "$1.$suffix" ] || cmp -s "$1.$suffix" "$2.$suffix" || put "$1.$suffix" "$2.$suffix"
    done
}

# counts FILE: how many rows are ok, unsupported, failed. A field may be quoted.
counts()
{
    awk '{ count = 0; field = ""; quoted = 0
           for (i = 1; i <= length($0) + 1; i++) {
               c = substr($0, i, 1)
               if (c == "\"") quoted = !quoted
               else if (i > length($0) || (c == "," && !quoted)) { value[++count] = field; field = "" }
               else field = field c
           }
           if (NR == 1) for (i = 1; i <= count; i++) if (value[i] == "status") at = i
           if (NR > 1) seen[value[at] == "ok" || value[at] == "unsupported" ? value[at] : "failed"]++ }
         END { printf "%d\t%d\t%d\n", seen["ok"], seen["unsupported"], seen["failed"] }' "$1"
}

# member FILE NAME: a string in a meta file: device.slug (two tabs before it) or state (one).
member() { sed -nE "s/^$tab+\"$2\":[[:space:]]*\"([^\"]*)\".*/\1/p" "$1" | head -n 1; }

# ---- tasks ---------------------------------------------------------------------------------------------

# state_of FILE: what FILE (task-N.tsv) says last, in a word, a tab, and why.
state_of()
{
    local event value job
    IFS=$tab read -r event value _ job < <(tail -n 1 "$1")
    case $event:$value in
    submitted:*) echo "waiting${tab}it has not begun" ;;
    started:* | requeued:*)
        if [ -n "$job" ] && squeue -h -j "$job" -o %T 2>/dev/null | grep -qv COMPLETING; then
            echo "running${tab}it is in the queue or at work"
        else
            echo "killed${tab}it ended without a word: out of memory, a node that failed, or a time limit without warning"
        fi ;;
    ended:0) echo "complete$tab" ;;
    ended:1) echo "failed${tab}some rows failed, or it could not write: see its log; --retry measures failed rows again" ;;
    ended:2) echo "refused${tab}gpubench refused what it was asked for: see its log" ;;
    ended:3) echo "no device${tab}gpubench found no GPU there: see its log" ;;
    limit:*) echo "time limit${tab}the time limit came first" ;;
    cancelled:*) echo "cancelled${tab}it was cancelled" ;;
    *) echo "died${tab}gpubench ended with status $value" ;;
    esac
}

summary=$(mktemp) && unfinished=$(mktemp) || exit 1
trap 'rm -f "$summary" "$unfinished"' EXIT
printf 'GPU TYPE\tEXPERIMENT\tSTATE\tOK\tUNSUPPORTED\tFAILED\tFOLDER\tNODES\n' >"$summary"
again=
for path in tasks/*/; do
    type=$(basename "$path")
    nodes=$(awk -F'\t' '$1 == "started" { print $2 }' "tasks/$type"/task-*.tsv 2>/dev/null | sort -u | paste -sd, -)
    begun=no
    for meta in "tasks/$type"/*.meta.json; do
        from=${meta%.meta.json}
        [ -e "$from.csv" ] || continue
        begun=yes
        device=$(member "$meta" slug)
        [[ $device =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]*$ ]] || { say "$meta names no device: left out"; trouble=1; continue; }
        to=$(folder_for "$type" "$device")/$(basename "$from") || exit 1
        copy "$from" "$to"
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$type" "$(basename "$from")" "$(member "$meta" state)" "$(counts "$from.csv")" \
            "$(dirname "$to")" "$nodes" >>"$summary"
    done
    [ $begun = yes ] || printf '%s\t-\tnothing yet\t\t\t\t\t%s\n' "$type" "$nodes" >>"$summary"
    [ "${nodes#*,}" = "$nodes" ] || say "$type: measured on more than one node ($nodes): rows of several cards stand in one folder"
    incomplete=no
    for task in "tasks/$type"/task-*.tsv; do
        [ -e "$task" ] || continue
        IFS=$tab read -r word why < <(state_of "$task")
        [ "$word" != complete ] || continue
        log=$PWD/${task%/*}/job-${task##*/task-}
        echo "$type: $word: $why (${log%.tsv}.log)" >>"$unfinished"
        [ "$word" = running ] || incomplete=yes
    done
    [ $incomplete = no ] || again="$again$type "
done

awk -F'\t' 'NR == FNR { for (i = 1; i <= NF; i++) if (length($i) > width[i]) width[i] = length($i); next }
    { line = ""
      for (i = 1; i <= NF; i++) line = line sprintf("%-*s  ", width[i], $i)
      sub(/ +$/, "", line); print line }' "$summary" "$summary"
if [ -s "$unfinished" ]; then
    trouble=1
    echo
    echo "not complete:"
    sed 's/^/  /' "$unfinished"
fi
if [ -n "$again" ]; then
    { IFS= read -r folder && IFS= read -r program && IFS= read -r arguments; } <tasks/command
    echo "to go on with them:"
    printf '  cd %s && %s --types %q %s\n' "$folder" "$program" "${again% }" "${arguments% }"
fi
exit $trouble
