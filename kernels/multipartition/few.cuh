/* Tiles of few digits, whose buffers are cut for other ones: as sorted input has, and what a first
 * pass made of it. Their digits are counted, and then each row of 32 neighbours goes straight to
 * the places of the runs that it consists of. */
#ifndef GB_MULTIPARTITION_FEW_CUH
#define GB_MULTIPARTITION_FEW_CUH

#include "kernels/multipartition/regions.cuh"

enum {
    MP_FEW = 4,
    MP_FEW_AT_ONCE = 4, /* keys a thread looks at: others have to be read again, but the loop over
                           tiles, which this is called from, has all the registers */
    MP_FEW_LATE = 24 /* at most so many wait: less than a sector, and what a full region leaves */
};

/* A digit of such a tile. Of its elements, numbered within the tile, the first `filling` make its
 * buffer's group whole, up to `leaving` they go to base + number of the output, and the rest waits
 * for what the group leaves free. */
template <int WORDS> struct mp_few_digit {
    unsigned digit;      /* ~0: there are no more */
    unsigned counts[32]; /* of each warp; then those of the warps before */
    unsigned filling, leaving, late;
    unsigned filled_at, late_at; /* slots */
    uint64_t base, payload_base;
    unsigned short late_from[MP_FEW_LATE]; /* places in the tile */
};

/* In shared memory. */
template <int WORDS> struct mp_few {
    mp_few_digit<WORDS> digits[MP_FEW];
    unsigned more;  /* a digit beyond those, or ~0 */
    unsigned found; /* how many; if beyond those, there may be more */
};

/* One tile of a block; s: mp_unordered_shared. */
template <class Key, int WORDS, int THREADS, int ITEMS, class Shared> struct mp_few_tile {
    static const int WARPS = THREADS / GB_WARP, AT_ONCE = MP_FEW_AT_ONCE;
    static_assert(ITEMS % AT_ONCE == 0, "whole steps");
    Shared *s;
    uint64_t base;

    /* Where some of the thread's keys begin: rows of 32 neighbours. */
    __device__ __forceinline__ unsigned place(unsigned some) const
    {
        return (threadIdx.x / GB_WARP * ITEMS + some) * GB_WARP + gb_lane();
    }
    __device__ __forceinline__ void load(unsigned some, Key (&key)[AT_ONCE],
                                         unsigned (&digits)[AT_ONCE]) const
    {
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            key[i] = s->in.keys[base + place(some) + i * GB_WARP];
        mp_digits_of(s->digit, key, digits);
    }

    /* Finds the digits and how many of each a warp has, to be seen behind a barrier. Returns how
     * many digits there are; more than MP_FEW: they were not all looked at. */
    __device__ __forceinline__ unsigned find() const
    {
        mp_few<WORDS> *few = &s->few;
        const unsigned warp = threadIdx.x / GB_WARP;
        if (threadIdx.x < MP_FEW) few->digits[threadIdx.x].digit = ~0u;
        if (threadIdx.x == 0) few->more = ~0u;
        for (unsigned i = threadIdx.x; i < MP_FEW * 32; i += THREADS)
            few->digits[i / 32].counts[i % 32] = 0;
        __syncthreads();
        unsigned found = 0;
#pragma unroll 1
        for (unsigned some = 0; some < ITEMS; some += AT_ONCE) {
            Key key[AT_ONCE];
            unsigned digits[AT_ONCE];
            load(some, key, digits);
            for (;;) { /* until all are known, each warp offers one that is not */
                unsigned offer = ~0u;
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++) {
                    bool known = false;
                    for (unsigned f = 0; f < found; f++)
                        known |= few->digits[f].digit == digits[i];
                    if (!known) offer = digits[i];
                }
                if (!__syncthreads_or(offer != ~0u)) break;
                const unsigned offers = __ballot_sync(GB_FULL_MASK, offer != ~0u);
                if (offer != ~0u && !(offers & gb_lanes_below()))
                    atomicMin(found < MP_FEW ? &few->digits[found].digit : &few->more, offer);
                __syncthreads();
                if (++found > MP_FEW) return found;
            }
            for (unsigned f = 0; f < found; f++) {
                unsigned count = 0;
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++)
                    count += __popc(__ballot_sync(GB_FULL_MASK, digits[i] == few->digits[f].digit));
                if (gb_lane() == 0) few->digits[f].counts[warp] += count;
            }
        }
        return found;
    }

    /* Places for the elements of the thread's digit; that they have drawn for any is forgotten.
     * Returns how many of them wait. */
    __device__ __forceinline__ unsigned reserve(unsigned found, mp_own *own) const
    {
        for (unsigned f = 0; f < found; f++) {
            mp_few_digit<WORDS> &d = s->few.digits[f];
            if (d.digit != own->digit) continue;
            unsigned all = 0;
            for (unsigned w = 0; w < WARPS; w++) {
                const unsigned count = d.counts[w];
                d.counts[w] = all;
                all += count;
            }
            const unsigned group = 1u << s->cut.group_log;
            const unsigned free = own->rest < group ? group - own->rest : 0;
            d.filling = all < free ? all : free;
            d.filled_at = own->start + own->rest;
            unsigned leaving = (all - d.filling) & ~(unsigned)(MP_SECTOR - 1);
            mp_flush<WORDS> flush = {};
            mp_own places = *own;
            places.start = 0;
            if (leaving)
                leaving = mp_reserve(s->regions, s->out, s->aside, s->progress.first_region, places,
                                     leaving, &flush);
            d.leaving = d.filling + leaving;
            d.base = flush.base - d.filling;
            if constexpr (WORDS > 0) d.payload_base = flush.payload_base - d.filling;
            d.late = all - d.leaving;
            s->words[own->digit] =
                mp_word(d.filled_at + d.filling, mp_word_end(s->words[own->digit]));
            return d.late;
        }
        return 0;
    }

    __device__ __forceinline__ void copy(unsigned found) const
    {
#pragma unroll 1
        for (unsigned some = 0; some < ITEMS; some += AT_ONCE) {
            Key key[AT_ONCE];
            unsigned digits[AT_ONCE];
            load(some, key, digits);
            for (unsigned f = 0; f < found; f++) {
                mp_few_digit<WORDS> *d = &s->few.digits[f];
                unsigned before = d->counts[threadIdx.x / GB_WARP];
                __syncwarp();
#pragma unroll
                for (int i = 0; i < AT_ONCE; i++) {
                    const bool is = digits[i] == d->digit;
                    const unsigned peers = __ballot_sync(GB_FULL_MASK, is);
                    const unsigned number = before + __popc(peers & gb_lanes_below());
                    before += __popc(peers);
                    if (is) put(d, number, place(some) + i * GB_WARP, key[i]);
                }
                if (gb_lane() == 0) d->counts[threadIdx.x / GB_WARP] = before;
                __syncwarp();
            }
        }
    }
    __device__ __forceinline__ void put(mp_few_digit<WORDS> *d, unsigned number, unsigned from,
                                        Key key) const
    {
        if (number >= d->leaving) {
            d->late_from[number - d->leaving] = (unsigned short)from;
            return;
        }
        const bool fills = number < d->filling;
        (fills ? s->buffers.keys + d->filled_at : s->out.keys + d->base)[number] = key;
        if constexpr (WORDS > 0)
            (fills ? s->buffers.payload + d->filled_at : s->out.payload + d->payload_base)[number] =
                s->in.payload[base + from];
    }

    /* What waited comes to the buffers. */
    __device__ __forceinline__ void copy_late(unsigned found) const
    {
        for (unsigned f = threadIdx.x / GB_WARP; f < found; f += WARPS) {
            const mp_few_digit<WORDS> &d = s->few.digits[f];
            if (gb_lane() < d.late)
                mp_copy_one(s->buffers, d.late_at + gb_lane(), s->in,
                            base + d.late_from[gb_lane()]);
        }
    }
};

