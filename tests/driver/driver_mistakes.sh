#!/bin/bash
# test: fast 7
# What the commands answer to mistakes and trouble that is no fault of a measurement: options that make
# no sense, workers that are missing, dead or different from one start to the next.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
stand_in=$root/tests/fixtures/worker.sh
fake=$BUILD/tests/driver/fake_worker

# says STATUS PATTERN ARGUMENT...: gpubench exits so and prints the pattern (fixed text) somewhere.
says()
{
    local status=$1 pattern=$2 got=0
    shift 2
    timeout 60 "$gpubench" "$@" >out 2>err </dev/null || got=$?
    cat out err
    [ $got = "$status" ] || { echo "exit status $got"; return 1; }
    grep -qF -- "$pattern" out err
}
lacks_text() { cat out err && ! grep -qF -- "$1" out err; }
also() { cat out err && grep -qF -- "$1" out err; }

# ---- options --------------------------------------------------------------------------------------

check "an option that could be two" says 2 "--re is the beginning of more than one option" run --re
check "a seed that is none" says 2 "--seed x: a size begins with a digit" check --seed x
check "--hooks and --worker" says 2 "--hooks means the worker gpubench-simt-hooks: leave out --worker" \
    check --hooks --worker "$stand_in" --schedules 3
check "a worker's command that is too long" says 3 "--worker: more than 4095 bytes" \
    info --worker "$(printf 'x%.0s' $(seq 4096))"
for command in "check multipartition" "list variants" "list primitives" "info --json"; do
    read -ra words <<<"$command"
    check "$command without a worker" says 3 "cannot start the worker '/no/such'" "${words[@]}" --worker /no/such
done
check "info --json of a worker that is missing is JSON" grep -q '"error":.*/no/such' out
check "list variants of no device" says 3 'no usable device "7"' list variants --worker "$stand_in" --device 7

# ---- workers that end -----------------------------------------------------------------------------

check "a device that cannot be selected: check" says 3 "the worker ended at \`select\`" \
    check fake --worker "'$fake' die-select"
check "info" says 3 "the worker ended at \`select\`" info --worker "'$fake' die-select"
check "a job that cannot be closed has failed" says 1 "FAILED fake/die-close: 0 ok, 6 failed" \
    check fake --worker "'$fake'" --variant die-close
check "in the words of its close" also "crashed fake/die-close: the worker ended at \`close\`"
check "a worker that cannot be started again ends the check" says 1 "signal 11" \
    check fake --worker "'$fake' --from 2 '$scratch/starts' die-describe" --variant die-open --variant good
check "which says what was not run" also "not run"

# ---- check ----------------------------------------------------------------------------------------

simt="'$BUILD/gpubench-simt'"
check "where nothing could run, nothing has passed, under schedules as well" says 1 "nothing was tested" \
    check multipartition --worker "$simt" --variant multisplit --case n=33,bins=100000 --schedules 2
check "and why is said" also \
    "untested multipartition/multisplit: 0 ok under 2 schedules, 1 unsupported: multisplit as published handles"
mistakes() # PRIMITIVE ALLOWED VALUE...: no command takes an argument that cannot be right.
{
    local primitive=$1 allowed=$2 value variant=cpu
    [ "$primitive" != radix-sort ] || variant=lsd1
    shift 2
    for value; do
        says 2 "$allowed" check "$primitive" --worker "$simt" --quick --case "$value" || return 1
        printf '{"schema":1,"name":"m","primitive":"%s","variants":["%s"],"points":[{"%s":"%s"}]}' \
            "$primitive" $variant "${value%%=*}" "${value#*=}" >m.json
        says 2 "$allowed" run m.json --worker "$simt" --out m && says 2 "$allowed" run m.json --worker "$simt" --dry-run &&
            [ ! -e m ] || return 1
    done
}
check "a distribution's argument that is none" mistakes multipartition "dist '" dist=distinct:abc dist=distinct:0 \
    dist=binomial:0:0.5 dist=binomial:8:2
check "the same of sorts, and bits" mistakes radix-sort "'" dist=distinct:-1 bits=range:9-8 bits=range:0-65 \
    bits=range:a-b
check "bits that another type has are only unsupported" says 1 "untested radix-sort/lsd1: 0 ok, 1 unsupported: bits" \
    check radix-sort --worker "$simt" --variant lsd1 --case n=9,bits=range:0-64
