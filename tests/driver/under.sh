#!/bin/bash
# test: fast 5
# Rows of a device that was used under conditions (the column `under`) are those of another device: its name says the
# conditions in every view, and claims, standings and audits never take them for the device as it is.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench fixtures=$root/tests/fixtures
export GPUBENCH_SHARE=$root
cd "$scratch" || exit 1

# under FILE TEXT: gives the rows of a result file these conditions; the column is added if it is not there.
under()
{
    awk -F, -v OFS=, -v text="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "under") has = i; if ($i == "backend") at = i } }
        has { if (NR > 1) $has = text; print; next }
        { $at = (NR == 1 ? "under" : text) "," $at; print }' "$1" >"$1.new" && mv "$1.new" "$1"
}
# rows FILE TIME: a side with two variants, slower by TIME.
rows()
{
    printf 'a %d warm device ok %d 0.01 30\nb %d warm device ok %d 0.01 30\n' 10 "$2" 10 $((2 * $2)) | side "$1"
}

# ---- names -------------------------------------------------------------------------------------------------------

export device="device A" run=one
rows d/e.csv 100
cp -r d plain
run=two rows d/under/code-sm_35/e.csv 150
under d/under/code-sm_35/e.csv code=sm_35
run=three rows d/under/multiprocessors-64/e.csv 200
under d/under/multiprocessors-64/e.csv multiprocessors=64
run=four rows both/e.csv 300
under both/e.csv "code=sm_35;multiprocessors=64"
check "a folder stands for the device as it is" prints "Measured on device A: " "$gpubench" table d
check "conditions stand behind a device's name" prints "Measured on device A (code of sm_35): " "$gpubench" table d/under/code-sm_35
check "... however many there are" \
    prints "Measured on device A (64 multiprocessors): " "$gpubench" table d/under/multiprocessors-64
