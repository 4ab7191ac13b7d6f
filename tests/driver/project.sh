#!/bin/bash
# test: fast
# gpubench project: times of a known law on made devices are found again on another, with an interval that holds the
# truth; what no law of these terms has is refused, as is one card alone; what was left out, printed values, formats.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p share/results/published
export GPUBENCH_SHARE=$scratch/share

# ---- devices and laws ----------------------------------------------------------------------------------------------

# What is on a data sheet; a copy reaches 0.9 of the bandwidth. E has no data of its own, but two boards have.
cat >share/results/published/gpus.csv <<'E2'
device,alias,architecture,sms,sm_clock_max_hz,l2_bytes,memory_bytes_per_s,fp32_flop_per_s,source
device A,,new,128,2e9,60e6,4e12,1e13,a data sheet
device B,,new,128,2e9,50e6,3e12,1e13,a data sheet
device C,C,new,64,1.6e9,50e6,1e12,1e13,a data sheet
device D,,old,32,1e9,5e6,5e11,1e13,a data sheet
device E,,old,48,,5e6,5e11,1e13,a data sheet
device E slow,,old,48,1e9,5e6,5e11,1e13,a data sheet
device E fast,,old,48,1.2e9,5e6,5e11,1e13,a data sheet
device F,,new,,1e9,5e6,5e11,1e13,a data sheet
E2

# The laws, in awk: seconds of a variant with n items on a device of that bandwidth, multiprocessors and clock. `odd` is
# 4 times slower on device B for a reason that no term has; `worse` grows with the multiprocessors.
laws='
function seconds(variant, n, device, bandwidth, sms, clock, size) {
    size = n / 1e8
    if (variant == "stream") return size * 8e9 / bandwidth
    if (variant == "mixed") return size * (4e9 / bandwidth + 1.28e8 / (sms * clock))
    if (variant == "beside") return size * sqrt((4e9 / bandwidth) ^ 2 + (2.56e8 / (sms * clock)) ^ 2)
    if (variant == "chain") return size * (1e6 / clock + 2.56e8 / (sms * clock))
    if (variant == "odd") return size * 8e9 / bandwidth * (device == "device B" ? 4 : 1)
    if (variant == "worse") return size * 8e9 / bandwidth * sms / 16
}
# bytes an item that are moved at least
function least(variant) { return variant == "chain" ? 0.01 : variant == "stream" ? 80 : 20 }'

# card FOLDER DEVICE BANDWIDTH SMS CLOCK L2 EXPERIMENT PRIMITIVE VARIANTS NS LIMITS: results FOLDER/EXPERIMENT.csv with a
# row for each limit, as the axis grid has it; times wobble by 1 % in no order of the limits. flags: of all rows; under:
# the conditions of the device, which then is used as a whole.
card()
{
    mkdir -p "$1"
    awk -v device="$2" -v bandwidth="$3" -v clock="$5" -v experiment="$7" -v primitive="$8" -v variants="$9" -v ns="${10}" \
        -v limits="${11}" -v flags="${flags:-}" -v backend="${backend:-cuda}" -v scope="${scope:-device}" -v under="${under:-}" "$laws"'
    BEGIN {
        print "schema,run_id,experiment,primitive,variant,instance,under,backend,device,n,grid,cache,scope,status,reason,samples,unit,items," \
            "time_mean_s,time_ci95_lo_s,time_ci95_hi_s,rate,rate_ci95_lo,rate_ci95_hi,limit_kind,limit_rate,sm_clock_mhz,flags"
        v = split(variants, variant, " "); m = split(ns, n, " "); k = split(limits, limit, " ")
        for (i = 1; i <= v; i++) for (j = 1; j <= m; j++) for (l = 1; l <= k; l++) {
            wobble = 1 + 0.01 * ((i + 2 * j + l * l + length(device bandwidth)) % 3 - 1)
            t = wobble * seconds(variant[i], n[j], device, bandwidth * 0.9, limit[l], clock)
            printf "1,run,%s,%s,%s,code 3.1,%s,%s,%s,%s,%s,warm,%s,ok,,30,items,%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,bandwidth,%.9g,%s,%s\n", \
                experiment, primitive, variant[i], under, backend, device, n[j], under == "" ? "sms:" limit[l] : "full", scope, n[j], t, t * 0.999, t * 1.001, \
                n[j] / t, n[j] / t / 1.001, n[j] / t / 0.999, bandwidth * 0.9 / least(variant[i]), clock / 1e6, flags
        }
    }' >"$1/$7.csv"
    echo "{\"schema\": 1, \"device\": {\"sms\": $4, \"l2_bytes\": $6}, \"ceilings\": {\"copy_bytes_per_s\": $(awk -v b="$3" 'BEGIN { print b * 0.9 }')}}" >"$1/$7.meta.json"
}
# pair EXPERIMENT PRIMITIVE VARIANTS NS [LIMITS]: on device A and device B.
pair()
{
    card a "device A" 4e12 128 2e9 60000000 "$1" "$2" "$3" "$4" "${5:-16 32 64 96 128}"
    card b "device B" 3e12 128 2e9 50000000 "$1" "$2" "$3" "$4" "${5:-16 32 64 96 128}"
}
# projected ARGUMENTS...: as CSV, for near, holds and field.
projected() { "$gpubench" project a b "$@" --format csv >found.csv 2>found.err || { cat found.err; return 1; }; }
# truth VARIANT N BANDWIDTH SMS CLOCK
truth() { awk -v v="$1" -v n="$2" -v b="$3" -v s="$4" -v c="$5" "$laws"'BEGIN { print seconds(v, n, "", b * 0.9, s, c) }'; }
# near PART VARIANT N TRUTH: the time is that but for a part, and the interval holds it.
near()
{
    awk -F, -v part="$1" -v variant="$2" -v point="n=$3" -v truth="$4" '$3 == variant && $4 == point {
        found = 1; good = $7 > truth * (1 - part) && $7 < truth * (1 + part) && $8 <= truth && $9 >= truth
    } END { exit !(found && good) }' found.csv || { echo "truth $4"; cat found.csv; return 1; }
}
# field NAME VARIANT N: of the row.
field()
{
    awk -F, -v name="$1" -v variant="$2" -v point="n=$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        $3 == variant && $4 == point { print $c }' found.csv
}
between() { awk -v x="$1" -v lo="$2" -v hi="$3" 'BEGIN { exit !(x != "" && x >= lo && x <= hi) }' || { echo "$1 is not from $2 to $3"; return 1; }; }

