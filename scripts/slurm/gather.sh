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
    for suffix in samples.csv unfinished.json meta.json retried.csv csv; do
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

# in_queue JOB: whether Slurm still has it to do or at work.
in_queue() { [ -n "$1" ] && squeue -h -j "$1" -o %T 2>/dev/null | grep -qv COMPLETING; }

# slurm_says JOB: what became of a job that is no longer in the queue, in Slurm's word ("CANCELLED by 1000"), or nothing
# where it has forgotten. The controller remembers for minutes, the accounting for good, where there is one.
slurm_says()
{
    local said
    said=$(sacct -n -X -P -j "$1" -o State 2>/dev/null | tail -n 1)
    [ -n "$said" ] || said=$(scontrol -o show job "$1" 2>/dev/null | sed -n 's/.*JobState=\([A-Z_]*\).*/\1/p' | tail -n 1)
    echo "$said"
}

# lost JOB SO-FAR: a task that is no longer in the queue and did not say how it ended.
lost()
{
    local said
    if ! squeue -h --me -o %A >/dev/null 2>&1; then
        echo "unknown${tab}squeue does not answer here, so that nobody can say whether it is in the queue"
        return
    fi
    said=$(slurm_says "$1")
    case $said in
    CANCELLED*) echo "cancelled${tab}it was cancelled$2" ;;
    OUT_OF_MEMORY) echo "killed${tab}it took more memory than the job has" ;;
    NODE_FAIL | BOOT_FAIL) echo "killed${tab}its node failed$2" ;;
    TIMEOUT | DEADLINE) echo "time limit${tab}the time limit came first$2" ;;
    *) false ;;
    esac
}

# state_of FILE JOB: what FILE (task-N.tsv) says last, in a word, a tab, and why. JOB: what was submitted for it.
state_of()
{
    local event value job
    IFS=$tab read -r event value _ job < <(tail -n 1 "$1")
    case $event:$value in
    submitted:*)
        if [ -z "$2" ]; then
            echo "not submitted${tab}no job is noted for it: sbatch did not take it"
        elif in_queue "$2"; then
            echo "waiting${tab}it has not begun"
        else
            lost "$2" " before it began" || echo "gone${tab}it left the queue and never began: it was cancelled, or Slurm lost it"
        fi ;;
    started:* | requeued:*)
        if in_queue "$job"; then
            echo "running${tab}it is in the queue or at work"
        else
            lost "$job" "" ||
                echo "killed${tab}it ended without a word: out of memory, a node that failed, or a time limit without warning"
        fi ;;
    ended:0) echo "complete$tab" ;;
    ended:1) echo "failed${tab}some rows failed, or it could not write; --retry measures failed rows again" ;;
    ended:2) echo "refused${tab}gpubench refused what it was asked for" ;;
    ended:3) echo "no device${tab}gpubench found no GPU there" ;;
    limit:*) echo "time limit${tab}the time limit came first" ;;
    cancelled:*) echo "cancelled${tab}it was cancelled" ;;
    *) echo "died${tab}gpubench ended with status $value" ;;
    esac
}

# submitted_for TYPE: the tasks and the job of what was submitted last, with a tab between.
submitted_for() { awk -F'\t' -v OFS='\t' -v type="$1" '$1 == type { last = $2 OFS $3 } END { print last }' tasks/jobs 2>/dev/null; }

# types: those that were submitted, and those that have a folder.
types()
{
    { cut -f1 tasks/jobs 2>/dev/null; find tasks -mindepth 1 -maxdepth 1 -type d -printf '%f\n'; } | sort -u
}

# tell TYPE WORD WHY [LOG]: a task that is not complete.
tell() { echo "$1: $2: $3$([ ! -e "${4:-}" ] || echo " (see $4)")" >>"$unfinished"; }

summary=$(mktemp) && unfinished=$(mktemp) || exit 1
trap 'rm -f "$summary" "$unfinished"' EXIT
printf 'GPU TYPE\tEXPERIMENT\tSTATE\tOK\tUNSUPPORTED\tFAILED\tFOLDER\tNODES\n' >"$summary"
again=
while IFS= read -r type; do
    IFS=$tab read -r count job < <(submitted_for "$type")
    if [ ! -d "tasks/$type" ]; then
        printf '%s\t-\tgone\t\t\t\t\t\n' "$type" >>"$summary"
        tell "$type" gone "its folder $PWD/tasks/$type is not there: what it measured and was not gathered is lost"
        again="$again$type "
        continue
    fi
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
    for csv in "tasks/$type"/*.csv; do
        case $csv in *'/*.csv' | *.samples.csv | *.retried.csv) continue ;; esac
        [ -e "${csv%.csv}.meta.json" ] || { say "$PWD/$csv has no meta file, which names its device: left out"; trouble=1; }
    done
    [ $begun = yes ] || printf '%s\t-\tnothing yet\t\t\t\t\t%s\n' "$type" "$nodes" >>"$summary"
    [ "${nodes#*,}" = "$nodes" ] || say "$type: measured on more than one node ($nodes): rows of several cards stand in one folder"
    incomplete=no
    for ((index = 0; index < ${count:-0}; index++)); do
        [ -e "tasks/$type/task-$index.tsv" ] && continue
        tell "$type" gone "tasks/$type/task-$index.tsv is not there: nobody knows what became of this task"
        incomplete=yes
    done
    for task in "tasks/$type"/task-*.tsv; do
        [ -e "$task" ] || continue
        index=${task##*/task-} index=${index%.tsv}
        IFS=$tab read -r word why < <(state_of "$task" "${job:+${job}_$index}")
        [ "$word" != complete ] || continue
        tell "$type" "$word" "$why" "$PWD/tasks/$type/job-$index.log"
        case $word in running | waiting | unknown) ;; *) incomplete=yes ;; esac
    done
    [ $incomplete = no ] || again="$again$type "
done < <(types)

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
