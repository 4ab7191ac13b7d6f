#!/bin/bash
# test: fast
# gpubench standings: whose the fastest is at a point, of all experiments and of printed rates; contracts, free axes,
# verdicts, lines, what is left out, formats, mistakes; and the points and rates that come along.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench peers=$root/results/published/peers.csv
export primitive=p device="device A"
cd "$scratch" || exit 1

# ---- what comes along ----------------------------------------------------------------------------------------------

"$gpubench" list primitives --device simt 2>/dev/null | awk '/^[a-z]/ { p = $1 } /^  [a-z]/ && $2 ~ /size|name/ { print p, $1 }' >axes
[ -s axes ] || echo "no worker tells the axes" >axes
grep -oE ',(multipartition|stencil|radix-sort|dynamic-array|octree),([a-z]+=[^,;]+;?)+,' "$peers" | tr -d '"' >points
check "every printed rate has a point" test "$(wc -l <points)" = $(($(wc -l <"$peers") - 1))
on_axes()
{
    awk -F, 'NR == FNR { axis[$0] = 1; next }
        { n = split($3, term, ";"); for (i = 1; i <= n; i++) { sub(/=.*/, "", term[i]); if (!axis[$2 " " term[i]]) { print; bad = 1 } } }
        END { exit bad }' axes points
}
check "... on axes of its primitive" on_axes
check "two devices' results have standings each" prints "How ours stands on NVIDIA H100" "$gpubench" standings "$root/results/nvidia-h200" \
    "$root/results/nvidia-h100-80gb-hbm3"
check "... of which nothing is amiss in the other's files" sh -c "! grep -F 'was not measured' err"
check "our own results have standings" prints "How ours stands on NVIDIA H200" "$gpubench" standings "$root/results/nvidia-h200"
check "... every line of which was measured" sh -c "! grep -F 'was not measured' err"
check "... with the printed peers" grep -qE "libcusort.*sort of 2²⁸" out
check "a list of peers is no table" refuses "gpubench standings RESULTS" "$gpubench" table "$peers"
check "published numbers are read beside it" prints "Table 1" "$gpubench" table "$root/results/published"

# ---- a worker and rules of its own ---------------------------------------------------------------------------------

mkdir -p workers share/plots share/results/published
cp "$root/tests/fixtures/worker.sh" workers/gpubench-simt
# variant NAME ORIGIN STABLE HOST
variant() { printf '{ "name": "%s", "summary": "s", "origin": "%s", "stable": %s, "host": %s, "cuda_only": false }' "$@"; }
sed '/"primitives"/,$d' "$root/tests/fixtures/describe.json" >workers/describe.json
cat >>workers/describe.json <<E2
  "primitives": [ { "name": "p", "title": "t", "unit": "items",
      "axes": [ { "name": "n", "type": "size", "help": "h", "default": "1", "min": "0", "max": "1000000", "nasty": ["1"] },
                { "name": "type", "type": "name", "help": "h", "default": "a", "names": ["a", "b"], "nasty": ["a"] } ],
      "variants": [ $(variant fast gpubench false false), $(variant steady "gpubench, after Somebody 1999" true false),
                    $(variant theirs CUB true false), $(variant loose "Somebody 2001; gpubench" false false),
                    $(variant gpubenchmark gpubenchmark false false),
                    $(variant copy gpubench true false), $(variant host gpubench true true), $(variant cpu Hoare true true) ] } ] }
E2
export GPUBENCH_WORKER_PATH=$scratch/workers GPUBENCH_SHARE=$scratch/share

