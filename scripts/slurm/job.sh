#!/bin/bash
# One task of scripts/slurm/submit.sh: runs configs on the GPU that Slurm gave to it, and notes in
# FOLDER/task-N.tsv when and where it began and how it ended. Slurm runs a copy of this file.
# Usage: job.sh FOLDER GPUBENCH SPLIT(yes|no) REQUEUE(yes|no) CONFIG... -- RUN-OPTION...
set -u
folder=$1 gpubench=$2 split=$3 requeue=$4
shift 4
configs=()
while [ "$1" != -- ]; do
    configs+=("$1")
    shift
done
shift
index=${SLURM_ARRAY_TASK_ID:-0}
[ "$split" = no ] || configs=("${configs[index]}")
device=(--device 0) # "auto" would fall back to the CPU where the GPU is missing
for option; do
    case $option in --device | --device=* | --worker | --worker=*) device=() ;; esac
done

# Failed rows are measured again once for each submission, not at every turn.
options=()
for option; do
    [ "$option" = --retry ] && [ "${SLURM_RESTART_COUNT:-0}" -gt 0 ] || options+=("$option")
done

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }
note() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$(now)" "${SLURM_JOB_ID:-}" >>"$folder/task-$index.tsv"; }
rows() { awk 'FNR > 1' "$folder"/*.csv 2>/dev/null | wc -l; }

# At a scancel, all processes get SIGTERM; a second one would end gpubench before it has written where it
# is. The time limit's signal comes here alone.
why='' pid=''
# shellcheck disable=SC2317 # the traps below call them
on_limit() { why=limit; [ -z "$pid" ] || kill -TERM "$pid" 2>/dev/null; }
# shellcheck disable=SC2317
on_cancel()
{
    local i
    [ -z "$why" ] || return
    why=cancelled
    [ -n "$pid" ] || return
    for ((i = 0; i < 50; i++)); do
        kill -0 "$pid" 2>/dev/null || return
        sleep 0.1
    done
    kill -TERM "$pid" 2>/dev/null
}
trap on_limit USR1
trap on_cancel TERM INT

note started "$(uname -n)"
echo "== $(now) job ${SLURM_JOB_ID:-} on $(uname -n): ${configs[*]}"
nvidia-smi -L 2>/dev/null
before=$(rows)
if [ -z "$why" ]; then
    "$gpubench" run "${configs[@]}" --resume --out "$folder" "${device[@]}" "${options[@]}" &
    pid=$!
    # A signal ends `wait`, not what it waits for.
    wait "$pid"
    status=$?
    while kill -0 "$pid" 2>/dev/null; do
        wait "$pid"
        status=$?
    done
    [ -z "$why" ] || { wait "$pid" 2>/dev/null; code=$?; [ $code = 127 ] || status=$code; }
else
    status=130
fi

if [ "$why" = limit ] && [ "$requeue" = yes ] && [ $status = 130 ]; then
    if [ "$(rows)" -gt "$before" ]; then
        note requeued 130
        scontrol requeue "${SLURM_ARRAY_JOB_ID:-$SLURM_JOB_ID}${SLURM_ARRAY_TASK_ID:+_$SLURM_ARRAY_TASK_ID}" && exit 0
    else
        echo "job: not one row within the time limit: it will not be requeued; give it more with --time" >&2
    fi
fi
note "${why:-ended}" $status
exit $status
