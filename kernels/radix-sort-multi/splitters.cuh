/* Splitters from samples: every rank tells all others some of its keys, and each finds the same
 * splitters. */
#ifndef GB_RADIX_SORT_MULTI_SPLITTERS_CUH
#define GB_RADIX_SORT_MULTI_SPLITTERS_CUH

#include "common/comm/comm.h"
#include "common/cuda/grid.cuh"
#include "common/cuda/warp.cuh"
#include "common/random.h"

/* The place of sample j of `samples` among n elements, n >= samples: one of the j-th part of them,
 * drawn by salt; the middle one if that is 0. */
__device__ static inline uint64_t ms_sample_place(uint64_t n, uint64_t samples, uint64_t j,
                                                  uint64_t salt)
{
    const uint64_t low = n / samples * j + n % samples * j / samples;
    const uint64_t high = n / samples * (j + 1) + n % samples * (j + 1) / samples;
    return low + (salt ? gb_mix64(salt + j) % (high - low) : (high - low) / 2);
}

/* A rank's samples go to every rank's window, behind those of the ranks before (at). */
template <class Key>
static __global__ void ms_tell_samples(const Key *keys, uint64_t n, uint64_t samples, uint64_t salt,
                                       gb_window to, unsigned ranks, uint64_t at)
{
    for (uint64_t j = gb_first(); j < samples; j += gb_stride()) {
        const Key key = keys[ms_sample_place(n, samples, j, salt)];
        for (unsigned r = 0; r < ranks; r++)
            reinterpret_cast<Key *>(to.at[r])[at + j] = key;
    }
}

/* Whether each of `cells` ranges of keys, a power of two and as wide as each other, has about as
 * many of the sorted samples as any other: all but a sixteenth and five deviations. All threads of
 * a block call it. */
template <class Key>
static __device__ bool ms_spread_evenly(const Key *sorted, uint64_t samples, unsigned cells)
{
    const Key width = (Key) ~(Key)0 / cells + 1;
    const auto before = [&](unsigned c) { /* samples of the ranges before c */
                                          uint64_t low = 0, high = samples;
                                          while (c < cells && low < high) {
                                              const uint64_t middle = (low + high) / 2;
                                              if (sorted[middle] < width * c)
                                                  low = middle + 1;
                                              else
                                                  high = middle;
                                          }
                                          return high;
    };
    const float mean = (float)samples / (float)cells, slack = mean / 16 + 5 * sqrtf(mean);
    bool uneven = false;
    for (unsigned c = threadIdx.x; c < cells; c += blockDim.x) {
        const float count = (float)(before(c + 1) - before(c));
        uneven |= count < mean - slack || count > mean + slack;
    }
    return !__syncthreads_or(uneven);
}

/* A splitter between two others, moved down by a 64th of the nearer one's distance or less, to
 * where its lower bits are 0. Sorts that count keys by their upper bits, as hybrid's do, then find
 * that a job's keys begin and end where their counters do. */
template <class Key> static __device__ Key ms_round_splitter(Key before, Key key, Key behind)
{
    const Key least = key - before < behind - key ? key - before : behind - key;
    Key unit = 1;
    while (unit <= least / 128)
        unit *= 2;
    return key & ~(unit - 1);
}

/* *alike: how many of the sorted samples are of the value of the one before or behind. */
template <class Key>
static __global__ void ms_count_alike(const Key *sorted, uint64_t samples, unsigned *alike)
{
    unsigned mine = 0;
    for (uint64_t i = gb_first(); i < samples; i += gb_stride())
        mine +=
            (i && sorted[i - 1] == sorted[i]) || (i + 1 < samples && sorted[i] == sorted[i + 1]);
    mine = gb_warp_sum(mine);
    if (gb_lane() == 0 && mine) atomicAdd(alike, mine);
}

/* cells - 1 splitters that part the sorted samples, at least one, evenly. A value that about half a
 * cell's keys have, so that it is met at a quantile and half a cell before or behind, becomes a
 * cell of its own: the next splitter is the next key. Or, if may_be_even and the samples are spread
 * evenly, those of cells as wide as each other. One block. */
template <class Key>
static __global__ void ms_choose_splitters(const Key *sorted, uint64_t samples, unsigned cells,
                                           bool may_be_even, Key *splitters)
{
    const Key all = (Key) ~(Key)0;
    if (may_be_even && ms_spread_evenly(sorted, samples, cells)) {
        const Key width = all / cells + 1;
        for (unsigned c = 1 + threadIdx.x; c < cells; c += blockDim.x)
            splitters[c - 1] = width * c;
        return;
    }
    enum { NEAR = 4 };
    const auto place = [&](unsigned half) { return samples * half / (2 * cells); };
    const auto quantile = [&](unsigned c) { return sorted[place(2 * c)]; };
    /* whether two halves of cells begin with the same value, in different samples */
    const auto alike = [&](unsigned half) {
        return place(half) != place(half + 1) && sorted[place(half)] == sorted[place(half + 1)];
    };
    const auto is_common = [&](unsigned c) { return c && (alike(2 * c - 1) || alike(2 * c)); };
    /* Partitions find a key's cell by a table that has room for two splitters in a 512th of their
     * range. Where those are a value's, others move there. */
    const auto moved = [&](unsigned c, Key key) {
        for (unsigned d = 1; d <= NEAR && c + d < cells; d++)
            if (is_common(c + d) && quantile(c + d) - key < all / 256) return quantile(c + d);
        for (unsigned d = 1; d <= NEAR && d < c; d++) {
            const Key value = quantile(c - d);
            if (is_common(c - d) && value < key && key - value < all / 256) return value + 1;
        }
        return key;
    };
    for (unsigned c = 1 + threadIdx.x; c < cells; c += blockDim.x) {
        const Key key = quantile(c), before = c > 1 ? quantile(c - 1) : (Key)0;
        const Key behind = c + 1 < cells ? quantile(c + 1) : all;
        const bool begins = is_common(c) && before != key; /* a value */
        if (c > 1 && before != all && !begins && (is_common(c - 1) || before == key))
            splitters[c - 1] = before + 1;
        else
            splitters[c - 1] = begins ? key : moved(c, ms_round_splitter(before, key, behind));
    }
}

#endif
