#!/bin/bash
# test: thorough 18
# What a run does when its disk is full, its folder goes away or somebody else is in it, and when it
# waits for the disk. tests/driver/test_crash.c does the same at every call; here, with real disks.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_disks.sh
. "$(dirname "$0")/../harness/lib_disks.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
fake="'$BUILD/tests/driver/fake_worker'"
shim=$BUILD/tests/driver/crash_shim.so

# config NAME VARIANT N... : writes NAME.json; three samples a row unless $samples says more.
config()
{
    local name=$1 variant=$2
    shift 2
    printf '{"schema":1,"name":"%s","primitive":"fake","variants":[%s],"axes":{"n":[%s]},"measure":{"samples":%d,"warmup":0}}\n' \
        "$name" "$variant" "$(seq -s, "$1" "$2")" "${samples:-3}" >"$name.json"
}

# measure ARGUMENTS...: gpubench run, output in out and err, status in $status.
measure()
{
    "$gpubench" run --worker "$fake" "$@" >out 2>err
    status=$?
    cat out err
}

# resume_as_told: runs the command that the last run printed.
resume_as_told()
{
    local command
    command=$(grep -A1 'this goes on where it ended' err | tail -n 1)
    echo "told: $command"
    [[ $command == *--resume* ]] || return 1
    eval "$command" >out 2>err
    status=$?
    cat out err
}

# complete FOLDER NAME ROWS: so many rows, all ok, all different, each with its samples, in order.
complete()
{
    local wanted=$3 folder=$1
    [ "$status" = 0 ] && [ ! -e "$folder/$2.lock" ] || return 1
    [ "$(columns "$folder/$2.csv" n status | grep ',ok$' | sort -u | wc -l)" = "$wanted" ] &&
        [ "$(wc -l <"$folder/$2.csv")" = $((wanted + 1)) ] || return 1
    awk -F, 'NR == FNR { want[$1 ",n=" $2 ";shape=" $3 "," $4 "," $5] = $6; next }
        FNR > 1 { key = $1 "," $2 "," $3 "," $4; if ($5 != got[key] + 0) exit 1; got[key]++ }
        END { for (key in want) if (want[key] != got[key]) exit 1
              for (key in got) if (!(key in want)) exit 1 }' \
        <(columns "$folder/$2.csv" run_id n shape variant cache samples) "$folder/$2.samples.csv"
}

# start NAME ROWS: a run of 10 rows, each some 0.15 s, in the background; waits for so many.
start()
{
    config "$1" '"slow"' 1001 1010
    "$gpubench" run "$1.json" --worker "$fake" --out res >out 2>err &
    pid=$!
    await 60 has_lines "res/$1.csv" slow "$2"
}

# ended: waits for it.
ended()
{
    wait "$pid"
    status=$?
    cat out err
}

# ---- a full disk ----------------------------------------------------------------------------------

# In a mount namespace of its own, with 64 KB on a small disk of memory: two rows have no room.
full_disk()
{
    mkdir small && mount -t tmpfs -o size=512k none small || return 99
    head -c 448k /dev/zero >small/ballast || return 1
    samples=300 config full '"good","other"' 1 4
    measure full.json --out small/res
    [ $status = 1 ] && grep -q '^gpubench run: small/res/full\.[a-z]*\.\?csv: .*No space left' err &&
        grep -q 'bytes were to be written, the disk has [0-9]* left); free some space' err || return 1
    local rows
    rows=$(($(grep -c ,ok, small/res/full.csv)))
    echo "$rows rows before the disk was full"
    [ $rows -gt 0 ] && [ $rows -lt 8 ] || return 1
    [ "$(tail -c 1 small/res/full.csv | od -An -c | tr -d ' ')" = '\n' ] &&
        [ "$(tail -c 1 small/res/full.samples.csv | od -An -c | tr -d ' ')" = '\n' ] || return 1
    [ $(($(wc -l <small/res/full.samples.csv) - 1)) = $((rows * 300)) ] || return 1
    resume_as_told # still no room
    [ $status != 0 ] && grep -q 'No space left' err || return 1
    [ "$(grep -c ,ok, small/res/full.csv)" -ge $rows ] || return 1
    rm small/ballast
    resume_as_told
    [ $status = 0 ] && grep -q '(. rows were there already)' out &&
        [ "$(grep -c ,ok,,300, small/res/full.csv)" = 8 ] &&
        [ "$(wc -l <small/res/full.samples.csv)" = 2401 ] &&
        grep -q '"state":.*"complete"' small/res/full.meta.json
}

read_only()
{
    mkdir ro && mount -t tmpfs -o ro none ro || return 99
    config ro '"good"' 1 1
    measure ro.json --out ro/res
    [ $status = 2 ] && grep -q 'ro/res: .*Read-only file system.*--out' err
}

