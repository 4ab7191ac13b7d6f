#!/bin/bash
# Mistakes planted in the partitions of our own that leave the order in a bin open (unstable*): gpubench check
# finds each (lib_planted.sh), and where there is no room aside all is done anew.
. "$(dirname "$0")/lib_planted_partition.sh"

passes() { build/gpubench check "$primitive" --device simt --variant unstable "$@"; }

# Without room aside everything is done anew.
cramped()
{
    local name=$1
    spoiled "$name" "$folder/passes.cuh" "$2" "$3" || return
    cp "$scratch/kept" "$scratch/roomy"
    check "$name: builds" again build/gpubench-simt
    check "$name: all is done anew" passes "${some[@]}" "${two[@]}" "${sorted[@]}" --case n=65537,bins=40,dist=zipf,function=hash
    plant "$name, and nothing is done anew" unordered.cuh \
        'if (regions.only_if && gb_glance(regions.only_if) != MP_FAILED) return;' 'if (regions.only_if) return;' unstable "${some[@]}"
    cp "$scratch/roomy" "$folder/passes.cuh"
}
cramped "there is no room for notes" '(unsigned)(aside_room / 64 + MP_NOTES_LEAST);' '1;'
cramped "there is no room aside" 'regions.aside_room = aside_room;' 'regions.aside_room = 8;'
spoiled "blocks give up early" "$folder/regions.cuh" '(room > regions.aside_early && watch->tile < watch->early)) {' 'true) {'
cp "$scratch/kept" "$scratch/roomy"
check "blocks give up early: builds" again build/gpubench-simt
check "blocks give up early: all is done anew" passes "${some[@]}" "${many[@]}" "${sorted[@]}" --schedules 3
cp "$scratch/roomy" "$folder/regions.cuh"
spoiled "there is little room aside" "$folder/partition.cuh" '(r->n < MP_SMALL ? r->n : r->n / 4) + MP_MOST_TILE;' 'MP_MOST_TILE;'
cp "$scratch/kept" "$scratch/roomy"
check "there is little room aside: builds" again build/gpubench-simt
check "there is little room aside: what does not fit is done anew" passes "${many[@]}"
plant "that there was no room for what is misplaced is not said" mend.cuh \
    'atomicExch(regions.failed, (unsigned)MP_FAILED);' ';' unstable "${many[@]}"
cp "$scratch/roomy" "$folder/partition.cuh"

# From here on nothing is done anew, which would put right what mistakes do: a pass with one of them soon
# has no room aside.
nothing_anew

# sorted input consists of runs, which two passes do not pass over
spoiled "runs are not looked for" "$folder/counts.cuh" 'return compared && 16 * now->alike' 'return false && 16 * now->alike'
cp "$scratch/kept" "$scratch/looked"

# buffers and groups
plant "the last slot of four is not written" combine.cuh \
    'mp_copy_four(out + base + slot, buffer + slot);' 'for (unsigned s = slot; s < slot + 3; s++) out[base + s] = buffer[s];' \
    unstable "${some[@]}"
plant "the last slot of what is no group is not written" combine.cuh \
    'if (s >= from && s < to) out' 'if (s >= from && s + 1 < to) out' stable "${many[@]}"
plant "what is left of a digit stays where it is" combine.cuh \
    'const bool moves = to + at < next;' 'const bool moves = false;' unstable "${some[@]}"
plant "what is left of a digit moves to one place" combine.cuh \
    'mp_copy_four(buffers.keys + start + at, key);' 'mp_copy_four(buffers.keys + start, key);' unstable "${some[@]}"
plant "what is left of a hot digit stays where it is" combine.cuh \
    'const bool moves = f.to > f.from && rest < f.next;' 'const bool moves = false;' unstable "${few[@]}"
unmet "what is left of a hot digit moves while it is written" combine.cuh \
    'for (unsigned h = threadIdx.x / GB_WARP; h < hot.count' -1 unstable "${few[@]}" --schedules 10

# what finds no room in its buffer
plant "keys that find no room are forgotten" draw.cuh \
    'over |= 1u << i;' ';' unstable "${sorted[@]}"
plant "after keys that found no room the buffers seem to be full" unordered_block.cuh \
    'if (own.owns) s->words[own.slot] = after;' ';' unstable "${sorted[@]}"
# where blocks have parts of segments, and the first of two passes foresees
spoiled "bins are not counted at once" "$folder/passes.cuh" '<= mp_shared_budget(c->device, 1) / 4;' '<= 0;'
cp "$scratch/kept" "$scratch/countable"
check "bins are not counted at once: builds" again build/gpubench-simt
check "bins are not counted at once: counted in between" build/gpubench check "$primitive" --device simt --variant unstable-two-pass \
    "${many[@]}" "${sorted[@]}" "${reversed[@]}"
plant "what stays of a tile of one digit is forgotten" unordered_block.cuh \
    'own->rest += (unsigned short)(TILE - leaves);' ';' unstable-two-pass --case n=400003,bins=20,dist=sorted --schedules 6
plant "what stays of a tile of one digit overwrites what was there" unordered_block.cuh \
    'flush.next = own->start + own->rest;' 'flush.next = own->start;' unstable-two-pass \
    --case n=450001,bins=20,dist=sorted --schedules 6
cp "$scratch/countable" "$folder/passes.cuh"
cp "$scratch/looked" "$folder/counts.cuh"
finish
