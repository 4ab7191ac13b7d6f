#!/bin/bash
# test: thorough turns 80
# Mistakes planted in regions, in the mending and in the counts of the partitions that leave the order in a bin
# open, and in the one that stays on the chip: gpubench check finds each (lib_planted.sh).
types="k4_p0 k4_p4"
. "$(dirname "$0")/lib_planted_partition.sh"

# Doing it anew would put right what mistakes do: a pass with one of them soon has no room aside.
nothing_anew

# sorted input consists of runs, which two passes do not pass over
spoiled "runs are not looked for" mp_are_runs 'return compared && 16 * now->alike' 'return false && 16 * now->alike'

# regions
plant "a foreseen region has no end" mp_reserve \
    'if (at + count <= own.end) return count;' 'return count;' unstable "${some[@]}"
plant "each note is its digit's first" mp_reserve_aside \
    'mp_note{room, before, digit, count}' 'mp_note{room, 0, digit, count}' unstable "${some[@]}"
plant "where a region's writing ended is not noted" mp_reserve_aside \
    'atomicMin(&regions.written_to[digit], (unsigned long long)at);' ';' unstable "${some[@]}"
plant "the second of two digits goes up" mp_reserve \
    'if (own.down) flush->base' 'if (false) flush->base' unstable "${two[@]}"
plant "more than sectors leaves at an exact region's end" mp_reserve_aside \
    '(unsigned)(own.end - at) & ~(MP_SECTOR - 1u) : 0;' '(unsigned)(own.end - at) : 0;' unstable-counted "${many[@]}" --schedules 3
plant "an exact region's head is filled a place too far up" finish \
    'first - 1 - place : high' 'first - place : high' unstable-two-pass "${many[@]}"
plant "an exact region's tail is filled a place too far up" finish \
    'high - 1 - (place - head)' 'high - (place - head)' unstable-two-pass "${many[@]}"
plant "an exact region's first sector begins in the one before" mp_open_counted \
    ': mp_next_sector(begin[k]);' ': begin[k] & ~(uint64_t)(MP_SECTOR - 1);' unstable-counted "${many[@]}"
plant "the first sector begins in the one before, between two passes" mp_open_regions \
    ': mp_next_sector(begin);' ': begin & ~(uint64_t)(MP_SECTOR - 1);' unstable-two-pass "${most[@]}"
plant "a bin's keys in the last tile are not counted" mp_count_bins \
    'const uint64_t low = (tiles - 1 - t) * tile, high' 'if (t == 0 && tiles > 1) continue; const uint64_t low = (tiles - 1 - t) * tile, high' \
    unstable-counted "${many[@]}"
plant "the upper digits begin where their last bins do" mp_open_counted \
    '!(bin & ((1u << c.shift) - 1))) {' '!(bin + 1 & ((1u << c.shift) - 1))) {' unstable-two-pass "${many[@]}"
plant "four neighbours begin together" mp_open_counted \
    'begin[k - 1] + count[k - 1];' 'begin[k - 1];' unstable-counted "${many[@]}"
plant_in "bins are not counted in tiles of one digit" copy_whole \
    'if (tile != counted)' 'if (false)' test_multipartition_passes '*counted_in_passing*'
plant_in "bins are counted twice in the first tile of one digit" copy_whole \
    'if (tile != counted)' 'if (true)' test_multipartition_passes '*counted_in_passing*'
plant "of four neighbours one is not counted in passing" mp_count_in_passing \
    'mp_count_digits(counters, 1, digits, valid);' 'mp_count_digits(counters, 1, digits, valid & ~1u);' \
    unstable-sampled-two-pass "${many[@]}"
plant "counters begin with what was there" mp_move_unordered \
    'if constexpr (COUNTS) mp_clear_counters<THREADS>(counters, 1, digit.digits << digit.shift);' ';' \
    unstable-sampled-two-pass "${many[@]}" --schedules 3
