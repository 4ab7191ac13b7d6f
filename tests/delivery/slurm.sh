#!/bin/bash
# test: thorough turns 60
# scripts/slurm on a real Slurm of one node: a job for each GPU type, one cancelled and one stopped by its time
# limit in mid-run, both gone on with, all gathered; srun as a worker's command. scripts/setup.sh --slurm
# installs what it needs; what needs no Slurm is in fleet.sh.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
# shellcheck source=tests/delivery/lib_slurm.sh
. "$(dirname "$0")/lib_slurm.sh"
missing=$(slurm_missing)
if [ -n "$missing" ]; then
    skip "a Slurm cluster" "$missing is not installed: scripts/setup.sh --slurm"
    finish
    exit
fi
trap 'slurm_stop; rm -rf "$scratch"' EXIT
trap 'slurm_stop now; exit 143' TERM INT
gpubench=$BUILD/gpubench worker=$BUILD/gpubench-simt
export BUILD SIMT_WORKERS=1
check "Slurm is up" slurm_start "$scratch/cluster"
[ $not_ok = 0 ] || { finish; exit 1; }

cd "$scratch" && mkdir "on a disk" && cd "on a disk" || exit 1
cat >"spins.json" <<'END'
{"schema":1,"name":"spins","primitive":"null","variants":["spin","nothing"],
 "axes":{"ns":["40M","41M","42M","43M","44M","45M","46M","47M"]},
 "measure":{"samples":5,"warmup":1,"time_limit_s":30}}
END
cat >"small parts.json" <<'END'
{"schema":1,"name":"parts","primitive":"multipartition","variants":["multipartition","multisplit"],
 "axes":{"n":["2Ki"],"bins":[64,128]},"measure":{"samples":3,"warmup":1,"time_limit_s":30}}
END

# ---- a job for each type -------------------------------------------------------------------------------

submitted() { "$root/scripts/slurm/submit.sh" --out "my fleet" --requeue spins.json "small parts.json" -- --device simt; }
check "a job for each GPU type is submitted" submitted
# id TYPE: the newest job's number
id() { squeue -h -n "gpubench-$1" -o %A | sort -n | tail -n 1; }
has_rows() { [ "$(wc -l <"my fleet/tasks/$1/spins.csv")" -gt 3 ]; }
job_a=$(id fake-a) job_b=$(id fake-b)
check "both are at work at the same time" await 60 has_rows fake-a
check "as they should" await 60 has_rows fake-b
scancel "$job_a"
# What --signal=B:USR1@60 does a minute before the time limit.
scancel --signal=USR1 --batch "$job_b"
requeued() { grep -q '^requeued' "my fleet/tasks/fake-b/task-0.tsv"; }
check "the one near its time limit asks for another turn" await 30 requeued
# Slurm lets who was requeued wait for two minutes.
waits() { [ "$(squeue -h -j "$job_b" -o '%T %r')" = 'PENDING BeginTime' ]; }
# Within the second in which the first turn ended, the node would refuse the second.
begins_again() { await 30 waits && sleep 2.5 && scontrol update JobId="$job_b" StartTime=now && await 60 started_twice; }
started_twice() { [ "$(grep -c ^started "my fleet/tasks/fake-b/task-0.tsv")" = 2 ]; }
check "which it gets" begins_again
gathered() { [ -s "my fleet/tasks/gather.log" ] && no_jobs; }
check "then all is gathered" await 90 gathered
says() { cat "my fleet"/tasks/*/*.log "my fleet/tasks/gather.log"; grep -qF -- "$1" "my fleet/tasks/gather.log"; }
check "which tells what was cancelled" says 'fake-a: cancelled: it was cancelled'
check "where its log is" says "my fleet/tasks/fake-a/job-0.log"
check "and nothing of the one that went on" sh -c "! grep 'fake-b: ' 'my fleet/tasks/gather.log'"
cancelled_well() { grep -q 'interrupted with' "my fleet/tasks/fake-a/job-0.log" && grep -q '"state":.*"interrupted"' "my fleet/tasks/fake-a/spins.meta.json"; }
check "gpubench had its time to end" cancelled_well
no_crash() { ! grep -h crashed "my fleet"/tasks/*/*.csv; }
check "no variant is blamed for it" no_crash

