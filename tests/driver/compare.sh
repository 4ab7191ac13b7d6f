#!/bin/bash
# test: long 36
# gpubench compare: results with known shifts and the verdict of each, ratios and intervals worked out by
# hand, rows without a partner, what else differs, published numbers, views, noise, formats, mistakes.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

compare() { "$gpubench" compare "$@"; }
# field COLUMN VARIANT [N]: of the comparison in $scratch/csv.
field()
{
    awk -F, -v column="$1" -v variant="$2" -v n="${3:-}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == variant && (n == "" || $at["point"] ~ ("(^|;)n=" n "(;|$)")) { print $at[column] }' "$scratch/csv"
}
# compared ARGUMENTS...: as CSV, for field.
compared() { compare "$@" --format csv >"$scratch/csv" 2>"$scratch/err" || { cat "$scratch/err"; return 1; }; }
# near FOUND EXPECTED [TOLERANCE]: relative, one in a million
near()
{
    echo "found $1, expected $2"
    awk -v x="$1" -v y="$2" -v e="${3:-1e-6}" 'BEGIN { d = x - y; exit !(x != "" && d * d <= e * e * y * y) }'
}
is() { [ "$1" = "$2" ] || { echo "found '$1', not '$2'"; return 1; }; }
# Of the last command: stderr lacks the text.
unsaid() { ! grep -qF -- "$1" "$scratch/err"; }
# exits STATUS COMMAND...
exits()
{
    local expected=$1 status=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    cat "$scratch/err"
    echo "exit status $status"
    [ "$status" = "$expected" ]
}

# ---- verdicts ---------------------------------------------------------------------------------------

side a/e.csv <<END
fast 1 warm device ok 110 0.01 30
slow 1 warm device ok 100 0.01 30
tight 1 warm device ok 100 0.001 30
small 1 warm device ok 100 0.0001 30
wide 1 warm device ok 100 0.2 30
few 1 warm device ok 100 0.01 3
one 1 warm device ok 100 0 1
END
side b/e.csv <<END
fast 1 warm device ok 100 0.01 30
slow 1 warm device ok 110 0.01 30
tight 1 warm device ok 100.1 0.001 30
small 1 warm device ok 100.5 0.0001 30
wide 1 warm device ok 103 0.2 30
few 1 warm device ok 120 0.01 3
one 1 warm device ok 120 0 1
END
check "two folders" compared a b
for verdict in fast=FASTER slow=SLOWER tight=SAME small=SAME wide=UNCLEAR few=UNCLEAR one=UNCLEAR; do
    check "${verdict%=*} is ${verdict#*=}" is "$(field verdict "${verdict%=*}")" "${verdict#*=}"
done
check "two files do as well" compared a/e.csv b/e.csv
check "the ratio is that of rates" near "$(field ratio fast)" 1.1
# 1.1 (1 -+ t sqrt(2 r - g r)) / (1 - g): r = 0.0001 / 30, t = 2.00171748 (58 degrees of freedom), g = t^2 r
check "its interval is that of Fieller" near "$(field ratio_ci95_lo fast)" 1.09432949
check "... at both ends" near "$(field ratio_ci95_hi fast)" 1.10569989
check "slower: the ratio is below 1" near "$(field ratio slow)" 0.909090909
# of 3 and 3: 2 / C(6, 3)
check "p of few samples" near "$(field p few)" 0.1
check "... corrected" near "$(field p_holm few)" 0.2
check "... cannot be small: that is said" warns "1 rows have too few samples to stand out among 6 tests"
check "one sample has no interval" is "$(field ratio_ci95_lo one)$(field p one)" ""
check "... but a ratio" near "$(field ratio one)" 0.833333333
check "the effect is the default" is "$(field effect fast)" 0.01
check "no noise is known: that is said" warns "the noise of device A is not known"
check "the other way round" compared b a
check "... a fifth faster of six samples is UNCLEAR" is "$(field verdict few) $(awk -v x="$(field ratio few)" 'BEGIN { print (x > 1.19) }')" "UNCLEAR 1"
check "... what was faster is slower" is "$(field verdict fast)$(field verdict slow)" SLOWERFASTER

