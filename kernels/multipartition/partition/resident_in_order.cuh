/* A small input in one kernel, in order: every block keeps its part on the chip, ranks it by votes,
 * and writes down how many it has of each digit, a row. When all have, lanes turn the rows'
 * columns, of a digit each, into how many earlier blocks have, and into what all have; blocks meet
 * again, and write. Nothing is launched but this, and nothing is cleared: what all blocks have of a
 * digit is never added to. */
#ifndef GB_MULTIPARTITION_RESIDENT_IN_ORDER_CUH
#define GB_MULTIPARTITION_RESIDENT_IN_ORDER_CUH

#include "common/cuda/grid_barrier.cuh"
#include "kernels/multipartition/partition/resident.cuh"

enum {
    MP_RESIDENT_ROW_THREADS = 512,
    MP_RESIDENT_BITS = 11, /* of a digit */
    MP_RESIDENT_EACH = 8,  /* of a column, that a lane adds up at most */
    MP_RESIDENT_BLOCKS = MP_RESIDENT_EACH * GB_WARP
};

/* Device memory; need not be cleared. */
typedef struct mp_rows {
    unsigned *counts;  /* blocks x digits: what a block has of each, then what earlier ones have */
    unsigned *totals;  /* of each digit */
    unsigned *barrier; /* gb_grid_barrier's room */
} mp_rows;

/* The lanes among the `valid` ones whose digit, of so many bits, is the caller's. */
static __device__ __forceinline__ unsigned mp_peers_of(unsigned digit, unsigned bits, bool valid)
{
    unsigned peers = gb_peers<4>(digit) & __ballot_sync(GB_FULL_MASK, valid);
    if (bits > 4) peers &= gb_peers<4>(digit >> 4);
    if (bits > 8) peers &= gb_peers<MP_RESIDENT_BITS - 8>(digit >> 8);
    return peers;
}

/* All columns, each by as many lanes as there are eights of blocks: it becomes what earlier blocks
 * have. By all blocks; `warps` of each. */
static __device__ __forceinline__ void mp_add_columns(const mp_rows &rows, unsigned digits,
                                                      unsigned warps)
{
    const unsigned blocks = gridDim.x;
    unsigned lanes = 1; /* of a column */
    while (lanes * MP_RESIDENT_EACH < blocks)
        lanes *= 2;
    const unsigned each = (blocks + lanes - 1) / lanes, first = gb_lane() % lanes * each;
    const unsigned at_once = GB_WARP / lanes;
    unsigned column = (blockIdx.x + threadIdx.x / GB_WARP * blocks) * at_once;
    for (; column < digits; column += warps * blocks * at_once) {
        const unsigned own = column + gb_lane() / lanes;
        unsigned count[MP_RESIDENT_EACH], sum = 0;
#pragma unroll
        for (unsigned k = 0; k < MP_RESIDENT_EACH; k++) {
            const bool there = own < digits && k < each && first + k < blocks;
            count[k] = there ? __ldcg(&rows.counts[(size_t)(first + k) * digits + own]) : 0;
            sum += count[k];
        }
        unsigned all = sum;
        for (unsigned d = 1; d < lanes; d *= 2) {
            const unsigned below = __shfl_up_sync(GB_FULL_MASK, all, d, lanes);
            if (gb_lane() % lanes >= d) all += below;
        }
        if (own < digits && gb_lane() % lanes == lanes - 1) rows.totals[own] = all;
        unsigned before = all - sum;
#pragma unroll
        for (unsigned k = 0; k < MP_RESIDENT_EACH; k++) {
            if (own < digits && k < each && first + k < blocks)
                rows.counts[(size_t)(first + k) * digits + own] = before;
            before += count[k];
        }
    }
}

/* Blocks have a part each (mp_part_keys), of at most THREADS x ITEMS elements, and are all on the
 * device together, at most MP_RESIDENT_BLOCKS. bits: of a digit, up to MP_RESIDENT_BITS. Dynamic
 * shared memory: `part` elements, two words a digit and half a one for each warp, and the copy of
 * its table, if it has one. */
