#!/bin/bash
# test: thorough 10
# scripts/slurm without Slurm: what submit.sh makes of sinfo's words and of mistakes, a task that is stopped by
# each signal, and a gathering that must not lose anything. slurm.sh has the same on a real cluster.
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
submit=$root/scripts/slurm/submit.sh gather=$root/scripts/slurm/gather.sh job=$root/scripts/slurm/job.sh
export BUILD SIMT_WORKERS=1
mkdir "$scratch/bin" "$scratch/a disk" && cd "$scratch/a disk" || exit 1
export PATH=$scratch/bin:$PATH FAKE=$scratch
# A Slurm that says what it is told to and notes what it is asked for.
# shellcheck disable=SC2016 # these are scripts
{
    printf '#!/bin/sh\ncat "$FAKE/sinfo"\n' >"$scratch/bin/sinfo"
    printf '#!/bin/bash\nprintf "%%s\\n" "$@" end >>"$FAKE/sbatch"\necho "$((100 + $(grep -c ^end "$FAKE/sbatch")));cluster"\n' >"$scratch/bin/sbatch"
    # What they know of job J is the second word of a line "J ...".
    printf '#!/bin/sh\n[ ! -e "$FAKE/down" ] || exit 1\n[ "$2" != -j ] || sed -n "s/^$3 //p" "$FAKE/queue"\n' >"$scratch/bin/squeue"
    printf '#!/bin/sh\nsed -n "s/^$5 //p" "$FAKE/accounts"\n' >"$scratch/bin/sacct"
    printf '#!/bin/sh\n[ "$2" = show ] && exec sed -n "s/^$4 /JobState=/p" "$FAKE/controller"\necho "$@" >>"$FAKE/scontrol"\n' \
        >"$scratch/bin/scontrol"
}
chmod +x "$scratch"/bin/*
touch "$scratch"/{queue,accounts,controller}
cat >spins.json <<'END'
{"schema":1,"name":"spins","primitive":"null","variants":["spin"],"axes":{"ns":["50M","51M","52M","53M","200M","201M","1G"]},
 "measure":{"samples":5,"warmup":1,"time_limit_s":30}}
END
cat >few.json <<'END'
{"schema":1,"name":"few","primitive":"null","variants":["nothing"],"axes":{"ns":[0]},"measure":{"samples":5,"warmup":1}}
END

# ---- GPU types -------------------------------------------------------------------------------------

types() # LINE...: of sinfo's; prints the types that jobs are submitted for
{
    printf '%s\n' "$@" >"$scratch/sinfo"
    "$submit" --dry-run few.json 2>"$scratch/err" | sed -n 's/^\([^ :]*\): job.*/\1/p' | paste -sd' '
}
finds() # TYPES LINE...
{
    local want=$1 got
    shift
    got=$(types "$@")
    echo "found: $got"
    cat "$scratch/err"
    [ "$got" = "$want" ]
}
check "a type" finds a100 'idle|gpu:a100:4'
check "sockets, commas among them" finds a100 'idle|gpu:a100:4(S:0,2-3)' 'mix|gpu:a100:8(S:0-1)'
check "several types on a node, and other things" finds 'a100 v100' 'mix|shard:8,gpu:v100:2(S:0),mps:v100:200,gpu:a100:2(S:1),nic:2'
check "MIG slices" finds '1g.5gb a100_3g.20gb nvidia_a100_80gb_pcie_1g.10gb' 'idle|gpu:1g.5gb:7(S:0),gpu:a100_3g.20gb:2' 'idle|gpu:nvidia_a100_80gb_pcie_1g.10gb:1'
check "GPUs without a type" finds gpu 'idle|gpu:4(S:0-1)' 'idle|(null)'
check "one without type and number" finds gpu 'idle|gpu'
check "types of nodes that are down are left out" finds h100 'down*|gpu:a100:4' 'drain|gpu:v100:4' 'alloc|gpu:h100:4' 'idle~|gpu:h100:4'
check "and named" warns 'left out, since all their nodes are down: a100 v100'
says() { local status=0; "${@:3}" >"$scratch/out" 2>"$scratch/err" || status=$?; cat "$scratch/err"; [ $status = "$1" ] && grep -qF -- "$2" "$scratch/err"; }
echo 'idle|(null)' >"$scratch/sinfo"
check "no GPU at all" says 3 'names no GPU' "$submit" few.json
echo 'idle|gpu:../../x:1' >"$scratch/sinfo"
check "a type that would be a folder elsewhere" says 2 "a GPU type called '../../x' cannot be a folder" "$submit" few.json
printf '%s\n' 'idle|gpu:a100:4' 'idle|gpu:h100:8' >"$scratch/sinfo"
check "a type that is not there" says 2 'no node has GPUs of type v100; there are: a100 h100' "$submit" --types 'h100 v100' few.json
check "no config" says 2 'which configs?' "$submit"
check "a config that is not there" says 2 'nowhere.json: there is no such config' "$submit" nowhere.json
check "an unknown option" says 2 '--filter is no option' "$submit" --filter 'n < 5' few.json
check "an option without its value" says 2 '--time takes a value' "$submit" few.json --time
check "nothing was submitted by all that" test ! -e "$scratch/sbatch"

