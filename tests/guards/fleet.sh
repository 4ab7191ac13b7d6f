# shellcheck shell=bash
# shellcheck disable=SC2016 # these are lines of scripts
# ---- jobs on a cluster ------------------------------------------------------------------------------
guard 'sockets are no part of a GPU type' scripts/slurm/submit.sh "sed -E 's/\\([^)]*\\)//g'" cat fleet.sh
guard 'types of nodes that are down are left out' scripts/slurm/submit.sh "types=\$up" "types=\$all" fleet.sh
guard 'a type is no path' scripts/slurm/submit.sh '[[ $type =~ ^[A-Za-z0-9_][A-Za-z0-9_.+-]*$ ]] ||' 'true ||' fleet.sh
guard 'a percent sign is no number of a job' scripts/slurm/submit.sh '--output="${folder//%/%%}/job' '--output="${folder}/job' fleet.sh
guard 'nobody falls back to the CPU' scripts/slurm/job.sh 'device=(--device 0)' 'device=()' fleet.sh
guard 'a second signal is not sent at once' scripts/slurm/job.sh 'kill -0 "$pid" 2>/dev/null || return' 'break' fleet.sh
guard 'a turn without rows is the last one' scripts/slurm/job.sh 'if [ "$(rows)" -gt "$before" ]; then' 'if true; then' fleet.sh
guard 'what others measured is kept' scripts/slurm/gather.sh 'kept_in "$1" "$2" || move_aside "$2"' '' fleet.sh
guard 'what is kept has a name of its own' scripts/slurm/gather.sh 'while compgen -G "$name.*" >/dev/null; do' 'while false; do' fleet.sh
guard 'what is being written is left alone' scripts/slurm/gather.sh 'if [ -e "$2.lock" ] && ! flock -n "$2.lock" true; then' 'if false; then' fleet.sh
guard 'two types have two folders' scripts/slurm/gather.sh 'chosen=$2-$1' 'true' fleet.sh
guard 'a device is no path' scripts/slurm/gather.sh '[[ $device =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]*$ ]] ||' 'true ||' fleet.sh
guard 'the end of a job is no fault of a variant' bench/worker_process.c \
    'while (worker->child.terminated && !gb_interrupted && gb_now() < deadline)' 'while (false)' test_worker_lifetime
guard 'a worker is asked to end first' bench/worker_child.c 'kill(-child->pid, SIGTERM);' '' test_worker_lifetime
