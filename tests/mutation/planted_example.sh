#!/bin/bash
# test: thorough 12
# Mistakes planted in the kernels of examples/segmented-reduction: gpubench check finds each on the worker that the SDK
# builds. All are built together, each to be switched on by its number in GB_PLANTED (planted_switch.awk).
. "$(dirname "$0")/../harness/lib.sh"
folder=$scratch/example
worker=$folder/gpubench-simt-segmented-reduction
mkdir "$folder" && (cd "$root/examples/segmented-reduction" && cp ./*.[ch] ./*.cu ./*.cuh Makefile "$folder/") || exit 1
unset MAKEFLAGS MAKELEVEL
names=() variants=() options=() notes=()

# plant NAME PLACE PATTERN NEW VARIANT [OPTION...]: VARIANT must fail in the quick cases or, with options, in theirs.
plant()
{
    local number=$((${#names[@]} + 1))
    names+=("$1") variants+=("$5") options+=("${*:6}")
    if ! spoil "$folder" "$2" "$3" "$4" || [ "$spoilt_in" = 0 ]; then
        echo "# $1: cannot be planted"
        return 1
    fi
    cp "$spoilt" "$scratch/mistake.$number" && notes+=("$spoilt $number $spoilt_in $scratch/mistake.$number") && mend
}
switch_all()
{
    local file operands
    for file in $(printf '%s\n' "${notes[@]}" | cut -d' ' -f1 | sort -u); do
        read -ra operands < <(printf '%s\n' "${notes[@]}" | grep -F "$file " | cut -d' ' -f2- | tr '\n' ' ')
        FILE=$file awk -f "$root/tests/harness/planted_parse.awk" -f "$root/tests/mutation/planted_switch.awk" "${operands[@]}" \
            >"$scratch/switched" && cat "$scratch/switched" >"$file" || return 1
    done
}
built()
{
    local switch="-include $root/tests/mutation/planted_switch.h"
    env -u BUILD make -C "$folder" NVCC= OPT=-O0 GPUBENCH="$root" GPUBENCH_LIB="$BUILD" CFLAGS="$switch" CXXFLAGS="$switch" -j2
}
# judged VARIANT [OPTION...]: check's exit status, after its words.
judged() { "$BUILD/gpubench" check segmented-reduction --worker "$worker" --device simt --variant "$1" "${@:2}" 2>&1; }
# found NUMBER: with this mistake alone the variant's answers are wrong, and without they are right.
found()
{
    local variant=${variants[$1 - 1]} how=(--quick)
    [ -z "${options[$1 - 1]}" ] || read -ra how <<<"${options[$1 - 1]}"
    judged "$variant" "${how[@]}" || return 1
    GB_PLANTED=$1 judged "$variant" "${how[@]}" >"$scratch/found.txt" && { cat "$scratch/found.txt"; return 1; }
    cat "$scratch/found.txt"
    grep -q "^wrong segmented-reduction/$variant: " "$scratch/found.txt"
}

plant "empty segments are not written" sum_by_lanes \
    'if (mine && lane == 0)' 'if (mine && lane == 0 && begin < end)' by-segment || exit 1
plant "a block's warps do not wait for each other's sums" sum_by_block \
    '__syncthreads();' ';' by-segment || exit 1
plant "nor for what each carries over" carry_over \
    '__syncthreads();' ';' merge-path || exit 1
plant "a tile's last element is left behind where it begins a group of 16 bytes" bring \
    'i < end; i += THREADS' 'i + 1 < end; i += THREADS' merge-path || exit 1
plant "what is carried over to a thread is dropped" walk_tile \
    'if (s > first) sums[first] += carry.before;' ';' merge-path || exit 1
plant "of a tile without ends the last elements are left out" sum_share \
    'if (tail < end)' 'if (tail + 1 < end)' merge-path || exit 1
plant "what is carried over to a tile is dropped" add_carries \
    '(all.before + first_open)' 'first_open' merge-path || exit 1
plant "a group of tiles carries nothing to the next" close_groups \
    'group->ends = any;' 'group->ends = 0;' merge-path || exit 1
plant "the last block by number adds the carries, not the last in time" sum_tiles \
    'if (!gb_is_last_block(p.ticket)) return;' 'if (blockIdx.x + 1 != gridDim.x) return;' merge-path \
    --case n=8191,segments=33 --schedules 30 || exit 1

check "${#notes[@]} mistakes are put beside each other" switch_all
check "they build together" built
for number in $(seq ${#names[@]}); do
    check "${names[number - 1]}: is found" found "$number"
done
finish