# ---- laws that the model has ---------------------------------------------------------------------------------------

pair e p "stream mixed beside chain" "100000000 200000000"
check "a card of the same architecture" projected --onto "device C"
for variant in stream mixed beside chain; do
    check "... $variant: the truth is near, and in the interval" near 0.08 "$variant" 100000000 "$(truth "$variant" 100000000 1e12 64 1.6e9)"
    check "... at every point" near 0.08 "$variant" 200000000 "$(truth "$variant" 200000000 1e12 64 1.6e9)"
done
check "... a row a variant and point" test "$(wc -l <found.csv)" = 9
check "the terms are told apart" between "$(field memory_share stream 100000000)" 0.95 1
check "... both" between "$(field issue_share mixed 100000000)" 0.1 0.35
check "... latency" between "$(field latency_share chain 100000000)" 0.15 0.4
check "... of what runs side by side" between "$(field power beside 100000000)" 2 2
check "the rate is that of the time" between "$(awk -v t="$(field time_s stream 100000000)" -v r="$(field rate stream 100000000)" 'BEGIN { print t * r }')" 99999000 100001000
check "what lies beyond the cards measured is said" test "$(field flags stream 100000000)" = "bandwidth-beyond;clock-beyond"
check "an alias" projected --onto C
check "rows that are chosen" projected --onto C --variant stream --n 200M
check "... alone" test "$(cut -d, -f3,4 found.csv | tail -n +2)" = "stream,n=200000000"
check "how wrong it is" prints "card left out" "$gpubench" project a b --validate --format csv
check "... of a card: guessed and true" sh -c "awk -F, '\$1 == \"card left out\" && \$2 == \"device B\" { n++; bad += \$12 < 0.9 || \$12 > 1.12 } END { exit !(n == 8 && !bad) }' out"
check "... inner limits, of both cards" test "$(grep -c '^inner limit,all cards' out)" = 48
check "... and the outermost" test "$(grep -c '^outermost limit,all cards' out)" = 32
check "... of the rows that are chosen" prints "stream" "$gpubench" project a b --validate --variant stream --format csv
check "... alone" hides "mixed"
check "... as a table" prints "No guess is off by more than a factor of 1.50." "$gpubench" project a b --validate
check "... as JSON" prints '"experimental":	true' "$gpubench" project a b --validate --format json
check "a projection as a table" prints "Projected onto device C (experimental)" "$gpubench" project a b --onto C
check "... says what the card is taken to have" grep -qF "64 multiprocessors at 1600 MHz, and to copy 900 GB/s: 0.900 to 0.900 of" out
check "... and what is beyond" grep -qF "Beyond what was measured: its bandwidth and clock." out
check "... in Markdown" prints "| variant | point | ms |" "$gpubench" project a b --onto C --format markdown
check "... as JSON" prints '"time_lo_s"' "$gpubench" project a b --onto C --format json

# ---- another architecture ------------------------------------------------------------------------------------------

