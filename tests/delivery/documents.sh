#!/bin/bash
# test: thorough 58
# Measured numbers in the documents: what a generated block shows is what the command prints now, and every number
# of it is found in the CSV file that it is from, by a program that knows nothing of the generator; what is not
# generated is dated as history.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/../driver/lib_sides.sh"
cd "$root" || exit 1
export GPUBENCH=$BUILD/gpubench
numbers=$BUILD/tests/delivery/document_numbers
mapfile -t documents < <(source_files | grep '\.md$' | sed 's|^\./||' | sort)
# Those that have blocks; what stands in a fence is an example.
mapfile -t generated < <(awk 'FNR == 1 { fenced = 0 } /^```/ { fenced = !fenced } !fenced && /^<!-- gpubench / { print FILENAME }' \
    "${documents[@]}" | uniq)
read -r shown <results/shown

check "there are documents with blocks" test ${#generated[@]} -gt 1
torn()
{
    mkdir "$scratch/broken" && printf '#!/bin/sh\nexit 1\n' >"$scratch/broken/sync" && chmod +x "$scratch/broken/sync" || return 1
    printf '<!-- gpubench table results/published/peers.csv -->\n<!-- end -->\n' | tee "$scratch/torn.md" >"$scratch/before.md"
    PATH=$scratch/broken:$PATH scripts/generated.sh "$BUILD" "$scratch/torn.md" && return 1
    cmp "$scratch/torn.md" "$scratch/before.md" && [ ! -e "$scratch/torn.md.new" ]
}
check "a document stays what it was where the disk fails" torn
check "blocks are what the commands print now (else: make readme)" scripts/generated.sh --check "$BUILD"
check "their numbers are those of the CSV files" "$numbers" "${generated[@]}"

# ---- a wrong digit is found without the generator ------------------------------------------------

# plant FILE WHERE: in every line of a block that has one, a digit becomes a wrong one: the last of the cell that
# is number WHERE from the right in tables, below their heads; WHERE 0: that of the other lines. Lines' numbers go
# into planted. Left out are heads of lines that have no number.
plant()
{
    awk -v where="$2" -v planted="$scratch/planted" '
        # text with another last digit; as it is, without one
        function spoilt(text, at) {
            for (at = length(text); at > 0 && substr(text, at, 1) !~ /[0-9]/; at--);
            return at ? substr(text, 1, at - 1) (substr(text, at, 1) + 3) % 10 substr(text, at + 1) : text
        }
        /^<!-- gpubench / { inside = 1 }
        /^<!-- end -->/ { inside = 0 }
        {
            table = /^\|/; head = table && !before; before = table; wrong = $0
            if (inside && !table && !/^<!--/ && !where) wrong = spoilt($0)
            if (inside && table && !head && where) {
                n = split($0, cells, "|")
                wrong = numbers = ""
                for (i = 2; i < n; i++) numbers += i != n - where && cells[i] ~ /^ [0-9]/
                if (n - where > 1 && (numbers > 0 || where == 1)) cells[n - where] = spoilt(cells[n - where])
                for (i = 1; i <= n; i++) wrong = wrong (i > 1 ? "|" : "") cells[i]
            }
            if (wrong != $0) print NR >planted
            print wrong
        }' "$1" >"$scratch/spoilt.md"
}
# finds FILE: each of the lines with a wrong digit is told.
finds()
{
    local where planted=0
    for where in 0 1 2 3 4; do
        : >"$scratch/planted"
        plant "$1" $where
        "$numbers" "$scratch/spoilt.md" >"$scratch/told"
        sed -n "s|^$scratch/spoilt.md:\([0-9]*\):.*|\1|p" "$scratch/told" | sort -u >"$scratch/lines"
        sort "$scratch/planted" | comm -23 - "$scratch/lines" | while read -r line; do
            echo "$1: the wrong digit in line $line was not found: $(sed -n "${line}p" "$scratch/spoilt.md")"
        done >"$scratch/missed"
        cat "$scratch/missed"
        [ ! -s "$scratch/missed" ] || return 1
        planted=$((planted + $(wc -l <"$scratch/planted")))
    done
    echo "$planted planted"
    [ $planted -gt 0 ]
}
# shows FILE: a block says more than that nothing was measured yet on the device that is shown.
shows()
{
    awk '/^<!-- end -->/ { inside = 0 } inside && NF && !/^Not measured on this device yet/ { found = 1 }
        /^<!-- gpubench / { inside = 1 } END { exit !found }' "$1"
}
for file in "${generated[@]}"; do
    if shows "$file"; then
        check "wrong digits in $file are found" finds "$file"
    else
        skip "wrong digits in $file are found" "nothing of it was measured yet"
    fi
done

# ---- the generator -------------------------------------------------------------------------------

# written LINE...: a document of these lines, filled.
written() { printf '%s\n' "$@" >"$scratch/doc.md" && scripts/generated.sh "$BUILD" "$scratch/doc.md" >"$scratch/out" 2>"$scratch/err"; }
# refused TEXT LINE...: the generator says so and leaves the document as it was.
refused()
{
    local text=$1
    shift
    ! written "$@" && cat "$scratch/err" && grep -qF -- "$text" "$scratch/err" && printf '%s\n' "$@" | cmp - "$scratch/doc.md"
}
holds() { grep -qF -- "$1" "$scratch/doc.md"; }
lacks() { ! holds "$1"; }
# shellcheck disable=SC2016 # $RESULTS is the document's
{
    fixture=tests/fixtures/multipartition-fixture.csv
    check "a block is filled" written before "<!-- gpubench table $fixture --n 32M -->" old "<!-- end -->" after
    check "... with the command's Markdown" holds "| 32M | GPU multisplit |"
    check "... instead of what was there" lacks old
    check "... and what stands around it stays" test "$(sed -n '1p;$p' "$scratch/doc.md" | tr '\n' ' ')" = "before after "
    check "what is filled is not stale" scripts/generated.sh --check "$BUILD" "$scratch/doc.md"
    sed -i 's/| 32M |/| 33M |/' "$scratch/doc.md"
    stale() { ! scripts/generated.sh --check "$BUILD" "$scratch/doc.md" && holds "| 33M |"; }
    check "another digit is, and --check writes nothing" stale
    check "a block in a fence is an example" written '```' "<!-- gpubench table $fixture -->" '```'
    check "... and stays" lacks "| 32M |"
    check "\$RESULTS is what results/shown says" written '<!-- gpubench table $RESULTS/null.csv -->' "<!-- end -->"
    check "... of that device" holds "Measured on"
    check "a figure" written "<!-- figure results/$shown/null-timer.svg The timer -->" "<!-- end -->"
    check "... is a link from where the document lies" grep -qE '^!\[The timer\]\((\.\./)+results/'"$shown/null-timer.svg\)$" "$scratch/doc.md"
    check "one that was not drawn" written '<!-- figure $RESULTS/nothing.svg The timer -->' "<!-- end -->"
    check "... is said" holds "The timer: not drawn for this device yet."
    check "what was not measured" written '<!-- gpubench table results/nowhere/octree.csv -->' "<!-- end -->"
    check "... is said, with the config" holds "Not measured on this device yet: \`gpubench run configs/octree.json\`."
    check "what an example has not measured" written '<!-- gpubench table examples/segmented-reduction/$RESULTS-x/segmented-reduction.csv -->' "<!-- end -->"
    check "... is said, with its config" holds "yet: \`gpubench run examples/segmented-reduction/segmented-reduction.json\`."
    check "an experiment that there is not is a mistake" refused "doc.md:2: there is neither" "" '<!-- gpubench table $RESULTS/ocktree.csv -->' "<!-- end -->"
    check "a block without its end" refused "doc.md:1: the block has no <!-- end -->" "<!-- gpubench table $fixture -->"
    check "... before the next one" refused "before the next one begins" \
        "<!-- gpubench table $fixture -->" "<!-- gpubench claims $fixture -->" "<!-- end -->"
    check "another command" refused "the commands are table, standings, claims, compare, project, scaling and list" "<!-- gpubench plot $fixture -->" "<!-- end -->"
    device='GPU A' side "$scratch/now/e.csv" <<<"one 1 warm device ok 100 0.01 30
one 2 warm device ok 100 0.01 30
one 3 warm device ok 100 0.01 30
one 4 warm device ok 100 0.01 30
two 1 warm device ok 100 0.01 30"
    device='GPU B' side "$scratch/old/e.csv" <<<"one 1 warm device ok 125 0.01 30
one 2 warm device ok 100 0.01 30
one 3 warm device ok 200 0.01 30
one 4 warm device timeout
two 1 warm device unsupported"
    sed -i 's/because/needs sm_80/' "$scratch/old/e.csv"
    check "two sides by variant" written "<!-- gpubench compare $scratch/now $scratch/old --by-variant -->" "<!-- end -->"
    check "... with what each costs" holds "| 1.25 (1.00 to 2.00)¹ |"
    check "... wrong digits in it are found" finds "$scratch/doc.md"
    check "a side that was not measured" written "<!-- gpubench compare $scratch/now $scratch/none --by-variant -->" "<!-- end -->"
    check "... is said" holds "Not measured on this device yet: there is no $scratch/none."
    check "a command that fails" refused "did you mean --bins" "<!-- gpubench table $fixture --bin 3 -->" "<!-- end -->"
}

# ---- links ---------------------------------------------------------------------------------------

# Headings as GitHub makes anchors of them.
anchors()
{
    awk '/^```/ { fenced = !fenced } !fenced && /^#+ / { sub(/^#+ /, ""); $0 = tolower($0); gsub(/[^a-z0-9 _-]/, ""); gsub(/ /, "-"); print }' "$1"
}
links_of()
{
    local target path anchor
    awk '/^```/ { fenced = !fenced } !fenced' "$1" | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//' | grep -v '^https*:' | while read -r target; do
        path=${target%%#*} anchor=
        if [ "$path" != "$target" ]; then anchor=${target#*#}; fi
        if [ -n "$path" ]; then path=$(dirname "$1")/$path; else path=$1; fi
        if [ ! -e "$path" ]; then echo "$1: $target is not there"; fi
        if [ -n "$anchor" ] && ! anchors "$path" | grep -qxF -- "$anchor"; then echo "$1: $target: there is no such heading"; fi
    done | tee "$scratch/missed"
    [ ! -s "$scratch/missed" ]
}
every_link()
{
    local file good=0
    for file in "${documents[@]}"; do links_of "$file" || good=1; done
    return $good
}
check "every link of every document leads somewhere" every_link
printf '%s\n' '# One' '[a](#one) [b](#two) [c](nowhere.md)' >"$scratch/links.md"
wrong_links() { ! links_of "$scratch/links.md" && [ "$(wc -l <"$scratch/missed")" = 2 ]; }
check "one that leads nowhere is found" wrong_links

finish
