#!/bin/bash
# test: fast
# docs/trust.md: each of its statements links a test; and every link of the front door and of docs/ leads somewhere.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
# One line a statement: what stands between "- " and the next one, heading or blank line.
awk '/^- / { if (item) print item; item = $0; next }
    /^($|\*\*|## )/ { if (item) print item; item = ""; next }
    item { item = item " " $0 } END { if (item) print item }' docs/trust.md >"$scratch/statements"

count() { wc -l <"$scratch/statements"; [ "$(wc -l <"$scratch/statements")" -ge 15 ]; }
check "the section has its statements" count
linked()
{
    ! grep -vE '\]\(\.\./tests/' "$scratch/statements"
}
check "each links a test" linked
targets()
{
    local file target missing=0
    for file in README.md docs/*.md results/README.md; do
        while read -r target; do
            [ -e "$(dirname "$file")/$target" ] || { echo "$file: $target is not there"; missing=1; }
        done < <(grep -oE '\]\([^)#]+\)' "$file" | sed 's/^](//; s/)$//' | grep -v '^https*:')
    done
    return $missing
}
check "every link of the README, of docs/ and of the results leads to a file" targets
check "the front door is short" test "$(wc -l <README.md)" -le 200
finish
