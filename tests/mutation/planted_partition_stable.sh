#!/bin/bash
# test: thorough turns 110
# Mistakes planted in the stable partitions of our own: gpubench check finds each (lib_planted.sh), and what was
# drawn out of order is done anew.
types="k4_p0 k8_p8"
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

# tiles: a block has several, and the last is not whole
wide=(--case "n=100003,bins=256,type=u64,payload=u64")
wide_few=(--case "n=100003,bins=7,type=u64,payload=u64")
plant "some digits have two owners, others none" mp_owned \
    '(warp + lane * WARPS / GB_WARP) % WARPS;' '(warp / 2 + lane * WARPS / GB_WARP) % WARPS;' stable "${many[@]}"
plant "equals in a warp's rows before do not count in a tile" rank_rows \
    'rank[i] = before + below;' 'rank[i] = below;' stable-tiles "${many[@]}"
plant "the last of a row's equals does not clear who they were" rank_rows \
    'peers[digit[i]] = 0;' ';' stable-tiles "${wide[@]}"
plant "the last of a row's equals counts itself alone" rank_rows \
    '(count_type)(before + below + 1);' '(count_type)(before + 1);' stable-tiles "${wide_few[@]}"
plant "a row's equals are read before all have said where they are" rank_rows \
    'gb_lane()); __syncwarp();' 'gb_lane());' stable-tiles "${many[@]}"
plant "who had a digit before has the room of a tile's keys alone" tile_bytes \
    '(all > votes ? all : votes)' 'all' stable-tiles --case n=20011,bins=1000
plant "payloads are staged where a tile's keys are" tiles:mp_tiles \
    'memory += STAGED;' ';' stable-tiles "${wide[@]}"
plant "parts begin where 16 bytes of payloads do" tiles:gather \
    'within_chunk(at) + mp_row_place<ITEMS>();' 'mp_row_place<ITEMS>();' stable-tiles-two-pass "${wide[@]}"
plant "equals in a tile's warps before do not count" mp_move_tiles_in_order \
    'before += count;' ';' stable-tiles "${many[@]}"
plant "a tile's ranks begin with what the memory held" mp_move_tiles_in_order \
    'of_warp[d] = t.peers[d] = 0;' 'of_warp[d] = 0;' stable-tiles "${wide[@]}"
plant "warps count on from tile to tile" mp_move_tiles_in_order \
    'of_warp[d] = t.peers[d] = 0;' 't.peers[d] = 0;' stable-tiles "${many[@]}"
plant "of two threads that add up a digit's warps one does not know the other's" mp_move_tiles_in_order \
    'second ? first + other : first;' 'first;' stable-tiles --case "n=100003,bins=20"
plant "each tile goes where the part's first does" mp_move_tiles_in_order \
    'next += total;' ';' stable-tiles "${wide[@]}"
plant "what is behind a part's end is written, too" tiles:write \
    'if ((first + k) * THREADS + threadIdx.x < valid) out.keys[to[k]]' 'out.keys[to[k]]' stable-tiles "${many[@]}"
plant "payloads are written as they were read" tiles:write \
    'staged[origin[k] & 0xffffu]' 'staged[(first + k) * THREADS + threadIdx.x]' stable-tiles "${wide[@]}"
plant "the next tile's keys are this one's" mp_move_tiles_in_order \
    '(in_keys, after, found.end, key, none);' '(in_keys, at, found.end, key, none);' stable-tiles "${many[@]}"
plant "a tile's digits are added up before all warps have ranked" mp_move_tiles_in_order \
    't.rank_rows(digits, of_warp, slot); __syncthreads();' 't.rank_rows(digits, of_warp, slot);' \
    stable-tiles "${many[@]}" --schedules 5
plant "slots of a tile are taken before all digits have theirs" mp_move_tiles_in_order \
    'before += count; } } __syncthreads();' 'before += count; } }' stable-tiles "${many[@]}" --schedules 5
