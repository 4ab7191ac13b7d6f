/* Bare keys of few different values need not be moved: each value is counted, then written out as
 * often as it came. Bytes a key: 4 to count it, 4 to write it. Two pieces, each a block's part of
 * a launch that hybrid has anyway: hy_few_count in the first partition's, hy_few_write in the
 * second's.
 *
 * Values are counted as they stand in the input; only their order is that of their images.
 *
 * Tables are hash tables with open addressing. An empty slot is 0, and slot 0 belongs to the value
 * 0 alone, so that 0 is where it belongs from the start, and no other value can be taken for an
 * empty slot. */
#ifndef GB_RADIX_SORT_HYBRID_FEW_CUH
#define GB_RADIX_SORT_HYBRID_FEW_CUH

#include "kernels/radix-sort/hybrid/attempts.cuh"

enum {
    HY_FEW_MOST = 128, /* values: 127, and 0, for which there is always room */
    HY_FEW_BITS = 9,
    HY_FEW_SLOTS = 1 << HY_FEW_BITS, /* so many that most values are where their hash says */
    HY_FEW_FOURS = 4                 /* loads of 4 keys that a thread has under way */
};

/* Values and how often each came; all 0 at the start. */
typedef struct hy_few {
    unsigned *values; /* HY_FEW_SLOTS */
    unsigned *counts; /* of a slot, `copies` side by side */
    unsigned *taken;  /* how many slots have a value, slot 0 left out; it may go past what fits */
} hy_few;

/* Multiplicative hashing (Knuth, TAOCP 3, 6.4): neighbours, and multiples of powers of two, spread
 * evenly. 0 stays 0. */
static __device__ __forceinline__ unsigned hy_few_home(unsigned value)
{
    return value * 0x9e3779b1u >> (32 - HY_FEW_BITS);
}

/* The slot of a value, which takes one if it has none. HY_FEW_SLOTS: there are too many values. No
 * caller waits for another: a lost exchange tells who won. */
static __device__ __forceinline__ unsigned hy_few_slot(const hy_few &table, unsigned value)
{
    const volatile unsigned *values = table.values, *taken = table.taken;
    if (value == 0) return 0;
    unsigned slot = hy_few_home(value);
    for (;;) {
        if (slot) {
            unsigned held = values[slot];
            if (held == value) return slot;
            if (held == 0) {
                held = atomicCAS(table.values + slot, 0u, value);
                if (held == value) return slot;
                if (held == 0)
                    return atomicAdd(table.taken, 1u) < HY_FEW_MOST - 1 ? slot
                                                                        : (unsigned)HY_FEW_SLOTS;
            }
        }
        /* a full table would never end the search, and it has too many values long before */
        if (*taken >= HY_FEW_MOST) return HY_FEW_SLOTS;
        slot = (slot + 1) % HY_FEW_SLOTS;
    }
}

/* A block's table, in shared memory: a copy of each counter for every lane, so that a warp's
 * atomics never meet in a bank, however many keys are equal. */
typedef struct hy_few_block {
    hy_few table;
    unsigned *lane_counts; /* the lane's copy of slot 0's counter */
    unsigned *stop;        /* not 0: there are too many values, here or elsewhere */
} hy_few_block;

enum { HY_FEW_WORDS = HY_FEW_SLOTS * (GB_WARP + 1) + 4 /* of shared memory, to count */ };

static __device__ __forceinline__ void hy_few_add(const hy_few_block &block, unsigned value)
{
    const unsigned slot = hy_few_slot(block.table, value);
    if (slot < HY_FEW_SLOTS)
        atomicAdd(&block.lane_counts[slot * GB_WARP], 1u);
    else
        *(volatile unsigned *)block.stop = 1;
}

/* Four values: nearly always all of them are where their hash says. */
static __device__ __forceinline__ void hy_few_add4(const hy_few_block &block, uint4 four)
{
    const unsigned value[4] = {four.x, four.y, four.z, four.w};
    unsigned slot[4];
    bool home = true;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        slot[i] = hy_few_home(value[i]);
        home &= block.table.values[slot[i]] == value[i];
    }
    if (home) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            atomicAdd(&block.lane_counts[slot[i] * GB_WARP], 1u);
        return;
    }
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        hy_few_add(block, four.x);
        four.x = four.y;
        four.y = four.z;
        four.z = four.w;
    }
}

/* Counts the values of keys[0, n) into `all`, each block those of its share; shared: HY_FEW_WORDS
 * words, aligned to 16 bytes. More than fit fail the attempt; the counts mean nothing
 * then. All threads of the trial's blocks of HY_THREADS call it; keys are aligned to 16 bytes. */
