#!/bin/bash
# gpubench compare: verdicts, what is missing, what else differs, views, noise, formats, mistakes, speed; and
# gpubench run --aa.
# shellcheck source=tests/lib_command.sh
. "$(dirname "$0")/lib_command.sh"
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root
cd "$scratch" || exit 1

# results FOLDER [NAME=VALUE...]: an experiment e of primitive p, axis n, variants, each with samples; standard
# input has a row a line: VARIANT N MEAN SPREAD [STATUS]. Names: device, backend, toolkit, driver, sms, copy,
# clock, power, cache, scope, samples, axis, seed.
results()
{
    local folder=$1 pair
    local device='GPU A' backend=cuda toolkit=13.0 driver=580 sms=100 copy=1e12 clock=1000 power=100 cache=warm \
        scope=device samples=20 axis=n seed=1 experiment=e
    shift
    for pair; do local "${pair%%=*}=${pair#*=}"; done
    mkdir -p "$folder"
    printf '{"worker":{"toolkit":"%s","driver":"%s"},"device":{"sms":%s},"ceilings":{"copy_bytes_per_s":%s}}' \
        "$toolkit" "$driver" "$sms" "$copy" >"$folder/$experiment.meta.json"
    awk -v csv="$folder/$experiment.csv" -v raw="$folder/$experiment.samples.csv" -v device="$device" -v backend="$backend" \
        -v clock="$clock" -v power="$power" -v cache="$cache" -v scope="$scope" -v N="$samples" -v axis="$axis" \
        -v seed="$seed" -v experiment="$experiment" '
    BEGIN {
        srand(seed)
        print "schema,run_id,experiment,primitive,variant,backend,device," axis ",cache,scope,status,reason,samples,unit,items,time_mean_s,time_ci95_lo_s,time_ci95_hi_s,rate,rate_ci95_lo,rate_ci95_hi,limit_kind,limit_rate,sm_clock_mhz,mem_clock_mhz,power_w,flags" >csv
        print "run_id,point,variant,cache,index,time_s" >raw
    }
    {
        status = NF > 4 ? $5 : "ok"
        start = "1,R" seed "," experiment ",p," $1 "," backend "," device "," $2 "," cache "," scope "," status
        if (status != "ok") { print start ",a reason,,keys,,,,,,,,,,,,," >csv; next }
        sum = 0
        for (k = 0; k < N; k++) {
            t = $3 * (1 + $4 * (rand() + rand() + rand() - 1.5)); sum += t
            printf "R%d,%s=%s,%s,%s,%d,%.12g\n", seed, axis, $2, $1, cache, k, t >raw
        }
        m = sum / N; half = m * $4 * 0.5 * 2.1 / sqrt(N)
        printf "%s,,%d,keys,1000,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,bandwidth,1e15,%s,2000,%s,\n", start, N, m, m - half,
            m + half, 1000 / m, 1000 / (m + half), 1000 / (m - half), clock, power >csv
    }'
}
compare() { "$gpubench" compare "$@"; }
# verdict VARIANT: of the only row of a variant in the last CSV; field FIELD VARIANT: its number FIELD.
field() { awk -F, -v n="$1" -v v="$2" '$5 == v { print $n }' "$scratch/out"; }
verdict() { [ "$(field 22 "$1")" = "$2" ] || { field 22 "$1"; return 1; }; }
near() { awk -v a="$(field 16 "$1")" -v b="$2" -v e="${3:-0.01}" 'BEGIN { print a; exit !(a > b * (1 - e) && a < b * (1 + e)) }'; }

printf '%s\n' 'faster 1 1e-3 0.004' 'slower 1 1e-3 0.004' 'same 1 1e-3 0.004' 'unclear 1 1e-3 0.2' 'tiny 1 1e-3 0.0004' |
    results a
printf '%s\n' 'faster 1 0.8e-3 0.004' 'slower 1 1.25e-3 0.004' 'same 1 1e-3 0.004' 'unclear 1 1.02e-3 0.2' 'tiny 1 1.004e-3 0.0004' |
    results b seed=2
