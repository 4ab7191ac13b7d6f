#!/bin/bash
# test: fast
# A primitive over generations of GPUs: which row stands for a device, in which order devices come, what rates are
# divided by, what is said of points that differ or are left out. The tables that gnuplot would read are looked at, then
# a figure that it drew, and the page of a report.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p bin share/plots share/results/published/elsewhere
cp "$root/plots/common.gp" "$root/plots/generations.gp" share/plots/
cp "$root/tests/fixtures/gnuplot.sh" bin/gnuplot
export GPUBENCH_SHARE=$scratch/share
plot() { PATH=$scratch/bin:$PATH "$gpubench" plot --format svg --keep-data --out "$scratch/drawn" --figure p-generations "$@"; }
# script LINE...: the head of the figure's script, and all that it does.
script() { { printf '# gpubench: %s\n' "$@"; printf 'load ARG1\nload gb_generations\n'; } >share/plots/p-generations.gp; }

# In no order; the year counts within an architecture alone.
cat >share/results/published/gpus.csv <<EOF
device,alias,architecture,compute_capability,year,sms,sm_clock_max_hz,memory_bytes_per_s,fp32_flop_per_s,source
NVIDIA new,new,Third,10.0,2023,100,2e9,2000e9,,said
NVIDIA newer,,Third,9.9,2024,100,2e9,4000e9,,said
NVIDIA old,old,First,3.5,2025,10,1e9,250e9,,said
NVIDIA middle,,Second,7.0,2017,,,500e9,,said
EOF
# rows NAME: a result file of primitive p, experiment NAME; a row a line: VARIANT,DEVICE,N,DIST,CACHE,RATE[,UNDER].
rows()
{
    echo "schema,experiment,primitive,variant,instance,under,device,n,dist,cache,scope,status,reason,unit,rate,rate_ci95_lo,rate_ci95_hi"
    awk -F, -v OFS=, -v start="1,$1,p" '{ print start, $1, "", $7, $2, $3, $4, $5, "device,ok,,keys/s", $6, $6 * 0.99, $6 * 1.01 }'
}
# saved NAME.csv: the rows of experiment NAME into that file.
saved() { rows "${1%.csv}" >"$1"; }
# drawn: of each series, "LABEL: DEVICE VALUE PER-BANDWIDTH PER-CYCLE BOTH, ...", of speed-ups their value.
drawn()
{
    awk '/^gb_label\[/ { sub(/^[^"]*"/, ""); sub(/"$/, ""); print }' drawn/p-generations.data/data.gp >labels
    for file in drawn/p-generations.data/series-*.dat; do
        awk '!/^#/ { printf "%s%s %s %s %s %s", (n++ ? ", " : ""), $1, ($2 == "?" ? "x" $8 : $2), $13, $14, $15 } END { print "" }' "$file"
    done | paste -d: labels - | sed 's/:/: /'
}
draws() { drawn >is; printf '%s\n' "$@" | diff - is; }
# value NAME: of a variable of the figure.
value() { sed -n "s/^$1 = //p" drawn/p-generations.data/data.gp | tr -d '"'; }
names() { value 'gb_x_name\[[0-9]*\]' | paste -sd' '; }
is() { [ "$(eval "$1")" = "$2" ] || { eval "$1"; return 1; }; }
says() { [[ $(value gb_note) == *"$1"* ]] || { value gb_note; return 1; }; }
silent() { [[ $(value gb_note) != *"$1"* ]]; }

# ---- order, and what rates are divided by -----------------------------------------------------------

saved p.csv <<EOF
a,AMD other,1000,u,warm,4e9
a,NVIDIA newer,1000,u,warm,80e9
a,NVIDIA new,1000,u,warm,40e9
a,NVIDIA old,1000,u,warm,5e9
a,NVIDIA middle,1000,u,warm,10e9
EOF
script "generations bandwidth sm-cycle" "where dist=u" "near n=1000" "gpus gpus.csv" "variant a A" "leaves *: tried"
check "a figure" prints "drawn/p-generations.svg" plot p.csv
check "devices in the order of their architectures, then of their years, unknown ones last" is names "old middle new newer AMD other"
check "... by name" is "value 'gb_architecture\\[[0-9]*\\]' | paste -sd,"  "First,Second,Third,Third,"
check "rates over bandwidth and cycles" draws \
    "A: 1 5e+09 0.02 0.5 0, 2 1e+10 0.02 ? 0, 3 4e+10 0.02 0.2 0, 4 8e+10 0.02 0.4 0, 5 4e+09 ? ? 0"
