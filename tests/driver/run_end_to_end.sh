#!/bin/bash
# test: long 32
# gpubench run and check as a user starts them: against a worker that misbehaves on request, and
# against the simt device. The configs use the fake worker's primitive, whose variants say what
# they do.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
# A name of its own, so that the workers of other tests are not taken for this one's.
ln -s "$BUILD/tests/driver/fake_worker" "$scratch/fake_worker"
fake="'$scratch/fake_worker'"

# config NAME VARIANTS AXES MEASURE: writes NAME.json.
config()
{
    printf '{"schema":1,"name":"%s","primitive":"fake","variants":[%s],"axes":{%s},"measure":{%s}}\n' \
        "$1" "$2" "$3" "$4" >"$1.json"
}

# fake_run ARGUMENTS...: gpubench run on the fake worker, output in out and err, status in $status.
fake_run()
{
    "$gpubench" run --worker "$fake" --out results "$@" >out 2>err
    status=$?
    cat out err
}

# cost_of NAME KEY: that number of results/NAME.meta.json.
cost_of() { sed -n "s/.*\"$2\":[[:blank:]]*\([0-9.e-]*\).*/\1/p" "results/$1.meta.json"; }

# statuses FILE: "variant=status" of all rows, in order of the variants' names.
statuses()
{
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["variant"] "=" $at["status"] }' "$1" | sort | tr '\n' ' '
}

# ---- every kind of trouble ------------------------------------------------------------------------

troubles()
{
    config trouble '"good","hang-sample","die-sample","die-close","garbage-sample","negative-sample",
        "few-sample","huge-sample","fatal-sample","wrong-before","wrong-after","unsupported-open",
        "full-open","never-open","throttled","hang-open","protocol-sample"' \
        '"n":["1k"]' '"samples":20,"warmup":1,"time_limit_s":0.5'
    fake_run trouble.json
    [ $status = 1 ] || return 1
    local found expected
    # Reasons hold commas: cut each row behind its status.
    sed -E 's/,(warm,device,[a-z_]+),.*/,\1/; 1s/,reason.*//' results/trouble.csv >short.csv
    found=$(statuses short.csv)
    expected="die-close=crashed die-sample=crashed fatal-sample=crashed few-sample=crashed \
full-open=ok garbage-sample=crashed good=ok hang-open=timeout hang-sample=timeout \
huge-sample=crashed negative-sample=crashed never-open=out_of_memory protocol-sample=crashed \
throttled=ok unsupported-open=unsupported wrong-after=wrong wrong-before=wrong "
    echo "found    $found"
    echo "expected $expected"
    [ "$found" = "$expected" ]
}
check "every kind of trouble has its status, and the others go on" troubles
check "messages say what happened" grep -q 'signal 11 (Segmentation fault).*about to die' err
check "a warning names throttling and a remedy" grep -q '^warning: .* throttled (power-cap): .*cool' err
no_times_without_ok()
{
    # Three ok rows of 20 samples each, and a header.
    [ "$(grep -c ',ok,,20,' results/trouble.csv)" = 3 ] &&
        [ "$(wc -l <results/trouble.samples.csv)" = 61 ] &&
        ! grep -E ',(wrong|timeout|crashed),[^,]*,[0-9]' results/trouble.csv
}
check "only ok rows have samples" no_times_without_ok
workers() { running "$scratch/fake_worker"; } # of this test
check "no worker is left behind" await 60 none_runs "$scratch/fake_worker"
retry()
{
    fake_run trouble.json --resume --retry
    [ $status = 1 ] && [ "$(wc -l <results/trouble.csv)" = 18 ] &&
        [ "$(wc -l <results/trouble.retried.csv)" = 14 ] && grep -q '4 rows were there' out
}
check "--resume --retry measures failed rows again and keeps the old ones" retry
resume_keeps_failures()
{
    local before
    before=$(cksum <results/trouble.csv)
    fake_run trouble.json --resume
    [ $status = 1 ] && [ "$before" = "$(cksum <results/trouble.csv)" ] &&
        grep -q '17 rows were there already, 13 of them failed' out
}
check "--resume alone has nothing left to do, and failures stay failures" resume_keeps_failures