# contests CONTEST...: the rules from here on, each the members of an object.
contests()
{
    local contest separator=
    for contest; do
        echo "$separator{ $contest }" && separator=,
    done >list
    echo "{ \"schema\": 1, \"ours\": \"gpubench\", \"contests\": [ $(cat list) ] }" >share/plots/standings.json
}
# print NAME POINT STABLE CACHE RATE [DEVICE [PRIMITIVE]]: one more printed rate.
print()
{
    echo "1,$1,1.0,MIT,a source,${6:-device A},2001-02-03,${7:-p},$2,$1,$3,$4,device,rate,$5,items/s,a note" >>share/results/published/peers.csv
}
no_prints() { echo "schema,peer,version,licence,source,device,measured,primitive,point,name,stable,cache,scope,quantity,value,unit,note" >share/results/published/peers.csv; }
no_prints
# standing ARGUMENTS...: all points as CSV, for is.
standing() { "$gpubench" standings "$@" --all --format csv >found.csv 2>found.err || { cat found.err; return 1; }; }
# is POINT VERDICT OURS OTHER SOURCE [CONTEST]: of the last standing; the point is a pattern.
is()
{
    awk -F, -v point="$1" -v contest="${6:-}" 'NR > 1 && $5 ~ point && (contest == "" || $2 == contest) { print $7, ($8 == "" ? "-" : $8), ($9 == "" ? "-" : $9), ($10 == "" ? "-" : $10) }' found.csv >line
    [ "$(cat line)" = "$2 $3 $4 $5" ] || { cat line found.csv found.err; return 1; }
}
ratio() { awk -F, -v point="$1" -v b="$2" '$2 == "any" && $5 ~ point { a = $14 } END { exit !(a > b - 1e-3 && a < b + 1e-3) }' found.csv || { cat found.csv; return 1; }; }

contests '"name": "any", "experiment": "modern"' '"name": "stable", "experiment": "modern", "stable": true'
axes=n,type
side r/modern.csv <<'E2'
steady 1,a cold device ok 110 0.01 30
fast 1,a cold device ok 100 0.01 30
theirs 1,a cold device ok 200 0.01 30
loose 1,a cold device ok 150 0.01 30
copy 1,a warm device ok 1 0.01 30
fast 1,a warm device ok 10 0.01 30
theirs 1,a cold host-to-host ok 20 0.01 30
fast 2,a cold device ok 100 0.01 30
theirs 2,a cold device ok 100 0.01 30
fast 3,a cold device ok 100 0.01 30
theirs 3,a cold device ok 80 0.01 30
fast 4,a cold device ok 100 0.01 30
steady 5,a cold device ok 100 0.01 30
theirs 5,a cold device ok 101.5 0.1 30
fast 6,a cold device unsupported
theirs 6,a cold device ok 100 0.01 30
fast 7,a cold device wrong
steady 7,a cold device ok 100 0.01 30
theirs 7,a cold device ok 102 0.001 30
fast 8,a cold device ok 100 0.01 30
host 8,a cold device ok 1 0.01 30
cpu 8,a cold device ok 1 0.01 30
gpubenchmark 8,a cold device ok 90 0.01 30
stranger 8,a cold device ok 2 0.01 30
fast 9,a cold device ok 90 0.01 30
E2
check "standings of a result file" standing r
check "the fastest against the fastest" is "n=1;" ahead fast loose modern any
check "... stable ones among themselves" is "n=1;" ahead steady theirs modern stable
check "as fast is level" is "n=2;" level fast theirs modern any
check "slower is behind" is "n=3;" behind fast theirs modern any
check "... by the ratio of rates" ratio "n=3;" 0.8
check "alone" is "n=4;" alone fast - - any
check "not sure is level" is "n=5;" level steady theirs modern any
check "what ours cannot do is behind" is "n=6;" behind - theirs modern any
check "what went wrong is not ours; what is sure is ahead" is "n=7;" ahead steady theirs modern any
check "hosts do not compete, and a name that begins alike is others'" is "n=8;" behind fast gpubenchmark modern any
check "whose nobody can tell is said" grep -qF "left out: stranger: no worker here lists it" found.err

mkdir limited
awk -F, -v OFS=, 'NR == 1 { $7 = "under," $7 } NR > 1 { $7 = "code=sm_35," $7; sub(/^theirs$/, "steady", $5) } { print }' \
    r/modern.csv >limited/modern.csv
cp found.csv alone.csv
check "rows of the device under conditions" standing r limited
check "... do not stand for it" cmp found.csv alone.csv
check "... nor for themselves" refuses "no row of a GPU, as it is and under no conditions" "$gpubench" standings limited

