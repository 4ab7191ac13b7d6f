#!/bin/bash
# test: long 13
# gpubench claims as a command: on results of a GPU and of the simt device, formats, choices,
# mistakes; that a verdict follows the results.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
h200=$root/results/nvidia-h200
cd "$root" || exit 1

# claim_rows FILES...: how many claims they have.
claim_rows() { awk -F, 'FNR > 1' "$@" | grep -c ',claim,'; }
all=$(claim_rows results/published/*.csv)
octree=$(claim_rows results/published/octree-claims.csv)

# verdicts TEXT: how many lines of the last command begin with it.
verdicts() { grep -cE "^ *$1( |$)" "$scratch/out"; }

words='HOLDS|FAILS|UNDECIDED|NOT TESTED|BY CONSTRUCTION|OTHER GPU|THEIR PROCEDURE'
# adds_up COUNT: the verdicts of the last command are so many, and so says its summary, which is folded.
adds_up()
{
    local holds fails unsure open built other theirs
    holds=$(verdicts HOLDS) fails=$(verdicts FAILS) unsure=$(verdicts UNDECIDED) open=$(verdicts 'NOT TESTED')
    built=$(verdicts 'BY CONSTRUCTION') other=$(verdicts 'OTHER GPU') theirs=$(verdicts 'THEIR PROCEDURE')
    echo "$holds + $fails + $unsure + $open + $built + $other + $theirs, expected $1"
    [ $((holds + fails + unsure + open + built + other + theirs)) = "$1" ] &&
        head -n 8 "$scratch/out" | tr '\n' ' ' >"$scratch/caption" &&
        grep -qF "$holds hold, $fails fail, $unsure are undecided and $open were not tested." "$scratch/caption" &&
        grep -qF "$built are true by construction, $other were said of another GPU" "$scratch/caption" &&
        grep -qF "$theirs are about how the authors measured." "$scratch/caption"
}
says() { grep -qF -- "$1" "$scratch/out"; }

# hides_counts COMMAND...: one line on stdout, with other counts than those of all claims.
hides_counts() { "$@" >"$scratch/out" && [ "$(wc -l <"$scratch/out")" = 1 ] && hides "$counts"; }

# csv_verdict STATEMENT: of the last --format csv; texts with commas are quoted, so that what counts is what
# stands between the measured value and the reason.
csv_verdict() { grep -F -- "$1" "$scratch/out" | grep -oE ",($words),[^\"]" | cut -d, -f2; }
says_verdict() { [ "$(csv_verdict "$1")" = "$2" ] || { csv_verdict "$1"; return 1; }; }

check "all claims on a GPU's results" prints "The papers' claims on NVIDIA H200" "$gpubench" claims "$h200"
check "each has a verdict" adds_up "$all"
for paper in multipartition stencil radix-sort dynamic-array octree; do
    check "$paper has a heading" grep -qx "$paper" "$scratch/out"
done
check "no line is wider than its columns' texts" awk 'length > 360 { exit 1 }' "$scratch/out"
check "--paper" prints "construction with locks" "$gpubench" claims "$h200" --paper octree
check "... its claims alone" adds_up "$octree"
check "... and no other's" hides "multisplit"
check "--rows" prints "n=16000000;dist=cube" "$gpubench" claims "$h200" --paper octree --rows
check "... with their evidence and interval" grep -qE '^ +(holds|fails|unsure) +[0-9.]+ \([0-9.]+ to [0-9.]+\) +octreebuild-lf ' "$scratch/out"
check "... with what they are held against" grep -qE 'octreebuild-lf +n=16000000;dist=cube[^ ]* +burtscher-pingali$' "$scratch/out"
check "... where the paper says it, and when it holds" says "Conclusões, if any >= 1.84"
check "... and what the verdict rests on" says "95 % interval against the criterion"
check "... and no more than 40 a claim" prints "... and 20 more" "$gpubench" claims "$h200" --paper multipartition --rows
counts=$(grep -oE 'Of what .* authors measured\.' <("$gpubench" claims "$h200" --format markdown))
check "--counts" prints "NVIDIA H200: $counts" "$gpubench" claims "$h200" --counts
check "... and no more" test "$(wc -l <"$scratch/out")" = 1
check "... of one paper" hides_counts "$gpubench" claims "$h200" --counts --paper octree
check "... in Markdown an item of a list" prints "- **NVIDIA H200**: $counts" "$gpubench" claims "$h200" --counts --format markdown
check "Markdown" prints "| verdict | claim | said of | paper | H200 |" "$gpubench" claims "$h200" --format markdown
check "... a line a claim" test "$(grep -cE '^\| ('"$words"') \|' "$scratch/out")" = "$all"
check "LaTeX" prints "\\label{tab:claims-nvidia-h200}" "$gpubench" claims "$h200" --format latex
check "... a line a claim" test "$(grep -cE '^('"$words"') &' "$scratch/out")" = "$all"
check "CSV" prints "paper,locator,statement,said_of,generation,device,quantity_value,unit,class,measured,verdict,reason," "$gpubench" claims "$h200" --format csv
check "... a line a claim below the head" test "$(wc -l <"$scratch/out")" = $((all + 1))
check "one file will do" prints "construction with locks" "$gpubench" claims "$h200/octree.csv"
check "... and what it lacks says which config to run" says "run configs/stencil.json"
check "--help" prints "gpubench claims results/nvidia-h200" "$gpubench" claims --help

# ---- verdicts follow the results -----------------------------------------------------------------

# change FILE VARIANT FACTOR [RESULTS]: a copy of their octree.csv in which a variant's rates and times are changed.
change()
{
    local results=${4:-$h200}
    awk -F, -v OFS=, -v variant="$2" -v factor="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
        NR > 1 && $column["variant"] == variant && $column["status"] == "ok" {
            for (name in column) {
                if (name ~ /^rate/) $column[name] *= factor
                if (name ~ /^time/) $column[name] /= factor
            }
        }
        { print }' "$results/octree.csv" >"$1"
}
locked="... where both are written with care"
mkdir "$scratch/faster" "$scratch/slower"
change "$scratch/faster/octree.csv" octreebuild-lf 4
change "$scratch/slower/octree.csv" octreebuild-lf 0.25
check "rates that are four times as high" prints "octree" "$gpubench" claims "$scratch/faster" --format csv --paper octree
check "... make the claim hold" says_verdict "$locked" HOLDS
check "a quarter of the rates" prints "octree" "$gpubench" claims "$scratch/slower" --format csv --paper octree
check "... makes it fail" says_verdict "$locked" FAILS
change "$scratch/slower/octree.csv" burtscher-pingali 0.25
check "a slower baseline" prints "octree" "$gpubench" claims "$scratch/slower" --format csv --paper octree
check "... makes it hold" says_verdict "$locked" HOLDS
# What the paper says is judged by the lines of its text, not by what was made of them.
read -r shown <"$root/results/shown"
published="up to 1.84 times construction with locks"
as_published() { "$gpubench" claims "$1" --format csv --paper octree >"$scratch/out" 2>"$scratch/err" && says_verdict "$published" "$2"; }
mkdir "$scratch/text" "$scratch/made"
check "as published it is not reached" as_published "$root/results/$shown/octree.csv" FAILS
change "$scratch/made/octree.csv" octreebuild-lf 4 "$root/results/$shown"
check "... however fast the same is made" as_published "$scratch/made" FAILS
change "$scratch/text/octree.csv" octreebuild-lf-as-published 4 "$root/results/$shown"
check "... and is, once the transcription is faster" as_published "$scratch/text" HOLDS
check "results of two devices" prints "second GPU" "$gpubench" claims "$h200/octree.csv" \
    <(sed 's/,NVIDIA H200,/,second GPU,/' "$scratch/faster/octree.csv") --format csv --paper octree
check "... are judged apart, below one head" test "$(wc -l <"$scratch/out")" = $((2 * octree + 1))
check "... each by its own rows" test "$(csv_verdict "$locked" | sort | tr '\n' ' ')" = "FAILS HOLDS "

# ---- the simt device -----------------------------------------------------------------------------

check "a quick run on the simt device" "$gpubench" run configs/multipartition.json --device simt --quick --out "$scratch/simt"
check "its times say nothing" prints "times of the simt device say nothing" "$gpubench" claims "$scratch/simt" --paper multipartition
check "... so that what is about times is not tested" awk '/NOT TESTED/ && /up to 1.83 times/ { found = 1 } END { exit !found }' "$scratch/out"
check "... what runs, and what is refused, is" awk '/HOLDS/ && /any number of bins/ { found = 1 } END { exit !found }' "$scratch/out"
check "... which is no merit of the measurement" awk '/BY CONSTRUCTION/ && /GPU multisplit takes powers of two/ { found = 1 } END { exit !found }' "$scratch/out"

# ---- mistakes ------------------------------------------------------------------------------------

check "no results" refuses "name at least one result file or folder" "$gpubench" claims
check "no such file" refuses "/no/such.csv" "$gpubench" claims /no/such.csv
check "--help has the formats" prints "--format text|markdown|latex|csv " "$gpubench" claims --help
check "no such format" refuses 'found "html", allowed are text, markdown, latex and csv' "$gpubench" claims "$h200" --format html
check "no such paper" refuses "the papers are multipartition, stencil, radix-sort, dynamic-array and octree" "$gpubench" claims "$h200" --paper sorting
check "no such option" refuses "--row" "$gpubench" claims "$h200" --row-s
check "published numbers are no results" refuses "hold no measured row" "$gpubench" claims results/published/multipartition-table1.csv
check "no claims" refuses "GPUBENCH_SHARE names the folder" env GPUBENCH_SHARE="$scratch" "$gpubench" claims "$h200"
mkdir -p "$scratch/share/results/published"
sed 's/,all >= 1.84,/,all over 1.84,/' results/published/octree-claims.csv >"$scratch/share/results/published/octree-claims.csv"
check "a malformed claim" refuses "octree-claims.csv: data row 3, column holds_if: found 'all over 1.84'; allowed is all, most or any" \
    env GPUBENCH_SHARE="$scratch/share" "$gpubench" claims "$h200"
finish
