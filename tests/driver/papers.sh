#!/bin/bash
# test: fast
# `gpubench list papers` and `list references`: what is reproduced has a title, authors, a venue and a year, or says that
# they are not known; as text, Markdown and BibTeX; mistakes of results/published/papers.json.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
cd "$root" || exit 1
gpubench=$BUILD/gpubench

check "all five papers" prints "Octrees without locks" "$gpubench" list papers
for paper in multipartition stencil radix-sort dynamic-array octree; do
    check "... $paper" grep -q "^$paper: " "$scratch/out"
done
check "... those of whom little is known say so" grep -qF "Not known: its" "$scratch/out"
check "... what they compare with has a year" grep -qF "GPU multisplit (Ashkiani et al. 2017)" "$scratch/out"
check "the works of others" prints "doi:10.1145/3108139" "$gpubench" list references
check "... without the papers" hides "Octrees Esparsas"
# shellcheck disable=SC2016 # what Markdown has
check "in Markdown, a line each" prints '- **Radix sort, one bit a pass** (`radix-sort`): O. O. Bernikova, V. O. Denysiuk: ' "$gpubench" list papers --format markdown
check "... of five" has_lines "$scratch/out" '^- ' 5
check "... with links" prints "[doi:10.1007/11945529_11](https://doi.org/10.1007/11945529_11)" "$gpubench" list references --format markdown

check "for BibTeX" prints "author = {Machado, Rodrigo L. and Nasciutti, Thiago C. and Panetta, Jairo}" "$gpubench" list papers --format bibtex
check "... all works" prints "@article{ashkiani2017multisplit," "$gpubench" list papers --format bibtex
check "... a title that pdfTeX has no letters for in English" prints "title = {{Implementation of a parallel radix sort" "$gpubench" list papers --format bibtex
# Every entry closes its braces and has a title, and no key comes twice.
entries()
{
    awk '/^@/ { entries++; key = $0; sub(/.*{/, "", key); if (seen[key]++) bad = 1; titled = 0; depth = 0 }
        /^  title = / { titled = 1 }
        { depth += gsub(/{/, "{") - gsub(/}/, "}") }
        /^}/ { if (depth || !titled) bad = 1 }
        END { exit bad || entries < 10 }' "$scratch/out"
}
check "... well formed" entries
check "which docs/references.bib has" cmp docs/references.bib "$scratch/out"
check "a format of what has none" refuses "--format goes with \`list papers\` and \`list references\`" "$gpubench" list variants --format bibtex

# ---- mistakes ------------------------------------------------------------------------------------

mkdir -p "$scratch/share/results" && cp -r results/published "$scratch/share/results/"
# of JSON: the papers of a papers.json like that.
of() { echo "{ \"schema\": 1, $1 }" >"$scratch/share/results/published/papers.json"; }
listed() { GPUBENCH_SHARE=$scratch/share "$gpubench" list papers "$@"; }
work='"key": "k", "kind": "misc", "called": "K", "title": "A & B_C"'
of "\"references\": [ { $work, \"unknown\": \"all of it\" } ], \"papers\": [ { \"paper\": \"octree\", \"title\": \"T\", \"reference\": \"k\" } ]"
check "a file of one's own" prints "octree: T" listed
check "... has what is no command in BibTeX" prints 'title = {{A \& B\_C}}' listed --format bibtex
check "... and a paper without an entry comes after it" prints "results/published/papers.json does not say what it is" listed
of "\"references\": [ { $work } ]"
check "what is not known must be said" refuses 'references[0]: "unknown" is missing' listed
of "\"references\": [ { $work, \"unknown\": \"x\", \"year\": 20177 } ]"
check "a year" refuses "references[0].year: found 20177; a number from 1900 to 2100 is allowed" listed
of "\"references\": [ { \"key\": \"k\", \"kind\": \"novel\", \"called\": \"K\", \"title\": \"T\" } ]"
check "a kind" refuses 'found kind "novel"; one of article, incollection, inproceedings, misc, techreport is allowed' listed
of "\"references\": [ { $work, \"unknown\": \"x\" }, { $work, \"unknown\": \"x\" } ]"
check "a key twice" refuses 'references[1]: there is a reference "k" already' listed
of '"papers": [ { "paper": "octree", "title": "T", "reference": "j" } ]'
check "a reference to nothing" refuses 'papers[0]: there is no reference "j"' listed
of '"papers": [ { "paper": "octree", "title": "T", "against": ["j"] } ]'
check "... of those compared with" refuses 'papers[0]: there is no reference "j"' listed
finish