plant "all segments have the first one's regions" mp_next_segment \
    '= (uint64_t)segment * s->digit.digits;' '= 0;' unstable-two-pass "${many[@]}"
plant "a segment begins before all have left the one before" mp_next_segment \
    '__syncthreads(); /* all have read progress.high, and what was before is over */' ';' unstable-two-pass "${many[@]}" --schedules 5

plant_in "the sample looks at the same places whatever the salt" mp_take_sample \
    'gb_scatter32((uint32_t)one ^ salt)' 'gb_scatter32((uint32_t)one)' test_multipartition_passes '*another_salt*'

plant "of an uneven input a block's later parts are forgotten" mp_next_segment \
    'part += gridDim.x;' 'part += 4 * gridDim.x;' unstable-two-pass --case n=1100009,bins=4096,dist=zipf

# mending
plant "places before what is right are none that are vacant" mp_vacancy \
    'return i < before ? t.first + i : t.high + (i - before);' 'return t.high + i;' unstable "${some[@]}"
plant "what is misplaced does not go aside" mp_take_misplaced \
    '*place = to + i;' '*place = 0;' unstable "${some[@]}"
plant "what blocks had left goes where notes go" mp_put_aside \
    't.misplaced + t.noted + k' 't.misplaced + k' unstable "${some[@]}"
plant "what was reserved in a region counts as written there" mp_plan_mending \
    'if (written != ~(uint64_t)0) inside = written - region;' ';' unstable "${some[@]}"

cleared

# counts
plant "a counter is not cleared" mp_clear_counters \
    'counters[i] = 0;' 'if (i != 1) counters[i] = 0;' unstable-counted "${many[@]}" --schedules 3

# on the chip
small=(--case "n=20011,bins=512")
plant "keys are written before all are counted" mp_move_resident \
    'gb_await(meeting.arrived, gridDim.x)' 'gb_await(meeting.arrived, 1)' unstable-resident "${small[@]}" --schedules 10
plant "all blocks write a bin's keys to one place" mp_move_resident \
    'places[d] -= words[d];' 'places[d] = 0 - words[d];' unstable-resident "${small[@]}"
plant "the first bin's beginning is all bins'" mp_begin_digits \
    'places[d] += begin;' ';' unstable-resident "${small[@]}"
plant "the keys behind the last four are forgotten" mp_load_part \
    'if (at + k >= high) continue;' 'continue;' unstable-resident "${small[@]}"
plant "a column is added up before all rows are there" mp_move_resident_in_order \
    'barrier.wait(); /* all rows' '; /* all rows' stable-resident "${small[@]}" --schedules 10
plant "keys are written before all columns are added up" mp_move_resident_in_order \
    'barrier.wait(); /* and all columns' '; /* and all columns' stable-resident "${small[@]}" --schedules 10
plant "earlier blocks have none of a bin" mp_add_columns \
    'before += count[k];' ';' stable-resident "${small[@]}"
plant "later lanes come first" mp_move_resident_in_order \
    'before + __popc(peers & gb_lanes_below());' 'before + __popc(peers & ~gb_lanes_below()) - 1;' stable-resident "${small[@]}"
plant "the upper bits of a digit have no vote" mp_peers_of \
    'if (bits > 8)' 'if (false)' stable-resident "${small[@]}"
plant "a warp begins where the one before does" mp_move_resident_in_order \
    'counts[w * all + d] = (unsigned short)sum;' 'counts[w * all + d] = (unsigned short)(w == 1 ? 0 : sum);' stable-resident "${small[@]}"

# with a payload
plant "the payload of what goes aside goes elsewhere" mp_reserve_aside \
    'flush->payload_base = (uint64_t)(((intptr_t)aside.payload' 'flush->payload_base += 0 * (uint64_t)(((intptr_t)aside.payload' \
    unstable --case n=100003,bins=20,payload=u32
finish
