#!/bin/bash
# test: thorough 30
# The page of `gpubench report` in a browser: how fast it is there, that it says nothing to the
# console, sorting, without the script, dark, printed. Skipped where there is no Chromium
# (scripts/setup.sh --browser installs it).
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$root" || exit 1
if ! command -v chromium >/dev/null; then
    skip "the page in a browser" "no chromium"
    finish
    exit
fi

browse()
{
    timeout 120 chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$scratch/profile" \
        --enable-logging=stderr "$@" 2>"$scratch/log"
}
quiet() { ! grep CONSOLE "$scratch/log"; }
# dump FILE: the page's elements after its scripts have run.
dump() { browse --dump-dom "${@:2}" "file://$1" >"$scratch/dom"; }

# with FILE MARKUP SCRIPT: a copy of the page with something more at its end.
with()
{
    awk -v before="$2" '{ sub(/<\/main>/, before "</main>"); if (!/<\/body>/) { print; next } exit }' "$scratch/page.html"
    printf '</script>\n<script>%s</script></body></html>\n' "$3" | sed '1{/^<\/script>$/d}'
} >"$1"
# result TEXT: what the script of a copy wrote.
result() { grep -oE 'data-result="[^"]*"' "$scratch/dom"; grep -qF "data-result=\"$1\"" "$scratch/dom"; }

page=$scratch/page.html
check "a page" prints "$page" "$gpubench" report results/nvidia-h200 --out "$page"
check "it is shown" dump "$page"
check "... with nothing on the console" quiet

# The first start of the browser makes its profile: the best of three counts.
loads_in()
{
    # shellcheck disable=SC2016
    with "$scratch/timed.html" '' 'addEventListener("load", () => { document.body.dataset.result = "loaded in " + Math.round(performance.now()) + " ms"; });'
    for _ in 1 2 3; do
        dump "$scratch/timed.html"
        grep -oE 'loaded in [0-9]+ ms' "$scratch/dom" | tail -n 1
    done | sort -k 3 -n | head -n 1 >"$scratch/time"
    cat "$scratch/time"
    awk -v limit=$((2000 * ${TEST_PATIENCE:-1})) '{ good = $3 < limit } END { exit !good }' "$scratch/time"
}
check "it loads within two seconds" loads_in
sed 's/^/# /' "$scratch/time"

# ---- sorting -------------------------------------------------------------------------------------

# table_of ROWS...: the markup of a table of a stub and a value; a row is STUB|VALUE.
table_of()
{
    local row
    printf '<table class=\\"sortable\\" id=\\"mine\\"><thead><tr><th>stub</th><th>value</th></tr></thead><tbody>'
    for row; do printf '<tr class=\\"block\\"><td class=\\"stub\\">%s</td><td>%s</td></tr>' "${row%%|*}" "${row#*|}"; done
    printf '</tbody></table>'
}
clicks='const heads = document.getElementById("mine").tHead.rows[0].cells;'
report='document.body.dataset.result = [...document.getElementById("mine").tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent).join("=")).join("; ") + " " + [...heads].map(h => h.getAttribute("aria-sort")).join(",");'
# sorts SCRIPT EXPECTED ROWS...
sorts()
{
    with "$scratch/sorting.html" "$(table_of "${@:3}")" "$clicks $1 $report"
    dump "$scratch/sorting.html" && quiet && result "$2"
}
once='heads[1].click();'
check "a click sorts" sorts "$once" "a=1; c=2; b=3 none,ascending" 'b|3' 'a|1' 'c|2'
check "another the other way" sorts "$once$once" "b=3; c=2; a=1 none,descending" 'b|3' 'a|1' 'c|2'
check "a click on another head takes its place" sorts "$once heads[0].click();" "a=1; b=3; c=2 ascending,none" 'b|3' 'a|1' 'c|2'
check "Enter does what a click does" sorts 'heads[1].dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));' \
    "a=1; c=2; b=3 none,ascending" 'b|3' 'a|1' 'c|2'
check "... and no other key" sorts 'heads[1].dispatchEvent(new KeyboardEvent("keydown", { key: "x" }));' \
    "b=3; a=1; c=2 none,none" 'b|3' 'a|1' 'c|2'