# ---- what is seen of it -----------------------------------------------------------------------------

# Rows are what a run is for: they go to stdout, each point's when it ends, and the table at the end; a line a point, the
# notes and the warnings to stderr.
seen()
{
    config seen '"other","good","unsupported-open"' '"n":["1k","2k"],"shape":["flat"]' '"samples":25,"warmup":1'
    fake_run seen.json
    [ $status = 0 ] && ! grep -q 'note: ' err && grep -qx 'seen on Fake Device: 2 points' out && grep -qx 'x: times the rate of other' out &&
        [ "$(grep -cx 'n=[12]k' out)" = 2 ] && has_lines out '^  other  *1.00. us  *±[0-9.]*%  *[0-9.]* [MG]things/s  baseline$' 2 &&
        has_lines out '^  good  *1.00. us  *±[0-9.]*%  *[0-9.]* [MG]things/s  1.000x$' 2 &&
        grep -qx '  unsupported-open unsupported: fakes cannot do this' out && grep -qx '  unsupported-open unsupported' out &&
        grep -q '^2000 *2.00 *2.00$' out && ! grep -q '^n=1k' err &&
        grep -Eqx '\[2/2\] n=2k: 2 ok, 1 unsupported, [0-9.]* s, 990 MHz, 44 C(, .* left)?' err
}
check "rows are printed when their point ends, the table at the end, the log beside" seen
none_can()
{
    config none '"unsupported-open","unsupported-verify"' '"n":["1k"]' '"samples":5'
    fake_run none.json
    grep -qx 'note: no variant of this run can do none; unsupported-verify: fakes cannot do this' err || return 1
    fake_run none.json --filter 'variant == unsupported-open'
    grep -qx 'note: unsupported-open cannot do none: fakes cannot do this' err
}
check "that nobody can do a point is said where all were asked" none_can
reader_gone()
{
    config gone '"good"' '"n":{"from":1000,"to":40000,"step":1000}' '"samples":5,"warmup":0'
    { "$gpubench" run gone.json --worker "$fake" --out results 2>err; echo $? >code; } | :
    cat err code
    [ "$(cat code)" = 1 ] && grep -q 'standard output: Broken pipe' err && [ "$(wc -l <results/gone.csv)" = 41 ] &&
        grep -q '"state":.*"complete"' results/gone.meta.json
}
check "a reader of the rows that goes away ends nothing" reader_gone

# ---- memory ---------------------------------------------------------------------------------------

lonely()
{
    config lonely '"good","lonely-open","other"' '"n":["1k"]' '"samples":5,"warmup":0'
    fake_run lonely.json
    [ $status = 0 ] && [ "$(statuses results/lonely.csv)" = "good=ok lonely-open=ok other=ok " ]
}
check "what does not fit beside the others is measured alone" lonely

# ---- adaptive, cache modes, order -----------------------------------------------------------------

