#!/bin/bash
# test: long 27
# What a worker can do wrong at each request, against what becomes of it: the status of its row, a
# message that says what happened, and a run that goes on: with the other variants of the same point,
# and with the next point. The table below is the test; tests/driver/fake_worker_faults.c are the faults.
# shellcheck disable=SC2016 # messages hold backquotes
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
fake=$BUILD/tests/driver/fake_worker

# FAULT OPEN VERIFY SAMPLE CLOSE FRAGMENT|FRAGMENT...: the status of a variant with that fault at each
# request (T timeout, C crashed, M out_of_memory, U unsupported, W wrong, O ok; - does not apply), and what
# its reason has to say.
table()
{
    cat <<'END'
hang T T T T no answer to `|(worker killed)
stubborn T T T T no answer to `|(worker killed)
halfhang T T T T no answer to `|(worker killed)
haunt T T T T no answer to `|(worker killed)
drown - - T - no answer to `|the worker's log ends: |a line of a log without an end
mute C C C C the worker closed its stdout at `|and went on
stop C C C C the worker ended at `|signal 2 (Interrupt)
die C C C C the worker ended at `|signal 11 (Segmentation fault)|the worker's log ends: about to die
abort C C C C the worker ended at `|signal 6 (Aborted)
killed C C C C the worker ended at `|signal 9 (Killed), which the kernel sends where memory runs out: dmesg tells
exit C C C C the worker ended at `|exit status 3
leave C C C C the worker ended at `|exit status 0
parent C C C C the worker ended at `|signal 9 (Killed)
half C C C C the worker ended at `|after half an answer, '{|exit status 5
garbled C C C C exit status 7|caf
garbage C C C C is not a JSON object: 'Segmentation fault (core dumped)'
binary C C C C the answer to `
nul C C C C has a NUL character
empty C C C C is not a JSON object: ''
list C C C C is not a JSON object: '[1,2,3]'
deep C C C C the answer to `|: '[[[[
values C C C C holds more values than it can need
long C C C C is longer than it can need to be: '0000
endless C C C C is longer than it can need to be: 'xxxx
chatter C C C C is one to another request: '{}'
talk C C C C is one to another request|hello
twice C C C C has more behind its line
stale C C C C the answer to `
echo C C C C is one to another request
job C C C C is about another job
unnumbered C C C C lacks "seq"
vague C C C C lacks "ok"
nan - - C - is not a JSON object
unsupported U - - - fakes cannot do this
never M M M M it never fits (with nothing else open)
full O O O M no room now
protocol C C C C the worker refused (status 'protocol'): count must be odd
splendid C C C C the worker refused (status 'splendid'): all is well
fatal C C C C the device is lost
negative - - C - sample 1 is -1e-06, which is no time
infinity - - C - is not a JSON object
huge - - C - sample 1 is inf, which is no time
null - - C - which is no time
text - - C - which is no time
eon - - C - times of 1e+09 s in a request of
few - - C - times for
many - - C - times for
none - - C - 0 times for
missing - C C - makes no sense
object - - C - 0 times for
zeros - - C - all times are zero
maybe - C - - a verdict that is neither ok nor wrong
number - C - - a verdict that is neither ok nor wrong
items C - - - "items" of this point were 1000 and are
lettered C - - - "items" is no number that it could be
minus C - - - "items" is no number that it could be
fraction C - - - "items" is no count
busy C C C C busy for longer than the request took
flood O O O O
lazy O O - O
spill - W - - before its samples: the output is wrong
brim - O - -
END
}

# run_fault FAULT STATUS...: one run in its own folder, at most so much memory that no answer can fill
# the driver's. The faults are at the first of two points.
run_fault()
{
    local what=$1 request variants='"good"' limit=20 # where nothing reaches it
    shift
    for request in open verify sample close; do
        [ "$1" = - ] || variants="$variants,\"$what-$request\""
        [ "$1" != T ] || limit=2.5
        shift
    done
    mkdir "$what" && cd "$what" || exit 1
    printf '{"schema":1,"name":"%s","primitive":"fake","variants":[%s,"other"],"axes":{"n":["1k","2k"]},
        "measure":{"samples":6,"warmup":1,"time_limit_s":%s}}\n' "$what" "$variants" "$limit" >config.json
    ulimit -v 300000
    local begun
    begun=$(date +%s%N)
    "$gpubench" run config.json --worker "'$fake'" --out . \
        --filter 'n == 1k || variant == good || variant == other' >out 2>err
    echo $? >status
    echo $((($(date +%s%N) - begun) / 1000000)) >ms
}

# as_expected FAULT STATUS... FRAGMENTS
as_expected()
{
    local what=$1 request reason status count=4 ms row
    local -A word=([T]=timeout [C]=crashed [M]=out_of_memory [U]=unsupported [W]=wrong [O]=ok) want=()
    shift
    for request in open verify sample close; do
        [ "$1" = - ] || { want[$what-$request]=${word[$1]} && count=$((count + 1)); }
        shift
    done
    cat "$what/err"
    rows "$what/$what.csv" >"$what/rows"
    cat "$what/rows"
    [ "$(wc -l <"$what/rows")" = $count ] || { echo "not $count rows" && return 1; }
    for row in '1000|good|ok|' '1000|other|ok|' '2000|good|ok|' '2000|other|ok|'; do
        grep -qxF "$row" "$what/rows" || { echo "no row $row" && return 1; }
    done
    for request in "${!want[@]}"; do
        IFS='|' read -r _ _ status reason < <(grep -F "|$request|" "$what/rows")
        [ "$status" = "${want[$request]}" ] || { echo "$request: not ${want[$request]}" && return 1; }
        [ "$status" != ok ] || continue
        local IFS='|' fragment
        for fragment in $1; do
            [[ $reason == *"$fragment"* ]] || { echo "$request does not say: $fragment" && return 1; }
        done
    done
    ! LC_ALL=C grep -q '[[:cntrl:]]' "$what/rows" || { echo "control characters" && return 1; }
    ms=$(cat "$what/ms")
    echo "$ms ms"
    [ "$ms" -lt 60000 ]
}

# own NAME VARIANTS ARGUMENTS...: a run whose worker has a fault of its own.
own()
{
    local name=$1
    mkdir "$name" && cd "$name" || exit 1
    printf '{"schema":1,"name":"%s","primitive":"fake","variants":[%s],"axes":{"n":["1k","2k"]},
        "measure":{"samples":6,"warmup":1,"time_limit_s":%s}}\n' "$name" "$2" "${limit:-20}" >config.json
    shift 2
    local begun=$SECONDS
    "$gpubench" run config.json --worker "'$fake' $*" --out . >out 2>err
    echo $? >status
    echo $((SECONDS - begun)) >s
}

# For what is no row's, and has no time limit of its own. Most of the time all of them wait.
export GPUBENCH_WORKER_LIMIT_S=3
one='"die-sample","good","other"' two='"good","other"'
(own hang-describe "$two" hang-describe) &
(own hang-select "$two" hang-select) &
(own hang-work "$two" hang-work) &
(own hang-telemetry "$two" hang-telemetry) &
(own few-work "$two" few-work) &
(own text-telemetry "$two" text-telemetry) &
(own never-again "$one" --from 2 starts die-start) &
(own fourth-time "$one" --from 2 starts --to 4 die-start) &
(own never-selects "$one" --from 2 starts hang-select) &
(own memory-late "$one" --from 2 starts back-select) &
(own memory-gone "$one" --from 2 starts low-select) &
# Six openings more, of 0.6 s each, are more than the limit.
(limit=3.5 own reopened '"die-close","abort-close","killed-close","exit-close","leave-close","half-close","lazy-open"') &
(GPUBENCH_VERBOSE=1 own verbose '"garbled-sample"') &
(own memory-kept '"leak-close","good"') &
table >faults.txt
listed() { # every fault of the fake worker but those that race with the next request
    sed -n '/fake_faults\[\] = {/,/NULL}/p' "$root/tests/driver/fake_worker_faults.c" | grep -o '"[a-z]*"' |
        tr -d '"' | grep -vxE 'after|deaf' | sort >known
    cut -d' ' -f1 faults.txt | sort | diff - known
}
check "the table has every fault" listed
while read -r what open verify sample close _; do
    while [ "$(jobs -rp | wc -l)" -ge 20 ]; do wait -n; done
    (run_fault "$what" "$open" "$verify" "$sample" "$close") &
done <faults.txt
wait
while read -r what open verify sample close says; do
    check "$what" as_expected "$what" "$open" "$verify" "$sample" "$close" "$says"
done <faults.txt

# ---- the worker itself, whatever it runs ----------------------------------------------------------

says() # NAME STATUS SECONDS FRAGMENT...
{
    local name=$1
    cat "$name/out" "$name/err" "$name/s"
    [ "$(cat "$name/status")" = "$2" ] && [ "$(cat "$name/s")" -lt "$3" ] || return 1
    shift 3
    local fragment
    for fragment; do
        grep -qF -- "$fragment" "$name/err" || { echo "nobody says: $fragment" && return 1; }
    done
}
has_rows() # NAME ROW...
{
    local name=$1 row
    rows "$name/$name.csv" | tee "$name/rows"
    shift
    for row; do grep -qxF -- "$row" "$name/rows" || return 1; done
}

check "hangs in describe" says hang-describe 3 30 'no answer to `describe` within 3 s (worker killed)'
check "hangs in select" says hang-select 3 30 'no answer to `select` within 3 s (worker killed)'
check "hangs in work" says hang-work 3 30 'no answer to `work` within 3 s (worker killed)'
check "hangs in telemetry: the rows say so" says hang-telemetry 1 60 'no answer to `telemetry` within 3 s'
check "lies about the work of points" says few-work 3 30 'the list of works is short or malformed'
check "lies about power" says text-telemetry 1 60 'its "power_w" is no number that it could be'
check "opened again and again for the others' sake, a variant keeps its time" has_rows reopened \
    '1000|lazy-open|ok|' '2000|lazy-open|ok|'
check "the log of a worker is shown" says verbose 1 60 'worker: ' 'caf'
tame() { ! LC_ALL=C grep -q $'\033' verbose/err; }
check "but does not steer the terminal" tame
check "dies at every start: a few attempts, then the run ends and can be resumed" says never-again 1 60 \
    'the worker cannot be replaced: no new worker in 6 attempts within' 'signal 11' --resume
check "with the rows so far" has_rows never-again '1000|die-sample|crashed|'"$(rows never-again/never-again.csv | cut -d'|' -f4)"
check "after six attempts" [ "$(wc -c <never-again/starts)" = 7 ]
check "dies at three starts: the run goes on" says fourth-time 1 60 'a new worker was there at attempt 4'
check "and all rows are right" has_rows fourth-time '1000|good|ok|' '1000|other|ok|' '2000|good|ok|' '2000|other|ok|'
check "hangs in select for ever: bounded too" says never-selects 1 60 'no new worker in 6 attempts' 'no answer to `select`'
check "memory of a killed worker that comes back later is waited for" says memory-late 1 60 \
    '0.9 of 1 GB of device memory were still taken when the new worker came; they were free after'
check "and no row says out_of_memory" has_rows memory-late '1000|good|ok|' '1000|other|ok|' '2000|good|ok|' '2000|other|ok|'
check "that does not come back is named, once, and the run goes on" says memory-gone 1 60 \
    'they are not back (another process? `nvidia-smi` shows them), rows may say out_of_memory'
once() { [ "$(grep -c 'were still taken' memory-gone/err)" = 1 ]; }
check "the others are not waited for again" once
check "what a variant keeps is not the next one's out_of_memory" has_rows memory-kept '1000|good|ok|' \
    '2000|good|ok|' '1000|leak-close|ok|' '2000|leak-close|ok|'
check "and is named" says memory-kept 0 30 '0.7 GB of device memory are not free again with nothing open'

# The haunting children end by themselves.
check "no worker and no child of one is left" await 60 none_runs "$fake"
finish