check "... all of them" prints "Measured on device A (code of sm_35, 64 multiprocessors): " "$gpubench" table both
check "the device as it is stands beside it" \
    prints "device A, device A (code of sm_35), device A (64 multiprocessors):" "$gpubench" table d d/under/*
check "... with rows of its own" grep -qE '^10 +0\.0100 +0\.00667 +0\.0050' out
cp -r d/under/code-sm_35 elsewhere
check "the same conditions at two places are told apart by these as well" \
    prints "device A (code of sm_35, code-sm_35), device A (code of sm_35, elsewhere), device" \
    "$gpubench" table d/under/code-sm_35 elsewhere d
mkdir mixed && cp d/e.csv mixed/ && run=two rows mixed/f.csv 150 && under mixed/f.csv code=sm_35
check "rows of one folder under others are other devices'" prints "Measured on device A (code of sm_35)" "$gpubench" table mixed
check "... and those beside them" grep -qF "Measured on device A: " "$scratch/out"
check "a comparison has two sides" prints "A: device A; B: device A (code of sm_35)" "$gpubench" compare d d/under/code-sm_35
check "... and says it to programs" prints $'"under":\t"code=sm_35"' "$gpubench" compare d d/under/code-sm_35 --format json
check "... and the model by itself" test "$(grep -cF $'"device":\t"device A"' out)" = 2
check "... and the verdicts" grep -qF $'"SLOWER":\t2' out
mkdir one && sed 2q both/e.csv >one/e.csv && sed -n '2s/code=sm_35;//p' both/e.csv >>one/e.csv
check "so are rows of one file" prints "device A (code of sm_35, 64 multiprocessors), device A (64 multiprocessors):" "$gpubench" table one
cp both/e.csv bad.csv && under bad.csv power=300
check "what is no condition is refused" refuses \
    "column under: 'power=300' is no condition of a device, such as code=sm_35;multiprocessors=64" "$gpubench" table bad.csv

echo "a 10 warm device ok 100 0.001 30 1000" | side clock/whole/e.csv
echo "a 10 warm device ok 200 0.001 30 1000" | side clock/half/e.csv
under clock/half/e.csv multiprocessors=50
sed -i 's/"schema": 1/"schema": 1, "under": "multiprocessors=50"/' clock/half/e.meta.json
check "half of the multiprocessors are as fast, each" prints "SAME in 1" "$gpubench" compare clock/whole clock/half --per sm-clock

# ---- what they do not stand for ------------------------------------------------------------------------------------

mkdir -p fixture limited share/plots
for name in radix-sort-fixture radix-sort-modern-fixture; do
    cp "$fixtures/$name.csv" fixture/ && cp "$fixtures/$name.csv" limited/ && under limited/$name.csv multiprocessors=64
done
check "claims are not about them" refuses "claims are about devices as they are" "$gpubench" claims limited
check "... alone" prints "Of what" "$gpubench" claims fixture --counts
mv out alone
check "... nor are those of the device itself others beside them" "$gpubench" claims fixture limited --counts
same_claims() { cmp alone <("$gpubench" claims fixture limited --counts); }
check "... at all" same_claims
check "a report has their tables" prints page.html "$gpubench" report fixture limited --no-figures --out page.html
check "... by their name" grep -qE "Measured on [^<]*\(64 multiprocessors\)" page.html
alone_in_page() { grep -qF "$1 fixture<" page.html && ! grep -qE "$1 [^<]*multiprocessors" page.html; }
check "... and claims of the device alone" alone_in_page "Claims on"
counted_once() { grep -q ' open</td>' page.html && ! grep -q ' open</td>.* open</td>' page.html; }
check "... which alone are counted" counted_once
check "... and its standings" alone_in_page "Our best against the best of others,"

cat >share/plots/audit.json <<E2
{ "schema": 1, "margin": 0.05, "noise": 0.02, "rules": [ { "name": "twin", "alike": "experiment", "look": "the look of it" } ] }
E2
mkdir twin && cp d/e.csv twin/ && cp d/under/code-sm_35/e.csv twin/f.csv && sed -i 's/,e,p,/,f,p,/' twin/f.csv
check "an audit holds them against one another" env GPUBENCH_SHARE=share "$gpubench" audit twin
sed -i 's/code=sm_35//' twin/f.csv
audit_finds() { ! GPUBENCH_SHARE=share "$gpubench" audit twin; }
check "... which it would find slower" audit_finds

# ---- runs one after the other --------------------------------------------------------------------------------------

cp d/e.csv d/e.20250101T000000Z-000001.csv
check "a history does not look below under/" prints "e on device A" "$gpubench" history d
check "... at another device" hides "code of"
check "... unless it is named" prints "e on device A (code of sm_35)" "$gpubench" history d elsewhere mixed

# ---- other formats ---------------------------------------------------------------------------------------------------

for format in nvbench google-benchmark; do
    check "an export keeps them ($format)" "$gpubench" export both/e.csv --format $format --out out.json
    check "... and is read again" prints "A: device A (code of sm_35, 64 multiprocessors, out.json); B: device A (code" \
        "$gpubench" compare out.json both
done

# ---- a part of the multiprocessors, on simt ----------------------------------------------------------------------------

export SIMT_WORKERS=4
cat >sort.json <<E2
{ "schema": 1, "name": "sort", "primitive": "radix-sort", "variants": ["lsd1", "lsd1-first-call"], "axes": { "n": [100, 300] },
  "measure": { "samples": 2, "warmup": 0, "scope": "host-to-host" } }
E2
limited() { "$gpubench" run sort.json --device simt --multiprocessors 3 "$@" >out 2>err; }
check "a run of a part" limited
mine=results/simt/under/multiprocessors-3
check "... has a folder of its own" test -s $mine/sort.csv
check "... and no other" test "$(find results -name '*.csv' | wc -l)" = 2
check "... its device a name" grep -qF "sort on simt (3 multiprocessors): 4 ok" out
check "... its rows the column" test "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "under") at = i } NR > 1 { print $at }' $mine/sort.csv | sort | uniq -c | tr -s ' ')" = " 4 multiprocessors=3"
check "... its meta file as well" grep -qF $'"under":\t"multiprocessors=3"' $mine/sort.meta.json
head -3 $mine/sort.csv >shorter && mv shorter $mine/sort.csv
check "it goes on under the same" limited --resume
check "... from where it was" test "$(wc -l <$mine/sort.csv)" = 5
check "... and under no other" refuses "row 1 was measured under other conditions (3 multiprocessors) than this run has (2 multiprocessors)" \
    "$gpubench" run sort.json --device simt --multiprocessors 2 --resume --out $mine
check "... nor on the whole device" refuses "than this run has (the device as it is)" \
    "$gpubench" run sort.json --device simt --resume --out $mine
check "requests have it" prints '{"cmd":"select","device":0,"multiprocessors":3' \
    "$gpubench" run sort.json --device simt --multiprocessors 3 --requests
check "the plan says it" prints "device: simt (3 multiprocessors) (simt)" \
    "$gpubench" run sort.json --device simt --multiprocessors 3 --dry-run
check "so does info" prints "simt (3 multiprocessors) (simt 0), measured just now" "$gpubench" info --device simt --multiprocessors 3
check "... and to programs" prints $'"under":\t"multiprocessors=3"' "$gpubench" info --device simt --multiprocessors 3 --json
check "a check of a part" prints "lsd1" "$gpubench" check radix-sort --device simt --variant lsd1 --case n=5 --multiprocessors 3
check "a dump says whose it is" prints ",simt,simt (3 multiprocessors)," \
    "$gpubench" dump octree slice --device simt --variant cpu --case n=100 --multiprocessors 3
truncate -s 8192 memory
first_call() { ! "$BUILD/gpubench-simt" --fresh-run radix-sort lsd1 0 $$ "$1" "$2" 3<>memory; }
check "a process of a first call is cut, too" first_call 5 0
check "... or says why not" grep -qaF "cannot be cut to 5 multiprocessors" memory
exits() { local status=0; "${@:3}" >out 2>err || status=$?; cat err; [ "$status" = "$1" ] && grep -qF -- "$2" err; }
check "more than there are is refused" exits 3 "cannot be cut to 5 multiprocessors: of its 4 these can be had: 1 to 4" \
    "$gpubench" run sort.json --device simt --multiprocessors 5 --out beyond
check "... before anything is written" test ! -e beyond
check "none is refused" refuses "--multiprocessors 0: takes how many" "$gpubench" run sort.json --device simt --multiprocessors 0
check "a worker that knows nothing of it is found out" exits 3 "this worker cannot use a part of a device's multiprocessors" \
    "$gpubench" info --worker "$BUILD/tests/driver/fake_worker" --multiprocessors 1
check "a worker that cannot says so" exits 3 "has no multiprocessors" "$gpubench" info --device host --multiprocessors 1

check "... of its shared memory as well" first_call 0 1024
check "... or says why not" grep -qaF "cannot be held to 1 KiB of shared memory" memory

# ---- less shared memory -----------------------------------------------------------------------------------------------

check "blocks are held to less shared memory" prints "simt (64 KiB of shared memory a block) (simt 0)" "$gpubench" info --device simt --shared-kib 64
check "... and variants go by it" prints "its stages take 81924 bytes of shared memory a block, this device gives 65536" \
    "$gpubench" check radix-sort --device simt --variant hybrid --variant lsd1 --case n=5000 --shared-kib 64
check "... those that can do with it" prints "passed octree/morton-regions: 1 ok" \
    "$gpubench" check octree --device simt --variant morton-regions --case n=20011 --shared-kib 64
check "... in a run, whose rows say it" "$gpubench" run sort.json --device simt --multiprocessors 3 --shared-kib 99
check "... at a place of their own" grep -qF ",multiprocessors=3;shared-kib=99," results/simt/under/multiprocessors-3-and-shared-kib-99/sort.csv
check "more than there is is refused" exits 3 "cannot be held to 228 KiB of shared memory: they have 48 without asking for it, and 227 at most" \
    "$gpubench" info --device simt --shared-kib 228
check "none is refused" refuses "--shared-kib 0: takes how many KiB" "$gpubench" run sort.json --device simt --shared-kib 0
check "it is that of one device" refuses "--shared-kib is about one device alone" "$gpubench" run sort.json --device 0,1 --shared-kib 64
check "a worker that knows nothing of it is found out" exits 3 "this worker cannot let blocks have less shared memory" \
    "$gpubench" info --worker "$BUILD/tests/driver/fake_worker" --shared-kib 64
check "a worker that cannot says so" exits 3 "has no shared memory of blocks" "$gpubench" info --device host --shared-kib 64
finish
