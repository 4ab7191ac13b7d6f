#!/bin/bash
# test: fast 3
# gpubench audit: what each kind of rule finds and lets pass, noise, intervals and margins, known causes, formats,
# mistakes; and that the rules that come along find what was once overlooked.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench fixtures=$root/tests/fixtures/audit
cd "$scratch" || exit 1
mkdir -p share/plots

# audit STATUS ARGUMENTS...: this exit status; as CSV, for found.
audit()
{
    local status=0
    "$gpubench" audit "${@:2}" --format csv >found.csv 2>found.err || status=$?
    cat found.err found.csv
    [ "$status" = "$1" ]
}
# found "RULE VARIANT POINT"...: these and no others of the last audit, in this order; known ones begin with "known ".
found()
{
    awk -F, 'NR > 1 && $1 != "stale" { print ($1 == "known" ? "known " : "") $2, $5, $6 }' found.csv >lines
    if [ $# = 0 ]; then : >expected; else printf '%s\n' "$@" >expected; fi
    diff expected lines
}
# column NAME: of the last audit's first reason.
column() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { print $at[name] }' found.csv; }
near() { awk -v a="$(column "$1")" -v b="$2" 'BEGIN { exit !(a > b - 1e-4 && a < b + 1e-4) }' || { column "$1"; return 1; }; }

# rules RULE...: the audit's own from here on, each the members of an object.
rules()
{
    local rule separator=
    for rule; do
        echo "$separator{ $rule, \"look\": \"the look of it\" }" && separator=,
    done >list
    echo "{ \"schema\": 1, \"margin\": 0.05, \"noise\": 0.02, \"rules\": [ $(cat list) ] }" >share/plots/audit.json
}

# ---- the rules that come along -------------------------------------------------------------------------------

check "a library's slow instance is found" audit 1 "$fixtures/radix-sort-modern.csv"
check "... by the order and by the type, at each point, and nothing else" found \
    "type cub-radix-sort n=33554432;dist=uniform;type=u32;payload=none;order=ascending;bits=all" \
    "order cub-radix-sort n=268435456;dist=uniform;type=u32;payload=none;order=ascending;bits=all" \
    "type cub-radix-sort n=268435456;dist=uniform;type=u32;payload=none;order=ascending;bits=all" \
    "type cub-radix-sort n=268435456;dist=constant;type=u32;payload=none;order=ascending;bits=all"
says() { grep -qF -- "$1" text || { cat text; return 1; }; }
"$gpubench" audit "$fixtures/radix-sort-modern.csv" >text 2>&1
check "the slow row is named with its siblings" says "order: 0.840 (0.840 to 0.840) of order descending, 50.5"
check "... with what to look at" says "cuobjdump -res-usage"
check "... and how many" says "16 rows audited: 3 slower than they should be"
check "rows that are alike pass" audit 0 "$fixtures/alike.csv"
check "... all of them" found

# ---- the results that come along --------------------------------------------------------------------------------

read -r shown <"$root/results/shown"
check "those that are shown do" audit 0 "$root/results/$shown"
export GPUBENCH_SHARE=$scratch/share

# ---- an axis ---------------------------------------------------------------------------------------------------

rules '"name": "axis", "primitive": "p", "alike": "type", "values": ["a", "b"]'
axes=n,type
side axis/e.csv <<'E2'
v 10,a warm device ok 100 0.01 30
v 10,b warm device ok 120 0.01 30
v 20,a warm device ok 103 0.01 30
v 20,b warm device ok 100 0.01 30
v 30,a warm device ok 100 0.3 30
v 30,b warm device ok 107 0.3 30
v 40,a warm device ok 100 0.01 30
v 40,c warm device ok 200 0.01 30
w 10,b warm device ok 200 0.01 30
v 50,a cold device ok 100 0.01 30
v 50,b warm device ok 200 0.01 30
v 60,a warm device ok 100 0.01 30
v 60,b warm device unsupported
E2
check "beyond the margin and the interval" audit 1 axis
check "... one row, not within the margin, not unsure, not of other values, variants or caches" found "axis v n=10;type=b"
check "... by so much" near ratio 0.8333
check "... with the sibling" test "$(column other_point)" = "n=10;type=a"
check "no more is let pass than the margin" near allowed 0.05
mkdir -p axis/aa
noise_head="schema,device,scope,kind,primitive,variant,decade,rows,difference_median,difference_p99,difference_max"
printf '%s\n' "$noise_head" "1,device A,device,gpu,,,-4,99,0.01,0.3,0.4" >axis/aa/noise.csv
check "what equal runs may differ by is let pass" audit 0 axis
printf '%s\n' "$noise_head" "1,device A,device,gpu,,,-4,99,0.01,0.19,0.4" >axis/aa/noise.csv
check "... and no more" audit 1 axis
rm -r axis/aa
rules '"name": "axis", "primitive": "q", "alike": "type"'
check "another primitive's rule" audit 0 axis
rules '"name": "axis", "alike": "type", "where": "n>=40"'
check "without values all are alike" audit 1 axis
check "... where the rule says" found "axis v n=40;type=c"
rules '"name": "axis", "alike": "type", "where": "n=10; runs=cpu"'
check "what runs on the host alone" audit 0 axis
rules '"name": "axis", "alike": "type", "where": "n=10; runs=gpu"'
check "... or on the device" audit 1 axis
rules '"name": "axis", "alike": "type", "where": "n=10", "margin": 0.25'
check "a margin of its own" audit 0 axis
rules '"name": "one", "alike": "type", "where": "n=10"' '"name": "two", "alike": "type", "where": "n<=10"'
check "two rules that find the same" audit 1 axis
check "... count once" found "one v n=10;type=b"

# ---- caches, experiments, instances ------------------------------------------------------------------------------

axes=n l2=1e6 copy=1e12
rules '"name": "cache", "alike": "cache", "beyond_l2": 4'
# A row moves copy / limit * 1000 bytes: 10 MB, ten L2s.
limit=1e8 side cache/a.csv <<'E2'
v 1 warm device ok 100 0.01 30
v 1 cold device ok 140 0.01 30
v 2 warm device ok 100 0.01 30
v 2 cold device ok 112 0.01 30
v 3 warm device ok 130 0.01 30
E2
limit=1e8 side cache/b.csv <<'E2'
v 3 cold device ok 100 0.01 30
E2
limit=5e8 side cache/small.csv <<'E2'
v 9 warm device ok 100 0.01 30
v 9 cold device ok 200 0.01 30
E2
check "cold beyond the L2, warm in another experiment" audit 1 cache
check "... by more than what the L2 holds, and only where the work is large" found "cache v n=1" "cache v n=3"
check "... which is let pass besides" near allowed 0.15
l2=0 limit=1e8 side unknown/a.csv <<'E2'
v 1 warm device ok 100 0.01 30
v 1 cold device ok 140 0.01 30
E2
check "an L2 that nobody tells" prints "where no meta file tells the size of the L2" "$gpubench" audit unknown

rules '"name": "twice", "alike": "experiment"'
side twice/a.csv <<'E2'
v 1 warm device ok 100 0.01 30
v 2 warm device ok 100 0.01 30
E2
side twice/b.csv <<'E2'
v 1 warm device ok 130 0.01 30
v 2 cold device ok 130 0.01 30
E2
axes=m,n side twice/c.csv <<'E2'
v 1,1 warm device ok 200 0.01 30
E2
check "the same point in two experiments" audit 1 twice
check "... with the same cache and axes" found "twice v n=1"
check "... in the slower one" test "$(column experiment)" = b
device="device B" side twice/b.csv <<'E2'
v 1 warm device ok 130 0.01 30
E2
check "devices are audited apart" audit 0 twice

rules '"name": "instance", "alike": "instance"'
side instance/a.csv <<'E2'
auto 1 warm device ok 120 0.01 30 0 0 0 0 fast
fast 1 warm device ok 100 0.01 30
auto 2 warm device ok 100 0.01 30 0 0 0 0 fast
fast 2 warm device ok 120 0.01 30
auto 3 warm device ok 100 0.01 30 0 0 0 0 slow
fast 3 warm device ok 50 0.01 30
auto 4 warm device ok 100 0.01 30 0 0 0 0 auto
E2
check "what a row says ran" audit 1 instance
"$gpubench" audit instance >text 2>&1
check "... and which instances they are" says "instance fast against unsaid"
check "... is as fast as by itself, and the other way round" found "instance auto n=1" "instance fast n=2"

# ---- along an axis -----------------------------------------------------------------------------------------------

axes=n,type
rules '"name": "more", "grows": "n"' '"name": "dip", "smooth": "n"'
side along/a.csv <<'E2'
v 9,a warm device ok 30 0.01 30
v 100,a warm device ok 20 0.01 30
v 1000,a warm device ok 60 0.01 30
v 10000,a warm device ok 80 0.01 30
v word,a warm device ok 5 0.01 30
E2
check "less work that takes longer" audit 1 along
check "... by number, not by word" found "more v n=9;type=a"
check "... so much" near ratio 0.6667
side along/a.csv <<'E2'
v 9,a warm device ok 100 0.01 30
v 100,a warm device ok 108 0.01 30
v 1000,a warm device ok 101.5 0.01 30
v 9,b warm device ok 100 0.01 30
v 100,b warm device ok 103 0.01 30
v 1000,b warm device ok 90 0.01 30
v 9,c warm device ok 108 0.01 30
v 100,c warm device ok 100 0.01 30
v 9,d warm device ok 108 0.01 30
v 100,d warm device ok 120 0.01 30
v 1000,d warm device ok 400 0.01 30
E2
rules '"name": "dip", "smooth": "n"'
check "a rate below both neighbours'" audit 1 along
check "... beyond the margin of both, not at an end" found "dip v n=100;type=a"
check "... over the slower neighbour's" near ratio 0.9398

# ---- known causes ------------------------------------------------------------------------------------------------

axes=n,type
rules '"name": "axis", "alike": "type", "values": ["a", "b"]' '"name": "other", "alike": "type", "values": ["a", "c"]'
side known/e.csv <<'E2'
v 10,a warm device ok 100 0.01 30
v 10,b warm device ok 120 0.01 30
v 10,c warm device ok 130 0.01 30
v 20,a warm device ok 100 0.01 30
v 20,b warm device ok 120 0.01 30
E2
# known LINE...: the entries of the file.
known() { printf '%s\n' "experiment,variant,rule,where,because" "$@" >known/audit-known.csv; }
known 'e,v,axis,n=10,"b is b, and slower"'
check "a known cause" audit 1 known
check "... explains its rule where it says, and nothing else" found "known axis v n=10;type=b" "other v n=10;type=c" "axis v n=20;type=b"
known 'e,w;v,axis,,so it is' 'e,*,other,"n=10,11",so it is'
check "all explained" audit 0 known
check "... as the text does not show" prints "5 rows audited: 0 slower than they should be, 3 more whose cause is known" "$gpubench" audit known
check "... unless it is asked to" prints "known: so it is" "$gpubench" audit known --rows
known 'e,v,axis,,so it is' 'e,v,other,,so it is' 'e,v,axis,n=30,it was so' 'f,v,axis,,not measured here'
check "a cause of nothing is a finding" audit 1 known
check "... in the CSV" grep -q '^stale,axis,,e,v,n=30,.*,it was so$' found.csv
"$gpubench" audit known >text 2>&1
check "... and in words" says "stale: known/audit-known.csv, data row 3: nothing is found any more of e, v, axis, where n=30"
check "... no other" test "$(grep -c ^stale: text)" = 1
check "a folder with one holds results still" prints "p" "$gpubench" table known
known 'e,v,axes,,so it is'
check "no such rule" refuses "data row 1, column rule: found 'axes'; allowed: one of axis, other" "$gpubench" audit known
known 'e,v,axis,n,so it is'
check "no condition" refuses "column where: found 'n'; allowed: found 'n'; terms like n<=50k" "$gpubench" audit known
known 'e,v,axis,,'
check "no cause" refuses "column because" "$gpubench" audit known
rm known/audit-known.csv

# ---- the command -------------------------------------------------------------------------------------------------

check "a device that is not there" refuses "device whose name has this in it: device B" "$gpubench" audit known --device "device B"
check "a part of its name" audit 1 known --device A
backend=simt side simt/e.csv <<'E2'
v 10,a warm device ok 100 0.01 30
v 10,b warm device ok 120 0.01 30
E2
check "times of the simt device say nothing" prints "2 rows of the simt device are left out" "$gpubench" audit simt
samples=no side bare/e.csv <<'E2'
v 10,a warm device ok 100 0.01 30
v 10,b warm device ok 120 0.01 30
E2
check "without samples the intervals of the file will do" audit 1 bare
check "--help" prints "gpubench audit results/nvidia-h200" "$gpubench" audit --help
check "no results" refuses "name at least one result file or folder" "$gpubench" audit
check "no such file" refuses "/no/such.csv" "$gpubench" audit /no/such.csv
check "--help has the formats" prints "--format text|csv " "$gpubench" audit --help
check "no such format" refuses 'found "json", allowed are text and csv' "$gpubench" audit known --format json
check "published numbers are no results" refuses "hold no measured row" "$gpubench" audit "$root/results/published/multipartition-table1.csv"

# mistake TEXT RULE: the message.
mistake()
{
    rules "$2"
    refuses "$1" "$gpubench" audit known
}
check "no kind" mistake 'audit.json:1:58: rules[0]: one of "alike", "grows" and "smooth" is needed' '"name": "a"'
check "two kinds" mistake 'rules[0]: one of' '"name": "a", "alike": "n", "grows": "n"'
check "no name" mistake 'rules[0]: "name" is missing' '"alike": "n"'
check "an unknown key" mistake 'unknown key "wher" (did you mean "where"?)' '"name": "a", "alike": "n", "wher": "n=1"'
check "no condition" mistake "rules[0].where: found 'n~3'; terms like" '"name": "a", "alike": "n", "where": "n~3"'
check "a word is no number" mistake "rules[0].where: found 'n<few'; <, <=, > and >= need one number" '"name": "a", "alike": "n", "where": "n<few"'
check "no margin" mistake 'rules[0].margin: found "much"; a number from 0 to 10' '"name": "a", "alike": "n", "margin": "much"'
check "values along an axis" mistake 'rules[0]: "values" are those' '"name": "a", "grows": "n", "values": ["1"]'
check "values that are none" mistake 'rules[0].values[1]: found 2' '"name": "a", "alike": "n", "values": ["1", 2]'
rules '"name": "a", "alike": "n"' '"name": "a", "alike": "m"'
check "two of a name" refuses 'rules[1]: another rule is called "a"' "$gpubench" audit known
echo '{ "schema": 2, "rules": [] }' >share/plots/audit.json
check "another schema" refuses 'schema: found 2; this gpubench reads schema 1' "$gpubench" audit known
echo '{ "schema": 1, "rules": [] }' >share/plots/audit.json
check "no rules" refuses 'rules: found a list; a list of one to 1000 objects' "$gpubench" audit known
rm share/plots/audit.json
check "no file of rules" refuses "there is no plots/audit.json in any of" "$gpubench" audit known
finish