# ---- what sbatch is asked for ------------------------------------------------------------------------

submitted() { "$submit" --out 'my % fleet' --types h100 --partition gpu --account me --time 9 --exclusive --requeue \
    --split --sbatch --mem=8G few.json spins.json -- --filter 'ns > 5 && ns < 9'; cat "$scratch/sbatch"; }
asked() { awk '/^end/ { exit } 1' "$scratch/sbatch" | grep -qxF -- "$1"; }
check "two tasks of one type" submitted
for word in --array=0-1 --gres=gpu:h100:1 --partition=gpu --account=me --time=9 --exclusive --requeue --mem=8G \
    --signal=B:USR1@60 "--output=$PWD/my %% fleet/tasks/h100/job-%a.log" "$PWD/my % fleet/tasks/h100" "$PWD/few.json" \
    'ns > 5 && ns < 9'; do
    check "sbatch is told: $word" asked "$word"
done
gather_waits() { tail -n +2 "$scratch/sbatch" | grep -xF -- --dependency=afterany:101 && ! grep -xF -- --time=9 <(sed '1,/^end/d' "$scratch/sbatch"); }
check "the last job waits for them, and has a time limit of its own" gather_waits
asked_last() { sed '1,/^end/d' "$scratch/sbatch" | grep -xF -- "$1"; }
check "its log begins anew each time" asked_last --open-mode=truncate
check "... a task's does not" asked --open-mode=append
check "what was submitted is noted" grep -qx "h100	2	101" "my % fleet/tasks/jobs"

# ---- tasks and signals -------------------------------------------------------------------------------

