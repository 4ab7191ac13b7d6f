#!/bin/bash
# Mistakes planted in the OpenCL worker's kernels, one at a time: `gpubench check` must find each. A line
# that is not there any more to be spoiled is a failure too.
. "$(dirname "$0")/lib_opencl.sh"
tree=$scratch/tree
copy_tree "$tree" || exit 1
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL

# plant NAME OLD NEW TEXT CASE: with OLD (exactly once in lsd1.cl) replaced by NEW the case must fail
# with TEXT.
plant()
{
    local file=kernels/radix-sort/opencl/lsd1.cl
    if ! spoil $file "$2" "$3" >"$scratch/spoil.out"; then
        check "$1: $(cat "$scratch/spoil.out")" false
        return
    fi
    check "$1: builds" make NVCC= build/gpubench-opencl
    check "$1: is found" says 1 "$4" build/gpubench check radix-sort --device opencl --variant opencl-lsd1 --case "$5"
    cp "$scratch/kept" $file
}

plant "ones are taken for zeros" '1 - bit_of(key.y, bit)' 'bit_of(key.y, bit)' "belongs before" n=4097
plant "a tile forgets those before it" 'falses : falses;' 'falses : f[i];' "not sorted" n=4097
plant "equal keys change their order" 'total_falses + (COUNT)i - falses :' \
    'n - 1 - ((COUNT)i - falses) :' "follows" n=1000,payload=u32,bits=range:0-1
plant "a payload is left behind" 'payload_out[to] = payload[i]' 'payload_out[to] = (uint)i' "payload" n=1000,payload=u32
plant "a word that is no OpenCL" 'reqd_work_group_size(GROUP, 1, 1))) kernel void scan_sums(' 'reqd_work_group_size(GROUP, 1, 1))) kernel vod scan_sums(' "compiler refuses kernels/radix-sort/opencl/lsd1.cl" n=33
finish