template <class Key, int WORDS, int ITEMS, class Digit>
__global__ void __launch_bounds__(MP_RESIDENT_ROW_THREADS, 1)
    mp_move_resident_in_order(mp_elements<Key, WORDS> in, mp_elements<Key, WORDS> out, uint64_t n,
                              unsigned part, unsigned bits, Digit digit, mp_rows rows,
                              uint64_t *offsets)
{
    const unsigned THREADS = MP_RESIDENT_ROW_THREADS, WARPS = THREADS / GB_WARP;
    static_assert(THREADS * ITEMS <= MP_RESIDENT_MOST, "cut_resident; ranks have 16 bits");
    typedef typename mp_elements<Key, WORDS>::payload_type payload_type;
    GB_DYNAMIC_SHARED();
    const unsigned all = digit.digits, warp = threadIdx.x / GB_WARP;
    payload_type *payload = reinterpret_cast<payload_type *>(gb_shared_memory);
    Key *keys = reinterpret_cast<Key *>(gb_shared_memory + (size_t)4 * WORDS * part);
    unsigned *words = reinterpret_cast<unsigned *>(keys + part); /* counts, then first slots */
    unsigned *places = words + all;                              /* mp_begin_digits */
    unsigned short *counts = reinterpret_cast<unsigned short *>(places + all); /* of each warp */
    unsigned short *of_warp = counts + warp * all;
    gb_grid_barrier barrier(rows.barrier);
    const uint64_t low = (uint64_t)blockIdx.x * part, high = low + part < n ? low + part : n;
    /* A warp has a stretch of the part, a thread one of each row of 32 neighbours. */
    const unsigned lines = (part + THREADS - 1) / THREADS;
    const uint64_t mine = low + warp * lines * GB_WARP + gb_lane();

    mp_prepare(digit);
    Key key[ITEMS];
    unsigned digits[ITEMS];
#pragma unroll
    for (unsigned i = 0; i < ITEMS; i++)
        key[i] = i < lines && mine + i * GB_WARP < high ? __ldcs(in.keys + mine + i * GB_WARP) : 0;
    for (unsigned d = gb_lane(); d < all; d += GB_WARP)
        of_warp[d] = 0;
    __syncthreads(); /* and tables are there */
    mp_digits_of(digit, key, digits);
    /* the rank in the warp above, the digit below */
#pragma unroll
    for (unsigned i = 0; i < ITEMS; i++) {
        if (i >= lines) break;
        const bool valid = mine + i * GB_WARP < high;
        const unsigned d = digits[i], peers = mp_peers_of(d, bits, valid);
        const unsigned before = of_warp[d], rank = before + __popc(peers & gb_lanes_below());
        __syncwarp();
        if (valid && peers >> gb_lane() == 1) /* the last of them */
            of_warp[d] = (unsigned short)(rank + 1);
        __syncwarp();
        digits[i] = rank << 16 | d;
    }
    __syncthreads();
    for (unsigned d = threadIdx.x; d < all; d += THREADS) {
        unsigned count[WARPS], sum = 0;
#pragma unroll
        for (unsigned w = 0; w < WARPS; w++)
            count[w] = counts[w * all + d];
#pragma unroll
        for (unsigned w = 0; w < WARPS; w++) {
            counts[w * all + d] = (unsigned short)sum;
            sum += count[w];
        }
        words[d] = sum;
        rows.counts[(size_t)blockIdx.x * all + d] = sum;
    }
    barrier.arrive();
    /* while others arrive */
    (void)mp_scan_each<THREADS>(
        all, [&](unsigned d) { return words[d]; },
        [&](unsigned d, unsigned before) { words[d] = before; });
    __syncthreads();
#pragma unroll
    for (unsigned i = 0; i < ITEMS; i++) {
        const uint64_t at = mine + i * GB_WARP;
        if (i >= lines || at >= high) break;
        const unsigned d = digits[i] & 0xffffu, slot = words[d] + of_warp[d] + (digits[i] >> 16);
        keys[slot] = key[i];
        if constexpr (WORDS > 0) payload[slot] = in.payload[at];
    }
    barrier.wait(); /* all rows are there, */
    mp_add_columns(rows, all, WARPS);
    barrier.arrive();
    barrier.wait(); /* and all columns */

#pragma unroll 4
    for (unsigned d = threadIdx.x; d < all; d += THREADS) {
        const unsigned before = __ldcg(&rows.counts[(size_t)blockIdx.x * all + d]);
        const unsigned total = __ldcg(&rows.totals[d]);
        places[d] = before - words[d];
        words[d] = total;
    }
    __syncthreads();
    mp_begin_digits<THREADS>(all, words, places, offsets, n);
    __syncthreads();
    mp_write_part<THREADS>(mp_elements<Key, WORDS>{keys, payload}, (unsigned)(high - low), digit,
                           places, out);
}

#endif
