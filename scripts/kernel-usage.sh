#!/bin/bash
# What kernels take of a multiprocessor: registers, stack (what is spilled lies there) and static shared memory, read out
# of objects that are built for sm_90 and held against a table, tests/fixtures/kernel-usage.csv, so that a spill or a
# block fewer a multiprocessor does not come unseen, with a change of the source or with a toolkit. Nothing is built.
#
# Usage: scripts/kernel-usage.sh read BUILD            the watched kernels (scripts/kernel-usage.txt), as such a table
#        scripts/kernel-usage.sh compare TABLE READING  what differs, a line a kernel; exit status 1 if it is worse
#        scripts/kernel-usage.sh accept BUILD TABLE     TABLE as what is built; rows of sources that are not, as they were
# read and accept exit with 3, and a reason, where there is nothing to read.
set -u
set -o pipefail
cd "$(dirname "$0")/.." || exit 2
header='source,threads,registers,stack,shared,toolkit,kernel'

nothing() { echo "$1" >&2; exit 3; }

# flag NAME: what the build noted.
flag() { sed -nE "s/^#define $1 \"(.*)\"\$/\\1/p" "$build/cuda/flags.h"; }

# Sets toolkit; ends where the objects are none whose registers mean anything.
look_at_build()
{
    [ -e "$build/cuda/flags.h" ] || nothing "no kernels are built for GPUs in $build"
    local flags
    flags=$(flag GB_FLAGS)
    [[ ",$(flag GB_CUDA_ARCHS)," = *,90,* ]] || nothing "$build has no machine code for sm_90: make CUDA_ARCHS=90"
    if grep -qE -- '-O[012]\b|-Ofc|-G\b|-compress-all|disable-allopts' <<<"$flags"; then
        nothing "$build is compiled without the optimisation that measuring needs, or compressed: $flags"
    fi
    toolkit=$(flag GB_COMPILER | sed -nE 's/.*release ([0-9.]+).*/\1/p')
    [ -x "$build/tests/worker/kernel_usage" ] || nothing "no $build/tests/worker/kernel_usage: make test-helpers builds it"
}

