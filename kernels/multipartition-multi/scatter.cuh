/* One pass that moves a rank's elements to wherever their bins are, on this GPU or another one, in
 * any order within a bin.
 *
 * A block takes tiles of elements into shared memory, ordered by bin: counters there rank them, a
 * prefix sum lays bins out behind each other. Of each bin it writes whole groups alone, of GROUP
 * elements that lie in one aligned piece of memory, a line of 128 bytes where there is room for
 * that: the link carries a line as one packet, and a part of one as if it were more. What makes no
 * whole group waits in registers for the next tile (common/cuda/pages.cuh does so, too, into pages
 * that it takes anywhere; here places are counted beforehand). Places for a bin's groups are
 * reserved by one atomic addition in the rank's own memory, whose answer is awaited while the tile
 * is being ordered.
 *
 * What a rank has of a bin goes to places [low, high) of the bin's owner. The first whole group
 * begins at the first multiple of GROUP from low on; what is left to all blocks at their ends
 * fills, element by element, what is before that and behind the last whole group. */
#ifndef GB_MULTIPARTITION_MULTI_SCATTER_CUH
#define GB_MULTIPARTITION_MULTI_SCATTER_CUH

#include "kernels/multipartition-multi/plan.cuh"
#include "kernels/multipartition/elements.cuh"

/* How a block works: its threads, the elements of each in a tile, the most bins, the elements of a
 * group (4 to 32), blocks that a multiprocessor should hold. */
template <class Key_, int WORDS_, int THREADS_, int ITEMS_, int BINS_, int GROUP_, int BLOCKS_>
struct mpm_scatter {
    typedef Key_ Key;
    static const int WORDS = WORDS_, THREADS = THREADS_, ITEMS = ITEMS_, BINS = BINS_,
                     GROUP = GROUP_, BLOCKS = BLOCKS_;
    static const unsigned TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    static const unsigned SLOTS =
        TILE + 2 * (GROUP - 1) * BINS; /* carried ones, and whole groups */
    static const int CARRIED = (GROUP * BINS + THREADS - 1) / THREADS; /* of a thread */
    typedef mp_elements<Key, WORDS> elements;
    typedef typename elements::payload_type payload_type;
    static_assert(BINS <= THREADS, "a thread owns a bin");
    static_assert(GROUP >= 4 && GROUP <= 32 && ITEMS % 4 == 0 && ITEMS <= 32, "vectors and bits");
    static_assert(TILE + GROUP <= 65536, "ranks have 16 bits");

    /* Where a bin's groups go: slot q to keys + q elements, below `end`; slots [end, rest) one by
     * one, those behind are carried. */
    struct __align__(8) route
    {
        uint64_t keys, payload; /* addresses of slot 0, were it of the bin; modulo 2^64 */
        unsigned end, rest;
    };

    /* Of dynamic shared memory. */
    static constexpr size_t bytes()
    {
        return (size_t)SLOTS * (sizeof(Key) + 4 * WORDS) + BINS * (sizeof(route) + 8);
    }
};

/* One element that is in no whole group, the `number`-th of its bin that is not, to its place. */
template <class Key, int WORDS, class Payload>
__device__ __forceinline__ void mpm_put_left(const mpm_place *place, unsigned group,
                                             uint64_t number, const Key &key,
                                             const Payload &payload)
{
    const uint64_t low = place->low, high = place->high;
    uint64_t first = (low + group - 1) & ~(uint64_t)(group - 1);
    if (first > high) first = high;
    const uint64_t head = first - low;
    const uint64_t at = number < head ? first - 1 - number : high - 1 - (number - head);
    reinterpret_cast<Key *>(place->keys)[at] = key;
    if constexpr (WORDS > 0) reinterpret_cast<Payload *>(place->payload)[at] = payload;
}

/* Writes the whole groups of a tile, of `slots` slots, ordered by bin. Rows of 32 vectors for one
 * rank and the next in turns, as far as bins of neighbouring numbers have the same owner: so that
 * neither memory nor any link is idle while a block writes. what: the tile's keys, or, if PAYLOADS,
 * what is with them. */
