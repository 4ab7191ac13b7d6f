/* A pass that leaves the order inside a digit open: a key draws its slot by an atomic addition in
 * shared memory, a block reserves the places of whole groups by one in device memory for a tile and
 * digit, and nobody waits for anybody.
 *
 * The digits' regions of the output are exact (counted before) or foreseen (from a sample): what
 * does not fit a foreseen region is set aside and put right afterwards (mend.cuh). */
#ifndef GB_MULTIPARTITION_UNORDERED_CUH
#define GB_MULTIPARTITION_UNORDERED_CUH

#include "kernels/multipartition/combine.cuh"

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
    bool exact;
    bool two_ended; /* two digits, one segment, foreseen: the second grows down from the end */
    /* foreseen: */
    uint64_t *aside_of;        /* of each digit, elements set aside by mp_note */
    unsigned long long *aside; /* taken of all room aside; notes taken */
    uint64_t aside_room;
    unsigned notes_room, left_room; /* notes; elements left of a digit that there is room for */
    mp_note *notes;
    unsigned *failed; /* set where there was no room: the input has to be partitioned anew */
} mp_regions;

/* The segment that holds position `at`: the last one that begins there or before. */
__device__ __forceinline__ unsigned mp_segment_holding(const uint64_t *segments, unsigned count,
                                                       uint64_t at)
{
    unsigned low = 0, high = count;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (segments[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Cursors of four digits are a sector; sectors lie in lines of their own, and so in different parts
 * of the L2. */
__host__ __device__ __forceinline__ uint64_t mp_cursor_at(uint64_t digit)
{
    return digit / 4 * 16 + digit % 4;
}

/* Where a digit's slots go: those below `to` leave for base + slot of the output, others move to
 * the buffer's start. */
template <int WORDS> struct mp_route {
    uint64_t base, payload_base;
    unsigned short to, start;
};
template <> struct mp_route<0> {
    uint64_t base;
    unsigned short to, start;
};

/* ---- drawing slots --------------------------------------------------------------------------- */

static const unsigned MP_NO_SLOT = 0xffffu; /* a word whose slot is behind its buffer's end */

/* Draws slots for a thread's digits, of which the valid ones count. Where four neighbours of all
 * lanes agree, as in sorted or constant input, one lane draws for all: 128 additions to one word
 * would queue up. */
template <int ITEMS>
__device__ __forceinline__ void mp_draw(unsigned *words, const unsigned (&digit)[ITEMS],
                                        unsigned valid, unsigned (&word)[ITEMS])
{
    bool alike = false;
#pragma unroll
    for (int i = 0; i < ITEMS; i += 4)
        alike |= digit[i] == digit[i + 1] && digit[i] == digit[i + 2] && digit[i] == digit[i + 3];
    const bool whole = __all_sync(GB_FULL_MASK, valid == ~0u >> (32 - ITEMS));
    if (whole && !__all_sync(GB_FULL_MASK, alike)) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            word[i] = atomicAdd(&words[digit[i]], 1u);
        return;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i += 4) {
        const bool same =
            digit[i] == digit[i + 1] && digit[i] == digit[i + 2] && digit[i] == digit[i + 3];
        const unsigned first = __shfl_sync(GB_FULL_MASK, digit[i], 0);
        if (__all_sync(GB_FULL_MASK, whole && same && digit[i] == first)) {
            unsigned drawn = 0;
            if (gb_lane() == 0) drawn = atomicAdd(&words[first], 4 * GB_WARP);
            drawn = __shfl_sync(GB_FULL_MASK, drawn, 0);
#pragma unroll
            for (int k = 0; k < 4; k++)
                word[i + k] = drawn + 4 * gb_lane() + k;
        } else {
#pragma unroll
            for (int k = 0; k < 4; k++) {
                word[i + k] = MP_NO_SLOT;
                if (valid >> (i + k) & 1) word[i + k] = atomicAdd(&words[digit[i + k]], 1u);
            }
        }
    }
}

/* The same where there are few digits: peers are found by votes, and one of them draws for all. */
template <int BITS>
__device__ __forceinline__ unsigned mp_draw_by_votes(unsigned *words, unsigned digit, bool valid)
{
    const unsigned peers = gb_lanes_with(gb_ballot_bits<BITS>(digit, valid), digit);
    const unsigned below = __popc(peers & gb_lanes_below());
    unsigned drawn = MP_NO_SLOT;
    if (valid && below == 0) drawn = atomicAdd(&words[digit], (unsigned)__popc(peers));
    drawn = __shfl_sync(GB_FULL_MASK, drawn, __ffs(peers) - 1) + below;
    return valid ? drawn : MP_NO_SLOT;
}

/* ---- the block ------------------------------------------------------------------------------- */

/* Where a block is in its work. */
typedef struct mp_progress {
    uint64_t low, high;    /* of the segment's part that is at work */
    uint64_t first_region; /* of the segment */
    unsigned tile, tiles;
    unsigned whole_to; /* the tiles from 1 to here lie within */
} mp_progress;

/* All that a block works on lies at the beginning of its dynamic shared memory: what is not in the
 * loop over tiles is in functions that are called, so that the loop has all registers, and what
 * they need they find here. */
template <class Key, int WORDS> struct __align__(16) mp_unordered_shared
{
    mp_elements<Key, WORDS> in, out, aside, left_over, buffers;
    mp_digit digit;
    mp_cut cut;
    mp_regions regions;
    mp_progress progress;
    mp_hot<WORDS> hot;
    mp_route<WORDS> *routes; /* of each digit; written where a tile needs them */
    unsigned *words;         /* of each digit */
    unsigned per_warp;       /* digits a warp looks after, one a lane */
    mp_flush<WORDS> whole;   /* of a tile that has one digit alone, and how many of it leave */
    unsigned whole_leaves;
};

/* What a lane knows of the digit that it looks after, if it does. */
typedef struct mp_own {
    unsigned long long *cursor; /* where its places are reserved */
    uint64_t end;               /* of its region; ~0: it cannot be passed */
    unsigned digit, start;      /* start: of its buffer */
    unsigned short rest;        /* elements that were there before the tile */
    unsigned short heat;        /* its number among the hot ones, or MP_COLD */
    bool owns;
    bool down; /* its places go down from the region's end */
} mp_own;

/* What was reserved at `at` does not fit into the digit's region. Of a foreseen one, all of it goes
 * aside, and a note says so; of an exact one, sectors go as far as they fit. Returns how many
 * leave. */
template <class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_reserve_aside(const mp_regions &regions, const mp_elements<Key, WORDS> &out,
                 const mp_elements<Key, WORDS> &aside, uint64_t first_region, const mp_own &own,
                 uint64_t at, unsigned count, mp_flush<WORDS> *flush)
{
    typedef typename mp_elements<Key, WORDS>::payload_type payload_type;
    if (regions.exact) return at < own.end ? (unsigned)(own.end - at) & ~(MP_SECTOR - 1u) : 0;
    const uint64_t region = first_region + own.digit;
    const uint64_t room = atomicAdd(&regions.aside[0], (unsigned long long)count);
    const unsigned long long note = atomicAdd(&regions.aside[1], 1ull);
    const uint64_t before =
        atomicAdd(reinterpret_cast<unsigned long long *>(&regions.aside_of[region]),
                  (unsigned long long)count);
    atomicMin(&regions.written_to[region], (unsigned long long)at);
    uint64_t to = room;
    if (room + count > regions.aside_room || note >= regions.notes_room) {
        atomicExch(regions.failed, 1u);
        to = 0; /* anywhere, there is room for a tile: all of it is done anew */
    } else {
        regions.notes[note] = mp_note{room, before, own.digit, count};
    }
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
           const mp_elements<Key, WORDS> &aside, uint64_t first_region, const mp_own &own,
           unsigned count, mp_flush<WORDS> *flush)
{
    const uint64_t at = atomicAdd(own.cursor, (unsigned long long)count);
    flush->base = at - own.start;
    if (own.down) flush->base = regions.begins[2] - at - count - own.start;
    if constexpr (WORDS > 0) flush->payload_base = flush->base;
    if (at + count <= own.end) return count;
    return mp_reserve_aside(regions, out, aside, first_region, own, at, count, flush);
}

/* What of the lane's digit leaves after a tile: whole groups. leaves: the first slot that stays, be
 * it in the buffer or behind its end. */
template <class Key, int WORDS>
__device__ __forceinline__ mp_flush<WORDS>
mp_plan(unsigned *words, unsigned group_log, const mp_regions &regions,
        const mp_elements<Key, WORDS> &out, const mp_elements<Key, WORDS> &aside,
        uint64_t first_region, mp_own *own, unsigned *leaves)
{
    mp_flush<WORDS> flush = {};
    *leaves = 0;
    if (!own->owns) return flush;
    const unsigned word = words[own->digit], drawn = mp_word_next(word), end = mp_word_end(word);
    unsigned whole = (drawn - own->start) >> group_log << group_log;
    if (whole) whole = mp_reserve(regions, out, aside, first_region, *own, whole, &flush);
    *leaves = own->start + whole;
    own->rest = (unsigned short)(drawn - *leaves);
    words[own->digit] = mp_word(own->start + own->rest, end);
    flush.start = flush.from = own->start;
    flush.to = *leaves < end ? *leaves : end;
    flush.next = drawn < end ? drawn : end;
    return flush;
}

/* Writes what leaves. All threads of the block. */
template <int THREADS, class Key, int WORDS>
__device__ __forceinline__ void
mp_write_planned(const mp_elements<Key, WORDS> &out, const mp_elements<Key, WORDS> &buffers,
                 unsigned group_log, unsigned per_warp, mp_hot<WORDS> *hot, const mp_own &own,
                 mp_flush<WORDS> flush)
{
    if (hot->count) {
        if (own.owns && own.heat != MP_COLD) {
            hot->flush[own.heat] = flush;
            flush.to = flush.from;
        }
        mp_write_hot<false, THREADS>(out, buffers, *hot);
    }
    mp_write_groups<false>(out, buffers, group_log, per_warp, flush);
}

/* The functions that are called; each finds the block's things at the beginning of dynamic shared
 * memory. */
template <class Key, int WORDS, int THREADS, int ITEMS> struct mp_unordered {
    static const int TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    static_assert(TILE <= MP_MOST_TILE, "room aside");
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;
    typedef mp_unordered_shared<Key, WORDS> shared;

    static __device__ __forceinline__ shared *things()
    {
        GB_DYNAMIC_SHARED();
        return reinterpret_cast<shared *>(gb_shared_memory);
    }
    static __device__ __forceinline__ unsigned own_digit(unsigned per_warp)
    {
        return threadIdx.x / GB_WARP * per_warp + gb_lane();
    }

    /* A segment begins: buffers for its digits, by the sizes of their regions. */
    static __device__ GB_CALLED mp_own lay_out()
    {
        __shared__ unsigned sums[GB_WARP + 1];
        shared *s = things();
        mp_own own = {};
        own.digit = own_digit(s->per_warp);
        own.owns = gb_lane() < s->per_warp && own.digit < s->digit.digits;
        if (threadIdx.x == 0) s->hot.count = 0;
        __syncthreads();
        unsigned room = 0, all, heat = MP_COLD;
        if (own.owns) {
            const uint64_t *begins = s->regions.begins + s->progress.first_region;
            const uint64_t begin = begins[own.digit], end = begins[own.digit + 1];
            const uint64_t total = begins[s->digit.digits] - begins[0];
            const bool two = s->regions.two_ended;
            own.cursor = s->regions.next + mp_cursor_at(s->progress.first_region + own.digit);
            own.end = two ? ~(uint64_t)0 : end;
            own.down = two && own.digit == 1;
            room = mp_room_and_heat<THREADS, ITEMS>(s->cut, two ? 1 : (double)(end - begin),
                                                    two ? 2 : (double)total, &s->hot, &heat);
        }
        own.heat = (unsigned short)heat;
        own.start = gb_block_exclusive_sum<THREADS>(room, sums, &all);
        if (own.owns) s->words[own.digit] = mp_word(own.start, own.start + room);
        __syncthreads();
        return own;
    }

    /* Draws again for some of the thread's elements, the first at `mine`, those whose bits are set.
     */
    template <int COUNT>
    static __device__ __forceinline__ void place_some(const shared *s, uint64_t mine, unsigned over)
    {
        Key key[COUNT];
        payload_type payload[COUNT];
        unsigned digits[COUNT], word[COUNT];
        over &= (1u << COUNT) - 1;
        if (!__any_sync(GB_FULL_MASK, over != 0)) return;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const uint64_t at = mine + i / 4 * 4 * THREADS + i % 4;
            key[i] = 0;
            if (!(over >> i & 1)) continue;
            key[i] = s->in.keys[at];
            if constexpr (WORDS > 0) payload[i] = s->in.payload[at];
        }
        mp_digits_of(s->digit, key, digits);
        mp_draw(s->words, digits, over, word);
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            if (!(over >> i & 1)) continue;
            const unsigned slot = mp_word_next(word[i]);
            const mp_route<WORDS> route = s->routes[digits[i]];
            const bool leaving = slot < route.to;
            const unsigned into = route.start + (slot - route.to);
            (leaving ? s->out.keys + route.base + slot : s->buffers.keys + into)[0] = key[i];
            if constexpr (WORDS > 0)
                (leaving ? s->out.payload + route.payload_base + slot
                         : s->buffers.payload + into)[0] = payload[i];
        }
    }

    /* A tile of one digit alone, as sorted input has: it is copied as it is, and what of it has
     * come to the digit's buffer is forgotten. false: it is another one. */
    static __device__ __forceinline__ bool copy_whole(shared *s, uint64_t base, mp_own *own)
    {
        if (base < s->progress.low || base + TILE > s->progress.high) return false;
        Key key[ITEMS], first[1] = {s->in.keys[base]};
        payload_type payload[ITEMS];
        unsigned digits[ITEMS], first_digit[1];
        bool same = true;
        mp_digits_of(s->digit, first, first_digit);
        mp_load_all<THREADS>(s->in, base + 4 * threadIdx.x, key, payload);
        mp_digits_of(s->digit, key, digits);
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            same &= digits[i] == first_digit[0];
        if (!__syncthreads_and(same)) return false;
        if (own->owns && own->digit == first_digit[0]) {
            mp_flush<WORDS> flush = {};
            mp_own places = *own;
            places.start = 0; /* slots are the tile's */
            const unsigned leaves = mp_reserve(s->regions, s->out, s->aside,
                                               s->progress.first_region, places, TILE, &flush);
            flush.next = own->start + own->rest;
            s->whole = flush;
            s->whole_leaves = leaves;
            own->rest += (unsigned short)(TILE - leaves);
            s->words[own->digit] =
                mp_word(own->start + own->rest, mp_word_end(s->words[own->digit]));
        }
        __syncthreads();
        const mp_flush<WORDS> &to = s->whole;
        const unsigned leaves = s->whole_leaves;
#pragma unroll
        for (int j = 0; j < ITEMS / 4; j++) {
            const unsigned slot = 4 * (threadIdx.x + j * THREADS);
            if (slot + 4 <= leaves) {
                mp_copy_four(s->out.keys + to.base + slot, key + 4 * j);
                if constexpr (WORDS > 0)
                    mp_copy_four(s->out.payload + to.payload_base + slot, payload + 4 * j);
            } else { /* leaves is a multiple of four: what stays goes to the buffer */
#pragma unroll
                for (int k = 0; k < 4; k++) {
                    s->buffers.keys[to.next + (slot + k - leaves)] = key[4 * j + k];
                    if constexpr (WORDS > 0)
                        s->buffers.payload[to.next + (slot + k - leaves)] = payload[4 * j + k];
                }
            }
        }
        __syncthreads();
        return true;
    }

    /* The rest of a tile of which some elements (over: this thread's) found no room. They draw
     * again, from the buffers' ends on: whole groups of them go straight to their places, the rest
     * to the emptied buffers. The elements are read again, so that registers need not hold them. */
    static __device__ GB_CALLED mp_own place_over(unsigned tile, unsigned over, mp_own own)
    {
        shared *s = things();
        const uint64_t base = (s->progress.low & ~(uint64_t)3) + (uint64_t)tile * TILE;
        if (copy_whole(s, base, &own)) return own;
        unsigned leaves, after = 0;
        const mp_flush<WORDS> flush = mp_plan(s->words, s->cut.group_log, s->regions, s->out,
                                              s->aside, s->progress.first_region, &own, &leaves);
        if (own.owns) {
            mp_route<WORDS> route = {};
            route.base = flush.base;
            route.to = (unsigned short)leaves;
            route.start = (unsigned short)own.start;
            if constexpr (WORDS > 0) route.payload_base = flush.payload_base;
            s->routes[own.digit] = route;
            after = s->words[own.digit];
            const unsigned end = mp_word_end(after);
            if (leaves >= end) {
                s->words[own.digit] = mp_word(end, end);
            } else { /* nothing behind the end leaves: it follows what stays */
                s->words[own.digit] = mp_word(own.start + (end - leaves), end);
                s->routes[own.digit].to = (unsigned short)own.start;
            }
        }
        mp_write_planned<THREADS>(s->out, s->buffers, s->cut.group_log, s->per_warp, &s->hot, own,
                                  flush);
        __syncthreads();
        uint64_t mine = base + 4 * threadIdx.x;
        enum { AT_ONCE = ITEMS % 8 ? 4 : 8 };
#pragma unroll 1
        for (unsigned some = 0; some < ITEMS; some += AT_ONCE) {
            place_some<AT_ONCE>(s, mine, over);
            over >>= AT_ONCE;
            mine += AT_ONCE * THREADS;
        }
        __syncthreads();
        if (own.owns) s->words[own.digit] = after;
        __syncthreads();
        return own;
    }

    /* A segment's or the block's end: what is in the buffers, less than a group of each digit, and
     * in exact regions what did not fit at their ends. Sectors go as ever; of the rest a foreseen
     * digit leaves a list, and an exact one fills what sectors leave free of its region: before its
     * first aligned place, and at its end. */
    static __device__ GB_CALLED void finish(mp_own own)
    {
        shared *s = things();
        const mp_regions &regions = s->regions;
        mp_flush<WORDS> flush = {};
        unsigned rest = 0, before = 0;
        if (own.owns) {
            const unsigned drawn = mp_word_next(s->words[own.digit]);
            unsigned whole = (drawn - own.start) & ~(unsigned)(MP_SECTOR - 1);
            if (whole)
                whole = mp_reserve(regions, s->out, s->aside, s->progress.first_region, own, whole,
                                   &flush);
            flush.start = flush.from = own.start;
            flush.to = flush.next = own.start + whole; /* nothing moves */
            rest = drawn - flush.to;
            if (rest) before = atomicAdd(&regions.left[s->progress.first_region + own.digit], rest);
        }
        mp_write_groups<false>(s->out, s->buffers, s->cut.group_log, s->per_warp, flush);
        enum { LANES = 2 * MP_SECTOR }; /* more are not left */
        for (unsigned j = 0; j < s->per_warp; j += GB_WARP / LANES) {
            const unsigned source = j + gb_lane() / LANES, i = gb_lane() % LANES;
            const unsigned count = __shfl_sync(GB_FULL_MASK, rest, source);
            const unsigned slot = __shfl_sync(GB_FULL_MASK, flush.to, source) + i;
            const uint64_t place = __shfl_sync(GB_FULL_MASK, before, source) + i;
            const uint64_t which =
                s->progress.first_region + __shfl_sync(GB_FULL_MASK, own.digit, source);
            if (source >= s->per_warp || i >= count) continue;
            if (regions.exact) {
                const uint64_t low = regions.begins[which], high = regions.begins[which + 1];
                uint64_t first = (low + MP_SECTOR - 1) & ~(uint64_t)(MP_SECTOR - 1);
                if (first > high) first = high;
                const uint64_t head = first - low;
                mp_copy_one(s->out, place < head ? first - 1 - place : high - 1 - (place - head),
                            s->buffers, slot);
            } else {
                mp_copy_one(s->left_over, which * regions.left_room + place, s->buffers, slot);
            }
        }
        __syncthreads();
    }

    /* The first segment of a block's part, or the only one. */
    static __device__ GB_CALLED unsigned begin(uint64_t n)
    {
        shared *s = things();
        if (!s->regions.segments) {
            if (threadIdx.x == 0) s->progress = mp_progress{};
            __syncthreads();
            return 0;
        }
        const uint64_t low = part_of(n) * blockIdx.x;
        if (threadIdx.x == 0) s->progress.high = low < n ? low : n;
        __syncthreads();
        return low < n ? mp_segment_holding(s->regions.segments, s->regions.segment_count, low) : 0;
    }

    /* The keys of a block's part, where there are segments. */
    static __device__ __forceinline__ uint64_t part_of(uint64_t n)
    {
        return ((n + gridDim.x - 1) / gridDim.x + 127) & ~(uint64_t)127;
    }

    /* Goes to the next part of a segment that is not empty, from `segment` on: returns its number,
     * or ~0 where the block's part ends. */
    static __device__ GB_CALLED unsigned next_segment(uint64_t n, unsigned segment)
    {
        shared *s = things();
        const uint64_t low = s->progress.high;
        uint64_t stop = n, high = n;
        if (s->regions.segments) {
            const uint64_t end = part_of(n) * (blockIdx.x + 1);
            if (end < n) stop = end;
            if (low >= stop) return ~0u;
            while (s->regions.segments[segment + 1] <= low)
                segment++;
            high = s->regions.segments[segment + 1];
            if (high > stop) high = stop;
        } else if (low >= stop) {
            return ~0u;
        }
        __syncthreads(); /* all have read progress.high */
        if (threadIdx.x == 0) {
            const uint64_t origin = low & ~(uint64_t)3;
            s->progress.low = low;
            s->progress.high = high;
            s->progress.first_region = (uint64_t)segment * s->digit.digits;
            s->progress.tile = s->regions.segments ? 0 : blockIdx.x;
            s->progress.tiles = (unsigned)((high - origin + TILE - 1) / TILE);
            s->progress.whole_to = (unsigned)((high - origin) / TILE);
        }
        __syncthreads();
        return segment;
    }
};

