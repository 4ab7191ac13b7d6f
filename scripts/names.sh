#!/bin/bash
# No two primitives define one name: the linker would refuse that of a function, and of templates and inline functions
# take either for both, without a word. Names of common/ (gb_, launch, simt::) are instantiated by all, and those of a
# primitive by others that may use it (scripts/rooms.txt). Prints what is wrong, a name a line, with both files; exit
# status 1 if anything is.
# Usage: scripts/names.sh OBJECT...   (BUILD/KIND/kernels/NAME/... .o)
set -o pipefail
cd "$(dirname "$0")/.." || exit 2
# What the devices define for all kernels, CUDA's own functions among them, is compiled into each object that does not inline it.
devices=$(grep -ohE '\b((__|atomic)[A-Za-z0-9_]+|[A-Za-z_][A-Za-z0-9_]*[(<])' common/simt/*.h common/cuda/*.cuh | tr -d '(<' | sort -u)
export devices
nm -A -P -g "$@" | awk '
    # of BUILD/KIND/kernels/NAME/FILE.o: the source, and the primitive
    function source(object) { sub(/.*\/kernels\//, "kernels/", object); sub(/\.o$/, "", object); return object }
    function primitive(file) { split(file, part, "/"); return part[2] }
    FILENAME != "-" {
        if ($1 !~ /^kernels\//) next
        from = primitive(substr($1, 1, length($1) - 1))
        for (i = 2; i <= NF; i++) if ($i ~ /^kernels\//) may[from, primitive($i)] = may[primitive($i), from] = 1
        next
    }
    $3 !~ /^[TDBRCWVu]$/ { next }
    {
        object = $1; sub(/:$/, "", object)
        file = source(object); mine = primitive(file); name = $2
        if (!(name in home)) { home[name] = file; next }
        other = primitive(home[name])
        if (other == mine || (name, mine) in told || ($3 ~ /^[WVu]$/ && (mine, other) in may)) next
        told[name, mine] = 1
        print name, home[name], file, $3 ~ /^[WVu]$/ ? "shared" : "once"
    }' scripts/rooms.txt - | c++filt | awk '
    BEGIN { count = split(ENVIRON["devices"], list, "\n"); for (i = 1; i <= count; i++) of_device[list[i]] = 1 }
    # the function itself: behind what it returns, before its parameters
    { name = $0; sub(/ kernels\/.*/, "", name) }
    $NF == "shared" && name ~ /(^|[ :])(gb_[a-z_0-9]+|launch)([<(]|$)|(^| )(std|simt|__gnu_cxx)::/ { next }
    { bare = name; sub(/[<(].*/, "", bare); sub(/.* /, "", bare); sub(/::.*/, "", bare) }
    $NF == "shared" && (bare in of_device || bare ~ /^DW\.ref\./) { next }
    {
        split(name, word, "("); shown = word[1]
        printf "%s is defined by two primitives, in %s and in %s%s\n", shown, $(NF - 2), $(NF - 1),
            $NF == "shared" ? ", and one of them would be called for both" : ""
        wrong = 1
    }
    END {
        if (wrong) print "A name that other files can see begins with what those of no other primitive do: rename it, or make it static."
        exit wrong
    }'