# NAME,... with mangled names to rows with short ones: no return type, parameters and versions of CUB's name spaces.
rows_of()
{
    c++filt | awk -v source="$1" -v toolkit="$toolkit" -v pattern="$2" '
    # up to the bracket that opens the parameters
    function bare(name,    i, c, depth) {
        for (i = 1; i <= length(name); i++) {
            c = substr(name, i, 1)
            if (c == "<") depth++
            if (c == ">") depth--
            if (c == "(" && depth == 0) return substr(name, 1, i - 1)
        }
        return name
    }
    {
        n = split($0, part, ",")
        name = $0; sub(/,[0-9]+,[0-9]+,[0-9]+,[0-9]+$/, "", name)
        sub(/^void /, "", name)
        gsub(/_INTERNAL_[A-Za-z0-9_]*::/, "", name)
        gsub(/\(anonymous namespace\)::/, "", name)
        gsub(/CUB_[A-Z0-9_]+::/, "", name); gsub(/THRUST_[A-Z0-9_]+::/, "", name)
        name = bare(name)
        gsub(/cub::detail::[a-z_]+::policy_hub<[^<>]*>::/, "", name); gsub(/, cub::detail::identity_decomposer_t/, "", name)
        gsub(/cub::detail::[a-z_]+::/, "cub::", name); gsub(/cub::NullType/, "none", name)
        gsub(/\(cub::SortOrder\)0/, "ascending", name); gsub(/\(cub::SortOrder\)1/, "descending", name)
        gsub(/unsigned long long/, "u64", name); gsub(/unsigned long/, "u64", name); gsub(/unsigned int/, "u32", name)
        gsub(/"/, "", name)
        if (name !~ pattern) next
        printf "%s,%s,%s,%s,%s,%s,\"%s\"\n", source, part[n], part[n - 3], part[n - 2], part[n - 1], toolkit, name
    }'
}

read_build()
{
    local source pattern object found=0
    echo "$header"
    while read -r source pattern; do
        object=$build/cuda/$source.o
        [ -e "$object" ] || continue
        found=1
        "$build/tests/worker/kernel_usage" 90 "$object" | rows_of "$source" "$pattern" | LC_ALL=C sort -t, -k7 -u ||
            { echo "$object cannot be read: no libzstd, or another compression?" >&2; return 1; }
    done < <(grep -v '^#' scripts/kernel-usage.txt)
    [ $found = 1 ] || nothing "none of the watched sources is built in $build/cuda"
}

compare()
{
    # A row's seven fields; the last one, in quotes, has commas.
    awk -v table="$1" '
    function fields(line,    i, at) {
        for (i = 1; i <= 6; i++) { at = index(line, ","); f[i] = substr(line, 1, at - 1); line = substr(line, at + 1) }
        for (i = 2; i <= 5; i++) f[i] += 0 # numbers, or 112 would be less than 80
        f[7] = line; gsub(/^"|"$/, "", f[7])
    }
    # Blocks on a multiprocessor as far as registers go: 16384 in each of its four parts, by the warp, 256 at a time.
    function blocks(threads, registers,    each) {
        if (!threads) return 0
        each = int((registers * 32 + 255) / 256) * 256
        return int(4 * int(16384 / (each ? each : 256)) / int((threads + 31) / 32))
    }
    function tell(kind, text) { printf "%s: %s (%s): %s\n", kind, kernel, source, text }
    FNR == 1 { file++; if ($0 != header) { print FILENAME ": not such a table: " $0; broken = 1; exit }; next }
    {
        fields($0); source = f[1]; kernel = f[7]; key = source SUBSEP kernel
        if (file == 1) {
            for (i = 2; i <= 6; i++) had[key, i] = f[i]
            rows[key] = 1; next
        }
        built[source] = 1; seen[key] = 1
        if (!(key in rows)) {
            tell("new", f[3] " registers, " f[4] " bytes of stack; the table does not have it yet"); told++; next
        }
        by = "; nvcc " f[6] (had[key, 6] != f[6] ? ", the table is of " had[key, 6] : "")
        if (f[4] > had[key, 4]) {
            tell("WORSE", "stack (spills among it) from " had[key, 4] " to " f[4] " bytes, " f[4] - had[key, 4] " more" by)
            worse++
        } else if (f[4] < had[key, 4]) { tell("better", "stack from " had[key, 4] " to " f[4] " bytes" by); told++ }
        was = blocks(had[key, 2], had[key, 3]); is = blocks(f[2], f[3])
        same = f[2] ? ", with " f[2] " threads " is " blocks a multiprocessor" (is == was ? " as before" : " instead of " was) : ""
        if (is < was) { tell("WORSE", "registers from " had[key, 3] " to " f[3] same by); worse++ }
        else if (f[3] != had[key, 3]) {
            tell(is > was ? "better" : "changed", "registers from " had[key, 3] " to " f[3] same by); told++
        }
        if (f[2] != had[key, 2] && is >= was) { tell("changed", "compiled for " f[2] " threads a block, not " had[key, 2] by); told++ }
        if (f[5] != had[key, 5]) { tell("changed", "static shared memory from " had[key, 5] " to " f[5] " bytes" by); told++ }
    }
    END {
        if (broken) exit 2
        for (key in rows) {
            split(key, part, SUBSEP); source = part[1]; kernel = part[2]
            if (source in built && !(key in seen)) { tell("WORSE", "there is no such kernel any more, so that nobody watches it"); worse++ }
        }
        if (worse) print "If that is meant, say in the commit why, and accept it: make accept-kernel-usage, which writes " table "."
        else if (told) print "None of that is worse; make accept-kernel-usage writes it to " table "."
        exit worse > 0
    }' header="$header" "$1" "$2"
}

accept()
{
    local table=$1 reading
    reading=$(read_build) || exit $?
    {
        echo "$header"
        # in the order of the list; sources that are not built keep their rows
        while read -r source _; do
            if grep -q "^$source," <<<"$reading"; then grep "^$source," <<<"$reading"; else grep -s "^$source," "$table"; fi
        done < <(grep -v '^#' scripts/kernel-usage.txt)
    } >"$table.new" && mv -f "$table.new" "$table"
}

case ${1-}:$# in
read:2) build=$2 && look_at_build && read_build ;;
compare:3) compare "$2" "$3" ;;
accept:3) build=$2 && look_at_build && accept "$3" ;;
*)
    sed -n '6,9s/^# //p' "$0" >&2
    exit 2
    ;;
esac
