#!/bin/bash
# test: fast
# What gpubench table refuses or leaves out, and that it says why: layouts, choices, papers, results.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/multipartition-fixture.csv
cd "$scratch" || exit 1
export GPUBENCH_SHARE=$root
axes="n, bins, dist, function, payload, type"
table() { "$gpubench" table "$@"; }

# ---- layouts --------------------------------------------------------------------------------------

# layout MEMBER: a layout of this member and of the others that each needs.
layout()
{
    local member members=$1
    for member in '"schema":1' '"title":"t"' '"unit":"u"' '"rows":["n"]' '"columns":"bins"'; do
        case $1 in "${member%%:*}:"*) ;; *) members=$member,$members ;; esac
    done
    echo "{${members%,}}"
}

# misplaced TEXT COMMAND...: it refuses wrong.json and says so with a line and a column.
misplaced() { refuses ": $1" "${@:2}" && grep -qE '^gpubench table: wrong\.json:[0-9]+:[0-9]+: \$' "$scratch/err"; }

layout "" >right.json
check "a layout without mistakes" prints "12288" table "$fixture" --table right.json
numbers=$(seq -s, 1001)
while IFS='|' read -r text member; do
    layout "$member" >wrong.json
    check "layout: ${member:0:60}" misplaced "$text" table "$fixture" --table wrong.json
done <<EOF
\$.title: must be a string that is not empty|"title":""
\$.title: holds a control character, or a byte that is no UTF-8|"title":"a\u001bb"
\$.columns: must be a string that is not empty|"columns":["bins"]
\$.quantity: must be "rate" or "time"|"quantity":"speed"
\$.rows: must be a list [...]|"rows":"n"
\$.rows: must name one to eight axes|"rows":[1,2,3,4,5,6,7,8,9]
\$.rows: has more than 1000 entries|"rows":[$numbers]
\$.rows[1]: must be a string or a number|"rows":["n",true]
\$.rows[0]: holds a control character, or a byte that is no UTF-8|"rows":["\u0007"]
\$.sizes[2]: must be a string or a number|"sizes":["n","bins",["n"]]
\$.panels: must be a list [...]|"panels":{}
\$.panels: has more than 1000 entries|"panels":[$numbers]
\$.panels[0]: must be an object {...}|"panels":["bins"]
\$.panels[1].title: is missing|"panels":[{"title":"a"},{"values":[1]}]
\$.panels[0].values: must be a list [...]|"panels":[{"title":"a","values":64}]
\$.variants[0].name: is missing|"variants":[{"label":"a"}]
\$.variants[0].label: must be a string that is not empty|"variants":[{"name":"a","label":1}]
\$.variants[0]: unknown key "nam"; allowed: name, label, at|"variants":[{"nam":"a"}]
\$.where: must be an object {"axis":"value"}|"where":["dist"]
\$.where.dist: must be a string that is not empty|"where":{"dist":3}
\$.digits: must be a whole number from 1 to 9|"digits":0
\$.digits: must be a whole number from 1 to 9|"digits":10
\$.digits: must be a whole number from 1 to 9|"digits":2.5
\$.digits: must be a whole number from 1 to 9|"digits":"3"
\$.further_variants: must be true or false|"further_variants":"no"
\$.cache_resident: must be true or false|"cache_resident":"no"
\$.best: must be a list [...]|"best":"bins"
\$.variants[0].at: must be an object {"axis":"value"}|"variants":[{"name":"a","at":"n"}]
\$.ratios[0].over_at: is for what was measured: printed_for says another device's|"ratios":[{"label":"x","of":"a","over":"b","printed_for":"c","over_at":{"n":"1"}}]
\$.variants[0].at.n: must be a string that is not empty|"variants":[{"name":"a","at":{"n":1}}]
\$.scale_by: must be an object {...}|"scale_by":2
\$.scale_by: unknown key "by"; allowed: unit, axis, factors|"scale_by":{"by":2}
\$.scale_by.unit: is missing|"scale_by":{"axis":"n"}
\$.scale_by.axis: is missing|"scale_by":{"unit":"B/s"}
\$.scale_by.factors: must be an object with a number for each value of the axis|"scale_by":{"unit":"B/s","axis":"n","factors":[]}
\$.scale_by.factors: must be an object with a number for each value of the axis|"scale_by":{"unit":"B/s","axis":"n","factors":{}}
\$.scale_by.factors.1M: must be a number above 0|"scale_by":{"unit":"B/s","axis":"n","factors":{"1M":0}}
EOF
while IFS='|' read -r text member; do
    layout "$member" >wrong.json
    check "layout: $member" refuses "gpubench table: $text" table "$fixture" --table wrong.json
