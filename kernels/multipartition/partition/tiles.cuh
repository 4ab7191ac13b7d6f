/* Passes for wide elements: each tile is sorted by digit in shared memory and written at once, run
 * by run, keys first, then their payloads through the same memory. Nothing waits in buffers for a
 * group to be whole: an element of 12 bytes and more fills sectors soon, and a tile that has all of
 * a block's shared memory has longer runs than one beside buffers. Registers hold keys and slots,
 * never payloads.
 *
 * In order, its elements go to where parts (parts.cuh) have them; or else to foreseen regions
 * (regions.cuh), in which a tile reserves places for each digit's run, of any number. */
#ifndef GB_MULTIPARTITION_TILES_CUH
#define GB_MULTIPARTITION_TILES_CUH

#include "kernels/multipartition/partition/draw.cuh"
#include "kernels/multipartition/partition/regions.cuh"
#include "kernels/multipartition/partition/rows.cuh"

/* A tile's way through a block. */
template <class Key, int WORDS, int THREADS, int ITEMS, bool IN_ORDER, class Digit>
struct mp_tiles {
    static const unsigned TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    static_assert(TILE <= MP_MOST_TILE, "slots and digits have 16 bits; room aside");
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;
    /* at the beginning of dynamic shared memory, where mp_reserve looks for it */
    static const size_t WATCH = IN_ORDER ? 0 : (sizeof(mp_watch) + 15) / 16 * 16;
    static const unsigned BASES = IN_ORDER || WORDS == 0 ? 1 : 2; /* what goes aside has two */
    static const unsigned ROWS = IN_ORDER ? WARPS : 1;            /* of counts */

    Key *keys;              /* of the tile, by slot: sorted by digit; */
    payload_type *payloads; /* in the same memory, */
    unsigned *peers;        /* and the same: which lanes of a warp have a digit; of each warp */
    uint64_t *places;       /* of slot 0, if it were of the digit; modulo 2^64 */
    uint64_t *payload_places;
    unsigned *counts;         /* of each digit; IN_ORDER: of each warp */
    unsigned short *digit_of; /* of each slot */

    static __host__ __device__ constexpr size_t tile_bytes(size_t digits)
    {
        const size_t element = sizeof(Key) > 4 * WORDS ? sizeof(Key) : 4 * WORDS;
        const size_t all = TILE * element, votes = IN_ORDER ? WARPS * digits * sizeof(unsigned) : 0;
        return ((all > votes ? all : votes) + 15) / 16 * 16;
    }
    /* Of dynamic shared memory. */
    static __host__ __device__ constexpr size_t bytes(size_t digits)
    {
        return WATCH + tile_bytes(digits) + TILE * sizeof(unsigned short) +
               digits * (BASES * sizeof(uint64_t) + ROWS * sizeof(unsigned));
    }
    __device__ __forceinline__ mp_tiles(unsigned char *memory, unsigned digits)
    {
        memory += WATCH;
        keys = reinterpret_cast<Key *>(memory);
        payloads = reinterpret_cast<payload_type *>(memory);
        peers = reinterpret_cast<unsigned *>(memory) + threadIdx.x / GB_WARP * digits;
        places = reinterpret_cast<uint64_t *>(memory + tile_bytes(digits));
        payload_places = places + (BASES - 1) * digits;
        counts = reinterpret_cast<unsigned *>(places + BASES * digits);
        digit_of = reinterpret_cast<unsigned short *>(counts + ROWS * digits);
    }