adaptive()
{
    config adaptive '"good","noisy"' '"n":["1k"]' \
        '"samples":"auto","min_samples":20,"max_samples":400,"warmup":0,"max_rel_ci":0.02'
    fake_run adaptive.json
    local good noisy
    good=$(columns results/adaptive.csv variant samples | sed -n 's/^good,//p')
    noisy=$(columns results/adaptive.csv variant samples | sed -n 's/^noisy,//p')
    echo "good $good noisy $noisy"
    [ $status = 0 ] && [ "$good" = 20 ] && [ "$noisy" -gt 50 ] && [ "$noisy" -le 400 ]
}
check "automatic sampling stops early where times agree and goes on where they do not" adaptive
both_caches()
{
    config caches '"good","other"' '"n":["1k","2k"]' \
        '"samples":5,"warmup":0,"cache":["warm","cold"],"order":"sequential"'
    fake_run caches.json
    [ $status = 0 ] && [ "$(columns results/caches.csv cache | sort | uniq -c | xargs)" = "4 cold 4 warm" ]
}
check "both cache modes have their rows" both_caches
# 5 samples of 50 ms, 4 of them after a rest of ten times that, which the time limit does not count.
rests()
{
    config rests '"slow"' '"n":["1k"]' '"samples":4,"warmup":1,"rest":10,"time_limit_s":1.5'
    fake_run rests.json
    local rest overhead
    rest=$(cost_of rests rest_s)
    overhead=$(cost_of rests overhead_fraction)
    echo "rest $rest s, overhead $overhead"
    [ $status = 0 ] && awk -v rest="$rest" -v over="$overhead" \
        'BEGIN { exit !(rest >= 2 && rest < 20 && over >= 0 && over < 1) }'
}
check "rests are as long as asked for, beside the time limit and no overhead" rests
filtered()
{
    fake_run caches.json --filter 'n == 2k && variant == other' --samples 7
    [ $status = 0 ] && [ "$(columns results/caches.csv variant | xargs)" = "other other" ] &&
        [ "$(columns results/caches.csv samples | xargs)" = "7 7" ] &&
        ls results/caches.*Z-*.csv results/caches.*Z-*.samples.csv results/caches.*Z-*.meta.json
}
check "--filter and --samples; the earlier results are kept aside" filtered

# ---- killed, interrupted, locked ------------------------------------------------------------------

# start_slow NAME: a run of 12 rows, each about 0.6 s, in the background; waits for 2 rows.
start_slow()
{
    config "$1" '"slow"' '"n":{"from":1000,"to":12000,"step":1000}' '"samples":10,"warmup":0'
    "$gpubench" run "$1.json" --worker "$fake" --out results >out 2>err &
    pid=$!
    await 60 has_lines "results/$1.csv" slow 2
}

killed()
{
    start_slow killed || return 1
    sleep 0.3
    [ "$(workers)" = 1 ] || return 1
    kill -9 $pid
    wait $pid 2>/dev/null
    await 60 none_runs "$scratch/fake_worker" || return 1
    local rows
    rows=$(($(wc -l <results/killed.csv) - 1))
    echo "rows before: $rows"
    [ $rows -ge 2 ] && [ $rows -lt 12 ] || return 1
    printf '1,torn' >>results/killed.csv
    fake_run killed.json --resume --filter 'n <= 12k' --samples 2
    [ $status = 0 ] && grep -q "($rows rows were there already)" out &&
        [ "$(columns results/killed.csv n | sort -u | wc -l)" = 12 ] &&
        [ "$(wc -l <results/killed.csv)" = 13 ] &&
        [ "$(($(wc -l <results/killed.samples.csv) - 1))" = $((rows * 10 + (12 - rows) * 2)) ] &&
        ! grep -q torn results/killed.csv
}
check "a run killed with -9 takes its worker along and resumes where it ended" killed

# interrupted SIGNAL NAME
interrupted()
{
    start_slow "$2" || return 1
    local begun=$SECONDS
    kill "-$1" $pid
    wait $pid
    local code=$?
    cat out err
    [ $code = 130 ] && [ $((SECONDS - begun)) -lt 5 ] || return 1
    grep -q '"state":.*"interrupted"' "results/$2.meta.json" || return 1
    local command
    command=$(grep -A1 'goes on where it ended' err | tail -n 1)
    echo "command: $command"
    [[ $command == *--resume* ]] || return 1
    eval "$command --samples 2" && [ "$(wc -l <"results/$2.csv")" = 13 ] &&
        grep -q '"previous"' "results/$2.meta.json"
}
check "SIGINT ends with 130 and prints the command that resumes" interrupted INT interrupted
check "SIGTERM does the same" interrupted TERM terminated