# nothing TEXT ARGUMENTS...: exit status 1, the text on stderr, nothing on stdout.
nothing()
{
    local status=0
    "$gpubench" project a b "${@:2}" >out 2>err || status=$?
    cat out err
    [ "$status" = 1 ] && [ ! -s out ] && grep -qF -- "$1" err
}
check "nothing printed of another architecture" nothing "p is refused: nothing is known that its guesses could be held against" --onto "device D"
# print FILE PRIMITIVE FACTOR: what a paper has of device D: the law's rate, times a factor.
print()
{
    echo "schema,paper,primitive,variant,device,n,grid,kind,scope,locator,quantity,baseline,status,value,unit,ci95_rel,note" >"share/results/published/$1.csv"
    for n in 100000000 200000000; do
        echo "1,$1,$2,stream,device D,$n,full,table,device,Table 1,rate,,ok,$(awk -v t="$(truth stream $n 5e11 32 1e9)" -v n=$n -v f="$3" 'BEGIN { printf "%.4e", n / t * f }'),items/s,0.01," >>"share/results/published/$1.csv"
    done
}
print paper p 1.2
check "a paper's numbers" projected --onto "device D"
check "... validate, and widen the interval" near 0.5 stream 100000000 "$(truth stream 100000000 5e11 32 1e9)"
check "... by more than they are off" between "$(awk -v hi="$(field time_hi_s stream 100000000)" -v t="$(field time_s stream 100000000)" 'BEGIN { print hi / t }')" 1.25 3
check "... the architecture is a flag" grep -qF "other-architecture" found.csv
pair other r stream 100000000
check "of a primitive without any, those of others stand in" projected --experiment other --onto "device D"
check "... which is flagged" grep -qF "other-architecture;unvalidated" found.csv
check "... and widens as much" between "$(awk -v hi="$(field time_hi_s stream 100000000)" -v t="$(field time_s stream 100000000)" 'BEGIN { print hi / t }')" 1.25 3
check "the guess about it" prints "printed,device D,e,p,stream,n=100000000;grid=full" "$gpubench" project a b --validate --format csv
check "... its factor" sh -c "awk -F, '\$1 == \"printed\" { n++; bad += \$12 < 1.15 || \$12 > 1.26 } END { exit !(n == 2 && !bad) }' out"
check "a name of several boards is all of them" projected --onto "device E"
check "... from the slowest to the fastest" near 0.12 chain 100000000 "$(truth chain 100000000 5e11 48 1.1e9)"
check "... which is said" grep -qF "several-boards" found.csv
print paper p 2.5
check "a paper that is far off refuses the primitive" nothing "more than 1.50; furthest off: e, stream" --onto "device D"
check "... and those of which nothing is printed" nothing "r is refused: of 2 guesses of p, since nothing is printed of it (printed, device D)" --experiment other --onto "device D"
rm -f a/other.* b/other.*
check "... for its own architecture's cards alone not" projected --onto "device C"
check "... and is shown" prints "Where it is wrong" "$gpubench" project a b --validate
mkdir share/plots && echo '{' >share/plots/p.table.json
check "a damaged layout is not taken for none" refuses "p.table.json" "$gpubench" project a b --validate
rm -r share/plots
rm share/results/published/paper.csv
mkdir share/results/published/elsewhere
echo "schema,source,year,primitive,variant,instance,device,n,grid,kind,scope,cache,locator,quantity,status,value,unit,items,item,ci95_rel,assumption,note" >share/results/published/elsewhere/p.csv
echo "1,a README,2020,p,stream,code 3.7,device D,100000000,full,table,device,,line 1,time,ok,0.0178,s,100000000,items,,," >>share/results/published/elsewhere/p.csv
echo "1,a README,2020,p,stream,code 1.5,device D,200000000,full,table,device,,line 2,time,ok,0.0178,s,200000000,items,,," >>share/results/published/elsewhere/p.csv
check "what others printed counts, too" prints "printed,device D,e,p,stream" "$gpubench" project a b --validate --format csv
check "... but not of another version" test "$(grep -c '^printed,' out)" = 1
rm -r share/results/published/elsewhere

# ---- laws that it does not have ------------------------------------------------------------------------------------

pair odd q "odd" 100000000
check "what is slow on one card for a reason of its own is refused" nothing "q is refused: of 1 guesses (card left out, device" --experiment odd --onto C
check "... with where it is wrong" grep -qE "odd, odd: .* ms guessed, .* measured" err
check "... others are not" projected --onto C
check "... and stand alone" test "$(tail -n +2 found.csv | cut -d, -f2 | sort -u)" = p
check "... the table says so" prints "q is refused" "$gpubench" project a b --onto C
rm -f a/odd.* b/odd.*
pair worse q "worse" 100000000
check "what more multiprocessors make slower is refused" nothing "q is refused" --experiment worse --onto C
rm -f a/worse.* b/worse.*