check "CSV" prints "a,b,experiment,primitive,variant,point" compare a b --format csv
check "20 % less time is FASTER" verdict faster FASTER
check "... by 1.25" near faster 1.25
check "25 % more is SLOWER" verdict slower SLOWER
check "... by 0.8" near slower 0.8
check "equal ones are the SAME" verdict same SAME
check "wide ones are UNCLEAR" verdict unclear UNCLEAR
check "a sure but small difference is the SAME" verdict tiny SAME
check "... though chance is ruled out" sh -c "[ \"\$(awk -F, '\$5 == \"tiny\" && \$20 < 0.05' '$scratch/out' | wc -l)\" = 1 ]"
check "--min-effect" prints a, compare a b --format csv --min-effect 0.2%
check "... makes it SLOWER" verdict tiny SLOWER
check "--min-effect 0.5" prints a, compare a b --format csv --min-effect 0.5
check "... makes all the SAME that is sure" verdict slower SAME
check "--alpha" prints a, compare a b --format csv --alpha 1e-30
check "... below what so many samples can show leaves it UNCLEAR" verdict faster UNCLEAR
check "... and says so" warns "have too few samples to stand out among 5 tests"
check "the other way round" prints a, compare b a --format csv
check "... FASTER is SLOWER" verdict faster SLOWER
check "... by 0.8" near faster 0.8
check "text" prints "5 rows compared: 1 FASTER, 1 SLOWER, 2 SAME, 1 UNCLEAR" compare a b
check "... says of whom" grep -qF "A: GPU A (a); B: GPU A (b)" "$scratch/out"
check "... and that the noise is not known" warns "gpubench run CONFIG --aa"
check "Markdown" prints "| e | faster | 1 | 1 |" compare a b --format markdown
check "LaTeX" prints '\begin{tabular}' compare a b --format latex
check "JSON" prints '"FASTER":	1' compare a b --format json
check "--rows 1" prints "The 1 rows that differ most, of 3" compare a b --rows 1
check "--rows all" prints "All 5 rows" compare a b --rows all
check "--rows 0 has the summary alone" prints "Ratios by variant" compare a b --rows 0
check "... no rows" hides "rows that"

status_of() { "$gpubench" compare "$@" >/dev/null 2>&1; echo $?; }
check "--fail-on slower: 4" test "$(status_of a b --fail-on slower)" = 4
check "0 where none is" test "$(status_of a b --fail-on slower --variant faster,same)" = 0
check "0 without it" test "$(status_of a b)" = 0
check "--fail-on unclear: 4" test "$(status_of a b --fail-on unclear --variant unclear)" = 4
check "... not for those that are the SAME" test "$(status_of a b --fail-on unclear --variant same)" = 0

# ---- subsets and failures ----------------------------------------------------------------------------

printf '%s\n' 'x 1 1e-3 0.004' 'x 2 1e-3 0.004' 'only-a 1 1e-3 0.004' 'refused 1 1e-3 0.1 unsupported' 'breaks 1 1e-3 0.004' | results c
printf '%s\n' 'x 1 1e-3 0.004' 'x 3 1e-3 0.004' 'only-b 7 1e-3 0.004' 'refused 1 1e-3 0.1 unsupported' 'breaks 1 1e-3 0.004 wrong' | results d seed=3
check "subsets are fine" prints "1 rows compared" compare c d
check "what A alone has is counted and named" grep -qF "2 rows of A alone: e: x 1, only-a 1" "$scratch/out"
check "what B alone has, too" grep -qF "2 rows of B alone: e: x 1, only-b 1" "$scratch/out"
check "what failed is" grep -qF "1 row of B not compared (wrong): e: breaks 1" "$scratch/out"
check "what has become wrong is said at the end" grep -qF "1 that are ok in A failed in B" "$scratch/out"
check "... and is as bad as slower" test "$(status_of c d --fail-on slower)" = 4
check "... not the other way round" test "$(status_of d c --fail-on slower)" = 0
check "what both refuse is nobody's loss" hides "refused"
check "each is in the CSV" prints "b: wrong" compare c d --format csv
check "... what is missing, too" sh -c "[ \"\$(grep -c ',[ab]\$' '$scratch/out')\" = 4 ]"
check "chosen rows" prints "1 rows compared" compare c d --n 1 --variant x
check "none of them" refuses "no row of GPU A (c) has a partner" compare c d --n 2

# ---- what else differs -------------------------------------------------------------------------------

