# What scripts/rooms.sh and scripts/symbols.sh share: reading the table of rooms, and looking for circles. After
# read_table(), room_of(FOLDER) is the room that a folder belongs to, "" if none, and (ROOM, OTHER) in may says that
# ROOM may use OTHER. uses[FILE] are the files that FILE uses, with blanks between; label(FILE, OTHER), which either
# script defines, stands behind FILE in a circle.

function folder(path) { sub(/\/[^\/]*$/, "", path); return path }

function room_of(at)
{
    while (!(at in line)) {
        if (at !~ /\//) return ""
        at = folder(at)
    }
    return at
}

function found(text) { print text; wrong = 1 }

function read_table(    status, text, at, room, n, named, i, star, other)
{
    table = "scripts/rooms.txt"
    while ((status = (getline text < table)) > 0) {
        at++
        if (text ~ /^ *(#|$)/) continue
        room = text; sub(/:.*/, "", room); sub(/^[^:]*: */, "", text)
        n = split(text, named, " ")
        for (i = 1; i <= n; i++) {
            star = named[i]
            if (sub(/\*$/, "", star)) {
                for (other in line) if (index(other, star) == 1) may[room, other] = 1
            } else if (named[i] in line) may[room, named[i]] = 1
            else found(table ":" at ": " room " names " named[i] ", which is no room above it")
        }
        line[room] = at; names[room] = text
    }
    if (status < 0) { print table " cannot be read"; exit 2 }
}

# Looks for circles from a file; the way to it is path[1 .. depth].
function follow(file, depth,    list, n, i, k, text)
{
    state[file] = 1; path[depth] = file
    n = split(uses[file], list, " ")
    for (i = 1; i <= n; i++) {
        if (state[list[i]] == 1) {
            path[depth + 1] = text = list[i]
            for (k = depth; path[k] != list[i]; k--) text = path[k] label(path[k], path[k + 1]) " -> " text
            found("circle: " list[i] label(list[i], path[k + 1]) " -> " text)
        } else if (!state[list[i]]) follow(list[i], depth + 1)
    }
    state[file] = 2
}
