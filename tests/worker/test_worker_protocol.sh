#!/bin/bash
# test: fast 2
# The worker gpubench-simt as a process: lines in, lines out, and how it ends.
. "$(dirname "$0")/../harness/lib.sh"
worker=$BUILD/gpubench-simt
if [ ! -x "$worker" ]; then
    skip "worker protocol" "$worker is not built"
    finish
    exit
fi
export SIMT_WORKERS=2

# talk LINE...: one request a line; answers in $scratch/answers, log in $scratch/log, exit status kept.
talk()
{
    printf '%s\n' "$@" | "$worker" >"$scratch/answers" 2>"$scratch/log"
    echo $? >"$scratch/status"
}

# answer NUMBER PATTERN...: the answer on that line has each of the fixed strings.
answer()
{
    local line
    line=$(sed -n "$1p" "$scratch/answers")
    shift
    for pattern; do
        case $line in
        *"$pattern"*) ;;
        *)
            printf 'no %s in: %s\n' "$pattern" "$line"
            cat "$scratch/log"
            return 1
            ;;
        esac
    done
}

ended_with() { [ "$(cat "$scratch/status")" = "$1" ]; }
lines_are() { [ "$(wc -l <"$scratch/answers")" = "$1" ]; }
has_no() { ! grep -q "$1" "$scratch/answers"; }

# params N: a small point of multipartition.
params()
{
    echo "{\"n\":\"$1\",\"bins\":\"37\",\"dist\":\"uniform\",\"function\":\"range\",\"payload\":\"none\",\"type\":\"u32\"}"
}

# open_job JOB VARIANT PARAMS [CACHE [SCOPE]]
open_job()
{
    echo "{\"cmd\":\"open\",\"job\":$1,\"primitive\":\"multipartition\",\"variant\":\"$2\"," \
        "\"params\":$3,\"seed\":1,\"cache\":\"${4:-warm}\",\"scope\":\"${5:-device}\"}" | tr -d ' '
}

# ---- a whole conversation ------------------------------------------------------------------------
talk '{"cmd":"describe"}' '{"cmd":"select","device":0}' "$(open_job 1 cpu "$(params 10007)")" \
    '{"cmd":"verify","job":1}' '{"cmd":"sample","job":1,"count":3}' '{"cmd":"verify","job":1}' \
    '{"cmd":"telemetry"}' '{"cmd":"close","job":1}' '{"cmd":"quit"}' '{"cmd":"describe"}'
check "describe: protocol, backend, device" answer 1 '"cmd":"describe"' '"ok":true' '"protocol":2' \
    '"backend":"simt"' '"slug":"simt"' '"usable":true'
check "describe: the primitive, its axes and variants" answer 1 '"name":"multipartition"' \
    '"name":"bins"' '"name":"cpu"' '"nasty":['
check "select: ceilings without a bandwidth" answer 2 '"ok":true' '"ceilings":{' '"timer_s":'
check "open: the work" answer 3 '"ok":true' '"job":1' '"items":10007' '"bytes":' '"footprint":' \
    '"busy_s":'
check "verify: ok" answer 4 '"job":1' '"verdict":"ok"' '"busy_s":'
check "sample: three times" grep -qE '"times_s":\[[0-9.e-]+,[0-9.e-]+,[0-9.e-]+\]' "$scratch/answers"
check "verify again after samples" answer 6 '"verdict":"ok"'
check "telemetry of a device without" answer 7 '"cmd":"telemetry"' '"ok":true'
check "close" answer 8 '"cmd":"close"' '"ok":true'
check "quit: answered, nothing after it" lines_are 9
check "quit: exit status 0" ended_with 0

# ---- a kernel, shared points, cold cache, host-to-host -------------------------------------------
talk '{"cmd":"select","device":0}' "$(open_job 1 multipartition "$(params 5003)" cold)" \
    "$(open_job 2 cpu "$(params 5003)")" "$(open_job 3 multipartition "$(params 5003)" warm host-to-host)" \
    '{"cmd":"verify","job":1}' '{"cmd":"close","job":1}' '{"cmd":"verify","job":2}' \
    '{"cmd":"verify","job":3}' '{"cmd":"sample","job":3,"count":2}'
check "a kernel is verified" answer 5 '"verdict":"ok"'
check "the point outlives the first of its jobs" answer 7 '"verdict":"ok"'
check "host-to-host is verified" answer 8 '"verdict":"ok"'
check "host-to-host is sampled" answer 9 '"times_s":['
check "end of input with open jobs: exit status 0" ended_with 0

