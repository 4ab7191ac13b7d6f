/* Passes for wide elements: each tile is sorted by digit in shared memory and written at once, run
 * by run. Nothing waits in buffers for a group to be whole: an element of 12 bytes and more fills
 * sectors soon, and a tile that has all of a block's shared memory has longer runs than one beside
 * buffers.
 *
 * Only keys are sorted. Payloads come into shared memory as they lie in the input, by copies that
 * go on while keys find their slots; a slot knows where in the tile its element was, and the thread
 * that writes the slot's key takes the payload from there. Registers never hold payloads.
 *
 * In order, a tile's elements go to where parts (parts.cuh) have them; or else to foreseen regions
 * (regions.cuh), in which a tile reserves places for each digit's run, of any number. */
#ifndef GB_MULTIPARTITION_TILES_CUH
#define GB_MULTIPARTITION_TILES_CUH

#include "common/cuda/copy_async.cuh"
#include "kernels/multipartition/partition/draw.cuh"
#include "kernels/multipartition/partition/progress.cuh"
#include "kernels/multipartition/partition/regions.cuh"
#include "kernels/multipartition/partition/rows.cuh"

#include <type_traits>

/* What a block works on that leaves the order open; at the beginning of its dynamic shared memory,
 * where progress.cuh and mp_reserve look for it. */
template <class Digit> struct __align__(16) mp_tiles_shared
{
    mp_watch watch;
    mp_regions regions;
    mp_progress progress;
    Digit digit;
};

/* A tile's way through a block. */
template <class Key, int WORDS, int THREADS, int ITEMS, bool IN_ORDER, class Digit>
struct mp_tiles {
    static const unsigned TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    static_assert(TILE <= MP_MOST_TILE, "places and digits have 16 bits; room aside");
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;
    /* What a slot knows: its digit and, in the lower half, where its payload is staged. */
    typedef std::conditional_t<(WORDS > 0), unsigned, unsigned short> origin_type;
    /* Counts of a warp, and then its first slots; or of all, drawn from. */
    typedef std::conditional_t<IN_ORDER, unsigned short, unsigned> count_type;
    static const size_t SHARED = IN_ORDER ? 0 : sizeof(mp_tiles_shared<Digit>);
    static const unsigned BASES = IN_ORDER || WORDS == 0 ? 1 : 2; /* what goes aside has two */
    static const unsigned ROWS = IN_ORDER ? WARPS : 1;            /* of counts */
    static const unsigned CHUNK = WORDS > 0 ? 4 / WORDS : 1;      /* payloads in 16 bytes */
    /* A part may begin within a chunk. */
    static const size_t STAGED = WORDS > 0 ? TILE * 4 * WORDS + 16 : 0;

    payload_type *staged; /* of the tile: as the input has them */
    Key *keys;            /* by slot: sorted by digit; */
    origin_type *origins; /* of each slot; */
    unsigned *peers;      /* in the memory of both: which lanes of a warp have a digit */
    uint64_t *places;     /* of slot 0, if it were of the digit; modulo 2^64 */
    uint64_t *payload_places;
    count_type *counts; /* of each digit; IN_ORDER: of each warp */

    static __host__ __device__ constexpr size_t tile_bytes(size_t digits)
    {
        const size_t all = TILE * (sizeof(Key) + sizeof(origin_type));
        const size_t votes = IN_ORDER ? WARPS * digits * sizeof(unsigned) : 0;
        return ((all > votes ? all : votes) + 15) / 16 * 16;
    }
    /* Of dynamic shared memory. */
    static __host__ __device__ constexpr size_t bytes(size_t digits)
    {
        return SHARED + STAGED + tile_bytes(digits) +
               digits * (BASES * sizeof(uint64_t) + ROWS * sizeof(count_type));
    }
    __device__ __forceinline__ mp_tiles(unsigned char *memory, unsigned digits)
    {
        memory += SHARED;
        staged = reinterpret_cast<payload_type *>(memory);
        memory += STAGED;
        keys = reinterpret_cast<Key *>(memory);
        origins = reinterpret_cast<origin_type *>(memory + TILE * sizeof(Key));
        peers = reinterpret_cast<unsigned *>(memory) + threadIdx.x / GB_WARP * digits;
        places = reinterpret_cast<uint64_t *>(memory + tile_bytes(digits));
        payload_places = places + (BASES - 1) * digits;
        counts = reinterpret_cast<count_type *>(places + BASES * digits);
    }

