#!/bin/bash
# test: thorough turns 60
# Mistakes planted in segmented sort: its unit test finds each (lib_planted.sh).
primitive=segmented-sort
. "$(dirname "$0")/lib_planted.sh"

segmented() { plant_in "${@:1:4}" test_segmented_sort "$5"; }

segmented "a segment of one key too many is listed" sg_class_of \
    '__clz(count - 1)' '__clz(count - 2)' 'borders'
segmented "a class that is left out is listed" sg_class_of \
    'used >> at_least : 0u' '1u : 0u' 'borders'
segmented "a block's segments lie where another's do" sg_add \
    'own_list + atomicAdd(' 'own_list + 0 * atomicAdd(' 'random*'
segmented "large segments share their tiles" sg_classify \
    '1ull << 32 | tiles' '1ull << 32' 'large*'
segmented "what lies past a segment's end is a key" sg_load \
    ': sg_element<Key, PAYLOAD>::last()' \
    ': sg_element<Key, PAYLOAD>::of(key[j], first + j * LANES)' 'random*'
segmented "equal keys are in any order" of \
    '(unsigned long long)key << 32 | position' '(unsigned long long)key << 32' 'random*'
segmented "a merge across lanes keeps the smaller one everywhere" sg_keep \
    'other.before(mine) == smaller' 'other.before(mine)' 'random*'
segmented "a thread's keys are ordered the wrong way" sg_order \
    'turned ? b : a' 'turned ? a : b' 'random*'
segmented "a warp's payloads are read where their keys went" sg_sort_list \
    'staged.payload[mine + (unsigned)sorted[j * APART]]' 'staged.payload[mine + at]' 'random*'
segmented "of two warps the first keeps the larger half" sg_sort_by_two_warps \
    'warp == 0' 'warp == 1' 'borders'
segmented "two warps' halves are not merged within threads" sg_sort_by_two_warps \
    'sg_merge_within<K / 2>(e);' ';' 'borders'
segmented "parted keys are made images of once more by warps" sg_load \
    '&& !segment.parted()' '' 'large*'
segmented "parted keys are made images of once more by blocks" image_of \
    'segment.parted() ? key : rs_encode(codec, key)' 'rs_encode(codec, key)' 'large*'
segmented "parted keys are read in the input" keys_of \
    'segment.parted() ? keys_parted : keys_in' 'keys_in' 'large*'
segmented "parted payloads are read in the input" payload_of \
    'segment.parted() ? payload_parted : payload_in' 'payload_in' 'large*'
segmented "a byte that differs is not sorted by" sg_bytes_that_differ \
    'b < sizeof(Key)' 'b + 1 < sizeof(Key)' 'borders'
segmented "a block's counters are not cleared" sg_sort_by_blocks \
    '[d + gb_lane()] = 0;' '[d + gb_lane()] += 0;' 'random*'
segmented "a block's next payloads come too early" sg_sort_by_blocks \
    'if constexpr (PAYLOAD) __syncthreads();' ';' '*o*'
segmented "a tile is another segment's" sg_list_tiles \
    'large.segment_of[tile] = s' 'large.segment_of[tile] = s + (s + 1 < large.segments())' 'large*'
segmented "tiles' words are left from the last sort" sg_list_tiles \
    'large.words[(size_t)tile * OS_DIGITS + d] = 0;' ';' 'large*'
segmented "counts are left from the last sort" sg_list_tiles \
    'large.digits[(size_t)s * passes * OS_DIGITS + d] = 0;' ';' 'large*'
segmented "two segments' keys are counted together" sg_count \
    'if (large.segment_of[tile] != s)' 'if (false && large.segment_of[tile] != s)' 'large*'
segmented "a block's counters are added twice" sg_add_counts \
    '*counter = 0;' ';' 'large*'
segmented "a segment is parted to crowds" sg_plan \
    '&& !too_large' '|| too_large' 'large*'
segmented "what a segment is parted to is listed as if in the input" sg_plan \
    'bucket[0].word |= sg_segment::PARTED;' ';' 'large*'
segmented "a segment of equal keys is not copied" sg_plan \
    'active ? active : 1u << (passes - 1)' 'active' 'extremes'
segmented "a segment that is parted ends in the output" sg_step_of \
    'parted || (all - step.ordinal - 1) % 2 ? 1 : 2' '(all - step.ordinal - 1) % 2 ? 1 : 2' 'large*'
segmented "a tile looks back beyond its segment" sg_pass \
    '(size_t)(drawn - tile) * OS_DIGITS' '(size_t)0 * OS_DIGITS' 'large*'
segmented "lengths of a power law lack their last octaves" power_length \
    'octave + 1 < POWER_OCTAVES' 'octave + 9 < POWER_OCTAVES' 'means'
finish
