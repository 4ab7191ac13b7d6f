# shellcheck shell=bash
# Sourced by the tests that plant mistakes in the kernels of $primitive: `gpubench check` must find each, or the
# cases of a unit test that are named with it. Where a mistake is planted is said by a PLACE, a function mostly, and
# the PATTERN in it that becomes NEW (spoil of lib.sh), in the primitive's folder, or those that $sources names, or in
# common/. One that cannot be planted any more is a failure too.
#
# The script is read twice. First its mistakes are noted and built together, each to be switched on by its number in
# GB_PLANTED (planted_switch.awk). Then they are looked for, each alone, and what finds them must pass without. A
# mistake outside of functions cannot be switched: it is built by itself, in a tree of its own, from which the others are
# absent. So are those that are planted while it is.
case ${planting:-} in
noted | found) return 0 ;;
esac
# shellcheck source=tests/harness/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../harness/lib.sh"
script=$(realpath "$0") || exit 1
tree=$scratch/tree plain=$scratch/plain
primitive=${primitive:?which primitive to plant mistakes in}
sources=${sources:-kernels/$primitive}
[ -n "${as_is:-}" ] || as_is=()
unset MAKEFLAGS MAKELEVEL

mistake=0         # the number of the last one
on=()             # those that are planted now
refused=()        # of those that cannot be planted, why
alone=()          # not empty for those that are built by themselves
notes=()          # of those that are built together: number, function, file with it, file in the tree
targets=          # what of all that is built together runs
declare -A passed # what was seen to pass without the mistake that it finds, and in how many seconds
not_seen_s=180    # for what was not
sound_s=          # that time of what looks for the last mistake

# again OPTION... TARGET: builds in this folder what concerns mistakes, without optimisation. That the flags are
# others is no reason to build all the rest. Object files $as_is stay as they are.
again() { make NVCC= OPENCL= OPT=-O0 -o build/c/flags.h -o build/simt/flags.h "${as_is[@]/#/-o}" "$@"; }

# stops_at PATTERN COMMAND...: runs it until a line of its output is like the pattern; true if one was, else 1 if it
# ends with success, and 2 if not.
stops_at()
{
    local pattern=$1 line lines child status=0
    shift
    exec {lines}< <(exec "$@" 2>&1)
    child=$!
    while IFS= read -r line <&"$lines"; do
        echo "$line"
        [[ $line =~ $pattern ]] || continue
        kill "$child" 2>/dev/null
        exec {lines}<&-
        wait "$child"
        return 0
    done
    exec {lines}<&-
    wait "$child" || status=$?
    echo "exit status $status"
    [ $status != 0 ] || return 1
    return 2
}