    /* Where in its chunk of 16 bytes the payload of an element at `at` is. */
    static __device__ __forceinline__ unsigned within_chunk(uint64_t at)
    {
        return (unsigned)at % CHUNK;
    }

    /* Payloads of the tile at `at`, of the elements before `stop`, set out for where they are to be
     * staged: whole chunks, from the one on in which the first is. */
    __device__ __forceinline__ void fetch(const elements &in, uint64_t at, uint64_t stop) const
    {
        if constexpr (WORDS > 0) {
            const unsigned before = within_chunk(at);
            const payload_type *from = in.payload + (at - before);
            const unsigned count = before + (at + TILE <= stop ? TILE : (unsigned)(stop - at));
#pragma unroll 4
            for (unsigned i = threadIdx.x; i < count / CHUNK; i += THREADS)
                gb_copy_async_16(staged + i * CHUNK, from + i * CHUNK);
            const unsigned rest = count / CHUNK * CHUNK + threadIdx.x;
            if (rest < count) staged[rest] = from[rest];
        }
    }

    /* Ranks a thread's elements among the warp's of their digits: rank[i]. of_warp: counts of the
     * warp, 0 before, what it has afterwards; peers are 0 before and after. */
    __device__ __forceinline__ void rank_rows(const unsigned (&digit)[ITEMS], count_type *of_warp,
                                              unsigned (&rank)[ITEMS]) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            atomicOr(&peers[digit[i]], 1u << gb_lane());
            __syncwarp();
            const unsigned mine = peers[digit[i]], before = of_warp[digit[i]];
            const unsigned below = __popc(mine & gb_lanes_below());
            __syncwarp();
            if (mine >> gb_lane() == 1) { /* the last of them */
                of_warp[digit[i]] = (count_type)(before + below + 1);
                peers[digit[i]] = 0;
            }
            __syncwarp();
            rank[i] = before + below;
        }
    }

    /* The keys of the tile at `at` to their slots, which get to know where those come from; what is
     * not there has no slot in the tile. Waits for the payloads, too. */
    __device__ __forceinline__ void gather(const Key (&key)[ITEMS], const unsigned (&digits)[ITEMS],
                                           const unsigned (&slot)[ITEMS], uint64_t at) const
    {
        const unsigned first = within_chunk(at) + mp_row_place<ITEMS>();
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (slot[i] >= TILE) continue;
            keys[slot[i]] = key[i];
            if constexpr (WORDS > 0)
                origins[slot[i]] = digits[i] << 16 | (first + i * GB_WARP);
            else
                origins[slot[i]] = (unsigned short)digits[i];
        }
        gb_copy_async_wait();
    }

    /* The tile goes to its places. */
    __device__ __forceinline__ void write(const elements &out, unsigned valid) const
    {
        enum { TOGETHER = ITEMS % 4 ? 2 : 4 };
        static_assert(ITEMS % TOGETHER == 0, "reads are on their way together");
#pragma unroll
        for (int first = 0; first < ITEMS; first += TOGETHER) {
            unsigned origin[TOGETHER], digit[TOGETHER];
            Key key[TOGETHER];
            uint64_t to[TOGETHER];
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                const unsigned s = (first + k) * THREADS + threadIdx.x;
                origin[k] = s < valid ? origins[s] : 0;
                key[k] = keys[s];
                digit[k] = WORDS > 0 ? origin[k] >> 16 : origin[k];
            }
#pragma unroll
            for (int k = 0; k < TOGETHER; k++)
                to[k] = places[digit[k]] + (first + k) * THREADS + threadIdx.x;
#pragma unroll
            for (int k = 0; k < TOGETHER; k++)
                if ((first + k) * THREADS + threadIdx.x < valid) out.keys[to[k]] = key[k];
            if constexpr (WORDS > 0) {
                payload_type payload[TOGETHER];
#pragma unroll
                for (int k = 0; k < TOGETHER; k++) {
                    payload[k] = staged[origin[k] & 0xffffu];
                    if (BASES > 1)
                        to[k] = payload_places[digit[k]] + (first + k) * THREADS + threadIdx.x;
                }
#pragma unroll
                for (int k = 0; k < TOGETHER; k++)
                    if ((first + k) * THREADS + threadIdx.x < valid)
                        out.payload[to[k]] = payload[k];
            }
        }
    }
};

