#!/bin/bash
# test: thorough turns 90
# Mistakes planted in the stable partitions of our own: gpubench check finds each (lib_planted.sh), and what was
# drawn out of order is done anew.
types="k4_p0 k8_p16"
. "$(dirname "$0")/lib_planted_partition.sh"

# in order
plant "equals in a warp's rows before do not count" /ordered.:rank \
    'mixed[i] |= (before + below) << 16;' 'mixed[i] |= below << 16;' stable "${many[@]}"
plant "what waits does not leave before what does not fit" make_way \
    'if (owns && stretches[own].straight) {' 'if (false) {' stable "${reversed[@]}"
plant "the first group begins where its buffer does" /ordered.:lay_out \
    's.from = s.next = (unsigned short)first;' 's.next = (unsigned short)first; s.from = s.start;' stable "${many[@]}" --schedules 5
plant "slots are handed out before all warps have counted" mp_move_ordered \
    'block.rank(key, valid, mixed); __syncthreads();' 'block.rank(key, valid, mixed);' stable "${many[@]}" --schedules 5
plant "what waits is overwritten before it leaves" mp_move_ordered \
    'block.make_way(); __syncthreads();' 'block.make_way();' stable "${reversed[@]}" --schedules 30
plant "digits behind the first 256 begin at 0" mp_scan_each \
    'const unsigned each = (count + THREADS - 1) / THREADS;' 'const unsigned each = 1;' stable --case n=20011,bins=512

# drawn in turn: by default lanes run in their order, and so all is proved
plant "that keys drew out of order is not said" mp_move_in_turn \
    'if (bad) atomicExch(failed, (unsigned)MP_FAILED);' ';' stable-drawn "${many[@]}" --schedules 3
plant "who drew before is not looked at" proof \
    'bad |= place_and_slot(i, word[i]) - before[i] - 1;' ';' stable-drawn "${many[@]}" --schedules 3
plant "the slot alone is looked at" MP_OUT_OF_TURN \
    'MP_OUT_OF_TURN = 0x8000ffffu;' 'MP_OUT_OF_TURN = 0xffffu;' stable-drawn --case n=64,bins=9 \
    --policy priority --schedules 10
plant "votes do not do what a crowd keeps from drawing" mp_move_ordered \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' 'if (parts.only_if) return;' stable-drawn "${few[@]}"
plant "what was drawn out of order is not done anew" mp_move_ordered \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' 'if (parts.only_if) return;' stable-drawn "${many[@]}" --schedules 3
spoiled "nothing is drawn anew" mp_move_ordered \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' 'if (parts.only_if) return;'
# not in parallel, where the clock may take a thread away while it draws
export SIMT_RESIDENT=2
passing "nothing is drawn anew: nothing has to be" stable-drawn \
    "${many[@]}" "${some[@]}" "${sorted[@]}" "${reversed[@]}"
passing "nothing is drawn anew: nothing has to be in two passes" \
    stable-drawn-two-pass "${many[@]}" --case n=100003,bins=400,dist=sorted --case n=65537,bins=400,dist=reversed
plant "warps do not wait for their turn" gb_turns_meet \
    'i < times;' 'i < 0 * times;' stable-drawn "${many[@]}"
plant "keys that find no room go to the one place" 'in*turn:gather' \
    'const uint64_t place = bases[digits[i]] + mp_word_next(word[i]);' 'const uint64_t place = bases[digits[i]];' \
    stable-drawn "${reversed[@]}"
plant "after keys that found no room the next one's place is forgotten" plan \
    'own->base += next - first;' ';' stable-drawn "${reversed[@]}"
plant "one that draws for all draws for too few" draw \
    'drew = atomicAdd(&words[digits[0]], (unsigned)MINE);' 'drew = atomicAdd(&words[digits[0]], (unsigned)MINE - 1);' \
    stable-drawn "${sorted[@]}"
tenths=(--case "n=65537,bins=100,dist=distinct:10") # two of which are a crowd, for none has an eighth
plant "all of a crowd in a row have one slot" draw_crowd \
    '__popc((one ? ones : others) & gb_lanes_below());' '0;' stable-drawn "${tenths[@]}"
plant "rows before do not count in a crowd" draw_crowd \
    'of_second += __popc(others);' ';' stable-drawn "${tenths[@]}"
plant "a warp draws for half of a crowd" draw_crowd \
    'atomicAdd(&words[which], count);' 'atomicAdd(&words[which], count / 2);' stable-drawn "${tenths[@]}"
