/* Where the elements of an unordered pass go: the digits' regions of the output, exact (counted
 * before) or foreseen (from a sample), in which a warp reserves the places of whole groups by one
 * atomic instruction. What does not fit a foreseen region is set aside and put right afterwards
 * (mend.cuh). */
#ifndef GB_MULTIPARTITION_REGIONS_CUH
#define GB_MULTIPARTITION_REGIONS_CUH

#include "kernels/multipartition/partition/combine.cuh"

enum { MP_MOST_TILE = 16384 };

/* What was set aside together: elements `first` and following, of those that the digit has aside,
 * lie at `at`. */
typedef struct mp_note {
    uint64_t at, first;
    unsigned digit, count;
} mp_note;

/* Where the digits' elements go; device memory. Segment s (one, unless a former pass has made them)
 * is the input's [segments[s], segments[s + 1]), and its digits are begins[s * digits ...]. */
typedef struct mp_regions {
    const uint64_t *segments; /* NULL: one, all of the input */
    unsigned segment_count;
    const uint64_t *begins;   /* of segments x digits regions, and the end of the last */
    unsigned long long *next; /* mp_cursor_at: the next place to reserve, counted up */
    unsigned *left;           /* of each: elements that blocks had over at their ends */
    /* foreseen: where the digit's part of the region that was written ends, if that is before its
     * end: what did not fit is aside. ~0 at the start */
    unsigned long long *written_to;
    const unsigned *only_if; /* a word that mp_is_anew asks, or NULL */
    bool exact;
    bool ragged;    /* places are reserved in any number, else in whole sectors */
    bool two_ended; /* two digits, one segment, foreseen: the second grows down from the end */
    /* foreseen: */
    uint64_t *aside_of;               /* of each digit, elements set aside by mp_note */
    unsigned long long *aside;        /* taken of all room aside; notes taken */
    uint64_t aside_room, aside_early; /* early: so much in a pass's first sixteenth is too much */
    unsigned notes_room, left_room;   /* notes; elements left of a digit that there is room for */
    mp_note *notes;
    /* two digits with a crowd, plus one, or 0: what their twins had left is in two lists behind
     * those of all digits, each with so many times the room */
    unsigned *crowd, twins;
    /* a word, 0 at the start and 1 if the sample has a digit with a crowd: of two kernels that are
     * launched the one for those moves the elements, or the other one. NULL: there is one */
    unsigned *crowded;
    unsigned *failed; /* becomes MP_FAILED, MP_IN_RUNS or MP_UNCOUNTED; of an exact one NULL or
                         MP_IN_RUNS */
    /* of a kernel that counts whole bins in passing: each one's elements are added to it */
    unsigned long long *seen;
} mp_regions;

/* Whether what is queued in case that a pass fails has to be done. */
static __device__ __forceinline__ bool mp_is_anew(const unsigned *only_if)
{
    const unsigned found = gb_glance(only_if);
    return found == MP_FAILED || found == MP_UNCOUNTED;
}

/* The first place at or behind `at` where groups can begin. */
__device__ __forceinline__ uint64_t mp_next_sector(uint64_t at)
{
    return (at + MP_SECTOR - 1) & ~(uint64_t)(MP_SECTOR - 1);
}

/* Cursors of four digits are a sector; sectors lie in lines of their own, and so in different parts
 * of the L2. */
__host__ __device__ __forceinline__ uint64_t mp_cursor_at(uint64_t digit)
{
    return digit / 4 * 16 + digit % 4;
}
__device__ __forceinline__ unsigned mp_digit_of_cursor(uint64_t at)
{
    return (unsigned)(at / 16 * 4 + at % 4);
}

/* Where the list begins of what was left of a foreseen digit, or, from `digits` on, of twins. */
__device__ __forceinline__ uint64_t mp_left_list(const mp_regions &regions, unsigned digits,
                                                 unsigned list)
{
    const uint64_t room = regions.left_room;
    return list < digits ? list * room : (digits + (list - digits) * regions.twins) * room;
}

/* What a lane knows of the digit that it looks after, if it does. */
typedef struct mp_own {
    unsigned long long *cursor; /* where its places are reserved */
    uint64_t end;               /* of its region; ~0: it cannot be passed */
    unsigned slot, start;       /* of its word: the digit, if it is not a twin; of its buffer */
    unsigned short rest;        /* elements that were there before the tile */
    unsigned short heat;        /* its number among the hot ones, or MP_COLD */
    bool owns;
    bool twin; /* of a digit with a crowd; or of few, a word that is not its digit's first */
    bool down; /* its places go down from the region's end */
} mp_own;

/* What a block that gives up needs; at the beginning of its dynamic shared memory. */
typedef struct mp_watch {
    unsigned tile, early; /* the tile at work; those before this one are the first sixteenth */
    unsigned stop;        /* the input has to be partitioned anew: all that follows is in vain */
} mp_watch;

