#!/bin/bash
# test: fast
# What others printed: refused with its place where a row lacks something, beside measured rows and in comparisons
# only where that is asked for, with its source; in no table, claim, standing, audit, figure or report else.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/multipartition-fixture.csv
cd "$scratch" || exit 1

# A share folder of our own, whose results/published/elsewhere has what a test says.
mkdir -p share && cp -r "$root/plots" "$root/configs" share/ && mkdir share/results && cp -r "$root/results/published" share/results/
export GPUBENCH_SHARE=$scratch/share
folder=share/results/published/elsewhere
rm -rf "$folder" && mkdir "$folder"
head=schema,source,year,primitive,variant,instance,device,n,bins,dist,function,payload,type,kind,scope,cache,locator,quantity,status,value,unit,items,item,ci95_rel,assumption,note
# elsewhere FILE: a row a line, VARIANT;DEVICE;N;BINS;SCOPE;CACHE;QUANTITY;VALUE;SOURCE
elsewhere()
{
    echo "$head" >"$1"
    awk -F';' '{ printf "1,%s,2021,multipartition,%s,v7,%s,%s,%s,uniform,max,none,u32,%s,%s,%s,table 3,%s,ok,%s,%s,%s,%s,,n is so,\n",
        $9, $1, $2, $3, $4, $3 == "" ? "best" : "table", $5, $6, $7, $8, $7 == "time" ? "s" : "keys/s", $3, $3 == "" ? "" : "keys" }' >>"$1"
}
elsewhere "$folder/multipartition.csv" <<'EOF'
multipartition;NVIDIA B200;32000000;256;device;;rate;71.5e9;someone/thing issue 17
multipartition;NVIDIA B200;32000000;128;device;;time;0.5e-3;someone/thing issue 17
multipartition;NVIDIA GeForce GTX 1080;32000000;64;device;cold;rate;11.1e9;someone/thing issue 17
multipartition;NVIDIA GeForce GTX 1080;32000000;256;host-to-host;;rate;12.2e9;someone/thing issue 17
multipartition;NVIDIA GeForce GTX 1080;32000001;256;device;;rate;13.3e9;someone/thing issue 17
their-own;NVIDIA V100;32000000;256;;warm;rate;14.4e9;someone/thing issue 17
multipartition;NVIDIA B200;32000000;256;device;;rate;72.5e9;someone/thing issue 23
large;Tesla K40c;;;device;;rate;15.5e9;someone/thing issue 23
EOF

# ---- what is refused ---------------------------------------------------------------------------------

# mistake COLUMN VALUE: the first row with this value there
mistake()
{
    awk -F, -v OFS=, -v column="$1" -v value="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        NR == 2 { $at = value } { print }' "$folder/multipartition.csv" >wrong.csv
}
while IFS=';' read -r column value allowed; do
    mistake "$column" "$value"
    check "$column '$value'" refuses "wrong.csv: data row 1, column $column: found '$value'; allowed: $allowed" "$gpubench" table wrong.csv
done <<'EOF'
source;;a text that is not empty
locator;;a text that is not empty
variant;;a text that is not empty
device;;a text that is not empty
year;21;the year in which it was printed
kind;claim;table or best
kind;best;table where every axis has a value
n;;a value; what is printed of no one point is of kind best
bins;;a value; what is printed of no one point is of kind best
items;;how many items the row is about
items;many;how many items the row is about
item;;what is counted
quantity;speedup;rate or time
unit;keys;the item a second
unit;items/s;the item a second
unit;s;the item a second
value;;a number above 0
value;0;a number above 0
value;1e-300;a number above 0
items;1e99;how many items the row is about
ci95_rel;1;a number between 0 and 1, or nothing
ci95_rel;wide;a number between 0 and 1, or nothing
status;unsupported;ok
scope;kernel;device, host-to-host, or nothing
cache;hot;cold, warm, or nothing
EOF
{ head -n 1 "$folder/multipartition.csv"; sed -n '9p;9p' "$folder/multipartition.csv"; } >wrong.csv
check "a point of a source twice" refuses "wrong.csv: data row 2 is about the same variant, device and point as one before it" "$gpubench" table wrong.csv
sed '9s/,rate,/,time,/; 9s|,keys/s,|,s,|' "$folder/multipartition.csv" >wrong.csv
check "the time of no one point" refuses "data row 8, column quantity: found 'time'; allowed: rate where the best" "$gpubench" table wrong.csv
sed '9s/,,,,n is so/,5,keys,,n is so/' "$folder/multipartition.csv" >wrong.csv
check "items of no one point" refuses "data row 8, column items: found '5'; allowed: nothing" "$gpubench" table wrong.csv
check "it is no paper's" refuses "holds what others printed" "$gpubench" table "$fixture" --published elsewhere/multipartition.csv

