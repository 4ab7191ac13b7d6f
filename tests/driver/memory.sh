#!/bin/bash
# test: fast 4
# Out of memory, wherever that happens, a command ends with a sentence that says so; none prints less than it should and
# calls it a success.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
gpubench=$BUILD/gpubench
fixtures=$root/tests/fixtures
export GPUBENCH_SHARE=$root MEMORY_PROGRAM=gpubench
cd "$scratch" || exit 1
shim=$BUILD/tests/driver/memory_shim.so

# runs_out COMMAND...: at some of the calls for memory, from then on or once; the first ones are all tried.
runs_out()
{
    local calls call mode status
    LD_PRELOAD=$shim MEMORY_COUNT=$scratch/calls "$gpubench" "$@" >whole 2>whole.err </dev/null || { cat whole.err; return 1; }
    calls=$(cat calls)
    for ((call = 1; call <= calls; call += 1 + call / 4)); do
        for mode in on once; do
            unset MEMORY_ONCE
            [ $mode = on ] || export MEMORY_ONCE=1
            status=0
            LD_PRELOAD=$shim MEMORY_AT=$call "$gpubench" "$@" >part 2>err </dev/null || status=$?
            [ $status -gt 0 ] || { cmp whole part && continue; }
            [ $status -gt 0 ] && [ $status -lt 4 ] && grep -qE '(no|enough|of|allocate) memory' err && continue
            echo "call $call of $calls, $mode: exit status $status"
            cat err
            return 1
        done
    done
    [ "$calls" -gt 50 ]
}

check "table" runs_out table "$fixtures/multipartition-fixture.csv"
check "compare" runs_out compare "$fixtures/stencil-fixture.csv" published
check "claims" runs_out claims "$root/results/nvidia-h200/stencil.csv"
check "report" runs_out report "$fixtures/radix-sort-fixture.csv" --no-figures --out report.html
check "list" runs_out list variants --worker "'$fixtures/worker.sh'"
printf '{"schema":1,"name":"some","primitive":"multipartition","variants":["cpu"],"axes":{"n":[1,2]}}' >config.json
check "run" runs_out run config.json --dry-run --device simt

# No thread of the first block gets a stack: nothing has run, and that is no wrong answer.
unmapped()
{
    local status=0
    printf '{"schema":1,"name":"none","primitive":"radix-sort","variants":["cpu-lsd1"],"axes":{"n":["1k"]}}' >none.json
    LD_PRELOAD=$shim MEMORY_PROGRAM=gpubench-simt MEMORY_UNMAPPED=1 "$gpubench" run none.json --device simt --out none 2>err || status=$?
    cat err
    [ $status = 1 ] && grep -q "^out_of_memory: cpu-lsd1 .* no memory for a thread's stack" err
}
unset MEMORY_ONCE
check "a block whose first thread has no stack" unmapped
finish
