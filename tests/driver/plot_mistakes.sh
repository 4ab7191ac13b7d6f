#!/bin/bash
# test: fast
# What gpubench plot refuses or leaves out, and that it says why, with stand-ins for gnuplot; and where
# it puts the figures.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir bin share share/plots tmp && touch share/plots/common.gp
export GPUBENCH_SHARE=$scratch/share TMPDIR=$scratch/tmp
plot() { PATH=$scratch/bin:$PATH "$gpubench" plot --format svg "$@"; }

# gnuplot_that COMMANDS: what runs instead.
gnuplot_that() { printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot && chmod +x bin/gnuplot; }
# figure NAME: a script; standard input has the lines of its head.
figure() { sed 's/^/# gpubench: /' >"share/plots/$1.gp"; }

cp "$root/tests/fixtures/gnuplot.sh" bin/gnuplot
measured e.csv n,dist <<EOF
a,1,uniform,ok,,2
a,2,uniform,ok,,3
EOF
figure p-rate <<EOF
x n
EOF

# ---- heads of scripts -----------------------------------------------------------------------------

while IFS='|' read -r line text; do
    printf '%s\n' "x n" "limit" "$line" | figure p-wrong
    check "head: ${line:-nothing}" refuses "gpubench plot: $GPUBENCH_SHARE/plots/p-wrong.gp: line 3: $text" \
        plot e.csv --figure p-wrong
done <<EOF
where dist|'dist' is not AXIS=VALUE: where takes such pairs, separated by blanks
where n=1 =uniform|'=uniform' is not AXIS=VALUE
where dist=|'dist=' is not AXIS=VALUE
limit 3|'limit' takes no value
leaves a|'a' has no reason: leaves takes NAME ...: REASON
leaves a b: |'a b: ' has no reason
leaves|'leaves' takes a value
listed-only|'listed-only' is no key
categories a|'categories' takes no value
several-x a|'a' is no number of values from 2 to 100
several-x 1|'1' is no number of values from 2 to 100
devices-together a|'devices-together' takes no value
profile a|'profile' takes no value
no-cache-resident a|'no-cache-resident' takes no value
best|'best' takes a value
scale-by|'scale-by' takes a value
scale-by flop/s|'scale-by' takes UNIT AXIS VALUE=FACTOR ..., one factor at least
scale-by flop/s n|'scale-by' takes UNIT AXIS VALUE=FACTOR ..., one factor at least
scale-by flop/s n 1|'1' is not VALUE=FACTOR with a number above 0
scale-by flop/s n 1=13 2=-1|'2=-1' is not VALUE=FACTOR with a number above 0
scale-by flop/s n =13|'=13' is not VALUE=FACTOR
published a|'a' has no label: published takes VARIANT LABEL
assumed|'assumed' takes a value
many|'many' takes a value
only|'only' takes a value
variant a[n=1 label|'a[n=1' has no ] at its end
variant a[n] label|'n' is not AXIS=VALUE: a variant is NAME[AXIS=VALUE,...] LABEL
variant a[n=1,=2]|'=2' is not AXIS=VALUE
title|'title' takes a value
over|'over' takes a value
over a[n=1|'a[n=1' has no ] at its end
per|'per' takes a value
primitive|'primitive' takes a value
variant|'variant' takes a value
where|'where' takes a value
colour red|'colour' is no key; the keys are title, x, categories, panels, largest, where, best, over, per, scale-by, paper, published, assumed, many, primitive, only, gpus, profile, dump, no-cache-resident, several-x, needs, variant, leaves, devices-together, generations, near, ratio, default and limit
colour|'colour' is no key
|'' is no key
EOF
for key in x panels largest; do
    printf '%s\n' "x n" "$key keys" | figure p-wrong
    check "head: $key of an axis that is not there" refuses "plots/p-wrong.gp asks for the axis 'keys', which experiment 'e' \
does not have; its axes: n, dist" plot e.csv --figure p-wrong
done
printf '%2000s\n' "x keys" | figure p-wrong
check "head: a line may be long" refuses "plots/p-wrong.gp asks for the axis 'keys'" plot e.csv --figure p-wrong
figure p-wrong <<<"title no x"
check "head: no x" refuses "p-wrong.gp: no line '# gpubench: x AXIS' says what runs along x" plot e.csv --figure p-wrong
figure p-wrong <<<"x dist"
check "names along x" \
    refuses "p-wrong.gp draws 'dist' along x, but its value 'uniform' is no number" plot e.csv --figure p-wrong