# ---- going on ------------------------------------------------------------------------------------------

# 8 points of two variants, of which "nothing" cannot spin, and 2 points of two.
complete() # TYPE
{
    local folder=$1
    cat "$folder"/*.csv
    [ "$(rows "$folder/spins.csv" | wc -l)" = 16 ] && [ "$(cut -d, -f1-14 "$folder/spins.csv" | sort -u | wc -l)" -ge 9 ] &&
        [ "$(grep -c ',ok,' "$folder/spins.csv")" = 8 ] && [ "$(grep -c ',unsupported,' "$folder/spins.csv")" = 8 ] &&
        [ "$(columns "$folder/spins.csv" variant ns | sort | uniq -d | wc -l)" = 0 ] &&
        [ "$(grep -c ',spin,' "$folder/spins.samples.csv")" = 40 ] && [ "$(grep -c ',ok,' "$folder/parts.csv")" = 4 ]
}
again=$(grep -F -- '--types' "my fleet/tasks/gather.log")
go_on() { echo "$again"; [[ $again == *"--types fake-a "* ]] && bash -c "$again"; }
check "the command that it names submits what is not complete" go_on
all_complete() { gathered && grep -q 'fake-b *spins *complete' "my fleet/tasks/gather.log"; }
check "all is gathered again" await 90 all_complete
check "nothing is left to do" sh -c "! grep -E 'not complete|interrupted' 'my fleet/tasks/gather.log'"
folder_of() { echo "my fleet/$(awk -F'\t' -v type="$1" '$1 == type { print $3 }' "my fleet/tasks/folders")"; }
for type in fake-a fake-b; do
    check "$type: each row once, none failed, with all samples" complete "$(folder_of $type)"
done
apart() { [ "$(folder_of fake-a)" != "$(folder_of fake-b)" ] && ls "my fleet/simt"; }
check "two types with one device's name lie apart" apart
tabled() { "$gpubench" table "$(folder_of fake-a)" "$(folder_of fake-b)" | tee /dev/stderr | grep -q "(simt).*(simt-fake-[ab])"; }
check "and side by side in tables" tabled
held() { "$root/scripts/slurm/submit.sh" --out held --types fake-a --sbatch --hold spins.json && squeue -h -o %A | xargs scancel && await 30 no_jobs; }
check "a job that never began is cancelled" held
told() { "$root/scripts/slurm/gather.sh" held | tee /dev/stderr | grep -q 'fake-a: cancelled: it was cancelled before it began$'; }
check "which is told as such" told

# ---- srun as a worker's command ------------------------------------------------------------------------

ok_rows() { [ "$(grep -c ',ok,' "$1/parts.csv")" = 4 ]; }
by_srun() { "$gpubench" run "small parts.json" --worker "srun --gres=gpu:fake-a:1 -n1 $worker" --out srun && ok_rows srun; }
check "a worker through srun" by_srun
cat >hang.json <<'END'
{"schema":1,"name":"hang","primitive":"stencil","variants":["base"],"points":[
 {"x":1024,"y":1024,"z":64,"radius":4},{"x":32,"y":8,"z":4,"radius":1}],
 "measure":{"samples":2,"warmup":0,"time_limit_s":3}}
END
replaced()
{
    "$gpubench" run hang.json --full --worker "srun --gres=gpu:fake-a:1 -n1 $worker" --out hang
    grep -q ',timeout,' hang/hang.csv && grep -q ',ok,' hang/hang.csv && await 30 no_jobs
}
check "one that hangs there gives its GPU to the one that replaces it" replaced

# ---- a team: srun starts each member -------------------------------------------------------------------

cat >words.json <<'END'
{"schema":1,"name":"words","primitive":"team","variants":["copies","windows"],"axes":{"gpus":[1,2],"n":["1k"]},
 "measure":{"samples":3,"warmup":1,"time_limit_s":30}}
END
cat >stuck.json <<'END'
{"schema":1,"name":"stuck","primitive":"team","variants":["sleeps","copies"],"axes":{"gpus":[2],"n":["1k"]},
 "measure":{"samples":3,"warmup":0,"time_limit_s":4}}
END
by_team() { salloc --nodes=1 --ntasks=2 --gres=gpu:2 "$root/scripts/slurm/team.sh" --worker "$BUILD/tests/gpubench-simt" "${@:2}" "$1"; }
team_rows() { [ "$(grep -c ',ok,' team/words.csv)" = 4 ] && [ "$(columns team/words.csv under | sort -u)" = gpus=2 ]; }
check "a process a GPU of an allocation" by_team words.json
check "has all rows" team_rows
by_batch() { sbatch --wait --nodes=1 --ntasks=2 --gres=gpu:2 --output=team.log "$root/scripts/slurm/team.sh" --worker "$BUILD/tests/gpubench-simt" --out batch words.json; local status=$?; cat team.log; [ $status = 0 ] && [ "$(grep -c ',ok,' batch/words.csv)" = 4 ]; }
check "so in a batch job" by_batch
goes_on() { by_team stuck.json; cat team/stuck.csv; grep -q ',timeout,' team/stuck.csv && grep -q ',ok,' team/stuck.csv && await 30 no_jobs; }
check "one that hangs is ended with the others, and the run goes on" goes_on
none_there() { await 30 none_runs "$BUILD/tests/gpubench-simt"; }
check "and nobody is left on the node" none_there

# ---- what docs/fleet.md says -----------------------------------------------------------------------------

# In a folder like a bundle, with configs that take no time.
unset BUILD
bundle=$scratch/bundle
mkdir -p "$bundle"/{bin,ssh,configs,scripts} && cp -r "$root/scripts/slurm" "$bundle/scripts/" && cd "$bundle" || exit 1
ln -s "$gpubench" "$worker" . && ln -s "$root/tests/fixtures/ssh.sh" bin/ssh
export PATH=$bundle/bin:$PATH FAKE_SSH=$bundle/ssh
sed 's/"parts"/"multipartition"/' "$scratch/on a disk/small parts.json" >configs/multipartition.json
sed 's/"n": \["1k", "4k"\]/"n": ["1k"]/' "$root/configs/octree.json" >configs/octree.json # on this device its quick section

why_not_run()
{
    case $1 in
    "make bundle") echo "bundle.sh makes one" ;;
    "scp "*) echo "there is no other host" ;;
    *--all-devices* | *DEVICE=all*) echo "tests/driver/all_devices.sh has two devices" ;;
    *) return 1 ;;
    esac
}
# here COMMAND: the command with this cluster's names, once what it needs is there.
here()
{
    local command=${1//'/opt/gpubench/gpubench-cuda'/$worker}
    command=${command//h100/fake-a}
    case $command in
    *submit.sh*) command="$command -- --device simt" ;;
    *gather.log*) await 60 no_jobs ;;
    esac
    echo "${command//nvidia-/simt}"
}
mapfile -t commands < <(awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF' "$root/docs/fleet.md")
check "docs/fleet.md has commands" test ${#commands[@]} -gt 7
for command in "${commands[@]}"; do
    if reason=$(why_not_run "$command"); then
        skip "$command" "$reason"
    else
        check "$command" bash -c "$(here "$command")"
    fi
done
for folder in fleet/simt fleet/simt-fake-b results/node7 results/simt; do
    check "they measured: $folder" test "$(grep -c ',ok,' $folder/multipartition.csv)" = 4
done
check "both configs" grep -q ',octree,.*,ok,' fleet/simt/octree.csv

daemons=("${slurm_pids[@]}")
# shellcheck disable=SC2119 # its argument is none of this script's
slurm_stop
check "the daemons are gone" await 60 gone "${daemons[@]}"
finish