check "--min-effect 20%: nothing matters" compared a b --min-effect 20%
check "... the shift is the SAME" is "$(field verdict fast) $(field verdict slow)" "SAME SAME"
check "--min-effect 0.2 is the same" compared a b --min-effect 0.2
check "... by its number" is "$(field effect fast)" 0.2
check "--min-effect 0.1%" compared a b --min-effect 0.1%
check "... half a per cent matters now" is "$(field verdict small)" SLOWER
# alone, 3 and 3 samples: p = 0.1
check "--alpha 0.2" compared a b --alpha 20% --variant few
check "... finds a difference in six samples" is "$(field verdict few)" SLOWER
check "--alpha 0.1 does not: p is not below it" compared a b --alpha 0.1 --variant few
check "... " is "$(field verdict few)" UNCLEAR
for value in -1 1 150% x "" 5%% nan inf 1e-400x 0x1p-3 0.0000000000000000000000000000000001; do
    check "--alpha '$value'" refuses "takes a number from 0 to 1 or a percentage" compare a b --alpha "$value"
    check "--min-effect '$value'" refuses "takes a number from 0 to 1 or a percentage" compare a b --min-effect "$value"
done

# ---- by variant --------------------------------------------------------------------------------------

device='device A' side native/e.csv <<END
all 1 warm device ok 100 0.01 30
all 2 warm device ok 100 0.01 30
all 3 warm device ok 100 0.01 30
some 1 warm device ok 100 0.01 30
some 2 warm device ok 100 0.01 30
none 1 warm device ok 100 0.01 30
late 1 warm device ok 100 0.01 30
failed 1 warm device timeout
elsewhere 1 warm device ok 100 0.01 30
END
device='device B' side old/e.csv <<END
all 1 warm device ok 150 0.01 30
all 2 warm device ok 90 0.01 30
all 3 warm device ok 120 0.01 30
some 1 warm device ok 200 0.01 30
some 2 warm device wrong
none 1 warm device unsupported
late 1 warm device timeout
failed 1 warm device ok 100 0.01 30
own 1 warm device ok 100 0.01 30
END
device='device C' side older/e.csv <<END
all 1 warm device ok 300 0.01 30
late 1 warm device ok 100 0.01 30
END
shows() { cat table && grep -qF -- "$1" table; }
compare native old older --by-variant --format markdown >table 2>&1
check "--by-variant: times of B over A, median and range" shows "| all | 1.20 (0.900 to 1.50) | 3.00 |"
check "... what failed at some points, with how many and why" shows "| some | 2.00¹ | -² |"
check "... the note says it" shows "¹ without 1 of 2 rows: wrong: because"
check "... what was not measured" shows "² not measured"
check "... what a side cannot, and why" shows "| none | -³ | -² |"
check "... its reason" shows "³ unsupported: because"
check "... variants in the order of A, whatever a side lacks" shows "| late | -⁴ | 1.00 |"
check "... the sides are the columns" shows "| variant | device B | device C |"
check "... what A lacks or nobody else has is in no line" sh -c "! grep -E '^. (failed|own|elsewhere) ' table"
check "... as text" prints "How many times as long as A: device A" compare native old older --by-variant
compare native old older --by-variant --format csv >table 2>"$scratch/err"
check "... as CSV, a line a cell" is "$(wc -l <table)" 9
check "... with numbers" shows "device A,device B,e,all,3,1.2,0.9,1.5,0,"
check "... and reasons" shows "device A,device B,e,some,1,2,2,2,1,wrong: because"
side two/e.csv <<<"x 1 warm device ok 100 0.01 30
y 1 warm device ok 100 0.01 30"
side two/f.csv <<<"z 1 warm device ok 100 0.01 30"
device='device B' side b2/e.csv <<<"y 1 warm device ok 100 0.01 30"
device='device B' side b2/f.csv <<<"z 1 warm device ok 100 0.01 30"
device='device C' side c2/e.csv <<<"x 1 warm device ok 100 0.01 30"
together() { compare two b2 c2 --by-variant --format csv 2>/dev/null | cut -d, -f3,4 | uniq | tr '\n' ' '; }
check "... an experiment stays together" is "$(together)" "experiment,variant e,y e,x f,z "
check "... not as JSON" refuses "--by-variant is written as text, markdown, latex or csv" \
    compare native old --by-variant --format json

# ---- exit status -------------------------------------------------------------------------------------

check "0 without --fail-on" exits 0 compare a b
check "--fail-on slower: 4" exits 4 compare a b --fail-on slower
check "... 0 where none is" exits 0 compare a b --fail-on slower --variant fast,tight,wide
check "... 0 for what is unclear" exits 0 compare a b --fail-on slower --variant wide
check "--fail-on unclear: 4" exits 4 compare a b --fail-on unclear --variant wide,tight
check "... 4 for what is slower, too" exits 4 compare a b --fail-on unclear --variant slow
check "... 0 where neither is" exits 0 compare a b --fail-on unclear --variant fast,tight
check "--fail-on faster" refuses "slower and unclear" compare a b --fail-on faster

# ---- rows without a partner --------------------------------------------------------------------------

