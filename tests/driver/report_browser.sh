#!/bin/bash
# test: thorough turns 30
# The page of `gpubench report` in a browser: how fast it is there, that it says nothing to the
# console, sorting, filtering, what figures tell, links, without the script, dark, on a phone, printed. Skipped where there is no Chromium
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

# with FILE MARKUP SCRIPT: a copy of the page, or of the one that base names, with something more at its end.
with()
{
    awk -v before="$2" '{ sub(/<\/main>/, before "</main>"); if (!/<\/body>/) { print; next } exit }' "${base:-$page}"
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

# What is no matter of the whole page is looked at in one that is there sooner: of an experiment.
base=$scratch/one.html
check "a page of an experiment" prints "$base" "$gpubench" report results/nvidia-h200/octree.csv --out "$base"

# ---- sorting -------------------------------------------------------------------------------------

# table_of ROWS...: the markup of a table of a stub and a value; a row is STUB|VALUE.
table_of()
{
    local row
    printf '<table class=\\"sortable\\" id=\\"mine\\"><thead><tr><th class=\\"stub\\">stub</th><th>value</th></tr></thead><tbody>'
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
    local base=
    # shellcheck disable=SC2016
    with "$scratch/claims.html" '' 'const table = [...document.querySelectorAll("table.sortable")].find(t => t.caption.textContent.startsWith("Claims on"));
        const blanks = () => [...table.tBodies[0].rows].filter(r => r.cells[3].textContent === "").length;
        const before = blanks(); table.tHead.rows[0].cells[0].click();
        document.body.dataset.result = before > 0 && before === blanks() ? "same" : before + " became " + blanks();'
    dump "$scratch/claims.html" && result same
}
check "sorting claims gives none a number that the paper does not have" claims_keep_blanks

filters='const box = document.getElementById("mine").parentElement.previousElementSibling.querySelector("input");
    const type = words => { box.value = words; box.dispatchEvent(new Event("input")); };'
shown='document.body.dataset.result = [...document.getElementById("mine").tBodies[0].rows].filter(r => !r.hidden).map(r => r.textContent).join(" ") + "; " + box.nextElementSibling.textContent;'
# keeps WORDS EXPECTED: of a table of nine rows, of which the second to ninth are one block.
keeps()
{
    with "$scratch/filter.html" "<div>$(table_of 'x|1' 'yes|20' '|21' '|22' '|23' '|24' '|25' '|26' '|27')</div>" \
        "$filters type(\"$1\"); $shown"
    dump "$scratch/filter.html" && quiet && result "$2"
}
check "a box keeps the rows that have all its words" keeps 'YES 7' 'yes27; 1 of 9'
check "... and all where it is empty" keeps ' ' 'x1 yes20 yes21 yes22 yes23 yes24 yes25 yes26 yes27; '

# ---- figures --------------------------------------------------------------------------------------

# in_figure SCRIPT EXPECTED: what the script leaves in `said`, of the figure of octrees, once it is seen.
in_figure()
{
    with "$scratch/figure.html" '' "const figure = document.getElementById('figure-octree-rate');
        for (let e = figure; e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
        figure.scrollIntoView(); seen.unobserve(figure); prepare(figure);
        const svg = figure.querySelector('svg.wide'), tip = figure.querySelector('.tip'), key = svg.querySelector('.key');
        const mark = svg.querySelectorAll('g.series use')[1], at = mark.getBoundingClientRect();
        const move = (x, y) => svg.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y }));
        const press = (on, key) => on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        const off = () => svg.querySelectorAll('g.series.off').length;
        let said; $1
        document.body.dataset.result = said;"
    dump "$scratch/figure.html" --window-size=1440,900 && quiet && result "$2"
}
# The second row that the figure shows, in the page's words.
second=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    $c["variant"] == "burtscher-pingali" && $c["dist"] == "plummer" && $c["n"] == 2000000 {
        printf "Burtscher-Pingali / n 2M: %.4g · 10⁹ bodies/s (%.4g to %.4g), %.4g µs", $c["rate"] / 1e9, $c["rate_ci95_lo"] / 1e9, $c["rate_ci95_hi"] / 1e9, $c["time_mean_s"] * 1e6; exit }' results/nvidia-h200/octree.csv)