# ---- other experiments, printed rates ------------------------------------------------------------------------------

axes=type,n side r/other.csv <<'E2'
theirs a,1 cold device ok 95 0.01 30
fast a,1 cold device ok 1 0.01 30
theirs a,2 warm device ok 1 0.01 30
E2
check "another experiment" standing r
check "... counts for others, by its axes' names" is "n=1;" behind fast theirs other any
check "... with the same cache alone" is "n=2;" level fast theirs modern any
rm r/other.*
device="device B" side r/modern-b.csv <<'E2'
theirs 1,a cold device ok 10 0.01 30
E2
check "another device" standing r
check "... is another matter" is "n=1;" ahead fast loose modern any
rm r/modern-b.*
print printed "n=1;type=a" no cold 9e6
print elsewhere "n=1;type=a" yes cold 9e9 "device B"
print q "n=1;type=a" yes cold 9e9 "device A" q
print warm "n=1;type=a" yes warm 9e9
print unsaid "n=2" yes "" 12e6
print typed "n=3;type=b" yes "" 9e9
print lost "n=3;sort=x" yes "" 9e9
print slow "n=4;type=a" yes cold 5e6
print coarse "n=9;type=a" yes cold 1e7
check "printed rates" standing r
check "... of one digit decide nothing that this cannot" is "n=9;" level fast coarse printed any
check "... count where they are of this card, primitive, cache" is "n=1;" ahead fast printed printed any
check "... and keep the contract" is "n=1;" ahead steady theirs modern stable
check "... have any value of what they do not say" is "n=2;" behind fast unsaid printed any
check "... and no other of what they say" is "n=3;" behind fast theirs modern any
check "... where nobody else was measured" is "n=4;" ahead fast slow printed any
digits_alone() { awk -F, '$5 ~ "n=4;" { print; found = 1; exit !($15 != "" && $15 <= $14) } END { exit !found }' found.csv; }
check "... have the interval of their digits" digits_alone
check "the table marks them" prints "printed¹" "$gpubench" standings r --all
check "... and says whose they are" grep -qF "1 printed 1.0 (MIT) on device A, printed: a source, 2001-02-03; a note" out

# ---- contests ------------------------------------------------------------------------------------------------------

no_prints
print one "n=1;type=a" no "" 50e6
print any "n=1" no "" 60e6
contests '"name": "free", "experiment": "free", "free": ["type"], "other_work": ["copy"]' \
    '"name": "held", "experiment": "free", "where": "type=a"' '"name": "warm", "experiment": "free", "cache": "warm"'
side free/free.csv <<'E2'
fast 1,a cold device ok 100 0.01 30
fast 1,b cold device ok 50 0.01 30
theirs 1,a cold device ok 40 0.01 30
theirs 1,b cold device ok 200 0.01 30
copy 1,b cold device ok 1 0.01 30
theirs 2,a warm device ok 1 0.01 30
fast 2,a warm device ok 2 0.01 30
E2
check "free axes, conditions, caches" standing free
check "the best over what is free, without other work" is . behind fast any printed free
check "... one point" test "$(grep -c ',free,free,' found.csv)" = 1
check "a condition is one of printed rates, too" is . behind fast one printed held
check "another cache" is . behind fast theirs free warm

# ---- lines and texts -----------------------------------------------------------------------------------------------

no_prints
contests '"name": "any", "experiment": "modern", "usual": "type=a", "lines": [ { "what": "the second", "at": "n=2" }, { "what": "the first", "at": "n=1" }, { "what": "none", "at": "n=99" } ]' \
    '"name": "stable", "experiment": "modern", "usual": "type=a", "stable": true'