# found VARIANT [OPTION...]: whether a check fails, without options that of the quick cases. 1: it passes.
found()
{
    local variant=$1
    shift
    [ $# != 0 ] || set -- --quick
    stops_at "^(wrong|out_of_memory|timeout|crashed) $primitive/$variant: " \
        build/gpubench check "$primitive" --device simt --variant "$variant" "$@"
}

# fails PROGRAM CASES: whether the cases of a unit test fail, or take more than three times as long as without a mistake,
# as where a heap that was written over keeps cmocka from saying so; that they do not begin is no finding. 1: they pass.
fails()
{
    local status=0
    stops_at '^\[  FAILED  \]' timeout $((20 + 3 * sound_s)) "build/$(test_named "$1")" "$2" >"$scratch/fails.out" || status=$?
    cat "$scratch/fails.out"
    if [ $status = 2 ]; then
        ! grep -qxE 'exit status (126|127)' "$scratch/fails.out"
        return
    fi
    return $status
}

# in_tree COMMAND...: where the mistakes are that are planted now, with those switched on that can be.
in_tree()
{
    local folder=$tree
    ! is_alone || folder=$plain
    (cd "$folder" && GB_PLANTED="${on[*]}" "$@")
}

is_alone()
{
    local number
    for number in "${on[@]}"; do
        [ -z "${alone[number]:-}" ] || return 0
    done
    return 1
}

# in_sources TREE PLACE PATTERN NEW: plants a mistake in a tree.
in_sources()
{
    local folders=() folder
    for folder in $sources common; do folders+=("$1/$folder"); done
    spoil "${folders[*]}" "${@:2}"
}

# spoiled NAME PLACE PATTERN NEW: plants a mistake, until it is cleared; false if it cannot be, which is a failure.
spoiled()
{
    mistake=$((mistake + 1))
    if [ "$planting" = noted ]; then
        in_sources "$tree" "$2" "$3" "$4" >"$scratch/spoil.out" ||
            { refused[mistake]=$(cat "$scratch/spoil.out") && return 1; }
        on+=("$mistake")
        [ "$spoilt_in" != 0 ] || alone[mistake]=yes
        if is_alone; then
            alone[mistake]=yes
        else
            cp "$spoilt" "$scratch/mistake.$mistake" && notes+=("$mistake $spoilt_in $scratch/mistake.$mistake $spoilt")
        fi
        return 0
    fi
    if [ -n "${refused[mistake]:-}" ]; then
        check "$1: ${refused[mistake]}" false
        return 1
    fi
    [ ${#alone[@]} = 0 ] || in_sources "$plain" "$2" "$3" "$4" || return 1
    on+=("$mistake")
}

# cleared: the last mistake is there no more.
cleared()
{
    unset "on[-1]"
    if [ "$planting" = noted ]; then
        mend && touch -r "$scratch/kept.${#spoils[@]}" "$spoilt" # there is nothing to build anew
    elif [ ${#alone[@]} != 0 ]; then
        mend
    fi
}

# built NAME TARGET: what runs with the mistakes that are planted now.
built()
{
    if [ "$planting" = noted ]; then
        is_alone || [[ " $targets " = *" $2 "* ]] || targets+=" $2"
    elif is_alone; then
        check "$1: builds" in_tree again "$2"
    fi
}

# planted TARGET FINDS NAME PLACE PATTERN NEW ARGUMENT...: a mistake that FINDS ARGUMENT... finds, which runs TARGET.
planted()
{
    local target=$1 finds=$2 name=$3
    shift 2
    spoiled "${@:1:4}" || return
    shift 4
    built "$name" "$target"
    if [ "$planting" = found ]; then
        sound_s=$not_seen_s
        is_alone || pass_without "$finds" "$@"
        check "$name: is found" in_tree "$finds" "$@"
    fi
    cleared
}

# pass_without FINDS ARGUMENT...: what finds a mistake passes without it; of many schedules the first few do.
pass_without()
{
    local last=${on[-1]} few=() argument
    unset "on[-1]"
    for argument in "$@"; do
        [ ${#few[@]} = 0 ] || [ "${few[-1]}" != --schedules ] || argument=3
        few+=("$argument")
    done
    local what="${on[*]}:${SIMT_WORKERS:-}:${few[*]}" began=$SECONDS
    if [ -z "${passed[$what]:-}" ]; then
        check "${few[*]}: passes without" in_tree lacks "${few[@]}"
        passed[$what]=$((SECONDS - began))
    fi
    sound_s=${passed[$what]}
    on+=("$last")
}

# lacks FINDS ARGUMENT...: what finds mistakes finds none, and passes.
lacks()
{
    local status=0 sound_s=$not_seen_s
    "$@" || status=$?
    [ $status = 1 ]
}

# plant NAME PLACE PATTERN NEW VARIANT [OPTION...]: VARIANT must fail in the quick cases or, with options, in those
# that they say.
plant() { planted build/gpubench-simt found "$@"; }

# hooked NAME PLACE PATTERN NEW VARIANT OPTION...: some of the schedules of a case must fail, on the worker of the hooks
# build that has this primitive alone (tests/kernels/hooks.mk).
hooked()
{
    planted "build/tests/kernels/$primitive/hooks/gpubench-simt-hooks" found_hooked "${@:1:5}" --schedules 300 "${@:6}"
}
found_hooked() { found "$@" --worker "$PWD/build/tests/kernels/$primitive/hooks/gpubench-simt-hooks"; }

# plant_in NAME PLACE PATTERN NEW PROGRAM CASES: the cases of a unit test that match a pattern must fail.
plant_in() { planted "build/$(test_named "$5")" fails "$@"; }

# switch_all: the files with mistakes have all of them.
switch_all()
{
    local file number in with path
    for file in $(printf '%s\n' "${notes[@]}" | cut -d' ' -f4 | sort -u); do
        local operands=()
        while read -r number in with path; do
            [ "$path" != "$file" ] || operands+=("$number" "$in" "$with")
        done < <(printf '%s\n' "${notes[@]}")
        FILE=$file awk -f "$root/tests/harness/planted_parse.awk" -f "$root/tests/mutation/planted_switch.awk" "${operands[@]}" \
            >"$scratch/switched" && cat "$scratch/switched" >"$file" || return 1
    done
}

build_all()
{
    local options="-include $root/tests/mutation/planted_switch.h"
    # shellcheck disable=SC2086 # they are several
    (cd "$tree" && again CFLAGS="$options" CXXFLAGS="$options" $targets)
}

not_needed=(cuda gpubench-cuda gpubench-simt-hooks corpus libcorpus.a)
copy_tree "$tree" "${not_needed[@]}" || exit 1
sound_check=$(declare -f check finish)
planting=noted
check() { :; }
finish() { :; }
# shellcheck source=/dev/null
. "$script"
while [ ${#on[@]} != 0 ]; do cleared; done
eval "$sound_check"
planting=found mistake=0
if [ ${#alone[@]} != 0 ]; then
    copy_tree "$plain" "${not_needed[@]}" || exit 1
fi
unset BUILD
check "${#notes[@]} mistakes are put beside each other" switch_all
check "they build together" build_all
