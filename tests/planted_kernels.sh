#!/bin/bash
# Kernels with a mistake planted in them, one at a time: `gpubench check` must find each. A line
# that is not there any more to be spoiled is a failure too.
. "$(dirname "$0")/lib.sh"
tree=$scratch/tree
copy_tree "$tree" || exit 1
rm -rf "$tree/build/gpubench-cuda" "$tree/build/cuda"
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL

finds()
{
    local status=0
    build/gpubench check multipartition --device simt --quick --variant "$1" || status=$?
    [ $status = 1 ]
}

# plant NAME FILE OLD NEW VARIANT: replaces OLD (exactly once in FILE) by NEW; VARIANT must fail.
plant()
{
    local file=kernels/multipartition/$2
    if ! spoil "$file" "$3" "$4" >"$scratch/spoil.out"; then
        check "$1: $(cat "$scratch/spoil.out")" false
        return
    fi
    check "$1: builds" make NVCC= build/gpubench-simt
    check "$1: is found" finds "$5"
    cp "$scratch/kept" "$file"
}

check "builds as it is" make NVCC= all
check "passes as it is" build/gpubench check multipartition --device simt --quick

plant "a full buffer is written twice to one place" buffer_per_warp.cu \
    'buffers.line[own]++;' ';' buffer-per-warp
plant "two keys draw one place" large.cu \
    'atomicAdd(&cursor[bin], (Position)1)' 'atomicAdd(&cursor[bin], (Position)(bin & 1))' large
plant "a warp forgets where its bins start" multisplit_block.cuh \
    'running[w][threadIdx.x] += start;' ';' multisplit-block
plant "equal bins change their order in a warp" multisplit_warp.cu \
    '& gb_lanes_below());' '& ~gb_lanes_below() & ~(1u << gb_lane()));' multisplit-warp
plant "a digit of the label is left out" multisplit_reduced_bit.cu \
    'pass * sort->digit_bits}' '0}' multisplit-reduced-bit
plant "counters are not waited for" ranges.cuh \
    'counters[i] = 0;' 'if (i != 1) counters[i] = 0;' multipartition
finish
