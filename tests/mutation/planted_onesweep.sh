#!/bin/bash
# test: thorough turns 48
# Mistakes planted in onesweep: its unit tests find each (lib_planted.sh); where
# one block reads what others have published, gpubench check, with memory that is not in order.
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

onesweep() { plant_in "${@:1:4}" test_radix_sort_onesweep "$5"; }
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