check "lines" prints "the second" "$gpubench" standings r --format markdown
check "... in their order, then where ours is behind, worst first" sh -c "grep '^| ' out | sed -n '2,\$p' | cut -d'|' -f2 | head -6 | tr -d '\n' | grep -F ' the second  the first  any, n 6  any, n 3  any, n 8 '"
check "... not where it is ahead" sh -c "! grep -F 'n 7' out"
check "... the same two rows once, in whatever contest" test "$(grep -c ', n 6 |' out)" = 1
check "... with how many there are of each" grep -qE "Ahead at [0-9]+ of [0-9]+ points, level at [0-9]+, behind at [0-9]+" out
counts=$("$gpubench" standings r --all --format csv 2>/dev/null | awk -F, '{ n[$7]++ } END { print n["ahead"] " of " n["ahead"] + n["level"] + n["behind"] " points, level at " n["level"] + 0 ", behind at " n["behind"] }')
check "... as the rows say" grep -qF "Ahead at $counts" out
check "a line that was not measured is named" warns 'left out: "none": that point was not measured'
check "--all shows the others" prints "any, n 7" "$gpubench" standings r --all --format markdown
check "text has what it is last" prints "1.00" "$gpubench" standings r
check "LaTeX" prints "\\label{tab:standings-" "$gpubench" standings r --format latex
check "CSV of the chosen and the lost" prints "device,contest,experiment,what,point" "$gpubench" standings r --format csv
check "... the lost" grep -qF 'n=3;' out
check "... no others" sh -c "! grep -F 'n=7;' out"
contests '"name": "any", "experiment": "modern", "lines": [ { "what": "several", "at": "type=a" } ]'
check "a line of several points" refuses 'the line "several" of any fits several points' "$gpubench" standings r

# ---- mistakes ------------------------------------------------------------------------------------------------------

contests '"name": "any", "experiment": "modern"'
check "--help" prints "gpubench standings results/nvidia-h200" "$gpubench" standings --help
check "no results" refuses "name at least one result file or folder" "$gpubench" standings
check "no such file" refuses "/no/such.csv" "$gpubench" standings /no/such.csv
check "--help has the formats" prints "--format text|markdown|latex|csv " "$gpubench" standings --help
check "no such format" refuses 'found "html", allowed are text, markdown, latex and csv' "$gpubench" standings r --format html
check "no such experiment" refuses "such as modern: run that config" "$gpubench" standings free
backend=simt side simt/modern.csv <<'E2'
fast 1,a cold device ok 100 0.01 30
E2
check "times of the simt device are left out" refuses "no row of a GPU" "$gpubench" standings simt
no_worker() { GPUBENCH_WORKER_PATH=$scratch/share "$gpubench" standings r >out 2>err; [ $? = 3 ] && grep -q "no worker" err; }
check "no worker tells whose they are" no_worker
# mistake TEXT CONTEST: the message.
mistake()
{
    contests "$2"
    refuses "$1" "$gpubench" standings r
}
check "no name" mistake 'standings.json:1:50: contests[0]: "name" is missing' '"experiment": "modern"'
check "no such cache" mistake '"cache" is cold or warm' '"name": "a", "experiment": "modern", "cache": "hot"'
check "an unknown key" mistake 'unknown key "stabel" (did you mean "stable"?)' '"name": "a", "experiment": "modern", "stabel": true'
check "not true" mistake 'contests[0].stable: found 1; true or false is allowed' '"name": "a", "experiment": "modern", "stable": 1'
check "no value" mistake '"usual" has values of axes' '"name": "a", "experiment": "modern", "usual": "n>1"'
check "a line without words" mistake 'contests[0].lines[0]: "what" is missing' '"name": "a", "experiment": "modern", "lines": [ { "at": "n=1" } ]'
contests '"name": "any", "experiment": "modern"'
# wrong TEXT NAME POINT STABLE CACHE RATE: a printed rate that is none.
wrong()
{
    no_prints
    print "${@:2}"
    refuses "peers.csv: data row 1, column $1" "$gpubench" standings r
}
check "a rate that is none" wrong "value: found 'fast'" a n=1 yes cold fast
check "stability that is none" wrong "stable: found 'maybe'; allowed: yes or no" a n=1 maybe cold 1e9
check "a cache that is none" wrong "cache: found 'tepid'" a n=1 yes tepid 1e9
check "a point that is none" wrong "point: found 'n<1'; allowed: values of axes" a 'n<1' yes cold 1e9
check "no point" wrong "point: found ''" a '' yes cold 1e9
rm share/results/published/peers.csv
check "without printed rates" standing r
finish
