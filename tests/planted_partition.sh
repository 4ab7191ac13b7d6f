#!/bin/bash
# Mistakes planted in the partitions of our own (unstable, stable and both in two passes): gpubench check
# finds each (lib_planted.sh); and where there is no room aside, all is done anew.
primitive=multipartition
export SIMT_WORKERS=2 # as many multiprocessors: the cases below are as small as that allows
. "$(dirname "$0")/lib_planted.sh"
folder=kernels/$primitive

# Of the kernels for eight types only this one's are built with the mistake; the cases are of this type.
type=k4_p0
again()
{
    local old=() other
    for other in "$folder"/partition_k?_p*.cu; do
        [ "$other" = "$folder/partition_$type.cu" ] || old+=(-o "build/simt/$other.o")
    done
    make NVCC= OPENCL= OPT=-O0 -o build/c/flags.h -o build/simt/flags.h "${old[@]}" "$@"
}

# unmet NAME FILE LINE VARIANT OPTION...: the __syncthreads() in the line behind LINE is not there.
unmet()
{
    local name=$1 file=$folder/$2 line=$3 at
    shift 3
    at=$(grep -nF -- "$line" "$file" | cut -d: -f1)
    if ! sed -n "$((${at:-0} + 1))p" "$file" | grep -q '^ *__syncthreads();'; then
        check "$name: a barrier behind '$line'" false
        return
    fi
    cp "$file" "$scratch/met"
    sed -i "$((at + 1))s/__syncthreads();/;/" "$file"
    check "$name: builds" again build/gpubench-simt
    check "$name: is found" finds "$@"
    cp "$scratch/met" "$file"
}

uniform=(--case n=100003,bins=256)
sorted=(--case n=100003,bins=40,dist=sorted)
two=(--case n=65537,bins=2)
zipf=(--case n=100003,bins=100,dist=zipf)

# buffers and groups
plant "the last slot of a group is not written" combine.cuh \
    'mp_copy_four(out + base + slot, buffer + slot);' 'for (unsigned s = slot; s < slot + 3; s++) out[base + s] = buffer[s];' \
    unstable "${uniform[@]}"
plant "a slot of a group that is not whole is not written" combine.cuh \
    'if (s >= from && s < to) out' 'if (s >= from && s + 1 < to) out' stable "${uniform[@]}"
plant "what is left of a digit stays where it is" combine.cuh \
    'const bool moves = to + at < next;' 'const bool moves = false;' unstable "${uniform[@]}"
plant "what is left of a digit moves to one place" combine.cuh \
    'mp_copy_four(buffers.keys + start + at, key);' 'mp_copy_four(buffers.keys + start, key);' unstable "${uniform[@]}"
plant "what is left of a hot digit stays where it is" combine.cuh \
    'const bool moves = f.to > f.from && rest < f.next;' 'const bool moves = false;' unstable "${zipf[@]}"
unmet "what is left of a hot digit moves while it is written" combine.cuh 'hot.flush[h] = flush;' unstable "${zipf[@]}"

# what finds no room in its buffer
plant "keys that find no room are forgotten" unordered.cuh \
    'over |= 1u << i;' ';' unstable "${sorted[@]}"
plant "what leaves with a tile of one digit has its rest forgotten" unordered.cuh \
    'own->rest += (unsigned short)(TILE - leaves);' ';' unstable-two-pass "${sorted[@]}"
plant "what is left of a tile of one digit overwrites what was there" unordered.cuh \
    'flush.next = own->start + own->rest;' 'flush.next = own->start;' unstable-two-pass "${sorted[@]}"
plant "the words are left as drawing again has them" unordered.cuh \
    'if (own.owns) s->words[own.digit] = after;' ';' unstable "${sorted[@]}"

# regions
plant "a foreseen region has no end" unordered.cuh \
    'if (at + count <= own.end) return count;' 'return count;' unstable "${uniform[@]}"
plant "each note is its digit's first" unordered.cuh \
    'mp_note{room, before, own.digit, count}' 'mp_note{room, 0, own.digit, count}' unstable "${uniform[@]}"
plant "where a region's writing ended is not noted" unordered.cuh \
    'atomicMin(&regions.written_to[region], (unsigned long long)at);' ';' unstable "${uniform[@]}"
plant "the second of two digits goes up" unordered.cuh \
    'if (own.down) flush->base' 'if (false) flush->base' unstable "${two[@]}"
plant "an exact region's head is filled one place too far up" unordered.cuh \
    'first - 1 - place : high' 'first - place : high' unstable-two-pass "${uniform[@]}"
plant "an exact region's tail is filled one place too far up" unordered.cuh \
    'high - 1 - (place - head)' 'high - (place - head)' unstable-two-pass "${uniform[@]}"
plant "an exact region's tail is filled by what the head has got" unordered.cuh \
    'high - 1 - (place - head)' 'high - 1 - place' unstable-two-pass "${uniform[@]}"
