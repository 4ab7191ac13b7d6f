/* A pass that leaves the order inside a digit open: a key draws its slot by an atomic addition in
 * shared memory, a block reserves the places of whole groups by one in device memory for a tile and
 * digit, and nobody waits for anybody.
 *
 * The digits' regions of the output are exact (counted before) or foreseen (from a sample): what
 * does not fit a foreseen region is set aside and put right afterwards (mend.cuh). */
#ifndef GB_MULTIPARTITION_UNORDERED_CUH
#define GB_MULTIPARTITION_UNORDERED_CUH

#include "kernels/multipartition/combine.cuh"

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
    const uint64_t *begins; /* of segments x digits regions, and the end of the last */
    unsigned long long *next; /* mp_cursor_at: the next place to reserve, counted up */
    unsigned *left;           /* of each: elements that blocks had over at their ends */
    bool exact;
    bool two_ended; /* two digits, one segment, foreseen: the second grows down from the end */
    /* foreseen: */
    uint64_t *aside_of;         /* of each digit, elements set aside by mp_note */
    unsigned long long *aside;  /* taken of all room aside; notes taken */
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

/* Cursors of four digits share a sector, so that a warp's reservations are few requests, and
 * sectors are spread over the memory's partitions. */
__host__ __device__ __forceinline__ uint64_t mp_cursor_at(uint64_t digit)
{
    return digit / 4 * 16 + digit % 4;
}

/* Where a digit's slots go if its region ends within them: slot s below `split` to first + s, others
 * to second + s. */
typedef struct mp_route {
    uint64_t first, second;
    unsigned split, to, start; /* the slots that leave are [start, to) */
    bool second_aside;         /* second is aside; else in the output, too */
} mp_route;

static const uint64_t MP_NOWHERE = ~(uint64_t)0; /* mp_route.second: there was no room aside */

/* ---- drawing slots --------------------------------------------------------------------------- */

/* Draws slots for four neighbours' digits. Where all of a warp's keys agree, as in sorted or constant
 * input, one lane draws for all: 32 additions to one word would queue up. */