if_in_namespace "$@"
namespace full_disk "a full disk: says what to do, tears nothing, and --resume completes"
namespace read_only "a read-only disk is named, and nothing is run"

size_limit()
{
    samples=300 config limit '"good"' 1 4
    config behind '"good"' 1 1
    (
        ulimit -f 32
        measure limit.json behind.json --out res
        exit $status
    )
    [ $? = 1 ] && [ ! -e res/behind.csv ] && grep -q 'limit.samples.csv: .*File too large; .*ulimit -f' err || return 1
    resume_as_told && complete res limit 4 && complete res behind 1
}
check "a limit on file sizes ends in a message, as a full disk does, and no other config begins" size_limit

# shimmed FOLDER CONFIG DO AT: measures with tests/driver/crash_shim.c at work on the folder; its log is in
# calls.
shimmed()
{
    rm -f calls
    LD_PRELOAD=$shim CRASH_PROGRAM=gpubench CRASH_UNDER="${1%%/*}" CRASH_LOG=$scratch/calls CRASH_DO=$3 CRASH_AT=$4 \
        "$gpubench" run "$2" --worker "$fake" --out "$1" >out 2>err
    status=$?
}

# ---- the folder goes away -------------------------------------------------------------------------

removed()
{
    start removed 2 || return 1
    rm -rf res
    ended
    [ $status = 1 ] && grep -q '^gpubench run: res/removed.csv was removed or replaced' err || return 1
    local saved=(res.saved-*)
    echo "saved in ${saved[*]}: $(grep -c ,ok, "${saved[0]}/removed.csv") rows"
    [ "$(grep -c ,ok, "${saved[0]}/removed.csv")" -ge 2 ] && grep -q '"broken"' "${saved[0]}/removed.meta.json" &&
        [ ! -e res ] && grep -q "next: .*${saved[0]}" out || return 1
    mv "${saved[0]}" res
    resume_as_told && complete res removed 10
}
check "a folder that is removed: its rows are saved beside it" removed

not_saved()
{
    start unsaved 2 || return 1
    local id
    id=$(sed -nE 's/.*"run_id":[^"]*"([^"]*)".*/\1/p' res/unsaved.meta.json | head -n 1)
    echo "in the way" >"res.saved-$id"
    rm -rf res
    ended
    [ -n "$id" ] && [ $status = 1 ] && [ "$(cat "res.saved-$id")" = "in the way" ] &&
        grep -q "and what was measured is lost with it, for it cannot be saved elsewhere: .*res.saved-$id" err || return 1
    rm "res.saved-$id"
}
check "a folder that is removed, and no other place: says that all is lost" not_saved

replaced_by_file()
{
    start replaced 2 || return 1
    rm -rf res
    echo "something else" >res
    ended
    [ $status = 1 ] && [ "$(cat res)" = "something else" ] || return 1
    rm res
    mv res.saved-* res
    resume_as_told && complete res replaced 10
}
check "a folder that is replaced by a file" replaced_by_file