static __device__ __forceinline__ void hy_few_count(const unsigned *keys, unsigned n,
                                                    const hy_few &all, const hy_trial &trial,
                                                    unsigned *shared)
{
    const unsigned me = threadIdx.x, lane = gb_lane();
    unsigned *counts = shared, *values = shared + HY_FEW_SLOTS * GB_WARP;
    unsigned *taken = values + HY_FEW_SLOTS;
    const hy_few_block block = {{values, counts, taken}, counts + lane, taken + 1};
    const volatile unsigned *stop = block.stop;
    for (unsigned i = me; i < HY_FEW_WORDS / 4; i += HY_THREADS)
        reinterpret_cast<uint4 *>(shared)[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    const uint4 *fours = reinterpret_cast<const uint4 *>(keys);
    const unsigned whole = n / 4, stride = trial.blocks * HY_THREADS;
    unsigned i = trial.block * HY_THREADS + me;
    for (; i + (HY_FEW_FOURS - 1) * stride < whole && !*stop; i += HY_FEW_FOURS * stride) {
        uint4 four[HY_FEW_FOURS];
#pragma unroll
        for (int f = 0; f < HY_FEW_FOURS; f++)
            four[f] = __ldcs(fours + i + f * stride);
        if (me == 0 && trial.failed()) *(volatile unsigned *)block.stop = 1;
#pragma unroll
        for (int f = 0; f < HY_FEW_FOURS; f++)
            hy_few_add4(block, four[f]);
    }
    for (; i < whole && !*stop; i += stride)
        hy_few_add4(block, __ldcs(fours + i));
    if (trial.block == 0 && me < n % 4) hy_few_add(block, keys[4 * whole + me]);
    __syncthreads();
    if (*stop) {
        if (me == 0) trial.fail();
        return;
    }

    /* a warp sums up a slot's copies, then a thread a slot adds the sum to the others' */
    static_assert((int)HY_THREADS == (int)HY_FEW_SLOTS, "a thread has a slot");
    for (unsigned slot = me / GB_WARP; slot < HY_FEW_SLOTS; slot += HY_THREADS / GB_WARP) {
        if (slot && !values[slot]) continue;
        const unsigned sum = gb_warp_sum(counts[slot * GB_WARP + lane]);
        if (lane == 0) counts[slot * GB_WARP] = sum;
    }
    __syncthreads();
    const unsigned count = counts[me * GB_WARP];
    if (!count) return;
    const unsigned slot = hy_few_slot(all, values[me]);
    if (slot < HY_FEW_SLOTS)
        atomicAdd(&all.counts[slot], count);
    else
        trial.fail();
}

/* The place in the sorted values of output key e: how many of the ascending ends[0, values) are not
 * above it. */
static __device__ __forceinline__ unsigned hy_few_at(const unsigned *ends, unsigned values,
                                                     unsigned e)
{
    unsigned low = 0, high = values;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (ends[middle] <= e)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Writes out[0, n), each block its share: the counted values by their images. shared: 4 *
 * HY_FEW_MOST words. All threads of all blocks of HY_THREADS call it; out is aligned to 16
 * bytes. */
static __device__ __forceinline__ void hy_few_write(unsigned *out, unsigned n, const hy_few &all,
                                                    bool encode, const hy_codec &codec,
                                                    unsigned *shared)
{
    __shared__ unsigned sums[GB_WARP + 1];
    const unsigned me = threadIdx.x;
    unsigned *images = shared, *sorted = images + HY_FEW_MOST;
    unsigned *counts = sorted + HY_FEW_MOST, *ends = counts + HY_FEW_MOST;

    /* 1. the values in order, and where the keys of each end */
    const unsigned value = all.values[me], count = all.counts[me];
    const unsigned image = encode ? hy_encode(codec, value) : value;
    unsigned values, total, rank = 0;
    const unsigned place = gb_block_exclusive_sum<HY_THREADS>(count ? 1u : 0u, sums, &values);
    if (count) images[place] = image;
    __syncthreads();
    if (count) {
        for (unsigned v = 0; v < values; v++)
            rank += images[v] < image;
        sorted[rank] = value;
        counts[rank] = count;
    }
    __syncthreads();
    const unsigned mine = me < values ? counts[me] : 0;
    const unsigned before = gb_block_exclusive_sum<HY_THREADS>(mine, sums, &total);
    if (me < values) ends[me] = before + mine;
    __syncthreads();

    /* 2. four keys at a time: nearly always all are equal, and equal to those before */
    const unsigned whole = n / 4, stride = gridDim.x * HY_THREADS;
    unsigned key = 0, end = 0;
    for (unsigned i = blockIdx.x * HY_THREADS + me; i < whole; i += stride) {
        const unsigned e = 4 * i;
        if (e >= end) {
            const unsigned at = hy_few_at(ends, values, e);
            key = sorted[at];
            end = ends[at];
        }
        uint4 four = make_uint4(key, key, key, key);
        if (e + 3 >= end) {
            four.y = sorted[hy_few_at(ends, values, e + 1)];
            four.z = sorted[hy_few_at(ends, values, e + 2)];
            four.w = sorted[hy_few_at(ends, values, e + 3)];
        }
        reinterpret_cast<uint4 *>(out)[i] = four;
    }
    if (blockIdx.x == 0 && me < n % 4)
        out[4 * whole + me] = sorted[hy_few_at(ends, values, 4 * whole + me)];
}

#endif
