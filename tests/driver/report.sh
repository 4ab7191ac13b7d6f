#!/bin/bash
# test: long 15
# gpubench report: one page that refers to nothing outside and has everything in it, whatever the
# results say; mistakes. tests/driver/report_browser.sh looks at it in a browser.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
h200=$root/results/nvidia-h200
cd "$root" || exit 1

# outside FILE: what it refers to outside itself; nothing, exit status 1. The data of links may spell
# anything and is left out.
outside()
{
    sed -E 's/href="data:[^"]*"//g' "$1" |
        grep -noiE '(https?:|ftp:)?//[a-z0-9.]+\.[a-z]+|src *=|srcset *=|@import|url\((["'\''])?[^)#].{0,20}|href="[^#].{0,20}|<(link|iframe|object|embed|base|form)\b'
}
stands_alone() { ! outside "$1"; }

# every_id FILE: none twice, and each link within the page has one.
every_id()
{
    grep -oE ' id="[^"]*"' "$1" | sort | uniq -d >"$scratch/twice"
    cat "$scratch/twice"
    [ ! -s "$scratch/twice" ] || return 1
    grep -oE ' id="[^"]*"' "$1" | sed 's/.*="//; s/"//' | sort -u >"$scratch/ids"
    grep -oE 'href="#[^"]*"' "$1" | sed 's/.*#//; s/"//' | sort -u | comm -23 - "$scratch/ids" >"$scratch/dangling"
    sed 's/.*/#& is nowhere/' "$scratch/dangling"
    [ ! -s "$scratch/dangling" ]
}

# figures_are_described FILE COUNT: so many figures, each an image with a text, for screens and for phones.
figures_are_described()
{
    local figures described narrow
    figures=$(grep -c '<figure ' "$1")
    described=$(grep -cE '<svg class="wide" role="img" aria-label="[^"]+"' "$1")
    narrow=$(grep -cE '<svg class="narrow" role="img" aria-label="[^"]+"' "$1")
    echo "$figures figures, $described and for phones $narrow of them with a text, expected $2"
    [ "$figures" = "$2" ] && [ "$described" = "$2" ] && [ "$narrow" = "$2" ]
}

# unpack PAGE FOLDER: the files that the page holds.
unpack()
{
    local file
    mkdir -p "$2"
    grep -oE '<a download="[^"]*" href="data:[^"]*"' "$1" | awk -F'"' -v folder="$2" '{
        sub(/.*;base64,/, "", $4); print $4 >(folder "/" $2 ".base64") }'
    for file in "$2"/*.base64; do
        base64 -d "$file" >"${file%.base64}" || return 1
        case $file in *.gz.base64) gunzip "${file%.base64}" || return 1 ;; esac
        rm "$file"
    done
}

# holds_all FOLDER RESULTS: what was unpacked is all of the results, byte for byte.
holds_all()
{
    local file
    for file in "$2"/*.csv; do
        case $file in *.samples.csv | *.retried.csv | */audit-known.csv) continue ;; esac
        cmp "$file" "$1/$(basename "$file")" || return 1
    done
}

# shows_verdicts PAGE RESULTS [OPTIONS]: each of `gpubench claims`, in the same number.
shows_verdicts()
{
    local page=$1 said shown verdict
    shift
    for verdict in HOLDS FAILS UNDECIDED 'NOT TESTED' 'BY CONSTRUCTION' 'OTHER GPU' 'THEIR PROCEDURE'; do
        said=$("$gpubench" claims "$@" --format markdown | grep -cE "^\| $verdict \|")
        shown=$(grep -oE "<th scope=\"row\" class=\"[a-z]+\">$verdict<" "$page" | wc -l)
        echo "$verdict: $said said, $shown shown"
        [ "$said" = "$shown" ] || return 1
    done
}
valid()
{
    tidy -q -e "$1" >"$scratch/tidy" 2>&1
    head -n 20 "$scratch/tidy"
    [ ! -s "$scratch/tidy" ]
}
check_valid()
{
    if command -v tidy >/dev/null; then check "$1" valid "$2"; else skip "$1" "no tidy"; fi
}
# explains PAGE WORD...: what may stand in a table beside a number or in its place.
explains()
{
    local word
    for word in "${@:2}"; do
        grep -qE "<dt>$word</dt><dd>[A-Z].*\.</dd>" "$1" || { echo "$word"; return 1; }
    done
}
smaller() { [ "$(wc -c <"$1")" -lt "$2" ] || { wc -c "$1"; return 1; }; }

