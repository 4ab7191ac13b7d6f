#!/bin/bash
# test: fast
# gpubench history: runs in the order of their commits, each against the one before, and which commit made what slower.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root LC_ALL=C.UTF-8
cd "$scratch" || exit 1
mkdir repository && cd repository || exit 1
git init -q . 2>/dev/null || { skip "history" "there is no git"; finish; exit 0; }
git config user.name "A Name" && git config user.email a@name

# commit SUBJECT: its hash is in $hash. All are of one second: their order is in the graph alone.
commit()
{
    GIT_AUTHOR_DATE="2026-01-01T00:00:00Z" GIT_COMMITTER_DATE="2026-01-01T00:00:00Z" git commit -q --allow-empty -m "$1"
    hash=$(git rev-parse HEAD)
}

# run FILE STARTED GIT VARIANT:TIME...: results of experiment e as a run left them, two rows a variant, the deviation of
# whose samples is 1 %. GIT is what the meta file says of the config's folder.
run()
{
    local stem=results/$1 row n
    for row in "${@:4}"; do
        for n in 1 2; do echo "${row%:*} $n warm device ${row#*:} 0.01 50"; done
    done | sed 's/ failed .*/ wrong 0 0 0/; t; s/\( device\) /\1 ok /' | primitive=p side "$stem.csv"
    sed -i 's/^1,run,[^,]*,/1,run,e,/' "$stem.csv"
    echo '{"state": "complete", "run_id": "run", "started_utc": "'"$2"'", "git": {"commit": "00c0ffee"}, "config": {"git": '"$3"'}}' >"$stem.meta.json"
}
at() { echo '{"commit": "'"$1"'", "dirty": '"${2:-false}"'}'; }
# tell TEXT ARGUMENT...: history says so, in one line.
tell()
{
    "$gpubench" history results "${@:2}" >"$scratch/out" 2>"$scratch/err" || return
    tr -s ' \n\t' ' ' <"$scratch/out" >"$scratch/words"
    head -n 30 "$scratch/out"
    cat "$scratch/err"
    grep -qF -- "$1" "$scratch/words"
}
says() { grep -qF -- "$1" "$scratch/words"; }
runs() { grep -E "^[0-9a-f]{7}(-dirty[.0-9]*)? +2026" "$scratch/out" | sed 's/ .*//' | tr '\n' ' '; }

commit "One" && one=$hash
commit "Two is slow" && two=$hash
commit "Three mends a, not b" && three=$hash
# Measured in another order than they were made, and kept in folders and under the names of earlier runs.
run later/e 2026-02-01T00:00:00Z "$(at "$one")" a:100 b:100 c:100
run e.20260102T000000Z-abcdef 2026-01-02T00:00:00Z "$(at "$three")" a:100.1 b:125 c:100
run e 2026-01-03T00:00:00Z "$(at "$two")" a:125 b:125 c:100
mkdir results/aa && cp results/e.csv results/aa/

check "the commit that made something slower is named" tell "a: SLOWER by 20 % ±0.3 at ${two:0:7} 'Two is slow' (2026-01-03); made good since"
check "... and what it still is" says "b: SLOWER by 20 % ±0.3 at ${two:0:7} 'Two is slow' (2026-01-03); still so in the last run"
check "... and the one that made it faster" says "a: FASTER by 25 % ±0.5 at ${three:0:7} 'Three mends a, not b'"
check "... and that their noise is not known" warns "what equal runs on device A differ by is not known"
check "... and what was neither" eval '! says "c: "'
check "runs are in the order of their commits" test "$(runs)" = "${one:0:7} ${two:0:7} ${three:0:7} "
check "--last" tell "${two:0:7} 2026-01-03 first" --last 2
check "--fail-on: what is still slower" eval 'tell "b: SLOWER" --fail-on slower; [ $? = 4 ]'
check "... not what was made good" tell "made good" --fail-on slower --variant a
check "... nor what does not matter" tell "b" --fail-on slower --min-effect 30%
check "a run alone" tell "Measured once, and set beside nothing: e on device A." --last 1
check "one row" tell "SLOWER by 20 % ±0." --variant b --n 1