rm share/plots/p-wrong.gp && ln -s nowhere share/plots/p-wrong.gp
check "a script that cannot be read" refuses "cannot read $GPUBENCH_SHARE/plots/p-wrong.gp: No such file" \
    plot e.csv --figure p-wrong
rm share/plots/p-wrong.gp

# ---- speed-ups and categories -----------------------------------------------------------------------

measured many.csv n,dist <<EOF
a,1,uniform,ok,,2
a,1,zipf,ok,,4
b,1,uniform,ok,,8
b,1,zipf,ok,,8
EOF
printf '%s\n' "x dist" "categories" "over b" | figure p-wrong
check "names along x, each with a place" prints "places/many-wrong.svg" plot many.csv --figure p-wrong --keep-data --out places
check "their tics" grep -qF "gb_x_tics = \"'uniform' 1, 'zipf' 2\"" places/many-wrong.data/data.gp
speedups() { [ "$(awk '!/^#/ { print $1, $8 }' places/many-wrong.data/series-1.dat | paste -sd' ')" = "1 0.25 2 0.5" ]; }
check "speed-ups over the named variant" speedups
check "which is not drawn itself" test ! -e places/many-wrong.data/series-2.dat
check "categories of one value" refuses "there is nothing to draw" plot e.csv --figure p-wrong
check "... leave the figure out" warns "experiment 'e' was measured with one value of dist"
printf '%s\n' "x n" "needs c" | figure p-wrong
check "two slices of an experiment that lacks something" refuses "there is nothing to draw" plot many.csv --figure p-wrong
check "... have it told once" test "$(grep -c "left out p-wrong" err)" = 1
printf '%s\n' "x n" "over c" | figure p-wrong
check "nothing to be faster than" refuses "there is nothing to draw" plot e.csv --figure p-wrong
check "... leaves the figure out" warns "that it asks for has a rate or a time beside one of c"
printf '%s\n' "x n" "per n" | figure p-wrong
check "parts of no speed-up" refuses "p-wrong.gp: per is for scripts with the line '# gpubench: over VARIANT'" plot e.csv --figure p-wrong
for key in "over a[keys=1]" "over a\nper keys"; do
    printf 'x n\n%b\n' "$key" | figure p-wrong
    check "an axis that is not there: $key" refuses "p-wrong.gp asks for the axis 'keys', which" plot e.csv --figure p-wrong
done
printf '%s\n' "x dist" categories "over a[dist=uniform]" "per n" "where n=2" | figure p-wrong
measured parts.csv n,dist <<EOF2
a,2,uniform,ok,,2
a,2,zipf,ok,,4
b,2,uniform,ok,,8
b,2,zipf,ok,,8
EOF2
check "over another point, and a part of it" prints "parts/parts-wrong.svg" plot parts.csv --figure p-wrong --keep-data --out parts
parts() { [ "$(awk '!/^#/ { print $1, $8 }' parts/parts-wrong.data/series-"$1".dat | paste -sd' ')" = "$2" ]; }
check "... of what it is over, where it is another point" parts 1 "2 1"
check "... of others everywhere" parts 2 "1 2 2 2"
printf '%s\n' "x n" "primitive q" | figure p-wrong
check "another primitive's" refuses "no script plots/p-wrong.gp draws these results; there is: p-rate" plot e.csv --figure p-wrong
rm share/plots/p-wrong.gp

