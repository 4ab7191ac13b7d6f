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
check "nothing is drawn anew: nothing has to be" build/gpubench check "$primitive" --device simt --variant stable-drawn \
    "${many[@]}" "${some[@]}" "${sorted[@]}" "${reversed[@]}"
check "nothing is drawn anew: nothing has to be in two passes" build/gpubench check "$primitive" --device simt \
    --variant stable-drawn-two-pass "${many[@]}" --case n=100003,bins=400,dist=sorted --case n=65537,bins=400,dist=reversed
spoiled "warps do not wait for their turn" common/cuda/turns.cuh 'i < times;' 'i < 0 * times;'
check "warps do not wait for their turn: builds" again build/gpubench-simt
check "warps do not wait for their turn: is found" finds stable-drawn "${many[@]}" --schedules 3
cp "$scratch/kept" common/cuda/turns.cuh
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

# several passes
plant "the second of three passes writes what it reads" partition.cuh \
    'left % 2 ? between : out;' 'left ? between : out;' stable-drawn-three-pass "${many[@]}"
plant "four lanes that search take others' word" boundaries.cuh \
    '= all >> (gb_lane() - lane) &' '= all &' stable-two-pass "${most[@]}"
plant "some of what a digit has much of is not written" combine.cuh \
    '& ~(group - 1) : mine.from) + cut.by_team;' '& ~(group - 1) : mine.from) + cut.by_team + group;' stable \
    --case n=65537,bins=100,dist=zipf
plant "the last of what is in order is not copied" in_order.cuh \
    '4 * fours + gb_first(); i < n;' '4 * fours + gb_first(); i < 4 * fours;' stable-two-pass --case n=65537,bins=400,dist=sorted
plant "passes move what is copied" in_turn.cuh \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' ';' stable-drawn-two-pass --case n=65537,bins=400,dist=sorted
plant_in "that fours are in order is all that is looked at" "$folder/in_order.cuh" \
    'bins[i] > follows;' 'i % 4 != 3 && bins[i] > follows;' test_multipartition_passes '*not_quite_in_order*'
plant_in "there are as many blocks as half of the pieces" "$folder/passes_stable.cuh" \
    'second.parts.parts += low.digits;' 'second.parts.parts = (second.parts.parts + low.digits) / 2;' \
    test_multipartition_passes '*parts_of_skewed*'

# many parts
SIMT_WORKERS=80 # and so more than 256 parts
plant "parts behind the first 256 begin at 0" parts.cuh \
    'parts.before[row + mine] = before + sum;' 'parts.before[row + mine] = sum;' stable --case n=1200000,bins=2
SIMT_WORKERS=2
finish

# two passes, counted at once
two_pass=(--case "n=100003,bins=256" --case "n=31013,bins=500") # of the second two parts share a table
plant "both digits are taken for each other" ahead.cuh \
    '(out[i] & mask) * digit.high_digits' '(out[i] & mask) * (digit.high_digits - 1)' stable-two-pass "${two_pass[@]}"
plant "a part has what the one before it in the stretch has, too" ahead.cuh \
    'sum - (part > first ? before[d] : 0);' 'sum;' stable-two-pass "${two_pass[@]}"
pieces=(--case "n=100003,bins=16")
SIMT_WORKERS=20 # and so more than one piece of a digit
plant "a team of threads begins with the first stretch" ahead.cuh \
    'if (t < team) before += one;' ';' stable-two-pass "${pieces[@]}"
plant "a piece begins where the next one does" parts.cuh \
    'found.first = mp_first_strip(strips, low, size, part - before, pieces);' \
    'found.first = mp_first_strip(strips, low, size, part - before + 1, pieces);' stable-two-pass "${two_pass[@]}"
plant "of a lower digit there is a piece too few" ahead.cuh \
    'if (size && !pieces) pieces = 1;' 'pieces -= pieces > 1;' stable-two-pass --case "n=31013,bins=500,dist=zipf"
plant "a piece's elements go where the first one's do" parts.cuh \
    'const uint64_t first = begin + column[row * found.first];' 'const uint64_t first = begin;' \
    stable-two-pass "${pieces[@]}"
SIMT_WORKERS=2
heavy=(--case "n=140003,bins=1024,dist=zipf")
plant "what is heavy stays in its lower digit, too" ahead.cuh \
    'light[p] -= count;' ';' stable-drawn-two-pass "${heavy[@]}"
plant "what is heavy goes where the rest does" ahead.cuh \
    'strips.bin_begins[heavy & MP_LIGHT] + second.elsewhere;' 'strips.bin_begins[heavy & MP_LIGHT];' \
    stable-drawn-two-pass "${heavy[@]}"
plant "bins are heavy whose numbers are alike" ahead.cuh \
    '(heavy ^ out[i]) & MP_LIGHT ? low' '(heavy ^ out[i]) & (MP_LIGHT >> 11) ? low' stable-two-pass "${heavy[@]}"
plant_in "there are more heavy bins than digits" "$folder/ahead.cuh" \
    'if (number >= MP_MOST_HEAVY) return MP_LIGHT;' ';' test_multipartition_passes '*bins_with_much*'
plant_in "heavy keys that find no room are taken for none" "$folder/ahead.cuh" \
    'return place - (d < digit.both.low_digits ? 0 : digit.elsewhere) < n;' 'return place < n;' \
    test_multipartition_passes '*bins_with_much*'
unmet "parts are added up before all is counted" ahead.cuh \
    "/* a lower digit is always the same warp's */" -1 stable-two-pass "${two_pass[@]}" --schedules 10
unmet "teams are added up before all have ended" ahead.cuh \
    'for (unsigned t = 0; t < together; t++) {' -1 stable-two-pass "${two_pass[@]}" --schedules 10