edited()
{
    start edited 2 || return 1
    sed 's/fake/FAKE/' res/edited.csv >res/copy
    mv res/copy res/edited.csv
    ended
    [ $status = 1 ] && grep -q FAKE res/edited.csv && grep -q 'saved as res.saved-' err || return 1
    [ ! -e res/edited.lock ] && mv res.saved-*/* res/ && rmdir res.saved-* || return 1
    resume_as_told && complete res edited 10
}
check "a file that an editor saves anew: what was measured is saved, the editor's file stays" edited

moved()
{
    start moved 2 || return 1
    mv res elsewhere
    mkdir res
    echo "another run's" >res/moved.lock
    ended
    [ $status = 1 ] && grep -q "res/moved.csv was moved .* it is $(pwd -P)/elsewhere/moved.csv now" err || return 1
    grep -q '"broken"' elsewhere/moved.meta.json || return 1
    [ "$(cat res/*)" = "another run's" ] && rm -r res && mv elsewhere res || return 1
    resume_as_told && complete res moved 10
}
check "a folder that is moved away: the run ends and says where its rows are" moved

meddled()
{
    start meddled 2 || return 1
    echo "1,who,knows" >>res/meddled.csv
    ended
    [ $status = 1 ] && grep -q 'res/meddled.csv was changed by somebody else' err
}
check "somebody else who writes into the files is noticed" meddled

# ---- two at once ----------------------------------------------------------------------------------

owner_named()
{
    start mine 1 || return 1
    # Another config in the same folder is nobody's business, the same one is.
    config other '"good"' 1 3
    "$gpubench" run other.json --worker "$fake" --out res >out2 2>err2 || return 1
    "$gpubench" run mine.json --worker "$fake" --out res --resume >out2 2>err2
    local refused=$?
    cat err2
    ended
    [ $refused = 2 ] && grep -qE "^gpubench run: another run writes res/mine.csv \(pid $pid on $(uname -n) since [0-9]{4}-[0-9-]*T[0-9:]*Z: .*gpubench run mine.json --worker .*\); wait for it, end it .*--out" err2 &&
        complete res mine 10 && [ "$(grep -c ,ok, res/other.csv)" = 3 ]
}
check "two runs of a config in one folder: the second is refused and told who the first is" owner_named

# The first removes its lock while the second has it open already and waits to take it.
taken_over()
{
    config over '"slow"' 1 4
    shimmed "over/" over.json 0 0
    local moment
    moment=$(awk '/ flock / { print $1 }' calls)
    [ -n "$moment" ] || return 1
    rm -r over
    shimmed "over/" over.json unlink "$moment" &
    await 60 has_lines over/over.csv slow 1
    "$gpubench" run over.json --worker "$fake" --out over --resume >out2 2>err2
    local refused=$?
    cat err2
    wait $!
    [ $refused = 2 ] && grep -q 'another run writes over/over.csv' err2
}
check "a lock that its owner removes at the wrong moment is taken anew" taken_over

stale()
{
    start stale 2 || return 1
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    [ -s res/stale.lock ] || return 1
    measure stale.json --out res --resume
    complete res stale 10 && ! grep -q 'another host' err || return 1
    echo "pid 1 on far-away since 2025-01-31T00:00:00Z: gpubench run stale.json" >res/stale.lock
    measure stale.json --out res --resume
    complete res stale 10 && grep -q '^note: res/stale.lock was left by a run on another host (pid 1 on far-away since' err
}
check "the lock of a dead run is no obstacle; that of another host is mentioned" stale

worker_killed()
{
    config worker '"other"' 1001 1010
    rm -f starts
    "$gpubench" run worker.json --worker "$fake --from 1 starts --to 1 killed-sample" --out res >out 2>err
    status=$?
    cat out err
    [ $status = 1 ] && [ "$(grep -c ,ok, res/worker.csv)" = 9 ] &&
        [ "$(grep -c ',crashed,.*ended by signal 9 (Killed)' res/worker.csv)" = 1 ] || return 1
    measure worker.json --out res --resume --retry
    complete res worker 10
}
check "a worker that is killed costs its row, which --resume --retry measures" worker_killed

# ---- when a run waits for the disk ----------------------------------------------------------------

# logged CONFIG: runs, and puts into order what it did to its two tables, as w(rite) and s(ync) of
# c(sv) and d(ata: the samples), behind their headers.
logged()
{
    rm -rf order-test
    shimmed order-test/deep "$1" 0 0
    cat out err
    order=$(awk '/ write .*samples.csv$/ { printf "wd " } / write .*[a-z]\.csv$/ && !/samples/ { printf "wc " }
        / fdatasync .*samples.csv$/ { printf "sd " } / fdatasync .*[a-z]\.csv$/ && !/samples/ { printf "sc " }' calls)
    echo "order: $order"
}

# once_of COMMAND...: it is so at one of three attempts. A machine that stands still for a second, after which no row
# waits any longer, changes the order.
once_of() { "$@" || "$@" || "$@"; }

# The two headers first; three rows of a point come at once.
synced_by_point()
{
    config sync '"good","other","noisy"' 1 3
    logged sync.json
    local point="wd wc wd wc wd wc sd sc "
    [ $status = 0 ] && [ "$order" = "wc wd $point$point$point" ]
}
check "a point's rows are on the disk before the next point begins, the samples first" once_of synced_by_point

synced_by_time()
{
    printf '{"schema":1,"name":"late","primitive":"fake","variants":["slow","good"],"axes":{"n":[1]},"measure":{"samples":24,"warmup":0,"cache":["warm","cold"],"order":"sequential"}}\n' >late.json
    logged late.json
    # slow takes more than a second, good nothing
    [ $status = 0 ] && [ "$order" = "wc wd wd wc sd sc wd wc wd wc sd sc wd wc sd sc " ]
}
check "within a point, no row waits for the disk beside others for more than a second" once_of synced_by_time

# Names too have to reach the disk: of folders, of the tables before the first row, of what was
# written beside and then renamed.
names_synced()
{
    config names '"good"' 1 1
    logged names.json
    local found
    found=$(sed -E "s|^[0-9]+ ||; s|$(pwd -P)/||; s|order-test/deep/names|X|; s|order-test|F|" calls |
        grep -E '^(mkdir|fsync|rename|write|fdatasync)' | grep -v 'X.lock' | tr '\n' ' ')
    echo "$found"
    local meta="write X.meta.json.new fdatasync X.meta.json.new rename X.meta.json fsync F/deep"
    [ "$found" = "mkdir F mkdir F/deep fsync F write X.csv write X.samples.csv fsync F/deep $meta write X.samples.csv write X.csv fdatasync X.samples.csv fdatasync X.csv $meta " ]
}
check "names reach the disk before what relies on them" once_of names_synced

finish
