#!/bin/bash
# test: fast
# gpubench run --watch: measures again when the config, a source or the worker has changed, and says what became of it.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root GPUBENCH_WORKER_PATH=$scratch/workers LC_ALL=C.UTF-8
mkdir "$scratch/workers" "$scratch/mine" && cd "$scratch" || exit 1

# worker TEXT: another file in the place of the worker, as a linker leaves it.
worker()
{
    printf '#!/bin/sh\n# %s\nexec %q "$@"\n' "$1" "$BUILD/gpubench-simt" >workers/new
    chmod +x workers/new && mv workers/new workers/gpubench-simt
}
config() { echo '{"schema": 1, "name": "mine", "primitive": "null", "variants": ["spin"], "points": [{"ns": '"$1"'}, {"ns": 1000}], "measure": {"samples": 3}}'; }
worker one
config 20000 >mine/mine.json
echo "int x;" >mine/primitive.c
printf 'all:\n\t@! grep error primitive.c && echo it is built\n' >mine/Makefile

"$gpubench" run mine/mine.json --watch --watch-also notes --out results >"$scratch/log" 2>&1 &
watcher=$!
# waits COUNT: it has waited so often.
waits()
{
    [ ! -e "$scratch/missed" ] && await 60 has_lines "$scratch/log" "files: waiting for a change" "$1" && return
    touch "$scratch/missed" # what comes later comes neither
    cat "$scratch/log"
    return 1
}
count() { grep -c -- "$1" "$scratch/log"; }

check "it measures and waits" waits 1
check "... having built" test "$(count '^it is built')" = 1
check "... with nothing to be set beside" test "$(count 'Against the run before')" = 0
config 20000.0 | sed 's/20000.0/20000/; s/: 3/: 4/' >mine/mine.json
check "the config changes" waits 2
check "... and is measured, not built" test "$(count 'mine/mine.json has changed: measuring') $(count '^it is built')" = "1 1"
check "... and set beside the run before" test "$(count '^2 rows: ')" = 1
check "... in the place of the table" test "$(count '^bytes  *ns  *spin')" = 1
worker two
check "the worker changes" waits 3
check "... and is measured" test "$(count 'workers/gpubench-simt has changed: measuring') $(count '^2 rows: ')" = "1 2"
echo "int error;" >mine/primitive.c
check "a source changes, with a mistake" waits 4
check "... which is shown, and nothing measured" test "$(count '^int error') $(count 'it was not built, and is not measured') $(count '^2 rows: ')" = "1 1 2"
echo "int y;" >mine/primitive.c
check "... is mended" waits 5
check "... built and measured" test "$(count 'mine/primitive.c has changed: building') $(count '^it is built') $(count '^2 rows: ')" = "2 2 3"
echo '{"schema": 1,' >mine/mine.json
check "a config that is none" waits 6
check "... is refused, and waited for" test "$(count 'mine.json:[0-9]') $(count '^2 rows: ')" = "1 3"
echo >notes
check "a file that was named" waits 7
kill -INT $watcher
wait $watcher
check "Ctrl-C ends it" test $? = 130
check "nothing that was measured is lost" test "$(find results -name 'mine.2*Z-??????.csv' | wc -l) $(grep -c ,spin, results/mine.csv)" = "3 2"
check "--aa is refused" refuses "not with --aa, --dry-run or --requests" "$gpubench" run mine/mine.json --watch --aa
check "a config that is nowhere" refuses "there is no config" "$gpubench" run nowhere --watch
finish
