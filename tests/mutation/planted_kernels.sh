#!/bin/bash
# test: thorough turns 20
# Mistakes planted in the kernels of Multipartition: gpubench check finds each (lib_planted.sh).
primitive=multipartition
. "$(dirname "$0")/lib_planted.sh"

plant "a full buffer is written twice to one place" mp_write_full \
    'buffers.line[own]++;' ';' buffer-per-warp
plant "two keys draw one place" mp_large_kernel \
    'atomicAdd(&cursor[bin], (Position)1)' 'atomicAdd(&cursor[bin], (Position)(bin & 1))' large
plant "a warp forgets where its bins start" ms_block_postscan \
    'running[w][threadIdx.x] += start;' ';' multisplit-block
plant "equal bins change their order in a warp" ms_warp_postscan \
    '& gb_lanes_below());' '& ~gb_lanes_below() & ~(1u << gb_lane()));' multisplit-warp
plant "a digit of the label is left out" 'multisplit*reduced*bit:run' \
    'pass * sort->digit_bits}' '0}' multisplit-reduced-bit
plant "a range's second bin has a key too many" mp_count \
    'row[bin] = sum;' 'row[bin] = sum + (bin == 1);' multipartition
plant "bins are by a larger key than the largest" make_max \
    'mp_bin_data_by_max(shape, max)' 'mp_bin_data_by_max(shape, max + max / 1000)' large \
    --case n=10007,bins=361,function=max
finish
