#!/bin/bash
# test: thorough 8
# A limit on device memory, as a user sets it, and the sort that goes beyond it: plan, rows, meta
# file, resuming; on the simt device.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
config=$root/configs/radix-sort-out-of-core.json

planned()
{
    "$gpubench" run "$config" --device simt --dry-run >plan.txt &&
        grep -qF 'device memory: at most 128 KiB (131072 bytes) for each job' plan.txt &&
        "$gpubench" run "$config" --device simt --full --dry-run >plan.txt &&
        grep -qF 'device memory: at most 256 MiB (268435456 bytes) for each job' plan.txt
}
check "the plan tells of the limit" planned
# 3 sizes of 2 distributions: the two larger ones do not fit, except for the sort in chunks.
runs()
{
    "$gpubench" run "$config" --device simt --out out >log.txt 2>&1
    [ $? = 1 ] && [ "$(grep -c ',onesweep-out-of-core,.*,ok,' out/radix-sort-out-of-core.csv)" = 6 ] &&
        [ "$(grep -c ',onesweep,.*,ok,' out/radix-sort-out-of-core.csv)" = 2 ] &&
        [ "$(grep -c ',onesweep,.*,out_of_memory,' out/radix-sort-out-of-core.csv)" = 4 ]
}
check "beyond the limit the sort in chunks is ok, the others are out of memory" runs
says()
{
    grep -qF 'the input: 131088 bytes of device memory needed, 131072 free: measure.device_memory allows this job 131072 bytes, of which it uses 0 already' \
        out/radix-sort-out-of-core.csv
}
check "a row says what was needed, allowed and free" says
recorded() { grep -qE '"device_memory":[[:space:]]*131072' out/radix-sort-out-of-core.meta.json; }
check "the meta file has the limit" recorded
resumes()
{
    "$gpubench" run "$config" --device simt --out out --resume >log.txt 2>&1
    [ $? = 1 ] && grep -qF 'nothing to measure' log.txt # 1: rows that failed are there
}
check "a run under the same limit is resumed" resumes
sed 's/"128Ki"/"256Ki"/' "$config" >other.json
refuses()
{
    "$gpubench" run other.json --device simt --out out --resume >log.txt 2>&1
    [ $? = 2 ] && grep -qF 'it was measured with measure.device_memory 131072, this run has 262144' log.txt
}
check "a run under another limit is not" refuses
cat >uncounted.json <<'EOT'
{ "schema": 1, "name": "uncounted", "primitive": "multipartition", "variants": ["cpu"],
  "axes": { "n": [100] }, "measure": { "samples": 1, "device_memory": "1Mi" } }
EOT
uncounted()
{
    "$gpubench" run uncounted.json --device simt --out out >log.txt 2>&1 &&
        grep -qF 'multipartition does not count its device memory: leave out measure.device_memory' \
            out/uncounted.csv
}
check "a primitive that does not count its memory says so" uncounted
resident()
{
    sed 's/"host-to-host"/"device"/' "$config" >resident.json
    "$gpubench" run resident.json --device simt --out resident >log.txt 2>&1
    [ "$(grep -c 'onesweep-out-of-core has its data in host memory and moves them itself: use scope host-to-host' \
        resident/radix-sort-out-of-core.csv)" = 6 ]
}
check "a variant that moves its data has no scope device" resident
bus()
{
    "$gpubench" run "$root/configs/null-bus.json" --device simt --out out >log.txt 2>&1 &&
        [ "$(grep -c ',round-trip,.*,host-to-host,ok,' out/null-bus.csv)" = 2 ]
}
check "the round trip over the bus is ok" bus
finish
