#!/bin/bash
# test: fast
# gpubench plot: the best over an axis, rates in other units, rows that fit in the cache, data sheets; what it
# refuses of these. A stand-in for gnuplot: what is looked at are the tables that it would read.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p bin share/plots share/results/published && touch share/plots/common.gp
export GPUBENCH_SHARE=$scratch/share
cp "$root/tests/fixtures/gnuplot.sh" bin/gnuplot
plot_all() { PATH=$scratch/bin:$PATH "$gpubench" plot --format svg --keep-data "$@"; }
plot() { plot_all --figure p-f "$@"; }
# head LINE...: the figure's head.
head() { printf '# gpubench: %s\n' "x n" "$@" >share/plots/p-f.gp; }
# column FILE COLUMNS...: "X VALUE ..." of all points, on one line.
columns()
{
    local file=$1
    shift
    awk -v list="$*" '!/^#/ { n = split(list, at, " "); line = ""
        for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[i]
        print line }' "$file" | paste -sd' '
}

# ---- the best over an axis, another unit, rows that are held ----------------------------------------

measured e.csv n,block <<EOF
a,1,32x1,ok,,2
a,1,64x1,ok,,4
a,2,32x1,ok,,6
a,2,64x1,wrong,off by one,
b,1,auto,ok,,8
b,2,auto,ok,,8
EOF
drawn() { [ "$(columns "e-f.data/series-$1.dat" 1 2 10)" = "$2" ]; }
head "best block" "scale-by flop/s n 1=10 2=100" "variant a A" "variant a[block=32x1] A, 32x1"
check "the best block" prints "./e-f.svg" plot e.csv
check "... is that of each point, in the other unit" drawn 1 "1 40 64x1 2 600 32x1"
check "... beside a block that is held" drawn 2 "1 20 ? 2 600 ?"
check "... and a variant with one block" drawn 3 "1 80 auto 2 800 auto"
check "which it was is told, and what failed" \
    grep -qxF 'gb_best[1] = "64x1 (n 1), 32x1 (n 2); 1 failed"' e-f.data/data.gp
check "of one block nothing is told" grep -qxF 'gb_best[3] = ""' e-f.data/data.gp
check "the held one is named" grep -qxF 'gb_at[2] = "block=32x1"' e-f.data/data.gp
check "the caption says so" grep -qF 'best block, warm cache' e-f.data/data.gp
check "a chosen block instead of the best" prints "./e-f.svg" plot e.csv --block 64x1
check "... alone" drawn 1 "1 40 ?"
head "scale-by flop/s n 1=10"
check "a value without a factor" refuses "there is no factor from items to flop/s for n 2, which experiment 'e' has" plot e.csv
head "scale-by flop/s radius 1=10"
check "scaled by what is no axis" \
    refuses "rates are to be scaled by the axis 'radius', which experiment 'e' does not have" plot e.csv
head "best keys"
check "the best over what is no axis" refuses "the best is to be taken over the axis 'keys', which experiment 'e' does \
not have; its axes: n, block" plot e.csv
head "best n"
check "the best over what is drawn" refuses "plots/p-f.gp takes the best over the axis 'n', which it draws" plot e.csv
head "variant a[keys=1]"
check "held at what is no axis" \
    refuses "holds 'a' at a value of 'keys', which is no axis of experiment 'e'; its axes: n, block" plot e.csv

# ---- figures that are left out ----------------------------------------------------------------------

head "needs c"
check "what is needed is not there" refuses "there is nothing to draw: every figure was left out" plot e.csv
check "... and is named" warns "left out p-f: experiment 'e' has no row of c"
head "needs a[block=96x1]"
check "needed where it was not measured" refuses "there is nothing to draw" plot e.csv
check "... with the place" warns "left out p-f: experiment 'e' has no row of a[block=96x1]"
head "needs a[block=32x1]"
check "needed where it was" prints "./e-f.svg" plot e.csv --block 64x1
head "several-x"
check "a curve of one point" refuses "there is nothing to draw: every figure was left out" plot e.csv --n 1
check "... is left out" warns "experiment 'e' was measured with one value of n"

# ---- what fits in the cache -------------------------------------------------------------------------

measured fits.csv n <<EOF
a,1,ok,,2
a,2,ok,,3
EOF
sed -i -e '1s/$/,flags/' -e '2s/$/,outliers;cache-resident/' -e '3s/$/,outliers/' fits.csv
head
check "rows that fit in the cache" prints "./fits-f.svg" plot fits.csv
check "... are told from the others" [ "$(columns fits-f.data/series-1.dat 1 9)" = "1 1 2 0" ]
check "... and that there are some" grep -qx "gb_resident = 1" fits-f.data/data.gp
head no-cache-resident
check "or left out" prints "./fits-f.svg" plot fits.csv
check "... which leaves the others" [ "$(columns fits-f.data/series-1.dat 1 9)" = "2 0" ]
sed -i '3d' fits.csv
check "or all of them" refuses "there is nothing to draw" plot fits.csv
check "... with the remedy" warns "is flagged cache-resident, and those are not wanted here: measure larger inputs"