done <<EOF
wrong.json takes the best over the axis 'bins', which it draws|"best":["bins"]
wrong.json holds 'a' at a value of 'keys', which is no axis|"variants":[{"name":"a","at":{"keys":"1"}}]
wrong.json holds 'x' at a value of 'keys', which is no axis|"ratios":[{"label":"x","of":"a","over":"b","at":{"keys":"1"}}]
wrong.json holds 'x' at a value of 'keys', which is no axis|"ratios":[{"label":"x","of":"a","over":"b","over_at":{"keys":"1"}}]
wrong.json holds 'x' at a value of 'keys', which is no axis|"ratios":[{"label":"x","of":"a","over":"b","per":"keys"}]
the best is to be taken over the axis 'keys', which experiment 'multipartition' does not have|"best":["keys"]
rates are to be scaled by the axis 'keys', which|"scale_by":{"unit":"B/s","axis":"keys","factors":{"1":4}}
there is no factor from keys to B/s for n |"scale_by":{"unit":"B/s","axis":"n","factors":{"1":4}}
EOF
lacks="which experiment 'multipartition' does not have; its axes: $axes (--table plain prints one row a point)"
for member in '"columns":"keys"' '"rows":["n","keys"]'; do
    layout "$member" >keys.json
    check "an axis that is not there: $member" \
        refuses "keys.json draws the axis 'keys', $lacks" table "$fixture" --table keys.json
done

# ---- panels of variants ---------------------------------------------------------------------------

# The second of three panels holds nothing that was measured; c is in none of them. A panel has no row,
# and no reason, of a point that none of its variants can run.
measured e.csv n <<EOF
a,1,ok,,2
a,2,unsupported,odd only,
b,1,unsupported,even only,
b,2,ok,,3
c,1,ok,,4
EOF
layout '"columns":"variant","panels":[{"title":"First","values":["a"]},{"title":"None","values":["x"]},
    {"title":"Second","values":["b"]}],"variants":[{"name":"x"}]' >panels.json
panels()
{
    "$gpubench" table e.csv --table panels.json >panels.txt || return 1
    cat panels.txt
    [ "$(sed 1,3d panels.txt | grep -v '─' | tr -s ' \n' ' ')" = \
        "First n a 1 2.00 Second n b 2 3.00 Further variants n c 1 4.00 " ]
}
check "panels have the rows that their variants can run" panels

# ---- ratios at a value ----------------------------------------------------------------------------

measured g.csv n,bins <<END
a,1,8,ok,,6
a,1,16,ok,,9
b,1,8,ok,,2
b,1,16,ok,,1
END
layout '"columns":"variant","best":["bins"],"ratios":[{"label":"of the best","of":"a","over":"b"},
    {"label":"held","of":"a","over":"b","at":{"bins":"8"}}]' >held.json
held()
{
    "$gpubench" table g.csv --table held.json >held.txt || return 1
    cat held.txt
    grep -qE '^1 +4\.5 +3\.0 +9\.00 +2\.00$' held.txt
}
check "a ratio is taken of the best, or at a value" held

# Over another point of an axis, and a part of it for each of so many.
measured gpus.csv gpus,n <<END
one,1,8,ok,,6
all,1,8,ok,,5
all,2,8,ok,,9
all,4,8,unsupported,three at most,
one,1,16,ok,,8
all,2,16,ok,,16
END
layout '"columns":"gpus","digits":2,"ratios":[{"label":"gain","of":"all","over":"one","over_at":{"gpus":"1"}},
    {"label":"part","of":"all","over":"one","over_at":{"gpus":"1"},"per":"gpus"},{"label":"beside","of":"all","over":"one"}]' >gpus.json