# stuck SIGNAL ARGUMENTS...: a run whose variant does not give its seventh sample, ended by the signal then. Status in $code.
stuck()
{
    rm -f stuck.now
    FAKE_STUCK=$PWD/stuck.now "$gpubench" run stuck.json --worker "$fake" --out results "${@:2}" >out 2>err &
    pid=$!
    await 60 test -e stuck.now && kill "-$1" $pid || return 1
    wait $pid 2>/dev/null
    code=$?
    cat out err
}
# kept SAMPLES: so many samples of two rows are kept, and no other file holds any of them.
kept()
{
    grep -qx "kept $1 samples of 2 rows that are not finished; --resume goes on from them" err &&
        [ "$(cat results/stuck.samples.csv)" = run_id,point,variant,cache,index,time_s ] &&
        [ "$(columns results/stuck.csv status)" = unsupported ] && [ -e results/stuck.unfinished.json ]
}
# times VARIANT: those of its samples, in nanoseconds above a microsecond.
times() { awk -F, -v v="$1" '$3 == v { printf "%.0f ", ($6 - 1e-6) * 1e9 }' results/stuck.samples.csv; }
sittings()
{
    config stuck '"unsupported-open","stuck","other"' '"n":["1k"]' '"samples":20,"warmup":0'
    # A reason is no reason for all while others are still at work.
    stuck INT && [ "$code" = 130 ] && kept 12 && ! grep -q 'note:' err &&
        grep -q '^\[1/1\] stuck: 1 unsupported, not finished, ' err || return 1
    # Killed, the next sitting loses what it took itself, and nothing else.
    stuck KILL --resume && grep -q 'goes on from 12 samples of 2 rows that were not finished' err || return 1
    stuck TERM --resume && [ "$code" = 130 ] && kept 24 || return 1
    fake_run stuck.json --resume
    [ $status = 0 ] && grep -q 'goes on from 24 samples' err && [ ! -e results/stuck.unfinished.json ] || return 1
    [ "$(times stuck)" = '0 1 2 3 4 5 0 1 2 3 4 5 0 1 2 3 4 5 6 7 ' ] && [ "$(times other | wc -w)" = 20 ] &&
        [ "$(columns results/stuck.csv samples | sort | xargs)" = '20 20' ] &&
        [ "$(cut -d, -f1 results/stuck.samples.csv | sort -u | wc -l)" = 2 ] &&
        [ "$(grep -c '"samples":[[:blank:]]*[68]$' results/stuck.meta.json)" = 6 ]
}
check "samples of rows that were not finished are gone on from, in any number of sittings" sittings
other_circumstances()
{
    stuck INT && kept 12 || return 1
    sed -i 's/"warmup":0/"warmup":1/' stuck.json
    fake_run stuck.json --resume
    [ $status = 0 ] && grep -q "under other circumstances (warmup was '0', is '1'); they are kept as results/stuck\..*Z-.*\.unfinished.json" err &&
        [ "$(times stuck)" = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 ' ] && [ ! -e results/stuck.unfinished.json ] || return 1
    # What a run leaves that begins anew is kept, too.
    stuck INT && fake_run stuck.json && [ $status = 0 ] && [ ! -e results/stuck.unfinished.json ] &&
        [ "$(find results -name 'stuck.*Z-*.unfinished.json' | wc -l)" = 2 ]
}
check "... but not under other circumstances; no samples are thrown away" other_circumstances

# On a terminal, 60 columns wide: the row that is known stands above the line that is rewritten, the Ctrl-C that the terminal
# shows is wiped off with that line, and nothing is longer than the line.
on_terminal()
{
    config stuck '"unsupported-open","other","stuck"' '"n":["1k"]' '"samples":20,"warmup":0'
    rm -f stuck.now keys && mkfifo keys || return 1
    FAKE_STUCK=$PWD/stuck.now TERM=xterm script -qec "stty cols 60 rows 20; '$gpubench' run stuck.json --worker \"$fake\" --out results" \
        /dev/null <keys >screen 2>err &
    pid=$!
    exec 7>keys
    await 60 test -e stuck.now && printf '\003' >&7
    wait $pid
    exec 7>&-
    tr '\r' '\n' <screen | sed 's/\x1b\[[0-9;]*[mK]//g' >lines
    cat lines
    grep -q '^1/1 .*^C$' lines && grep -qx '  unsupported-open unsupported: fakes cannot do this' lines &&
        grep -q 'kept 13 samples of 2 rows' lines && ! grep 'note: no variant' lines &&
        grep -q $'\\^C\r\x1b\\[K' screen && [ "$(grep '^1/1 ' lines | sed 's/\^C$//' | awk 'length > 57' | wc -l)" = 0 ]
}
if [ -x "$(command -v script)" ]; then
    check "a terminal keeps rows in view, and no ^C" on_terminal
else
    skip "a terminal keeps rows in view, and no ^C" "there is no script(1)"
fi

locked()
{
    start_slow locked || return 1
    fake_run locked.json --resume
    local first=$status
    fake_run locked.json
    kill $pid
    wait $pid
    [ $first = 2 ] && [ $status = 2 ] && grep -q "another run writes results/locked.csv (pid $pid on" err
}
check "two runs cannot write the same file" locked

# ---- plans and mistakes ---------------------------------------------------------------------------

dry_run()
{
    config plan '"good","other"' '"n":{"from":1,"to":20000,"step":2}' '"samples":10,"warmup":1'
    rm -rf results
    local begun
    begun=$(date +%s%N)
    fake_run plan.json --dry-run
    echo "$((($(date +%s%N) - begun) / 1000000)) ms"
    [ $status = 0 ] && [ ! -e results ] && grep -q '10000 points x 2 variants: 20000 rows' out &&
        grep -q 'time: about .* (a rough guess' out && grep -q '13 brings bad luck' out
}
check "--dry-run prints the plan and writes nothing" dry_run
mistakes()
{
    config good '"good"' '"n":[1]' '"samples":5'
    config bad '"goood"' '"n":[1]' '"samples":5'
    fake_run good.json bad.json
    [ $status = 2 ] && [ ! -e results ] && grep -q 'bad.json' err && grep -q '"good"' err || return 1
    cp good.json again.json
    fake_run good.json again.json
    [ $status = 2 ] && [ ! -e results ] && grep -q 'named "good"' err || return 1
    fake_run
    [ $status = 2 ] || return 1
    fake_run good.json --quick --full
    [ $status = 2 ] || return 1
    fake_run good.json --retry
    [ $status = 2 ] || return 1
    "$gpubench" run good.json --worker /nonexistent/worker
    [ $? = 3 ]
}
check "mistakes end with 2 (no worker: 3) before anything runs" mistakes
cheap()
{
    config cheap '"good","other"' '"n":{"from":1000,"to":100000,"step":1000}' '"samples":20,"warmup":1'
    fake_run cheap.json
    local cost
    cost=$(cost_of cheap driver_s_per_point)
    echo "driver_s_per_point $cost"
    [ $status = 0 ] && awk -v cost="$cost" -v patience="${TEST_PATIENCE:-1}" \
        'BEGIN { exit !(cost > 0 && cost < 0.005 * patience) }'
}
check "a point costs less than 5 ms of the driver's time" cheap

# ---- check ----------------------------------------------------------------------------------------

check_passes()
{
    "$gpubench" check --worker "$fake" --variant good --variant unsupported-open >out 2>err
    local code=$?
    cat out err
    [ $code = 0 ] && grep -qx 'gpubench check: 2 variants, 12 cases' err && grep -q '^passed fake/good: 6 ok$' out &&
        grep -q '^untested fake/unsupported-open: 0 ok, 6 unsupported: fakes cannot do this$' out
}
check "check passes variants that are right" check_passes
check_fails()
{
    "$gpubench" check --worker "$fake" --variant wrong-before --variant die-verify --variant good >out 2>err
    local code=$?
    cat out err
    [ $code = 1 ] && grep -q '^FAILED fake/wrong-before: 0 ok, 6 failed$' out &&
        grep -q '^passed fake/good: 6 ok$' out || return 1
    local command
    command=$(grep -m1 -- '--case' out)
    eval "$command" >out 2>err
    code=$?
    cat out err
    [ $code = 1 ] && grep -q ' 0 ok, 1 failed' out
}
check "check fails those that are wrong or die, with a command that replays the case" check_fails
check_cases()
{
    "$gpubench" check multipartition --device simt --variant cpu --case n=5,bins=3 --case n=7 --case n=9 2>err | tee out
    cat err
    grep -q '^passed multipartition/cpu: 3 ok$' out &&
        grep -qx 'gpubench check: 1 variant, 3 cases' err
}
check "check takes cases one after the other" check_cases
check_takes()
{
    "$gpubench" check --quick --device simt >out 2>err &
    local pid=$!
    await 60 has_lines err cases 1
    kill -INT $pid
    wait $pid
    [ $? = 130 ] && cat err && grep -Eqx 'gpubench check: [0-9]+ variants, [0-9]+ cases: about .* \(a rough guess from their number\)' err
}
check_mistakes()
{
    "$gpubench" check nothing --worker "$fake"
    [ $? = 2 ] || return 1
    "$gpubench" check --variant nothing --worker "$fake"
    [ $? = 2 ] || return 1
    "$gpubench" check --case m=3 --worker "$fake"
    [ $? = 2 ] || return 1
    "$gpubench" check --schedules 3 --worker "$fake"
    [ $? = 2 ]
}
check "check refuses what does not exist" check_mistakes

# ---- the simt device ------------------------------------------------------------------------------

simt_run()
{
    "$gpubench" run "$root/configs/multipartition.json" --device simt --out simt >out 2>err
    local code=$?
    cat out err
    [ $code = 0 ] && grep -q '^multipartition on simt: [0-9]* ok, [0-9]* unsupported$' out &&
        ! grep -q ',bandwidth,' simt/multipartition.csv &&
        [ "$(wc -l <simt/multipartition.csv)" = 73 ] && grep -q '"quick":.*true' simt/multipartition.meta.json
}
simt_check()
{
    "$gpubench" check multipartition --device simt --variant multipartition --schedules 2 \
        --case n=1000,bins=7 >out 2>err
    local code=$?
    cat out err
    [ $code = 0 ] && grep -q '^passed multipartition/multipartition: 1 ok under 2 schedules$' out
}
# A config without axes and without a quick section.
bare() { echo '{"schema":1,"name":"bare","primitive":"multipartition","variants":["cpu"],"measure":{"samples":3}}' >bare.json; }
simt_small()
{
    bare
    "$gpubench" run bare.json --device simt --out small >out 2>err
    local code=$?
    cat out err
    [ $code = 0 ] && grep -qF 'does not say how large: n = 64Ki instead of 32M, since the kernels run on the CPU;' err &&
        [ "$(columns small/bare.csv n status)" = 65536,ok ] && grep -q '"quick":.*true' small/bare.meta.json || return 1
    "$gpubench" run bare.json --device simt --out small --resume --full >out 2>err
    code=$?
    cat err
    [ $code = 2 ] && grep -q 'it was measured as --quick has it; add --quick' err
}
simt_whole()
{
    bare
    SIMT_WORKERS=1 "$gpubench" run bare.json --device simt --full --out whole >out 2>err &
    local pid=$!
    await 60 has_lines err 'bare' 1
    kill -INT $pid
    wait $pid
    cat err
    head -n 1 err | grep -q '^bare: about .* min .* without --full it takes less$'
}
simt_planned()
{
    bare
    export SIMT_WORKERS=1
    "$gpubench" run bare.json --device simt --dry-run >out && grep -qF 'not said by the config: n = 64Ki instead of 32M' out &&
        "$gpubench" run bare.json --device simt --full --dry-run >out && ! grep -q 'not said' out &&
        grep -q 'time: about .* min' out
    local code=$?
    unset SIMT_WORKERS
    return $code
}
if [ -x "$BUILD/gpubench-simt" ]; then
    check "what names no size is small there, and says so" simt_small
    check "... in full it says how long it takes before the first row" simt_whole
    check "... and the plan both" simt_planned
    check "the quick config runs on the simt device" simt_run
    check "check under two schedules on the simt device" simt_check
    check "check says how much it is and how long that takes before it begins" check_takes
else
    skip "the quick config runs on the simt device" "gpubench-simt is not built"
    skip "check under two schedules on the simt device" "gpubench-simt is not built"
fi
finish
