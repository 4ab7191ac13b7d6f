#!/bin/bash
# test: long 9
# gpubench plot: figures in every format, drawing in the terminal, and what it says when it cannot.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/multipartition-fixture.csv
quick=$root/tests/fixtures/multipartition-quick-fixture.csv
cd "$root" || exit 1

if ! command -v gnuplot >/dev/null; then
    skip "plot" "gnuplot is not installed"
    finish
    exit
fi

# fails_with STATUS TEXT COMMAND...: the command's exit status, and a part of its message.
fails_with()
{
    local expected=$1 text=$2 status=0
    shift 2
    "$@" >"$scratch/out" 2>&1 || status=$?
    cat "$scratch/out"
    [ "$status" = "$expected" ] && grep -qF -- "$text" "$scratch/out"
}

draws_silently()
{
    "$gpubench" plot "$@" >"$scratch/out" 2>"$scratch/err.all"
    local status=$?
    grep -v "^gpubench plot: left out " "$scratch/err.all" >"$scratch/err" # what it lacks, with the reason
    cat "$scratch/out" "$scratch/err"
    [ $status = 0 ] && [ ! -s "$scratch/err" ]
}

# has FILE MAGIC: the file begins so and is no empty figure.
has() { head -c 512 "$1" | grep -qaF -- "$2" && [ "$(wc -c <"$1")" -gt 4000 ]; }

plots_all()
{
    mkdir "$scratch/tmp" && TMPDIR=$scratch/tmp "$gpubench" plot "$fixture" --out "$scratch/deep/figures" &&
        rmdir "$scratch/tmp" # it leaves nothing there
}

check "all figures of a result file" plots_all
for figure in multipartition-table1 multipartition-bins; do
    check "$figure.svg" has "$scratch/deep/figures/$figure.svg" "<svg"
    check "$figure.pdf" has "$scratch/deep/figures/$figure.pdf" "%PDF-"
    check "$figure.png" has "$scratch/deep/figures/$figure.png" "PNG"
done

prints_all() { "$gpubench" plot "$1" --terminal >"$scratch/terminal" && [ "$(wc -l <"$scratch/terminal")" -gt 60 ]; }

svg_shows() { for text in "$@"; do grep -qF -- "$text" "$scratch/deep/figures/multipartition-bins.svg" || return 1; done; }
check "axes, series, paper and limit are in the figure" \
    svg_shows "bins" "10⁹ keys/s" "12288" "cub-label-sort" "RTX A4500 (paper)" "physical limit" "n 32M"

chosen_alone()
{
    "$gpubench" plot "$fixture" --figure multipartition-bins --variant multisplit --format svg --out "$scratch/chosen" &&
        grep -qF ">GPU multisplit<" "$scratch/chosen/multipartition-bins.svg" && ! grep -qF "cub-label-sort" "$scratch/chosen/multipartition-bins.svg"
}
check "--variant draws these alone" chosen_alone
check "gnuplot has nothing to complain of" draws_silently "$quick" --out "$scratch/quick"
check "the published numbers alone" draws_silently results/published/multipartition-table1.csv --out "$scratch/published"

simt_alone() { ! grep -qF "(paper)" "$scratch/quick/multipartition-table1.svg" && grep -qF "not a GPU" "$scratch/quick/multipartition-table1.svg"; }
check "the simt device's times stand alone" simt_alone

terminal()
{
    "$gpubench" plot "$fixture" --terminal --figure multipartition-bins >"$scratch/terminal" || return 1
    cat "$scratch/terminal"
    grep -q "^ *100 |" "$scratch/terminal" && grep -q "+-----" "$scratch/terminal" &&
        grep -q " 8192" "$scratch/terminal" && ! grep -q $'\033\|\f' "$scratch/terminal"
}
check "the terminal shows axes, without colours in a pipe" terminal