printf '%s\n' 'x 1 1e-3 0.004' | results warm
printf '%s\n' 'x 1 1e-3 0.004' | results cold cache=cold seed=4
check "another cache mode is joined" prints "warm/cold" compare warm cold --rows all
check "... and warned about" warns "1 of 1 rows were measured with another cache mode; --cache warm"
mkdir both && cp warm/* both/ && tail -n 1 cold/e.csv >>both/e.csv && tail -n +2 cold/e.samples.csv >>both/e.samples.csv
check "a row has one partner: that of its own cache mode" prints "1 rows compared" compare both warm
check "... the other has none" grep -qF "1 row of A alone: e: x 1" "$scratch/out"
printf '%s\n' 'x 1 1e-3 0.004' | results host scope=host-to-host seed=4
check "another scope" prints "device/host-to-host" compare warm host --rows all
check "... is warned about" warns "another scope"
printf '%s\n' 'x 1 1e-3 0.004' | results other toolkit=11.8 driver=470 clock=1500 seed=4
check "toolkit, driver and clocks" prints "1 rows compared" compare warm other
for what in "another CUDA Toolkit" "another driver" "clocks that differ by more than 2 %"; do
    check "... $what is warned about" warns "$what"
done
printf '%s\n' 'x 1 1e-3 0.004' | results cpu backend=simt device=simt
check "simt is not set beside a GPU" refuses "times of the simt device are never set beside a GPU's" compare warm cpu
printf '%s\n' 'x 1 1e-3 0.004' | results axes axis=bins
check "other axes do not fit" refuses "no row of GPU A (warm) has a partner" compare warm axes
printf 'R4,n=1,x,cold,0,oops\n' >cold/e.samples.csv
check "a damaged samples file is said" prints "1 rows compared" compare warm cold
check "... its rows are compared by their intervals" warns "is no samples file"

# ---- views -------------------------------------------------------------------------------------------

printf '%s\n' 'x 1 0.5e-3 0.004' | results big 'device=GPU B' sms=200 copy=4e12 clock=2000 power=400 seed=5
check "plain" prints a, compare warm big --format csv
check "... twice as fast" near x 2
check "--per sm-clock" prints a, compare warm big --format csv --per sm-clock
check "... a half by 2 times the multiprocessors at 2 times the clock" near x 0.5
check "... SLOWER then" verdict x SLOWER
check "--per bandwidth" prints a, compare warm big --format csv --per bandwidth
check "... a half by 4 times the bandwidth" near x 0.5
check "--per watt" prints a, compare warm big --format csv --per watt
check "... a half by 4 times the power" near x 0.5

# ---- published ---------------------------------------------------------------------------------------

h200=$root/results/nvidia-h200
check "published numbers" prints "NVIDIA RTX A4500" compare "$h200/multipartition.csv" published --rows 3
check "... are SLOWER on an A4500" grep -qF "72 rows compared: 0 FASTER, 72 SLOWER" "$scratch/out"
check "... speed-ups are left to claims" grep -qF "a speed-up: \`gpubench claims\` tests it" "$scratch/out"
check "by bandwidth" prints "per byte/s of copy bandwidth" compare "$h200/multipartition.csv" "$root/results/published/multipartition-table1.csv" --per bandwidth
check "... the paper's by data sheet" warns "what NVIDIA RTX A4500 is divided by is not measured: a data sheet says it"
check "a paper first" prints "A: NVIDIA RTX A4500; B: NVIDIA H200" compare "$root/results/published/multipartition-table1.csv" "$h200/multipartition.csv"
check "... the H200 is FASTER" grep -qF "72 FASTER, 0 SLOWER" "$scratch/out"
check "the best over an axis and of several variants" prints "NVIDIA P100" compare "$h200/stencil.csv" "$root/results/published/stencil-figure3.csv" --format csv
# the highest GFlop/s over x with blocks of 32x1x1 and radius 1, beyond the L2
best=$(awk -F, '$10 == 1 && $11 == "32x1x1" && $16 == "ok" && $0 !~ /cache-resident/ && $26 * 13 > best { best = $26 * 13 }
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } END { printf "%.0f\n", best / 1e9 }' <(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    { f = $0; n = split($0, v, ","); $0 = ""; for (i = 1; i <= 40; i++) o[i] = ""; o[10] = v[at["radius"]]; o[11] = v[at["block"]]; o[16] = v[at["status"]]; o[26] = v[at["rate"]]
      line = ""; for (i = 1; i <= 30; i++) line = line o[i] ","; print line (f ~ /cache-resident/ ? "cache-resident" : "") }' "$h200/stencil.csv"))
stencil_is() { awk -F, -v want="$best" '/NVIDIA K80/ && /radius=1;/ && $12 > 0 { got = $12 / 1e9 } END { print got, want; exit !(got > want * 0.99 && got < want * 1.01) }' "$scratch/out"; }
check "... as a hand finds it ($best GFlop/s)" stencil_is
check "four radii of two GPUs" sh -c "[ \"\$(grep -cE 'NVIDIA (K80|P100),.*SLOWER' '$scratch/out')\" = 8 ]"

# ---- noise -------------------------------------------------------------------------------------------

mkdir -p a/aa/first
cat >a/aa/noise.csv <<'END'
schema,device,scope,kind,primitive,variant,decade,rows,difference_median,difference_p99,difference_max
1,GPU A,device,gpu,,,-3,100,0.001,0.3,0.4
1,GPU A,device,gpu,p,slower,0,100,0.001,0.02,0.4
END
check "the noise of a device beside its results" prints a, compare a b --format csv
check "... is the smallest difference that counts" verdict faster SAME
check "... a variant's own is" verdict slower SLOWER
check "... and nobody asks for it" sh -c "! grep -q -- --aa '$scratch/err'"
check "--noise none" prints a, compare a b --format csv --noise none
check "... leaves it out" verdict faster FASTER
cp a/e.* a/aa/first/
check "a pass of --aa has its noise one folder up" prints a, compare a/aa/first b --format csv
check "... which counts" verdict faster SAME
check "--noise FILE" prints a, compare b a --noise a/aa/noise.csv --format csv
check "no such file" refuses "nothing.csv" compare a b --noise nothing.csv
sed 's/0.3,/lots,/' a/aa/noise.csv >bad.csv
check "a damaged one" refuses "data row 1, column difference_p99: 'lots'" compare a b --noise bad.csv
check "another file" refuses "has no column 'schema'" compare a b --noise "$root/plots/gpus.csv"

# ---- several, mistakes -------------------------------------------------------------------------------

check "three sides" prints "A: GPU A (a); B: GPU A (a/aa/first)" compare a b a/aa/first
check "nothing to compare with" refuses "there is one side only" compare a
check "nothing at all" refuses "name what to compare" compare
check "no such folder" refuses "cannot read nowhere" compare a nowhere
check "a bad percentage" refuses "--min-effect 1x: takes a number" compare a b --min-effect 1x
check "a percentage above all" refuses "--alpha 200%" compare a b --alpha 200%
check "a bad format" refuses 'allowed are text, markdown, latex, csv and json' compare a b --format xml
check "a bad view" refuses 'allowed are none, sm-clock, bandwidth and watt' compare a b --per moon
check "bad rows" refuses "--rows some" compare a b --rows some

# ---- speed -------------------------------------------------------------------------------------------

for seed in 8 9; do
    awk 'BEGIN { for (i = 1; i <= 2500; i++) for (v = 1; v <= 4; v++) print "v" v, i, 1e-3, 0.003 }' | results big-$seed seed=$seed
done
began=$(date +%s%N)
check "10 000 rows" prints "10000 rows compared" compare big-8 big-9
took=$((($(date +%s%N) - began) / 1000000))
check "... of 20 samples in $took ms (under 1 s where nothing else runs)" test $took -lt 4000
check "... equal ones: none stands out" grep -qF "10000 rows compared: 0 FASTER, 0 SLOWER" "$scratch/out"

# ---- run --aa ----------------------------------------------------------------------------------------

aa() { "$gpubench" run "$root/configs/multipartition.json" --device simt --quick --aa --samples 12 --out aa --filter 'bins == 40' "$@"; }
check "run --aa" prints "3 runs," aa
for pass in first second third; do
    check "... the $pass has its rows" sh -c "[ \"\$(grep -c ',ok,' 'aa/aa/$pass/multipartition.csv')\" -gt 2 ]"
done
check "... and the noise is written" grep -q '^1,simt,device,cpu,' aa/aa/noise.csv
check "... which is where it is said to be" grep -qF "noise:  aa/aa/noise.csv" "$scratch/out"
check "with --resume there is nothing to do" prints "3 runs," aa --resume
few() { "$gpubench" run "$root/configs/multipartition.json" --device simt --quick --aa --samples 3 --out few --filter 'bins == 40'; }
failed_for() { local status=0; few >"$scratch/out" 2>&1 || status=$?; cat "$scratch/out"; [ $status = 1 ] && grep -qF "$1" "$scratch/out"; }
check "of too few samples no noise can be told" failed_for "no row was measured twice with at least 10 samples"
finish