side left/e.csv <<END
both 1 warm device ok 100 0.01 30
both 2 warm device ok 100 0.01 30
both 3 warm device ok 100 0.01 30
gone 1 warm device ok 100 0.01 30
gone 2 warm device ok 100 0.01 30
never 1 warm device unsupported
turned 1 warm device ok 100 0.01 30
late 1 warm device timeout
END
side right/e.csv <<END
both 1 warm device ok 100 0.01 30
both 2 warm device unsupported
both 3 warm device timeout
new 1 warm device ok 100 0.01 30
never 1 warm device unsupported
turned 1 warm device wrong
late 1 warm device ok 100 0.01 30
END
side left/f.csv <<END
alone 1 warm device ok 100 0.01 30
END
check "what A has alone is named" prints "3 rows of A alone: e: gone 2; f: alone 1" compare left right
check "... and what B has" prints "1 row of B alone: e: new 1" compare left right
check "... and what it cannot do" prints "1 row of B not compared (unsupported): e: both 1" compare left right
check "... what was wrong" prints "1 row of B not compared (wrong): e: turned 1" compare left right
check "... what took too long" prints "1 row of B not compared (timeout): e: both 1" compare left right
check "... in A as well" prints "1 row of A not compared (timeout): e: late 1" compare left right
check "unsupported by both is no news" hides "never"
check "what broke is counted" prints "1 row compared: SAME in 1; 2 that are ok in A failed in B" \
    compare left right
check "--fail-on slower: what broke counts" exits 4 compare left right --fail-on slower
check "... what is unsupported does not" exits 0 compare left right --fail-on slower --n 2,1 --variant both
check "... nor what was repaired" exits 0 compare left right --fail-on slower --variant late,both --n 1
check "as CSV" compared left right
check "... a blank ratio, and who lacks it" is "$(field ratio gone 1)$(field missing gone 1)" b
check "... of B" is "$(field missing new)" a
check "... and why" is "$(field missing turned)" "b: wrong"
side nothing/g.csv <<END
other 1 warm device ok 100 0.01 30
END
check "nothing in common" refuses "no row of device A (a) has a partner in the others" compare a nothing
check "one operand" refuses "there is one side only, device A" compare a
check "none" refuses "name what to compare" compare
check "one that is not there" refuses "no such" compare a "no such"
check "an axis" compared left right --n 1
check "... chooses rows" is "$(field verdict both 2)$(field verdict both 1)" SAME
check "--experiment" compared left right --experiment e
check "... leaves the others out" is "$(field missing alone)" ""
check "no such axis" refuses "m" compare left right --m 1

# ---- axes in another order, other axes ---------------------------------------------------------------

axes=n,m side order-a/e.csv <<END
v 1,2 warm device ok 110 0.01 30
v 2,1 warm device ok 200 0.01 30
gone 1,2 warm device ok 200 0.01 30
END
axes=m,n side order-b/e.csv <<END
v 2,1 warm device ok 100 0.01 30
v 1,2 warm device ok 100 0.01 30
new 4,5 warm device ok 100 0.01 30
gone 2,1 warm device wrong
END
check "axes in another order" compared order-a order-b
check "... meet by their names" near "$(field ratio v 1)" 1.1
check "... by all of them" near "$(field ratio v 2)" 2
check "... with their samples" is "$(field verdict v 1)$([ -n "$(field p v 1)" ] && echo ", tested")" "FASTER, tested"
check "... and are named in their own order" is "$(field point new) $(field point gone)" "m=4;n=5 m=2;n=1"
axes=n,k side other/e.csv <<END
v 1,2 warm device ok 110 0.01 30
END
mkdir -p mixed-a mixed-b
cp order-a/e.* mixed-a/ && cp a/e.csv mixed-a/f.csv && sed -i 's/,e,p,/,f,p,/' mixed-a/f.csv
cp other/e.* mixed-b/ && cp a/e.csv mixed-b/f.csv && sed -i 's/,e,p,/,f,p,/' mixed-b/f.csv
check "other axes" exits 0 compare mixed-a mixed-b
check "... are left out and named" warns "experiments whose axes differ between A and B: e (n, m; n, k)"

# ---- what else differs -------------------------------------------------------------------------------

