#!/bin/bash
# Holds every #include "..." of the tree against the table of rooms, scripts/rooms.txt. Prints what is wrong, a line
# each with its place and what is allowed; exit status 1 if anything is.
#   - a folder of bench/, common/, kernels/ or tests/ that holds sources and is in no room
#   - a room that names one that is not above it in the table, and so may lead in a circle
#   - a file that includes one of a room that its own does not name
#   - files that include each other in a circle
#   - a room of bench/ or common/ whose README.md does not say "May use: " and what its line of the table says
# Which objects use each other whoever declares what, scripts/symbols.sh holds against the same table.
# Usage: scripts/rooms.sh [FOLDER]   (the tree; this one by default)
set -u
cd "${1:-$(dirname "$0")/..}" || exit 2
sources() {
    find bench common kernels tests -type f \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' \) \
        ! -path '*/toy/*' | LC_ALL=C sort
}

wrong=0
while read -r room uses; do
    [ -d "${room%:}" ] && grep -qxF "May use: ${uses:-nothing}." "${room%:}/README.md" && continue
    echo "${room%:}/README.md: it has to say \"May use: ${uses:-nothing}.\", as scripts/rooms.txt does"
    wrong=1
done < <(grep -E '^(bench|common)/' scripts/rooms.txt)

# shellcheck disable=SC2016 # it is awk that expands them
sources | xargs awk "$(cat scripts/rooms.awk)"'
    function label(file, other) { return "" }
    function normal(path) {
        while (path ~ /[^\/]+\/\.\.\//) sub(/[^\/]+\/\.\.\//, "", path)
        return path
    }
    BEGIN {
        read_table()
        for (i = 1; i < ARGC; i++) exists[ARGV[i]] = 1
    }
    FNR == 1 {
        mine = room_of(folder(FILENAME))
        if (mine == "" && !(folder(FILENAME) in told)) found(FILENAME ": this folder is in no room of " table)
        if (mine == "") told[folder(FILENAME)] = 1
        files[++count] = FILENAME
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
        file = normal(folder(FILENAME) "/" name)
        if (!(file in exists)) file = name
        if (!(file in exists)) next # of a library, or made by the build
        other = room_of(folder(file))
        if (mine != "" && other != "" && other != mine && !((mine, other) in may))
            found(FILENAME ":" FNR ": " mine " may not include " other " (" name "); it may: " \
                (names[mine] == "" ? "itself alone" : names[mine]))
        uses[FILENAME] = uses[FILENAME] " " file
    }
    END {
        for (i = 1; i <= count; i++) if (!state[files[i]]) follow(files[i], 1)
        exit wrong
    }' || wrong=1
exit $wrong