/* A part of the input, in its order. A digit is the thread's of its number. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, bool PIECES, class Digit>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_tiles_in_order(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out, uint64_t n,
                           Digit digit, mp_parts parts)
{
    typedef mp_tiles<Key, WORDS, THREADS, ITEMS, true, Digit> tiles;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    const mp_part found = mp_find_part<PIECES>(parts, n, blockIdx.x);
    uint64_t at = found.begin;
    if (at >= found.end) return;
    const tiles t(gb_shared_memory, digit.digits);
    mp_prepare(digit);
    /* two threads a digit add up what warps have of it, or one */
    const unsigned pair = 2 * digit.digits <= THREADS, second = threadIdx.x & pair;
    const unsigned own = threadIdx.x >> pair, each = tiles::WARPS >> pair;
    const bool owns = own < digit.digits;
    typename tiles::count_type *of_warp = t.counts + threadIdx.x / GB_WARP * digit.digits;
    typename tiles::count_type *summed = t.counts + second * each * digit.digits + own;
    uint64_t next = 0; /* the place of the digit's next element */
    if (owns) next = mp_share_of<PIECES>(parts, blockIdx.x, found, own).begin;
    const mp_elements<Key, 0> in_keys = in.without_payload();
    typename mp_elements<Key, 0>::payload_type none[ITEMS];
    Key key[ITEMS];
    t.fetch(in, at, found.end);
    mp_load_rows<THREADS>(in_keys, at, found.end, key, none);
    for (;;) {
        const uint64_t after = at + tiles::TILE;
        const unsigned valid = after <= found.end ? tiles::TILE : (unsigned)(found.end - at);
        unsigned digits[ITEMS], slot[ITEMS];
        for (unsigned d = gb_lane(); d < digit.digits; d += GB_WARP)
            of_warp[d] = t.peers[d] = 0;
        __syncthreads(); /* and tables are there */
        mp_digits_of_rows<THREADS>(digit, key, valid, digits);
        t.rank_rows(digits, of_warp, slot);
        __syncthreads();
        unsigned mine = 0, all;
#pragma unroll 8
        for (unsigned w = 0; w < each; w++)
            mine += owns ? summed[w * digit.digits] : 0;
        const unsigned other = __shfl_xor_sync(GB_FULL_MASK, mine, pair);
        const unsigned total = pair ? mine + other : mine;
        const unsigned sum = gb_block_exclusive_sum<THREADS>(second ? 0 : total, sums, &all);
        const unsigned first = second ? sum - total : sum;
        if (owns) {
            if (!second) t.places[own] = next - first;
            next += total;
            unsigned before = second ? first + other : first;
#pragma unroll 8
            for (unsigned w = 0; w < each; w++) {
                const unsigned count = summed[w * digit.digits];
                summed[w * digit.digits] = (typename tiles::count_type)before;
                before += count;
            }
        }
        __syncthreads();
        /* what is not there has the last digit and ranks behind: it has the last slots */
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            slot[i] += of_warp[digits[i]];
        t.gather(key, digits, slot, at);
        __syncthreads();
        /* the next tile's keys come while this one leaves */
        const bool more = after < found.end;
        if (more) mp_load_rows<THREADS>(in_keys, after, found.end, key, none);
        t.write(out, valid);
        if (!more) return;
        at = after;
        __syncthreads();
        t.fetch(in, at, found.end);
    }
}