plant "all segments have the first one's regions" unordered.cuh \
    '= (uint64_t)segment * s->digit.digits;' '= 0;' unstable-two-pass "${uniform[@]}"
plant "a segment begins before all have left the one before" unordered.cuh \
    '__syncthreads(); /* all have read progress.high */' ';' unstable-two-pass "${uniform[@]}" --schedules 5
plant "keys before a segment are counted in it" segments.cuh \
    'typename mp_elements<Key, 0>::payload_type payload[MP_PARTS_ITEMS];' \
    'typename mp_elements<Key, 0>::payload_type payload[MP_PARTS_ITEMS]; low &= ~(uint64_t)3;' unstable-two-pass "${uniform[@]}"

# mending
plant "vacancies before what is in place are not filled" mend.cuh \
    'return i < before ? t.first + i : t.high + (i - before);' 'return t.high + i;' unstable "${uniform[@]}"
plant "what is misplaced does not go aside" mend.cuh \
    'aside.keys[to + i] = out.keys[from];' ';' unstable "${uniform[@]}"
plant "what blocks had left goes where notes go" mend.cuh \
    't.misplaced + t.noted + k' 't.misplaced + k' unstable "${uniform[@]}"
plant "a digit's region that was passed counts as written" mend.cuh \
    'if (written != ~(uint64_t)0) inside = written - region;' ';' unstable "${uniform[@]}"

# in order
plant "equals of a warp's rows before do not count" ordered.cuh \
    'mixed[i] |= (before + below) << 16;' 'mixed[i] |= below << 16;' stable "${uniform[@]}"
plant "what waits does not leave before what does not fit" ordered.cuh \
    'if (owns && stretches[own].straight) {' 'if (false) {' stable "${sorted[@]}"
plant "the first group begins where its buffer does" ordered.cuh \
    's.from = s.next = (unsigned short)first;' 's.next = (unsigned short)first; s.from = s.start;' stable "${uniform[@]}"
plant "slots and places are not aligned alike" ordered.cuh \
    '= start + ((unsigned)begin & ((1u << cut.group_log) - 1));' '= start;' stable "${uniform[@]}"
unmet "a tile's slots are handed out before all warps have counted" ordered.cuh \
    'block.rank(key, valid, mixed);' stable "${uniform[@]}" --schedules 5
unmet "what went straight to its place is overtaken" ordered.cuh \
    'block.make_way();' stable "${sorted[@]}" --schedules 20
plant "digits behind the first 256 begin at 0" parts.cuh \
    'before + gb_block_exclusive_sum<MP_PARTS_SCAN_THREADS>(count, sums, &all);' \
    'gb_block_exclusive_sum<MP_PARTS_SCAN_THREADS>(count, sums, &all);' stable --case n=20011,bins=512
export SIMT_WORKERS=80
plant "parts behind the first 256 begin at 0" parts.cuh \
    'parts.before[row + mine] = before + sum;' 'parts.before[row + mine] = sum;' stable --case n=1200000,bins=2
export SIMT_WORKERS=2
plant "digits of the upper pass are those of the lower one" partition.cuh \
    'high = digit_of(r, low_bits, 32);' 'high = low;' stable-two-pass "${uniform[@]}"
plant "the border of an empty bin is the next bin's" segments.cuh \
    'reached = found[0] >= bin;' 'reached = found[0] > bin;' stable-two-pass "${uniform[@]}"

# with a payload
type=k4_p4
plant "the payload of what goes aside does not" unordered.cuh \
    'flush->payload_base = (uint64_t)(((intptr_t)aside.payload' 'flush->payload_base += 0 * (uint64_t)(((intptr_t)aside.payload' \
    unstable --case n=100003,bins=256,payload=u32
type=k4_p0

# done anew: the mistakes are planted beside another change, which is none
done_anew()
{
    local name=$1 old=$2 new=$3
    spoiled "$name" "$folder/partition.cuh" "$old" "$new" || return
    cp "$scratch/kept" "$scratch/roomy"
    check "$name: builds" again build/gpubench-simt
    check "$name: all is done anew" build/gpubench check "$primitive" --device simt --variant unstable "${uniform[@]}" \
        --case n=65537,bins=100,dist=zipf,function=hash "${two[@]}"
    plant "$name, and nothing is done anew" ordered.cuh \
        'if (parts.only_if && !gb_glance(parts.only_if)) return;' 'if (parts.only_if) return;' unstable "${uniform[@]}"
    cp "$scratch/roomy" "$folder/partition.cuh"
}
done_anew "there is no room for notes" '(unsigned)(aside_room / 64 + MP_NOTES_LEAST);' '1;'
done_anew "there is no room aside" 'aside_room = r->n / 4 + MP_NOTES_LEAST;' 'aside_room = 8;'
finish
