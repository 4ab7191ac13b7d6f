#!/bin/bash
# test: fast
# shellcheck disable=SC2016 # backquotes are what Markdown has
# docs/trust.md: each of its statements links a test; and every link of the front door and of docs/ leads
# somewhere, as every file does that documents name.
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
# Files of ours between backquotes, by their path or the end of it; NAME stands for any, CL/cl.h is OpenCL's.
named()
{
    local file missing=0
    while read -r file; do
        [ -n "$(find bench common kernels tests scripts -path "*/$file" -o -path "$file")" ] ||
            { echo "$file is named, and is not there"; missing=1; }
    done < <(grep -ohE '`[a-zA-Z0-9_./-]+\.(c|h|cu|cuh|cpp|sh|txt|mk)`' "$@" | tr -d '`' | grep -vE 'NAME|^CL/|^build/' | sort -u)
    return $missing
}
check "every file that the documents name is there" named README.md docs/*.md kernels/*/README.md common/*/README.md bench/*/README.md
echo 'see `bench/nowhere.c`' >"$scratch/nowhere.md"
wrong() { ! named "$scratch/nowhere.md"; }
check "one that is not is noticed" wrong
check "the front door is short" test "$(wc -l <README.md)" -le 200
check "one's own kernels are two screens" test "$(wc -l <docs/own-kernels.md)" -le 100
finish