side mode-a/e.csv <<END
v 1 warm device ok 100 0.01 30
v 1 cold device ok 200 0.01 30
w 1 warm device ok 100 0.01 30
x 1 warm device ok 100 0.01 30
y 1 warm device ok 100 0.01 30
y 1 cold device ok 200 0.01 30
END
side mode-b/e.csv <<END
v 1 warm device ok 100 0.01 30
v 1 cold device ok 200 0.01 30
w 1 cold device ok 110 0.01 30
x 1 warm host-to-host ok 100 0.01 30
y 1 cold device ok 200 0.01 30
END
check "other cache modes and scopes" compared mode-a mode-b
check "... equal ones first" is "$(field ratio v | paste -sd' ') $(field differs v | paste -sd' ')" "1 1  "
check "... else another" is "$(field differs w) $(field differs x)" "cache scope"
check "... which is said" warns "1 of 5 rows were measured with another cache mode; --cache warm or --cache cold"
check "... of the scope as well" warns "1 of 5 rows were measured in another scope; --scope device"
check "... but no row is met twice" is "$(field ratio y | paste -sd' ')$(field missing y | paste -sd' ')" "1  b"
check "--cache warm" compared mode-a mode-b --cache warm
check "... compares like with like" is "$(field verdict w)$(field missing w)" b
check "--scope device" compared mode-a mode-b --scope device
check "... leaves the other scope out" is "$(field missing x)" b
toolkit=13.0 driver=600.2 side new/e.csv <<END
tight 1 warm device ok 100.1 0.001 30 1000
END
side old/e.csv <<END
tight 1 warm device ok 100 0.001 30 1100
END
check "toolkit, driver, clocks" compared old new
check "... differ" is "$(field differs tight)" "toolkit;driver;clocks"
check "... which is said of the toolkit" warns "1 of 1 rows were measured with another CUDA Toolkit"
check "... of the driver" warns "1 of 1 rows were measured with another driver"
check "... of the clocks" warns "1 of 1 rows were measured at other clocks (by more than 2 %): --per sm-clock"
side near/e.csv <<END
tight 1 warm device ok 100.1 0.001 30 1115
END
check "clocks that are 1.4 % apart" compared old near
check "... are the same" is "$(field differs tight)" ""
device="device B" side elsewhere/e.csv <<END
tight 1 warm device ok 100.1 0.001 30 2000
END
check "clocks of another device" compared old elsewhere
check "... differ as they must" is "$(field differs tight)" ""
rm old/e.meta.json
check "without a meta file" compared old new
check "... nothing is said of the toolkit" is "$(field differs tight)" "clocks"
samples=no side unsampled/e.csv <<END
fast 1 warm device ok 100 0.01 30
slow 1 warm device ok 110 0.01 30
END
check "without samples" compared a unsampled
check "... the intervals judge" is "$(field verdict fast)$(field p fast)" FASTER
backend=simt device="SIMT on CPU" side simt/e.csv <<END
fast 1 warm device ok 100 0.01 30
END
check "the CPU stand-in beside a GPU" refuses "no row of device A has a partner in the others" compare a simt
cp -r simt simt2
check "... beside itself" exits 0 compare simt simt2
backend=simt device="SIMT on CPU" side half/e.csv <<END
fast 1 warm device ok 100 0.01 30
END
cp a/e.csv half/f.csv && sed -i 's/,e,p,/,f,p,/' half/f.csv && mkdir -p half-b && cp a/e.csv half-b/e.csv && cp half/f.csv half-b/
check "... is left out" exits 0 compare half-b half --experiment e,f
cat "$scratch/out" "$scratch/err" >"$scratch/half.txt"
check "... which is said" grep -qF "times of the simt device are the CPU's" "$scratch/half.txt"

# ---- three operands ----------------------------------------------------------------------------------

check "three operands: as CSV" compared a b unsampled
check "... the first against each of the others" is "$(field ratio fast | wc -l)" 2
check "... the header once" is "$(grep -c '^a,b,experiment' "$scratch/csv")" 1
check "... as text" prints "A: device A (a); B: device A (unsampled)" compare a b unsampled
check "... one of them without a partner" exits 0 compare a b nothing
check "... is named" warns "left out: device A (nothing) has no row that belongs to one of device A (a)"

# ---- noise -------------------------------------------------------------------------------------------

