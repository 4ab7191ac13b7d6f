#!/bin/bash
# test: thorough turns 25
# Mistakes planted in what other programs sort by: the library's unit test finds each (lib_planted.sh).
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

library() { plant_in "${@:1:4}" test_radix_sort_library "$5"; }

library "-0 is less than +0" rs_equal_zeros \
    'image == minus_zero ? ~minus_zero : image' 'image' 'many*'
library "-0 is less than +0 among few keys" /small/:ordered \
    'FLOAT && image == minus ? plus : image' 'image' 'some_bits*'
library "wide payloads stay where they are" os_gather \
    'index[i] = at < n ? indexes[at] : 0;' 'index[i] = at < n ? (uint32_t)at : 0;' 'every*'
library "the caller's scratch is believed to be clear" 'library:sort' \
    'cudaMemsetAsync(scratch, 0, os_cleared_bytes(&w->shape), stream)' 'cudaSuccess' 'every*'
library "hybrid believes its scratch to be clear" hy_sort_elements \
    'cudaMemsetAsync(data->scratch, 0, os_cleared_bytes(shape), stream)' 'cudaSuccess' 'every*'
library "floats without their topmost bits are left to hybrid" serves \
    'if (rs_is_float(shape->type) && shape->end_bit < 8 * rs_key_bytes(shape->type)) return false;' ';' 'many*'
library "floats are sorted as integers that cannot be told apart" may_be_hybrid \
    '!rs_is_float(shape->type) && ' '' 'many*'
library "segments are sorted as one" resolve \
    'w->segmented = r->offsets != NULL;' 'w->segmented = false;' 'segments*'
finish
