#!/bin/bash
# test: thorough turns 32
# Mistakes planted in the partitions of our own that leave the order in a bin open (unstable*): gpubench check
# finds each (lib_planted.sh), and where there is no room aside all is done anew.
. "$(dirname "$0")/lib_planted_partition.sh"

# cramped NAME PLACE PATTERN NEW: without room aside everything is done anew.
cramped()
{
    local name=$1
    spoiled "$@" || return
    passing "$name: all is done anew" unstable "${some[@]}" "${two[@]}" "${sorted[@]}" --case n=65537,bins=40,dist=zipf,function=hash
    plant "$name, and nothing is done anew" mp_move_unordered \
        'if (regions.only_if && !mp_is_anew(regions.only_if)) return;' 'if (regions.only_if) return;' unstable "${some[@]}"
    cleared
}
cramped "there is no room for notes" pass_foreseen '(unsigned)(aside_room / 64 + MP_NOTES_LEAST);' '1;'
cramped "there is no room aside" pass_foreseen 'regions.aside_room = aside_room;' 'regions.aside_room = 8;'
spoiled "blocks give up early" mp_reserve_aside '(room > regions.aside_early && watch->tile < watch->early)) {' 'true) {'
passing "blocks give up early: all is done anew" unstable "${some[@]}" "${many[@]}" "${sorted[@]}" --schedules 3
cleared
spoiled "there is little room aside" mp_partition_unstable '(r->n < MP_SMALL ? r->n : r->n / 4) + MP_MOST_TILE;' 'MP_MOST_TILE;'
passing "there is little room aside: what does not fit is done anew" unstable "${many[@]}"
plant "that there was no room for what is misplaced is not said" mp_plan_mending \
    'atomicExch(regions.failed, (unsigned)MP_FAILED);' ';' unstable "${many[@]}"
cleared

# From here on nothing is done anew, which would put right what mistakes do: a pass with one of them soon
# has no room aside.
nothing_anew

# sorted input consists of runs, which two passes do not pass over
spoiled "runs are not looked for" mp_are_runs 'return compared && 16 * now->alike' 'return false && 16 * now->alike'

# buffers and groups
plant "the last slot of four is not written" mp_write_four \
    'mp_copy_four(out + base + slot, buffer + slot);' 'for (unsigned s = slot; s < slot + 3; s++) out[base + s] = buffer[s];' \
    unstable "${some[@]}"
plant "the last slot of what is no group is not written" mp_write_four \
    'if (s >= from && s < to) out' 'if (s >= from && s + 1 < to) out' stable "${many[@]}"
plant "what is left of a digit stays where it is" mp_write_groups \
    'const bool moves = to + at < next;' 'const bool moves = false;' unstable "${some[@]}"
plant "what is left of a digit moves to one place" mp_write_groups \
    'mp_copy_four(buffers.keys + start + at, key);' 'mp_copy_four(buffers.keys + start, key);' unstable "${some[@]}"
hot=(--case "n=100003,bins=17,dist=binomial:15:0.5") # four of them
plant "what is left of a hot digit stays where it is" mp_write_hot \
    'const bool moves = f.to > f.from && rest < f.next;' 'const bool moves = false;' unstable "${hot[@]}"
plant "what is left of a hot digit moves while it is written" mp_write_hot \
    '__syncthreads(); for (unsigned h = threadIdx.x / GB_WARP; h < hot.count' \
    'for (unsigned h = threadIdx.x / GB_WARP; h < hot.count' unstable "${hot[@]}" --schedules 10

# what finds no room in its buffer
plant "keys that find no room are forgotten" draw:mp_gather \
    'over |= 1u << i;' ';' unstable "${sorted[@]}"
plant "after keys that found no room the buffers seem to be full" place_over \
    'if (own.owns) s->words[own.slot] = after;' ';' unstable "${sorted[@]}"
# where blocks have parts of segments, and the first of two passes foresees
spoiled "bins are not counted at once" can_count '<= mp_shared_budget(c->device, 1) / 4;' '<= 0;'
passing "bins are not counted at once: counted in between" unstable-two-pass \
    "${many[@]}" "${sorted[@]}" "${reversed[@]}"
plant "what stays of a tile of one digit is forgotten" copy_whole \
    'own->rest += (unsigned short)(TILE - leaves);' ';' unstable-counted --case n=400003,bins=20,dist=sorted --schedules 6
plant "what stays of a tile of one digit overwrites what was there" copy_whole \
    'flush.next = own->start + own->rest;' 'flush.next = own->start;' unstable-counted \
    --case n=700001,bins=17,dist=reversed --schedules 6
cleared
cleared
finish