# ---- beside measured rows ----------------------------------------------------------------------------

check "it stands beside" prints "B200 (elsewhere)" "$gpubench" table "$fixture" --elsewhere --n 32M --bins 64,128,256
check "... a rate as printed" grep -qE "B200 \(elsewhere\)[^ ]+ .* 71\.5$" "$scratch/out"
check "... a time as the rate that it is" grep -qE "B200 \(elsewhere\)[^ ]+ .* 64 +71\.5$" "$scratch/out"
check "... each source by itself" grep -qE "B200 \(elsewhere\)[^ ]+ .* 72\.5$" "$scratch/out"
check "... in a note" grep -qF "printed elsewhere: someone/thing issue 17, table 3; version: v7; assumed: n is so" "$scratch/out"
check "... which names each" grep -qF "printed elsewhere: someone/thing issue 23, table 3; version: v7; assumed: n is so" "$scratch/out"
check "... the paper's stay" grep -qF "RTX A4500 (paper)" "$scratch/out"
check "... variants that were not measured" grep -qE "their-own +V100 \(elsewhere\)" "$scratch/out"
check "other caches, another scope, another n do not" hides "GTX 1080"
check "nor does what is of no one point" hides "K40c"
check "as records" prints ",NVIDIA B200,elsewhere,Multipartition,multipartition,,rate,keys/s,32000000,256," \
    "$gpubench" table "$fixture" --elsewhere --n 32M --bins 256 --format csv
check "... with the source" grep -qF '"someone/thing issue 23, table 3; version: v7; assumed: n is so"' "$scratch/out"
check "that there is none is said" prints "Multipartition" "$gpubench" table "$fixture" --elsewhere --n 8M
check "... on standard error" warns "nothing that others printed is about the points of multipartition"
check "a file of it among the results needs no asking" prints "B200 (elsewhere)" "$gpubench" table "$fixture" "$folder/multipartition.csv" --n 32M
check "... and has a table of its own" grep -qF "multipartition, as others printed it" "$scratch/out"
check "by itself" prints "Rates of the same work that others printed: dist uniform, function max, payload none, type u32." "$gpubench" table "$folder"
check "... the best over what is blank" grep -qE "^Tesla K40c +large +best +best +2021 +15\.5" "$scratch/out"
check "... of what is chosen" prints "72.5" "$gpubench" table "$folder" --n 32M --variant multipartition
check "... and no other" hides "their-own"
check "all that comes along" prints "GeForce RTX 2080 SUPER" "$gpubench" table "$root/results/published/elsewhere/radix-sort.csv"
# Without the bytes that go on a character each is one.
widest() { sed -n '/^device/,/^$/p' "$scratch/out" | LC_ALL=C tr -d '\200-\277' | LC_ALL=C awk 'length($0) > widest { widest = length($0) } END { print widest + 0 }'; }
check "... is 80 columns wide" test "$(widest)" -gt 60 -a "$(widest)" -le 80

# ---- comparisons -------------------------------------------------------------------------------------

