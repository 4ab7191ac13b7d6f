/* A stable pass for wide elements: each tile is sorted by digit in shared memory and written at
 * once, run by run, keys first, then their payloads through the same memory. Nothing waits in
 * buffers for a group to be whole: an element of 12 bytes and more fills sectors soon, and a tile
 * that has all of a block's shared memory has longer runs than one beside buffers. */
#ifndef GB_MULTIPARTITION_TILES_CUH
#define GB_MULTIPARTITION_TILES_CUH

#include "kernels/multipartition/partition/rows.cuh"

/* Bytes of dynamic shared memory: room for a tile's keys or payloads, for who of a warp has a digit
 * before, the places of a tile's slots, and each warp's counts, of each digit. */
template <class Key, int WORDS, int THREADS, int ITEMS> struct mp_tiles_room {
    static const size_t ELEMENT = sizeof(Key) > 4 * WORDS ? sizeof(Key) : 4 * WORDS;
    static const unsigned WARPS = THREADS / GB_WARP;
    static __host__ __device__ constexpr size_t tile(size_t digits)
    {
        const size_t elements = THREADS * ITEMS * ELEMENT,
                     peers = WARPS * digits * sizeof(unsigned);
        return ((elements > peers ? elements : peers) + 15) & ~(size_t)15;
    }
    static __host__ __device__ constexpr size_t bytes(size_t digits)
    {
        return tile(digits) + digits * (sizeof(uint64_t) + WARPS * sizeof(unsigned));
    }
};

/* Ranks a thread's elements among the warp's of their digits: rank[i]. counts: of the warp, per
 * digit, 0 before, what it has afterwards; peers: of the warp, per digit, 0 before and after. */
template <int ITEMS>
__device__ __forceinline__ void mp_rank_rows(const unsigned (&digit)[ITEMS], unsigned *peers,
                                             unsigned *counts, unsigned (&rank)[ITEMS])
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        atomicOr(&peers[digit[i]], 1u << gb_lane());
        __syncwarp();
        const unsigned mine = peers[digit[i]], before = counts[digit[i]];
        const unsigned below = __popc(mine & gb_lanes_below());
        __syncwarp();
        if (mine >> gb_lane() == 1) { /* the last of them */
            counts[digit[i]] = before + below + 1;
            peers[digit[i]] = 0;
        }
        __syncwarp();
        rank[i] = before + below;
    }
}

/* A digit is the thread's of its number. n: below 2^32. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, class Digit>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    mp_move_tiles(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out, uint64_t n, Digit digit,
                  mp_parts parts)
{
    typedef mp_tiles_room<Key, WORDS, THREADS, ITEMS> room;
    typedef typename mp_elements<Key, WORDS>::payload_type payload_type;
    const unsigned TILE = THREADS * ITEMS, WARPS = THREADS / GB_WARP;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory);
    payload_type *payloads = reinterpret_cast<payload_type *>(gb_shared_memory);
    /* the place of slot 0, if it were of the digit; modulo 2^64 */
    uint64_t *places = reinterpret_cast<uint64_t *>(gb_shared_memory + room::tile(digit.digits));
    unsigned *counts = reinterpret_cast<unsigned *>(places + digit.digits); /* warp by warp */
    unsigned *of_warp = counts + threadIdx.x / GB_WARP * digit.digits;
    unsigned *peers =
        reinterpret_cast<unsigned *>(gb_shared_memory) + threadIdx.x / GB_WARP * digit.digits;
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    const mp_part found = mp_find_part<false>(parts, n, blockIdx.x);
    if (found.begin >= found.end) return;
    mp_prepare(digit);
    const unsigned own = threadIdx.x;
    uint64_t next = 0; /* the place of the digit's next element */
    if (own < digit.digits) next = mp_share_of<false>(parts, blockIdx.x, found, own).begin;
    for (uint64_t at = found.begin; at < found.end; at += TILE) {
        const unsigned valid = found.end - at < TILE ? (unsigned)(found.end - at) : TILE;
        const uint64_t mine = at + mp_row_place<ITEMS>();
        Key key[ITEMS];
        unsigned slot[ITEMS], place[ITEMS];
        {
            unsigned digits[ITEMS];
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                key[i] = mine + i * GB_WARP < found.end ? __ldcs(in.keys + mine + i * GB_WARP) : 0;
            for (unsigned d = gb_lane(); d < digit.digits; d += GB_WARP)
                of_warp[d] = peers[d] = 0;
            __syncthreads(); /* and tables are there */
            mp_digits_of_rows<THREADS>(digit, key, valid, digits);
            mp_rank_rows(digits, peers, of_warp, slot);
            __syncthreads();
            unsigned total = 0, all;
            if (own < digit.digits)
                for (unsigned w = 0; w < WARPS; w++)
                    total += counts[w * digit.digits + own];
            const unsigned first = gb_block_exclusive_sum<THREADS>(total, sums, &all);
            if (own < digit.digits) {
                places[own] = next - first;
                next += total;
                for (unsigned w = 0, before = first; w < WARPS; w++) {
                    const unsigned count = counts[w * digit.digits + own];
                    counts[w * digit.digits + own] = before;
                    before += count;
                }
            }
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                slot[i] += of_warp[digits[i]];
        }
        /* what is not there has the last digit and ranks behind: it has the last slots */
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            keys[slot[i]] = key[i];
        __syncthreads();
        {
            unsigned digits[ITEMS];
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                key[i] = keys[i * THREADS + threadIdx.x];
            mp_digits_of(digit, key, digits);
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                const unsigned in_tile = i * THREADS + threadIdx.x;
                if (in_tile >= valid) break;
                place[i] = (unsigned)(places[digits[i]] + in_tile);
                out.keys[place[i]] = key[i];
            }
        }
        if constexpr (WORDS > 0) {
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ITEMS; i++)
                if (mine + i * GB_WARP < found.end)
                    payloads[slot[i]] = __ldcs(in.payload + mine + i * GB_WARP);
            __syncthreads();
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                const unsigned in_tile = i * THREADS + threadIdx.x;
                if (in_tile < valid) out.payload[place[i]] = payloads[in_tile];
            }
        }
        __syncthreads();
    }
}

#endif
