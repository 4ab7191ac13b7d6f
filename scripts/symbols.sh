#!/bin/bash
# Holds what the objects of driver, worker and simt device use of each other against the table of rooms: an arrow is
# a function or variable that one object uses and another defines, wherever it is declared. Prints what is wrong, a
# line each; exit status 1 if anything is.
#   - an object that uses something of a room that its own does not name (bench/ and common/)
#   - objects that use each other in a circle
# What common/worker calls of common/worker/backend.h (gb_backend_...) a device side implements: no arrow of these.
# Usage: scripts/symbols.sh BUILD   (in which gpubench and gpubench-simt are built)
set -u
cd "$(dirname "$0")/.." || exit 2
build=$1
objects() {
    for source in bench/*/*.c common/*.c common/*/*.c; do echo "$build/c/$source.o"; done
    for source in common/simt/*.cpp common/cuda/*.cu; do echo "$build/simt/$source.o"; done
}
mapfile -t all < <(objects | while read -r object; do [ ! -e "$object" ] || echo "$object"; done)
[ ${#all[@]} -gt 0 ] || { echo "symbols.sh: there are no objects in $build: make first"; exit 2; }

# FILE:SYMBOL TYPE, as nm has it; weak ones, which templates and inline functions make, are nobody's.
nm -A -P -g "${all[@]}" | awk -v build="$build" "$(cat scripts/rooms.awk)"'
    function label(file, other) { return " (" why[file, other] ")" }
    BEGIN { read_table() }
    {
        file = $1; sub(/:$/, "", file); sub(/\.o$/, "", file)
        file = substr(file, length(build) + 2); sub(/^[a-z]+\//, "", file)
        if ($3 ~ /^[TDBRC]$/) home[$2] = beside[folder(file), $2] = file # the device sides define the same names
        else if ($3 == "U") { wants[++count] = file; what[count] = $2 }
        if (!(file in seen)) { seen[file] = 1; files[++many] = file }
    }
    END {
        for (i = 1; i <= count; i++) {
            from = wants[i]; to = (folder(from), what[i]) in beside ? beside[folder(from), what[i]] : home[what[i]]
            if (to == "" || to == from) continue
            if (from ~ /^common\/worker\// && what[i] ~ /^gb_backend_/) continue
            if (!((from, to) in why)) uses[from] = uses[from] " " to
            why[from, to] = what[i]
            a = room_of(folder(from)); b = room_of(folder(to))
            if (a != b && !((a, b) in may)) found(from ": " a " may not use " b ": " what[i] " (" to ")")
        }
        for (i = 1; i <= many; i++) if (!state[files[i]]) follow(files[i], 1)
        exit wrong
    }'