/* Draws a tile's slots and fills the buffers; bit i of the result: key i found no room. */
template <int FEW_BITS, int ITEMS, class Key, int WORDS>
__device__ __forceinline__ unsigned
mp_gather(const mp_digit &digit, const mp_elements<Key, WORDS> &buffers, unsigned *words,
          const Key (&key)[ITEMS],
          const typename mp_elements<Key, WORDS>::payload_type (&payload)[ITEMS], unsigned valid)
{
    unsigned digits[ITEMS], word[ITEMS], over = 0;
    mp_digits_of(digit, key, digits);
    if constexpr (FEW_BITS > 0) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            word[i] = mp_draw_by_votes<FEW_BITS>(words, digits[i], valid >> i & 1);
    } else {
        mp_draw(words, digits, valid, word);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned slot = mp_word_next(word[i]);
        if (slot < mp_word_end(word[i])) {
            buffers.keys[slot] = key[i];
            if constexpr (WORDS > 0) buffers.payload[slot] = payload[i];
        } else {
            over |= 1u << i;
        }
    }
    return over & valid;
}

/* Blocks take tiles of one segment in turns (segments == NULL), or each its own part of the input,
 * segment by segment. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, int FEW_BITS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_unordered(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out,
                      mp_elements<Key, WORDS> aside, mp_elements<Key, WORDS> left_over, uint64_t n,
                      mp_digit digit, mp_cut cut, mp_regions regions)
{
    typedef mp_unordered<Key, WORDS, THREADS, ITEMS> block_of;
    typedef typename block_of::shared shared;
    typedef typename block_of::payload_type payload_type;
    GB_DYNAMIC_SHARED();
    if (!regions.exact && gb_glance(regions.failed)) return;
    shared *s = reinterpret_cast<shared *>(gb_shared_memory);
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory + sizeof(shared));
    const mp_elements<Key, WORDS> buffers = {keys,
                                             reinterpret_cast<payload_type *>(keys + cut.slots)};
    mp_route<WORDS> *routes = reinterpret_cast<mp_route<WORDS> *>(
        gb_shared_memory + sizeof(shared) + (sizeof(Key) + 4 * WORDS) * cut.slots);
    unsigned *words = reinterpret_cast<unsigned *>(routes + digit.digits);
    const unsigned per_warp = (digit.digits + block_of::WARPS - 1) / block_of::WARPS;
    if (threadIdx.x == 0) {
        s->in = in;
        s->out = out;
        s->aside = aside;
        s->left_over = left_over;
        s->buffers = buffers;
        s->digit = digit;
        s->cut = cut;
        s->regions = regions;
        s->routes = routes;
        s->words = words;
        s->per_warp = per_warp;
    }
    __syncthreads();
    const unsigned step = regions.segments ? 1 : gridDim.x;
    unsigned segment = block_of::begin(n);
    while ((segment = block_of::next_segment(n, segment)) != ~0u) {
        mp_own own = block_of::lay_out();
        unsigned tile = s->progress.tile;
        while (tile < s->progress.tiles) {
            Key key[ITEMS];
            payload_type payload[ITEMS];
            unsigned over;
            unsigned valid = mp_load_fours<THREADS>(
                in, (s->progress.low & ~(uint64_t)3) + (uint64_t)tile * block_of::TILE,
                s->progress.low, s->progress.high, key, payload);
            for (;;) {
                over = mp_gather<FEW_BITS>(digit, buffers, words, key, payload, valid);
                if (__syncthreads_or(over != 0)) break;
                unsigned leaves;
                const mp_flush<WORDS> flush = mp_plan(words, cut.group_log, regions, out, aside,
                                                      s->progress.first_region, &own, &leaves);
                tile += step;
                const bool more = tile < s->progress.tiles;
                /* the next tile's elements come while this one's leave */
                if (more) {
                    const uint64_t mine = (s->progress.low & ~(uint64_t)3) +
                                          (uint64_t)tile * block_of::TILE + 4 * threadIdx.x;
                    valid = ~0u >> (32 - ITEMS);
                    if (tile < s->progress.whole_to)
                        mp_load_all<THREADS>(in, mine, key, payload);
                    else
                        valid = mp_load_some<THREADS>(in, mine, s->progress.low, s->progress.high,
                                                      key, payload);
                }
                mp_write_planned<THREADS>(out, buffers, cut.group_log, per_warp, &s->hot, own,
                                          flush);
                __syncthreads();
                if (!more) break;
            }
            if (tile < s->progress.tiles) {
                own = block_of::place_over(tile, over, own);
                tile += step;
            }
        }
        block_of::finish(own);
    }
}

#endif
