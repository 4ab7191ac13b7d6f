#!/bin/bash
# Runs configs on every GPU type of a Slurm cluster: a job a type, then one that gathers the results.
# docs/fleet.md tells how it goes, from the bundle to the comparison.
# Usage: scripts/slurm/submit.sh [options] CONFIG... [-- RUN-OPTIONS]; --help lists the options.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
# Of a checkout, its build folder (BUILD names another); of a bundle, the bundle.
for folder in "${BUILD:-}" "$here" "$here/build"; do
    gpubench=$folder/gpubench
    [ ! -x "$gpubench" ] || break
done

say() { echo "submit: $*" >&2; }
usage()
{
    cat <<END
usage: scripts/slurm/submit.sh [options] CONFIG... [-- RUN-OPTIONS]

Submits a job for each GPU type of the cluster (sinfo tells them). It runs all the configs
on one GPU of the type, with --resume: what was measured is kept, so the same command goes
on after a time limit, a cancellation or a failure. A last job gathers the results.

  FOLDER/tasks/TYPE/    what a type's job writes, with its log
  FOLDER/DEVICE/        what was gathered (DEVICE as in results/: nvidia-h200), for table and plot

options:
  --out FOLDER       where all of it goes; nodes must see it, too (default: fleet)
  --types 'A B'      these GPU types only, as sinfo -o %G calls them (gpu: those without a type)
  --partition P, --account A, --time T    as of sbatch
  --exclusive        nobody else on the node: times on the CPU and transfers want that
  --requeue          a job that the time limit ends goes on in the queue, while it gets on
  --split            a task for each config, side by side where there are GPUs: sooner done, but
                     not all on the same card
  --sbatch OPTION    one more option of sbatch (--sbatch --qos=long); may be given again
  --dry-run          print the sbatch commands, submit nothing
RUN-OPTIONS go to gpubench run (--filter 'n <= 1M', --quick, --retry). Without --device or
--worker among them it is --device 0, the first GPU that the job was given.

example:
  scripts/slurm/submit.sh --partition gpu --time 4:00:00 configs/multipartition.json configs/octree.json
END
}

out=fleet types='' exclusive=no requeue=no split=no dry_run=no
sbatch=() partition=() configs=() time=() run_options=() again=()
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) usage; exit 0 ;;
    --out | --types | --partition | --account | --time | --sbatch)
        [ $# -ge 2 ] || { say "$1 takes a value; --help says which"; exit 2; }
        case $1 in
        --out) out=$2 ;;
        --types) types=$2 ;;
        --partition) partition=("$1=$2") ;;
        --account) sbatch+=("$1=$2") ;;
        --time) time=("$1=$2") ;;
        --sbatch) sbatch+=("$2") ;;
        esac
        [ "$1" = --types ] || again+=("$1" "$2")
        shift ;;
    --exclusive) exclusive=yes again+=("$1") ;;
    --requeue) requeue=yes again+=("$1") ;;
    --split) split=yes again+=("$1") ;;
    --dry-run) dry_run=yes ;;
    --) again+=("$@"); shift; run_options=("$@"); break ;;
    -*) say "$1 is no option; --help lists them (options of gpubench run stand behind --)"; exit 2 ;;
    *)
        [ -f "$1" ] || { say "$1: there is no such config"; exit 2; }
        again+=("$1") configs+=("$(realpath "$1")") ;;
    esac
    shift