template <class Shape, bool PAYLOADS, class T>
__device__ __forceinline__ void
mpm_write_rows(const typename Shape::Key *tile, const T *what, const typename Shape::route *routes,
               const mp_bin_data &bin, unsigned slots, unsigned rank, unsigned size)
{
    enum { EACH = 16 / sizeof(T), ROW = EACH * GB_WARP, GROUP = Shape::GROUP };
    static_assert(EACH * sizeof(T) == 16 && GROUP % EACH == 0, "a vector lies in a group");
    const unsigned rows = (slots + ROW - 1) / ROW, each = (rows + size - 1) / size;
    for (unsigned k = threadIdx.x / GB_WARP; k < each * size; k += Shape::WARPS) {
        const unsigned turn = k / size, of = k - turn * size + rank;
        const unsigned q = ((of < size ? of : of - size) * each + turn) * ROW + EACH * gb_lane();
        if (q >= slots) continue;
        const typename Shape::Key head = tile[q & ~(GROUP - 1u)];
        const typename Shape::route *route =
            &routes[sizeof head == 8 ? mp_bin_range64(&bin, head)
                                     : mp_bin_range(&bin, (uint32_t)head)];
        if (q >= route->end) continue;
        const uint64_t to = (PAYLOADS ? route->payload : route->keys) + (uint64_t)q * sizeof(T);
        *reinterpret_cast<uint4 *>(to) = *reinterpret_cast<const uint4 *>(what + q);
    }
}