tell='said = tip.hidden ? "nothing" : tip.textContent.replace("\n", " / ");'
check "a point tells its row" in_figure "move(at.x + at.width / 2, at.y + at.height / 2); $tell" "$second"
check "... and nothing far from it" in_figure "move(at.x, at.y); move(at.x - 60, at.y - 60); $tell" nothing
check "the keyboard goes from point to point" in_figure "for (const key of ['Right', 'Right', 'Right', 'Left']) press(svg, 'Arrow' + key); $tell" "$second"
check "... and away" in_figure "press(svg, 'ArrowRight'); press(svg, 'Escape'); $tell" nothing
hidden='said = key.dataset.name + " " + (off() >= 2 ? "off" : off()) + " " + key.getAttribute("aria-pressed");'
check "the legend hides a series in all panels" in_figure "key.dispatchEvent(new MouseEvent('click')); $hidden" 'Burtscher-Pingali off false'
check "... by the keyboard, too, and shows it again" in_figure "press(key, 'Enter'); press(key, ' '); $hidden" 'Burtscher-Pingali 0 true'
check "... what is hidden tells nothing" in_figure "press(key, 'Enter'); move(at.x + at.width / 2, at.y + at.height / 2); said = tip.textContent.split('\n')[0] === key.dataset.name;" false

base=

# ---- links ----------------------------------------------------------------------------------------

opens() { dump "$page#$1" && quiet && grep -q "<details id=\"$1\"[^>]* open" "$scratch/dom"; }
check "a link to an experiment opens it" opens experiment-octree
check "... and nothing else" test "$(grep -c '<details id="experiment-[^>]* open' "$scratch/dom")" = 1

# ---- without the script, dark, on a phone, printed -----------------------------------------------------------

tables=$(grep -o '<table' "$page" | wc -l)
sed "0,/<head>/s/<head>/<head><meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'\">/" "$page" >"$scratch/still.html"
check "without the script" dump "$scratch/still.html"
check "... which is kept from running" grep -q 'CONSOLE.*Content Security Policy' "$scratch/log"
check "... all tables are there" test "$(grep -o '<table' "$scratch/dom" | wc -l)" = "$tables"
check "... and nothing promises to sort" sh -c "! grep -q '<th[^>]*aria-sort=' '$scratch/dom'"
# shot NAME PAGE WIDTH [OPTION...]: a picture that is not blank.
shot()
{
    browse "${@:4}" --window-size="$3",1600 --screenshot="$scratch/$1.png" "file://$2" >"$scratch/said"
    head -c 8 "$scratch/$1.png" | grep -q PNG && [ "$(wc -c <"$scratch/$1.png")" -gt 30000 ]
}
check "a picture of it" shot light "$page" 1440
check "... dark" shot dark "$page" 1440 --blink-settings=preferredColorScheme=0
check "... which is another" sh -c "! cmp -s '$scratch/light.png' '$scratch/dark.png'"
# A browser's window may not be as narrow as a phone: a frame is.
on_a_phone()
{
    # shellcheck disable=SC2016
    with "$scratch/narrow.html" '' 'const figure = document.querySelector("figure"), large = figure.querySelector("svg.wide"), small = figure.querySelector("svg.narrow");
        const scale = small.getBoundingClientRect().width / small.viewBox.baseVal.width, sizes = [...small.querySelectorAll("text")].map(t => scale * parseFloat(getComputedStyle(t).fontSize));
        parent.document.body.dataset.result = [innerWidth, document.documentElement.scrollWidth <= innerWidth, getComputedStyle(large).display, Math.min(...sizes) >= 9, document.querySelector("nav details").open].join(" ");'
    printf '<body style="margin:0"><iframe src="narrow.html" style="border:0;width:390px;height:900px"></iframe></body>' >"$scratch/phone.html"
    dump "$scratch/phone.html" --allow-file-access-from-files && result "$1"
}
check "on a phone nothing is wider, figures are those made for it and large enough to read, the menu is folded" on_a_phone "390 true none true false"
check "it is printed" browse --print-to-pdf="$scratch/page.pdf" --no-pdf-header-footer "file://$page"
pages() { grep -ac '/Type /Page$' "$scratch/page.pdf"; }
check "... with what repeats the papers" test "$(pages)" -gt 5
check "... on twenty pages at most" test "$(pages)" -le 20
finish
