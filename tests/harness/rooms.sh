#!/bin/bash
# test: fast 7
# The gate of rooms (scripts/rooms.sh, scripts/symbols.sh): the tree passes it, and each kind of wrong arrow that is
# planted in a copy of it, or between small objects, is refused with its place.
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1
tree=$scratch/tree

check "every include goes to a room that its own may use" scripts/rooms.sh
mkdir "$tree" && cp -r bench common kernels tests scripts "$tree" || exit 1

# refuses NAME TEXT FILE LINE: with LINE at the end of FILE the gate says TEXT.
refuses()
{
    local name=$1 text=$2 file=$tree/$3
    cp "$file" "$scratch/kept"
    printf '%s\n' "$4" >>"$file"
    check "$name" says "$text" scripts/rooms.sh "$tree"
    cp "$scratch/kept" "$file"
}

# says TEXT COMMAND...: it fails, and a line of what it says has TEXT.
says()
{
    local text=$1
    shift
    if "$@" >"$scratch/said" 2>&1; then echo "nothing is refused"; return 1; fi
    grep -qF -- "$text" "$scratch/said" || { cat "$scratch/said"; return 1; }
}

refuses "an include upwards is refused" "bench/util may not include bench/commands (bench/commands/commands.h)" \
    bench/util/arena.c '#include "bench/commands/commands.h"'
refuses "with its line" "bench/rows/terms.h:$(($(wc -l <bench/rows/terms.h) + 1)): bench/rows may not include bench/table" \
    bench/rows/terms.h '#include "bench/table/render.h"'
refuses "and with what is allowed" "it may: bench/util bench/worker common common/*" \
    bench/config/config.h '#include "bench/record/meta.h"'
refuses "the paper's kernels do not get at our engine" \
    "kernels/multipartition/paper may not include kernels/multipartition/partition" \
    kernels/multipartition/paper/ranges.cuh '#include "kernels/multipartition/partition/pass.cuh"'
refuses "one by a relative path is no way round" "common/text may not include common/stats" \
    common/text/csv.h '#include "../stats/stats.h"'
refuses "files that include each other in a circle" \
    "circle: bench/util/arena.h -> bench/util/share.h -> bench/util/arena.h" bench/util/arena.h '#include "bench/util/share.h"'
mv "$tree/scripts/rooms.txt" "$scratch/table"
{ echo 'bench/early: bench/util'; cat "$scratch/table"; } >"$tree/scripts/rooms.txt"
check "a room that names one below it is refused" says "bench/early names bench/util, which is no room above it" \
    scripts/rooms.sh "$tree"
grep -v '^bench/rows:' "$scratch/table" >"$tree/scripts/rooms.txt"
check "a folder without a room is refused" says "this folder is in no room" scripts/rooms.sh "$tree"
cp "$scratch/table" "$tree/scripts/rooms.txt"
sed -i 's/^May use: .*/May use: everything./' "$tree/bench/rows/README.md"
check "a README that says otherwise is refused" says 'bench/rows/README.md: it has to say "May use: bench/util' \
    scripts/rooms.sh "$tree"
cp bench/rows/README.md "$tree/bench/rows/"
check "the copy is as sound as the tree" scripts/rooms.sh "$tree"

# objects NAME...: a build in which NAME, a path without .c, is compiled from standard input's paragraph for it.
object()
{
    mkdir -p "$scratch/build/c/$(dirname "$1")" && ${CC:-gcc} -x c -c - -o "$scratch/build/c/$1.o"
}
object bench/util/arena.c <<<'void up(void); void arena(void) { up(); }'
object bench/rows/rows.c <<<'void arena(void); void up(void) {} void rows(void) { arena(); }'
check "a function of a room above, whoever declares it" \
    says "bench/util/arena.c: bench/util may not use bench/rows: up (bench/rows/rows.c)" scripts/symbols.sh "$scratch/build"
check "objects in a circle" says "circle: " scripts/symbols.sh "$scratch/build"
object bench/util/arena.c <<<'void arena(void) {}'
check "an arrow down is none of these" scripts/symbols.sh "$scratch/build"
finish