noise()
{
    echo "schema,device,scope,kind,primitive,variant,decade,rows,difference_median,difference_p99,difference_max"
    echo "1,${device:-device A},device,gpu,,,-4,100,0.001,$1,0.5"
    echo "1,${device:-device A},device,gpu,p,slow,0,100,0.001,0.03,0.5"
}
noise 0.15 >noise.csv
check "--noise FILE" compared a b --noise noise.csv
check "... is the smallest effect" is "$(field effect fast) $(field verdict fast)" "0.15 SAME"
check "... but for a variant with its own" is "$(field effect slow) $(field verdict slow)" "0.03 SLOWER"
check "... and what is asked for" compared a b --noise noise.csv --min-effect 20%
check "... where that is larger" is "$(field effect fast)" 0.2
mkdir -p a/aa/first && cp noise.csv a/aa/
check "aa/noise.csv is found by itself" compared a b
check "... beside the files" is "$(field effect fast)" 0.15
check "... of either operand" compared b/e.csv a/e.csv
check "... a file's, too" is "$(field effect fast)" 0.15
check "--noise none" compared a b --noise none
check "... takes none" is "$(field effect fast)" 0.01
cp a/e.* a/aa/first/ && cp -r a/aa/first a/aa/second && cp b/e.* a/aa/second/
check "the passes of --aa" compared a/aa/first a/aa/second/
check "... have it beside them" is "$(field effect fast)" 0.15
check "... as files" compared a/aa/first/e.csv a/aa/second/e.csv
check "... as well" is "$(field effect fast)" 0.15
(cd a/aa/first && "$gpubench" compare e.csv ../second --format csv) >"$scratch/csv" 2>"$scratch/err"
check "... from within" is "$(field effect fast)" 0.15
check "no such noise" refuses "no such.csv" compare a b --noise "no such.csv"
check "a file of something else" refuses "it is no noise.csv of \`gpubench run --aa\`" compare a b --noise a/e.csv
rm -r a/aa
device="device B" side wide-b/e.csv <<END
tight 1 warm device ok 100.1 0.001 30
fast 1 warm device ok 100 0.01 30
END
device="device B" noise 0.12 >noise-b.csv
check "noise of B alone" compared a wide-b --noise noise-b.csv
check "... counts" is "$(field effect fast) $(field verdict fast)" "0.12 SAME"
check "... the other's is not known" warns "the noise of device A is not known"

# ---- views -------------------------------------------------------------------------------------------

sms=100 copy=1e12 side view-a/e.csv <<END
v 1 warm device ok 100 0.001 30 1000 100
w 1 warm device ok 100 0.001 30 1000 100
END
device="device B" sms=50 copy=4e12 side view-b/e.csv <<END
v 1 warm device ok 80 0.001 30 1500 400
w 1 warm device ok 50.01 0.001 30 1500 200
END
check "--per sm-clock" compared view-a view-b --per sm-clock
# 1.25 times (100 * 1000) / (50 * 1500)
check "... multiprocessors times clock" near "$(field ratio v)" 1.66666667
check "... and so is the interval" near "$(field ratio_ci95_lo v)" "$(compare view-a view-b --format csv 2>/dev/null |
    awk -F, 'NR == 2 { print $17 * 4 / 3 }')" 1e-5
