#!/bin/bash
# test: fast
# The figure of results for which no script is made: when it is drawn, what of the results, and what it says that it
# leaves out. A stand-in for gnuplot where what matters are the tables that it would read.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p bin share/plots && cp "$root/tests/fixtures/gnuplot.sh" bin/gnuplot
cp "$root/plots/common.gp" "$root/plots/default.gp" share/plots
export GPUBENCH_SHARE=$scratch/share
plot() { PATH=$scratch/bin:$PATH "$gpubench" plot --format svg --keep-data "$@"; }
# says EXPERIMENT LINE: the figure's names for gnuplot have this line; about: one with this text.
says() { grep -qxF -- "$2" "$1-default.data/data.gp" || { grep -E "^gb_(title|subtitle|note|x_|panels)" "$1-default.data/data.gp"; return 1; }; }
about() { grep -E '^gb_(title|subtitle|note) ' "$1-default.data/data.gp" | grep -F -- "$2" || { says "$1" "$2"; return 1; }; }
labels() { sed -n 's/^gb_label\[[0-9]*\] = //p' "$1-default.data/data.gp" | sort -u | tr -d '"' | paste -sd' '; }

# ---- what is drawn --------------------------------------------------------------------------------

measured many.csv n,bins,dist < <(for n in 16 256 4096; do for bins in 2 4 8 16 32 64 128 256; do
    for variant in a b c d e f g h i; do echo "$variant,$n,$bins,uniform,ok,,$((n * $(printf '%d' "'$variant")))"; done
    echo "h,$n,$bins,zipf,ok,,5"
done; done)
check "results without a script have a figure" prints "./many-default.svg" plot many.csv
check "... called by experiment and primitive" says many 'gb_title = "many (p): rate over n"'
check "the first axis that varies is along x" says many 'gb_x_values = "16 256 4096"'
check "a panel for each value of the next, as many as there is room for" says many "gb_panels = 6"
check "... the first" says many 'gb_panel_title[1] = "bins = 2"'
check "... and the last among them" says many 'gb_panel_title[6] = "bins = 256"'
check "... what is not, it says" about many "Not drawn, for 6 panels are the most: 16, 128."
check "a curve for each variant, of many the fastest" test "$(labels many)" = "c d e f g h i"
check "... what is not, it says" about many "Not drawn, for 7 series are the most that are told apart: the slower a and b."
check "an axis beyond is held where most was measured" about many "dist uniform"
check "... and how to see the rest is said" about many "Not drawn: dist zipf (--dist all)."
check "chosen values" prints "./many-default.svg" plot many.csv --bins 8 --dist all --n 16,256
check "... are no panels" says many "gb_panels = 2"
check "... and two of x are names" says many "gb_x_is_named = 1"

sed 's/device A/device B/' many.csv | grep -v ',2,uniform' >others.csv
check "two devices" prints "./many-default.svg" plot many.csv others.csv
check "... share the panels" says many "gb_panels = 6"
check "... of values that both have" says many 'gb_panel_title[1] = "bins = 4, device A"'
check "... the other of the same beside" says many 'gb_panel_title[2] = "bins = 4, device B"'
check "... each value that is left out told once" about many "Not drawn, for 6 panels are the most: 2, 8, 16, 64, 128."

measured one.csv n,dist <<END
a,4096,uniform,ok,,2
b,4096,uniform,ok,,3
c,4096,uniform,wrong,off by one,
END
check "one value everywhere" prints "./one-default.svg" plot one.csv
check "... has the variants side by side" says one 'gb_title = "one (p): rate by variant"'
check "... at a place of its name" says one "gb_x_tics = \"'4096' 1\""

measured names.csv dist,n <<END
a,uniform,1,ok,,2
a,zipf,1,ok,,3
a,two words,1,ok,,4
END
check "names along x" prints "./names-default.svg" plot names.csv
check "... are categories" says names "gb_x_tics = \"'uniform' 1, 'zipf' 2, 'two words' 3\""

