#!/bin/bash
# test: thorough 8
# What goes into a paper, typeset: a two-column article of 10 pt with 3.4 inches a column, a figure of each width and the
# tables of every primitive from the results that come along. Nothing is wider than its column or page, or too
# high; every label is there once. What the test notices is tried on spoilt ones.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
if ! command -v pdflatex >/dev/null || [ -z "$(kpsewhich booktabs.sty)" ]; then
    skip "an article" "pdflatex and booktabs are not installed (scripts/setup.sh --latex)"
    finish
    exit
fi
results=$root/results
cd "$scratch" || exit 1

# document NAME BODY...: what these files say, with a page of its own for each float.
document()
{
    local name=$1
    shift
    cat >"$name.tex" <<'END'
\documentclass[10pt,twocolumn]{article}
\usepackage{graphicx,array,booktabs}
\setlength{\textwidth}{7in}\setlength{\columnsep}{0.2in}\setlength{\textheight}{9in}
\setlength{\oddsidemargin}{-0.25in}\setlength{\topmargin}{-0.5in}
\begin{document}
END
    sed 's/^\\end{\(table\|figure\)\*\{0,1\}}$/&\\clearpage/' "$@" >>"$name.tex"
    printf '%s\n' '\end{document}' >>"$name.tex"
}
# A float too high for its page and a box that is too wide are only said in the log: those of 2 pt are not seen.
faults()
{
    grep -E '^!|Float too large|Too many unprocessed|undefined|multiply defined|Missing character' "$1.log"
    sed -nE 's/^Overfull \\hbox \(([0-9.]+)pt.*/\1 &/p' "$1.log" | awk '$1 > 2 { sub(/^[^ ]* /, ""); print }'
}
# compose NAME PAGES: without an error, and into so many pages at least.
compose()
{
    local pages
    pdflatex -interaction=nonstopmode -halt-on-error "$1" >"$1.said" </dev/null || { grep -A 3 '^!' "$1.log"; return 1; }
    pages=$(sed -nE 's/^Output written on .* \(([0-9]+) pages?,.*/\1/p' "$1.log")
    [ "${pages:-0}" -ge "$2" ] || { echo "$pages pages"; return 1; }
    ! faults "$1" | grep .
}

# refers BODY: each label of it is there once. References are known the second time.
refers()
{
    { cat "$1" && grep -o '\\label{[^}]*}' "$1" | sed 's/label/ref/; s/$/./'; } >referring
    document references referring && { compose references 1 >first || true; } && compose references 10
}

# tables ARGUMENT...: in LaTeX; of all experiments, which is told on stderr.
tables() { "$gpubench" "$@" --format latex 2>/dev/null; }
of_both=("$results/nvidia-h200" "$results/nvidia-h100-80gb-hbm3")
tables table "${of_both[0]}" >either.out && tables table "${of_both[0]}" --paper-width column >column.out &&
    tables table "${of_both[@]}" --paper-width page >page.out && tables table "${of_both[1]}" --table plain >plain.out
tables claims "${of_both[0]}" --rows >views.out && tables standings "${of_both[0]}" >>views.out &&
    tables compare "${of_both[@]}" >>views.out && (cd "$root" && tables compare "${of_both[0]}" published) >>views.out

# of_each KIND FILE: floats of every primitive in it.
of_each()
{
    local primitive
    for primitive in multipartition radix-sort stencil octree dynamic-array; do
        grep -A 3 "^\\\\begin{$1}" "$2" | grep -q "label{tab:$primitive" || { echo "none of $primitive"; return 1; }
    done
}
check "tables of each primitive for a column" of_each table column.out
check "... and for a page" of_each 'table\*' page.out
check "... which is where no column would do" of_each 'table\*' either.out
for name in either column page plain views; do
    document "$name" "$name.out"
    check "$name: everything has room" compose "$name" 10
done

check "each label is there once" refers either.out

