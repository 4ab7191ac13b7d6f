/* What a block of an unordered pass works on, and what it does outside its loop over tiles: a
 * segment's beginning and end, and tiles of which some elements find no room. */
#ifndef GB_MULTIPARTITION_UNORDERED_BLOCK_CUH
#define GB_MULTIPARTITION_UNORDERED_BLOCK_CUH

#include "kernels/multipartition/partition/draw.cuh"
#include "kernels/multipartition/partition/progress.cuh"
#include "kernels/multipartition/partition/regions.cuh"
#include "kernels/multipartition/partition/runs.cuh"

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

/* All that a block works on lies at the beginning of its dynamic shared memory: what is not in the
 * loop over tiles is in functions that are called, so that the loop has all registers, and what
 * they need they find here. */
template <class Key, int WORDS, class Digit> struct __align__(16) mp_unordered_shared
{
    mp_watch watch;
    mp_elements<Key, WORDS> in, out, aside, left_over, buffers;
    Digit digit;
    mp_cut cut;
    mp_regions regions;
    mp_progress progress;
    mp_hot<WORDS> hot;
    mp_crowd crowd;
    mp_runs<Key, WORDS, Digit> runs;
    mp_route<WORDS> *routes; /* of each digit; written where a tile needs them */
    unsigned *words;         /* of each digit */
    unsigned *counters;      /* of whole bins, if they are counted in passing */
    unsigned per_warp;       /* digits a warp looks after, one a lane */
    mp_flush<WORDS> whole;   /* of a tile that has one digit alone, and how many of it leave */
    unsigned whole_leaves;
};

/* The functions that are called; each finds the block's things at the beginning of dynamic shared
 * memory. */
template <class Key, int WORDS, int THREADS, int ITEMS, mp_kind KIND, class Digit>
struct mp_unordered {
    static const int TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    static const bool CROWD = KIND == MP_FOR_CROWDS;
    static const int TWINS = CROWD && THREADS <= 512 ? WARPS : 0; /* of a digit with a crowd */
    static const unsigned SPREAD = mp_spread(KIND);               /* words of each */
    static_assert(TILE <= MP_MOST_TILE, "room aside");
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;
    typedef mp_unordered_shared<Key, WORDS, Digit> shared;

    /* Words, and as many routes, of so many digits and their twins. */
    static __host__ __device__ constexpr unsigned words_for(unsigned digits)
    {
        return SPREAD * digits + 2 * TWINS;
    }

    static __device__ __forceinline__ shared *things()
    {
        GB_DYNAMIC_SHARED();
        return reinterpret_cast<shared *>(gb_shared_memory);
    }
    /* The crowd of the segment. */
    static __device__ __forceinline__ void find_crowd(shared *s, const mp_own &own)
    {
        const uint64_t *begins = s->regions.begins + s->progress.first_region;
        const uint64_t total = begins[s->digit.digits] - begins[0];
        const uint64_t count = own.owns ? begins[own.slot + 1] - begins[own.slot] : 0;
        mp_find_crowd(count, total, own.slot, s->digit.digits, s->crowd.digits);
    }

    /* Lanes of a warp that look after something. */
    static __device__ __forceinline__ unsigned owners(const shared *s)
    {
        return s->per_warp + (TWINS && s->crowd.digits[0] != ~0u ? 2 : 0);
    }

    /* What the thread looks after: a digit, one of its words, or a twin of one with a crowd. */
    static __device__ __forceinline__ mp_own owner(const shared *s, bool crowd)
    {
        mp_own own = {};
        const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
        const unsigned twin = lane - s->per_warp;
        own.slot = warp * s->per_warp + lane;
        own.owns = lane < s->per_warp && own.slot < SPREAD * s->digit.digits;
        own.twin = own.slot >= s->digit.digits;
        if (!crowd || twin >= 2) return own;
        own.twin = own.owns = s->crowd.digits[twin] != ~0u;
        own.slot = s->crowd.first + 2 * warp + twin;
        return own;
    }

    /* The digit that it is about. */
    static __device__ __forceinline__ unsigned digit_of(const shared *s, const mp_own &own)
    {
        if constexpr (SPREAD > 1) return own.slot % s->digit.digits;
        return own.twin ? s->crowd.digits[(own.slot - s->crowd.first) % 2] : own.slot;
    }

