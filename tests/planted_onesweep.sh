#!/bin/bash
# Mistakes planted in onesweep and hybrid: their unit tests find each (lib_planted.sh).
primitive=radix-sort unit_tests="test_radix_sort_onesweep test_radix_sort_hybrid"
. "$(dirname "$0")/lib_planted.sh"

# The test of hybrid has its source compiled in: the archive can stay as it is.
onesweep() { plant_in "$1" "kernels/radix-sort/$2" "$3" "$4" test_radix_sort_onesweep "$5"; }
hybrid() { plant_in "$1" "kernels/radix-sort/$2" "$3" "$4" test_radix_sort_hybrid "$5" -o build/libsimt.a; }
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
    'if (pairs > keys * keys' 'if (pairs <= keys * keys' '*even_keys*'
hybrid "bits that do not count are lost" hybrid_pages.cuh \
    'key << codec.turn | key >> (32 - codec.turn)' 'key << codec.turn' 'random*'
hybrid "nobody sorts what the stages leave" hybrid.cu \
    'return os_sort(&problem->shape, job->device, &data, stream, &job->error);' 'return GB_OK;' 'a_crowd*'
onesweep "the look-back ends at the first count it meets" onesweep.cuh \
    'if (os_word<Position>::state(word[b]) == 2) return sum;' 'return sum;' 'random*'
onesweep "the look-back does not wait" onesweep.cuh \
    'if (!os_word<Position>::state(word[b])) break;' ';' 'other*'
onesweep "words are not cleared for the next pass" onesweep.cuh \
    'both_words[(size_t)(~step.ordinal & 1) * tiles * OS_DIGITS + line] = 0;' ';' 'random*'
onesweep "what lies past the end is a key" onesweep.cuh \
    'if (row + i * GB_WARP >= valid) key[i] = ~(Key)0;' ';' 'random*'
onesweep "the first block makes the plan" onesweep_count.cuh \
    '&plan->counted, 1u) == gridDim.x - 1' '&plan->counted, 1u) == 0' 'random*'
finish