/* In any order. Blocks take tiles of one segment in turns (segments == NULL), or each its own part
 * of the input, segment by segment, into regions in which places are reserved in any number
 * (ragged), exact or foreseen ones. A digit is the thread's of its number. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, class Digit>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_tiles(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out,
                  mp_elements<Key, WORDS> aside, uint64_t n, Digit digit, mp_regions regions)
{
    typedef mp_tiles<Key, WORDS, THREADS, ITEMS, false, Digit> tiles;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    if (regions.only_if && !mp_is_anew(regions.only_if)) return;
    const tiles t(gb_shared_memory, digit.digits);
    mp_tiles_shared<Digit> *s = reinterpret_cast<mp_tiles_shared<Digit> *>(gb_shared_memory);
    if (threadIdx.x == 0) {
        s->watch = mp_watch{};
        s->regions = regions;
        s->digit = digit;
    }
    mp_own own = {};
    own.slot = threadIdx.x;
    own.owns = own.slot < digit.digits;
    if (own.owns) t.counts[own.slot] = 0;
    if (!regions.segments) mp_prepare(digit);
    __syncthreads();
    const mp_elements<Key, 0> in_keys = in.without_payload();
    typename mp_elements<Key, 0>::payload_type none[ITEMS];
    unsigned segment = mp_first_segment<THREADS, tiles::TILE>(s, n);
    while ((segment = mp_next_segment<tiles::TILE>(s, n, segment)) != ~0u) {
        const uint64_t stop = s->progress.high;
        const uint64_t step = (uint64_t)s->progress.step * tiles::TILE;
        uint64_t at = s->progress.low + (uint64_t)s->progress.tile * tiles::TILE;
        if (own.owns) {
            const uint64_t region = s->progress.first_region + own.slot;
            own.cursor = regions.next + mp_cursor_at(region);
            own.end = regions.two_ended ? ~(uint64_t)0 : regions.begins[region + 1];
            own.down = regions.two_ended && own.slot == 1;
        }
        Key key[ITEMS];
        if (at < stop) {
            t.fetch(in, at, stop);
            mp_load_rows<THREADS>(in_keys, at, stop, key, none);
        }
        while (at < stop) {
            const unsigned valid = at + tiles::TILE <= stop ? tiles::TILE : (unsigned)(stop - at);
            unsigned digits[ITEMS], slot[ITEMS], there = ~0u >> (32 - ITEMS);
            if (threadIdx.x == 0) s->watch.tile = (unsigned)(at / tiles::TILE);
            if (valid < tiles::TILE) {
#pragma unroll
                for (int i = 0; i < ITEMS; i++)
                    if (mp_row_place<ITEMS>() + i * GB_WARP >= valid) there &= ~(1u << i);
            }
            mp_digits_of(digit, key, digits);
            mp_draw(t.counts, digits, there, slot);
            __syncthreads();
            const unsigned total = own.owns ? t.counts[own.slot] : 0;
            unsigned all;
            const unsigned first = gb_block_exclusive_sum<THREADS>(total, sums, &all);
            if (own.owns) {
                mp_flush<WORDS> flush = {};
                if (total) mp_reserve(regions, out, aside, own, total, &flush);
                t.places[own.slot] = flush.base - first;
                if constexpr (WORDS > 0) t.payload_places[own.slot] = flush.payload_base - first;
                t.counts[own.slot] = first;
            }
            __syncthreads();
            if (s->watch.stop) {
                gb_copy_async_wait();
                return;
            }
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                slot[i] = there >> i & 1 ? slot[i] + t.counts[digits[i]] : tiles::TILE;
            t.gather(key, digits, slot, at);
            __syncthreads();
            if (own.owns) t.counts[own.slot] = 0;
            /* the next tile's keys come while this one leaves */
            at += step;
            if (at < stop) mp_load_rows<THREADS>(in_keys, at, stop, key, none);
            t.write(out, valid);
            __syncthreads();
            if (at < stop) t.fetch(in, at, stop);
        }
    }
}

#endif
