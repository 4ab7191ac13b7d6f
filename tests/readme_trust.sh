#!/bin/bash
# The README's section on trust: each of its statements links a test, and every link leads somewhere.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1
# One line a statement: what stands between "- " and the next one, heading or blank line.
awk '/^## / { inside = /^## Why the numbers can be trusted/ } !inside { next }
    /^- / { if (item) print item; item = $0; next }
    /^($|\*\*|## )/ { if (item) print item; item = ""; next }
    item { item = item " " $0 } END { if (item) print item }' README.md >"$scratch/statements"

count() { wc -l <"$scratch/statements"; [ "$(wc -l <"$scratch/statements")" -ge 15 ]; }
check "the section has its statements" count
linked()
{
    ! grep -vE '\]\(tests/' "$scratch/statements"
}
check "each links a test" linked
targets()
{
    local target missing=0
    while read -r target; do
        [ -e "$target" ] || { echo "$target is not there"; missing=1; }
    done < <(grep -oE '\]\([^)#]+\)' README.md | sed 's/^](//; s/)$//' | grep -v '^https*:')
    return $missing
}
check "every link of the README leads to a file" targets
finish