    /* A segment begins: buffers for its digits, by the sizes of their regions. */
    static __device__ GB_CALLED mp_own lay_out()
    {
        __shared__ unsigned sums[GB_WARP + 1];
        shared *s = things();
        mp_own own = owner(s, false);
        if (threadIdx.x == 0) {
            s->hot.count = s->hot.much = 0;
            s->crowd.digits[0] = s->crowd.digits[1] = ~0u;
            s->crowd.first = s->digit.digits;
        }
        __syncthreads();
        if constexpr (TWINS > 0) {
            find_crowd(s, own);
            if (s->crowd.digits[0] != ~0u) own = owner(s, true);
            if (!s->regions.exact && threadIdx.x < 2) /* all blocks find the same */
                s->regions.crowd[threadIdx.x] = s->crowd.digits[threadIdx.x] + 1;
        }
        unsigned room = 0, all;
        double count = 0, total = 0;
        if (own.owns) {
            const unsigned digit = digit_of(s, own);
            const uint64_t *begins = s->regions.begins + s->progress.first_region;
            const uint64_t begin = begins[digit], end = begins[digit + 1];
            const bool two = s->regions.two_ended;
            own.cursor = s->regions.next + mp_cursor_at(s->progress.first_region + digit);
            own.end = two ? ~(uint64_t)0 : end;
            own.down = two && digit == 1;
            count = two ? 1 : (double)(end - begin);
            total = two ? 2 : (double)(begins[s->digit.digits] - begins[0]);
            if constexpr (SPREAD > 1)
                count /= SPREAD;
            else if (own.twin)
                count /= TWINS > 0 ? TWINS : 1;
            else if (s->crowd.digits[0] != ~0u &&
                     (digit == s->crowd.digits[0] || digit == s->crowd.digits[1]))
                count = 0; /* its twins have them */
            room = mp_room(s->cut, TILE, count, total);
        }
        own.heat =
            (unsigned short)mp_heat<CROWD, THREADS, ITEMS>(s->digit.digits, count, total, &s->hot);
        own.start = gb_block_exclusive_sum<THREADS>(room, sums, &all);
        if (own.owns) s->words[own.slot] = mp_word(own.start, own.start + room);
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
        if constexpr (TWINS > 0) mp_spread_crowd<TWINS>(s->crowd, digits);
        mp_spread_few<SPREAD>(s->digit.digits, digits);
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

    /* Tiles of one digit alone, as sorted input has: from `tile` on as many as follow each other
     * are copied as they are. What of the first one has come to the digit's buffer is forgotten.
     * Returns the first tile that is another one. */
    static __device__ __forceinline__ unsigned copy_whole(shared *s, unsigned tile, mp_own *own)
    {
        const uint64_t origin = s->progress.low & ~(uint64_t)3;
        const unsigned counted = tile; /* has been drawn for before */
        if (origin + (uint64_t)tile * TILE < s->progress.low) return tile;
        for (; tile < s->progress.whole_to; tile += s->progress.step) {
            const uint64_t base = origin + (uint64_t)tile * TILE;
            Key key[ITEMS], first[1] = {s->in.keys[base]};
            payload_type payload[ITEMS];
            unsigned digits[ITEMS], first_digit[1];
            bool same = true;
            mp_load_all<THREADS>(s->in, base + 4 * threadIdx.x, key, payload);
            mp_digits_of(s->digit, first, first_digit);
            mp_digits_of(s->digit, key, digits);
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                same &= digits[i] == first_digit[0];
            /* and the tile before has been written to where `whole` says */
            if (!__syncthreads_and(same)) break;
            if constexpr (KIND == MP_COUNTING)
                if (tile != counted)
                    mp_count_in_passing(s->digit, key, ~0u >> (32 - ITEMS), s->counters, digits);
            const bool mine = own->owns && digit_of(s, *own) == first_digit[0];
            if (mine && !own->twin) {
                mp_flush<WORDS> flush = {};
                mp_own places = *own;
                places.start = 0; /* slots are the tile's */
                const unsigned leaves =
                    mp_reserve(s->regions, s->out, s->aside, places, TILE, &flush);
                flush.next = own->start + own->rest;
                s->whole = flush;
                s->whole_leaves = leaves;
                own->rest += (unsigned short)(TILE - leaves);
            }
            if (mine)
                s->words[own->slot] =
                    mp_word(own->start + own->rest, mp_word_end(s->words[own->slot]));
            __syncthreads();
            const mp_flush<WORDS> to = s->whole;
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
        }
        return tile;
    }

    /* The rest of a tile of which some elements (over: this thread's) found no room. They draw
     * again, from the buffers' ends on: whole groups of them go straight to their places, the rest
     * to the emptied buffers. The elements are read again, so that registers need not hold them. */
    static __device__ GB_CALLED mp_own place_over(unsigned tile, unsigned over, mp_own own)
    {
        shared *s = things();
        if (s->watch.stop) { /* what is in the buffers does not matter any more */
            if (own.owns) s->words[own.slot] = mp_word(own.start, mp_word_end(s->words[own.slot]));
            own.rest = 0;
            if (threadIdx.x == 0) s->progress.tile = s->progress.tiles;
            __syncthreads();
            return own;
        }
        const uint64_t base = (s->progress.low & ~(uint64_t)3) + (uint64_t)tile * TILE;
        const unsigned next = copy_whole(s, tile, &own);
        if (threadIdx.x == 0) s->progress.tile = next != tile ? next : tile + s->progress.step;
        __syncthreads();
        if (next != tile) return own;
        unsigned leaves, after = 0;
        const mp_flush<WORDS> flush =
            mp_plan(s->words, s->cut.group_log, s->regions, s->out, s->aside, &own, &leaves);
        if (own.owns) {
            mp_route<WORDS> route = {};
            route.base = flush.base;
            route.to = (unsigned short)leaves;
            route.start = (unsigned short)own.start;
            if constexpr (WORDS > 0) route.payload_base = flush.payload_base;
            s->routes[own.slot] = route;
            after = s->words[own.slot];
            const unsigned end = mp_word_end(after);
            if (leaves >= end) {
                s->words[own.slot] = mp_word(end, end);
            } else { /* nothing behind the end leaves: it follows what stays */
                s->words[own.slot] = mp_word(own.start + (end - leaves), end);
                s->routes[own.slot].to = (unsigned short)own.start;
            }
        }
        mp_write<false, CROWD, THREADS>(s->out, s->buffers, s->cut, owners(s), &s->hot, own.heat,
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
        if (own.owns) s->words[own.slot] = after;
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
        unsigned rest = 0, before = 0, list = 0;
        if (own.owns) {
            list = regions.exact || !own.twin || SPREAD > 1
                       ? digit_of(s, own)
                       : s->digit.digits + (own.slot - s->crowd.first) % 2;
            const unsigned drawn = mp_word_next(s->words[own.slot]);
            unsigned whole = (drawn - own.start) & ~(unsigned)(MP_SECTOR - 1);
            if (whole) whole = mp_reserve(regions, s->out, s->aside, own, whole, &flush);
            flush.start = flush.from = own.start;
            flush.to = flush.next = own.start + whole; /* nothing moves */
            rest = drawn - flush.to;
            if (rest) before = atomicAdd(&regions.left[s->progress.first_region + list], rest);
        }
        const unsigned lanes = owners(s);
        mp_write_groups<false, CROWD>(s->out, s->buffers, s->cut, lanes, flush);
        enum { LANES = 2 * MP_SECTOR }; /* more are not left */
        for (unsigned j = 0; j < lanes; j += GB_WARP / LANES) {
            const unsigned source = j + gb_lane() / LANES, i = gb_lane() % LANES;
            const unsigned count = __shfl_sync(GB_FULL_MASK, rest, source);
            const unsigned slot = __shfl_sync(GB_FULL_MASK, flush.to, source) + i;
            const uint64_t place = __shfl_sync(GB_FULL_MASK, before, source) + i;
            const unsigned whose = __shfl_sync(GB_FULL_MASK, list, source);
            if (source >= lanes || i >= count) continue;
            if (regions.exact) {
                const uint64_t *begins = regions.begins + s->progress.first_region + whose;
                const uint64_t low = begins[0], high = begins[1];
                uint64_t first = mp_next_sector(low);
                if (first > high) first = high;
                const uint64_t head = first - low;
                mp_copy_one(s->out, place < head ? first - 1 - place : high - 1 - (place - head),
                            s->buffers, slot);
            } else {
                mp_copy_one(s->left_over, mp_left_list(regions, s->digit.digits, whose) + place,
                            s->buffers, slot);
            }
        }
        __syncthreads();
    }

    static __device__ GB_CALLED void move_runs(uint64_t n)
    {
        const shared *s = things();
        mp_move_runs<THREADS>(s->runs, s->out, s->regions, n);
    }
    static __device__ GB_CALLED unsigned begin(uint64_t n)
    {
        return mp_first_segment<THREADS, TILE>(things(), n);
    }
    static __device__ GB_CALLED unsigned next_segment(uint64_t n, unsigned segment)
    {
        return mp_next_segment<TILE>(things(), n, segment);
    }
};

#endif
