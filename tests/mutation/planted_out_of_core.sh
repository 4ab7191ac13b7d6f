#!/bin/bash
# test: thorough turns 25
# Mistakes planted in the out-of-core sort's waits, threads and packing: its unit tests find each (lib_planted.sh).
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

overlap() { plant_in "${@:1:4}" test_radix_sort_overlap 'streams*'; }
packing() { plant_in "${@:1:4}" test_radix_sort_packed "$5"; }
threads() { plant_in "${@:1:4}" test_radix_sort_out_of_core 'slices*'; }

overlap "a piece comes in over what has not left as it was" await_area \
    'if (out->as_they_are) GB_TRY' 'if (false) GB_TRY'
overlap "a piece is not cut" queue_all \
    'if (ahead && i + 1 < count) ahead(o, i + 1);' ';'
overlap "a piece comes in over what is not sorted yet" await_area \
    'GB_TRY(cudaStreamWaitEvent(o->in, out->sorted, 0), error);' ';'
overlap "a piece is packed over what has not left" queue_sort \
    'GB_TRY(cudaStreamWaitEvent(o->compute, out->done, 0), error);' ';'
threads "threads do not wait for the records" share \
    'if (await_records(u, place, (uint32_t)(left >> 32)))' ''
threads "numbers of the sort before count" rs_unpackers_begin \
    'u->arrived[s] = 0;' ';'
threads "a seat is free when one part is done" share \
    'at->undone--;' 'at->undone = 0;'
packing "runs never get more bits" rs_next_gap_bits \
    'if (wide * 8 < groups) return run->bits;' 'return run->bits;' 'bits*'
packing "the gap of key 32 is to the wrong lane's key" gaps_of \
    'key31 = __shfl_sync(GB_FULL_MASK, field.low, GB_WARP - 1)' \
    'key31 = __shfl_sync(GB_FULL_MASK, field.low, 0)' 'runs*'
packing "the last plane of a record is not made" pack_run \
    'planes_of(gap, exceeds ? (unsigned)RS_PLANES : bits)' \
    'planes_of(gap, exceeds ? (unsigned)RS_PLANES : bits - 1)' 'runs*'
packing "gaps behind the last key" pack_run \
    'if (i + GB_WARP >= count) gap.high = 0;' '' 'runs*'
packing "a gap of one bit more is not flagged" pack_run \
    '(gap.low | gap.high) >> bits != 0' '(gap.low | gap.high) >> bits > 1' 'runs*'
packing "the last plane of a record is not read on the device" unpack \
    'segment.wide_words ? (unsigned)RS_PLANES : bits)' \
    'segment.wide_words ? (unsigned)RS_PLANES : bits - 1)' 'segments*'
packing "upper planes are not read on the device" unpack \
    'segment.wide_words ? (unsigned)RS_PLANES : bits)' 'bits)' 'segments*'
packing "a key's own gap does not count on the device" sums_of \
    'up_to = gb_lanes_below() << 1 | 1' 'up_to = gb_lanes_below()' 'segments*'
packing "upper keys lack the gaps of the lower ones" sums_of \
    'sum.high += __shfl_sync(GB_FULL_MASK, sum.low, GB_WARP - 1);' '' 'segments*'
packing "a key's own gap does not count on the host" rs_run_field \
    '((uint64_t)2 << i % RS_RECORD) - 1' '((uint64_t)1 << i % RS_RECORD) - 1' 'runs*'
packing "upper planes are not read on the host" rs_run_field \
    'if (run->wide_groups[i / RS_GROUP])' 'if (false)' 'runs*'
packing "runs that need far more bits get two more" rs_next_gap_bits \
    'wide * 4 > groups * 3' 'false' 'bits*'
packing "a bound from above is forgotten" rs_cut_advance \
    'above = accept(&s, high, smaller);' 'above = smaller;' 'cuts*'
packing "keys equal to the cut's are all behind it" rs_cut_advance \
    'cut->at[r] += taken;' ';' 'cuts*'
packing "a cut does not look into the last record" guess_all \
    'const uint64_t end = begin + unit_of(&s->runs[r]);' 'const uint64_t end = begin;' 'cuts*'
finish
