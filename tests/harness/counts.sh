#!/bin/bash
# test: fast 5
# What counts as a failure: a test program that fails, dies, hangs, says nothing or stops half-way
# must never leave "0 failed".
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/lib.sh"

# counts EXPECTED BODY: the last line for a script with that body.
counts()
{
    printf '#!/bin/bash\n%b\n' "$2" >"$scratch/program.sh"
    local status=0 last
    TEST_TIMEOUT=1 bash "$root/tests/harness/run.sh" "$scratch/program.sh" >"$scratch/run.out" 2>&1 || status=$?
    cat "$scratch/run.out"
    last=$(tail -n 1 "$scratch/run.out")
    [ "$last" = "$1" ] || return 1
    case $1 in *" 0 failed"*) [ $status = 0 ] ;; *) [ $status = 1 ] ;; esac
}
check "two that pass" counts '2 passed, 0 failed' 'echo ok 1; echo ok 2 - b; echo 1..2'
check "one that fails" counts '1 passed, 1 failed' 'echo ok 1; echo not ok 2; echo 1..2'
check "one that is skipped" counts '1 passed, 0 failed, 1 skipped' 'echo ok 1; echo "ok 2 # SKIP why"; echo 1..2'
check "binary output" counts '1 passed, 1 failed' 'printf "\\\\0\\\\n"; echo ok 1; echo not ok 2; echo 1..2'
check "a program that says nothing" counts '0 passed, 1 failed' 'true'
# shellcheck disable=SC2016 # it is the inner shell that expands
check "one that ends before its plan" counts '1 passed, 1 failed' 'set -u; echo ok 1; echo "$nothing"; echo 1..1'
check "one that runs fewer than it planned" counts '1 passed, 1 failed' 'echo 1..2; echo ok 1'
check "one whose exit status alone says it" counts '1 passed, 1 failed' 'echo 1..1; echo ok 1; exit 3'
check "one that dies" counts '1 passed, 1 failed' 'echo 1..1; echo ok 1; kill -SEGV $$'
check "one that hangs" counts '1 passed, 1 failed' 'echo ok 1; sleep 60'
said_again()
{
    printf '#!/bin/bash\n%b\n' 'echo ok 1 - a; echo not ok 2 - b; echo "# because"; echo ok 3 - c; echo 1..3' >"$scratch/b.sh"
    printf '#!/bin/bash\n%b\n' 'echo ok 1 - d; echo 1..1' >"$scratch/d.sh"
    ! TEST_JOBS=1 bash "$root/tests/harness/run.sh" "$scratch/b.sh" "$scratch/d.sh" >"$scratch/run.out" || return 1
    printf '%s\n' 'failed: b.sh' '    | not ok 2 - b' '    | # because' '3 passed, 1 failed' >"$scratch/expected"
    tail -n 4 "$scratch/run.out" | diff "$scratch/expected" -
}
check "what failed is said again at the end" said_again
nothing_to_run() { ! bash "$root/tests/harness/run.sh"; }
check "no program at all" nothing_to_run

# What a test begins in a session of its own, some of which does not listen, ends with the runner, and its folder goes.
ended_with()
{
    cat >"$scratch/stays.sh" <<'END'
#!/bin/bash
folder=$(mktemp -d)
setsid sleep 300 &
echo $! >"$FOUND/apart"
setsid bash -c 'trap "" $DEAF; while :; do sleep 1; done' &
echo $! >"$FOUND/deaf"
echo "$folder" >"$FOUND/folder"
echo $$ >"$FOUND/test"
wait
END
    local pid pids
    rm -rf "$scratch/found" && mkdir "$scratch/found" || return 1
    FOUND=$scratch/found "${@:2}" "$scratch/stays.sh" >"$scratch/run.out" 2>&1 &
    pid=$!
    await 60 test -s "$scratch/found/test" || { cat "$scratch/run.out"; return 1; }
    [ -d "$(cat "$scratch/found/folder")" ] || return 1
    kill -"$1" $pid
    pids=$(cat "$scratch/found/apart" "$scratch/found/deaf" "$scratch/found/test")
    # shellcheck disable=SC2086
    await 60 gone $pid $pids || { kill -KILL $pids; return 1; }
    [ ! -e "$(cat "$scratch/found/folder")" ] || { echo "its folder is left"; return 1; }
    ! grep -E 'passed|failed|still running' "$scratch/run.out"
}
export DEAF=TERM
check "terminated, it ends what its tests began" ended_with TERM bash "$root/tests/harness/run.sh"
DEAF=USR1
check "... and hung up" ended_with HUP bash "$root/tests/harness/run.sh"
# shellcheck disable=SC2016 # it is make that expands them
made() { exec make -s -C "$root" NVCC= CUDA11= BUILD="$BUILD" --eval='stays: ; @$(RUN_TESTS) $(STAYS)' stays STAYS="$1"; }
check "... and below make" ended_with TERM made
finish
