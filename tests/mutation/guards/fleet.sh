# shellcheck shell=bash
# shellcheck disable=SC2016 # these are lines of scripts
# ---- jobs on a cluster ------------------------------------------------------------------------------
guard 'sockets are no part of a GPU type' types_of "sed -E 's/\\([^)]*\\)//g'" cat fleet.sh
guard 'types of nodes that are down are left out' 'submit.sh:*' "types=\$up" "types=\$all" fleet.sh
guard 'a type is no path' 'submit.sh:*' '[[ $type =~ ^[A-Za-z0-9_][A-Za-z0-9_.+-]*$ ]] ||' 'true ||' fleet.sh
guard 'a percent sign is no number of a job' 'submit.sh:*' '--output="${folder//%/%%}/job' '--output="${folder}/job' fleet.sh
guard 'nobody falls back to the CPU' 'job.sh:*' 'device=(--device 0)' 'device=()' fleet.sh
guard 'a second signal is not sent at once' on_cancel 'kill -0 "$pid" 2>/dev/null || return' 'break' fleet.sh
guard 'a turn without rows is the last one' 'job.sh:*' 'if [ "$(rows)" -gt "$before" ]; then' 'if true; then' fleet.sh
guard 'what others measured is kept' copy 'kept_in "$1" "$2" || move_aside "$2"' '' fleet.sh
guard 'what is kept has a name of its own' gather:move_aside 'while compgen -G "$name.*" >/dev/null; do' 'while false; do' fleet.sh
guard 'what is being written is left alone' copy 'if [ -e "$2.lock" ] && ! flock -n "$2.lock" true; then' 'if false; then' fleet.sh
guard 'two types have two folders' folder_for 'chosen=$2-$1' 'true' fleet.sh
guard 'a device is no path' 'gather.sh:*' '[[ $device =~ ^[A-Za-z0-9_][A-Za-z0-9_.-]*$ ]] ||' 'true ||' fleet.sh
guard 'what was cancelled is told' lost 'CANCELLED*)' 'NEVER*)' fleet.sh
guard 'a folder that is gone is told' 'gather.sh:*' 'if [ ! -d "tasks/$type" ]; then' 'if false; then' fleet.sh
guard 'a log that is not there is not named' 'gather.sh:*' '[ ! -e "${4:-}" ] ||' '' fleet.sh
guard 'what waits is not submitted again' 'gather.sh:*' 'case $word in running | waiting | unknown) ;;' 'case $word in running) ;;' fleet.sh
guard 'the end of a job is no fault of a variant' 'worker*process:fail' \
    'while (worker->child.terminated && !gb_interrupted && gb_now() < deadline)' 'while (false)' test_worker_lifetime
guard 'a worker is asked to end first' gb_child_end 'kill(-child->pid, SIGTERM);' '' test_worker_lifetime
