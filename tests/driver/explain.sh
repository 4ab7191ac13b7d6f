#!/bin/bash
# test: fast
# gpubench compare --explain: rows whose times are made by a rule (bytes over bandwidth, issue slots, clocks, parts of each)
# get the words of that rule; where nothing can be told they say so; what of the devices is taken, and the figure.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p share/plots share/results/published
cp "$root"/plots/common.gp "$root"/plots/explain.gp share/plots/
export GPUBENCH_SHARE=$scratch/share
# Clocks are the highest, bandwidths what vendors promise: neither is what was measured.
cat >share/results/published/gpus.csv <<'END'
device,alias,architecture,sms,sm_clock_max_hz,memory_bytes_per_s,l2_bytes,fp32_flop_per_s,source
device A,,Old,100,2e9,5e12,60e6,,x
device B,,Old,80,1e9,1.25e12,45e6,,x
device D,,New,100,2e9,2.5e12,60e6,,x
device E,,New,,,,,,x
END

# device FOLDER SMS COPY L2 LAUNCH: what the meta file of a device says; COPY 0: nothing of it.
device()
{
    mkdir -p "$1"
    printf '{"schema": 1, "device": {"sms": %s, "l2_bytes": %s}, "ceilings": {"copy_bytes_per_s": %s, "launch_s": %s}}\n' \
        "$2" "$4" "$3" "$5" >"$1/e.meta.json"
}
# rows FOLDER DEVICE MHZ [UNDER]: of standard input, VARIANT TIME [NAME=VALUE...] a line, with a scatter of 0.1 % unless it
# says another.
rows()
{
    mkdir -p "$1"
    echo "schema,experiment,primitive,variant,under,device,n,cache,scope,status,reason,samples,unit,rate,rate_ci95_lo,rate_ci95_hi,time_mean_s,time_ci95_lo_s,time_ci95_hi_s,limit_kind,limit_rate,sm_clock_mhz,flags" >"$1/e.csv"
    awk -v device="$2" -v mhz="$3" -v under="${4:-}" '{
        delete is
        is["cache"] = "cold"; is["scope"] = "device"; is["kind"] = "bandwidth"; is["scatter"] = 0.001; is["mhz"] = mhz
        for (i = 3; i <= NF; i++) { split($i, part, "="); is[part[1]] = part[2] }
        r = 1e6 / $2; s = is["scatter"]
        printf "1,e,p,%s,%s,%s,1,%s,%s,ok,,%d,items,%.9g,", $1, under, device, is["cache"], is["scope"], (s > 0 ? 30 : 1), r
        if (s > 0) printf "%.9g,%.9g,%.9g,%.9g,%.9g,", r / (1 + s), r / (1 - s), $2, $2 * (1 - s), $2 * (1 + s)
        else printf ",,%.9g,,,", $2
        printf "%s,%s,%s,%s\n", is["kind"], (is["kind"] == "" ? "" : r), is["mhz"], is["flags"] }' >>"$1/e.csv"
}
# B has 1/2 of A's bandwidth, 0.72 of its issue slots, 0.9 of its clock, and 0.675 of its L2 times clock.
# ruled: lines VARIANT MEMORY ISSUE LATENCY L2 TIME [NAME=VALUE...] as A's rows, with the parts of the time that go with
# each, and as B's, which these parts make.
ruled()
{
    cat >parts
    awk '{ printf "%s %s", $1, $6; for (i = 7; i <= NF; i++) printf " %s", $i; print "" }' parts | rows a "device A" 2000
    awk '{ t = $6 * ($2 / 0.5 + $3 / 0.72 + $4 / 0.9 + $5 / 0.675)
        printf "%s %.9g", $1, t; for (i = 7; i <= NF; i++) printf " %s", $i; print "" }' parts | rows b "device B" 1800
}
# explained A B [ARGUMENT...]: as CSV, for field.
explained()
{
    "$gpubench" compare "$@" --explain --format csv >quoted 2>err || { cat err; return 1; }
    sed 's/"\([^",]*\), \([^"]*\)"/\1; \2/' quoted >csv # commas within a field
}
# field COLUMN VARIANT: of the last explanation.
field()
{
    awk -F, -v column="$1" -v variant="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == variant { print $at[column] }' csv
}
is() { [ "$1" = "$2" ] || { echo "found '$1', not '$2'"; return 1; }; }
binds() { is "$(field binding "$1")" "$2"; }
near() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x != "" && (x - y) ^ 2 <= 1e-6 * y ^ 2) }' || { echo "found '$1', not '$2'"; return 1; }; }
# text_has PATTERN: the last text has a line that fits.
text_has() { grep -qE -- "$1" text || { cat text; return 1; }; }

# ---- by a rule ---------------------------------------------------------------------------------------

