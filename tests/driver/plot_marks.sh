#!/bin/bash
# test: fast
# gpubench plot: which series and panels a figure has, by variant and device, and what tells its curves apart: hidden
# ones, gaps, sizes of two kinds, intervals of speed-ups. A stand-in for gnuplot: what is looked at are the tables
# that it would read.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p bin share/plots && touch share/plots/common.gp
export GPUBENCH_SHARE=$scratch/share
cp "$root/tests/fixtures/gnuplot.sh" bin/gnuplot
plot() { PATH=$scratch/bin:$PATH "$gpubench" plot --format svg --keep-data --figure p-f "$@"; }
# head LINE...: the figure's head.
head() { printf '# gpubench: %s\n' "x n" "$@" >share/plots/p-f.gp; }
# says NAME LINE...: data.gp of figure NAME-f has these lines.
says()
{
    local data=$1-f.data/data.gp line
    shift
    for line; do grep -qxF -- "$line" "$data" || { echo "no line: $line"; cat "$data"; return 1; }; done
}

# ---- variants: drawn, left out, named ----------------------------------------------------------------

for variant in a b c d e f g h i; do printf '%s,%s,ok,,%s\n' $variant 1 1 $variant 2 2 $variant 4 4; done | measured nine.csv n
head "variant c" "variant i I"
check "nine variants" prints "./nine-f.svg" plot nine.csv
check "... of which seven are drawn, the script's first" says nine 'gb_label[1] = "c"' 'gb_label[2] = "I"' 'gb_label[7] = "f"' 'gb_last[1] = 7'
check "... and the others named" says nine 'gb_note = "Measured, too, and without room here: g, h."'
check "... of which the script says nothing" says nine 'gb_unlisted = "a, b, d, e, f, g, h"'
head "variant c" "leaves [d-i]: as an example"
check "what a script leaves out" prints "./nine-f.svg" plot nine.csv
check "... is not drawn" says nine 'gb_last[1] = 3' 'gb_label[3] = "b"'
check "... nor named" says nine 'gb_note = ""' 'gb_unlisted = "a, b"'
check "... unless it is chosen" plot nine.csv --variant e,c
check "... and then alone" says nine 'gb_last[1] = 2' 'gb_label[1] = "c"' 'gb_label[2] = "e"'
head "leaves *: as an example" "variant c" "over a"
check "what others are held against is known" plot nine.csv
check "... too" says nine 'gb_unlisted = ""'
head "many each has its name beside it"
check "more than seven for a reason" prints "./nine-f.svg" plot nine.csv
check "... each in its style" says nine 'gb_last[1] = 9' 'gb_style[9] = 9'

# ---- devices -----------------------------------------------------------------------------------------

# devices FILE COUNT: its rows on so many devices, A, B and so on.
devices()
{
    local letters="A B C D E F G H I" letter
    grep 'device A' "$1" >one.csv
    sed -i 1q "$1"
    for letter in ${letters:0:2*$2}; do sed "s/device A/device $letter/" one.csv >>"$1"; done
}
measured two.csv n <<END
a,1,ok,,2
a,2,ok,,3
a,4,ok,,4
b,1,ok,,5
b,2,ok,,6
b,4,ok,,7
END
devices two.csv 3
head
check "two variants on three devices" prints "./two-f.svg" plot two.csv
check "... have a panel each" says two 'gb_panels = 3' 'gb_panel_title[1] = "device A"' 'gb_panel_title[3] = "device C"' 'gb_device_panels = 3'
check "... and look the same in each" says two 'gb_last[3] = 6' 'gb_style[1] = 1' 'gb_style[2] = 2' 'gb_style[5] = 1' 'gb_style[6] = 2'
check "... by their names alone" says two 'gb_label[6] = "b"'
head "variant b" "leaves a: as an example"
check "one variant on three devices" prints "./two-f.svg" plot two.csv
check "... has a colour for each" says two 'gb_panels = 1' 'gb_style[1] = 1' 'gb_style[3] = 3' 'gb_label[3] = "b, device C"'
head devices-together
check "a script that tells devices apart itself" prints "./two-f.svg" plot two.csv
check "... gets them together" says two 'gb_panels = 1' 'gb_last[1] = 6' 'gb_style[6] = 6'
devices two.csv 9
head "variant b" "leaves a: as an example"
check "nine devices" prints "./two-f.svg" plot two.csv
check "... are no colours" says two 'gb_panels = 9'
printf '%s\n' a,1,ok,,2 a,2,ok,,2 a,4,ok,,2 b,1,unsupported,no, b,2,unsupported,no, b,4,unsupported,no, | measured other.csv n
sed 's/device A/device B/' other.csv | tail -n +2 >rows
measured other.csv n <<END
a,1,ok,,2
a,2,ok,,2
a,4,ok,,2
b,1,ok,,2
b,2,ok,,2
b,4,ok,,2
END
cat rows >>other.csv
head
check "a variant that one device lacks" prints "./other-f.svg" plot other.csv
check "... is missing there" grep -qx '1 2 "cannot"' other-f.data/missing-2.dat

