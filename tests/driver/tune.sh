#!/bin/bash
# test: fast 15
# `gpubench tune` on the simt device: what it keeps and where, what auto goes by then, what the meta file of a run and
# `gpubench info` say of it, and what becomes of tables that are broken, foreign, old, or that cannot be written.
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
export XDG_CACHE_HOME=$scratch/cache TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
folder=$XDG_CACHE_HOME/gpubench/tuning/1/simt
table=$folder/multipartition-tuning.csv
cat >mine.json <<'END'
{ "schema": 1, "name": "mine", "title": "What auto takes", "primitive": "multipartition", "variants": ["auto"],
  "points": [{ "n": 4096, "bins": 16 }], "measure": { "samples": 1, "warmup": 0, "scope": "device", "cache": "warm" } }
END

# The second point would take minutes, the third as long as the first.
mkdir -p share/configs
cat >share/configs/multipartition-tuning.json <<'END'
{ "schema": 1, "name": "multipartition-tuning", "title": "Small", "primitive": "multipartition",
  "variants": ["unstable-counted", "stable", "stable-drawn-two-pass"],
  "points": [{ "n": "4Ki", "bins": 16 }, { "n": "256Mi", "bins": 16 }, { "n": "4Ki", "bins": 32 }],
  "measure": { "samples": 2, "warmup": 0, "scope": "device", "cache": "cold", "order": "interleaved", "time_limit_s": 30 },
  "quick": { "points": [{ "n": "4Ki", "bins": 16 }, { "n": "256Mi", "bins": 16 }, { "n": "4Ki", "bins": 32 }] } }
END
tune() { GPUBENCH_SHARE=$scratch/share "$gpubench" tune --quick --device simt; }

run_mine() { "$gpubench" run mine.json --device simt --full --out out >run.txt 2>&1; }
meta_has() { tr -d '\t\n' <out/mine.meta.json | grep -qF -- "$1"; }
plan() { "$gpubench" run mine.json --device simt --full --dry-run >plan.txt 2>&1; }
# plan_says WORDS: of the table that is there now, on stderr, and that another one can be measured
plan_says() { plan && cat plan.txt && grep -qF -- "$1" plan.txt && grep -qF 'gpubench tune' plan.txt; }
plan_is_silent() { plan && ! grep -q 'note: what was measured' plan.txt; }

check "without a table auto goes by what is compiled in" run_mine
compiled='"tuning":{"by":"rule: from NVIDIA H100 80GB HBM3 by multiprocessors and bandwidth"}'
check "... and the meta file says so" meta_has "$compiled"

tune >tune.txt 2>log.txt
status=$?
check "tune ends well" test $status = 0
check "... and says what it has measured, and where it is" grep -qE '^[^:]+: 2 points of multipartition measured in [0-9.]+ s; auto goes by that' tune.txt
check "... what would not have ended in time was left out, and no more" \
    grep -qxF '1 more would not have ended within 15 s (without --quick: 60 s): there it goes by what is compiled in' tune.txt
check "... which is the last line" test "$(tail -n 1 tune.txt)" = "$table"
in_time() { [ "$(sed -nE 's/.*measured in ([0-9]+)\..*/\1/p' tune.txt)" -le 15 ]; }
check "it takes no longer than it says" in_time
check "the meta file of its run says that it is not all" \
    grep -q '"left_out":.*1' "$folder/multipartition-tuning.meta.json"
check "the table is a result file" "$gpubench" table "$table" --no-pager
check "... with the meta file of its run" grep -q '"state":.*"limited"' "$folder/multipartition-tuning.meta.json"
temporary_is_empty() { [ -z "$(ls -A "$TMPDIR")" ]; }
none_left() { [ "$(find "$XDG_CACHE_HOME" -type f | wc -l)" = 3 ] && temporary_is_empty; } # with the lock
check "nothing else is left" none_left
cp -r "$folder" kept

# Of the methods of its first point this one was the fastest by far, says the table now.
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    $at["status"] == "ok" { t = $at["variant"] == "stable-drawn-two-pass" ? 1e-9 : 1e-3
        $at["time_mean_s"] = $at["time_median_s"] = $at["time_min_s"] = $at["time_max_s"] = t
        $at["time_ci95_lo_s"] = $at["time_ci95_hi_s"] = t }
    { print }' "$table" >edited && mv edited "$table"
