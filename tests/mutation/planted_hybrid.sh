#!/bin/bash
# test: thorough turns 75
# Mistakes planted in hybrid: its unit tests find each (lib_planted.sh); where one block reads what
# others have counted, gpubench check, with memory that is not in order.
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

hybrid() { plant_in "${@:1:4}" test_radix_sort_hybrid "$5"; }
few() { plant_in "${@:1:4}" test_radix_sort_few "$5"; }
ordered() { plant_in "${@:1:4}" test_radix_sort_ordered "$5"; }
places() { plant_in "${@:1:4}" test_radix_sort_places "$5"; }

hybrid "a carried key is lost" \
    gb_partition 'if (at < begin >> 24) tile' 'if (at + 1 < begin >> 24) tile' 'random*'
hybrid "a page takes one group too many" \
    gb_partition '(q < to.split ?' '(q <= to.split ?' 'random*'
hybrid "a full row is not told" pages.cuh:take \
    'atomicOr(verdict, (unsigned)HY_ROW_FULL);' ';' 'a_crowd_beside*'
hybrid "a bucket that is too large is not told" hy_bounds_of \
    'if (threadIdx.x == 0) atomicOr(&sort.state->verdict, (unsigned)HY_TOO_LARGE);' ';' 'the_largest*'
hybrid "windows are never shifted" order_groups \
    'shifted <= 4; shifted += 4' 'shifted < 4; shifted += 4' 'random*'
hybrid "windows are gone over once" order_groups \
    'while (__syncthreads_or(parted));' 'while (__syncthreads_or(false && parted));' 'a_bucket*'
hybrid "the sample is turned round" hy_sample \
    'uneven = pairs > keys' 'uneven = pairs <= keys' 'even_keys*'
hybrid "bits that do not count are lost" hy_turn \
    'image << turn | image >> (8 * sizeof image - turn)' 'image << turn' 'random*'
hybrid "nobody sorts what the stages leave" run_plan \
    'return os_sweep(&problem->shape, device, &data, stream, error);' 'return GB_OK;' 'a_crowd*'
hybrid "one or two digits are sorted in stages" serves \
    'if (rs_passes(shape, OS_BITS) <= 2) return false;' ';' 'the_variant'
few "keys whose values are counted are sorted, too" hy_bounds_of \
    'if (hy_is_done(said, HY_REFUSED | HY_ROW_FULL | HY_STRAY)) return make_uint2(0, 0);' ';' 'few_values*'
few "that a block has too many values is not told" hy_few_count \
    'if (me == 0) trial.fail();' ';' 'many_values_at*'
few "a value too many finds a slot" hy_few_slot \
    'number >= Size::MOST - 1' 'number >= Size::MOST' 'as_many*'
few "0 shares its slot" hy_few_slot \
    'if (slot) {' 'if (slot + 1) {' 'values_of_one_home*'
few "who was late takes the slot of another value" hy_few_slot \
    'held = atomicCAS(table.values + slot, 0u, value);' \
    '(void)atomicCAS(table.values + slot, 0u, value);' 'other*'
few "the keys behind the last four are not counted" hy_few_count \
    'me < n % 4) hy_few_add<' 'me < n % 2) hy_few_add<' 'one_that*'
few "one lane's counters are not summed up" hy_few_count \
    'gb_warp_sum(counts[slot * Size::COPIES + lane])' \
    'gb_warp_sum(lane ? counts[slot * Size::COPIES + lane] : 0u)' 'random*'
few "values are ordered as they stand" hy_few_runs \
    'encode ? hy_encode(codec, all.values[slot]) : all.values[slot]' 'all.values[slot]' 'few_values*'
few "four keys are always equal" hy_few_write \
    'if (e + 3 >= end) {' 'if (e >= end) {' 'random*'
few "values are written as they came" hy_few_runs \
    'hy_bitonic(runs, room);' ';' 'few_values*'
few "an attempt that failed is taken for one that did not" hy_is_done \
    '&& !(said.y & HY_FAILED))' ')' 'the_stages*'
ordered "the last of four keys and the next one are not compared" ordered.cuh:wrong \
    '(has_next & (w > (*this)(next)))' 'false' 'two_in*'