# stands_first PAGE TEXT...: they stand on it one after another.
stands_first()
{
    printf '%s\n' "${@:2}" >"$scratch/texts"
    awk 'NR == FNR { texts[++count] = $0; next }
        { rest = $0; while (at < count && (found = index(rest, texts[at + 1]))) rest = substr(rest, found + length(texts[++at])) }
        END { if (at < count) print texts[at + 1] " is not there, or too early"; exit at < count }' "$scratch/texts" "$1"
}
# has_contents PAGE: its contents lead to every section and experiment, and nothing but the summary is unfolded.
has_contents()
{
    local id
    sed -n '/<nav /,/<\/nav>/p' "$1" >"$scratch/nav"
    grep -oE '<section [^>]*>|<details id="[^"]*" class="experiment' "$1" | grep -oE 'id="[^"]*"' | sed 's/id="//; s/"//' >"$scratch/ids"
    while read -r id; do
        grep -qF "href=\"#$id\"" "$scratch/nav" || { echo "$id is not in the contents"; return 1; }
    done <"$scratch/ids"
    [ "$(grep -o '<details[^>]* open' "$1" | wc -l)" = 1 ] && grep -q '<details open><summary>Contents' "$scratch/nav"
}
# has_standings PAGE RESULTS: the lines of `gpubench standings`, each with its ratio.
has_standings()
{
    local ratio what
    sed -n '/Our best against/,/<\/table>/p' "$1" | plain >"$scratch/lines"
    "$gpubench" standings "$2" --format markdown | awk -F' *\\| *' '/^\|/ && $7 + 0 { print $7 " " $2 } /^\| *\|/ { exit }' | head -n 12 >"$scratch/expected"
    [ "$(wc -l <"$scratch/expected")" -ge 5 ] || { echo "no standings"; return 1; }
    while read -r ratio what; do
        grep -F ">$what<" "$scratch/lines" | grep -qF ">$ratio<" || { echo "$what $ratio"; return 1; }
    done <"$scratch/expected"
}
# plain FILE: without the blanks that numbers are set below one another by.
plain() { sed "s/$(printf '\342\200\207')//g; s/$(printf '\342\200\210')//g" "$@"; }
# rates PAGE: all that its figures' points have, but those in flop/s, which are made. four FILE...: of rows, with
# four digits.
rates()
{
    awk '/<figure /{ made = /data-unit="flop/ } !made' "$1" | grep -oE 'data-points="[^"]*"' | sed 's/.*="//; s/"//' | tr ';' '\n' | awk '$2 > 0 { printf "%.4g\n", $2 }' | sort -u
}
four()
{
    awk -F, 'FNR == 1 { for (i in column) delete column[i]; for (i = 1; i <= NF; i++) column[$i] = i; next }
        { for (i = NF; i; i--) if ($i + 0 > 1000) printf "%.4g\n", $i }' "$@" | sort -u
}
# points_are_rows PAGE RESULTS: no figure tells a rate that no row has; at least 200 are told.
points_are_rows()
{
    rates "$1" >"$scratch/told"
    four "$2"/*.csv results/published/*.csv >"$scratch/had"
    comm -23 "$scratch/told" "$scratch/had" >"$scratch/invented"
    head -n 5 "$scratch/invented"
    wc -l <"$scratch/told"
    [ ! -s "$scratch/invented" ] && [ "$(wc -l <"$scratch/told")" -ge 200 ]
}
# seen_in_the_dark PAGE: a colour of a figure that is hard to see on the dark page has another there.
seen_in_the_dark()
{
    local colour
    sed -n '/@media screen and (prefers-color-scheme: dark)/,/^}/p' plots/report.css >"$scratch/dark"
    grep -oE '(stroke|fill|color)="(#[0-9a-f]{6}|[a-z]+)"' "$1" | grep -v none | sort -u >"$scratch/colours"
    [ "$(wc -l <"$scratch/colours")" -gt 10 ] || { echo "no colours"; return 1; }
    while read -r colour; do
        grep -qF "[$colour]" "$scratch/dark" && continue
        case $colour in *'"#'*) ;; *) echo "$colour has no dark one"; return 1 ;; esac
        awk -v hex="${colour#*#}" 'function part(at) { v = (index("0123456789abcdef", substr(hex, at, 1)) - 1) * 16 + index("0123456789abcdef", substr(hex, at + 1, 1)) - 1
                v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ^ 2.4 }
            BEGIN { l = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5); exit (l + 0.05) / 0.0586 < 3 }' || {
            echo "$colour is hard to see in the dark"; return 1; }
    done <"$scratch/colours"
}

# ---- a GPU's results -----------------------------------------------------------------------------

page=$scratch/page.html
check "a page of all experiments" prints "$page" "$gpubench" report "$h200" --out "$page"
check "... in silence but for its name" test "$(wc -l <"$scratch/out")$(wc -c <"$scratch/err")" = 10
check "it refers to nothing outside" stands_alone "$page"
check "it is below 5 MB" smaller "$page" 5000000
check "its links lead somewhere, its names are there once" every_id "$page"
drawn=$(grep -c '<figure ' "$page")
check "a summary stands first: when, how ours stand, verdicts, figures" stands_first "$page" '<section id="summary">' ', measured 20' \
    'Our best against the best of others' 'Verdicts by paper' '<figure id="figure-multipartition-modern-bins"' '</section>' '<section id="multipartition">'
check "a paper's section says what it is" stands_first "$page" '<section id="multipartition"><h2>' '<p class="citation">' '<p class="note">Compared with '
check "... how ours stand as \`standings\` says" has_standings "$page" "$h200"
check "the contents lead everywhere, and the rest is folded" has_contents "$page"
check "figures tell their points, which are rows" points_are_rows "$page" "$h200"
check "... and are seen in the dark" seen_in_the_dark "$page"
check "it has figures of each paper" test "$drawn" -ge 15
check "each figure has a text for those who do not see it" figures_are_described "$page" "$drawn"
check "each claim has its verdict" shows_verdicts "$page" "$h200"
check "each flag and status is explained" explains "$page" throttled unstable outliers drift cache-resident \
    autocorrelated redone ungated - wrong memory timeout crashed
check "all raw rows are unpacked" unpack "$page" "$scratch/unpacked"
check "... byte for byte" holds_all "$scratch/unpacked" "$h200"
check_valid "an HTML checker finds nothing" "$page"
check "nothing is left behind" sh -c "! ls -d '${TMPDIR:-/tmp}'/gpubench-report-* 2>/dev/null | grep -q ."
check "--no-figures" prints "$scratch/plain.html" env PATH="$scratch/nowhere" "$gpubench" report "$h200" --no-figures --out "$scratch/plain.html"
check "... has none, and needs neither gnuplot nor gzip" figures_are_described "$scratch/plain.html" 0
check "... raw rows are plain then" unpack "$scratch/plain.html" "$scratch/plain"
check "... and whole" holds_all "$scratch/plain" "$h200"
check "... it refers to nothing outside" stands_alone "$scratch/plain.html"

# ---- several devices ------------------------------------------------------------------------------

# the octrees of two devices: one has more experiments, and more rows of one that both have
mkdir "$scratch/one" "$scratch/two"
cp "$h200"/octree.csv "$h200"/octree.meta.json "$h200"/octree.samples.csv "$scratch/one"
cp results/nvidia-h100-80gb-hbm3/{octree,octree-stars,dynamic-array-modern}.csv "$scratch/two"
both=$scratch/both.html
check "two devices" prints "$both" "$gpubench" report "$scratch/one" "$scratch/two" --no-figures --out "$both"
# has_line PAGE HEAD CELL...: the row of a table with that head has these cells, among others, in this order.
has_line()
{
    local cell line
    grep -E "<tr><th scope=\"row\">(<a [^>]*>)?$2<" "$1" >"$scratch/line" || { echo "no row $2"; return 1; }
    line=$(plain "$scratch/line")
    for cell in "${@:3}"; do
        case $line in *"$cell"*) line=${line#*"$cell"} ;; *) echo "$cell is not in: $line"; return 1 ;; esac
    done
}
check "... what was measured where" has_line "$both" octree-stars 'not measured' '>28 rows'
check "... the fastest of ours that does all of the work" has_line "$both" dynamic-array-modern 'not measured' ', growable<'
check "... with the claims that hold there" has_line "$both" octree '80 rows' '6 fail</span>' '80 rows' '2 hold</span>'
# same_claims PAGE PAPER: of its experiment both devices have as many claims, and no more than the paper has.
same_claims()
{
    grep -E "<tr><th scope=\"row\"><a [^>]*>$2<" "$1" | sed 's/<td/\n&/g' | grep -E '(hold|fail|open)(<|$)' |
        awk '{ gsub(/<[^>]*>/, ""); sum = 0; for (i = 1; i < NF; i++) sum += $i; print sum }' >"$scratch/sums"
    grep -m 1 "<a href=\"#$2\">.*</a></th><td>" "$1" | sed 's/.*<.a><.th>//' |
        awk '{ gsub(/<[^>]*>/, " "); sum = 0; for (i = 1; i <= NF; i++) sum += $i; print sum }' >>"$scratch/sums"
    tr '\n' ' ' <"$scratch/sums"
    awk '{ n[NR] = $1 } END { exit !(NR == 3 && n[1] > 0 && n[1] == n[2] && n[1] <= n[3]) }' "$scratch/sums"
}
check "... as many on each" same_claims "$both" octree
# as_compared PAGE: rows compared, and faster here and there, as `compare` says.
as_compared()
{
    "$gpubench" compare "$scratch/one" "$scratch/two" --format csv --experiment octree >"$scratch/compared" 2>/dev/null
    local rows faster slower
    rows=$(grep -cE ',(FASTER|SLOWER|SAME|UNCLEAR),' "$scratch/compared")
    faster=$(grep -c ',FASTER,' "$scratch/compared")
    slower=$(grep -c ',SLOWER,' "$scratch/compared")
    echo "$rows rows, $faster faster, $slower slower"
    [ "$rows" -gt 10 ] && [ "$slower" -gt 0 ] &&
        grep -qF "variant and point: $rows." "$1" &&
        grep -qF "NVIDIA H100 80GB HBM3 is the faster in $faster, NVIDIA H200 in $slower;" "$1"
}
check "... which is the faster, in words, as \`compare\` finds" as_compared "$both"
check "... links lead to both" every_id "$both"
check "... and one device has none of that" sh -c "! grep -qE 'id=\"(matrix|differences)\"' '$scratch/plain.html'"
check_valid "... and that is valid" "$both"

# ---- the simt device, hostile names --------------------------------------------------------------

check "a quick run on the simt device" "$gpubench" run configs/multipartition.json --device simt --quick --out "$scratch/simt"
check "its page stands beside its results unless told otherwise" prints "$scratch/simt/report.html" "$gpubench" report "$scratch/simt"
simt=$scratch/simt/report.html
check "... says that the times say nothing" grep -qF "Run by the simt device: the kernels on the CPU" "$simt"
check "... stands alone" stands_alone "$simt"
check "... has its verdicts" shows_verdicts "$simt" "$scratch/simt" --paper multipartition
check "... links to what is there alone" every_id "$simt"
check "... and its rows" unpack "$simt" "$scratch/simt-unpacked"
check "... byte for byte" cmp "$scratch/simt/multipartition.csv" "$scratch/simt-unpacked/multipartition.csv"
check_valid "an HTML checker finds nothing there" "$simt"

mkdir "$scratch/hostile"
device='<b onclick="x">"A&B"</b> '"'GPU'"
awk -v device="\"<b onclick=\"\"x\"\">\"\"A&B\"\"</b> 'GPU'\"" '
    { gsub(/,uniform,/, ",<script>alert(1)</script>,"); gsub(/,multisplit,/, ",<i>\\&amp;</i>,") }
    NR == 1 { print; for (i = split($0, head, ","); i; i--) column[head[i]] = i; next }
    { count = split($0, cell, ","); cell[column["device"]] = device
      line = cell[1]; for (i = 2; i <= count; i++) line = line "," cell[i]; print line }
    ' "$scratch/simt/multipartition.csv" >"$scratch/hostile/multipartition.csv"
sed -E 's|"title":[[:space:]]*"[^"]*"|"title": "</h3><script>alert(2)</script> \&amp; \\"quoted\\""|' \
    "$scratch/simt/multipartition.meta.json" >"$scratch/hostile/multipartition.meta.json"
check "names that are markup" prints "hostile.html" "$gpubench" report "$scratch/hostile" --out "$scratch/hostile.html"
check "... of axis values are text" grep -qF '&lt;script&gt;alert(1)&lt;/script&gt;' "$scratch/hostile.html"
check "... of variants" grep -qF '&lt;i&gt;&amp;amp;&lt;/i&gt;' "$scratch/hostile.html"
check "... of devices" grep -qF '&lt;b onclick=&quot;x&quot;&gt;&quot;A&amp;B&quot;&lt;/b&gt;' "$scratch/hostile.html"
check "... of experiments, in the heading" grep -qF '<b role="heading" aria-level="3">&lt;/h3&gt;&lt;script&gt;alert(2)&lt;/script&gt; &amp;amp; &quot;quoted&quot;</b>' "$scratch/hostile.html"
check "... and in a figure's text" grep -qE 'aria-label="[^"]*&lt;script&gt;alert\(2\)&lt;/script&gt; &amp;amp; &quot;quoted&quot;' "$scratch/hostile.html"
check "... none of them is markup" test "$(grep -c '<script>' "$scratch/hostile.html")$(grep -cE '<b onclick|<i>|alert\([12]\)</script>' "$scratch/hostile.html")" = 10
check "... it stands alone" stands_alone "$scratch/hostile.html"
check_valid "... and is valid" "$scratch/hostile.html"
check "the device's name is on the page" grep -qF "$(printf %s "$device" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g')" "$scratch/hostile.html"

mkdir "$scratch/names"
for name in claims devices flags; do
    sed "2,\$s/^1,p,p,/1,$name,$name,/" >"$scratch/names/$name.csv" <<EOF
schema,experiment,primitive,variant,device,n,cache,scope,status,reason,rate
1,p,p,v,device A,1,warm,device,ok,,1
EOF
done
check "primitives that are called as sections are" prints "names.html" "$gpubench" report "$scratch/names" --no-figures --out "$scratch/names.html"
check "... do not take their places" every_id "$scratch/names.html"

# ---- papers that no line of C names ---------------------------------------------------------------

# paper FILE NAME PRIMITIVE: numbers and a claim of a further paper.
paper()
{
    cat >"$scratch/papers/results/published/$1" <<EOF
schema,paper,primitive,variant,device,n,kind,scope,locator,quantity,baseline,status,value,unit,ci95_rel,assumption,note,experiment,where,along,best_over,holds_if,statement,class
1,$2,$3,v,device B,1,table,device,Table 1,rate,,ok,3e9,items/s,,,,,,,,,,
1,$2,$3,v,device B,,claim,device,Table 1,ok,,ok,1,1,,,,$3,,,,all = 1,what $2 says,measured
EOF
}
# report_of FILE...: a page of such results with the papers of $scratch/papers.
report_of() { GPUBENCH_SHARE=$scratch/papers "$gpubench" report "$@" --no-figures --out "$scratch/papers.html"; }
# in_order TEXT...: they stand on the page one after another.
in_order()
{
    local text rest
    rest=$(cat "$scratch/papers.html")
    for text; do
        case $rest in *"$text"*) rest=${rest#*"$text"} ;; *) echo "'$text' is not there, or too early"; return 1 ;; esac
    done
}
# times TEXT COUNT: it stands on the page so often.
times() { grep -oF -- "$1" "$scratch/papers.html" | wc -l | grep -qx "$2"; }
# titles JSON: instead of those that come along.
titles() { echo "{ \"schema\": 1, \"papers\": [ $1 ] }" >"$scratch/papers/results/published/papers.json"; }

mkdir -p "$scratch/papers/results" && cp -r plots "$scratch/papers" && cp -r results/published "$scratch/papers/results"
paper sixth.csv a-sixth q
sed '2,$s/^1,claims,claims,/1,q,q,/' "$scratch/names/claims.csv" >"$scratch/q.csv"
check "a sixth paper" prints "papers.html" report_of "$scratch/q.csv" "$h200/octree.csv"
check "... has its line among the verdicts, after those with a title" in_order 'Verdicts by paper' '<a href="#octree">Octrees without locks</a></th>' '<a href="#a-sixth">a-sixth</a></th><td>1</td>'
check "... and its section" in_order '<section id="octree">' '<section id="a-sixth"><h2>a-sixth</h2>' 'what a-sixth says' 'id="experiment-q"' '<section id="devices">'
check "... links lead there" every_id "$scratch/papers.html"
titles '{ "paper": "a-sixth", "title": "The <sixth>" }, { "paper": "octree", "title": "Trees" }'
check "its title is data" prints "papers.html" report_of "$scratch/q.csv" "$h200/octree.csv"
check "... as is the order" in_order '<a href="#a-sixth">The &lt;sixth&gt;</a>' '<section id="a-sixth"><h2>The &lt;sixth&gt;</h2>' '<section id="octree"><h2>Trees</h2>'
paper seventh.csv flags q
paper eighth.csv "an eighth & last" q
check "further papers of a primitive" prints "papers.html" report_of "$scratch/q.csv"
check "... have their claims" in_order '<section id="a-sixth">' 'id="experiment-q"' '<h2>an eighth &amp; last</h2>' 'what an eighth &amp; last says' '<h2>flags</h2>' 'what flags says'
check "... and the experiments once" times 'id="experiment-q"' 1
check "... names that are no ids are none" every_id "$scratch/papers.html"
check "... nor are those of the page's own sections" times '"#flags"' 1
check_valid "... and all that is valid" "$scratch/papers.html"
paper eighth.csv a-sixth r
check "a paper about two primitives" refuses "column primitive: found 'q'; a paper is about one primitive, and rows of a-sixth before it are about r" report_of "$scratch/q.csv"
rm "$scratch/papers/results/published/eighth.csv"
titles '{ "paper": "a-sixt", "title": "T" }'
check "a title of no paper" refuses 'papers.json:1:28: papers[0]: no file of results/published has a row of paper "a-sixt"' report_of "$scratch/q.csv"
titles '{ "paper": "a-sixth", "title": "T" }, { "paper": "a-sixth", "title": "U" }'
check "two titles of one" refuses 'papers.json:1:66: papers[1]: paper "a-sixth" has a title already' report_of "$scratch/q.csv"
rm "$scratch/papers/results/published/papers.json"
check "no titles" refuses "there is no results/published/papers.json in any of" report_of "$scratch/q.csv"
echo '{ "schema": 1 }' >"$scratch/papers/results/published/papers.json"
check "titles of none" prints "papers.html" report_of "$scratch/q.csv"
check "... papers in the order of their files" in_order '>dynamic-array</th>' '>multipartition</th>' '>flags</a></th>' '>a-sixth</a></th>' '>stencil</th>'
check "... which \`claims\` names, too" refuses "the papers are dynamic-array, multipartition, octree, radix-sort, flags, a-sixth and stencil" \
    env GPUBENCH_SHARE="$scratch/papers" "$gpubench" claims "$h200" --paper sorting

# many_files COUNT: the rows of one experiment in so many files, each of which the page holds.
many_files()
{
    local i
    mkdir -p "$scratch/many"
    for ((i = 0; i < $1; i++)); do
        sed "2,\$s/device A,1,/device A,$((i + 1)),/" "$scratch/q.csv" >"$scratch/many/q$i.csv"
    done
    report_of "$scratch/many" && times '<a download=' "$1"
}
check "as many files of rows as there are" many_files 70

echo '{"schema":1,"name":"none","primitive":"multipartition","variants":["multisplit"],"axes":{"n":[33],"bins":[500]}}' >"$scratch/none.json"
check "what no variant can do has rows" "$gpubench" run "$scratch/none.json" --device simt --out "$scratch/none"
check "... and a page, without figures" prints "$scratch/none/report.html" "$gpubench" report "$scratch/none"

# ---- mistakes ------------------------------------------------------------------------------------

# gnuplot_that NAME COMMANDS: a folder with such a gnuplot alone before what else there is.
gnuplot_that()
{
    mkdir -p "$scratch/$1"
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/$1/gnuplot"
    chmod +x "$scratch/$1/gnuplot"
}
check "no gnuplot" refuses "the figures could not be drawn (see above; --no-figures does without)" env PATH="$scratch/nowhere" "$gpubench" report "$scratch/simt" --out "$scratch/none.html"
check "... says what is missing" warns "gnuplot"
gnuplot_that fails 'echo "no terminal svg" >&2; exit 1'
check "a gnuplot that fails" refuses "could not be drawn" env PATH="$scratch/fails:$PATH" "$gpubench" report "$scratch/simt" --out "$scratch/none.html"
# The real one draws, and then each picture is spoilt.
gnuplot_that garbage "$(command -v gnuplot) \"\$@\" || exit; for f in ${TMPDIR:-/tmp}/gpubench-report-*/*/*.svg ${TMPDIR:-/tmp}/gpubench-report-*/*/drawn.*; do [ ! -f \"\$f\" ] || echo garbage >\"\$f\"; done"
check "a figure that is none" refuses "is no SVG" env PATH="$scratch/garbage:$PATH" "$gpubench" report "$scratch/simt" --out "$scratch/none.html"
check "no page is left of them" test ! -e "$scratch/none.html"
check "a folder that is not there" refuses "$scratch/missing/page.html" "$gpubench" report "$scratch/simt" --no-figures --out "$scratch/missing/page.html"
cp "$simt" "$scratch/before.html"
check "a page that is there already is kept" refuses "could not be drawn" env PATH="$scratch/nowhere" "$gpubench" report "$scratch/simt"
check "... as it was" cmp "$scratch/before.html" "$simt"
check "no results" refuses "name at least one result file or folder" "$gpubench" report
check "no such folder" refuses "/no/such" "$gpubench" report /no/such
check "a folder without results" refuses "holds no result file" sh -c "mkdir -p '$scratch/empty' && '$gpubench' report '$scratch/empty'"
check "published numbers are no results" refuses "hold no measured row" "$gpubench" report results/published/multipartition-table1.csv --out "$scratch/none.html"
check "no such option" refuses "--no-figures" "$gpubench" report "$scratch/simt" --no-pictures
check "without its style" refuses "no plots/report.css" sh -c "mkdir -p '$scratch/share/results' && cp -r results/published '$scratch/share/results' && GPUBENCH_SHARE='$scratch/share' '$gpubench' report '$scratch/simt' --no-figures --out '$scratch/none.html'"
check "--help" prints "report.html in the folder" "$gpubench" report --help
finish
