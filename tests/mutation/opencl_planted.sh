#!/bin/bash
# test: thorough turns 30
# Mistakes planted in the OpenCL worker's kernels, one at a time: `gpubench check` must find each. One that
# cannot be planted any more is a failure too.
. "$(dirname "$0")/../worker/lib_opencl.sh"
tree=$scratch/tree
copy_tree "$tree" cuda gpubench-cuda corpus || exit 1
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL

# plant NAME PLACE PATTERN NEW TEXT CASE: with PATTERN, which stands in PLACE (spoil of lib.sh), replaced by NEW the
# case must fail with TEXT.
plant()
{
    if ! spoil kernels/radix-sort "$2" "$3" "$4" >"$scratch/spoil.out"; then
        check "$1: $(cat "$scratch/spoil.out")" false
        return
    fi
    check "$1: builds" make NVCC= build/gpubench-opencl
    check "$1: is found" says 1 "$5" build/gpubench check radix-sort --device opencl --variant opencl-lsd1 --case "$6"
    mend
}

plant "ones are taken for zeros" lsd1.cl:predicate '1 - bit_of(key.y, bit)' 'bit_of(key.y, bit)' "belongs before" n=4097
plant "a tile forgets those before it" lsd1.cl:scatter 'falses : falses;' 'falses : f[i];' "not sorted" n=4097
plant "equal keys change their order" lsd1.cl:scatter 'total_falses + (COUNT)i - falses :' \
    'n - 1 - ((COUNT)i - falses) :' "follows" n=1000,payload=u32,bits=range:0-1
plant "a payload is left behind" lsd1.cl:scatter 'payload_out[to] = payload[i]' 'payload_out[to] = (uint)i' "payload" n=1000,payload=u32
plant "a word that is no OpenCL" scan_sums 'reqd_work_group_size(GROUP, 1, 1))) kernel void scan_sums(' 'reqd_work_group_size(GROUP, 1, 1))) kernel vod scan_sums(' "compiler refuses kernels/radix-sort/opencl/lsd1.cl" n=33
finish