check "what cannot be divided is named" says "No data sheet here states the bandwidth of: AMD other. No data sheet here states the \
multiprocessors or clock of: middle, AMD other."
check "... and nothing else" silent Differing
script "generations bandwidth" "where dist=u" "near n=1000" "gpus gpus.csv" "variant a A" "leaves *: tried"
check "a figure over one of them" prints "drawn/p-generations.svg" plot p.csv
check "... has no panel of the other" is "value 'gb_highest\\[3\\]'" 0

# ---- which row stands for a device --------------------------------------------------------------------

saved p.csv <<EOF
a,NVIDIA old,100,u,warm,1e9
a,NVIDIA old,900,u,warm,2e9
a,NVIDIA old,900,v,warm,9e9
a,NVIDIA old,900,u,cold,9e9
b,NVIDIA old,900,u,warm,9e9
a,NVIDIA new,1000,u,cold,3e9
a,NVIDIA new,2000,u,warm,9e9
a,NVIDIA newer,10,u,warm,9e9
a,NVIDIA middle,1000,v,warm,4e9
a,NVIDIA middle,1000,w,warm,9e9
a,NVIDIA newer,1000,u,warm,9e9,code=sm_35
EOF
saved other.csv <<EOF
a,NVIDIA old,900,u,warm,9e9
EOF
script "generations bandwidth" "where dist=u|v cache=warm|cold" "near n=1000" "gpus gpus.csv" "variant a A" "leaves *: tried"
check "several rows a device" prints "drawn/p-generations.svg" plot other.csv p.csv
check "the nearest size, then the first cache, of the experiment that all have; never under conditions" draws \
    "A: 1 2e+09 0.008 ? 0, 2 4e+09 0.008 ? 0, 3 3e+09 0.0015 ? 0"
check "... where they differ is said" says "Differing: old (n 900), middle (dist v), new (cold cache)."
check "... and which have other sizes alone" says "Left out, for their n is more than 16 times another: newer."
rows lacks <<EOF | cut -d, -f1-8,10- >lacks.csv
a,AMD other,1000,u,warm,9e9
a,NVIDIA old,1000,u,warm,9e9
EOF
check "results without an axis" prints "drawn/p-generations.svg" plot p.csv lacks.csv
check "... are named where they are all of a device" says "Left out, for an axis is missing in their results: AMD other."
check "a choice" prints "drawn/p-generations.svg" plot p.csv --cache cold
check "... is heeded" draws "A: 1 9e+09 0.036 ? 0, 2 3e+09 0.0015 ? 0"

# ---- what is printed ---------------------------------------------------------------------------------

printed_rows()
{
    echo "schema,paper,primitive,variant,device,n,dist,kind,scope,locator,quantity,baseline,status,value,unit,ci95_rel,assumption,note"
    awk -F, -v OFS=, '{ print "1,a-paper,p", $1, $2, $3, $4, ($3 == "" ? "best" : "table"), $5, "Table 1", $6, $7, "ok", $8, "keys/s,,,"}'
}
printed_rows >share/results/published/paper.csv <<EOF
a,old,1000,u,device,rate,,3e9
a,NVIDIA middle,,u,,rate,,4e9
a,NVIDIA new,1000,u,host-to-host,rate,,9e9
a,NVIDIA old,1000,u,device,speedup,b,1.5
EOF
saved p.csv <<EOF
a,NVIDIA old,1000,u,warm,2e9
b,NVIDIA old,1000,u,warm,4e9
a,NVIDIA newer,1000,u,warm,8e9
b,NVIDIA newer,1000,u,warm,4e9
EOF
script "generations bandwidth" "where dist=u" "near n=1000" "gpus gpus.csv" "variant a A" "ratio a/b A over B" "leaves *: tried"
check "measured and printed" prints "drawn/p-generations.svg" plot p.csv
check "... each a series, an alias beside its device; of the scope that is shown; the best of all sizes; speed-ups" draws \
    "A: 1 2e+09 0.008 ? 1, 3 8e+09 0.002 ? 0" "A, as printed: 1 3e+09 0.012 ? 1, 2 4e+09 0.008 ? 0" \
    "A over B: 1 x0.5 ? ? 1, 3 x2 ? ? 0" "A over B, as printed: 1 x1.5 ? ? 1"