# What stands in data is text.
# shellcheck disable=SC2016 # it is no variable's
hostile='a_b^c{d}e@f&g<h\i%j#k~l$m|n>o"p'
hostile()
{
    awk -v name="$(sed 's/\\/\\\\/g; s/"/""/g; s/&/\\\\&/g' <<<"$hostile")" \
        'NR > 1 { sub(/,cub-label-sort,/, ",\"" name "\","); sub(/,fixture,/, ",\"café ±µ≥−² 100 % -\",") } 1' \
        "$root/tests/fixtures/multipartition-fixture.csv" >hostile.csv
    tables table hostile.csv --n 32M --bins 64 --table plain >hostile.out && document hostile hostile.out && compose hostile 1
}
check "hostile names are typeset" hostile
# An underscore is a rule, an accent a character of its own (of up to three bytes, whatever the locale), and a power
# stands on the line.
reads() { pdftotext -layout hostile.pdf - | tee read.txt && grep -qF '±µ≥−2 100 %' read.txt && grep -qE 'a.{1,3}bˆc\{d\}e@f&g<h\\i%j#k.{1,3}l.{1,3}m\|n>o.{1,3}p' read.txt; }
if command -v pdftotext >/dev/null; then
    check "... and read as they are" reads
else
    skip "... and read as they are" "pdftotext is not installed (scripts/setup.sh --latex)"
fi

# block LANGUAGE: that of the document that shows how it is done.
block() { sed -n '/^## In an article/,/^## [^I]/p' "$root/docs/results.md" | sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" | sed '/^```/d'; }
shown()
{
    ln -sf "$root/results" results && mkdir -p build article && ln -sf "$gpubench" build/gpubench && block sh >commands.sh && block latex >shown.tex &&
        GPUBENCH_SHARE=$root bash -e commands.sh && { compose shown 1 || true; } && compose shown 1
}

if command -v gnuplot >/dev/null; then
    figures()
    {
        local of width
        for of in multipartition.csv:multipartition-bins radix-sort-modern.csv:radix-sort-rate stencil.csv:stencil-figure3 \
            octree.csv:octree-rate dynamic-array-modern.csv:dynamic-array-rate; do
            for width in column page; do
                "$gpubench" plot "$results/nvidia-h200/${of%:*}" --figure "${of#*:}" --paper-width $width --out figures || return 1
            done
        done | awk -F/ '{ star = /-page.pdf$/ ? "*" : ""
            print "\\begin{figure" star "}\\centering\\includegraphics{" $0 "}\\caption{One.}\\label{fig:" NR "}\n\\end{figure" star "}" }' >list
        document figures list && compose figures 10
    }
    check "a figure of each width, at its own size" figures
    wider() { sed -i 's/includegraphics/includegraphics[width=1.02\\linewidth]/' list && document wider list && ! compose wider 1; }
    check "noticed: a figure that is too wide" wider
    check "the article in docs/results.md" shown
else
    skip "figures of each width, and the article in docs/results.md" "gnuplot is not installed"
fi

# noticed FROM TO: what sed's FROM becomes in a table is found.
noticed() { sed "s/$1/$2/" either.out >spoilt && ! cmp -s either.out spoilt && document spoiling spoilt && ! compose spoiling 1; }
check "noticed: columns further apart" noticed '\\setlength{\\tabcolsep}{[^}]*}' '\\setlength{\\tabcolsep}{25pt}'
check "noticed: larger text" noticed '\\footnotesize$' '\\Large'
check "noticed: an underscore" noticed '\\_' '_'
alike() { sed 's/label{tab:[^}]*}/label{tab:one}/' either.out >spoilt && rm -f references.aux && ! refers spoilt && grep -q "multiply defined" references.log; }
check "noticed: two labels alike" alike
high() { sed 's/\\tabcolsep}{[^}]*}/&\\renewcommand{\\arraystretch}{3}/' either.out >spoilt && document spoiling spoilt && ! compose spoiling 1; }
check "noticed: a table that is too high" high
finish
