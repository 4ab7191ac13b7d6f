#!/bin/bash
# test: fast
# What a worker tells of a job beside its times: which instance of a variant ran, what each of several took, what
# its kernels need, and how many blocks it launched, in the row and in the meta file.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
fake=$BUILD/tests/driver/fake_worker
# config NAME VARIANTS
config()
{
    printf '{"schema": 1, "name": "%s", "title": "t", "primitive": "fake", "variants": [%s], "axes": {"n": [100, 100000]},
      "measure": {"samples": 20, "warmup": 0, "cache": "warm", "time_limit_s": 20}, "seed": 1}\n' "$1" "$2" >"$1.json"
}
# field FILE VARIANT N COLUMN
field()
{
    awk -F, -v variant="$2" -v n="$3" -v column="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == variant && $at["n"] == n { print $at[column] }' "$1"
}
is() { [ "$1" = "$2" ] || { echo "    '$1' is not '$2'"; return 1; }; }

config told '"good", "told"'
check "it runs" "$gpubench" run told.json --worker "$fake" --out out
csv=out/told.csv meta=out/told.meta.json
check "the row names the instance" grep -qE ',told,instance of [0-9]+,,fake,' $csv
check "a variant that has none has a blank" is "$(field $csv good 100 instance)" ""
check "2000 blocks are the limit of 100 things" is "$(field $csv told 100 limit_kind)" blocks
check "at 10^9 blocks a second" is "$(field $csv told 100 limit_rate)" 50000000
check "not of 100000, whose bytes take longer" is "$(field $csv told 100000 limit_kind)" bandwidth
check "what launches unknown many has its bytes alone" is "$(field $csv good 100 limit_kind)" bandwidth
tr -d ' \n\t' <$meta >meta.txt
check "what each instance took is in the meta file" grep -qF '"instances":[{"name":"this","median_s":1e-06},{"name":"that","reason":"no"}]' meta.txt
check "so are the kernels, each once, with the first point" is "$(grep -oF '"registers":74' meta.txt | wc -l)" 1
check "and with the variant" grep -qE '"name":"sweep<int>","threads":384,"registers":74,"local_bytes":0,"shared_bytes":16,"blocks_per_sm":2,"variant":"told","instance":"instanceof[0-9]+","point":"n=100;shape=round"' meta.txt

# A worker that dies of another variant takes the open job with it: the samples that were taken are kept.
config again '"told", "die-sample"'
"$gpubench" run again.json --worker "$fake" --out out >again.out 2>&1
check "a job that was opened again names both instances" grep -qE ',told,"instance of [0-9]+, then instance of [0-9]+",,fake,' out/again.csv
finish
