#!/bin/bash
# test: thorough turns 40
# Mistakes planted in the sort of small inputs: its unit test finds each (lib_planted.sh); where one block reads what
# others have published, gpubench check, with memory that is not in order.
primitive=radix-sort
. "$(dirname "$0")/lib_planted.sh"

small() { plant_in "${@:1:4}" test_radix_sort_small "$5"; }

small "what lies past the end ranks before all others" 'small*block:take' \
    'load(place_of(i)) : ~(Key)0;' 'load(place_of(i)) : (Key)0;' 'random*'
small "lanes of one digit are counted as one" 'small*block:rank' \
    '(unsigned short)(before + below + 1)' '(unsigned short)(before + 1)' 'random*'
small "a warp's run begins behind its own keys" find_starts \
    'if (g < group) before += theirs;' 'if (g <= group) before += theirs;' 'random*'
small "what lies past the end is counted" find_starts \
    'found.counts -= digit_of.mask & 1 ? past << 16 : past;' ';' 'random*'
small "a block whose keys have several digits is taken for constant" find_starts \
    '(found.counts & 0xffffu) == valid' '(found.counts & 0xffffu) != 0' 'random*'
small "payloads stay where they are" 'small*block:move' \
    'payload[slot(ranks.get(i))] = moved[i];' 'payload[slot(place_of(i))] = moved[i];' 'random*'
small "a block's run begins behind its own keys" sm_find_places \
    'if (first + k * GROUPS >= team.rank) continue;' 'if (first + k * GROUPS > team.rank) continue;' 'random*'
small "all blocks' runs begin together" sm_find_places \
    'begin + desk.part[2 * SM_WORDS + at];' 'begin;' 'random*'
small "a share that no block holds is given to one" sm_find_places \
    'desk.behind[owner] - desk.first[owner] > most' 'desk.behind[owner] - desk.first[owner] > n' 'full*'
small "odd digits begin where even ones do" sm_prepare \
    '0u - (own.starts >> 16);' '0u - (own.starts & 0xffffu);' 'random*'
small "several runs on the chip are taken for one" sm_sort_kernel \
    'team.given(begin, block.valid - 1)) - first;' 'team.given(begin, 0)) - first;' 'random*'
small "digits that differ are left out" sm_sort_kernel \
    'if (shares == SM_CONSTANT) end_bit = at;' 'end_bit = at;' 'uneven*'
small "what the digits that are left out change is not looked for" 'small*block:mend' \
    'if (groups == 0) return true;' 'return true;' 'few*'
small "groups begin before the first element that is out of order" 'small*block:group_of' \
    'while (first) {' 'while (false) {' 'few*'
small "the highest bit that differs is taken for one that agrees" sm_sort_kernel \
    'sm_bits_of(bits);' 'sm_bits_of(bits >> 1);' 'random*'
small "-0 becomes what lies past the end" sm_sort_kernel \
    'if (FLOAT && (Key)(zeros.minus' 'if (false && (Key)(zeros.minus' 'random*'
small "payloads are written before they have moved" sm_sort_kernel \
    '__syncthreads(); /* payloads have moved */' ';' 'other*'
small "shares of the lower digits all begin at 0" sm_hand_over \
    'desk.first[owner] : owner * sort.part;' 'desk.first[owner] : 0;' 'uneven*'
small "a meeting is left for the next sort" 'small*small:leave' \
    'sort.meeting->arrived = 0;' ';' 'random*'
small "a block goes on when others are still on their way" 'small*small:wait' \
    ', meetings * size);' ', (meetings - 1) * size + 1);' 'other*'
small "the shared memory of another block is one's own" of_block \
    'room_->shared[block]' 'room_->shared[rank]' 'random*'
small "counts of a cluster's meeting are overwritten by the next one's" 'small*small:counts_of' \
    '*cluster.of_block(counts + turn * SM_WORDS + word, block);' \
    '*cluster.of_block(counts + word, block);' 'random*'
hooked "blocks meet without a fence behind what they wrote" gb_arrive \
    '__threadfence();' ';' small --case n=9000
finish