    /* Ranks a thread's elements among the warp's of their digits: rank[i]. of_warp: counts of the
     * warp, 0 before, what it has afterwards; peers are 0 before and after. */
    __device__ __forceinline__ void rank_rows(const unsigned (&digit)[ITEMS], unsigned *of_warp,
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
                of_warp[digit[i]] = before + below + 1;
                peers[digit[i]] = 0;
            }
            __syncwarp();
            rank[i] = before + below;
        }
    }

    /* The tile's keys and digits to their slots; what is not there has no slot in the tile. */
    __device__ __forceinline__ void gather(const Key (&key)[ITEMS], const unsigned (&digits)[ITEMS],
                                           const unsigned (&slot)[ITEMS]) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (slot[i] >= TILE) continue;
            keys[slot[i]] = key[i];
            digit_of[slot[i]] = (unsigned short)digits[i];
        }
    }

    /* What lies in the tile's memory goes to its places. */
    template <class T>
    __device__ __forceinline__ void write(const T *from, T *to, const uint64_t *bases,
                                          unsigned valid) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const unsigned s = i * THREADS + threadIdx.x;
            if (s < valid) to[bases[digit_of[s]] + s] = from[s];
        }
    }

    /* The payloads of the tile at `at`, of the elements before `stop`, follow the keys. */
    __device__ __forceinline__ void move_payloads(const elements &in, const elements &out,
                                                  uint64_t at, uint64_t stop,
                                                  const unsigned (&slot)[ITEMS],
                                                  unsigned valid) const
    {
        if constexpr (WORDS > 0) {
            const uint64_t mine = at + mp_row_place<ITEMS>();
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (mine + i * GB_WARP < stop)
                    payloads[slot[i]] = __ldcs(in.payload + mine + i * GB_WARP);
            __syncthreads();
            write(payloads, out.payload, payload_places, valid);
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
    const unsigned own = threadIdx.x;
    const bool owns = own < digit.digits;
    unsigned *of_warp = t.counts + threadIdx.x / GB_WARP * digit.digits;
    uint64_t next = 0; /* the place of the digit's next element */
    if (owns) next = mp_share_of<PIECES>(parts, blockIdx.x, found, own).begin;
    const mp_elements<Key, 0> in_keys = in.without_payload();
    typename mp_elements<Key, 0>::payload_type none[ITEMS];
    Key key[ITEMS];
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
        unsigned total = 0, all;
        for (unsigned w = 0; owns && w < tiles::WARPS; w++)
            total += t.counts[w * digit.digits + own];
        const unsigned first = gb_block_exclusive_sum<THREADS>(total, sums, &all);
        if (owns) {
            t.places[own] = next - first;
            next += total;
            for (unsigned w = 0, before = first; w < tiles::WARPS; w++) {
                const unsigned count = t.counts[w * digit.digits + own];
                t.counts[w * digit.digits + own] = before;
                before += count;
            }
        }
        __syncthreads();
        /* what is not there has the last digit and ranks behind: it has the last slots */
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            slot[i] += of_warp[digits[i]];
        t.gather(key, digits, slot);
        __syncthreads();
        t.write(t.keys, out.keys, t.places, valid);
        /* the next tile's keys come while this one's payloads pass */
        const bool more = after < found.end;
        if (more) mp_load_rows<THREADS>(in_keys, after, found.end, key, none);
        t.move_payloads(in, out, at, found.end, slot, valid);
        if (!more) return;
        at = after;
        __syncthreads();
    }
}

/* Into foreseen regions. Blocks take tiles in turns; a digit is the thread's of its number. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, class Digit>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_tiles(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out,
                  mp_elements<Key, WORDS> aside, uint64_t n, Digit digit, mp_regions regions)
{
    typedef mp_tiles<Key, WORDS, THREADS, ITEMS, false, Digit> tiles;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    uint64_t at = (uint64_t)blockIdx.x * tiles::TILE;
    const uint64_t step = (uint64_t)gridDim.x * tiles::TILE;
    if (at >= n) return;
    const tiles t(gb_shared_memory, digit.digits);
    volatile mp_watch *watch = reinterpret_cast<mp_watch *>(gb_shared_memory);
    mp_prepare(digit);
    mp_own own = {};
    own.slot = threadIdx.x;
    own.owns = own.slot < digit.digits;
    if (own.owns) {
        own.cursor = regions.next + mp_cursor_at(own.slot);
        own.end = regions.two_ended ? ~(uint64_t)0 : regions.begins[own.slot + 1];
        own.down = regions.two_ended && own.slot == 1;
    }
    if (threadIdx.x == 0) {
        watch->early = (unsigned)(n / tiles::TILE / 16);
        watch->stop = 0;
    }
    const mp_elements<Key, 0> in_keys = in.without_payload();
    typename mp_elements<Key, 0>::payload_type none[ITEMS];
    Key key[ITEMS];
    mp_load_rows<THREADS>(in_keys, at, n, key, none);
    for (;;) {
        const unsigned valid = at + tiles::TILE <= n ? tiles::TILE : (unsigned)(n - at);
        unsigned digits[ITEMS], slot[ITEMS], there = ~0u >> (32 - ITEMS);
        if (own.owns) t.counts[own.slot] = 0;
        if (threadIdx.x == 0) watch->tile = (unsigned)(at / tiles::TILE);
        if (valid < tiles::TILE) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (mp_row_place<ITEMS>() + i * GB_WARP >= valid) there &= ~(1u << i);
        }
        __syncthreads(); /* and tables are there */
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
        if (watch->stop) return;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            slot[i] = there >> i & 1 ? slot[i] + t.counts[digits[i]] : tiles::TILE;
        t.gather(key, digits, slot);
        __syncthreads();
        t.write(t.keys, out.keys, t.places, valid);
        /* the next tile's keys come while this one's payloads pass */
        const uint64_t after = at + step;
        const bool more = after < n;
        if (more) mp_load_rows<THREADS>(in_keys, after, n, key, none);
        t.move_payloads(in, out, at, n, slot, valid);
        if (!more) return;
        at = after;
        __syncthreads();
    }
}

#endif