plant "a tile's keys leave before all are sorted" mp_move_tiles_in_order \
    't.gather(key, digits, slot, at); __syncthreads();' 't.gather(key, digits, slot, at);' stable-tiles "${many[@]}" --schedules 5
plant "the next tile's payloads come while this one leaves" mp_move_tiles_in_order \
    'at = after; __syncthreads(); t.fetch(in, at, found.end);' 'at = after; t.fetch(in, at, found.end); __syncthreads();' \
    stable-tiles "${wide[@]}" --schedules 5

# tiles in any order
foreseen=(--case "n=100003,bins=20,type=u64,payload=u64")
plant "what a tile lacks at the end is drawn for" mp_move_tiles \
    'there &= ~(1u << i);' ';' unstable-tiles "${many[@]}"
plant "what a tile lacks has a slot" mp_move_tiles \
    'slot[i] = there >> i & 1 ? slot[i] + t.counts[digits[i]] : tiles::TILE;' \
    'slot[i] = (there >> i & 1 ? slot[i] : 0) + t.counts[digits[i]];' unstable-tiles "${many[@]}"
plant "a tile's counts begin with the last one's" mp_move_tiles \
    't.gather(key, digits, slot, at); __syncthreads(); if (own.owns) t.counts[own.slot] = 0;' \
    't.gather(key, digits, slot, at); __syncthreads();' unstable-tiles --case n=100003,bins=2 # which are never done anew
plant "payloads that go aside go where their keys do" mp_move_tiles \
    't.payload_places[own.slot] = flush.payload_base - first;' 't.payload_places[own.slot] = flush.base - first;' \
    unstable-tiles "${foreseen[@]}"
plant "of two digits the second's places end where sectors do" mp_foresee_regions \
    'regions.two_ended && !regions.ragged ?' 'regions.two_ended ?' unstable-tiles --case n=100003,bins=2
plant "a run's places are taken before all have drawn" mp_move_tiles \
    'mp_draw(t.counts, digits, there, slot); __syncthreads();' 'mp_draw(t.counts, digits, there, slot);' \
    unstable-tiles "${foreseen[@]}" --schedules 5
plant "keys leave before all have slots" mp_move_tiles \
    't.gather(key, digits, slot, at); __syncthreads();' 't.gather(key, digits, slot, at);' unstable-tiles "${foreseen[@]}" --schedules 5

plant "what a sample has foreseen is moved again by tiles" mp_move_tiles \
    'if (regions.only_if && !mp_is_anew(regions.only_if)) return;' ';' unstable-tiles "${foreseen[@]}"
plant "all segments' digits go where the first one's do" mp_move_tiles \
    's->progress.first_region + own.slot;' 'own.slot;' unstable-tiles-two-pass "${wide[@]}"
plant "tiles fill counted regions from whole sectors on" mp_open_counted \
    'c.ragged ? begin[k] : mp_next_sector(begin[k]);' 'mp_next_sector(begin[k]);' unstable-tiles-counted "${many[@]}"
plant "tiles fill a segment's regions from whole sectors on" mp_open_regions \
    'regions.ragged ? begin : mp_next_sector(begin);' 'mp_next_sector(begin);' \
    unstable-tiles-two-pass --case n=100003,bins=32768
plant "the next tile's payloads come before all of this one have left" mp_move_tiles \
    't.write(out, valid); __syncthreads();' 't.write(out, valid);' unstable-tiles "${foreseen[@]}" --schedules 5

# many parts: more than threads that add them up, of which 256 would take the stacks of too many blocks
spoiled "few threads add parts up" MP_PARTS_SCAN_THREADS '256' '32'
SIMT_WORKERS=20
plant "parts behind the first 32 begin at 0" mp_scan_row \
    'parts.before[row + mine] = before + sum;' 'parts.before[row + mine] = sum;' stable --case n=400000,bins=2
cleared
SIMT_WORKERS=2
finish