# ---- what is left out -----------------------------------------------------------------------------

measured f.csv n,dist <<EOF
a,1,uniform,ok,,2
a,1,binomial,unsupported,not yet,
EOF
check "no such figure" \
    refuses "--figure p-bins: no script plots/p-bins.gp draws these results; there is: p-rate" plot e.csv --figure p-bins
check "... each named once" refuses "draws these results; there is: p-rate" plot e.csv f.csv --figure p-bins
check "... and no more" sh -c '! grep -q "p-rate.*p-rate" err'
check "no such paper" refuses "there is no file a.csv, nor results/published/a.csv" plot e.csv --published a.csv
check "no plots/ at all" refuses "there is no plots/common.gp in any of: $scratch; GPUBENCH_SHARE names the folder that \
holds plots/" env GPUBENCH_SHARE="$scratch" "$gpubench" plot e.csv
sed 's/,p,/,q,/' e.csv >q.csv
check "no figure at all" refuses "no script plots/q*.gp draws these results (\`gpubench table\` prints them); looked in: \
$GPUBENCH_SHARE" plot q.csv
check "an experiment that cannot meet a choice is left out" prints "./e-rate.svg" plot e.csv f.csv --n 2
check "... with the reason" \
    warns "gpubench plot: left out p-rate: no row of experiment 'f' has n = 2; there is: 1"
check "... and the other alone is drawn" hides "f-rate"
check "nothing is left to draw" refuses "there is nothing to draw: every figure was left out" plot f.csv --n 2
check "no rate to draw" refuses "there is nothing to draw" plot f.csv --dist binomial
check "... says so" warns "left out p-rate: no row of experiment 'f' that it asks for has a rate or a time"
measured none.csv n </dev/null
check "results without a row" refuses "there is nothing to draw: the results hold no row yet" plot none.csv --n 1

printed paper.csv <<<"a,2,time,12.50e-3"
check "times that a paper prints" prints "./p-rate.svg" plot paper.csv --keep-data
check "... are drawn" grep -qx "2 ? ? ? 0.0125 0.012375 0.012625 ? 0 ? ? ?" p-rate.data/series-1.dat

# ---- where figures go -----------------------------------------------------------------------------

mkdir -p results && cp e.csv results
check "beside the results" prints "$scratch/results/e-rate.svg" plot "$scratch/results/e.csv"
check "in their folder" prints "$scratch/results/e-rate.svg" plot "$scratch/results///"
check "where --out says" prints "$scratch/a/b/e-rate.svg" plot e.csv --out "$scratch/a/b//"
check "... which is made" test -d a/b
check "--out of no name" refuses "--out: name a folder, such as /tmp/figures" plot e.csv --out ''
check "--out of a file" refuses "cannot create the folder e.csv: File exists" plot e.csv --out e.csv
check "--out in a file" refuses "cannot create the folder e.csv: File exists" plot e.csv --out e.csv/figures
touch e-rate.data
check "--keep-data of a file" refuses "cannot create the folder ./e-rate.data: File exists" plot e.csv --keep-data
rm e-rate.data && mkdir -p e-rate.data/series-1.dat
check "data that cannot be written" refuses "cannot write ./e-rate.data/series-1.dat: Is a directory" plot e.csv --keep-data
check "no place for what is temporary" refuses "cannot create $scratch/none/gpubench-plot-" \
    env TMPDIR="$scratch/none" "$gpubench" plot e.csv
check "... says how to name another" warns "(TMPDIR names another place)"

# ---- what they are called --------------------------------------------------------------------------

