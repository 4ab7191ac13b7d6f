#!/bin/bash
# test: thorough 9
# Sorts in a process of their own: what makes one fail is told, none is left behind, and one that does
# nothing is no sort.
. "$(dirname "$0")/../../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../../harness/lib_rows.sh"
driver=$BUILD/gpubench worker=$BUILD/gpubench-simt
cd "$scratch" || exit 1

# says STATUS TEXT COMMAND...
says()
{
    local status=0
    "${@:3}" >said 2>&1 || status=$?
    cat said
    [ "$status" = "$1" ] && grep -qF -- "$2" said
}
# config MEASURE
config()
{
    cat >first.json <<END
{ "schema": 1, "name": "first", "title": "First calls", "primitive": "radix-sort",
  "variants": ["lsd1", "lsd1-first-call"], "axes": { "n": [20000] },
  "measure": { "samples": 3, "warmup": 0, "scope": ["host-to-host", "device"], "cache": "warm", $1 "order": "interleaved" } }
END
}
runs() { "$driver" run first.json --device simt --full --out out; }

check "every type, a payload, few bits" says 0 "3 ok" "$driver" check radix-sort --device simt --variant lsd1-first-call \
    --case n=4097,type=f32,order=descending --case n=1,type=u64,payload=u32 --case n=0
config ""
check "beside another variant" says 0 "3 ok" runs
# mean VARIANT: the mean time from host memory to host memory.
mean() { awk -F, -v variant="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["variant"] == variant && $at["scope"] == "host-to-host" { print $at["time_mean_s"] }' out/first.csv; }
check "takes longer than the sort that it contains" awk "BEGIN { exit !($(mean lsd1-first-call) > $(mean lsd1)) }"
config '"device_memory": "300k",'
check "what the process says reaches the row" says 1 "out_of_memory" runs
check "with its words" grep -q "lsd1-first-call|out_of_memory|.*in a fresh process: .*measure.device_memory allows" <(rows out/first.csv)
check "most keys" says 1 "1 unsupported: what a first call costs" "$driver" check radix-sort --device simt --variant lsd1-first-call --case n=134217729
check "nobody starts one by hand" says 1 "is how a worker starts itself" "$worker" --fresh-run radix-sort lsd1 0 1

# ---- processes that end --------------------------------------------------------------------------

# A worker that has been asked to verify a sort of many keys, and its process, once there is one.
sorting()
{
    mkfifo requests
    "$worker" <requests >answers 2>log &
    pid=$!
    exec 9>requests
    rm requests
    printf '%s\n' '{"cmd":"select","device":0,"ceilings":false}' \
        '{"cmd":"open","job":1,"primitive":"radix-sort","variant":"lsd1-first-call","params":{"n":"60000000","dist":"uniform","type":"u32","payload":"none","order":"ascending","bits":"all"},"seed":1,"cache":"warm","scope":"host-to-host"}' \
        '{"cmd":"verify","job":1}' >&9
    await 60 found_child
}
found_child()
{
    child=$(grep -lE "^PPid:[[:space:]]$pid$" /proc/[0-9]*/status 2>/dev/null | grep -oE '[0-9]+' | head -n 1)
    [ -n "$child" ] && tr '\0' ' ' <"/proc/$child/cmdline" | grep -q fresh-run
}

check "a worker's process" sorting
kill -9 "$child"
exec 9>&-
status=0
wait "$pid" || status=$?
check "is missed where it is killed: the worker ends" test "$status" = 1
check "and says how" grep -q '"cmd":"verify".*the fresh process was ended by signal 9 (Killed)' answers
check "another one" sorting
kill -9 "$pid"
exec 9>&-
check "ends with its worker" await 10 gone "$child" # long before it has sorted
finish