device a 100 4e12 60e6 3e-6
device b 80 2e12 45e6 3.5e-6
ruled <<'END'
copies 1 0 0 0 1e-3
issues 0 1 0 0 1e-3
waits 0 0 1 0 1e-3
halves 0.5 0.5 0 0 1e-3
streams 0.8 0.2 0 0 1e-3
counts 0.2 0.8 0 0 1e-3
latent 0 0.5 0.5 0 1e-3
stays 0 0 0 1 1e-4 cache=warm flags=cache-resident
passes 0 0 0 1 1e-4
short 0 0 1 0 5e-6
blocks 1 0 0 0 1e-3 kind=blocks
hosted 1 0 0 0 1e-3 kind=
moved 1 0 0 0 1e-3 scope=host-to-host
vague 1 0 0 0 1e-3 scatter=0.4
dim 1 0 0 0 1e-3 scatter=0.15
single 1 0 0 0 1e-3 scatter=0
faint 1.3 0 0 0 1e-3 scatter=0.25
END
awk -F, -v OFS=, '$4 == "issues" { $4 = "ahead"; print } $4 == "waits" { $4 = "behind"; print } $4 == "stays" { $4 = "lone"; print }' \
    a/e.csv >more.a
awk -F, -v OFS=, '{ if ($4 == "ahead") f = 0.9; else if ($4 == "behind") f = 3; else f = 1.5
    for (i = 14; i <= 16; i++) $i /= f
    for (i = 17; i <= 19; i++) $i *= f
    $6 = "device B"; $22 = 1800; if ($4 == "lone") $23 = ""
    print }' more.a >more.b
cat more.a >>a/e.csv && cat more.b >>b/e.csv
check "rows are explained" explained a b
for expected in copies=MEMORY issues=ISSUE waits=LATENCY halves=BETWEEN streams=MOSTLY_MEMORY counts=MOSTLY_SMS latent=BETWEEN \
    stays=L2 passes=MOSTLY_SMS short=LAUNCH blocks=BLOCKS hosted=HOST moved=HOST vague=UNDECIDED dim=MEMORY single=UNDECIDED \
    ahead=FASTER behind=SLOWER lone=CACHED; do
    check "${expected%=*} are bound by ${expected#*=}" binds "${expected%=*}" "${expected#*=}"
done
# Halves of A's time are 0.5 r / 0.5 of B's, r = 0.590164.
check "the part of two is solved" near "$(field part halves)" 0.545082
check "... of memory" is "$(field part_of halves) $(field rest_of halves)" "memory issue"
check "... also where it has most of the time" near "$(field part streams)" 0.826036
check "... with the interval's ends about it" awk -v lo="$(field part_lo streams)" -v hi="$(field part_hi streams)" \
    'BEGIN { exit !(lo > 0.75 && lo < 0.82 && hi > 0.83 && hi < 0.9) }'
cp csv once && part=$(field part halves)
check "the other way round" explained b a
check "... it is the same" near "$(field part halves)" "$part"
check "... and has most of it" is "$(field binding streams) $(field binding counts)" "MOSTLY_MEMORY MOSTLY_SMS"
cp once csv
check "between issue and latency, too" is "$(field part_of latent) $(field rest_of latent)" "issue latency"
check "what passes L2 may be bound by it as well" is "$(field fits passes)" l2
check "a wide interval proves nothing" is "$(field why vague)" "the ratio is too unsure"
check "... also where it meets one line alone" is "$(field fits faint) $(field binding faint)" "memory UNDECIDED"
check "none at all neither" is "$(field why single)" "the ratio has no interval"
check "the share of memory, of what is not between, too" near "$(field memory_part copies)" 1
check "... not of what is bound by something else" is "$(field memory_part short)$(field memory_part hosted)" ""
check "measured clocks, not the highest" near "$(field latency copies)" 0.9
check "... times multiprocessors" near "$(field issue copies)" 0.72
check "... times L2" near "$(field l2 copies)" 0.675
check "measured copies, not data sheets" is "$(field memory copies) $(field memory_by copies)" "0.5 measured"
check "noise widens: so large an effect takes all for alike" explained a b --min-effect 60%
check "... nothing is told" binds copies UNDECIDED

# ---- what could not have gone another way ------------------------------------------------------------

device d 100 2e12 60e6 3e-6
printf '%s\n' "copies 2e-3" "waits 1e-3" | rows d "device D" 2000
check "of as many multiprocessors" explained a d
check "... memory is still told" binds copies MEMORY
check "... issue and latency are not told apart" binds waits SMS
check "of another architecture L2 is unknown" is "$(field l2 copies)" ""
device c 100 4e12 60e6 3e-6
printf '%s\n' "copies 1e-3" "waits 2e-3" | rows c "device A" 2000
check "of equal devices" explained a c
check "... nothing can be told" binds copies UNDECIDED
check "... but that it is slower" binds waits SLOWER
check "why" is "$(field why copies)" "memory; issue and latency are alike"

