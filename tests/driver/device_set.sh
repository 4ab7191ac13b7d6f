#!/bin/bash
# test: fast 5
# A device that is a set (--device 0,1 and all): which lists are taken and which are refused, and that rows, folder, meta
# file and a worker that replaces another have the set. The devices are those of a fake worker.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
export NO_COLOR=1 GPUBENCH_SHARE=$root
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench fake="$BUILD/tests/driver/fake_worker --devices 3"
cat >pair.json <<'END'
{ "schema": 1, "name": "pair", "primitive": "fake", "variants": ["good", "other"], "axes": { "n": [100, 1000] },
  "measure": { "samples": 3, "warmup": 0 } }
END
on() { "$gpubench" run pair.json --worker "$fake" --device "$@" >out 2>err; }
exits() { local status=0; "${@:3}" >out 2>err || status=$?; cat err; [ "$status" = "$1" ] && grep -qF -- "$2" err; }
lists() { exits "$1" "$3" "$gpubench" run pair.json --worker "${worker:-$fake}" --device "$2" --out none "${@:4}"; }

# ---- lists that are none ---------------------------------------------------------------------------------------------

check "an entry that is empty" lists 2 0, "--device 0,: entry 2 is empty; a list is of indexes or UUIDs, such as 0,1"
check "... in the middle" lists 2 0,,1 "entry 2 is empty"
check "... nothing but a comma" lists 2 , "entry 1 is empty"
check "words are no entries" lists 2 0,all '"all" is no entry of a list'
check "... nor are back-ends" lists 2 simt,simt '"simt" is no entry of a list'
check "more than there may be" lists 2 "$(seq -s, 0 64)" "a list of 65 devices; there may be 64"
check "an index that is not there" lists 3 0,7 "there is no device 7; there are 0 (Fake Device), 1 (Fake Device), 2 (Fake Device)"
check "a UUID that is not there" lists 3 FAKE-1,FAKE-9 "there is no device FAKE-9; there are"
check "none of them" lists 3 8,9 'no usable device "8,9"'
check "a part of one device" lists 2 0,1 "--multiprocessors is about one device alone" --multiprocessors 4
worker="$fake --last-make Fake-Other"
check "devices of two makes" lists 3 0,2 "GPUs that work together are of one make, and 0 is Fake Device, 2 is Fake-Other"
check "... all of them" lists 3 all "and 0 is Fake Device, 2 is Fake-Other: list those of one"
check "... but those of one go together" "$gpubench" run pair.json --worker "$worker" --device 0,1 --dry-run
worker="$fake --one-at-a-time 1"
check "a worker that takes one at a time" lists 3 0,1 "this worker cannot use several devices together"
worker=
check "nothing was written" test ! -e none -a ! -e results
check "several simulated GPUs need no list" exits 3 'no usable device "all"' \
    "$gpubench" info --worker "$BUILD" --device all
check "the host is one device" exits 2 '"host" is no entry' "$gpubench" info --device host,host
check "a table is of one device" exits 2 "a table is of one device" "$gpubench" tune --device 0,1

# ---- a run -----------------------------------------------------------------------------------------------------------

check "a run of two" on 1,0
mine=results/fake-device/under/gpus-2
check "... has a folder of its own" test -s $mine/pair.csv
check "... and no other" test "$(find results -name pair.csv | wc -l)" = 1
check "... its device a name" grep -qF "pair on Fake Device (2 GPUs): 4 ok" out
under_of() { columns "$1" under | grep -v '^under$' | sort | uniq -c | tr -s ' '; }
check "... its rows the column" test "$(under_of $mine/pair.csv)" = " 4 gpus=2"
meta() { tr -d '\n\t ' <"$1/pair.meta.json"; }
check "... its meta file the devices, in their order" \
    grep -qF '"devices":[{"uuid":"FAKE-2","index":1},{"uuid":"FAKE-1","index":0}]' <(meta $mine)
check "... what passes between them" grep -qF '"links":{"gpus":2,"nccl":"2.27.3","pairs":[{"from":0,"to":1,"peer":true,' <(meta $mine)
check "... and the condition" grep -qF '"under":"gpus=2"' <(meta $mine)
check "views call it so" prints "Measured on Fake Device (2 GPUs)" "$gpubench" table $mine
check "it goes on on the same" on 1,0 --resume
check "... and on no other" refuses "row 1 was measured under other conditions (2 GPUs) than this run has (3 GPUs)" \
    "$gpubench" run pair.json --worker "$fake" --device all --resume --out $mine
check "requests have it" prints '{"cmd":"select","device":1,"devices":[1,0],"ceilings":false}' \
    "$gpubench" run pair.json --worker "$fake" --device 1,0 --requests
check "UUIDs stand beside indexes" prints '"device":2,"devices":[2,0]' \
    "$gpubench" run pair.json --worker "$fake" --device FAKE-3,0 --requests
check "all are all" prints '"devices":[0,1,2]' "$gpubench" run pair.json --worker "$fake" --device all --requests
check "all of one are this one" prints '"select","device":0,"ceilings":false' "$gpubench" run pair.json --worker "$BUILD/tests/driver/fake_worker" --device all --requests
check "one that is named twice is shared" prints "device: Fake Device (1 GPU, 2 ranks) (fake)" \
    "$gpubench" run pair.json --worker "$fake" --device 0,0 --dry-run
check "an anonymous meta file has no UUIDs" env GPUBENCH_ANONYMOUS=1 "$gpubench" run pair.json --worker "$fake" --device FAKE-1,FAKE-2 --out nameless
check "..." grep -qF '"devices":[{"index":0},{"index":1}]' <(meta nameless)

# ---- a worker that is replaced -----------------------------------------------------------------------------------------

sed 's/"good", "other"/"good", "die-sample", "other"/; s/pair/dead/' pair.json >dead.json
select_log() { grep -oE '"cmd":"select","device":[0-9]*(,"devices":\[[0-9,]*\])?' "$1" | sort -u; }
cat >logged <<END
#!/bin/bash
exec $fake < <(exec tee -a "$scratch/requests")
END
chmod +x logged
dies() { local status=0; "$gpubench" run dead.json --worker "$scratch/logged" --device 0,2 --out died >out 2>err || status=$?; [ $status = 1 ]; }
check "one dies" dies
check "... the others have their rows" test "$(columns died/dead.csv status | grep -c ok)" = 4
check "... every worker had the same set" test "$(select_log requests)" = '"cmd":"select","device":0,"devices":[0,2]'
check "... and there were several" test "$(grep -c '"cmd":"select"' requests)" -gt 2

# ---- what is shown ---------------------------------------------------------------------------------------------------

check "info shows what passes between them" prints "FROM  TO  PEER  COPY  BOTH WAYS" "$gpubench" info --worker "$fake" --device 0,1
check "... in their units" grep -qE '^ +0 +1 +yes +395 +710 +2\.5 +0\.9 +50 +200 +- +11 *$' out
check "... what was not measured is a dash" grep -qE '^ +1 +0 +no +25 +- +- +- +- +- +- +- *$' out
check "... and NCCL" grep -qE '^ +NCCL +2\.27\.3$' out
check "... to programs" prints '"links":' "$gpubench" info --worker "$fake" --device 0,1 --json
check "... with the devices" grep -qF '"devices":' out
check "one device has none" prints "measured just now" "$gpubench" info --worker "$fake" --device 0
check "..." hides "FROM"
check "simulated ones are counted" prints "3 GPUs, of which 6 of 6 pairs reach each other's memory" \
    env SIMT_DEVICES=3 "$gpubench" info --device simt
finish