formats()
{
    "$gpubench" plot "$fixture" --out "$scratch/one" --format svg --figure multipartition-bins &&
        [ "$(ls "$scratch/one")" = multipartition-bins.svg ]
}
check "--format and --figure" formats

slices()
{
    "$gpubench" plot "$fixture" --out "$scratch/slices" --format svg --figure multipartition-bins --dist all &&
        [ "$(cd "$scratch/slices" && echo *)" = "multipartition-bins-binomial.svg multipartition-bins-uniform.svg" ]
}
check "a figure for each distribution" slices

data()
{
    "$gpubench" plot "$fixture" --out "$scratch/data" --format svg --figure multipartition-bins --keep-data || return 1
    head -n 3 "$scratch/data/multipartition-bins.data/series-1.dat"
    grep -q "^# bins rate rate_ci95_lo" "$scratch/data/multipartition-bins.data/series-1.dat"
}
check "--keep-data leaves the tables" data

# ---- stencils: the best block, the paper's maxima, what fits in the cache ----------------------------

stencil=$root/tests/fixtures/stencil-fixture.csv modern=$root/tests/fixtures/stencil-modern-fixture.csv
check "stencils: nothing to complain of" draws_silently "$stencil" --out "$scratch/stencil" --format svg,png \
    --figure stencil-figure3
check "... but what was not measured" "$gpubench" plot "$stencil" --out "$scratch/stencil" --format svg
check "stencils' variants" "$gpubench" plot "$modern" --out "$scratch/stencil" --format svg --keep-data
stencil_shows()
{
    local figure=$1 text
    shift
    for text; do grep -qF -- "$text" "$scratch/stencil/$figure.svg" || { echo "no '$text'"; return 1; }; done
}
check "the paper's figure" stencil_shows stencil-figure3 "K80 130" "P100 1200" "radius = 4" \
    "block 32x1x1" "radius = 1, block 64x4x1" "copy of the same bytes" "highest over x" "L2"
check "generations" stencil_shows stencil-generations "K80" "P100" "fixture" "× 3.7" "× 5.5" "CSL, fixture" "COMP, fixture"
check "roofline" stencil_shows stencil-modern-roofline "TMA" "temporal, 3 steps" "measured copy, 4.18 TB/s" "r = 4"
check "by variant" stencil_shows stencil-modern-variants "z-loop, registers, CSL" "temporal, 4 steps" "radius = 2"
check "by block" stencil_shows stencil-blocks "32x8x1" "COMP" "radius = 3"
check "no figure of what the experiment lacks" test ! -e "$scratch/stencil/stencil-modern-figure3.svg"
hollow()
{
    "$gpubench" plot "$stencil" --out "$scratch/stencil" --format svg --figure stencil-figure3 --keep-data || return 1
    awk '!/^#/ { print $1, $9 }' "$scratch/stencil/stencil-figure3.data/series-1.dat" | paste -sd' ' | tee /dev/stderr |
        grep -qx "32 1 96 1 512 0 2048 0"
}
check "rows that fit in the L2 are told from the others" hollow
check "the published maxima alone" "$gpubench" plot results/published/stencil-figure3.csv --out "$scratch/maxima" --format svg
check "stencils in the terminal" prints_all "$stencil"

# A PATH without gnuplot.
check "gnuplot missing: how to get it" \
    fails_with 2 "apt-get install gnuplot-nox" env PATH=/nonexistent "$gpubench" plot "$fixture" --out "$scratch/none"
check "no such figure" fails_with 2 "plots/nothing.gp" "$gpubench" plot "$fixture" --figure nothing --out "$scratch/none"
check "no such format" fails_with 2 "svg, pdf, png and eps" "$gpubench" plot "$fixture" --format jpeg
check "no such axis" fails_with 2 "did you mean --dist" "$gpubench" plot "$fixture" --dits uniform
check "no results" fails_with 2 "name at least one result file" "$gpubench" plot
finish