# called NAMES COMMAND...: these are the files that it says it drew, and there they are.
called()
{
    rm -rf figures
    "${@:2}" --out figures >out 2>err && sort out | paste -sd' ' | tee names && cat err || return 1
    [ "$(cat names)" = "$(for name in $1; do echo "figures/$name"; done | paste -sd' ')" ] && (cd figures && test -e "${1##* }")
}
mkdir -p gpu cpu && cp e.csv gpu && sed -e '1s/$/,backend/' -e '2,$s/$/,simt/' -e 's/device A/CPU/' e.csv >cpu/e.csv
check "one device: no name of it" called e-rate.svg plot cpu
both="e-rate-device-a.svg e-rate-simt.svg"
check "a GPU and the CPU: each has its device's name" called "$both" plot gpu cpu
check "... whichever comes first" called "$both" plot cpu gpu
check "... in every format" called "e-rate-device-a.pdf e-rate-device-a.png ${both/ / e-rate-simt.pdf e-rate-simt.png }" \
    plot gpu cpu --format svg,pdf,png
check "... their data, too" plot gpu cpu --out figures --keep-data
check "... in two folders" test -e figures/e-rate-device-a.data/data.gp -a -e figures/e-rate-simt.data/data.gp
touch figures/e-rate-simt.data/series-2.dat
check "... drawn again" plot gpu cpu --out figures --keep-data
check "... without tables of what was drawn before" test ! -e figures/e-rate-simt.data/series-2.dat -a -e figures/e-rate-simt.data/series-1.dat
for node in 1 2; do
    mkdir -p "node$node" && cp e.csv "node$node" && echo "{\"host\": {\"name\": \"node$node\"}}" >"node$node/e.meta.json"
done
check "two of one model and the CPU" called "e-rate-device-a-node1-device-a-node2.svg e-rate-simt.svg" plot node1 node2 cpu
sed 's/,e,p,/,e-rate,p,/' e.csv >e-rate.csv
figure p-rate-rate <<<"x n"
check "two scripts that come to one name" called \
    "e-rate-rate-p-rate-rate.svg e-rate-rate-p-rate.svg e-rate-rate-rate.svg e-rate.svg" \
    plot e.csv e-rate.csv --format svg
rm share/plots/p-rate-rate.gp

dumped() { mkdir -p "$1" && printf 'schema,dump,primitive,variant,backend,device,seed,n,y\n1,d,p,a,cuda,%s,1,1,2\n' "$2" >"$1/d.csv"; }
figure p-dump <<<"dump d"
dumped gpu/dump "device A" && dumped other/dump "device B" && dumped third/dump "device B"
check "a dump is called as its file" called d.svg plot gpu/dump
check "two of two devices" called "d-device-a.svg d-device-b.svg" plot gpu/dump other/dump
check "three, two of one device" called "d-gpu-dump.svg d-other-dump.svg d-third-dump.svg" plot gpu/dump other/dump third/dump
rm share/plots/p-dump.gp

# ---- gnuplot --------------------------------------------------------------------------------------

gnuplot_that ''
check "nothing is drawn" refuses "gnuplot ended well and drew nothing: $GPUBENCH_SHARE/plots/p-rate.gp is to end with" plot e.csv
check "nothing is drawn in the terminal" refuses "gnuplot ended well and drew nothing" plot e.csv --terminal
gnuplot_that 'echo "line 7: undefined variable: bins" >&2; exit 3'
check "gnuplot fails" refuses "gnuplot failed on $GPUBENCH_SHARE/plots/p-rate.gp with exit status 3: what it says stands \
above; --keep-data keeps the tables that it read" plot e.csv
check "... and is heard" warns "line 7: undefined variable: bins"
gnuplot_that 'kill -9 $$'
check "gnuplot dies" \
    refuses "gnuplot was ended by signal 9 (Killed) while it ran $GPUBENCH_SHARE/plots/p-rate.gp" plot e.csv
chmod -x bin/gnuplot
check "gnuplot is no program" refuses "gnuplot, the first on PATH, cannot be started: Permission denied" \
    env PATH="$scratch/bin" "$gpubench" plot e.csv
check "nothing temporary stays" rmdir tmp
finish
