#!/bin/bash
# test: thorough turns 47
# A run of several workers: what its own worker has not is measured by the OpenCL worker, if that one has the
# same device. The GPU's worker is a stand-in here, the simt worker under the name and with the UUID of
# what PoCL has.
. "$(dirname "$0")/../worker/lib_opencl.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
mkdir "$scratch/workers" "$scratch/no-vendors"
cp "$BUILD/gpubench-opencl" "$scratch/own-opencl" # under a name that no other test has
export GPUBENCH_WORKER_PATH=$scratch/workers NO_COLOR=1
driver=$BUILD/gpubench
cd "$scratch" || exit 1

uuid=$("$BUILD/gpubench-opencl" --describe | sed -nE 's/.*"uuid":.*"opencl-([0-9a-f-]+)".*/\1/p' | head -n 1)
# gpu UUID: the stand-in for a GPU's worker. What it says of itself is edited, all else is as it was.
gpu()
{
    cat >workers/gpubench-cuda <<END
#!/bin/bash
exec '$BUILD/gpubench-simt' > >(exec sed -uE 's/"backend":"simt"/"backend":"cuda"/
    s/"name":"[^"]*","slug":"simt","uuid":"simt"/"name":"Stand-in","slug":"stand-in","uuid":"GPU-$1"/')
END
    chmod +x workers/gpubench-cuda
}
# opencl COMMAND...: an OpenCL worker; the commands run at each of its starts, \$start being the how manieth.
opencl()
{
    cat >workers/gpubench-opencl <<END
#!/bin/bash
echo started >>'$scratch/starts'
start=\$(wc -l <'$scratch/starts')
$*
exec '$scratch/own-opencl' "\$@"
END
    chmod +x workers/gpubench-opencl
    rm -f starts
}
# at_sample COMMAND...: for opencl: at a request for samples, while there is a file "fatal", the commands come
# before it is passed on.
at_sample()
{
    cat <<END
if [ \$start -gt 1 ]; then
    while read -r line; do
        case \$line in *'"cmd":"sample"'*) if [ -e '$scratch/fatal' ]; then $*; fi ;; esac
        printf '%s\n' "\$line"
    done | '$scratch/own-opencl'
    exit
fi
END
}
# config ORDER SIZES
config()
{
    cat >both.json <<END
{ "schema": 1, "name": "both", "title": "OpenCL and another", "primitive": "radix-sort",
  "variants": ["opencl-lsd1", "lsd1", "opencl-lsd1-first-call", "cpu-lsd1"], "baseline": "cpu-lsd1",
  "axes": { "n": [$2] },
  "measure": { "samples": 3, "warmup": 1, "time_limit_s": ${limit_s:-60}, "scope": ["host-to-host", "device"], "cache": "warm", "order": "$1" } }
END
}
runs() { "$driver" run both.json --device 0 --out out "$@"; }
# row VARIANT STATUS: how many rows of the variant have the status.
row() { awk -F, -v variant="$1" -v status="$2" '$5 == variant && index($0, "," status ",")' out/both.csv | wc -l; }
is() { [ "$1" = "$2" ] || { echo "'$1', not '$2'"; return 1; }; }

# ---- rows of both --------------------------------------------------------------------------------

gpu "$uuid"
opencl "! ls -l /proc/[0-9]*/exe 2>/dev/null | grep -q '$scratch/own-opencl' || echo another >>'$scratch/starts'"
config interleaved "33, 4097"
check "the plan says who measures what" says 0 \
    "measured after the others, by another worker: opencl-lsd1 opencl-lsd1-first-call (gpubench-opencl, " runs --dry-run
check "both workers' rows" says 0 "12 ok" runs
check "in the order in which they were measured" is "$(awk -F, 'NR < 8 { print $5 }' out/both.csv | xargs)" \
    "variant lsd1 cpu-lsd1 lsd1 opencl-lsd1 opencl-lsd1-first-call opencl-lsd1"
check "of one device" is "$(columns out/both.csv device | sort -u)" Stand-in
check "each with its own back-end" is "$(paste -d ' ' <(columns out/both.csv variant) <(columns out/both.csv backend) | sort -u | xargs)" \
    "cpu-lsd1 cuda lsd1 cuda opencl-lsd1 opencl opencl-lsd1-first-call opencl"
check "what moves its own data has one of two scopes" is "$(row opencl-lsd1-first-call ok)" 2
check "samples of both" is "$(cut -d, -f3 out/both.samples.csv | sort | uniq -c | xargs)" \
    "6 cpu-lsd1 12 lsd1 12 opencl-lsd1 6 opencl-lsd1-first-call 1 variant"