mkdir -p fleet/tasks/{a,b,c,d}
printf '%s\n' "$PWD" submit.sh '--out fleet' >fleet/tasks/command
printf '%s\t1\t%s\n' a 11 b 12 c 13 d 14 >fleet/tasks/jobs
# task TYPE REQUEUE CONFIG OPTION...: as Slurm would run it, in the background
task()
{
    SLURM_JOB_ID=7 SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=0 setsid bash "$job" "$PWD/fleet/tasks/$1" "$BUILD/gpubench" no \
        "$2" "$PWD/$3" -- --device simt "${@:4}" >"fleet/tasks/$1/job-0.log" 2>&1 &
    pid=$!
}
last_line() { cut -f1,2 "fleet/tasks/$1/task-0.tsv" | tail -n 1 | tr '\t' ' '; }
task a yes spins.json
await 60 has_lines fleet/tasks/a/spins.csv ,spin, 1
kill -USR1 $pid
wait $pid
check "the time limit's warning: it ends, and asks for another turn" test "$(last_line a)" = 'requeued 130'
check "of itself" grep -qxF 'requeue 7_0' "$scratch/scontrol"
rm "$scratch/scontrol"
task b yes spins.json --filter 'ns == 1G'
await 60 test -s fleet/tasks/b/spins.meta.json # gpubench hears signals by then
kill -USR1 $pid
wait $pid
check "a turn that brings no row is not followed by another" test "$(last_line b)" = 'limit 130' -a ! -e "$scratch/scontrol"
task a no spins.json
await 60 has_lines fleet/tasks/a/spins.csv ,spin, 3
kill -TERM -- -$pid # to all processes at once, as scancel does
wait $pid
check "cancelled: gpubench ends in order" grep -qF 'interrupted with' fleet/tasks/a/job-0.log
check "and it is noted" test "$(last_line a)" = 'cancelled 130'
check "nobody crashed" sh -c '! grep ,crashed, fleet/tasks/a/spins.csv'
task a no spins.json --filter 'ns < 1G'
wait $pid
check "the next turn completes" test "$(last_line a)" = 'ended 0'
check "to each row once" test "$(columns fleet/tasks/a/spins.csv ns | sort | uniq -c | awk '$1 == 1' | wc -l)" = 6
check "with all samples" test "$(wc -l <fleet/tasks/a/spins.samples.csv)" = 31
task c no few.json
wait $pid
printf 'submitted\t\t\t\n' >fleet/tasks/d/task-0.tsv
task_default() { SLURM_ARRAY_TASK_ID=0 bash "$job" "$PWD/fleet/tasks/d" /bin/echo no no few.json -- --quick; }
default_device() { task_default | grep -F -- "--device 0 --quick"; }
split() { SLURM_ARRAY_TASK_ID=1 bash "$job" "$PWD/fleet/tasks/d" /bin/echo yes no few.json spins.json -- --device simt; }
one_config() { split | tee /dev/stderr | grep -F 'run spins.json --resume --out'; }
check "one config a task" one_config
rm fleet/tasks/d/task-1.tsv
check "without a device it is the GPU that it was given, never the CPU" default_device
printf 'submitted\t\t\t\n' >>fleet/tasks/d/task-0.tsv
task_again() { SLURM_RESTART_COUNT=1 SLURM_ARRAY_TASK_ID=0 bash "$job" "$PWD/fleet/tasks/e" /bin/echo no no few.json -- --device simt --retry; }
mkdir fleet/tasks/e
retries_once() { task_again | grep -F -- '--device simt' | grep -vF -- --retry; }
check "failed rows are not measured again at every turn" retries_once
rm -r fleet/tasks/e

# ---- gathering ---------------------------------------------------------------------------------------

gathers() { "$gather" fleet >"$scratch/out" 2>"$scratch/err"; echo $? >"$scratch/status"; cat "$scratch/out" "$scratch/err"; [ "$(cat "$scratch/status")" = "$1" ]; }
says_out() { cat "$scratch/out"; grep -qE -- "$1" "$scratch/out"; }
check "some are not complete: exit status 1" gathers 1
check "a table of states" says_out '^a +spins +complete +6 +0 +0 +simt +'
check "a type with the same device has a folder of its own" says_out '^c +few +complete +1 +0 +0 +simt-c +'
check "one met its time limit" says_out 'b: time limit: .*\(see .*/fleet/tasks/b/job-0.log\)$'
check "one never began, and Slurm has forgotten it" says_out 'd: gone: it left the queue and never began'
check "... a log that is not there is not named" hides 'tasks/d/job-0.log'
check "how to go on" says_out "cd .* && submit.sh --types b.?.? ?d"
begins() { echo "$2" >"$scratch/$1"; gathers 1; : >"$scratch/$1"; says_out "$3"; }
check "one waits in the queue" begins queue '14_0 PENDING' 'd: waiting: it has not begun$'
check "... and is not to be submitted again" grep -F -- '--types b ' "$scratch/out"
check "one was cancelled before it began" begins accounts '14_0 CANCELLED by 1000' 'd: cancelled: it was cancelled before it began$'
check "... which the controller knows, too" begins controller '14_0 CANCELLED' 'd: cancelled: it was cancelled before it began$'
touch "$scratch/down"
check "nobody can say, without Slurm" begins queue '' 'd: unknown: squeue does not answer here'
rm "$scratch/down"
printf 'started\tvm\tnow\t14\n' >>fleet/tasks/d/task-0.tsv
check "one that had begun took too much memory" begins accounts '14 OUT_OF_MEMORY' 'd: killed: it took more memory'
check "... and nobody knows" begins accounts '' 'd: killed: it ended without a word'
sed -i '$d' fleet/tasks/d/task-0.tsv
mv fleet/tasks/c aside
check "a folder that is gone is said" begins accounts '' 'c: gone: its folder .*/fleet/tasks/c is not there'
check "... and submitted again" says_out '^ .*--types b.?.? ?c.?.? ?d'
for type in a b d; do
    cp fleet/tasks/$type/task-0.tsv $type.tsv && printf 'ended\t0\t\t\n' >>fleet/tasks/$type/task-0.tsv
