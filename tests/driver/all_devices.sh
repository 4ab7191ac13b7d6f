#!/bin/bash
# test: fast
# gpubench run --all-devices: every device of a host in its folder, whatever becomes of the others; side by side only
# where a trial finds that none disturbs another. The devices are two of a fake worker, whose samples take longer,
# if it is asked for that, while another worker has a job open: no time decides anything here.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
export NO_COLOR=1 FAKE_JOBS=$scratch/jobs
mkdir "$scratch/jobs" && cd "$scratch" || exit 1
cp "$BUILD/tests/driver/fake_worker" fake # under a name that no other test has
fake="$scratch/fake --devices 2"

# config NAME VARIANTS MEASURE
config()
{
    echo '{"schema":1,"name":"'"$1"'","primitive":"fake","variants":['"$2"'],"points":[{"n":"100"},{"n":"1M"}],"measure":{"warmup":0,'"$3"'}}' >"$1.json"
}
config two '"good","other"' '"samples":3'
config late '"good","stuck"' '"samples":10'
# runs WAY OUT CONFIG...: all devices; what is said goes to OUT.said.
runs()
{
    local way=$1 out=$2
    shift 2
    "$BUILD/gpubench" run "$@" --worker "$fake${factor:+ --crowded $factor}" "--all-devices$way" --out "$out" >"$out.said" 2>&1
}
# status N COMMAND...
status()
{
    local want=$1 is=0
    shift
    "$@" || is=$?
    [ $is = "$want" ] || { echo "exit status $is, not $want"; cat ./*.said; return 1; }
}
rows() { echo "$(columns "$1/fake-device-FAKE-1/$2.csv" status | grep -c ok) $(columns "$1/fake-device-FAKE-2/$2.csv" status | grep -c ok)"; }
is() { [ "$1" = "$2" ] || { echo "'$1', not '$2'"; return 1; }; }
meta() { tr -d '\n\t ' <"$1/fake-device-FAKE-$2/$3.meta.json"; }

# ---- one after another ---------------------------------------------------------------------------

check "all devices, one after another" status 0 runs '' turns two.json
check "each has its rows" is "$(rows turns two)" "4 4"
check "of its own device" is "$(meta turns 1 two | grep -o '"uuid":"[^"]*"')$(meta turns 2 two | grep -o '"uuid":"[^"]*"')" '"uuid":"FAKE-1""uuid":"FAKE-2"'
check "what each did is told" has_lines turns.said '^  Fake Device (1): complete: 4 ok, .*: turns/fake-device-FAKE-2$' 1
check "they go on with --resume" status 0 runs '' turns two.json --resume
check "... each with its rows" has_lines turns.said '^  Fake Device (.): complete: 4 there already' 2
fake="$scratch/fake"
check "one that is alone now, too" status 0 runs '' turns two.json --resume
check "... in its own folder" has_lines turns.said '^  Fake Device: complete: 4 there already, .*: turns/fake-device-FAKE-1$' 1
check "one that was alone from the beginning has the model's folder" status 0 runs '' lonely two.json
check "..." test -e lonely/fake-device/two.csv
fake="$scratch/fake --devices 2"
GPUBENCH_ANONYMOUS=1 check "anonymous ones are told apart by their indexes" status 0 runs '' nameless two.json
check "... each its own" test -e nameless/fake-device-1/two.csv -a -e nameless/fake-device-0/two.csv
mkdir -p blocked && touch blocked/fake-device-FAKE-1
check "one that fails does not stop the other, and is the exit status" status 2 runs '' blocked two.json
check "..." is "$(columns blocked/fake-device-FAKE-2/two.csv status | grep -c ok)" 4
check "... and is named" has_lines blocked.said '^  Fake Device (0): not run: no rows' 1

# ---- side by side --------------------------------------------------------------------------------

check "side by side" status 0 runs =side-by-side beside two.json
check "each has its rows" is "$(rows beside two)" "4 4"
check "all were tried first" has_lines beside.said '^  Fake Device (.), good, n=.*, .*: +0.00 %, noise 0.02 %$' 6
check "the meta file says so" grep -qE '"beside":\{"tried":\[.*"how":"sidebyside","devices":\["FakeDevice\(0\)","FakeDevice\(1\)"\]' <(meta beside 2 two)
check "a line says who speaks" has_lines beside.said '^Fake Device (1): \[2/2\] n=1M: 2 ok' 1
factor=1.01
check "what disturbs" status 0 runs =side-by-side crowd two.json
factor=
check "... is measured one after another" has_lines crowd.said '^== device . of 2' 2
check "... with the numbers said" has_lines crowd.said ', good, n=1M, cold: +1.00 %, noise 0.02 %: disturbed; 1e-06 and 1e-06 s alone, 1.01e-06 s beside the others$' 2
check "... and kept" grep -qE '"difference":0.0(1|09999)[0-9]*,.*"how":"oneafteranother","why":"they' <(meta crowd 1 two)
check "... each row is as it is alone" is "$(columns crowd/fake-device-FAKE-2/two.csv time_mean_s | sort -u | wc -l)" 1
mkdir -p quiet/fake-device-FAKE-1/aa quiet/fake-device-FAKE-2/aa
for i in 1 2; do
    printf '%s\n' schema,device,scope,kind,primitive,variant,decade,rows,difference_median,difference_p99,difference_max \
        '1,Fake Device,device,gpu,,,-6,100,0.001,0.02,0.03' >quiet/fake-device-FAKE-$i/aa/noise.csv
done
factor=1.01
check "less than a device's known noise disturbs nobody" status 0 runs =side-by-side quiet two.json
factor=
check "..." has_lines quiet.said ', good, n=.*: +1.00 %, noise 2.00 %$' 6
sed 's/"warmup"/"scope":"host-to-host","warmup"/; s/"two"/"bus"/' two.json >bus.json
check "what shares the bus is not even tried" status 0 runs =side-by-side bus bus.json two.json
check "..." has_lines bus.said '^bus: one device after another: it has rows that carry data over the bus' 1
check "... but others are" has_lines bus.said '^two: side by side on 2 devices' 1
config cpu '"good","host"' '"samples":3'
check "nor what runs on the CPU" status 0 runs =side-by-side cpus cpu.json
check "..." has_lines cpus.said '^cpu: one device after another: it has variants that run on the CPU' 1
check "... but with these filtered out" status 0 runs =side-by-side cpus2 cpu.json --filter 'variant == good'
check "... it is" has_lines cpus2.said '^cpu: side by side on 2 devices' 1
check "with --resume as well" status 0 runs =side-by-side beside two.json --resume
check "..." has_lines beside.said '^  Fake Device (.): complete: 4 there already' 2

# ---- Ctrl-C --------------------------------------------------------------------------------------

# interrupted WAY OUT: it gets stuck and is interrupted; no process is left.
interrupted()
{
    local is=0
    rm -f stuck
    FAKE_STUCK=$scratch/stuck runs "$1" "$2" late.json &
    local run=$!
    await 60 test -e stuck && pkill_children "$run"
    wait $run || is=$?
    is $is 130 && await 60 none_runs "$scratch/fake"
}
# The driver is the child of this shell's part that runs it.
pkill_children()
{
    xargs kill -INT <"/proc/$1/task/$1/children"
}
check "Ctrl-C ends all" interrupted '' stopped
check "... and says what was not begun" has_lines stopped.said '^  Fake Device (1): not begun$' 1
check "side by side as well" interrupted =side-by-side both
check "..." has_lines both.said '^  Fake Device (.): interrupted: ' 2
check "... and all go on" status 0 runs =side-by-side both late.json --resume
check "..." is "$(rows both late)" "4 4"

# ---- make reproduce-all DEVICE=all ---------------------------------------------------------------

mkdir -p tree/scripts tree/configs tree/bin
cp "$root"/scripts/{reproduce,lib}.sh tree/scripts/
echo '{"primitive": "fake"}' >tree/configs/mine.json
echo 'slice.csv fake --what slice' >tree/configs/mine.dumps
cat >tree/bin/gpubench <<'END'
#!/bin/bash
echo "$@" >>calls
[ "$1" = run ] || exit 0
for i in 1 2; do
    mkdir -p results/fake-$i
    echo row >results/fake-$i/mine.csv
    printf '{\n\t"device":\t{\n\t\t"name":\t"Fake",\n\t\t"uuid":\t"FAKE-%s",\n\t\t"index":\t%s\n\t}\n}\n' $i $i >results/fake-$i/mine.meta.json
done
END
chmod +x tree/bin/gpubench
reproduces() { cat tree/calls; grep -qxF -- "$1" tree/calls; }
tree/scripts/reproduce.sh bin all >reproduced 2>&1
check "reproduce.sh runs on all" reproduces "run configs/mine.json --all-devices"
check "... dumps on the first" reproduces "dump fake --what slice --device FAKE-1 --out results/fake-1/dump/slice.csv"
check "... and on the second" reproduces "dump fake --what slice --device FAKE-2 --out results/fake-2/dump/slice.csv"
check "... and reports each" grep -q "figures.*: results/fake-1 results/fake-2; rows" reproduced

# ---- mistakes ------------------------------------------------------------------------------------

check "a mistake in a config is found before anything runs" status 2 runs =side-by-side wrong two.json two.json
check "..." test ! -e wrong
refuses() { ! "$BUILD/gpubench" run two.json --worker "$fake" "${@:2}" >said 2>&1 && { grep -qF -- "$1" said || { cat said; return 1; }; }; }
check "not with --device" refuses "--all-devices and --device exclude each other" --all-devices --device 0
check "not noise side by side" refuses "=side-by-side and --aa exclude each other" --all-devices=side-by-side --aa
check "no other way" refuses 'found "at-once", allowed are side-by-side' --all-devices=at-once
check "not one file for all" refuses "one file cannot hold those of all devices" --all-devices --export nvbench=x.json
finish
