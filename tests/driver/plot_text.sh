#!/bin/bash
# test: fast
# Text from data stands in a figure as it is, whatever it holds, in every format: names are no markup, no format and
# no command. It is read back from SVG, EPS, PDF and the drawing in characters; a PNG cannot be read, and is drawn
# by the library that draws EPS and PDF.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
if ! command -v gnuplot >/dev/null; then
    skip "text in figures" "gnuplot is not installed"
    finish
    exit
fi
cd "$scratch" || exit 1
mkdir -p share/plots && cp "$root/plots/common.gp" share/plots
export GPUBENCH_SHARE=$scratch/share

# shellcheck disable=SC2016 # it is what must not be run
wild='a_b^c{d}@e&f<g\h%i"j'\''k`>run`l~m$n{/:B}%p\n(q)[r]'
quoted=${wild//\"/\"\"}
{ echo "schema,experiment,primitive,variant,device,form,dist,cache,scope,status,reason,rate"
    for kind in K L; do for dist in X Y; do for variant in V W; do
        echo "1,e,p,\"$variant$quoted\",\"D$quoted\",\"$kind$quoted\",\"$dist$quoted\",warm,device,ok,,2"
    done; done; done; } >e.csv
cat >share/plots/p-names.gp <<END
# gpubench: title T$wild
# gpubench: x dist
# gpubench: categories
# gpubench: panels form
# gpubench: assumed A$wild

load ARG1
gb_xlabel = gb_x_axis
gb_ylabel = "items"
gb_wide = 2400
load gb_common
set xrange [0.5 : 2.5]
set yrange [0 : 3e-9]
gb_tics = gb_x_tics
set ytics (gb_tic_label(gb_label[1]) 1e-9)
gb_each = 'set label 20 "at " . gb_label[2] at graph 0.5,0.5'
gb_plot = "plot " . gb_curves(gb_rate_columns)
eval gb_draw
END

# What is written in a file, a text a line.
svg_texts() { sed -n 's/.*<text>\(.*\)<\/text>.*/\1/p' "$1" | sed -e 's/<[^<>]*>//g' -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&amp;/\&/g'; }
# As PostScript and PDF have them: "(text)Tj", "[(te)-3(xt)]TJ".
strings()
{
    LC_ALL=C awk '{ all = all $0 "\n" }
        END { for (i = 1; i <= length(all); i++) {
            c = substr(all, i, 1)
            if (within && c == "\\") { c = substr(all, ++i, 1); if (c != "\n") text = text c }
            else if (c == (within ? ")" : "(")) within = !within
            else if (within) text = text c
            else if (c == "T" && substr(all, i + 1, 1) ~ /[jJ]/) { print text; text = "" }
            else if (c == "[") text = "" } }'
}
eps_texts() { sed '1,/^%%EndPageSetup/d' "$1" | strings; }
# Each stream with gzip's head instead of zlib's; that it has not gzip's end, gzip says behind the text.
pdf_texts()
{
    local at
    grep -abo '^stream' "$1" | while IFS=: read -r at _; do
        { printf '\x1f\x8b\x08\0\0\0\0\0\0\0' && tail -c "+$((at + 10))" "$1"; } | gzip -dc 2>/dev/null | tr -d '\0' | strings
    done
}
dumb_texts() { cat "$1"; }

# shows FORMAT FILE BEGINNING...: each beginning, with the name behind it, is written there.
shows()
{
    local begin
    "$1_texts" "$2" >texts || return 1
    for begin in "${@:3}"; do
        grep -qF -- "$begin$wild" texts || { echo "no $begin$wild in:" && cat texts && return 1; }
    done
}
draws() { "$gpubench" plot e.csv --out figures "$@" >out 2>err && cat err && [ ! -s err ]; }
check "gnuplot has nothing to complain of" draws --format svg,eps,pdf,png
for format in svg eps pdf; do
    check "$format: title" shows $format figures/e-names.$format T
    check "$format: device" shows $format figures/e-names.$format D
    check "$format: panels" shows $format figures/e-names.$format "form = K" "form = L"
    check "$format: categories" shows $format figures/e-names.$format X Y
    check "$format: series in the key, at a tic and at a place" shows $format figures/e-names.$format V W "at W"
    check "$format: what it rests on" shows $format figures/e-names.$format "Assumed: A"
done
thrice() { [ "$(grep -cF -- "$1$wild" texts)" = 3 ]; }
shows svg figures/e-names.svg V >/dev/null
check "... the tics of both panels and the key" thrice V
check "an SVG is bold where the others are" [ "$(grep -c 'font-weight="bold"' figures/e-names.svg)" = 3 ]
well_formed() { ! grep -nE '<text>[^<]*&([^lga]|$)|<title>[^<]*(&[^lga]|<[^/])' figures/e-names.svg; }
check "... and well-formed" well_formed
check "a PNG" test -s figures/e-names.png
"$gpubench" plot e.csv --terminal >terminal
check "in characters" shows dumb terminal T D K V W
check "nothing was run" test ! -e run
no_markup() { ! grep -nE '(^|[^o])enhanced' "$root"/plots/*.gp; }
check "no script asks for markup" no_markup
finish