done
check "... also where all others are complete" begins accounts '' 'c: gone: '
mv aside fleet/tasks/c && mv fleet/tasks/c/task-0.tsv aside
check "... and so is a task without a word of its own" begins accounts '' 'c: gone: tasks/c/task-0.tsv is not there'
mv aside fleet/tasks/c/task-0.tsv
mv fleet/tasks/c/few.meta.json aside
check "rows that nothing says the device of are not left out without a word" begins accounts '' 'nothing yet'
check "... but with one" warns 'tasks/c/few.csv has no meta file'
mv aside fleet/tasks/c/few.meta.json
check "all complete: exit status 0" gathers 0
for type in a b d; do mv "$type.tsv" fleet/tasks/$type/task-0.tsv; done
check "the same files are there" cmp fleet/tasks/a/spins.csv fleet/simt/spins.csv
check "samples, too" cmp fleet/tasks/a/spins.samples.csv fleet/simt/spins.samples.csv
before=$(find fleet/simt* -type f -printf '%p %i %T@\n' | sort)
unchanged() { gathers 1 && [ "$before" = "$(find fleet/simt* -type f -printf '%p %i %T@\n' | sort)" ]; }
check "again: nothing is touched" unchanged
# An earlier state of the same rows, then rows of somebody else.
head -n 3 fleet/tasks/a/spins.csv >fleet/simt/spins.csv
grown() { gathers 1 && cmp fleet/tasks/a/spins.csv fleet/simt/spins.csv && [ "$(find fleet/simt -name 'spins*' | wc -l)" = 3 ]; }
check "rows that it includes are replaced" grown
sed '2s/1,[^,]*,/1,20200101T000000Z-abcdef,/; 2s/,ok,/,wrong,/' fleet/tasks/a/spins.csv >mine.csv
cp mine.csv fleet/simt/spins.csv
kept() { gathers 1 && cmp mine.csv fleet/simt/spins.20200101T000000Z-abcdef.csv && cmp fleet/tasks/a/spins.csv fleet/simt/spins.csv; }
check "others are kept under their run's name" kept
check "which is said" warns 'kept the earlier results as'
cp mine.csv fleet/simt/spins.csv
kept_again() { gathers 1 && cmp mine.csv fleet/simt/spins.20200101T000000Z-abcdef-2.csv; }
check "also twice" kept_again
cp mine.csv fleet/simt/spins.csv
locked() { exec 8>fleet/simt/spins.lock && flock 8 && gathers 1; exec 8>&-; cmp mine.csv fleet/simt/spins.csv; }
check "those that somebody writes are left alone" locked
check "which is said" warns 'somebody writes it just now'
rm fleet/simt/spins.lock
sed -i 's/"slug":.*"simt"/"slug":\t"..\/x"/' fleet/tasks/c/few.meta.json
check "a device's name leads nowhere else" gathers 1
check "and is refused" warns 'names no device'
check "a folder of something else" says 2 'no folder that scripts/slurm/submit.sh wrote' "$gather" "$scratch/bin"
finish