measured cube.csv x,y,z,w <<END
a,1,1,1,5,ok,,2
a,2,2,2,5,ok,,3
a,4,4,4,5,ok,,4
a,4,1,4,5,wrong,off by one,
a,1,1,1,7,ok,,5
a,2,2,2,7,ok,,5
a,4,4,4,7,ok,,5
END
check "axes that follow another" prints "./cube-default.svg" plot cube.csv
check "... leave it a curve" says cube 'gb_x_values = "1 2 4"'
check "... which the caption says" about cube "device A: y like x, z like x, warm cache"
check "... and another axis has its panels" says cube 'gb_panel_title[2] = "w = 7"'

sed -e '1s/rate$/time_mean_s,rate/' -e '2,$s/,\([0-9]*\)$/,0.\1,/' one.csv >times.csv && sed -i 's/,one,/,times,/' times.csv
check "times where nothing has a rate" prints "./times-default.svg" plot times.csv
check "... which the title says" says times 'gb_title = "times (p): time by variant"'

sed -i '3,$d' one.csv && sed -i 's/,ok,,2$/,wrong,too large,/' one.csv
check "no value at all" refuses "there is nothing to draw" plot one.csv
check "... with the reason" warns "left out default: no row of experiment 'one' that it asks for has a rate or a time"

# ---- when ------------------------------------------------------------------------------------------

printf '# gpubench: x n\n# gpubench: needs b\n' >share/plots/p-rate.gp
check "scripts that draw nothing of it" prints "./names-default.svg" plot names.csv
check "... have their reasons told" warns "left out p-rate: experiment 'names' has no row of b"
check "one that does" prints "./many-rate" plot many.csv
check "... is enough" hides default
check "... unless the other is asked for" prints "./many-default.svg" plot many.csv --figure default
check "... alone" hides rate
check "each experiment for itself" prints "./many-rate" plot many.csv names.csv
check "... has one" grep -qx "./names-default.svg" out
check "it is among those that there are" refuses "draws these results; there is: p-rate and default" plot many.csv --figure p-bins
echo "# gpubench: default" >share/plots/default-x.gp
sed 's/,names,p,/,names,default,/' names.csv >d.csv
check "of a primitive of that name" prints "./names-default.svg" plot d.csv
rm share/plots/p-rate.gp share/plots/default-x.gp share/plots/default.gp
check "without it" refuses "no script plots/p*.gp draws these results" plot many.csv

# ---- gnuplot ---------------------------------------------------------------------------------------

draws() { GPUBENCH_SHARE=$root "$gpubench" plot many.csv names.csv cube.csv times.csv "$@" >drawn 2>err && cat err && [ ! -s err ]; }
page()
{
    rm -rf alone && mkdir alone && cp names.csv alone &&
        GPUBENCH_SHARE=$root "$gpubench" report alone --out page.html && grep -q '<svg' page.html && grep -q '>two words<' page.html
}
if command -v gnuplot >/dev/null; then
    check "gnuplot has nothing to complain of" draws --format svg --out real
    check "... in characters" draws --terminal
    check "... nor for a column of a paper" draws --paper column --format eps --out real
    check "names have bars" grep -q "two words" real/names-default.svg
    measured crowd.csv day < <(for day in {10..40}; do for variant in a b c d e; do echo "$variant,day-$day,ok,,$((day * 100))"; done; done)
    check "more names than bars have room for" eval "GPUBENCH_SHARE=$root '$gpubench' plot crowd.csv --format svg --out real"
    check "... have points" test "$(grep -c "#gpPt" real/crowd-default.svg)" -gt 150
    check "... a few names do not" test "$(grep -c '#gpPt' real/names-default.svg)" -lt 50
    check "a report has the figure" page
else
    skip "what gnuplot makes of it" "gnuplot is not installed"
fi
finish