# ---- limits of the device ------------------------------------------------------------------------------------------

# The same times, of runs with fewer multiprocessors, in folders of their own.
mkdir m
for folder in a b; do
    bandwidth=4e12 l2=60000000 device="device A"
    [ $folder = a ] || bandwidth=3e12 l2=50000000 device="device B"
    card m/$folder "$device" $bandwidth 128 2e9 $l2 e p "stream mixed" 100000000 128
    for limit in 16 32 64 96; do
        under="multiprocessors=$limit" card "m/$folder/under/multiprocessors-$limit" "$device" $bandwidth 128 2e9 $l2 e p "stream mixed" 100000000 $limit
    done
    # other code: no setting of the same
    under="code=sm_35;multiprocessors=64" card "m/$folder/under/multiprocessors-and-code" "$device" 1e9 128 2e9 $l2 e p "stream mixed" 100000000 64
done
limited() { "$gpubench" project m/a m/b "$@" --format csv >found.csv 2>found.err || { cat found.err; return 1; }; }
check "limits that runs were under, below the folders named" limited --onto C
check "... say the same" near 0.08 mixed 100000000 "$(truth mixed 100000000 1e12 64 1.6e9)"
check "... of two cards with five numbers of multiprocessors, and no other code" test "$(field timings mixed 100000000)" = 10

# ---- the L2 --------------------------------------------------------------------------------------------------------

flags=cache-resident pair small s "stream" 100000000
check "what fits the L2 here, but perhaps not there" nothing "fit the L2 of the cards measured, which is larger than the one there" --experiment small --onto "device E slow"
check "... there as well" projected --experiment small --onto C
check "... without a term of the memory" test "$(field memory_share stream 100000000)" = ""
flags=cache-resident card a "device A" 4e12 128 2e9 60000000 small s stream 100000000 "16 32 64 96 128"
card b "device B" 3e12 128 2e9 50000000 small s stream 100000000 "16 32 64 96 128"
check "what fits one of the two" nothing "fit the L2 of some of the cards alone" --experiment small --onto C
rm -f a/small.* b/small.*

# ---- what is missing -----------------------------------------------------------------------------------------------

check "one card alone" refuses "no law can be fitted: of 8 rows 8 were measured on one card. It takes the same rows of two cards" "$gpubench" project a --onto C
check "... says how to go on" warns "gpubench run CONFIG --multiprocessors 32"
card c "device B" 4e12 128 2e9 60000000 e p "stream mixed beside chain" "100000000 200000000" "16 32 128"
check "cards of one bandwidth" refuses "measured on cards of the same bandwidth" "$gpubench" project a c --onto C
pair full p stream 100000000 128
check "rows without limits" nothing "measured under fewer than two limits of multiprocessors" --experiment full --onto C
check "... are counted beside others" prints "Left out: 1 rows that were measured under fewer than two limits" "$gpubench" project a b --onto C
rm -f a/full.* b/full.*
scope=host-to-host card h "device A" 4e12 128 2e9 60000000 e p stream 100000000 "16 32 128"
check "no device times" refuses "the results hold no time of a GPU" "$gpubench" project h --onto C
backend=simt card h "device A" 4e12 128 2e9 60000000 e p stream 100000000 "16 32 128"
check "no times of the CPU" refuses "the results hold no time of a GPU" "$gpubench" project h --onto C
cp -r b n && rm n/*.meta.json
check "a card of which nothing is known" refuses "measured on one card" "$gpubench" project a n --onto C
check "... is named" warns "left out: device B: no meta file beside its results says"
check "no such GPU" refuses '--onto device Q: no such GPU in gpus.csv (did you mean "device ' "$gpubench" project a b --onto "device Q"
check "a GPU of which too little is known" refuses "device F: gpus.csv does not say its multiprocessors (sms)" "$gpubench" project a b --onto "device F"
check "no row chosen" nothing "no row was chosen" --onto C --variant stream --experiment none
check "no such variant" refuses "none" "$gpubench" project a b --onto C --variant none
check "no such axis" refuses "--nn is no option, and the results have no axis of that name. Their axes: --n, --grid" "$gpubench" project a b --onto C --nn 1
check "neither" refuses "give one of --onto GPU and --validate" "$gpubench" project a b
check "both" refuses "give one of --onto GPU and --validate" "$gpubench" project a b --onto C --validate
check "no results" refuses "name result files or folders of two cards" "$gpubench" project --onto C
check "--help says what it is" prints "Experimental: times of rows on a card that is not here" "$gpubench" project --help
check "the list of commands, too" prints "(experimental)" "$gpubench" --help
mv share/results/published/gpus.csv .
check "no data sheets" refuses "gpus.csv" "$gpubench" project a b --onto C
finish