# ---- refusals ------------------------------------------------------------------------------------
good=$(params 100)
talk 'not json' '{"cmd":"dance"}' '{"cmd":"verify","job":7}' "$(open_job 1 cpu "$good")" \
    '{"cmd":"select","device":5}' '{"cmd":"select","device":0}' \
    "$(open_job 1 cpu "${good/37/0}")" "$(open_job 1 cpu "${good/uniform/odd}")" \
    "$(open_job 1 cpu '{"n":"1"}')" "$(open_job 1 cpu "${good/bins/bin}")" \
    "$(open_job 1 none "$good")" "$(open_job 1 cub-radix-sort "$good")" "$(open_job 1 cpu "$good")"
check "malformed JSON" answer 1 '"ok":false' '"status":"protocol"' 'not JSON'
check "unknown cmd" answer 2 '"cmd":"dance"' '"status":"protocol"' 'unknown cmd'
check "unknown job" answer 3 '"job":7' '"status":"protocol"' 'no job 7'
check "open before select" answer 4 '"status":"protocol"' 'select a device first'
check "no such device" answer 5 '"status":"unsupported"' 'no device 5'
check "a size out of range" answer 7 '"status":"protocol"' 'params.bins'
check "a name that is none" answer 8 '"status":"protocol"' 'params.dist' 'uniform, '
check "axes left out" answer 9 '"status":"protocol"' 'is missing'
check "an axis that is none" answer 10 '"status":"protocol"' 'params.bin is no axis'
check "a variant that is none" answer 11 '"status":"protocol"' 'no variant'
check "a variant for CUDA only" answer 12 '"status":"unsupported"' '"reason":"'
check "and still serves" answer 13 '"ok":true' '"items":100'

# ---- memory --------------------------------------------------------------------------------------
SIMT_MEMORY=1000000 talk '{"cmd":"select","device":0}' "$(open_job 1 multipartition "$(params 1M)")" \
    "$(open_job 2 multipartition "$(params 1000)")" '{"cmd":"verify","job":2}'
check "out of memory is refused with a reason" answer 2 '"ok":false' '"status":"out_of_memory"' '"reason":"'
check "out of memory is not fatal" has_no '"fatal"'
check "a smaller point still fits" answer 4 '"verdict":"ok"'

# ---- lines and ends ------------------------------------------------------------------------------
"$worker" </dev/null >"$scratch/answers" 2>"$scratch/log"
echo $? >"$scratch/status"
check "empty input: exit status 0" ended_with 0
check "empty input: no answer" lines_are 0
printf '{"cmd":"describe"}' | "$worker" >"$scratch/answers" 2>"$scratch/log"
check "a last line without its end" answer 1 '"ok":true'
{
    head -c 68000000 /dev/zero | tr '\0' x
    printf '\n{"cmd":"describe"}\n'
} | "$worker" >"$scratch/answers" 2>"$scratch/log"
check "a line over 64 MiB is refused" answer 1 '"status":"protocol"' 'longer than'
check "and the next one answered" answer 2 '"cmd":"describe"' '"ok":true'
{
    printf '{"cmd":"work","primitive":"multipartition","points":['
    for ((i = 0; i < 20000; i++)); do printf '%s,' "$good"; done
    printf '%s]}\n' "$good"
} | "$worker" >"$scratch/answers" 2>"$scratch/log"
check "a line of megabytes is answered" answer 1 '"ok":true' '"work":[[100,'
yes '{"cmd":"describe"}' | head -n 200 | "$worker" 2>"$scratch/log" | head -n 1 >"$scratch/answers"
check "a reader that goes away is no crash" [ "${PIPESTATUS[2]}" -lt 128 ]

# ---- for people ----------------------------------------------------------------------------------
check "--help" grep -q 'gpubench-simt --describe' <("$worker" --help)
check "--describe" grep -q '"backend":' <("$worker" --describe)
"$worker" --nonsense >"$scratch/answers" 2>"$scratch/log"
echo $? >"$scratch/status"
check "an unknown argument: exit status 2" ended_with 2
check "an unknown argument is named" grep -q -- '--nonsense' "$scratch/log"
# ---- profile -------------------------------------------------------------------------------------

talk '{"cmd":"select","device":0}' "$(open_job 1 multipartition "$(params 1000)")" '{"cmd":"profile","job":1}' \
    '{"cmd":"verify","job":1}' "$(open_job 2 cpu "$(params 1000)")" '{"cmd":"profile","job":2}' '{"cmd":"profile","job":3}' \
    "$(open_job 4 multipartition "$(params 1000)" cold)" '{"cmd":"profile","job":4}'
check "profile: a run like any other" answer 3 '"ok":true' '"job":1' '"busy_s":'
check "... after which the answer is right" answer 4 '"verdict":"ok"'
check "profile of what runs on the CPU" answer 6 '"status":"unsupported"' "a profiler of GPUs sees nothing"
check "profile of a job that is not open" answer 7 '"status":"protocol"' "no job 3 is open"
check "profile with a cold cache" answer 9 '"ok":true' '"job":4'

finish
