#!/bin/bash
# The arrows of common/: which file uses functions or objects that another one defines, by the symbols
# of the objects that were built, and which header includes which. Neither goes round in a circle.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$root" || exit 1

# arrows OBJECT...: a line "USER DEFINER" for each two of them; inline functions (weak symbols) are
# nobody's.
arrows()
{
    nm -A -P "$@" | awk '
        { sub(/:$/, "", $1) }
        $3 ~ /^[BDRST]$/ { definer[$2] = $1 }
        $3 == "U" { uses[++n] = $1 " " $2 }
        END {
            for (i = 1; i <= n; i++) {
                split(uses[i], use, " ")
                if (use[2] in definer && definer[use[2]] != use[1]) print use[1], definer[use[2]]
            }
        }' | sort -u
}

# includes FOLDER: a line "FILE HEADER" for each #include of a header in the tree.
includes()
{
    grep -roE '^#include "[^"]+"' "$1" | sed -E 's/:#include "(.*)"/ \1/'
}

# in_order FILE: no circle among these arrows, of which there must be some; tsort names those who are in one.
in_order() { test -s "$1" && tsort "$1" >/dev/null; }

# check_objects FOLDER BUILT: the objects that BUILT has of the sources in that folder.
check_objects()
{
    local folder=$1 built=$2 source objects=()
    while read -r source; do
        if [ -f "$built/$source.o" ]; then objects+=("$built/$source.o"); fi
    done < <(find "$folder" -name '*.c' -o -name '*.cpp' -o -name '*.cu')
    if [ ${#objects[@]} = 0 ]; then
        skip "no circle among the files of $folder in $(basename "$built")" "it was not built"
        return
    fi
    arrows "${objects[@]}" >"$scratch/arrows"
    check "no circle among the files of $folder in $(basename "$built")" in_order "$scratch/arrows"
}

check_objects common/simt "$BUILD/simt"
check_objects common/cuda "$BUILD/simt"
check_objects common/cuda "$BUILD/cuda"
check_objects common/worker "$BUILD/c"
check_objects common/opencl "$BUILD/c"

includes common >"$scratch/includes"
check "no circle among the headers of common/" in_order "$scratch/includes"

printf '%s\n' 'void b(void); void a(void) { b(); }' >"$scratch/a.c"
printf '%s\n' 'void a(void); void b(void) { a(); }' >"$scratch/b.c"
for name in a b; do ${CC:-cc} -c "$scratch/$name.c" -o "$scratch/$name.o"; done
arrows "$scratch"/[ab].o >"$scratch/arrows"
circle_is_found() { ! in_order "$scratch/arrows"; }
check "a circle is found" circle_is_found

finish
