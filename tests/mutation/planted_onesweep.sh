#!/bin/bash
# test: thorough turns 73
# Mistakes planted in onesweep and hybrid: their unit tests find each (lib_planted.sh); where
# one block reads what others have published, gpubench check, with memory that is not in order.
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

onesweep() { plant_in "${@:1:4}" test_radix_sort_onesweep "$5"; }
hybrid() { plant_in "${@:1:4}" test_radix_sort_hybrid "$5"; }
few() { plant_in "${@:1:4}" test_radix_sort_few "$5"; }

hybrid "a carried key is lost" \
    gb_partition 'if (at < begin >> 24) tile' 'if (at + 1 < begin >> 24) tile' 'random*'
hybrid "a page takes one group too many" \
    gb_partition '(q < to.split ?' '(q <= to.split ?' 'random*'
hybrid "a full row is not told" 'hybrid*pages:take' \
    'atomicOr(verdict, (unsigned)HY_ROW_FULL);' ';' 'a_crowd_beside*'
hybrid "a bucket that is too large is not told" hy_local \
    'if (me == 0) atomicOr(sort.verdict, (unsigned)HY_TOO_LARGE);' ';' 'the_largest*'
hybrid "windows are never shifted" hy_local \
    'shifted <= 4; shifted += 4' 'shifted < 4; shifted += 4' 'random*'
hybrid "windows are gone over once" hy_local \
    'while (__syncthreads_or(parted));' 'while (__syncthreads_or(false && parted));' 'a_bucket*'
hybrid "the sample is turned round" hy_sample \
    'if (pairs <= keys * keys' 'if (pairs > keys * keys' '*even_keys*'
hybrid "bits that do not count are lost" hy_encode \
    'key << codec.turn | key >> (32 - codec.turn)' 'key << codec.turn' 'random*'
hybrid "nobody sorts what the stages leave" run_plan \
    'return os_sweep(&problem->shape, job->device, &data, stream, &job->error);' 'return GB_OK;' 'a_crowd*'
hybrid "one or two digits are sorted in stages" serves \
    'if (rs_passes(shape, OS_BITS) <= 2) return false;' ';' 'the_variant'
few "keys whose values are counted are sorted, too" hy_local \
    '(HY_REFUSED | HY_ROW_FULL)) | said.y)' '(HY_REFUSED | HY_ROW_FULL)))' 'few_values*'
few "that a block has too many values is not told" hy_few_count \
    'if (me == 0) atomicOr(verdict, (unsigned)HY_MANY);' ';' 'many_values_alike*'
few "a value too many finds a slot" hy_few_slot \
    '< HY_FEW_MOST - 1 ?' '< HY_FEW_MOST ?' 'as_many*'
few "0 shares its slot" hy_few_slot \
    'if (slot) {' 'if (slot + 1) {' 'values_of_one_home*'
few "who was late takes the slot of another value" hy_few_slot \
    'held = atomicCAS(table.values + slot, 0u, value);' \
    '(void)atomicCAS(table.values + slot, 0u, value);' 'other*'
few "the keys behind the last four are not counted" hy_few_count \
    'me < n % 4) hy_few_add' 'me < n % 2) hy_few_add' 'one_that*'
few "one lane's counters are not summed up" hy_few_count \
    'gb_warp_sum(counts[slot * GB_WARP + lane])' \
    'gb_warp_sum(lane ? counts[slot * GB_WARP + lane] : 0u)' 'random*'
few "values are ordered as they stand" hy_few_write \
    'encode ? hy_encode(codec, value) : value' 'value' 'few_values*'
few "four keys are always equal" hy_few_write \
    'if (e + 3 >= end) {' 'if (e >= end) {' 'random*'
onesweep "the look-back ends at the first count it meets" os_look_back \
    'if (os_word<Position>::state(word[b]) == 2) return sum;' 'return sum;' 'random*'
onesweep "the look-back does not wait" os_look_back \
    'if (!os_word<Position>::state(word[b])) break;' ';' 'other*'
onesweep "words are not cleared for the next pass" 'onesweep*tile:publish' \
    'other_words[line] = 0;' ';' 'random*'
onesweep "what lies past the end is a key" 'onesweep*tile:prepare' \
    'if (row + i * GB_WARP >= valid) key[i] = ~(Key)0;' ';' 'random*'
onesweep "the next tile is ranked on top of the last one" os_move_keys \
    'block.clear_counts();' ';' 'random*'
onesweep "counters are cleared before all lanes have read them" os_move_keys \
    '__syncwarp();' ';' 'other*'
onesweep "the next tile is not made images of" os_move_keys \
    'block.prepare(next, key);' ';' 'random*'
onesweep "a place takes the other half along" replace \
    '(both[i / 2] & 0xffff0000u) | value' 'value' 'random*'
onesweep "the first block makes the plan" os_count \
    '&plan->counted, 1u) == gridDim.x - 1' '&plan->counted, 1u) == 0' 'random*'
onesweep "counts are left for the next sort" os_make_plan \
    'counts[place] = 0;' ';' 'fewer*'
onesweep "tickets are left for the next sort" os_make_plan \
    'plan->ticket[threadIdx.x] = 0;' ';' 'fewer*'
onesweep "what is left of the vectors is not counted" os_count_keys \
    'if (i + u * stride < vectors) add_all(rest[u]);' ';' 'random*'
onesweep "a wide key is counted from its first bit on" add_digits \
    'key = (Key)((uint64_t)key >> begin);' ';' 'random*'
onesweep "a wide key is counted by its lower half only" add_digits \
    'high.offset(upper,' 'high.offset((unsigned)key,' 'random*'
onesweep "a last digit of fewer bits is counted with more" os_counters \
    'left < OS_BITS ? left : (unsigned)OS_BITS' 'left < 1 ? 0 : (unsigned)OS_BITS' 'random*'
hooked "the last block plans with counts that no fence stands behind" os_count \
    '__threadfence();' ';' onesweep --case n=34000
finish