check "a grid's blocks" mistakes dynamic-array "grid '" grid=blocks:0 grid=blocks:x
check "a grid's multiprocessors, and copies" mistakes octree "'" grid=sms:0 dist=duplicates:0 dist=duplicates:1e3
check "a file that is not there" mistakes octree "/none.npy: cannot be opened" dist=file:/none.npy
check "one schedule" says 0 "1 ok under this schedule" \
    check multipartition --worker "$simt" --variant multisplit --case n=33 --schedule policy=random,seed=1
# the worker of the hooks build is not there, and is
mkdir bare hooked && cp "$BUILD/tests/gpubench-simt" bare && cp "$BUILD/tests/gpubench-simt" hooked && cp "$BUILD/tests/gpubench-simt-hooks" hooked
export GPUBENCH_WORKER_PATH=$PWD/bare
check "a check says what it did not look for" says 0 "not looked for: other orders of the threads, missing fences, races" \
    check planted --device simt --variant last-block
check "so do schedules without hooks" says 0 "not looked for: missing fences, races of plain loads and stores; \`make simt-hooks\`" \
    check planted --device simt --variant last-block --case n=256 --schedules 20
read -ra command < <(grep -o "check --hooks .*" out)
check "nor do they follow one that needs hooks" says 2 "volatile, plain and weak need --hooks (make simt-hooks)" \
    check planted --device simt --variant last-block --schedule policy=random,weak=9
check "of another worker no command is said" says 0 "(--worker is none of a hooks build: docs/simt.md)" \
    check planted --worker "'$PWD/bare/gpubench-simt'" --variant last-block --schedules 2
export GPUBENCH_WORKER_PATH=$PWD/hooked
check "the command that looks finds it" says 1 "wrong planted/last-block: " "${command[@]}"
check "as do schedules by themselves" says 1 "wrong planted/last-block: " check planted --device simt --variant last-block --schedules 20
check "whose replay takes hooks, too" also "check planted --hooks --device simt --variant last-block"
check "nothing is left to say then" says 0 "passed planted/last-block-sound: 1 ok under 20 schedules" \
    check planted --device simt --variant last-block-sound --schedules 20
check "nothing is said" lacks_text "not looked for"
touch -d '1 hour ago' hooked/gpubench-simt-hooks
check "hooks of before are told" says 0 "note: gpubench-simt-hooks is older than gpubench-simt" \
    check planted --device simt --variant last-block-sound --schedules 2
unset GPUBENCH_WORKER_PATH
check "a seed that JSON's numbers do not hold" says 0 "passed multipartition/cpu" \
    check multipartition --worker "$simt" --variant cpu --quick --seed 18446744073709551615
check "--verbose shows what a worker says" says 1 "worker: about to die" \
    check fake --worker "'$fake'" --variant die-sample --variant die-open --quick --verbose
check "which is kept for the reason otherwise" also "the worker's log ends: about to die"

# ---- info -----------------------------------------------------------------------------------------

mkdir hot && cp "$root"/tests/fixtures/{worker.sh,describe.json} hot && spoil hot/worker.sh '*' '"throttle":[]' '"throttle":["power-cap"]'
check "why a device is slower than it could be" says 0 "power-cap" info --worker "$PWD/hot/worker.sh"
check "a spin that is missing" says 0 "has no variant spin" info --worker "'$BUILD/tests/driver/fake_null' few"
check "a copy without room" says 0 "no room for a copy" info --worker "'$BUILD/tests/driver/fake_null' full"
check "a launch that could not be measured" says 1 "not measured: " info --worker "'$BUILD/tests/driver/fake_null' dies-early"
check "and in JSON" says 1 '"reason":' info --json --worker "'$BUILD/tests/driver/fake_null' dies-early"

# ---- run ------------------------------------------------------------------------------------------

config='{"schema":1,"name":"c","primitive":"fake","variants":["good"],"axes":{"n":[1000]}}'
echo "$config" >c.json
check "the plan of automatic sampling" says 0 "until the 95% interval is within " \
    run c.json --worker "'$fake'" --samples auto --dry-run
check "a plan whose work the worker does not say" says 3 "the worker ended at \`work\`" \
    run c.json --worker "'$fake' die-work" --dry-run
check "the interval of one sample" says 0 "that of one sample is unknown" \
    run c.json --worker "'$fake'" --samples 1 --out res
check "a config that cannot be read" says 2 "/proc/self/mem: cannot be read: Input/output error" \
    run /proc/self/mem --worker "'$fake'"
# The pipe is open for a while before anything comes through it.
mkfifo pipe
(exec 3>pipe && sleep 0.5 && echo "$config" >&3) &
check "a config that comes slowly, through a pipe" says 0 "1 points x 1 variants" \
    run pipe --worker "'$fake'" --dry-run
finish
