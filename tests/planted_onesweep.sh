#!/bin/bash
# Mistakes planted in onesweep and hybrid: their unit tests find each (lib_planted.sh).
primitive=radix-sort unit_tests="test_radix_sort_onesweep test_radix_sort_hybrid test_radix_sort_few"
. "$(dirname "$0")/lib_planted.sh"

# The tests of hybrid have its source compiled in: the archive can stay as it is.
onesweep() { plant_in "$1" "kernels/radix-sort/$2" "$3" "$4" test_radix_sort_onesweep "$5"; }
hybrid() { plant_in "$1" "kernels/radix-sort/$2" "$3" "$4" test_radix_sort_hybrid "$5" -o build/libsimt.a; }
few() { plant_in "$1" "kernels/radix-sort/$2" "$3" "$4" test_radix_sort_few "$5" -o build/libsimt.a; }
pages() { plant_in "$1" common/cuda/pages.cuh "$2" "$3" test_radix_sort_hybrid "$4" -o build/libsimt.a; }

pages "a carried key is lost" \
    'if (at < begin >> 24) tile' 'if (at + 1 < begin >> 24) tile' 'random*'
pages "a page takes one group too many" \
    '(q < to.split ?' '(q <= to.split ?' 'random*'
hybrid "a full row is not told" hybrid_pages.cuh \
    'atomicOr(verdict, (unsigned)HY_ROW_FULL);' ';' 'a_crowd_beside*'
hybrid "a bucket that is too large is not told" hybrid_buckets.cuh \
    'if (me == 0) atomicOr(sort.verdict, (unsigned)HY_TOO_LARGE);' ';' 'the_largest*'
hybrid "windows are never shifted" hybrid_buckets.cuh \
    'shifted <= 4; shifted += 4' 'shifted < 4; shifted += 4' 'random*'
hybrid "windows are gone over once" hybrid_buckets.cuh \
    'while (__syncthreads_or(parted));' 'while (__syncthreads_or(false && parted));' 'a_bucket*'
hybrid "the sample is turned round" hybrid.cuh \
    'if (pairs <= keys * keys' 'if (pairs > keys * keys' '*even_keys*'
hybrid "bits that do not count are lost" hybrid_pages.cuh \
    'key << codec.turn | key >> (32 - codec.turn)' 'key << codec.turn' 'random*'
hybrid "nobody sorts what the stages leave" hybrid.cu \
    'return os_sort(&problem->shape, job->device, &data, stream, &job->error);' 'return GB_OK;' 'a_crowd*'
hybrid "one or two digits are sorted in stages" hybrid.cu \
    'if (rs_passes(shape, OS_BITS) <= 2) return false;' ';' 'the_variant'
few "keys whose values are counted are sorted, too" hybrid_buckets.cuh \
    '(HY_REFUSED | HY_ROW_FULL)) | said.y)' '(HY_REFUSED | HY_ROW_FULL)))' 'few_values*'
few "that a block has too many values is not told" hybrid_few.cuh \
    'if (me == 0) atomicOr(verdict, (unsigned)HY_MANY);' ';' 'many_values_alike*'
few "a value too many finds a slot" hybrid_few.cuh \
    '< HY_FEW_MOST - 1 ?' '< HY_FEW_MOST ?' 'as_many*'
few "0 shares its slot" hybrid_few.cuh \
    'if (slot) {' 'if (slot + 1) {' 'values_of_one_home*'
few "who was late takes the slot of another value" hybrid_few.cuh \
    'held = atomicCAS(table.values + slot, 0u, value);' \
    '(void)atomicCAS(table.values + slot, 0u, value);' 'other*'
few "the keys behind the last four are not counted" hybrid_few.cuh \
    'me < n % 4) hy_few_add' 'me < n % 2) hy_few_add' 'one_that*'
few "one lane's counters are not summed up" hybrid_few.cuh \
    'gb_warp_sum(counts[slot * GB_WARP + lane])' \
    'gb_warp_sum(lane ? counts[slot * GB_WARP + lane] : 0u)' 'random*'
few "values are ordered as they stand" hybrid_few.cuh \
    'encode ? hy_encode(codec, value) : value' 'value' 'few_values*'
few "four keys are always equal" hybrid_few.cuh \
    'if (e + 3 >= end) {' 'if (e >= end) {' 'random*'
onesweep "the look-back ends at the first count it meets" onesweep_tile.cuh \
    'if (os_word<Position>::state(word[b]) == 2) return sum;' 'return sum;' 'random*'
onesweep "the look-back does not wait" onesweep_tile.cuh \
    'if (!os_word<Position>::state(word[b])) break;' ';' 'other*'
onesweep "words are not cleared for the next pass" onesweep_tile.cuh \
    'other_words[line] = 0;' ';' 'random*'
onesweep "what lies past the end is a key" onesweep_tile.cuh \
    'if (row + i * GB_WARP >= valid) key[i] = ~(Key)0;' ';' 'random*'
onesweep "the next tile is ranked on top of the last one" onesweep.cuh \
    'block.clear_counts();' ';' 'random*'
onesweep "counters are cleared before all lanes have read them" onesweep.cuh \
    '__syncwarp();' ';' 'other*'
onesweep "the next tile is not made images of" onesweep.cuh \
    'block.prepare(next, key);' ';' 'random*'
onesweep "a place takes the other half along" onesweep_tile.cuh \
    '(both[i / 2] & 0xffff0000u) | value' 'value' 'random*'
onesweep "the first block makes the plan" onesweep_count.cuh \
    '&plan->counted, 1u) == gridDim.x - 1' '&plan->counted, 1u) == 0' 'random*'
onesweep "counts are left for the next sort" onesweep_count.cuh \
    'counts[place] = 0;' ';' 'fewer*'
onesweep "tickets are left for the next sort" onesweep_count.cuh \
    'plan->ticket[threadIdx.x] = 0;' ';' 'fewer*'
onesweep "what is left of the vectors is not counted" onesweep_count.cuh \
    'if (i + u * stride < vectors) add_all(rest[u]);' ';' 'random*'
onesweep "a wide key is counted by its first digits only" onesweep_count.cuh \
    'sizeof(Key) == 8 ? (unsigned)((uint64_t)key >> wide_begin) : (unsigned)key;' \
    '(unsigned)key;' 'random*'
onesweep "a last digit of fewer bits is counted with more" onesweep_count.cuh \
    'left < OS_BITS ? left : (unsigned)OS_BITS' 'left < 1 ? 0 : (unsigned)OS_BITS' 'random*'
finish