check "the keyboard gets there" sorts 'heads[1].focus(); if (document.activeElement === heads[1])' "b=3; a=1 none,none" 'b|3' 'a|1'
check "what stands once for a block goes with each row" sorts "$once" "a=1; b=2; a=3; b=4 none,ascending" 'a|3' '|1' 'b|4' '|2'
check "units" sorts "$once" "a=900; c=1.5k; g=8Ki; b=32M; f=32Mi; d=2G; e=0.1T none,ascending" \
    'e|0.1T' 'a|900' 'b|32M' 'c|1.5k' 'd|2G' 'f|32Mi' 'g|8Ki'
check "intervals, stars and words behind a number" sorts "$once" "a=9.5 ±0.5 %; d=10.2*; b=11 ±2 %; e=12 of 60 points; c=1000 elements none,ascending" \
    'b|11 ±2 %' 'a|9.5 ±0.5 %' 'c|1000 elements' 'd|10.2*' 'e|12 of 60 points'
check "no number is no number, and nothing comes last" sorts "$once" "a=-0.4; b=2; e=10; d=-¹; c=timeout; f= none,ascending" \
    'c|timeout' 'f|' 'd|-¹' 'e|10' 'b|2' 'a|-0.4'
check "... the other way, too" sorts "$once$once" "e=10; b=2; a=-0.4; c=timeout; d=-¹; f= none,descending" \
    'c|timeout' 'f|' 'd|-¹' 'e|10' 'b|2' 'a|-0.4'
check "equals keep their order" sorts "$once" "b=1; a=1; c=1 none,ascending" 'b|1' 'a|1' 'c|1'
claims_keep_blanks()
{
    # shellcheck disable=SC2016
    with "$scratch/claims.html" '' 'const table = [...document.querySelectorAll("table.sortable")].find(t => t.caption.textContent.startsWith("Claims on"));
        const blanks = () => [...table.tBodies[0].rows].filter(r => r.cells[3].textContent === "").length;
        const before = blanks(); table.tHead.rows[0].cells[0].click();
        document.body.dataset.result = before > 0 && before === blanks() ? "same" : before + " became " + blanks();'
    dump "$scratch/claims.html" && result same
}
check "sorting claims gives none a number that the paper does not have" claims_keep_blanks

# ---- without the script, dark, printed -----------------------------------------------------------

tables=$(grep -o '<table' "$page" | wc -l)
sed "0,/<head>/s/<head>/<head><meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">/" "$page" >"$scratch/still.html"
check "without the script" dump "$scratch/still.html"
check "... which is kept from running" grep -q 'CONSOLE.*Content Security Policy' "$scratch/log"
check "... all tables are there" test "$(grep -o '<table' "$scratch/dom" | wc -l)" = "$tables"
check "... and nothing promises to sort" sh -c "! grep -q '<th[^>]*aria-sort=' '$scratch/dom'"
# shot NAME PAGE WIDTH: a picture that is not blank.
shot()
{
    browse --window-size="$3",1600 --screenshot="$scratch/$1.png" "file://$2" >"$scratch/said"
    head -c 8 "$scratch/$1.png" | grep -q PNG && [ "$(wc -c <"$scratch/$1.png")" -gt 30000 ]
}
sed 's/@media (prefers-color-scheme: dark)/@media all/' "$page" >"$scratch/dark.html"
check "a picture of it" shot light "$page" 1280
check "... dark" shot dark "$scratch/dark.html" 1280
check "... which is another" sh -c "! cmp -s '$scratch/light.png' '$scratch/dark.png'"
check "... narrow" shot narrow "$page" 500
narrow_fits()
{
    # shellcheck disable=SC2016
    with "$scratch/narrow.html" '' 'document.body.dataset.result = document.documentElement.scrollWidth <= innerWidth ? "fits" : document.documentElement.scrollWidth + " of " + innerWidth;'
    dump "$scratch/narrow.html" --window-size=500,900 && result fits
}
check "nothing but tables and figures is wider than a narrow window" narrow_fits
check "it is printed" browse --print-to-pdf="$scratch/page.pdf" --no-pdf-header-footer "file://$page"
check "... on some pages" test "$(grep -ac '/Type /Page$' "$scratch/page.pdf")" -gt 5
finish