/* What was reserved at `at` does not fit into the digit's region. Of a foreseen one, all of it goes
 * aside, and a note says so; of an exact one, sectors go as far as they fit. Returns how many
 * leave. */
template <class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_reserve_aside(const mp_regions &regions, const mp_elements<Key, WORDS> &out,
                 const mp_elements<Key, WORDS> &aside, const mp_own &own, uint64_t at,
                 unsigned count, mp_flush<WORDS> *flush)
{
    typedef typename mp_elements<Key, WORDS>::payload_type payload_type;
    if (regions.exact) return at < own.end ? (unsigned)(own.end - at) & ~(MP_SECTOR - 1u) : 0;
    const unsigned digit = mp_digit_of_cursor(own.cursor - regions.next); /* own may be a twin */
    /* lanes that are here together take room together: all blocks' additions meet in one place */
    const unsigned lanes = __activemask();
    unsigned before_me = 0, total = 0;
    for (unsigned rest = lanes; rest; rest &= rest - 1) {
        const int lane = __ffs(rest) - 1;
        const unsigned theirs = __shfl_sync(lanes, count, lane);
        if (lane < (int)gb_lane()) before_me += theirs;
        total += theirs;
    }
    const int lead = __ffs(lanes) - 1;
    unsigned long long room = 0, note = 0;
    if ((int)gb_lane() == lead) {
        room = atomicAdd(&regions.aside[0], (unsigned long long)total);
        note = atomicAdd(&regions.aside[1], (unsigned long long)__popc(lanes));
    }
    room = __shfl_sync(lanes, room, lead) + before_me;
    note = __shfl_sync(lanes, note, lead) + __popc(lanes & gb_lanes_below());
    const uint64_t before =
        atomicAdd(reinterpret_cast<unsigned long long *>(&regions.aside_of[digit]),
                  (unsigned long long)count);
    atomicMin(&regions.written_to[digit], (unsigned long long)at);
    GB_DYNAMIC_SHARED();
    mp_watch *watch = reinterpret_cast<mp_watch *>(gb_shared_memory);
    uint64_t to = room;
    if (room + count > regions.aside_room || note >= regions.notes_room ||
        (room > regions.aside_early && watch->tile < watch->early)) {
        atomicExch(regions.failed, (unsigned)MP_FAILED);
        /* anywhere, there is room for a tile: all of it is done anew */
        if (room + count > regions.aside_room) to = 0;
    } else {
        regions.notes[note] = mp_note{room, before, digit, count};
    }
    if (gb_glance(regions.failed)) watch->stop = 1;
    /* arrays are aligned to 16 bytes, so that between them lie whole elements */
    flush->base = (uint64_t)(((intptr_t)aside.keys - (intptr_t)out.keys) / (intptr_t)sizeof(Key)) +
                  to - own.start;
    if constexpr (WORDS > 0)
        flush->payload_base = (uint64_t)(((intptr_t)aside.payload - (intptr_t)out.payload) /
                                         (intptr_t)sizeof(payload_type)) +
                              to - own.start;
    return count;
}

/* Reserves places for `count` elements of the lane's digit, whose buffer then begins to leave.
 * Returns how many leave. */
template <class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_reserve(const mp_regions &regions, const mp_elements<Key, WORDS> &out,
           const mp_elements<Key, WORDS> &aside, const mp_own &own, unsigned count,
           mp_flush<WORDS> *flush)
{
    const uint64_t at = atomicAdd(own.cursor, (unsigned long long)count);
    flush->base = at - own.start;
    if (own.down) flush->base = regions.begins[2] - at - count - own.start;
    if constexpr (WORDS > 0) flush->payload_base = flush->base;
    if (at + count <= own.end) return count;
    return mp_reserve_aside(regions, out, aside, own, at, count, flush);
}

/* What of the lane's digit leaves after a tile: whole groups. leaves: the first slot that stays, be
 * it in the buffer or behind its end. */
template <class Key, int WORDS>
__device__ __forceinline__ mp_flush<WORDS>
mp_plan(unsigned *words, unsigned group_log, const mp_regions &regions,
        const mp_elements<Key, WORDS> &out, const mp_elements<Key, WORDS> &aside, mp_own *own,
        unsigned *leaves)
{
    mp_flush<WORDS> flush = {};
    *leaves = 0;
    if (!own->owns) return flush;
    const unsigned word = words[own->slot], drawn = mp_word_next(word), end = mp_word_end(word);
    unsigned whole = (drawn - own->start) >> group_log << group_log;
    if (whole) whole = mp_reserve(regions, out, aside, *own, whole, &flush);
    *leaves = own->start + whole;
    own->rest = (unsigned short)(drawn - *leaves);
    words[own->slot] = mp_word(own->start + own->rest, end);
    flush.start = flush.from = own->start;
    flush.to = *leaves < end ? *leaves : end;
    flush.next = drawn < end ? drawn : end;
    return flush;
}

#endif