# Runs at the same commit: the last counts, but each of what was changed besides.
run e4 2026-01-04T00:00:00Z "$(at "$three")" a:100 b:100 c:100
run e5 2026-01-05T00:00:00Z "$(at "$three" true)" a:200 b:100 c:100
run e6 2026-01-06T00:00:00Z "$(at "$three" true)" a:100 b:100 c:100
check "runs of one commit are one" tell "${three:0:7}: the last of 2 runs there"
check "... a dirty tree is marked" test "$(runs)" = "${one:0:7} ${two:0:7} ${three:0:7} ${three:0:7}-dirty ${three:0:7}-dirty.2 "
check "... and made a slower" says "a: SLOWER by 50 % ±0.2 at ${three:0:7}-dirty"

# Rows that fail from a commit on.
run e7 2026-01-07T00:00:00Z "$(at "$three" true)" a:100 b:failed c:100
check "rows that fail" tell "2 rows that were ok failed at ${three:0:7}-dirty.3"
check "... are told in the grid" eval "grep -qE '^${three:0:7}-dirty.3 +2026-01-07 .*SAME +failed +SAME' '$scratch/out'"
check "... count as slower" eval 'tell failed --fail-on slower; [ $? = 4 ]'

check "CSV" tell "experiment,primitive,device,run,commit,dirty,program_commit" --format csv
check "... a line a row and run" test "$(wc -l <"$scratch/out")" = 37
check "... with the verdict" eval "grep -q '^e,p,device A,${two:0:7},$two,0,00c0ffee,2026-01-03T00:00:00Z,Two is slow,a,n=1,warm,device,ok,8000000,0.000125,0.8[0-9]*,.*,SLOWER,results/e.csv\$' '$scratch/out'"
check "JSON" tell '"schema": 1' --format json
check "... what became slower, and how many rows still are" eval "tr -d '\n\t' <'$scratch/out' | grep -q '\"commit\":\"$two\",\"variant\":\"b\",\"cache\":\"warm\",\"scope\":\"device\",\"rows\":2,\"still\":0'"

# Without the repository the time of the runs is all there is.
run e8 2026-01-08T00:00:00Z "$(at 1234567812345678123456781234567812345678)" a:100 b:100 c:100
check "a commit that git does not know" tell "in the order in which they were measured, for commit 123456781234 is in no repository here"
check "... the last is the last" test "$(runs | tr ' ' '\n' | grep . | tail -n 1)" = "${one:0:7}"
rm results/e8.*

# What a run records: the state of the repository that its config lies in, when it began.
echo '{"schema": 1, "name": "own", "primitive": "null", "variants": ["spin"], "axes": {"ns": [1000]}, "measure": {"samples": 3}}' >own.json
git add own.json && commit "A config of one's own" && own=$hash
measure() { "$gpubench" run own.json --device simt --out own >/dev/null 2>"$scratch/err"; }
recorded() { tr -d ' \n\t' <own/own.meta.json | grep -qF '"git":{"commit":"'"$own"'","dirty":'"$1"'},"content"'; }
check "a run of one's own config" measure
check "... records its commit" recorded false
echo >>own.json
check "... after a change" measure
check "... that it was changed" recorded true
check "history of both" prints "${own:0:7}-dirty" "$gpubench" history own
git checkout -q own.json

if command -v gnuplot >/dev/null; then
    check "a figure" tell "" --plot history.svg
    check "... over commits" eval "grep -q 'e (p): rate over commit' history.svg && grep -q '${two:0:7}' history.svg"
fi
check "a figure of a format that is none" eval "'$gpubench' history results --plot x.gif 2>&1 | grep -q 'it ends in .svg, .pdf, .png or .eps'"
mkdir empty
check "an empty folder" refuses "there is no result file (*.csv) in empty, nor below it" "$gpubench" history empty
check "no folder" refuses "name a folder with the results of several runs" "$gpubench" history
finish
