#!/bin/bash
# test: fast
# Commands that gpubench prints for people to copy do what they say, from a folder and of files with blanks and quotes in
# their names: the next one, one failed row alone, a failed case again, going on.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
place="$scratch/Bob's \"disk\" \$HOME"
mkdir "$place" && cd "$place" || exit 1
export GPUBENCH_WORKER_PATH=$scratch/none GPUBENCH_SHARE=$root
ln -s "$BUILD/gpubench" "my gpubench"
mkdir "$scratch/a folder" && ln -s "$BUILD/tests/driver/fake_worker" "$scratch/a folder/fake_worker"
fake="'$scratch/a folder/fake_worker'"
gpubench="$place/my gpubench"
# config NAME VARIANTS [MORE]: writes NAME.json.
config()
{
    printf '{"schema":1,"name":"%s","primitive":"fake","variants":[%s],"axes":{"n":{"from":1000,"to":12000,"step":1000}},
        "measure":{"samples":10,"warmup":0}%s}\n' "$1" "$2" "${3:-}" >"$1.json"
}
# copied FILE PATTERN [MORE]: the command behind the pattern and more options, run by a shell; its output in copied.out,
# its status in $status
copied()
{
    local command
    command=$(sed -n "s/^ *$2//p" "$1" | head -n 1)
    echo "command: $command"
    [ -n "$command" ] || return 1
    status=0
    bash -c "$command ${3:-}" >copied.out 2>copied.err || status=$?
    cat copied.out copied.err
}

config good '"good"'
"$gpubench" run good.json --worker "$fake" --out "my 'results'" >out 2>err
next() { copied out 'next: ' && [ "$status" = 0 ] && grep -qF 'Measured on' copied.out; }
check "what is next" next

config wrong '"good","wrong-after"' ',"quick":{"axes":{"n":[3333]}}'
mv wrong.json "a \"wrong\" one's.json"
"$gpubench" run "a \"wrong\" one's.json" --worker "$fake" --out results --quick >out 2>err
alone()
{
    copied err 'alone: ' && [ "$status" = 1 ] && [ "$(wc -l <alone/wrong.csv)" = 2 ] &&
        grep -q 'wrong-after.*,3333,.*,wrong,' alone/wrong.csv
}
check "a failed row alone, in the plan that it was in" alone

"$gpubench" check --worker "$fake" --variant wrong-before --quick >out 2>err
again()
{
    sed -n "s/^ *\\('.*gpubench' check .*\\)/again: \\1/p" out | head -n 1 >again
    copied again 'again: ' && [ "$status" = 1 ] && grep -q '^wrong fake/wrong-before' copied.out
}
check "a failed case again" again

config slow '"slow"'
"$gpubench" run slow.json --worker "$fake" --out "my 'results'" >out 2>err &
pid=$!
await 60 grep -q '"state":.*"running"' "my 'results'/slow.meta.json"
kill -INT $pid
wait $pid
goes_on()
{
    cat err
    grep -A1 'goes on where it ended' err | sed -n '2s/^ */resume: /p' >resume
    copied resume 'resume: ' '--samples 2' && [ "$status" = 0 ] && [ "$(grep -c ',ok,' "my 'results'/slow.csv")" = 12 ]
}
check "going on where it ended" goes_on
finish
