#!/bin/bash
# `gpubench check --schedules`: sound containers without locks pass a thousand schedules in seconds,
# broken ones are found, and what is printed replays the failure exactly.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
export GPUBENCH_WORKER_PATH=$BUILD/tests

# explore STATUS PATTERN ARGUMENT...: the exit status and a line of the output; the output is kept.
explore()
{
    local status=$1 pattern=$2 got=0
    shift 2
    "$gpubench" check --device simt "$@" >out 2>&1 || got=$?
    cat out
    [ $got = "$status" ] || { echo "exit status $got"; return 1; }
    grep -qE -- "$pattern" out
}

# quickly SECONDS COMMAND...: the command succeeds within so many seconds of CPU time, which a busy
# machine does not change much.
quickly()
{
    local limit=$1 spent TIMEFORMAT='%U %S'
    shift
    { spent=$({ time "$@" >&3 2>&1; } 2>&1) || return 1; } 3>&1
    echo "CPU seconds, user and system: $spent"
    awk -v limit="$limit" '{ exit !($1 + $2 < limit) }' <<<"$spent"
}

# replays: the command that the output has gives the same reason, three times.
replays()
{
    local command reason
    command=$(grep -m1 -o -- 'check .* --schedule .*' out) || return 1
    reason=$(head -n 1 out | sed 's/ (schedule [0-9]* of [0-9]*)$//')
    for _ in 1 2 3; do
        # the words are quoted for a shell
        eval "'$gpubench' $command" >again 2>&1
        [ $? = 1 ] || { cat again; return 1; }
        [ "$(head -n 1 again)" = "$reason" ] || { diff out again; return 1; }
    done
}

# undisturbed ARGUMENT...: explore, and again where a busy machine made the clock interfere: such a run is
# not promised to replay, and says so.
undisturbed()
{
    for _ in 1 2 3; do
        explore "$@" || return 1
        grep -q 'left by the clock' out || return 0
    done
    return 1
}

# found NAME PATTERN ARGUMENT...: the exploration fails so, and the failure can be replayed.
found()
{
    local name=$1 pattern=$2
    shift 2
    check "$name is found" undisturbed 1 "$pattern" lockfree "$@"
    check "and replayed, to the word" replays
}

for variant in push stack; do
    check "1000 schedules of $variant by 256 threads in 10 s" quickly 10 \
        explore 0 "^passed lockfree/$variant: 1 ok under 1000 schedules$" \
        lockfree --variant $variant --case n=256 --schedules 1000
done
check "every case is explored" explore 0 '^passed lockfree/push: 3 ok under 10 schedules$' \
    lockfree --variant push --schedules 10

found "ABA" '^wrong lockfree/untagged: element [0-9]+ came out' --variant untagged --schedules 1000
found "ABA by priority" '^FAILED lockfree/untagged: fails under schedule [0-9]+ of 1000, in run' \
    --variant untagged --schedules 1000 --policy priority
found "a wait for nobody" '^crashed lockfree/nobody: .*live-lock' --variant nobody --schedules 10
check "a lock within a warp is sound from Volta on" explore 0 'passed' lockfree --variant spin-lock --schedules 30
found "that it is none before" '^crashed lockfree/spin-lock: .*live-lock.*policy=unfair' \
    --variant spin-lock --schedules 30 --policy unfair
check "one failure does not keep the others from their turn" \
    explore 1 '^FAILED lockfree/nobody' lockfree --schedules 3 --quick
check "all seven had it" [ "$(grep -cE '^(passed|FAILED) ' out)" = 7 ]
check "a failure that a fresh worker does not have is told apart" \
    explore 1 "a fresh worker does not fail so" lockfree --variant moody --schedules 5 --case n=33

check "a plain counter is sound where threads are left at atomics alone" \
    explore 0 '^passed' lockfree --variant unlocked --schedules 30
found "with hooks: that it is not" '^wrong lockfree/unlocked' --variant unlocked --schedules 1000 --hooks
check "with hooks sound ones pass as well" explore 0 '^passed' lockfree --variant push --variant stack \
    --schedules 20 --hooks

# seed_into FILE SEED: what an exploration prints.
seed_into() { "$gpubench" check --device simt lockfree --variant untagged --schedules 1000 --seed "$2" >"$1" 2>&1; }
seed_into five 5
seed_into again 5
seed_into six 6
check "the same --seed explores the same" cmp five again
check "another explores something else" sh -c '! cmp five six'

check "no schedule" explore 2 'must be from 1' --schedules 0
check "an unknown policy" explore 2 'none of random, priority, unfair' --schedules 1 --policy fifo
check "a policy without schedules" explore 2 'say how many' --policy random
check "exploring and replaying at once" explore 2 'one of them' --schedules 1 --schedule policy=random
check "a schedule that is none" explore 2 "resident '0' is not a number from 1 to 64" \
    --schedule policy=random,resident=0
check "an access that needs hooks" explore 2 'need --hooks' --schedule policy=random,plain=4
mkdir -p empty
GPUBENCH_WORKER_PATH=$scratch/empty check "hooks that are not built" \
    explore 3 'make simt-hooks. builds it' --hooks --schedules 1
finish