check "the OpenCL worker is there for its rows alone: asked by both commands, then once a point" is \
    "$(sort starts | uniq -c | xargs)" "4 started"
meta() { tr -d '\n\t ' <out/both.meta.json | grep -oE "\"$1\":\{.*" | head -c 400; }
check "the meta file names both: its own worker" grep -q '"backend":"cuda"' <(meta worker)
check "and the other one" grep -q '"backend":"opencl"' <(meta other_worker)
check "with the platform" grep -qE '"toolkit":"OpenCL' <(meta other_worker)
check "tables set them side by side" says 0 "Speed-up, OpenCL" "$driver" table out/both.csv
check "a run that is resumed takes both as they are" says 0 "12 rows were there already" runs --resume
rm -r out
check "some rows first" says 0 "6 ok" runs --filter 'n == 33'
check "the others when it is resumed" says 0 "6 ok (6 rows were there already" runs --resume

# ---- the other worker dies -----------------------------------------------------------------------

for order in interleaved sequential; do
    rm -rf out
    config $order 33
    # shellcheck disable=SC2016
    opencl "$(at_sample 'kill -9 $$; exit')" # nor is the request passed on by the loop, which is not $$
    touch fatal
    check "$order: one that dies is told by its rows" says 1 "3 ok, 3 crashed" runs
    check "and how" grep -q "opencl-lsd1,.*,crashed,.*ended by signal 9" out/both.csv
    check "the run's own rows are there" is "$(row lsd1 ok) $(row cpu-lsd1 ok)" "2 1"
    rm fatal
    check "they are measured when it is resumed" says 0 "3 ok (3 rows were there already" runs --resume --retry
done
rm -rf out
limit_s=5 config interleaved 33
opencl "$(at_sample sleep 1000)"
touch fatal
check "one that hangs has its time limit" says 1 "1 timeout" runs --filter 'variant == opencl-lsd1-first-call'
rm -rf out
config interleaved 33
opencl "$(at_sample "touch '$scratch/sampling'; sleep 120")"
"$driver" run both.json --device 0 --out out >interrupted.out 2>&1 &
await 60 test -e sampling
kill -TERM $!
status=0
wait $! || status=$?
check "a run that is interrupted meanwhile ends" is "$status" 130
check "and no worker is left" await 60 none_runs "$scratch/own-opencl"
rm fatal
check "and goes on" says 0 "3 ok (3 rows were there already" runs --resume
rm -rf out
# shellcheck disable=SC2016
opencl '[ $start = 1 ] || exit 7'
config interleaved "33, 4097"
check "one that does not come up again is told by its rows" says 1 "6 ok, 6 crashed" runs
check "and why" grep -qE "opencl-lsd1,.*,crashed,gpubench-opencl: no new worker in 6 attempts .*exit status 7" out/both.csv
check "it is waited for once" is "$(wc -l <starts)" 7

# ---- no other worker -----------------------------------------------------------------------------

# lacks NAME TEXT COMMAND...: with the command done the rows are unsupported and say so.
lacks()
{
    rm -rf out
    "${@:3}"
    check "$1" says 0 "3 ok, 3 unsupported" runs
    check "$1: the run says why" grep -qF "stay unsupported: $2" "$scratch/said"
    check "$1: so do the rows" grep -qF "unsupported,needs the OpenCL worker: run it with --device opencl ($2" <(tr -d '"' <out/both.csv)
}
opencl
config interleaved 33
lacks "another device" "gpubench-opencl sees no device with the UUID of this one" gpu 0badcafe
gpu "$uuid"
export OCL_ICD_VENDORS=$scratch/no-vendors
lacks "no platform" "gpubench-opencl: no OpenCL platform: install" true
export OCL_ICD_VENDORS=$pocl
lacks "no such worker" "there is no gpubench-opencl here: install opencl-headers" rm workers/gpubench-opencl
opencl
rm -rf out
check "--worker names all there is" says 0 "3 ok, 3 unsupported" runs --worker workers/gpubench-cuda
rm -rf out
cp "$BUILD/gpubench-simt" workers/
check "OpenCL on the CPU is no part of a run on the simt device" says 0 "3 ok, 3 unsupported" \
    "$driver" run both.json --device simt --full --out out
check "nor is there a word about it" sh -c "! grep -q 'stay unsupported' '$scratch/said'"
finish