elsewhere()
{
    "$gpubench" table gpus.csv --table gpus.json >gpus.txt || return 1
    cat gpus.txt
    [ "$(grep -E 'gain|part|beside' gpus.txt | sed 's/device A//; s/^[0-9]*//' | tr -s ' \n' ' ')" = \
        " gain 0.83 1.5 - part 0.83 0.75 - beside 0.83 gain 2.0 part 1.0 " ]
}
check "a ratio is taken over another point, and by the value of an axis" elsewhere
check "... which records say" prints "part,all,one[gpus=1],ratio,1/gpus,2,8,,0.75," "$gpubench" table gpus.csv --table gpus.json --format csv

# ---- choices --------------------------------------------------------------------------------------

measured f.csv n,bins <<EOF
a,1,8,ok,,2
a,2,8,ok,,2
a,2,16,ok,,5e9
EOF
layout "" >bins.json
chosen() { refuses "gpubench table: no row of experiment 'f'$1" table f.csv --table bins.json "${@:2}"; }
check "rows of a value that is not there" chosen " has n = 3; there is: 1, 2" --n 3
check "columns of values that are not there" chosen " has bins = 4,5; there is: 8, 16" --bins 4,5
check "two values that do not meet" chosen " with n = 1 has bins = 16; there is: 8" --n 1 --bins 16
check "a cache mode that is not there" chosen " has cache = cold; there is: warm" --cache cold
check "a scope that is not there" chosen " has scope = host-to-host; there is: device" --scope host-to-host

check "an experiment that cannot meet a choice is left out" \
    prints "e: throughput of each point" table e.csv f.csv --table plain --n 1 --bins 16
check "... with the reason" warns "left out: no row of experiment 'f' with n = 1 has bins = 16; there is: 8"
check "... and the other alone is printed" hides "f: throughput"
check "all are left out" refuses "there is nothing to print: every experiment was left out" table e.csv f.csv --n 3
check "... each with its reason" warns "left out: no row of experiment 'e' has n = 3; there is: 1, 2"
measured none.csv n </dev/null
for choice in "" "--n=1" "--cache=cold"; do
    check "results without a row${choice:+, $choice}" \
        refuses "there is nothing to print: the results hold no row yet" table none.csv ${choice:+"$choice"}
done

# ---- papers ---------------------------------------------------------------------------------------

# other_paper OLD NEW: the published numbers, but for this; none of them is a table of the fixture's.
other_paper()
{
    sed "s/$1/$2/" "$root/results/published/multipartition-table1.csv" >other.csv
    refuses "--published other.csv has no table of primitive 'multipartition' with the axes $axes, which experiment \
'multipartition' has (--no-published does without)" table "$fixture" --published other.csv
}
check "a paper about another primitive" other_paper '^1,multipartition,multipartition,' '1,multipartition,other,'
check "a paper with other axes" other_paper ',n,bins,' ',n,buckets,'
check "measured results are no paper" refuses "e.csv holds measured results, not a paper's" table f.csv --published e.csv

check "the paper stands beside what it timed" prints "(paper)" table "$fixture"
sed 's/,warm,device,/,warm,host-to-host,/' "$fixture" >host.csv
check "results of another scope" prints "host-to-host" table host.csv
check "... have no paper beside them" hides "(paper)"

# The layout is in milliseconds; a time is printed with the digits that it has in the paper.
printed times.csv <<EOF
a,1,time,12.50e-3
a,2,time,7e-3
EOF
layout '"columns":"variant","quantity":"time","scale":1e-3' >times.json
check "times that a paper prints" prints "1  12.50" table times.csv --table times.json
check "... each with its digits" grep -qx '2      7' out
printed speeds.csv <<<"a,1,speed,12"
check "a quantity that no table shows" \
    refuses "speeds.csv: data row 1, column quantity: 'speed' is none of rate, time and speedup" table speeds.csv

# ---- results --------------------------------------------------------------------------------------

mkdir first && measured first/f.csv n <<<"a,1,ok,,2"
check "files of one experiment with other axes" refuses "f.csv: experiment 'f' has other axis columns here than in the \
files read before it; files of one experiment are read together only if their axes agree" table first/f.csv f.csv
finish