check "published numbers have it behind" prints "B: NVIDIA B200 (elsewhere)" "$gpubench" compare "$fixture" published --rows all
check "... the papers first" test "$(grep -n "(paper)" "$scratch/out" | head -n 1 | cut -d: -f1)" -lt "$(grep -n "(elsewhere)" "$scratch/out" | head -n 1 | cut -d: -f1)"
check "... which is said" grep -qF "B is what others printed, and no result that is reproduced here." "$scratch/out"
check "... with its sources" grep -qF "¹ someone/thing issue 17, table 3; version: v7" "$scratch/out"
check "... of several" grep -qF "² someone/thing issue 23, table 3; version: v7" "$scratch/out"
check "... of the best over n and bins" grep -qF "B: Tesla K40c (elsewhere)" "$scratch/out"
check "... other caches and scopes are none" hides "GTX 1080"
check "... how many have no partner is said once" warns "left out: of 2 devices nothing that others printed belongs to a row of fixture"
check "a file of it" prints "B: NVIDIA B200 (elsewhere)" "$gpubench" compare "$fixture" "$folder/multipartition.csv" --per bandwidth
check "of one experiment" prints "B: NVIDIA B200 (elsewhere)" "$gpubench" compare "$fixture" published --experiment multipartition
check "in JSON" prints '"elsewhere":	true' "$gpubench" compare "$fixture" "$folder/multipartition.csv" --format json
sed 's/71.5e9/0.5e9/; s/72.5e9/0.5e9/; s/0.5e-3/50/; s/15.5e9/0.5e9/' "$folder/multipartition.csv" >slow.csv
check "it decides no exit status" prints "A faster in 3" "$gpubench" compare "$fixture" slow.csv --fail-on slower
mkdir mine && cp "$fixture" mine/ && mkdir mine/elsewhere && cp "$fixture" mine/elsewhere/
check "a folder of that name elsewhere is nobody's" hides "(mine" "$gpubench" compare mine published

# ---- nowhere else ------------------------------------------------------------------------------------

# same WHAT COMMAND...: says the same with and without it
same()
{
    "$gpubench" "$@" >with.out 2>&1 || return 1
    GPUBENCH_SHARE=$scratch/bare "$gpubench" "$@" 2>&1 | sed "s|$scratch/bare|$scratch/share|g" >without.out
    diff with.out without.out && [ -s with.out ]
}
cp -r share bare && rm -r "bare/results/published/elsewhere"
check "tables do not have it unasked" same table "$fixture"
check "... nor plain ones" same table "$fixture" --table plain
check "nor of published numbers" same table "$root/results/published/multipartition-table1.csv"
check "nor claims" same claims "$fixture" --rows
modern=$root/results/$(cat "$root/results/shown")/multipartition-modern.csv # whatever its numbers are
check "nor standings" same standings "$modern"
check "nor audits" same audit "$fixture"
check "nor the list of papers" same list papers
cp "$fixture" multipartition.csv
check "nor figures" same plot multipartition.csv --figure multipartition-bins --terminal
check "... which draw the paper's" grep -qF "(paper)" with.out
few()
{
    local drawn
    "$gpubench" plot "$folder/multipartition.csv" --format svg --out figures >"$scratch/out" 2>&1
    drawn=(figures/*)
    [ ${#drawn[@]} -le 1 ]
}
check "a file of it has no figures of its sources one by one" few
check "... of which none is tried" hides "experiment 'someone"
check "... nor one to fall back on" hides "default"
check "nor reports" same report multipartition.csv --no-figures --out "$scratch/report.html"
check "... at all" test "$(grep -c "someone/thing issue 17" report.html)" = 0
for command in claims standings audit; do
    "$gpubench" $command "$modern" >without.out 2>&1
    "$gpubench" $command "$modern" "$folder/multipartition.csv" >with.out 2>&1
    check "$command with a file of it among the results says the same" cmp with.out without.out
    check "... something" test -s with.out
done
check "it is listed" prints "$folder/multipartition.csv" "$gpubench" list published
check "... apart" grep -qE "^PRINTED ELSEWHERE" "$scratch/out"
finish