/* Copies the tile at `base`, all of which is there, if s->few.found is no more than MP_FEW then;
 * else nothing was done. Of the buffers what was there before the tile counts, own->rest. All
 * threads of the block call it. s: mp_unordered_shared */
template <class Key, int WORDS, int THREADS, int ITEMS, class Shared>
static __device__ __forceinline__ void mp_copy_few(Shared *s, uint64_t base, mp_own *own)
{
    const mp_few_tile<Key, WORDS, THREADS, ITEMS, Shared> tile = {s, base};
    __syncthreads(); /* all have left the tile before */
    const unsigned found = tile.find();
    if (threadIdx.x == 0) s->few.found = found;
    __syncthreads();
    if (found > MP_FEW) return;
    unsigned late = 0;
    if (own->owns) late = tile.reserve(found, own);
    __syncthreads();
    tile.copy(found);
    __syncthreads();
    unsigned leaves;
    const mp_flush<WORDS> flush = mp_plan(s->words, s->cut.group_log, s->regions, s->out, s->aside,
                                          s->progress.first_region, own, &leaves);
    mp_write<false, THREADS>(s->out, s->buffers, s->cut.group_log, s->per_warp, &s->hot, own->heat,
                             flush);
    if (late) {
        for (unsigned f = 0; f < found; f++)
            if (s->few.digits[f].digit == own->digit)
                s->few.digits[f].late_at = own->start + own->rest;
        own->rest += (unsigned short)late;
        s->words[own->digit] = mp_word(own->start + own->rest, mp_word_end(s->words[own->digit]));
    }
    __syncthreads();
    tile.copy_late(found);
    __syncthreads();
}

#endif