__device__ __forceinline__ void mp_draw_four(unsigned *words, const unsigned *digit, unsigned *word)
{
    const bool same = digit[0] == digit[1] && digit[0] == digit[2] && digit[0] == digit[3];
    const unsigned first = __shfl_sync(GB_FULL_MASK, digit[0], 0);
    if (__all_sync(GB_FULL_MASK, same && digit[0] == first)) {
        unsigned drawn = 0;
        if (gb_lane() == 0) drawn = atomicAdd(&words[first], 4 * GB_WARP);
        drawn = __shfl_sync(GB_FULL_MASK, drawn, 0);
#pragma unroll
        for (int k = 0; k < 4; k++)
            word[k] = drawn + 4 * gb_lane() + k;
        return;
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        word[k] = atomicAdd(&words[digit[k]], 1u);
}

/* The same where there are few digits: peers are found by votes, and one of them draws for all. */
template <int BITS>
__device__ __forceinline__ unsigned mp_draw_by_votes(unsigned *words, unsigned digit, bool valid)
{
    const unsigned peers = gb_lanes_with(gb_ballot_bits<BITS>(digit, valid), digit);
    const unsigned below = __popc(peers & gb_lanes_below());
    unsigned drawn = 0;
    if (valid && below == 0) drawn = atomicAdd(&words[digit], (unsigned)__popc(peers));
    return __shfl_sync(GB_FULL_MASK, drawn, __ffs(peers | 1u << gb_lane()) - 1) + below;
}

/* Puts one element where its route says. */
template <class Key, int WORDS>
__device__ __forceinline__ void
mp_put(const mp_elements<Key, WORDS> &out, const mp_elements<Key, WORDS> &aside,
       const mp_route &route, unsigned slot, Key key,
       const typename mp_elements<Key, WORDS>::payload_type &payload)
{
    const bool second = slot >= route.split;
    const uint64_t at = (second ? route.second : route.first) + slot;
    const bool away = second && route.second_aside;
    if (away && route.second == MP_NOWHERE) return;
    (away ? aside.keys : out.keys)[at] = key;
    if constexpr (WORDS > 0) (away ? aside.payload : out.payload)[at] = payload;
}

/* The route of `count` elements reserved at `at`, of which not all lie in their digit's region. Of
 * an exact region what is behind the end goes before the first aligned place; of a foreseen one it is
 * noted and goes aside. */
static __device__ GB_CALLED void mp_route_over(const mp_regions regions, uint64_t region,
                                               unsigned digit, uint64_t at, unsigned count,
                                               unsigned start, mp_route *to)
{
    const uint64_t begin = regions.begins[region], end = regions.begins[region + 1];
    const unsigned fits = at < end ? (unsigned)(end - at) : 0, over = count - fits;
    mp_route route = {at - start, 0, start + fits, start + count, start, false};
    if (regions.exact) {
        route.second = begin + (at - end) - start;
        *to = route;
        return;
    }
    const uint64_t room = atomicAdd(&regions.aside[0], (unsigned long long)over);
    const unsigned long long note = atomicAdd(&regions.aside[1], 1ull);
    const uint64_t before =
        atomicAdd(reinterpret_cast<unsigned long long *>(&regions.aside_of[region]),
                  (unsigned long long)over);
    route.second_aside = true;
    route.second = room - route.split;
    if (room + over > regions.aside_room || note >= regions.notes_room) {
        atomicExch(regions.failed, 1u);
        route.second = MP_NOWHERE;
    } else {
        regions.notes[note] = mp_note{room, before, digit, over};
    }
    *to = route;
}

/* Writes slots [start, to) of each of the warp's digits by their routes, element by element, and
 * moves what follows, up to next, to the start. Rare, so it is called: all it needs by value. */
template <class Key, int WORDS>
__device__ GB_CALLED void mp_write_slowly(mp_elements<Key, WORDS> out, mp_elements<Key, WORDS> aside,
                                          mp_elements<Key, WORDS> buffers, const mp_route *routes,
                                          unsigned per_warp, unsigned start, unsigned end,
                                          unsigned next)
{
    const unsigned lane = gb_lane();
    for (unsigned j = 0; j < per_warp; j++) {
        const unsigned from = __shfl_sync(GB_FULL_MASK, start, j);
        const unsigned to = __shfl_sync(GB_FULL_MASK, end, j);
        const unsigned last = __shfl_sync(GB_FULL_MASK, next, j);
        if (from == to) continue;
        const mp_route route = routes[j];
        for (unsigned slot = from + lane; slot < to; slot += GB_WARP) {
            typename mp_elements<Key, WORDS>::payload_type payload;
            if constexpr (WORDS > 0) payload = buffers.payload[slot];
            mp_put(out, aside, route, slot, buffers.keys[slot], payload);
        }
        __syncwarp();
        /* fewer than a group, so no slot is both read and written */
        if (to + lane < last) mp_copy_one(buffers, from + lane, buffers, to + lane);
        __syncwarp();
    }
}

/* Elements of the tile at `mine` (the thread's first) that found no room draw again, from the buffer's
 * end on: whole groups of them go to their places, the rest to the emptied buffer. Lanes that agree
 * with the first one that has such an element draw together, so that a hot digit's do not queue up.
 * Rare, so it is called: all it needs by value, and the elements are read again. */
template <int THREADS, class Key, int WORDS>
__device__ GB_CALLED void
mp_place_over(mp_elements<Key, WORDS> in, uint64_t mine, unsigned over,
              mp_elements<Key, WORDS> out, mp_elements<Key, WORDS> aside,
              mp_elements<Key, WORDS> buffers, unsigned *words, const mp_route *routes,
              mp_digit digit)
{
    for (unsigned lanes; (lanes = __ballot_sync(GB_FULL_MASK, over != 0)) != 0;) {
        Key key[1] = {0};
        typename mp_elements<Key, WORDS>::payload_type payload = {};
        if (over) {
            const unsigned item = __ffs(over) - 1;
            const uint64_t at = mine + item / 4 * 4 * THREADS + item % 4;
            key[0] = in.keys[at];
            if constexpr (WORDS > 0) payload = in.payload[at];
        }
        unsigned digits[1];
        mp_digits_of(digit, key, digits);
        const unsigned lead = __shfl_sync(GB_FULL_MASK, digits[0], __ffs(lanes) - 1);
        const bool with = over && digits[0] == lead;
        const unsigned peers = __ballot_sync(GB_FULL_MASK, with);
        unsigned drawn = 0;
        if (with && (peers & gb_lanes_below()) == 0)
            drawn = atomicAdd(&words[lead], (unsigned)__popc(peers));
        const unsigned together = __shfl_sync(GB_FULL_MASK, drawn, __ffs(peers) - 1);
        if (!over) continue;
        drawn = with ? together + __popc(peers & gb_lanes_below())
                     : atomicAdd(&words[digits[0]], 1u);
        const unsigned slot = mp_word_next(drawn);
        const mp_route route = routes[digits[0]];
        if (slot < route.to) {
            mp_put(out, aside, route, slot, key[0], payload);
        } else {
            const unsigned into = route.start + (slot - route.to);
            buffers.keys[into] = key[0];
            if constexpr (WORDS > 0) buffers.payload[into] = payload;
        }
        over &= over - 1;
    }
}

/* ---- the block ------------------------------------------------------------------------------- */

template <class Key, int WORDS, int THREADS, int ITEMS, int FEW_BITS> struct mp_unordered {
    static const int TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;

    elements in, out, aside, left_over;
    const mp_digit &digit;
    const mp_cut &cut;
    const mp_regions &regions;
    elements buffers;  /* shared */
    unsigned *words;   /* shared: of each digit */
    mp_route *routes;  /* shared: of each digit; written where a tile needs them */
    unsigned per_warp; /* digits a warp looks after */
    mp_owner owner;
    uint64_t first_region; /* of the segment */

    __device__ __forceinline__ uint64_t region_of() const { return first_region + owner.digit; }

    /* A segment begins: buffers for its digits, by the sizes of their regions. */
    __device__ __forceinline__ void lay_out(unsigned segment)
    {
        __shared__ unsigned sums[GB_WARP + 1];
        first_region = (uint64_t)segment * digit.digits;
        unsigned room = 0, all;
        if (owner.owns) {
            const uint64_t *begins = regions.begins + first_region;
            const uint64_t begin = begins[owner.digit], end = begins[owner.digit + 1];
            const uint64_t total = begins[digit.digits] - begins[0];
            room = regions.two_ended ? mp_room(cut, TILE, 1, 2)
                                     : mp_room(cut, TILE, (double)(end - begin), (double)total);
        }
        owner.start = gb_block_exclusive_sum<THREADS>(room, sums, &all);
        if (owner.owns) words[owner.digit] = mp_word(owner.start, owner.start + room);
        __syncthreads();
    }

    /* Reserves places for `count` elements of the owner's digit, at slots from its buffer's start
     * on; *first + slot is where they go. false: not all of them fit into the digit's region, and
     * their route is noted. */
    __device__ __forceinline__ bool reserve(unsigned count, uint64_t *first)
    {
        const uint64_t region = region_of();
        const uint64_t at =
            atomicAdd(&regions.next[mp_cursor_at(region)], (unsigned long long)count);
        const uint64_t end = regions.begins[region + 1];
        const bool down = regions.two_ended && owner.digit == 1;
        *first = (down ? end - at - count : at) - owner.start;
        if (regions.two_ended || at + count <= end) return true;
        mp_route_over(regions, region, owner.digit, at, count, owner.start, &routes[owner.digit]);
        return false;
    }

    /* Draws the tile's slots and fills the buffers; bit i of the result: key i found no room. */
    __device__ __forceinline__ unsigned gather(const Key (&key)[ITEMS],
                                               const payload_type (&payload)[ITEMS], unsigned valid)
    {
        unsigned digits[ITEMS], over = 0;
        mp_digits_of(digit, key, digits);
        const unsigned all = ~0u >> (32 - ITEMS);
        const bool whole = __all_sync(GB_FULL_MASK, valid == all);
#pragma unroll
        for (int i = 0; i < ITEMS; i += 4) {
            unsigned word[4];
            if constexpr (FEW_BITS > 0) {
#pragma unroll
                for (int k = 0; k < 4; k++)
                    word[k] = mp_draw_by_votes<FEW_BITS>(words, digits[i + k], valid >> (i + k) & 1);
            } else if (whole) {
                mp_draw_four(words, digits + i, word);
            } else {
#pragma unroll
                for (int k = 0; k < 4; k++)
                    if (valid >> (i + k) & 1) word[k] = atomicAdd(&words[digits[i + k]], 1u);
            }
#pragma unroll
            for (int k = 0; k < 4; k++) {
                if (!whole && !(valid >> (i + k) & 1)) continue;
                const unsigned slot = mp_word_next(word[k]);
                if (slot < mp_word_end(word[k])) {
                    buffers.keys[slot] = key[i + k];
                    if constexpr (WORDS > 0) buffers.payload[slot] = payload[i + k];
                } else {
                    over |= 1u << (i + k);
                }
            }
        }
        return over;
    }

    /* After the tile at `base`: whole groups are written, the rest stays. any: some key of the block
     * found no room; over: those of this thread. */
    __device__ __forceinline__ void empty(bool any, uint64_t base, unsigned over)
    {
        mp_flush flush = {owner.start, owner.start, owner.start, 0};
        unsigned limit = 0, drawn = owner.start, to = owner.start;
        bool fits = true;
        if (owner.owns) {
            const unsigned word = words[owner.digit];
            drawn = mp_word_next(word);
            limit = mp_word_end(word);
            const unsigned whole = (drawn - owner.start) >> cut.group_log << cut.group_log;
            to = owner.start + whole;
            if (whole) fits = reserve(whole, &flush.base);
            flush.to = to < limit ? to : limit;
            flush.next = drawn < limit ? drawn : flush.to;
            if (any) {
                if (drawn > limit) words[owner.digit] = mp_word(limit, limit);
                if (fits)
                    routes[owner.digit] = mp_route{flush.base, 0, ~0u, to, owner.start, false};
            }
        }
        write(flush, fits, any);
        if (any) {
            __syncthreads();
            mp_place_over<THREADS>(in, base + 4 * threadIdx.x, over, out, aside, buffers, words,
                                   routes, digit);
            __syncthreads();
        }
        if (owner.owns) words[owner.digit] = mp_word(owner.start + (drawn - to), limit);
    }

    /* Writes what the warp's digits have to write. routed: the routes of those that fit their
     * regions are noted, as those of the others always are. */
    __device__ __forceinline__ void write(const mp_flush &flush, bool fits, bool routed)
    {
        if (__all_sync(GB_FULL_MASK, fits)) {
            mp_write_groups(out, buffers, cut, per_warp, owner, flush);
            return;
        }
        if (owner.owns && fits && !routed)
            routes[owner.digit] = mp_route{flush.base, 0, ~0u, flush.to, owner.start, false};
        __syncwarp();
        mp_write_slowly(out, aside, buffers, routes + threadIdx.x / GB_WARP * per_warp, per_warp,
                        owner.start, flush.to, flush.next);
    }

    /* A segment's or the block's end: what is in the buffers, less than a group of each digit.
     * Sectors go as ever; of the rest a foreseen digit leaves a list, and an exact one fills what
     * groups leave free of its region: before its first aligned place, and at its end. */
    __device__ __forceinline__ void finish()
    {
        mp_flush flush = {owner.start, owner.start, owner.start, 0};
        unsigned rest = 0, before = 0;
        bool fits = true;
        if (owner.owns) {
            const unsigned drawn = mp_word_next(words[owner.digit]);
            const unsigned whole = (drawn - owner.start) & ~(unsigned)(MP_SECTOR - 1);
            if (whole) fits = reserve(whole, &flush.base);
            flush.to = flush.next = owner.start + whole; /* nothing moves */
            rest = drawn - flush.to;
            if (rest) before = atomicAdd(&regions.left[region_of()], rest);
        }
        write(flush, fits, false);
        const unsigned lane = gb_lane();
        for (unsigned j = 0; j < per_warp; j += GB_WARP / MP_SECTOR) {
            const unsigned source = j + lane / MP_SECTOR, i = lane % MP_SECTOR;
            const unsigned count = __shfl_sync(GB_FULL_MASK, rest, source);
            const unsigned slot = __shfl_sync(GB_FULL_MASK, flush.to, source) + i;
            const uint64_t place = __shfl_sync(GB_FULL_MASK, before, source) + i;
            const uint64_t which = first_region + __shfl_sync(GB_FULL_MASK, owner.digit, source);
            if (source >= per_warp || i >= count) continue;
            if (regions.exact) {
                const uint64_t low = regions.begins[which], high = regions.begins[which + 1];
                uint64_t first = (low + MP_SECTOR - 1) & ~(uint64_t)(MP_SECTOR - 1);
                if (first > high) first = high;
                const uint64_t head = first - low;
                mp_copy_one(out, place < head ? first - 1 - place : high - 1 - (place - head),
                            buffers, slot);
            } else {
                mp_copy_one(left_over, which * regions.left_room + place, buffers, slot);
            }
        }
        __syncthreads();
    }
};

/* Blocks take tiles of one segment in turns (segments == NULL), or each its own part of the input,
 * segment by segment. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, int FEW_BITS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_unordered(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out,
                      mp_elements<Key, WORDS> aside, mp_elements<Key, WORDS> left_over, uint64_t n,
                      mp_digit digit, mp_cut cut, mp_regions regions)
{
    typedef mp_unordered<Key, WORDS, THREADS, ITEMS, FEW_BITS> block_of;
    typedef typename block_of::payload_type payload_type;
    GB_DYNAMIC_SHARED();
    if (!regions.exact && gb_glance(regions.failed)) return;
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory);
    payload_type *payload_room = reinterpret_cast<payload_type *>(keys + cut.slots);
    mp_route *routes =
        reinterpret_cast<mp_route *>(gb_shared_memory + (sizeof(Key) + 4 * WORDS) * cut.slots);
    const unsigned per_warp = (digit.digits + block_of::WARPS - 1) / block_of::WARPS;
    const unsigned owned = threadIdx.x / GB_WARP * per_warp + gb_lane();
    const bool owns = gb_lane() < per_warp && owned < digit.digits;
    block_of block = {in,
                      out,
                      aside,
                      left_over,
                      digit,
                      cut,
                      regions,
                      {keys, payload_room},
                      reinterpret_cast<unsigned *>(routes + digit.digits),
                      routes,
                      per_warp,
                      {owned, owns, 0, 0},
                      0};

    uint64_t at = 0, stop = n;
    unsigned segment = 0, first = blockIdx.x, step = gridDim.x;
    if (regions.segments) {
        const uint64_t part = ((n + gridDim.x - 1) / gridDim.x + 127) & ~(uint64_t)127;
        at = part * blockIdx.x;
        stop = at + part < n ? at + part : n;
        if (at < stop) segment = mp_segment_holding(regions.segments, regions.segment_count, at);
        first = 0;
        step = 1;
    }
    for (; at < stop; segment++) {
        const uint64_t low = at;
        if (regions.segments) {
            const uint64_t end = regions.segments[segment + 1];
            if (end <= low) continue;
            at = end < stop ? end : stop;
        } else {
            at = stop;
        }
        block.lay_out(segment);
        const uint64_t origin = low & ~(uint64_t)3;
        const unsigned tiles = (unsigned)((at - origin + block_of::TILE - 1) / block_of::TILE);
        Key key[ITEMS];
        payload_type payload[ITEMS];
        unsigned valid = 0;
        if (first < tiles)
            valid = mp_load_fours<THREADS>(in, origin + (uint64_t)first * block_of::TILE, low, at,
                                           key, payload);
        for (unsigned tile = first; tile < tiles; tile += step) {
            const unsigned over = block.gather(key, payload, valid);
            /* the next tile's elements come while this one's leave */
            if (tile + step < tiles)
                valid = mp_load_fours<THREADS>(
                    in, origin + (uint64_t)(tile + step) * block_of::TILE, low, at, key, payload);
            const bool any = __syncthreads_or(over != 0);
            block.empty(any, origin + (uint64_t)tile * block_of::TILE, over);
            __syncthreads();
        }
        block.finish();
    }
}

#endif
