# shellcheck shell=bash
# Sourced by the tests that plant mistakes in the kernels of $primitive, one at a time: `gpubench check`
# must find each or, where $unit_tests names programs, one of these. $sound: options that leave of many variants
# those that have any. Where a mistake is planted is said by a PLACE, a function mostly, and the PATTERN in it that
# becomes NEW (spoil of lib.sh), in the primitive's folder or in common/. One that cannot be planted any more is a
# failure too.
. "$(dirname "${BASH_SOURCE[0]}")/../harness/lib.sh"
tree=$scratch/tree
copy_tree "$tree" || exit 1
rm -rf "$tree/build/gpubench-cuda" "$tree/build/cuda"
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL
primitive=${primitive:?which primitive to plant mistakes in}
[ -n "${sound:-}" ] || sound=()

# again [OPTION...] TARGET: builds what concerns the mistake, without optimisation, in a fifth of the time
# that -O2 -g1 takes. That the flags are others is no reason to build all the rest.
again() { make NVCC= OPENCL= OPT=-O0 -o build/c/flags.h -o build/simt/flags.h "$@"; }

# again_for VARIANT OPTION...: builds what finds() is to look at.
again_for() { again build/gpubench-simt; }

# found VARIANT OPTION...: a check fails, without options that of the quick cases.
found()
{
    local variant=$1 status=0
    shift
    [ $# != 0 ] || set -- --quick
    build/gpubench check "$primitive" --device simt --variant "$variant" "$@" || status=$?
    [ $status = 1 ]
}
finds() { found "$@"; }

# fails PROGRAM CASES: the cases of a unit test fail; that they never end is no finding.
fails()
{
    local status=0
    timeout 60 "build/$(test_named "$1")" "$2" || status=$?
    [ $status != 0 ] && [ $status != 124 ]
}

# spoiled NAME PLACE PATTERN NEW: plants a mistake, until mend; false, with a failure, if it cannot.
spoiled()
{
    spoil "kernels/$primitive common" "$2" "$3" "$4" >"$scratch/spoil.out" && return 0
    check "$1: $(cat "$scratch/spoil.out")" false
    return 1
}

# plant NAME PLACE PATTERN NEW VARIANT [OPTION...]: VARIANT must fail in the quick cases or, with options, in those
# that they say.
plant()
{
    local name=$1
    spoiled "${@:1:4}" || return
    shift 4
    check "$name: builds" again_for "$@"
    check "$name: is found" finds "$@"
    mend
}

# planted_beside NAME PLACE PATTERN NEW VARIANT [OPTION...]: as plant, but built and looked for by found_together,
# with all that were planted so before it. No two of them may concern one variant.
others=()
planted_beside()
{
    local name=$1
    spoiled "${@:1:4}" || return
    shift 4
    others+=("$(printf '%q ' "$name" "$@")")
}

# found_together BUILDS FINDS: builds the mistakes that were planted beside each other, by again_for or another
# function, and finds each by its own variant; the sources are then sound again.
found_together()
{
    local builds=$1 finds=$2 one name
    check "${#others[@]} mistakes beside each other: build" "$builds"
    for one in "${others[@]}"; do
        eval "set -- $one"
        name=$1
        shift
        check "$name: is found" "$finds" "$@"
    done
    for one in "${others[@]}"; do mend; done
    others=()
}

# plant_in NAME PLACE PATTERN NEW PROGRAM CASES [OPTION...]: the cases of a unit test that match a pattern must
# fail; it is built by make with these options.
plant_in()
{
    local name=$1 program=$5 cases=$6
    spoiled "${@:1:4}" || return
    shift 6
    check "$name: builds" again "$@" "build/$(test_named "$program")"
    check "$name: is found" fails "$program" "$cases"
    mend
}

# That unit tests pass as it is, they show themselves; where cases_pass is set, each case does before its mistake.
if [ -n "${cases_pass:-}" ]; then
    :
elif [ -z "${unit_tests:-}" ]; then
    check "builds as it is" make NVCC= all
    check "passes as it is" build/gpubench check "$primitive" --device simt --quick "${sound[@]}"
else
    for program in $unit_tests; do
        check "$program: builds as it is" make NVCC= "build/$(test_named "$program")"
    done
fi
