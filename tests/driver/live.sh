#!/bin/bash
# test: fast
# A figure that grows in the terminal: of a run's own (run --live), and of another's (watch).
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8
unset COLUMNS LINES GPUBENCH_VERBOSE
cd "$scratch" || exit 1
if ! command -v gnuplot >/dev/null; then
    skip "figures that grow" "there is no gnuplot"
    finish
    exit 0
fi
cat >live.json <<'JSON'
{"schema": 1, "name": "live", "primitive": "null", "variants": ["spin"], "axes": {"ns": [1000, 2000, 4000, 8000]}, "measure": {"samples": 3}}
JSON

# on LINES COMMAND: what a shell writes to a terminal, with its stderr.
on() { "$BUILD/tests/driver/on_terminal" 80 "$1" sh -c "$2 2>&1" >"$scratch/out"; }
run="$gpubench run live.json --device simt --out live"
count() { grep -cE "$1" "$scratch/out"; }
figures() { count "live on simt: .*warm cache"; }
# Each that was shown was taken away: its subtitle is there as often as the cursor went up.
tidy() { [ "$(figures)" = "$(grep -oE $'\033\\[[0-9]+A\033\\[J' "$scratch/out" | wc -l)" ]; }

check "run --live" on 40 "$run --live"
check "... draws" test "$(figures)" -ge 1
check "... and tidies up" tidy
check "... whose rows are told as ever" test "$(count 'ns=[1248]k$')" = 4
check "... and the table" test "$(count '^bytes +ns')" -ge 1
check "... without a terminal is refused" refuses "--live draws on a terminal, which this is not" eval "$run --live"
refused() { ! on "$1" "$2" && grep -qF -- "$3" "$scratch/out"; }
check "... on a small one" refused 21 "$run --live" "--live needs 50 columns and 22 lines at least, and this screen has 80 and 21"
check "... beside the worker's log" refused 40 "$run --live --verbose" "--live and the worker's log exclude each other"
mkdir bin && for tool in sh env; do ln -s "$(command -v $tool)" bin/; done
check "without gnuplot it goes on" on 40 "PATH=$scratch/bin $run --live"
check "... and says so once" test "$(count 'note: no figure: gnuplot draws the figures and is not on PATH')" = 1

check "watch: a run that has ended" on 40 "$gpubench watch live"
check "... is drawn" test "$(figures)" = 1
check "... and that is all" grep -q 'live/live.csv: complete' "$scratch/out"
# Panels below one another, of which a screen has room for some.
for m in 1 2 3 4 5 6; do for n in 1 2 3; do echo "one $n,$m warm device ok 100 0.01 5"; done; done | axes=n,m side many/many.csv
echo '{"state": "complete"}' >many/many.meta.json
check "watch: more panels than there is room for" on 30 "$gpubench watch many"
check "... are fewer" test "$(wc -l <"$scratch/out")" -le 27
check "... the last" eval "grep -q 'm = 6' '$scratch/out' && ! grep -q 'm = 1' '$scratch/out'"
check "... below their title" grep -q 'many (p): rate over n' "$scratch/out"
check "watch without a terminal" refuses "gpubench watch draws on a terminal, which this is not" "$gpubench" watch live
check "watch and nothing" refused 40 "$gpubench watch" "name one result file or folder"
mkdir none
check "watch and no run" refused 40 "$gpubench watch none" "the folder none holds no run"

# A run that goes on: its rows come, its meta file says so, its lock names a process that lives.
sleep 600 &
runner=$!
state() { echo '{"state": "'"$1"'"}' >going/going.meta.json; }
row() { echo "$1 1 warm device ok 100 0.01 5"; }
row one | side going/going.csv
state running
echo "pid $runner on $(uname -n) since 2026-01-01T00:00:00Z: gpubench run" >going/going.lock
on 40 "$gpubench watch going" &
watcher=$!
check "watch: a run that goes on" await 60 has_lines "$scratch/out" "A  one" 1
{ row one; row two; } | side going/going.csv
state running
check "... is drawn again when there are more rows" await 60 has_lines "$scratch/out" "B  two" 1
state complete
rm going/going.lock
check "... until it has ended" wait $watcher
check "... which is said" grep -q 'going/going.csv: complete' "$scratch/out"
kill $runner
wait $runner 2>/dev/null
state running
echo "pid $runner on $(uname -n) since 2026-01-01T00:00:00Z: gpubench run" >going/going.lock
check "a run that was killed" on 40 "timeout 60 $gpubench watch going/going.csv"
check "... is gone" grep -q 'the run is gone; --resume goes on with it' "$scratch/out"
finish
