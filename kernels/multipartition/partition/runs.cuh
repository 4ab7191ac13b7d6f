/* Input that consists of runs, neighbours of one bin, as sorted input does: each warp reads a
 * stretch of it and reserves places in the bins' exact regions for a run at once. One pass does
 * what else takes two, whose second one would find tiles of a digit or two.
 *
 * Who counts the keys finds out, since who reads them all sees the runs, too (counted.cuh), or from
 * the sample (foresee.cuh). */
#ifndef GB_MULTIPARTITION_RUNS_CUH
#define GB_MULTIPARTITION_RUNS_CUH

#include "kernels/multipartition/partition/regions.cuh"
#include "kernels/multipartition/partition/rows.cuh"

enum { MP_RUN_ROWS = 16 };

/* What a pass has to know that may find runs: the keys before any pass, and their bins. */
template <class Key, int WORDS, class Digit = mp_digit> struct mp_runs {
    mp_elements<Key, WORDS> in; /* keys NULL: another pass will do it */
    Digit whole;
};

/* Walks over all keys, a stretch a warp: add(bin, count) adds to the bin's number and returns it as
 * it was, once for each run in a row of 32, or for a stretch of one bin; put(i, key, bin, at) is
 * told of the i-th key, to which `at` of them belongs. All blocks of a kernel call it. */
template <int THREADS, class Key, class Digit, class Add, class Put>
static __device__ __forceinline__ void mp_walk_runs(const mp_elements<Key, 0> &in, uint64_t n,
                                                    const Digit &whole, Add add, Put put)
{
    const unsigned STRETCH = MP_RUN_ROWS * GB_WARP;
    const uint64_t TILE = THREADS * MP_RUN_ROWS;
    for (uint64_t tile = blockIdx.x * TILE; tile < n; tile += gridDim.x * TILE) {
        const uint64_t mine = tile + mp_row_place<MP_RUN_ROWS>();
        Key key[MP_RUN_ROWS];
        typename mp_elements<Key, 0>::payload_type payload[MP_RUN_ROWS];
        unsigned bins[MP_RUN_ROWS];
        mp_load_rows<THREADS>(in, tile, n, key, payload);
        mp_digits_unprepared(whole, key, bins);
        if (mine - gb_lane() + STRETCH <= n && mp_rows_alike(bins)) {
            const unsigned one = bins[0];
            unsigned long long at = 0;
            if (gb_lane() == 0) at = add(one, STRETCH);
            at = __shfl_sync(GB_FULL_MASK, at, 0) + gb_lane();
#pragma unroll
            for (int i = 0; i < MP_RUN_ROWS; i++)
                put(mine + i * GB_WARP, key[i], one, at + i * GB_WARP);
            continue;
        }
        /* a lane for each row of one bin, all at once */
        unsigned alike = 0, bin_of_row = 0;
#pragma unroll
        for (int i = 0; i < MP_RUN_ROWS; i++) {
            const unsigned bin = __shfl_sync(GB_FULL_MASK, bins[i], 0);
            const bool valid = mine + i * GB_WARP < n;
            if (__all_sync(GB_FULL_MASK, valid && bins[i] == bin)) alike |= 1u << i;
            if ((int)gb_lane() == i) bin_of_row = bin;
        }
        unsigned long long of_row = 0;
        if (alike >> gb_lane() & 1) of_row = add(bin_of_row, GB_WARP);
#pragma unroll
        for (int i = 0; i < MP_RUN_ROWS; i++) {
            const unsigned long long first_of_row = __shfl_sync(GB_FULL_MASK, of_row, i);
            if (alike >> i & 1) {
                put(mine + i * GB_WARP, key[i], bins[i], first_of_row + gb_lane());
                continue;
            }
            const bool valid = mine + i * GB_WARP < n;
            unsigned left = __ballot_sync(GB_FULL_MASK, valid);
            while (left) { /* once for each bin in the row */
                const int lead = __ffs(left) - 1;
                const unsigned bin = __shfl_sync(GB_FULL_MASK, bins[i], lead);
                const unsigned peers = __ballot_sync(GB_FULL_MASK, valid && bins[i] == bin);
                unsigned long long at = 0;
                if ((int)gb_lane() == lead) at = add(bin, __popc(peers));
                at = __shfl_sync(GB_FULL_MASK, at, lead) + __popc(peers & gb_lanes_below());
                if (peers >> gb_lane() & 1) put(mine + i * GB_WARP, key[i], bin, at);
                left &= ~peers;
            }
        }
    }
}

/* Moves all elements to their bins' exact regions, which are filled from their first aligned place
 * on; what does not fit behind it goes before. */
template <int THREADS, class Key, int WORDS, class Digit>
static __device__ __forceinline__ void mp_move_runs(const mp_runs<Key, WORDS, Digit> &runs,
                                                    const mp_elements<Key, WORDS> &out,
                                                    const mp_regions &regions, uint64_t n)
{
    mp_walk_runs<THREADS>(
        runs.in.without_payload(), n, runs.whole,
        [&](unsigned bin, unsigned count) {
            return atomicAdd(&regions.next[mp_cursor_at(bin)], (unsigned long long)count);
        },
        [&](uint64_t i, Key key, unsigned bin, uint64_t at) {
            const uint64_t begin = regions.begins[bin], end = regions.begins[bin + 1];
            const uint64_t first = mp_next_sector(begin), behind = first < end ? end : first;
            const uint64_t place = at < behind ? at : begin + (at - behind);
            out.keys[place] = key;
            if constexpr (WORDS > 0) out.payload[place] = runs.in.payload[i];
        });
}

/* Adds each bin's elements to counts[bin]. */
template <int THREADS, class Key, class Digit>
static __device__ __forceinline__ void mp_count_runs(const mp_elements<Key, 0> &in, uint64_t n,
                                                     const Digit &whole, unsigned long long *counts)
{
    mp_walk_runs<THREADS>(
        in, n, whole,
        [&](unsigned bin, unsigned count) {
            return atomicAdd(&counts[bin], (unsigned long long)count);
        },
        [](uint64_t, Key, unsigned, uint64_t) {});
}

#endif