template <class Shape>
__global__ void __launch_bounds__(Shape::THREADS, Shape::BLOCKS)
    mpm_move(typename Shape::elements in, uint64_t n, mp_bin_data bin, mpm_place *places,
             unsigned rank, unsigned size)
{
    typedef typename Shape::Key Key;
    typedef typename Shape::payload_type payload_type;
    typedef typename Shape::route route;
    enum { THREADS = Shape::THREADS, ITEMS = Shape::ITEMS, GROUP = Shape::GROUP };
    const int WORDS = Shape::WORDS;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    route *routes = reinterpret_cast<route *>(gb_shared_memory +
                                              (size_t)Shape::SLOTS * (sizeof(Key) + 4 * WORDS));
    unsigned *counts = reinterpret_cast<unsigned *>(routes + Shape::BINS);
    unsigned *starts = counts + Shape::BINS;
    Key *tile = reinterpret_cast<Key *>(gb_shared_memory);
    payload_type *with = reinterpret_cast<payload_type *>(tile + Shape::SLOTS);
    const unsigned me = threadIdx.x, bins = bin.bins, all_valid = ~0u >> (32 - ITEMS);
    const uint64_t tiles = (n + Shape::TILE - 1) / Shape::TILE;
    const bool owns = me < bins;
    const auto bin_of = [&](const Key &key) {
        if constexpr (sizeof(Key) == 8)
            return mp_bin_range64(&bin, key);
        else
            return mp_bin_range(&bin, key);
    };

    /* of the bin that the thread owns: where its first whole group goes, how much goes in groups */
    uint64_t keys_to = 0, payload_to = 0, limit = 0;
    if (owns) {
        const mpm_place place = places[me];
        uint64_t first = (place.low + GROUP - 1) & ~(uint64_t)(GROUP - 1);
        if (first > place.high) first = place.high;
        limit = (place.high - first) & ~(uint64_t)(GROUP - 1);
        keys_to = place.keys + first * sizeof(Key);
        payload_to = place.payload + first * 4 * WORDS;
        counts[me] = 0;
    }
    uint64_t t = blockIdx.x;
    if (t >= tiles) return;
    Key key[ITEMS], carried[Shape::CARRIED];
    payload_type payload[ITEMS], carried_payload[Shape::CARRIED];
    unsigned carry = 0; /* elements that the thread's bin has waiting */
    unsigned valid = mp_load_fours<THREADS>(in, t * Shape::TILE, 0, n, key, payload);
    __syncthreads();
    for (;;) {
        /* 1. ranks within bins: those carried have the first ones */
        unsigned ranks[ITEMS / 2];
        if (valid == all_valid) {
#pragma unroll
            for (int i = 0; i < ITEMS; i += 2) {
                const unsigned a = atomicAdd(&counts[bin_of(key[i])], 1u);
                const unsigned b = atomicAdd(&counts[bin_of(key[i + 1])], 1u);
                ranks[i / 2] = a | b << 16;
            }
        } else {
#pragma unroll
            for (int i = 0; i < ITEMS; i += 2) {
                unsigned a = 0, b = 0;
                if (valid >> i & 1) a = atomicAdd(&counts[bin_of(key[i])], 1u);
                if (valid >> (i + 1) & 1) b = atomicAdd(&counts[bin_of(key[i + 1])], 1u);
                ranks[i / 2] = a | b << 16;
            }
        }
        __syncthreads();

        /* 2. slots in the tile, each bin from a whole group on; places in memory are asked for */
        const unsigned count = owns ? counts[me] : 0, whole = count & ~(GROUP - 1u);
        const unsigned padded = (count + GROUP - 1) & ~(GROUP - 1u);
        unsigned slots;
        const unsigned start = gb_block_exclusive_sum_once<THREADS>(padded, sums, &slots);
        uint64_t reserved = 0;
        if (owns) {
            if (whole) reserved = atomicAdd(&places[me].next, (unsigned long long)whole);
            starts[me] = start | carry << 24;
            counts[me] = carry = count - whole;
        }
        __syncthreads();

        /* 3. to their slots; the next tile's elements come meanwhile, and while this one leaves */
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            if (valid != all_valid && !(valid >> i & 1)) continue;
            const unsigned slot = (starts[bin_of(key[i])] & 0xffffffu) +
                                  (i % 2 ? ranks[i / 2] >> 16 : ranks[i / 2] & 0xffffu);
            tile[slot] = key[i];
            if constexpr (WORDS > 0) with[slot] = payload[i];
        }
#pragma unroll
        for (int j = 0; j < Shape::CARRIED; j++) {
            const unsigned q = me + j * THREADS, b = q / GROUP, at = q % GROUP;
            if (b >= bins) continue;
            const unsigned begin = starts[b];
            if (at >= begin >> 24) continue;
            tile[(begin & 0xffffffu) + at] = carried[j];
            if constexpr (WORDS > 0) with[(begin & 0xffffffu) + at] = carried_payload[j];
        }
        if (owns) {
            const uint64_t room = reserved < limit ? limit - reserved : 0;
            route to;
            to.keys = keys_to + (reserved - start) * sizeof(Key);
            to.payload = payload_to + (reserved - start) * 4 * WORDS;
            to.end = start + (room < whole ? (unsigned)room : whole);
            to.rest = start + whole;
            routes[me] = to;
        }
        t += gridDim.x;
        const bool more = t < tiles;
        if (more) valid = mp_load_fours<THREADS>(in, t * Shape::TILE, 0, n, key, payload);
        __syncthreads();

        /* 4. whole groups leave, the rest is kept */
        mpm_write_rows<Shape, false>(tile, tile, routes, bin, slots, rank, size);
        if constexpr (WORDS > 0)
            mpm_write_rows<Shape, true>(tile, with, routes, bin, slots, rank, size);
        if (owns && routes[me].end < routes[me].rest) {
            /* a group too many: the bin's last whole one is not of this block. Once in a run */
            const uint64_t number = atomicAdd(&places[me].left, whole - (routes[me].end - start));
            for (unsigned q = routes[me].end; q < routes[me].rest; q++)
                mpm_put_left<Key, WORDS>(&places[me], GROUP, number + (q - routes[me].end), tile[q],
                                         with[WORDS ? q : 0]);
        }
#pragma unroll
        for (int j = 0; j < Shape::CARRIED; j++) {
            const unsigned q = me + j * THREADS, b = q / GROUP, at = q % GROUP;
            if (b >= bins || at >= counts[b]) continue;
            carried[j] = tile[routes[b].rest + at];
            if constexpr (WORDS > 0) carried_payload[j] = with[routes[b].rest + at];
        }
        __syncthreads();
        if (!more) break;
    }

    /* what is left */
    if (owns) starts[me] = carry ? atomicAdd(&places[me].left, carry) : 0;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < Shape::CARRIED; j++) {
        const unsigned q = me + j * THREADS, b = q / GROUP, at = q % GROUP;
        if (b < bins && at < counts[b])
            mpm_put_left<Key, WORDS>(&places[b], GROUP, (uint64_t)starts[b] + at, carried[j],
                                     carried_payload[j]);
    }
}

#endif
