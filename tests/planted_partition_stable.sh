#!/bin/bash
# Mistakes planted in the stable partitions of our own: gpubench check finds each (lib_planted.sh), and what was
# drawn out of order is done anew.
. "$(dirname "$0")/lib_planted_partition.sh"

# in order
plant "equals in a warp's rows before do not count" ordered.cuh \
    'mixed[i] |= (before + below) << 16;' 'mixed[i] |= below << 16;' stable "${many[@]}"
plant "what waits does not leave before what does not fit" ordered.cuh \
    'if (owns && stretches[own].straight) {' 'if (false) {' stable "${reversed[@]}"
plant "the first group begins where its buffer does" ordered.cuh \
    's.from = s.next = (unsigned short)first;' 's.next = (unsigned short)first; s.from = s.start;' stable "${many[@]}"
unmet "slots are handed out before all warps have counted" ordered.cuh \
    'block.rank(key, valid, mixed);' 1 stable "${many[@]}" --schedules 5
unmet "what waits is overwritten before it leaves" ordered.cuh \
    'block.make_way();' 1 stable "${reversed[@]}" --schedules 30
plant "digits behind the first 256 begin at 0" counts.cuh \
    'const unsigned each = (count + THREADS - 1) / THREADS;' 'const unsigned each = 1;' stable --case n=20011,bins=512

# drawn in turn: by default lanes run in their order, and so all is proved
plant "that keys drew out of order is not said" in_turn.cuh \
    'if (bad) atomicExch(failed, (unsigned)MP_FAILED);' ';' stable-drawn "${many[@]}" --schedules 3
plant "who drew before is not looked at" in_turn.cuh \
    'bad |= place_and_slot(i, word[i]) - before[i] - 1;' ';' stable-drawn "${many[@]}" --schedules 3
plant "the slot alone is looked at" in_turn.cuh \
    'MP_OUT_OF_TURN = 0x8000ffffu;' 'MP_OUT_OF_TURN = 0xffffu;' stable-drawn --case n=64,bins=9 \
    --policy priority --schedules 10
plant "votes do not do what a crowd keeps from drawing" ordered.cuh \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' 'if (parts.only_if) return;' stable-drawn "${few[@]}"
plant "what was drawn out of order is not done anew" ordered.cuh \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' 'if (parts.only_if) return;' stable-drawn "${many[@]}" --schedules 3
spoiled "nothing is drawn anew" "$folder/ordered.cuh" \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' 'if (parts.only_if) return;'
cp "$scratch/kept" "$scratch/drawn_anew"
check "nothing is drawn anew: builds" again build/gpubench-simt
# not in parallel, where the clock may take a thread away while it draws
check "nothing is drawn anew: nothing has to be" env SIMT_RESIDENT=2 build/gpubench check "$primitive" --device simt --variant stable-drawn \
    "${many[@]}" "${some[@]}" "${sorted[@]}" "${reversed[@]}"
check "nothing is drawn anew: nothing has to be in two passes" env SIMT_RESIDENT=2 build/gpubench check "$primitive" --device simt \
    --variant stable-drawn-two-pass "${many[@]}" --case n=100003,bins=400,dist=sorted --case n=65537,bins=400,dist=reversed
plant "warps do not wait for their turn" ../../common/cuda/turns.cuh \
    'i < times;' 'i < 0 * times;' stable-drawn "${many[@]}" --schedules 3
plant "keys that find no room go to the one place" in_turn.cuh \
    'const uint64_t place = bases[digits[i]] + mp_word_next(word[i]);' 'const uint64_t place = bases[digits[i]];' \
    stable-drawn "${reversed[@]}"
plant "after keys that found no room the next one's place is forgotten" in_turn.cuh \
    'own->base += next - first;' ';' stable-drawn "${reversed[@]}"
plant "one that draws for all draws for too few" in_turn.cuh \
    'drew = atomicAdd(&words[digits[0]], (unsigned)MINE);' 'drew = atomicAdd(&words[digits[0]], (unsigned)MINE - 1);' \
    stable-drawn "${sorted[@]}"
tenths=(--case "n=65537,bins=100,dist=distinct:10") # two of which are a crowd, for none has an eighth
plant "all of a crowd in a row have one slot" in_turn.cuh \
    '__popc((one ? ones : others) & gb_lanes_below());' '0;' stable-drawn "${tenths[@]}"
plant "rows before do not count in a crowd" in_turn.cuh \
    'of_second += __popc(others);' ';' stable-drawn "${tenths[@]}"
plant "a warp draws for half of a crowd" in_turn.cuh \
    'atomicAdd(&words[which], count);' 'atomicAdd(&words[which], count / 2);' stable-drawn "${tenths[@]}"
plant "what is behind the end counts as drawn for" in_turn.cuh \
    '? block_of::TILE - valid : 0, last);' '? 0 : 0, last);' stable-drawn "${many[@]}"
cp "$scratch/drawn_anew" "$folder/ordered.cuh"

# many parts: more than threads that add them up, of which 256 would take the stacks of too many blocks
spoiled "few threads add parts up" "$folder/parts.cuh" 'MP_PARTS_SCAN_THREADS = 256 };' 'MP_PARTS_SCAN_THREADS = 32 };'
cp "$scratch/kept" "$scratch/scanned"
SIMT_WORKERS=20
check "few threads add parts up: builds" again build/gpubench-simt
plant "parts behind the first 32 begin at 0" parts.cuh \
    'parts.before[row + mine] = before + sum;' 'parts.before[row + mine] = sum;' stable --case n=400000,bins=2
cp "$scratch/scanned" "$folder/parts.cuh"
SIMT_WORKERS=2
finish