check "--per bandwidth" compared view-a view-b --per bandwidth
check "... of copies" near "$(field ratio v)" 0.3125
check "... what is judged is the view" is "$(field verdict v)" SLOWER
check "--per watt" compared view-a view-b --per watt
check "... of the run" near "$(field ratio v)" 0.3125
check "... with p of the samples in that view" near "$(field p v)" 3.0198591e-11 1e-4
check "... which are alike where twice the rate takes twice the power" awk -v p="$(field p w)" 'BEGIN { exit !(p > 0.05) }'
check "... and then it is the SAME" is "$(field verdict w)" SAME
check "the caption says so" prints "device A is faster than device B per watt at 1 of 2 points: 3.200 ±0.002 times as fast" compare view-a view-b --per watt
check "no data sheet is asked for it" unsaid "data sheet"
# on_gpus COUNT SIDE TO: the same side, with that many GPUs for n
on_gpus()
{
    local file
    mkdir "$3" && cp -r "$2/." "$3"
    for file in "$3"/*.csv; do
        awk -F, -v OFS=, -v count="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "n") { at = i; $i = "gpus" } }
            NR > 1 { $at = count } { print }' "$file" >"$scratch/on-gpus" && cp "$scratch/on-gpus" "$file"
    done
}
for gpus in 1 2; do for one in a b; do on_gpus $gpus view-$one view-$one-$gpus; done; done
check "of one GPU the power is known" compared view-a-1 view-b-1 --per watt
check "... as before" near "$(field ratio v)" 0.3125
check "of several it is the first one's alone" compared view-a-2 view-b-2 --per watt
check "... and nothing is said by it" is "$(field ratio v)" ""
check "... but by what all have alike" compared view-a-2 view-b-2 --per bandwidth
check "...... as of one" near "$(field ratio v)" 0.3125
side blank/e.csv <<END
v 1 warm device ok 80 0.001 30
END
check "what is not known" compared view-a blank --per watt
check "... has no ratio" is "$(field ratio v)$(field verdict v)" UNCLEAR
check "--help has the formats" prints "--format text|markdown|latex|csv|json " compare --help
check "no such format" refuses '--format xml: found "xml", allowed are text, markdown, latex, csv and json' compare a b --format xml
check "no such view" refuses "sm-clock, bandwidth and watt" compare a b --per joule

# ---- published numbers -------------------------------------------------------------------------------

printed paper.csv <<END
fast,1,rate,20e6
slow,1,time,50e-6
wide,7,rate,20e6
tight,1,speedup,2
END
check "a paper's file" compared a paper.csv
# 1000 items in 110 us; 100 us
check "... its rates" near "$(field ratio fast)" 2.2
check "... its times" near "$(field ratio slow)" 2
check "... what was not measured" is "$(field missing wide 7)" a
check "... speed-ups are not compared" prints "1 row of B not compared (a speed-up: \`gpubench claims\`" compare a paper.csv
# every experiment of the primitive is looked through, however many there are
for i in $(seq 100 169); do
    side many/e"$i".csv <<<"v$i 1 warm device ok 100 0.01 30"
done
echo "v169,1,rate,20e6" | printed last.csv
check "the last of many experiments" compared many last.csv
check "... has the printed row" near "$(field ratio v169)" 2
echo "best,1,rate,20e6" | printed best.csv
sed -i 's/,rate,,ok/,rate,few;fast,ok/; s/,table,/,best,/' best.csv
sed 's/few;fast/fast/' best.csv >best-of-one.csv
check "the best of several variants" compared a best.csv
check "... is the fastest of them" is "$(field ratio few)$(field ratio fast)" 2
check "... of those that the paper means" compared a best-of-one.csv
check "... alone" near "$(field ratio fast)" 2.2
check "the paper first" compared paper.csv a
check "... is the other way round" near "$(field ratio fast)" 0.454545455
check "... and lacks nothing" is "$(field missing wide 7)" b
h100=$root/results/nvidia-h100-80gb-hbm3
cd "$root" || exit 1
mkdir -p "$scratch/spoilt/plots" && ln -s "$root/results" "$scratch/spoilt/results" && echo '{' >"$scratch/spoilt/plots/stencil.table.json"
check "a damaged layout is not taken for none" refuses "stencil.table.json" env GPUBENCH_SHARE="$scratch/spoilt" \
    "$gpubench" compare "$h100" published --experiment stencil
check "published" compared "$h100" published --experiment stencil
# The fastest of the three as the paper prints them over x at radius R, without rows that the cache holds, in flop/s.
best()
{
    awk -F, -v radius="$1" -v flops="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] ~ /^(base|csl|comp)-as-printed$/ && $at["radius"] == radius && $at["y"] == 256 && $at["z"] == 256 &&
            $at["block"] == "32x1x1" && $at["fused"] == 1 && $at["cache"] == "warm" && $at["status"] == "ok" &&
            $at["flags"] !~ /cache-resident/ && $at["rate"] * flops > best { best = $at["rate"] * flops }
        END { printf "%.9g", best }' "$h100/stencil.csv"
}
# of DEVICE RADIUS: the ratio of its printed best row
of()
{
    awk -F, -v device="$1" -v radius="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["b"] ~ device && $at["missing"] == "" && $at["point"] ~ ("radius=" radius ";") { print $at["ratio"] }' "$scratch/csv"
}
for radius in 1=13=130e9=480e9 2=25=180e9=840e9 3=37=210e9=1020e9 4=49=220e9=1200e9; do
    IFS="=" read -r r flops k80 p100 <<<"$radius"
    check "NVIDIA K80, radius $r" near "$(of K80 "$r")" "$(awk -v x="$k80" -v y="$(best "$r" "$flops")" 'BEGIN { printf "%.9g", x / y }')"
    check "NVIDIA P100, radius $r" near "$(of P100 "$r")" "$(awk -v x="$p100" -v y="$(best "$r" "$flops")" 'BEGIN { printf "%.9g", x / y }')"
done
check "what is not known of A is said once, not of each paper" test "$(grep -c "noise of" "$scratch/err")" = 1
check "per byte of bandwidth" compared "$h100" published --experiment stencil --per bandwidth
copy=$(sed -nE 's/.*"copy_bytes_per_s":[[:space:]]*([0-9.e+]+).*/\1/p' "$h100/stencil.meta.json")
check "... the K80's of its data sheet" near "$(of K80 1)" \
    "$(awk -v x=130e9 -v y="$(best 1 13)" -v copy="$copy" 'BEGIN { printf "%.9g", x / y * copy / 240e9 }')"
check "... which is said" warns "what NVIDIA K80 is divided by is not measured: a data sheet says it"
cd "$scratch" || exit 1

# ---- formats -----------------------------------------------------------------------------------------

check "text is the default" prints "The 5 rows that are not the SAME: e, warm, items/s" compare a b
widest() { sed 's/─/-/g' "$scratch/out" | awk 'length($0) > widest { widest = length($0) } END { print widest }'; }
check "... fits in 120 columns" test "$(widest)" -le 120
check "... each row in one line" grep -qE '^fast +B faster +1\.100 +1\.094 to 1\.106 +<0\.0001 +9\.09 M +10\.0 M$' "$scratch/out"
for side in early late; do
    later=$([ $side = late ] && echo 110 || echo 100)
    printf '%s 1 warm device ok %s 0.01 30\n' x "$later" y "$later" z "$((210 - later))" | side $side/e.csv
done
check "who is the faster is said first, and where" prints "device A (early) is faster than device A (late) at 2 of 3 points: " compare early late
check "... then the other" sh -c "grep -c '^device A (early) is faster' '$scratch/out' && grep -qF 'device A (late) is faster than' '$scratch/out'"
for side in wild calm; do
    side $side/e.csv <<<"v 1 warm device ok 100 $([ $side = wild ] && echo 9 || echo 0.01) 4"
done
check "a ratio whose interval would reach 0 is unstable" prints "v               UNCLEAR    1.0  unstable" compare wild calm
check "... to programs it has none" compared wild calm
check "... of no verdict" is "$(field ratio v)$(field ratio_ci95_lo v)$(field verdict v)" "1UNCLEAR"
for side in wild calm; do
    samples=no side $side-alone/e.csv <<<"v 1 warm device ok 100 $([ $side = wild ] && echo 9 || echo 0.01) 4"
done
check "... nor by their intervals alone" prints "v               UNCLEAR    1.0  unstable" compare wild-alone calm-alone
printf 'v,1,time,%s\n' 0.0001 | printed paper.csv
check "without samples on both sides the intervals decide" prints "beyond chance (by the 95 % interval" compare calm paper.csv --rows all
check "... and no test is spoken of" hides "tests"
check "--rows 2" prints "The 2 rows that differ most, of 5 that are not the SAME (--rows all shows every one)" compare a b --rows 2
check "... the farthest first" is "$(sed -n '/differ most/,$p' "$scratch/out" | grep -oE '^(fast|slow|wide|few|one) ' | paste -sd' ')" "few  one "
check "--rows all" prints "All 7 rows" compare a b --rows all
check "--rows 0" prints "7 rows compared: B faster in 1, A faster in 1, SAME in 2, UNCLEAR in 3" compare a b --rows 0
check "... shows none" hides "not the SAME:"
for value in -1 x 1x "" nan; do
    check "--rows '$value'" refuses "takes how many, or all" compare a b --rows "$value"
done
check "Markdown" prints "| e | fast | 1 |" compare a b --format markdown
check "LaTeX" prints '\begin{tabular}' compare a b --format latex
check "JSON" prints '"verdict":	"FASTER"' compare a b --format json
# count CHARACTERS: how many of them there are on stdout
count() { tr -cd "$1" <"$scratch/out" | wc -c; }
check "... is a whole" is "$(count '{[')" "$(count '}]')"
check "... has each row once" is "$(grep -c '"ratio":' "$scratch/out")" 7
settings() { grep -qE '"alpha":\s*0.05' "$scratch/out" && grep -qE '"min_effect":\s*0.01' "$scratch/out" && grep -qE '"per":\s*"none"' "$scratch/out"; }
check "... with its settings" settings
check "... and what is missing" prints '"why":	"wrong"' compare left right --format json
check "... rows of several experiments" prints "experiment" compare left right --format markdown
check "CSV" compared left right
check "... has as many fields in each line" is "$(awk -F, '{ print NF }' "$scratch/csv" | sort -u)" 24
check "no such format" refuses "text, markdown, latex, csv and json" compare a b --format html

# ---- speed -------------------------------------------------------------------------------------------

many() { awk -v factor="$1" 'BEGIN { for (i = 0; i < 10000; i++) print "v" i % 10, i, "warm device ok", (100 + i % 97) * factor, "0.01 20 1000" }'; }
many 1 | side many-a/e.csv
many 1.02 | side many-b/e.csv
quick()
{
    local TIMEFORMAT='%U %S' # of the processor: the machine has other things to do
    took=$({ time compare many-a many-b --format csv >"$scratch/csv" 2>"$scratch/err"; } 2>&1) || return 1
    echo "$took s"
    [ "$(grep -c SLOWER "$scratch/csv")" = 10000 ] &&
        awk -v took="$took" -v patience="${TEST_PATIENCE:-1}" 'BEGIN { split(took, s, " "); exit !(s[1] + s[2] > 0 && s[1] + s[2] < 3 * patience) }'
}
took=
check "10 000 rows of 20 samples in less than 3 s of CPU time" quick
echo "# they took $took s"

# ---- equal runs --------------------------------------------------------------------------------------

cat >equal.json <<'END'
{ "schema": 1, "name": "equal", "title": "Equal", "primitive": "multipartition", "variants": ["cpu", "multipartition"],
  "baseline": "cpu", "axes": { "n": [20000, 30000, 40000], "bins": [4, 8] }, "measure": { "warmup": 0 },
  "quick": { "axes": { "bins": [8] } } }
END
aa() { "$gpubench" run equal.json --aa --device simt --quick --samples 12 --filter 'n >= 30000' "$@" >"$scratch/out" 2>"$scratch/err"; }
aa_whole()
{
    aa --out equal || { cat "$scratch/err"; return 1; }
    cat "$scratch/out"
    [ "$(wc -l <equal/aa/first/equal.csv)" = 5 ] && [ "$(wc -l <equal/aa/second/equal.csv)" = 5 ] &&
        [ "$(wc -l <equal/aa/third/equal.csv)" = 5 ] && [ -s equal/aa/noise.csv ] && [ ! -e equal/equal.csv ]
}
check "--aa: three runs" aa_whole
check "... a table" grep -q 'How far apart equal runs may be found on' "$scratch/out"
check "... the pairs" grep -q '^3 runs, 12 pairs of rows: ' "$scratch/out"
check "... where the noise is" grep -qx 'noise:  equal/aa/noise.csv' "$scratch/out"
check "... nothing is left out" hides "left out"
# A pair whose times scatter so that there is no interval is in none.
noise_rows() { awk -F, 'NR > 1 { rows += $8 } END { print rows; exit !(rows >= 4 && rows <= 12) }' equal/aa/noise.csv; }
check "... the rows are in it" noise_rows
check "the passes compare by it" exits 0 compare equal/aa/first equal/aa/second
check "... its noise is known" unsaid "is not known"
check "nine samples are too few" exits 1 "$gpubench" run equal.json --aa --device simt --quick --samples 9 --out few
check "... which is said" warns "no row was measured twice with at least 10 samples"
sed 's/"measure": { "warmup": 0 }/"measure": { "warmup": 0, "samples": 12 },\
  "overrides": [ { "where": "variant = cpu", "samples": 5 } ]/; s/, *"quick": .*/}/; /"quick"/d' equal.json >some.json
sed -i 's/"samples": 5 } \],$/"samples": 5 } ] }/; s/"equal"/"some"/' some.json
check "some rows with few samples" exits 0 "$gpubench" run some.json --aa --device simt --full --out some --filter 'bins = 8'
check "... are left out of the counts" grep -q '^3 runs, 9 pairs of rows: ' "$scratch/out"
check "... which is said" grep -qx 'left out: 9 pairs of rows with fewer than 10 samples' "$scratch/out"

cat >long.json <<'END'
{ "schema": 1, "name": "long", "title": "Long", "primitive": "multipartition", "variants": ["cpu"],
  "baseline": "cpu", "axes": { "n": { "from": 1000, "to": 400000, "step": 10000 }, "bins": [8] }, "measure": { "warmup": 0 } }
END
interrupted()
{
    local pid code=0 waited=0 rows
    "$gpubench" run long.json --aa --device simt --samples 12 --out long >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    until [ -e long/aa/second/long.csv ] && [ "$(wc -l <long/aa/second/long.csv)" -ge 2 ]; do
        sleep 0.02
        waited=$((waited + 1))
        if [ $waited = 3000 ] || ! kill -0 $pid 2>/dev/null; then break; fi
    done
    kill -INT $pid
    wait $pid || code=$?
    rows=$(wc -l <long/aa/second/long.csv)
    echo "exit status $code, $rows lines"
    [ $code = 130 ] && [ "$rows" -lt 41 ] && [ ! -e long/aa/third ] && [ ! -e long/aa/noise.csv ] || return 1
    cp long/aa/first/long.csv first.before && head -n 2 long/aa/second/long.csv >second.before
    "$gpubench" run long.json --aa --device simt --samples 12 --out long --resume >"$scratch/out" 2>"$scratch/err" ||
        { cat "$scratch/err"; return 1; }
    cmp first.before long/aa/first/long.csv && head -n 2 long/aa/second/long.csv | cmp second.before - &&
        [ "$(wc -l <long/aa/second/long.csv)" = 41 ] && [ "$(wc -l <long/aa/third/long.csv)" = 41 ] &&
        grep -q '^3 runs, 120 pairs of rows: ' "$scratch/out" && [ -s long/aa/noise.csv ]
}
check "--aa interrupted in the second run goes on with --resume" interrupted
finish