check "... told apart from the best of all sizes" says "Differing: middle (best n)."
check "--no-published" prints "drawn/p-generations.svg" plot p.csv --no-published
check "... has what was measured" draws "A: 1 2e+09 0.008 ? 0, 2 8e+09 0.002 ? 0" "A over B: 1 x0.5 ? ? 0, 2 x2 ? ? 0"
check "what is printed alone" prints "drawn/p-generations.svg" plot share/results/published/paper.csv
check "... is there" draws "A, as printed: 1 3e+09 0.012 ? 0, 2 4e+09 0.008 ? 0" "A over B, as printed: 1 x1.5 ? ? 0"
sed -i /middle/d share/results/published/paper.csv
saved one.csv <<EOF
a,NVIDIA old,1000,u,warm,2e9
EOF
check "one device alone makes no figure" refuses "there is nothing to draw" plot one.csv
check "... which is said" warns "left out p-generations: there are points of one device alone, old"
check "no row that fits makes none" refuses "there is nothing to draw" plot p.csv --dist v
check "... which is said" warns "left out p-generations: no row of any device is of what it compares"

# ---- mistakes ----------------------------------------------------------------------------------------

while IFS='|' read -r line text; do
    script "generations bandwidth" "near n=1000" "gpus gpus.csv" "variant a A" "$line" "leaves *: tried"
    check "head: $line" refuses "$text" plot p.csv
done <<EOF
where cache=warm|nothing says which value of the axis 'dist' of p counts: where, best, near or [dist=VALUE] of a variant does
where dist=all|nothing says which value of the axis 'dist' of p counts
variant a[dist=u] another|nothing says which value of the axis 'dist' of p counts
generations watts|'watts' is neither bandwidth nor sm-cycle
near n|'n' is not AXIS=NUMBER with a number above 0
near n=-1|'n=-1' is not AXIS=NUMBER with a number above 0
ratio a A|'a A' names no two variants: ratio takes OF/OVER[AXIS=VALUE,...] LABEL
EOF
script "x n" "near n=1000" "leaves *: tried"
check "near of another figure" refuses "near and ratio are for scripts with the line '# gpubench: generations'" plot p.csv
script "generations bandwidth" "where dist=u" "near n=1000" "leaves *: tried"
check "nothing to follow" refuses "no line '# gpubench: variant NAME' says what is followed" plot p.csv

# ---- by gnuplot, in a report --------------------------------------------------------------------------

script "title Over generations" "generations bandwidth" "where dist=u" "near n=1000" "gpus gpus.csv" "variant a A" "ratio a/b A over B" "leaves *: tried"
if command -v gnuplot >/dev/null; then
    check "gnuplot draws it" prints "real/p-generations.svg" "$gpubench" plot p.csv --format svg --out real --figure p-generations
    for text in First Third old newer "10⁹ keys/s" "10⁹ keys/s per TB/s" speed-up "open: as printed" "as fast"; do
        check "... with $text" grep -qF ">$text<" real/p-generations.svg
    done
    check "on a terminal" prints "First: 1 old; Third: 2 newer." "$gpubench" plot p.csv --terminal --no-pager --figure p-generations
    check "... with a letter a version" grep -qE ' B  A over B$' out
    # shellcheck disable=SC2016 # that is the name
    named='a `touch pwned` 5% of b'
    sed "s/NVIDIA newer/$named/" p.csv >named.csv
    check "a name that could be a command, or a format" prints "real/p-generations.svg" "$gpubench" plot named.csv --format svg --out real --figure p-generations
    check "... is drawn" grep -qF ">$named<" real/p-generations.svg
    check "... and not run" test ! -e pwned
    printf '# gpubench: %s\n' "title By size" "x n" "leaves none: tried" >share/plots/p-rate.gp
    printf '%s\n' 'load ARG1' 'gb_xlabel = "n"' 'gb_ylabel = "rate"' 'load gb_common' 'eval gb_linear_x' 'gb_y_hi = 10' \
        'eval gb_linear_y' 'gb_plot = "plot " . gb_curves(gb_rate_columns)' 'eval gb_draw' >>share/plots/p-rate.gp
    watches() { TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 timeout 60 "$BUILD/tests/driver/on_terminal" 80 40 sh -c "$gpubench watch p.csv 2>&1" >out; grep -qF "By size" out; }
    check "a figure that grows is one of its own rows" watches
