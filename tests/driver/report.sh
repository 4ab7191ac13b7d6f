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
    local link
    grep -oE 'href="#[^"]*"' "$1" | sed 's/.*#//; s/"//' | sort -u >"$scratch/links"
    while read -r link; do
        grep -qF " id=\"$link\"" "$1" || { echo "#$link is nowhere"; return 1; }
    done <"$scratch/links"
}

# figures_are_described FILE COUNT: so many figures, each an image with a text.
figures_are_described()
{
    local figures described
    figures=$(grep -c '<figure>' "$1")
    described=$(grep -cE '<svg role="img" aria-label="[^"]+"' "$1")
    echo "$figures figures, $described of them with a text, expected $2"
    [ "$figures" = "$2" ] && [ "$described" = "$2" ] && [ "$(grep -c '<svg' "$1")" = "$2" ]
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
        shown=$(grep -oE "<td class=\"[a-z]+\">$verdict</td>" "$page" | wc -l)
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

# ---- a GPU's results -----------------------------------------------------------------------------

page=$scratch/page.html
check "a page of all experiments" prints "$page" "$gpubench" report "$h200" --out "$page"
check "... in silence but for its name" test "$(wc -l <"$scratch/out")$(wc -c <"$scratch/err")" = 10
check "it refers to nothing outside" stands_alone "$page"
check "it is below 3 MB" smaller "$page" 3000000
check "its links lead somewhere, its names are there once" every_id "$page"
drawn=$(grep -c '<figure>' "$page")
check "it has figures of each paper" test "$drawn" -ge 15
check "each figure has a text for those who do not see it" figures_are_described "$page" "$drawn"
check "each claim has its verdict" shows_verdicts "$page" "$h200"
check "each flag and status is explained" explains "$page" throttled unstable outliers drift cache-resident \
    autocorrelated redone - wrong memory timeout crashed
check "all raw rows are unpacked" unpack "$page" "$scratch/unpacked"
check "... byte for byte" holds_all "$scratch/unpacked" "$h200"
check_valid "an HTML checker finds nothing" "$page"
check "nothing is left behind" sh -c "! ls -d '${TMPDIR:-/tmp}'/gpubench-report-* 2>/dev/null | grep -q ."
check "--no-figures" prints "$scratch/plain.html" env PATH="$scratch/nowhere" "$gpubench" report "$h200" --no-figures --out "$scratch/plain.html"
check "... has none, and needs neither gnuplot nor gzip" figures_are_described "$scratch/plain.html" 0
check "... raw rows are plain then" unpack "$scratch/plain.html" "$scratch/plain"
check "... and whole" holds_all "$scratch/plain" "$h200"
check "... it refers to nothing outside" stands_alone "$scratch/plain.html"

# ---- the simt device, hostile names --------------------------------------------------------------

check "a quick run on the simt device" "$gpubench" run configs/multipartition.json --device simt --quick --out "$scratch/simt"
check "its page stands beside its results unless told otherwise" prints "$scratch/simt/report.html" "$gpubench" report "$scratch/simt"
simt=$scratch/simt/report.html
check "... says that the times say nothing" grep -qF "run by the simt device: the kernels on the CPU" "$simt"
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
check "... of experiments, in the heading" grep -qF '<h3>&lt;/h3&gt;&lt;script&gt;alert(2)&lt;/script&gt; &amp;amp; &quot;quoted&quot;</h3>' "$scratch/hostile.html"
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
check "... has its line among the verdicts, after those with a title" in_order 'Verdicts by paper' '<a href="#octree">Octrees without locks</a></td>' '<a href="#a-sixth">a-sixth</a></td><td>1</td>'
check "... and its section" in_order '<section id="octree">' '<section id="a-sixth"><h2>a-sixth</h2>' 'what a-sixth says' 'Experiment q' '<section id="devices">'
check "... links lead there" every_id "$scratch/papers.html"
titles '{ "paper": "a-sixth", "title": "The <sixth>" }, { "paper": "octree", "title": "Trees" }'
check "its title is data" prints "papers.html" report_of "$scratch/q.csv" "$h200/octree.csv"
check "... as is the order" in_order '<a href="#a-sixth">The &lt;sixth&gt;</a>' '<section id="a-sixth"><h2>The &lt;sixth&gt;</h2>' '<section id="octree"><h2>Trees</h2>'
paper seventh.csv flags q
paper eighth.csv "an eighth & last" q
check "further papers of a primitive" prints "papers.html" report_of "$scratch/q.csv"
check "... have their claims" in_order '<section id="a-sixth">' 'Experiment q' '<h2>an eighth &amp; last</h2>' 'what an eighth &amp; last says' '<h2>flags</h2>' 'what flags says'
check "... and the experiments once" times 'Experiment q' 1
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
check "... papers in the order of their files" in_order '>dynamic-array</td>' '>multipartition</td>' '>flags</td>' '>a-sixth</a></td>' '>stencil</td>'
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
gnuplot_that garbage "$(command -v gnuplot) \"\$@\" || exit; for f in ${TMPDIR:-/tmp}/gpubench-report-*/*.svg ${TMPDIR:-/tmp}/gpubench-report-*/*.svg*; do [ ! -f \"\$f\" ] || echo garbage >\"\$f\"; done"
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