measured far.csv n <<END
a,1,ok,,2
a,2,ok,,2
a,4,ok,,2
END
sed 's/,device A,/,device B,/; s/,4,warm/,8,warm/' far.csv | tail -n +2 >rows
cat rows >>far.csv
head
check "a device that was measured elsewhere" prints "./far-f.svg" plot far.csv --n 8
check "... is drawn there" says far 'gb_subtitle = "far on device B: warm cache, device scope"'
check "... and the other is named" says far 'gb_note = "Not drawn, for nothing was measured there: device A."'

# ---- few values --------------------------------------------------------------------------------------

measured few.csv n,dist <<END
a,1,uniform,ok,,2
a,2,uniform,ok,,3
a,1,zipf,ok,,2
b,1,uniform,ok,,2
b,2,uniform,unsupported,b has no second,
END
head "where dist=uniform"
check "two values of x" prints "./few-f.svg" plot few.csv
check "... are few" says few 'gb_few = 1'
check "... and what is missing there has its reason" says few 'gb_gaps = "b: b has no second"'
check "... and a word" grep -qx '2 2 "cannot"' few-f.data/missing-1.dat
head "where dist=uniform" "several-x 3"
check "too few for a script" refuses "there is nothing to draw" plot few.csv
check "... which is told" warns "experiment 'few' was measured with 2 values of n"
measured few.csv n,dist <<END
a,1,uniform,ok,,2
a,2,uniform,ok,,3
a,4,uniform,ok,,3
a,1,zipf,ok,,2
a,2,zipf,ok,,2
END
head "panels dist"
check "a panel of two values beside one of three" prints "./few-f.svg" plot few.csv
check "... is left out" says few 'gb_few = 0' 'gb_panels = 1' 'gb_note = "Not drawn, for n has fewer than 3 values there: zipf."'

# ---- hidden curves, sizes of two kinds ---------------------------------------------------------------

measured hidden.csv n <<END
a,1000000,ok,,2
a,16000000,ok,,3
a,16777216,ok,,4
b,1000000,ok,,2.01
b,16000000,ok,,3.01
b,16777216,ok,,7
c,1000000,ok,,5
c,16000000,ok,,5
c,16777216,ok,,5
END
head
check "curves that others hide" prints "./hidden-f.svg" plot hidden.csv
check "... are known" says hidden 'gb_under[1] = 1' 'gb_under[2] = 0' 'gb_under[3] = 0' 'gb_most_under = 1'
check "... and where they end" says hidden 'gb_end_rate[1] = 4' 'gb_end_rate[2] = 7'
check "a jump from tens to powers of two" says hidden 'gb_jumps = 1' 'gb_jump_from[1] = 16000000' 'gb_jump_to[1] = 16777216'
sed -i 's/16777216/17000000/' hidden.csv
check "two sizes of one kind" prints "./hidden-f.svg" plot hidden.csv
check "... are no jump" says hidden 'gb_jumps = 0'

# ---- intervals of speed-ups ---------------------------------------------------------------------------

{
    echo "schema,experiment,primitive,variant,device,n,cache,scope,status,reason,rate,rate_ci95_lo,rate_ci95_hi,samples"
    printf '1,fast,p,%s,device A,%s,warm,device,ok,,%s,30\n' a 1 100,98,102 a 2 100,98,102 a 4 100,, b 1 200,190,210 b 2 200,-100,500 b 4 200,190,210
} >fast.csv
head "over a"
check "speed-ups" prints "./fast-f.svg" plot fast.csv
interval() { awk -v x="$1" -v least="$2" -v most="$3" '$1 == x { found = $8 == 2 && $11 > least && $11 < 2 && $12 > 2 && $12 < most } END { exit !found }' fast-f.data/series-1.dat; }
check "... have their interval" interval 1 1.85 2.15
check "... where both rates have one" grep -qE '^4 .* 2 0 \? \? \?$' fast-f.data/series-1.dat
check "... which is told" says fast 'gb_speedup_bars = 1'
check "the caption has the experiment, the device and what is held" says fast 'gb_subtitle = "fast on device A: warm cache, device scope"'
head
check "an interval below 0" prints "./fast-f.svg" plot fast.csv
check "... ends at next to nothing" grep -qE '^2 200 2e-07 500 ' fast-f.data/series-2.dat
finish
