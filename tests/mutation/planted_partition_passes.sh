#!/bin/bash
# test: thorough turns 34
# Mistakes planted in what the partitions of our own do in several stable passes: gpubench check finds each
# (lib_planted.sh).
. "$(dirname "$0")/lib_planted_partition.sh"

# several passes
plant "the second of three passes writes what it reads" stable_passes \
    'left % 2 ? between : out;' 'left ? between : out;' stable-drawn-three-pass "${many[@]}"
plant "four lanes that search take others' word" mp_find_boundaries \
    '= all >> (gb_lane() - lane) &' '= all &' stable-two-pass "${most[@]}"
plant "some of what a digit has much of is not written" mp_write_groups \
    '& ~(group - 1) : mine.from) + cut.by_team;' '& ~(group - 1) : mine.from) + cut.by_team + group;' stable \
    --case n=65537,bins=100,dist=zipf
plant "the last of what is in order is not copied" mp_copy_in_order \
    '4 * fours + gb_first(); i < n;' '4 * fours + gb_first(); i < 4 * fours;' stable-two-pass --case n=65537,bins=400,dist=sorted
plant "passes move what is copied" mp_move_in_turn \
    'if (parts.only_if && !gb_glance(parts.only_if)) return;' ';' stable-drawn-two-pass --case n=65537,bins=400,dist=sorted
plant_in "that fours are in order is all that is looked at" mp_find_disorder \
    'bins[i] > follows;' 'i % 4 != 3 && bins[i] > follows;' test_multipartition_passes '*not_quite_in_order*'
plant_in "there are as many blocks as half of the pieces" passes_ahead \
    'second.parts.parts += low.digits;' 'second.parts.parts = (second.parts.parts + low.digits) / 2;' \
    test_multipartition_passes '*bins_with_much*'

# two passes, counted in passing
plant_in "what a pass has seen that gave up counts" mp_open_seen \
    'if (!mp_is_anew(failed)) mp_open_counted(counted);' 'mp_open_counted(counted);' test_multipartition_passes '*misleads*'
plant "input in runs that nobody has counted is not moved" mp_is_anew \
    'return found == MP_FAILED || found == MP_UNCOUNTED;' 'return found == MP_FAILED;' unstable-sampled-two-pass "${sorted[@]}"

# two passes, counted at once
two_pass=(--case "n=100003,bins=256" --case "n=31013,bins=500") # of the second two parts share a table
plant "both digits are taken for each other" ahead:mp_digits_of \
    '(out[i] & mask) * digit.high_digits' '(out[i] & mask) * (digit.high_digits - 1)' stable-two-pass "${two_pass[@]}"
plant "a part has what the one before it in the stretch has, too" mp_count_ahead \
    'sum - (part > first ? before[d] : 0);' 'sum;' stable-two-pass "${two_pass[@]}"
pieces=(--case "n=100003,bins=16")
SIMT_WORKERS=20 # and so more than one piece of a digit
plant "a team of threads begins with the first stretch" mp_scan_strips \
    'if (t < team) before += one;' ';' stable-two-pass "${pieces[@]}"
plant "a piece begins where the next one does" mp_find_part \
    'found.first = mp_first_strip(strips, low, size, part - before, pieces);' \
    'found.first = mp_first_strip(strips, low, size, part - before + 1, pieces);' stable-two-pass "${two_pass[@]}"
plant "of a lower digit there is a piece too few" mp_open_strips \
    'if (size && !pieces) pieces = 1;' 'pieces -= pieces > 1;' stable-two-pass --case "n=31013,bins=500,dist=zipf"
plant "a piece's elements go where the first one's do" mp_share_of \
    'const uint64_t first = begin + column[row * found.first];' 'const uint64_t first = begin;' \
    stable-two-pass "${pieces[@]}"
SIMT_WORKERS=2
heavy=(--case "n=140003,bins=1024,dist=zipf")
plant "what is heavy stays in its lower digit, too" mp_scan_strips \
    'light[p] -= count;' ';' stable-drawn-two-pass "${heavy[@]}"
plant "what is heavy goes where the rest does" mp_open_strips \
    'strips.bin_begins[heavy & MP_LIGHT] + second.elsewhere;' 'strips.bin_begins[heavy & MP_LIGHT];' \
    stable-drawn-two-pass "${heavy[@]}"
plant "bins are heavy whose numbers are alike" ahead:mp_digits_of \
    '(heavy ^ out[i]) & MP_LIGHT ? low' '(heavy ^ out[i]) & (MP_LIGHT >> 11) ? low' stable-two-pass "${heavy[@]}"
plant_in "there are more heavy bins than digits" mp_find_heavy \
    'if (number >= MP_MOST_HEAVY) return MP_LIGHT;' ';' test_multipartition_passes '*bins_with_much*'
plant_in "heavy keys that find no room are taken for none" ahead:mp_is_within \
    'return place - (d < digit.both.low_digits ? 0 : digit.elsewhere) < n;' 'return place < n;' \
    test_multipartition_passes '*bins_with_much*'
plant "parts are added up before all is counted" mp_count_ahead \
    "__syncthreads(); /* a lower digit is always the same warp's */" '' stable-two-pass "${two_pass[@]}" --schedules 10
plant "teams are added up before all have ended" mp_scan_strips \
    '__syncthreads(); for (unsigned t = 0; t < together; t++) {' 'for (unsigned t = 0; t < together; t++) {' stable-two-pass "${two_pass[@]}" --schedules 10
finish