else
    skip "gnuplot draws it" "gnuplot is not installed"
fi

unset GPUBENCH_SHARE
echo "schema,experiment,primitive,variant,backend,device,n,bins,dist,function,payload,type,cache,scope,status,reason,unit,rate" >multipartition.csv
for bins in 64 256; do
    for variant in multipartition multisplit; do
        echo "1,multipartition,multipartition,$variant,cuda,NVIDIA H100 80GB HBM3,32000000,$bins,uniform,max,none,u32,warm,device,ok,,keys/s,67e9"
    done
done >>multipartition.csv
cd "$root" || exit 1
# The first board of each architecture, by compute capability: none is of an earlier year than the one before.
in_order() { tail -n +2 results/published/gpus.csv | awk -F, '$5 && (!($3 in year) || $5 < year[$3]) { year[$3] = $5; of[$3] = $4 } END { for (name in year) print of[name], year[name], name }' |
    sort -n | awk '$2 < 2006 || $2 > 2040 || $2 < last { print; bad = 1 } { last = $2; n++ } END { exit bad || n < 10 }'; }
check "architectures come in the order of their years" in_order
check "a report" prints "page.html" "$gpubench" report "$scratch/multipartition.csv" --no-figures --out "$scratch/page.html"
section() { sed -n '/<section id="generations"/,/<\/section>/p' "$scratch/page.html"; }
shows() { section | grep -qF -- "$1" || { section | head -c 3000; return 1; }; }
# 67e9 keys/s over 3.35 TB/s
row() { section | tr -d '\n' | grep -qE "H100 80GB HBM3<.{0,60}Hopper<.{0,60}2022<.{0,80}67\.0.{0,80}20\.0<"; }
check "... has a section of generations, with its values" row
check "... and whence they are" shows "paper multipartition: Table 1, left, 32M row"
check "... what others printed beside" shows "Ashkiani et al. 2017: abstract (arXiv 1701.01189)"
check "... claims by generation" shows "Said of Ampere (NVIDIA RTX A4500); measured on NVIDIA H100 80GB HBM3 (Hopper): "
check "... those of others, too" shows "Said of Kepler (NVIDIA K80); measured on NVIDIA H100 80GB HBM3 (Hopper): 4 NOT TESTED"
check "... in their order" test "$(section | grep -oE 'Said of [A-Za-z]+' | paste -sd,)" = "Said of Kepler,Said of Kepler,Said of Pascal,Said of Ampere,Said of GPUs"
sed 's/,multipartition,multipartition,/,null,null,/; s/,n,bins.*type,cache/,n,cache/; s/,32000000.*u32,/,1000,/' "$scratch/multipartition.csv" | sort -u -t, -k5,5 | sort -r >"$scratch/null.csv"
check "a report of what nobody else has" prints "null.html" "$gpubench" report "$scratch/null.csv" --no-figures --out "$scratch/null.html"
check "... has none" test -z "$(grep -o 'id="generations"' "$scratch/null.html")"
check "claims say it in words" prints "RTX A4500 (Ampere)" "$gpubench" claims "$scratch/multipartition.csv" --paper multipartition
check "... and in CSV" prints ",NVIDIA RTX A4500,Ampere,NVIDIA H100 80GB HBM3," "$gpubench" claims "$scratch/multipartition.csv" --format csv
check "... of several" prints ",NVIDIA K80;NVIDIA P100,\"Kepler, Pascal\",NVIDIA H100 80GB HBM3," "$gpubench" claims "$scratch/multipartition.csv" --format csv
finish