ordered "the keys behind the last four are not compared" hy_ordered_rest \
    'wrong |= order(keys[i ? i - 1 : 0]) > order(keys[i]);' ';' 'two_in*'
ordered "two keys change places as they are reversed" hy_reversed4 \
    'make_uint4(next.y, next.x, four.w, four.z)' 'make_uint4(next.x, next.y, four.w, four.z)' 'sizes'
ordered "the lane at the edge asks its neighbour as well" hy_copy_ordered \
    'if (!edge) next = ' 'next = ' 'sizes'
ordered "that keys are not in order is not told" hy_copy_ordered \
    'if (me == 0 && *stopped) trial.fail();' ';' 'two_in*'
ordered "the sample looks at lines alone" hy_sample \
    'ascends &= before <= key;' 'ascends &= lane == 0 || before <= key;' 'lines_alone'
places "nobody waits until all cells are counted" hy_wait_for_trials \
    '< parts)' '< 1)' 'all_distributions'
places "a place begins anew in every cell" hy_place \
    'return begin + __umulhi' 'return __umulhi' 'places_ascend'
places "a lowest image is one too low" hy_lowest \
    '(wanted + size - 1) / size' 'wanted / size' 'lowest*'
places "half of a bucket's counters count nothing" hy_in_range \
    '0x80000000u / ' '0x40000000u / ' 'counters*'
places "where a range of keys ends is not seen" hy_weight \
    'return count > dense ? count : dense;' 'return count;' 'all_distributions'
places "cells are counted as they stand" hy_count_cells \
    'encode ? hy_encode(codec, key) : key' 'key' 'all_distributions'
places "the places are not waited for" hy_wait_for_trials \
    '(attempt & HY_BY_PLACE ? 1 : 0)' '0' 'other*'
places "strays are not looked for" cells.cuh:load \
    'if (*valid >> i & 1) strange |= (unsigned)Kind::image(key[i]) ^ common;' ';' 'a_stray'
hybrid "a common value goes to a bucket" hy_sample \
    'gb_glance(repeated) <= keys / 16384 + 2' 'true' 'common*'
hooked "the places are made of counts that no fence stands behind" hy_end_trial \
    $'__threadfence();\n    __syncthreads();' '__syncthreads();' hybrid --case n=140000,dist=normal
hybrid "what lies in a rack beyond the usual is taken for keys" buckets.cuh:order \
    'if ((unsigned)i >= second) word[i] |= 0xffff0000u;' ';' 'full_racks'
hybrid "a rack with one key too many is not told" order_all \
    'most > base::ROOM ?' 'most > base::ROOM + 1 ?' 'full_racks'
hybrid "a rack with one number too many is not told" order_all \
    'count > base::ROOM ?' 'count > base::ROOM + 1 ?' 'full_racks'
hybrid "only the usual places of racks are put in order" order_all \
    'if (__any_sync(GB_FULL_MASK, most > base::USUAL))' 'if (false)' 'full_racks'
hybrid "only the usual numbers of racks are put in order" order_all \
    'if (__any_sync(GB_FULL_MASK, count > base::USUAL))' 'if (false)' 'full_racks'
hybrid "the second of two groups is named as the first one" buckets.cuh:order \
    '(named + open + 1)' 'named' 'random*'
hybrid "a key without a place is put behind the racks" draw \
    'place < BYTES ? place : BYTES - 2' 'place' 'full_racks'
hybrid "ties in racks are left as they are" buckets.cuh:order \
    'if (alike) insert(racks + before, count);' ';' 'ties'
hybrid "buckets with a full rack are left" hy_local_rest \
    'const unsigned buckets = sort.rest[0];' 'const unsigned buckets = 0;' 'full_racks'
hybrid "racks hold fewer bits than a key has left" buckets.cuh:fits \
    'return this->shift <= 16;' 'return true;' 'random*'
ordered "elements are not compared" hy_copy_ordered_elements \
    'wrong |= descends ? a < b : a > b;' ';' 'two_in*'
ordered "a warp's last element is compared with itself" hy_copy_ordered_elements \
    'lane < GB_WARP - 1 ? right : behind[f]' 'right' 'two_in*'
ordered "payloads are not reversed" hy_copy_ordered_elements \
    '__stcs(payload_out + to, with[f])' '__stcs(payload_out + i, with[f])' 'sizes'
finish