done
[ ${#configs[@]} -gt 0 ] || { say "which configs? scripts/slurm/submit.sh configs/multipartition.json, say; --help lists the options"; exit 2; }
[ -x "$gpubench" ] || { say "there is no gpubench in $here or $here/build: run make, or name its folder with BUILD"; exit 2; }
for tool in sbatch sinfo; do
    command -v $tool >/dev/null || { say "there is no $tool here: run this on a login node of a Slurm cluster"; exit 3; }
done
gpubench=$(realpath "$gpubench")

# ---- GPU types ---------------------------------------------------------------------------------------

# What sinfo's %G says ("gpu:a100:4(S:0-1),gpu:1g.5gb:7,shard:8"), a line a node: a type a line; "gpu" where
# GPUs have no type.
types_of()
{
    sed -E 's/\([^)]*\)//g' | tr ',' '\n' | awk -F: '
        $1 == "gpu" { print (NF == 2 && $2 ~ /^[0-9]+[kKmM]?$/) || NF == 1 ? "gpu" : $2 }' | sort -u
}

listed=$(sinfo -h "${partition[@]}" -o '%t|%G') || { say "sinfo failed (its words are above): is this a login node of a Slurm cluster?"; exit 3; }
all=$(cut -d'|' -f2- <<<"$listed" | types_of)
up=$(grep -vE '^(down|drain|drng|fail|inval|unk)' <<<"$listed" | cut -d'|' -f2- | types_of)
[ -n "$all" ] || { say "sinfo -o %G names no GPU${partition[*]:+ (${partition[*]})}: name a --partition that has some"; exit 3; }
if [ -n "$types" ]; then
    for type in $types; do
        grep -qxF -- "$type" <<<"$all" || { say "no node has GPUs of type $type; there are: ${all//$'\n'/ }"; exit 2; }
    done
else
    types=$up
    left_out=$(comm -23 <(echo "$all") <(echo "$up"))
    [ -z "$left_out" ] || say "left out, since all their nodes are down: ${left_out//$'\n'/ } (--types asks for them all the same)"
    [ -n "$types" ] || { say "no node with GPUs is up; sinfo -R says why"; exit 3; }
fi
for type in $types; do # they become names of folders
    [[ $type =~ ^[A-Za-z0-9_][A-Za-z0-9_.+-]*$ ]] || { say "a GPU type called '$type' cannot be a folder: leave it out with --types"; exit 2; }
done

# ---- jobs --------------------------------------------------------------------------------------------

# submit ARGUMENTS...: sbatch, which prints the job's number; with --dry-run shows what would be run.
submit()
{
    if [ $dry_run = yes ]; then
        { printf 'sbatch'; printf ' %q' "$@"; echo; } >&2
        echo dry-run
        return
    fi
    local said
    said=$(command sbatch --parsable "$@") || return 1
    echo "${said%%;*}" # behind a semicolon the cluster's name
}

mkdir_or_stop() { mkdir -p "$1" || { say "$1 cannot be made; name another folder with --out"; exit 2; }; }
[ $dry_run = yes ] || mkdir_or_stop "$out/tasks"
out=$(realpath -m "$out")
if [ $dry_run = no ]; then
    # What gather.sh tells those whose tasks failed: the same command for the types that are concerned.
    if ! { printf '%q\n%q\n' "$PWD" "$here/scripts/slurm/submit.sh"; printf '%q ' "${again[@]}"; } >"$out/tasks/command"; then
        say "$out/tasks/command cannot be written"
        exit 2
    fi
fi
options=(--ntasks=1 "${partition[@]}" "${sbatch[@]}")
job_options=(--open-mode=append "${time[@]}")
[ $exclusive = no ] || job_options+=(--exclusive)
[ $requeue = no ] || job_options+=(--requeue)
last=0
[ $split = no ] || last=$((${#configs[@]} - 1))

jobs=()
for type in $types; do
    folder=$out/tasks/$type
    if [ $dry_run = no ]; then
        mkdir_or_stop "$folder"
        for ((i = 0; i <= last; i++)); do
            printf 'submitted\t\t%s\t\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" >>"$folder/task-$i.tsv" || exit 2
        done
    fi
    gres=gpu:$type:1
    [ "$type" != gpu ] || gres=gpu:1
    # All tasks of an array ask for the same: an array a type. USR1 comes a minute before the time limit, to
    # the script alone.
    job=$(submit "${options[@]}" "${job_options[@]}" --job-name="gpubench-$type" --array="0-$last" --gres="$gres" \
        --signal=B:USR1@60 --output="${folder//%/%%}/job-%a.log" \
        "$here/scripts/slurm/job.sh" "$folder" "$gpubench" "$split" "$requeue" "${configs[@]}" -- "${run_options[@]}") ||
        { say "sbatch refused the job for $type (its words are above)${jobs[*]:+; submitted before: ${jobs[*]}}"; exit 1; }
    jobs+=("$job")
    # What gather.sh looks for, and asks Slurm about where a task has not begun.
    [ $dry_run = yes ] || printf '%s\t%s\t%s\n' "$type" $((last + 1)) "$job" >>"$out/tasks/jobs" ||
        { say "$out/tasks/jobs cannot be written; job $job was submitted"; exit 1; }
    echo "$type: job $job, $((last + 1)) task(s), ${#configs[@]} config(s), in $folder"
done
dependency=$(IFS=:; echo "afterany:${jobs[*]}")
job=$(submit "${options[@]}" --open-mode=truncate --job-name=gpubench-gather --time=30 --dependency="$dependency" \
    --output="${out//%/%%}/tasks/gather.log" "$here/scripts/slurm/gather.sh" "$out") ||
    { say "sbatch refused the job that gathers; do it by hand at the end: $(printf "%q %q" "$here/scripts/slurm/gather.sh" "$out")"; exit 1; }
echo "then job $job gathers in $out and writes $out/tasks/gather.log"
echo "see them: squeue --me; stop them: scancel ${jobs[*]}; go on: the same command again"
