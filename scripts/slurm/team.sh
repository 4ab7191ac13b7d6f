#!/bin/bash
# Runs configs of several GPUs over all GPUs of a Slurm allocation, on as many nodes as it has: one process a GPU,
# started by srun, with NCCL between them (docs/multi-gpu.md, "One process a GPU").
# Usage: sbatch --nodes=2 --gpus-per-node=8 --exclusive scripts/slurm/team.sh CONFIG... [-- RUN-OPTIONS]
# or the same behind salloc; --help lists the options.
set -u

say() { echo "team: $*" >&2; }
usage()
{
    cat <<END
usage: scripts/slurm/team.sh [options] CONFIG... [-- RUN-OPTIONS]

To be started by sbatch or salloc. Measures the configs on all GPUs of the allocation, a
process each: points whose axis gpus is smaller take the first ones. With --resume: the same
command again goes on where a time limit or a cancellation ended it.

options:
  --out FOLDER       as of gpubench run (default: team)
  --ranks N          processes in all (default: one for each GPU of the allocation)
  --worker PROGRAM   the worker (default: gpubench-cuda beside gpubench)
RUN-OPTIONS go to gpubench run (--filter 'gpus <= 8', --retry).

A job that its time limit ends writes what it has if it is told a minute before: --signal=B:TERM@60.

example:
  sbatch --nodes=2 --gpus-per-node=8 --exclusive --signal=B:TERM@60 --time=2:00:00 \\
      scripts/slurm/team.sh configs/radix-sort-multi.json
END
}

out=team ranks='' worker='' configs=()
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) usage; exit 0 ;;
    --out | --ranks | --worker)
        [ $# -ge 2 ] || { say "$1 takes a value; --help says which"; exit 2; }
        case $1 in
        --out) out=$2 ;;
        --ranks) ranks=$2 ;;
        --worker) worker=$2 ;;
        esac
        shift ;;
    --) shift; break ;;
    -*) say "$1 is no option; --help lists them (options of gpubench run stand behind --)"; exit 2 ;;
    *) configs+=("$1") ;;
    esac
    shift
done
[ ${#configs[@]} -gt 0 ] || { say "which configs? --help lists the options"; exit 2; }
[ -n "${SLURM_JOB_ID:-}" ] || { say "there is no allocation: start it by sbatch or salloc"; exit 3; }

# Slurm runs a copy of a batch script, which knows nothing of its folder: then it is where the job was submitted.
here=$(cd "$(dirname "$0")/../.." && pwd)
gpubench=''
for folder in "${BUILD:-}" "$here" "$here/build" "${SLURM_SUBMIT_DIR:-.}" "${SLURM_SUBMIT_DIR:-.}/build"; do
    [ ! -x "$folder/gpubench" ] || { gpubench=$folder/gpubench; break; }
done
[ -n "$gpubench" ] || { say "there is no gpubench in $here or $SLURM_SUBMIT_DIR: submit from its folder, or name it with BUILD"; exit 2; }
gpubench=$(realpath "$gpubench")
worker=$(realpath "${worker:-$(dirname "$gpubench")/gpubench-cuda}")
[ -x "$worker" ] || { say "$worker is no program"; exit 2; }

hosts=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | paste -sd,) || exit 3
nodes=$(tr , '\n' <<<"$hosts" | wc -l)
# Nobody tells the command of salloc.
gpus=${SLURM_GPUS_ON_NODE:-$(srun --overlap --nodes=1 --ntasks=1 printenv SLURM_GPUS_ON_NODE)}
[ -n "$gpus" ] || [ -n "$ranks" ] || { say "the allocation has no GPUs: sbatch --gpus-per-node=8, say"; exit 3; }
ranks=${ranks:-$((nodes * gpus))}

# Each process sees all GPUs of its node and takes one that no other has: what Slurm hides from it, CUDA's IPC does not
# reach. So steps share them (--overlap).
launch="srun --overlap --nodes=1 --ntasks=1 --cpu-bind=none --nodelist={host}${gpus:+ --gres=gpu:$gpus}"
[ -z "${SLURM_CPUS_PER_TASK:-}" ] || launch+=" --cpus-per-task=$SLURM_CPUS_PER_TASK"

# Steps and NCCL's communicators take their time to begin.
export GPUBENCH_WORKER_LIMIT_S=${GPUBENCH_WORKER_LIMIT_S:-300} GPUBENCH_TEAM_LIMIT_S=${GPUBENCH_TEAM_LIMIT_S:-120}
echo "team: $ranks processes on $hosts"
exec "$gpubench" run "${configs[@]}" --resume --out "$out" \
    --worker "'$gpubench' team --ranks $ranks --hosts $hosts --launch \"$launch\" -- '$worker'" "$@"
