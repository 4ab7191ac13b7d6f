#!/bin/bash
# test: fast 3
# A variant that changes its worker for good has one of its own, in `check` and in `run`; others share one.
. "$(dirname "$0")/../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

cat >worker <<END
#!/bin/sh
echo started >>'$scratch/starts'
exec '$BUILD/gpubench-simt' "\$@"
END
chmod +x worker

# starts WANTED COMMAND...: the command succeeds and starts so many workers.
starts()
{
    rm -f starts
    "${@:2}" || return 1
    [ "$(wc -l <starts)" = "$1" ]
}
checks() { "$gpubench" check dynamic-array --worker ./worker --device simt --case n=33,grid=blocks:1 "$@"; }
config()
{
    printf '{ "schema": 1, "name": "fresh", "title": "t", "primitive": "dynamic-array", "variants": [%s],
        "axes": { "n": [33, 97], "grid": ["blocks:1"] }, "measure": { "samples": 2, "warmup": 1, "order": "%s" } }' "$2" "$1" >fresh.json
}
runs() { rm -rf out && "$gpubench" run fresh.json --worker ./worker --device simt --full --out out; }

check "check: others share a worker" starts 1 checks --variant static --variant static-warp --variant growable
check "check: one that needs its own has it, and leaves it to nobody" \
    starts 3 checks --variant cpu --variant lfvector-busy-wait --variant static --variant growable
for order in interleaved sequential; do
    config $order '"static", "growable"'
    check "run, $order: others share a worker" starts 1 runs
    # for each of two points
    config $order '"static", "lfvector-busy-wait"'
    check "run, $order: one that needs its own has it" starts 4 runs
done
finish