plant "what is behind the end counts as drawn for" mp_move_in_turn \
    '? block_of::TILE - valid : 0, last);' '? 0 : 0, last);' stable-drawn "${many[@]}"
cleared
unset SIMT_RESIDENT

# tiles: a block has several, and the last is not whole; of wide elements the keys' memory is the payloads', too
wide=(--case "n=100003,bins=256,type=u64,payload=u128")
wide_few=(--case "n=100003,bins=7,type=u64,payload=u128")
plant "equals in a warp's rows before do not count in a tile" mp_rank_rows \
    'rank[i] = before + below;' 'rank[i] = below;' stable-tiles "${many[@]}"
plant "the last of a row's equals does not clear who they were" mp_rank_rows \
    'peers[digit[i]] = 0;' ';' stable-tiles "${wide[@]}"
plant "the last of a row's equals counts itself alone" mp_rank_rows \
    'counts[digit[i]] = before + below + 1;' 'counts[digit[i]] = before + 1;' stable-tiles "${wide_few[@]}"
plant "a row's equals are read before all have said where they are" mp_rank_rows \
    'gb_lane()); __syncwarp();' 'gb_lane());' stable-tiles "${many[@]}"
plant "who had a digit before has the room of a tile's keys alone" mp_tiles_room \
    'elements > peers ? elements : peers' 'elements' stable-tiles --case n=20011,bins=512
plant "a table has no room beside a tile" mp_try_tiles \
    '::bytes(need.digits) + need.table;' '::bytes(need.digits);' stable-tiles --case n=20011,bins=256,function=splitters
plant "equals in a tile's warps before do not count" mp_move_tiles \
    'before += count;' ';' stable-tiles "${many[@]}"
plant "a tile's ranks begin with what the memory held" mp_move_tiles \
    'of_warp[d] = peers[d] = 0;' 'of_warp[d] = 0;' stable-tiles "${wide[@]}"
plant "warps count on from tile to tile" mp_move_tiles \
    'of_warp[d] = peers[d] = 0;' 'peers[d] = 0;' stable-tiles "${many[@]}"
plant "each tile goes where the part's first does" mp_move_tiles \
    'next += total;' ';' stable-tiles "${wide[@]}"
plant "a tile's keys behind the part's end are written" mp_move_tiles \
    'if (in_tile >= valid) break;' ';' stable-tiles "${many[@]}"
plant "a tile's payloads behind the part's end are written" mp_move_tiles \
    'if (in_tile < valid) out.payload' 'out.payload' stable-tiles "${wide[@]}"
plant "payloads are written as they were read" mp_move_tiles \
    'payloads[slot[i]] =' 'payloads[mine - at + i * GB_WARP] =' stable-tiles "${wide[@]}"
plant "a tile's digits are added up before all warps have ranked" mp_move_tiles \
    'mp_rank_rows(digits, peers, of_warp, slot); __syncthreads();' 'mp_rank_rows(digits, peers, of_warp, slot);' \
    stable-tiles "${many[@]}" --schedules 5
plant "slots of a tile are taken before all digits have theirs" mp_move_tiles \
    'before += count; } } __syncthreads();' 'before += count; } }' stable-tiles "${many[@]}" --schedules 5
plant "a tile's keys leave before all are sorted" mp_move_tiles \
    'keys[slot[i]] = key[i]; __syncthreads();' 'keys[slot[i]] = key[i];' stable-tiles "${many[@]}" --schedules 5
plant "payloads come before all keys have left" mp_move_tiles \
    'if constexpr (WORDS > 0) { __syncthreads();' 'if constexpr (WORDS > 0) {' stable-tiles "${wide[@]}" --schedules 5
plant "payloads leave before all are sorted" mp_move_tiles \
    'in.payload + mine + i * GB_WARP); __syncthreads();' 'in.payload + mine + i * GB_WARP);' \
    stable-tiles "${wide[@]}" --schedules 5
plant "the next tile is ranked before all payloads have left" mp_move_tiles \
    'out.payload[place[i]] = payloads[in_tile]; } } __syncthreads();' \
    'out.payload[place[i]] = payloads[in_tile]; } }' stable-tiles "${wide[@]}" --schedules 5

# many parts: more than threads that add them up, of which 256 would take the stacks of too many blocks
spoiled "few threads add parts up" MP_PARTS_SCAN_THREADS '256' '32'
SIMT_WORKERS=20
plant "parts behind the first 32 begin at 0" mp_scan_row \
    'parts.before[row + mine] = before + sum;' 'parts.before[row + mine] = sum;' stable --case n=400000,bins=2
cleared
SIMT_WORKERS=2
finish