# ---- what is taken of the devices --------------------------------------------------------------------

printf '%s\n' "copies 4e-3" "waits 2e-3 mhz=" | rows b "device B" 1800
device b 80 0 45e6 3.5e-6
check "without copies of both" explained a b
check "... data sheets of both" is "$(field memory copies) $(field memory_by copies)" "0.25 sheet"
check "without a clock the highest of both" is "$(field latency waits) $(field latency_by waits)" "0.5 sheet"
printf '%s\n' "copies 4e-3 mhz=" | rows e "device E" ""
check "a device of which little is known" explained a e
check "... explains nothing" binds copies UNKNOWN
device held 100 1e12 60e6 3e-6
halves=$(columns a/e.csv variant time_mean_s | awk -F, '$1 == "halves" { print $2 * 1.1; exit }')
printf '%s\n' "copies 1e-3" "issues 2e-3" "halves $halves" | rows held "device A" 2000 multiprocessors=50
check "fewer multiprocessors of one device" explained a held
check "... have its bandwidth, whatever they copied" is "$(field memory copies) $(field memory_by copies)" "1 same"
check "... and so many issue slots" near "$(field issue issues)" 0.5
check "... which tells what is bound by these" binds issues ISSUE
check "... and of what mostly is not, not that it is the memory: the clock is the same as well" binds halves BETWEEN

# ---- for people, and mistakes ------------------------------------------------------------------------

cp parts again && ruled <again
device b 80 2e12 45e6 3.5e-6
"$gpubench" compare a b --explain >text 2>err
check "what the devices have" text_has 'memory: bandwidth +4.00 TB/s +2.00 TB/s +0.500 +copies, measured'
check "by variant" text_has 'halves +1 +between +0\.590 +0\.590 +0\.590 +55 %'
check "which words mean what" text_has '^launch: takes less than two empty kernels'
"$gpubench" compare a b --explain --rows all >text 2>err
check "every row" text_has 'halves +cold +between \(memory 55 %\)'
check "... with why nothing is told" text_has 'vague +cold +undecided \(the ratio is too unsure\)'
check "as Markdown" prints "| memory: bandwidth | 4.00 TB/s |" "$gpubench" compare a b --explain --format markdown
check "as LaTeX" prints '\begin{' "$gpubench" compare a b --explain --format latex
"$gpubench" compare a b --explain --format json >found.json 2>err
check "as JSON" python3 -c 'import json
x = json.load(open("found.json"))["explanations"][0]
row = {r["variant"]: r for r in x["rows"]}["halves"]
assert row["binding"] == "BETWEEN" and abs(row["between"]["part"] - 0.545082) < 1e-3 and x["lines"]["memory"]["a"] == 4e12, x
assert sum(x["bindings"].values()) == len(x["rows"])'
cp share/results/published/gpus.csv sheets
echo "device A,,Old,,fast,,,,x" >>share/results/published/gpus.csv
check "damaged data sheets are not taken for none" refuses "gpus.csv: data row 5, column sm_clock_max_hz" "$gpubench" compare a b --explain
cp sheets share/results/published/gpus.csv
check "not beside --per" refuses "without --per" "$gpubench" compare a b --explain --per bandwidth
check "no figure of anything else" refuses "name both" "$gpubench" compare a b --plot x.svg
fails_to_draw() { ! "$gpubench" compare a "$2" --explain --plot "$1" >out 2>err && grep -qF -- "$3" err; }
check "a figure has a known ending" fails_to_draw x.gif b "it ends in .svg, .pdf, .png or .eps"
check "a figure of rows of the host alone" sh -c "'$gpubench' compare a b --explain --variant hosted --plot x.svg 2>&1 | grep -qF 'no row is the GPU'"
if command -v gnuplot >/dev/null; then
    "$gpubench" compare a b --explain --plot x.svg >out 2>err
    check "the figure" test -s x.svg
    for text in "memory: 0.5" "L2 (size × SM clock, assumed): 0.675" "SMs × SM clock (issue): 0.72" "SM clock (latency): 0.9" \
        "device B over device A" halves streams; do
        check "... says $text" grep -qF -- "$text" x.svg
    done
    check "... nothing of the host" sh -c '! grep -qF hosted x.svg'
    # shellcheck disable=SC2016 # as they are
    mkdir evil && sed 's/,device A,/,"a `touch pwned`""; touch pwned",/; s/,halves,/,`touch${IFS}pwned`,/' a/e.csv >evil/e.csv
    # shellcheck disable=SC2016
    sed -i 's/,halves,/,`touch${IFS}pwned`,/' b/e.csv
    "$gpubench" compare evil b --explain --plot evil.svg >out 2>err
    check "names are drawn" grep -qF 'touch pwned' evil.svg
    check "... and not executed" test ! -e pwned
else
    skip "the figure: no gnuplot"
fi
finish
