#!/bin/bash
# Adds to tests/fuzz/corpus what the last `make fuzz` learned: of all inputs of a target the fewest
# that reach the same code; those that have a name stay. Prints how many there are now.
# Usage: tests/fuzz/keep.sh FOLDER NAME...   (FOLDER: build/fuzz)
set -eu
cd "$(dirname "$0")/../.."
folder=$1
shift
for name; do
    kept=tests/fuzz/corpus/$name
    fresh=$(mktemp -d)
    mkdir -p "$kept"
    [ -d "$folder/corpus/$name" ] || { echo "$folder/corpus/$name: run make fuzz first" >&2; exit 1; }
    # The smallest set, instead of going through the inputs by size; where code is reached, not how often.
    "$folder/fuzz_$name" -set_cover_merge=1 -max_len=2048 -use_counters=0 "$fresh" "$kept" "$folder/corpus/$name" \
        >"$folder/$name.keep.log" 2>&1
    find "$kept" -type f -regextype egrep ! -regex '.*/[0-9a-f]{40}' -exec cp -t "$fresh" {} +
    rm -rf "$kept"
    mv "$fresh" "$kept"
    chmod 755 "$kept"
    printf '%-10s %4d inputs, %s bytes\n' "$name" "$(find "$kept" -type f | wc -l)" \
        "$(cat "$kept"/* | wc -c)"
done