check "auto goes by the table" run_mine
check "... and takes what is the fastest there" grep -q ',auto,stable-drawn-two-pass,' out/mine.csv
check "the meta file names the table" meta_has '"tuning":{"table":{"file":"multipartition-tuning.csv","measured_utc":"'
check "... with its hash" meta_has '"hash":"fnv1a64:'
check "... and not where it is" sh -c "! tr -d '\t\n' <out/mine.meta.json | grep -o '\"tuning\":{[^}]*}' | grep -q '$XDG_CACHE_HOME'"
# of equal runs each has a worker of its own
"$gpubench" run mine.json --device simt --full --out aa --aa >aa.txt 2>&1
check "a worker that takes another's place is given the table" grep -q ',auto,stable-drawn-two-pass,' aa/aa/third/mine.csv
check "info shows it" "$gpubench" info --device simt --no-pager
says_info() { grep -qE -- "$1" "$scratch/info.txt"; }
"$gpubench" info --device simt --no-pager >info.txt 2>&1
check "... what auto goes by, and since when" says_info '^  multipartition +measured here: 2 points; else rule: from NVIDIA H100 80GB HBM3 .*, 20[0-9-]+T[0-9:]+Z$'
"$gpubench" info --device simt --json >info.json 2>&1
check "... for programs, too" sh -c "tr -d '\t\n' <info.json | grep -q '\"tuning\":{\"multipartition\":{\"table\":'"
check "conditions are another device: the table is not theirs" \
    sh -c "'$gpubench' run mine.json --device simt --multiprocessors 1 --full --out under >/dev/null 2>&1; grep -q 'auto,[a-z-]*,multiprocessors=1' under/mine.csv && ! grep -q measured_utc under/mine.meta.json"

# ---- tables that are none ----
check "a good one is taken without a word" plan_is_silent
sed -i 's/,simt,[^,]*,4096/,simt,Another CPU,4096/' "$table"
check "another device's is not used, and named" plan_says 'is of Another CPU, and this is'
check "... the run goes by what is compiled in" run_mine
check "... and the meta file says why" meta_has '"not_used":"the table: is of Another CPU'
"$gpubench" info --device simt --no-pager >info.txt 2>&1
check "... info how to measure it" says_info 'gpubench tune. measures this device, in a minute'
fresh() { rm -rf "$folder" && cp -r kept "$folder"; }
fresh && head -c -20 "$table" >half && mv half "$table"
check "a torn one is not used" plan_says 'its last row is torn'
fresh && head -c 3000 /dev/urandom >"$table"
check "nor is what is no table" plan_says 'what was measured for multipartition is not used: '
fresh && sed -i 's/"version":.*"[0-9.]*"/"version": "0.0.9"/' "$folder/multipartition-tuning.meta.json"
check "nor one of another version" plan_says "$table: was measured by gpubench 0.0.9, and this is "
fresh && rm "$folder/multipartition-tuning.meta.json"
check "nor one without its meta file" plan_says 'multipartition-tuning.meta.json'
fresh && sed -i 's/"uuid":.*"simt"/"uuid": "GPU-1234"/' "$folder/multipartition-tuning.meta.json"
check "nor one that was copied from another card" plan_says "$table: is of the device GPU-1234, and this is simt"
fresh && rm "$table" && mkdir "$table"
check "nor a folder" plan_says 'multipartition-tuning.csv'
rm -r "$folder"
check "where there is none nothing is said" plan_is_silent

# ---- folders that are none ----
check "without XDG_CACHE_HOME it lies in the home" env -u XDG_CACHE_HOME HOME="$scratch/home" sh -c "mkdir -p home/.cache/gpubench/tuning/1 && cp -r kept home/.cache/gpubench/tuning/1/simt && '$gpubench' run mine.json --device simt --full --out home/out >/dev/null 2>&1 && grep -q measured_utc home/out/mine.meta.json"
fails() # fails WORDS COMMAND...: exit status 1 or 2, and these words
{
    "${@:2}" >said.txt 2>&1
    local status=$?
    cat said.txt
    { [ $status = 1 ] || [ $status = 2 ]; } && grep -qF -- "$1" said.txt
}
check "without any place for caches tune says so" fails 'neither XDG_CACHE_HOME nor HOME is an absolute path' \
    env -u HOME XDG_CACHE_HOME=here "$gpubench" tune --quick --device simt
check "... and a run goes on" env -u HOME -u XDG_CACHE_HOME "$gpubench" run mine.json --device simt --full --dry-run
: >file
check "a place that cannot be written is named before anything is measured" \
    fails "$scratch/file/gpubench: the folder cannot be made: Not a directory; XDG_CACHE_HOME may name another place" \
    env XDG_CACHE_HOME="$scratch/file" "$gpubench" tune --quick --device simt
mkdir -p "$folder"
check "two at a time are refused" fails 'another one measures this device just now' \
    flock "$table.lock" "$gpubench" tune --quick --device simt
check "operands are refused" fails 'found "multipartition", but takes options only' "$gpubench" tune multipartition
check "a device that is not there is" sh -c "'$gpubench' tune --device 77 >said.txt 2>&1; [ \$? = 3 ]"

# ---- one that is interrupted ----
fresh
GPUBENCH_SHARE=$root "$gpubench" tune --device simt >said.txt 2>&1 &
tuning=$!
await 60 compgen -G "$TMPDIR/gpubench-tune-*/*.csv"
kill -INT $tuning
wait $tuning
status=$?
check "interrupted, it ends as such" test $status = 130
check "... and the table of before stays" cmp "$table" kept/multipartition-tuning.csv
check "... and nothing else" temporary_is_empty
finish
