#!/bin/bash
# test: thorough turns 84
# Mistakes planted in what the partitions of our own that leave the order in a bin open (unstable*) do about runs
# and crowds: gpubench check finds each (lib_planted.sh).
. "$(dirname "$0")/lib_planted_partition.sh"

nothing_anew

# runs: where bins are counted at once, and where they are not
most_sorted=(--case "n=100003,bins=20000,dist=sorted")
for runs in "n=100003,bins=300,dist=sorted" "n=100003,bins=20000,dist=constant"; do
    plant "runs are found, but not moved, $runs" mp_move_unordered \
        'block_of::move_runs(n);' ';' unstable-two-pass --case "$runs"
done
plant "what does not fit behind a bin's first sector goes behind the bin" mp_move_runs \
    'at < behind ? at : begin + (at - behind);' 'at;' unstable-two-pass "${sorted[@]}"
plant "a small bin's keys go before it" mp_move_runs \
    'behind = first < end ? end : first;' 'behind = end;' unstable-two-pass "${most_sorted[@]}"
plant "all of a run in a row goes to one place" mp_walk_runs \
    'lead) + __popc(peers & gb_lanes_below());' 'lead);' unstable-two-pass "${sorted[@]}"
plant "all rows of a run go to one place" mp_walk_runs \
    'one, at + i * GB_WARP);' 'one, at);' unstable-two-pass "${sorted[@]}"
plant "rows of one bin are reserved for as one" mp_walk_runs \
    'of_row = add(bin_of_row, GB_WARP);' 'of_row = add(bin_of_row, 1);' unstable-two-pass "${sorted[@]}"
plant "a row's second run is forgotten" mp_walk_runs 'left &= ~peers;' 'left = 0;' unstable-two-pass "${sorted[@]}"
plant "a run counts as one" mp_count_runs \
    'return atomicAdd(&counts[bin], (unsigned long long)count);' 'return atomicAdd(&counts[bin], 1ull);' \
    unstable-two-pass "${most_sorted[@]}"
spoiled "all input is taken for runs" mp_are_runs \
    'return compared && 16 * now->alike >= 15 * compared;' 'return compared || now->alike == 0;'
passing "all input is taken for runs: which is right, if slow" \
    unstable-two-pass "${many[@]}" "${most[@]}" --case n=33,bins=5000 --schedules 3
cleared

# crowds
crowd=(--case "n=100003,bins=20,dist=binomial" --case "n=100003,bins=40,dist=distinct:3")
plant "all twins have the first one's place" owner \
    'own.slot = s->crowd.first + 2 * warp + twin;' 'own.slot = s->crowd.first + twin;' unstable-counted "${crowd[@]}"
plant "a twin is taken for the other digit's" 'unordered*block:digit_of' \
    '(own.slot - s->crowd.first) % 2]' '(own.slot - s->crowd.first + 1) % 2]' unstable-counted "${crowd[@]}"
plant "two digits share their twins" mp_spread_crowd \
    'digit[i] == second ? twin + 1 :' 'digit[i] == second ? twin :' unstable-counted "${crowd[@]}"
plant "nobody looks after twins" owners \
    's->crowd.digits[0] != ~0u ? 2 : 0);' 's->crowd.digits[0] != ~0u ? 0 : 0);' unstable-counted "${crowd[@]}"
plant "what twins had left of a foreseen digit is forgotten" mp_plan_mending \
    't.left += regions.left[t.twins_list];' ';' unstable "${crowd[@]}"
plant "what twins of two digits had left is in one list" mp_left_list \
    '(digits + (list - digits) * regions.twins) * room' 'digits * room' unstable "${crowd[@]}"
plant "what twins had left is taken from the digit's own list" mp_put_aside \
    'mp_left_list(regions, mending.digits, t.twins_list)' 'mp_left_list(regions, mending.digits, d)' unstable "${crowd[@]}"
plant_in "keys of a crowd that found no room draw elsewhere" place_some \
    'if constexpr (TWINS > 0) mp_spread_crowd<TWINS>(s->crowd, digits);' ';' test_multipartition_passes '*wrong_knowledge*'
plant_in "what twins drew of a tile of one digit stays" copy_whole \
    'if (mine)' 'if (mine && !own->twin)' test_multipartition_passes '*wrong_knowledge*'
plant_in "of two kernels none does what is for crowds" mp_move_unordered \
    'if (regions.crowded && (gb_glance(regions.crowded) != 0) != CROWD) return;' \
    'if (regions.crowded && (gb_glance(regions.crowded) != 0 || CROWD)) return;' test_multipartition_passes '*sample_says*'
plant_in "of two kernels both do what is for crowds" mp_move_unordered \
    'if (regions.crowded && (gb_glance(regions.crowded) != 0) != CROWD) return;' \
    'if (regions.crowded && !gb_glance(regions.crowded) && CROWD) return;' test_multipartition_passes '*sample_says*'
plant_in "twins of unknown crowds have no room at the end" pass_foreseen \
    'way.for_crowds ? of_crowds.twins : shape.twins;' 'shape.twins;' test_multipartition_passes '*sample_says*'

# few digits, each with several words
few_sorted=(--case "n=100003,bins=3,dist=sorted" --case "n=100003,bins=7,dist=sorted")
plant "a word of few is taken for a digit" 'unordered*block:digit_of' \
    'return own.slot % s->digit.digits;' 'return own.slot;' unstable-counted "${few[@]}"
plant "of few digits all words reserve a tile of one" 'unordered*block:owner' \
    'own.twin = own.slot >= s->digit.digits;' ';' unstable-counted "${few_sorted[@]}"
plant "keys of few digits that found no room draw from others' words" place_some \
    'mp_spread_few<SPREAD>(s->digit.digits, digits);' ';' unstable-counted "${few_sorted[@]}"
plant "what few digits' words have left is taken for what twins had" finish \
    '!own.twin || SPREAD > 1' '!own.twin' unstable "${few[@]}"
plant "what few digits' words have left has the room of one" pass_foreseen \
    '(MP_SECTOR - 1) * shape.spread);' '(MP_SECTOR - 1));' unstable "${few[@]}"
finish