# ---- the paper's best -------------------------------------------------------------------------------

printed paper.csv <<EOF
a,,rate,12
a,2,rate,11
EOF
sed -i '2s/,table,/,best,/' paper.csv
measured g.csv n <<EOF
a,1,ok,,2
a,4,ok,,3
EOF
head "paper $scratch/paper.csv"
check "a paper's best over x" prints "./g-f.svg" plot g.csv
check "... goes from the first value of x to the last" [ "$(columns g-f.data/series-2.dat 1 2)" = "1 12 4 12" ]
check "... and is known as a level" grep -qx 'gb_level\[2\] = 12' g-f.data/data.gp

# ---- what is preferred, where a figure is at home, what it is called and rests on --------------------

measured h.csv n,dist <<EOF
a,1,uniform,ok,,2
a,2,uniform,ok,,3
a,1,zipf,ok,,4
a,2,zipf,ok,,5
a,1,file:/data/b.csv,ok,,6
b,1,uniform,ok,,7
EOF
head "where dist=sorted|zipf|uniform"
check "the first of what is preferred" prints "./h-f.svg" plot h.csv
check "... that there is" [ "$(columns h-f.data/series-1.dat 1 2)" = "1 4 2 5" ]
check "... and the caption says so" grep -qF 'dist zipf' h-f.data/data.gp
head "only g"
check "a figure of other experiments" refuses "every figure was left out" plot_all h.csv
check "... is left out" warns "left out p-f: it is made for experiment g, not for 'h'; --figure names it to draw it all the same"
check "... unless it is asked for" plot h.csv
head "only g h"
check "a figure of several experiments" plot_all h.csv
head "panels dist"
check "a panel for each value" plot h.csv
check "... of a file its name" grep -qxF 'gb_panel_title[3] = "dist = b.csv"' h-f.data/data.gp
check "... in the caption, too" sh -c "PATH='$scratch/bin:$PATH' '$gpubench' plot h.csv --format svg --keep-data --n 1 --dist file:/data/b.csv &&
    ! grep -F /data/ h-f.data/data.gp | grep -vF gb_file"
head "panels dist" several-x
check "panels with one value of x" plot h.csv
check "... are left out" grep -qx "gb_panels = 2" h-f.data/data.gp
check "... which the foot says" grep -qF 'Not drawn, for n has fewer than 2 values there: b.csv.' h-f.data/data.gp
head "where dist=uniform" "leaves *: b alone" "variant b"
check "x where nothing is drawn" plot h.csv
check "... is not on the axis" grep -qxF 'gb_x_values = "1"' h-f.data/data.gp
head "where dist=uniform" "over a"
check "the range of speed-ups" plot h.csv
check "... is known" grep -qx 'gb_speedup_max = 3.5' h-f.data/data.gp
sed -i -e '1s/,note$/,assumption,note/' -e '2,$s/,$/,a leap year,/' paper.csv
head "paper $scratch/paper.csv" "published a what B made" "assumed keys are sorted"
check "a name for a paper's series" plot g.csv
check "... is in the key" grep -qxF 'gb_label[2] = "what B made, device B (paper), highest over n"' g-f.data/data.gp
check "what it rests on, each once" grep -qxF 'gb_assumed = "keys are sorted; a leap year"' g-f.data/data.gp

# ---- data sheets ------------------------------------------------------------------------------------

head "gpus gpus.csv"
check "no data sheets" refuses "there is no results/published/gpus.csv in any of: $scratch/share" plot e.csv
sheet() { printf 'device,memory_bytes_per_s,fp32_flop_per_s,source\n%s\n' "$1" >share/results/published/gpus.csv; }
sheet 'device A,1e12,,data sheet'
check "data sheets" prints "./g-f.svg" plot g.csv
check "... give the bandwidth" grep -qx 'gb_bandwidth\[1\] = 1e+12' g-f.data/data.gp
check "... and no peak that they do not say" grep -qx 'gb_peak\[1\] = 0' g-f.data/data.gp
sheet 'device A,1e12,,'
check "a number without a source" refuses "gpus.csv: data row 1 has no source" plot g.csv
sheet 'device A,fast,,data sheet'
check "no number" refuses "data row 1, column memory_bytes_per_s: 'fast' is no number above 0" plot g.csv
twice() { printf 'device,alias,memory_bytes_per_s,fp32_flop_per_s,source\ndevice A,A 1;A 2,1e12,,x\n%s\n' "$1" >share/results/published/gpus.csv; }
twice 'device B,B 1,1e12,,x'
check "two devices" plot g.csv
twice 'A 2,,1e12,,x'
check "a further name twice" refuses "gpus.csv: data row 2: 'A 2' or a further name of it is in a row before" plot g.csv
twice 'device B,B 1;device A,1e12,,x'
check "a name as another's further one" refuses "data row 2: 'device B' or a further name" plot g.csv
printf 'device,source\n' >share/results/published/gpus.csv
check "a column is missing" refuses "gpus.csv has no column 'memory_bytes_per_s'" plot g.csv
finish
