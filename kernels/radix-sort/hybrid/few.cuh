/* Bare keys of few different values need not be moved: each value is counted, then written out as
 * often as it came. Bytes a key: 4 to count it, 4 to write it. Two pieces, each a block's part of
 * a launch that hybrid has anyway: hy_few_count in the first partition's, hy_few_write in the
 * second's.
 *
 * Values are counted as they stand in the input; only their order is that of their images.
 *
 * Tables are hash tables with open addressing. An empty slot is 0, and slot 0 belongs to the value
 * 0 alone, so that 0 is where it belongs from the start, and no other value can be taken for an
 * empty slot. A block's table, in shared memory, is one of two: for few values each counter has a
 * copy for every lane, so that a warp's atomics never meet in a bank, however many keys are equal;
 * for some thousands they meet seldom enough. */
#ifndef GB_RADIX_SORT_HYBRID_FEW_CUH
#define GB_RADIX_SORT_HYBRID_FEW_CUH

#include "kernels/radix-sort/hybrid/attempts.cuh"

/* The size of a table: 2^BITS slots, so many that most values are where their hash says, for MOST
 * values: one less, and 0, for which there is always room. */
template <int LOG, int VALUES, int SIDE_BY_SIDE, int LOADS> struct hy_few_size {
    enum {
        BITS = LOG,
        SLOTS = 1 << BITS,
        MOST = VALUES,
        COPIES = SIDE_BY_SIDE, /* of each counter, in shared memory */
        FOURS = LOADS,         /* of 4 keys, that a thread has under way */
        WORDS = SLOTS * (COPIES + 1) + 4
    };
};
typedef hy_few_size<9, 128, GB_WARP, 4> hy_few_small;
typedef hy_few_size<13, 4096, 1, 2> hy_few_large; /* and that of the device's table */

/* Values and how often each came; all 0 at the start. */
typedef struct hy_few {
    unsigned *values; /* of every slot */
    unsigned *counts; /* of every slot, the size's copies side by side */
    unsigned *taken;  /* how many slots have a value, slot 0 left out; it may go past what fits */
    unsigned *list;   /* which slots these are, or NULL */
} hy_few;

/* Multiplicative hashing (Knuth, TAOCP 3, 6.4): neighbours, and multiples of powers of two, spread
 * evenly. 0 stays 0. */
template <class Size> static __device__ __forceinline__ unsigned hy_few_home(unsigned value)
{
    return value * 0x9e3779b1u >> (32 - Size::BITS);
}

/* The slot of a value, which takes one if it has none. Size::SLOTS: there are too many values. No
 * caller waits for another: a lost exchange tells who won. */
template <class Size>
static __device__ __forceinline__ unsigned hy_few_slot(const hy_few &table, unsigned value)
{
    const volatile unsigned *values = table.values, *taken = table.taken;
    if (value == 0) return 0;
    unsigned slot = hy_few_home<Size>(value);
    for (;;) {
        if (slot) {
            unsigned held = values[slot];
            if (held == value) return slot;
            if (held == 0) {
                held = atomicCAS(table.values + slot, 0u, value);
                if (held == value) return slot;
                if (held == 0) {
                    const unsigned number = atomicAdd(table.taken, 1u);
                    if (number >= Size::MOST - 1) return Size::SLOTS;
                    if (table.list) table.list[number] = slot;
                    return slot;
                }
            }
        }
        /* a full table would never end the search, and it has too many values long before */
        if (*taken >= Size::MOST) return Size::SLOTS;
        slot = (slot + 1) % Size::SLOTS;
    }
}

/* A block's table, in shared memory. */
typedef struct hy_few_block {
    hy_few table;
    unsigned *lane_counts; /* the lane's copy of slot 0's counter */
    unsigned *stop;        /* not 0: there are too many values, here or elsewhere */
} hy_few_block;

template <class Size>
static __device__ __forceinline__ void hy_few_add(const hy_few_block &block, unsigned value)
{
    const unsigned slot = hy_few_slot<Size>(block.table, value);
    if (slot < Size::SLOTS)
        atomicAdd(&block.lane_counts[slot * Size::COPIES], 1u);
    else
        *(volatile unsigned *)block.stop = 1;
}

/* Four values: nearly always all of them are where their hash says. */
template <class Size>
static __device__ __forceinline__ void hy_few_add4(const hy_few_block &block, uint4 four)
{
    const unsigned value[4] = {four.x, four.y, four.z, four.w};
    unsigned slot[4];
    bool home = true;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        slot[i] = hy_few_home<Size>(value[i]);
        home &= block.table.values[slot[i]] == value[i];
    }
    if (home) {
#pragma unroll
        for (int i = 0; i < 4; i++)
            atomicAdd(&block.lane_counts[slot[i] * Size::COPIES], 1u);
        return;
    }
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        hy_few_add<Size>(block, four.x);
        four.x = four.y;
        four.y = four.z;
        four.z = four.w;
    }
}

/* Counts the values of keys[0, n) into `all`, each block those of its share, in Size::WORDS words
 * of dynamic shared memory. More than fit fail the attempt; the counts mean nothing then. All
 * threads of the trial's blocks of HY_THREADS call it; keys are aligned to 16 bytes. */
template <class Size>
static __device__ GB_CALLED void hy_few_count(const unsigned *keys, unsigned n, hy_few all,
                                              hy_trial trial)
{
    GB_DYNAMIC_SHARED();
    unsigned *shared = reinterpret_cast<unsigned *>(gb_shared_memory);
    const unsigned me = threadIdx.x, lane = gb_lane();
    unsigned *counts = shared, *values = shared + Size::SLOTS * Size::COPIES;
    unsigned *taken = values + Size::SLOTS;
    const hy_few_block block = {
        {values, counts, taken, NULL}, counts + lane % Size::COPIES, taken + 1};
    const volatile unsigned *stop = block.stop;
    for (unsigned i = me; i < Size::WORDS / 4; i += HY_THREADS)
        reinterpret_cast<uint4 *>(shared)[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();

    const uint4 *fours = reinterpret_cast<const uint4 *>(keys);
    const unsigned whole = n / 4, stride = trial.blocks * HY_THREADS;
    unsigned i = trial.block * HY_THREADS + me;
    for (; i + (Size::FOURS - 1) * stride < whole && !*stop; i += Size::FOURS * stride) {
        uint4 four[Size::FOURS];
#pragma unroll
        for (int f = 0; f < Size::FOURS; f++)
            four[f] = __ldcs(fours + i + f * stride);
        if (me == 0 && trial.failed()) *(volatile unsigned *)block.stop = 1;
#pragma unroll
        for (int f = 0; f < Size::FOURS; f++)
            hy_few_add4<Size>(block, four[f]);
    }
    for (; i < whole && !*stop; i += stride)
        hy_few_add4<Size>(block, __ldcs(fours + i));
    if (trial.block == 0 && me < n % 4) hy_few_add<Size>(block, keys[4 * whole + me]);
    __syncthreads();
    if (*stop) {
        if (me == 0) trial.fail();
        return;
    }

    /* a warp sums up a slot's copies, then threads add the sums to the others' */
    if ((int)Size::COPIES == GB_WARP) {
        for (unsigned slot = me / GB_WARP; slot < Size::SLOTS; slot += HY_THREADS / GB_WARP) {
            if (slot && !values[slot]) continue;
            const unsigned sum = gb_warp_sum(counts[slot * Size::COPIES + lane]);
            if (lane == 0) counts[slot * Size::COPIES] = sum;
        }
        __syncthreads();
    }
    for (unsigned slot = me; slot < Size::SLOTS; slot += HY_THREADS) {
        const unsigned count = counts[slot * Size::COPIES];
        if (!count) continue;
        const unsigned there = hy_few_slot<hy_few_large>(all, values[slot]);
        if (there == hy_few_large::SLOTS) {
            trial.fail();
            return;
        }
        atomicAdd(&all.counts[there], count);
    }
}

/* A value that was counted, where it stands in the output: its image above, the place behind its
 * last key below. */
static __device__ __forceinline__ unsigned long long hy_few_run(unsigned image, unsigned end)
{
    return (unsigned long long)image << 32 | end;
}

/* The run of output key e: how many of the ascending runs[0, values) end before it or at it. */
static __device__ __forceinline__ unsigned hy_few_at(const unsigned long long *runs,
                                                     unsigned values, unsigned e)
{
    unsigned low = 0, high = values;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if ((unsigned)runs[middle] <= e)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Sorts words[0, count), a power of two, in shared memory: bitonic (Batcher 1968). All threads of a
 * block call it; a barrier stands before and behind it. */
static __device__ __forceinline__ void hy_bitonic(unsigned long long *words, unsigned count)
{
    for (unsigned size = 2; size <= count; size *= 2) {
        for (unsigned apart = size / 2; apart; apart /= 2) {
            for (unsigned i = threadIdx.x; i < count / 2; i += HY_THREADS) {
                const unsigned a = 2 * i - (i & (apart - 1)), b = a + apart;
                const unsigned long long left = words[a], right = words[b];
                if ((left > right) == ((a & size) == 0)) {
                    words[a] = right;
                    words[b] = left;
                }
            }
            __syncthreads();
        }
    }
}

/* The runs of all values that were counted, in order, in shared memory; how many there are. All
 * threads of a block call it. */
static __device__ __forceinline__ unsigned
hy_few_runs(const hy_few &all, bool encode, const hy_codec &codec, unsigned long long *runs)
{
    enum { EACH = hy_few_large::MOST / HY_THREADS };
    __shared__ unsigned sums[GB_WARP + 1];
    const unsigned me = threadIdx.x, others = *all.taken;
    const unsigned zeros = all.counts[0], values = others + (zeros != 0);
    unsigned room = 2;
    while (room < values)
        room *= 2;
    for (unsigned v = me; v < room; v += HY_THREADS) {
        const unsigned slot = v < others ? all.list[v] : 0;
        const unsigned image = encode ? hy_encode(codec, all.values[slot]) : all.values[slot];
        runs[v] = v < values ? hy_few_run(image, all.counts[slot]) : ~0ull;
    }
    __syncthreads();
    hy_bitonic(runs, room);
    unsigned sum = 0, total;
    for (unsigned v = EACH * me; v < EACH * (me + 1) && v < values; v++)
        sum += (unsigned)runs[v];
    unsigned end = gb_block_exclusive_sum<HY_THREADS>(sum, sums, &total);
    for (unsigned v = EACH * me; v < EACH * (me + 1) && v < values; v++) {
        end += (unsigned)runs[v];
        runs[v] = hy_few_run((unsigned)(runs[v] >> 32), end);
    }
    __syncthreads();
    return values;
}

/* Writes out[0, n), each block its share: the counted values by their images. shared: 2 *
 * hy_few_large::MOST words, aligned to 8 bytes. All threads of all blocks of HY_THREADS call it;
 * out is aligned to 16 bytes. */
static __device__ __forceinline__ void hy_few_write(unsigned *out, unsigned n, const hy_few &all,
                                                    bool encode, const hy_codec &codec,
                                                    unsigned *shared)
{
    const unsigned me = threadIdx.x;
    unsigned long long *runs = reinterpret_cast<unsigned long long *>(shared);
    const unsigned values = hy_few_runs(all, encode, codec, runs);
    auto key_of = [&](unsigned long long run) {
        const unsigned image = (unsigned)(run >> 32);
        return encode ? hy_decode(codec, image) : image;
    };

    /* four keys at a time: mostly all are equal, and equal to those before */
    const unsigned whole = n / 4, stride = gridDim.x * HY_THREADS;
    unsigned key = 0, end = 0;
    for (unsigned i = blockIdx.x * HY_THREADS + me; i < whole; i += stride) {
        const unsigned e = 4 * i;
        if (e >= end) {
            const unsigned long long run = runs[hy_few_at(runs, values, e)];
            key = key_of(run);
            end = (unsigned)run;
        }
        uint4 four = make_uint4(key, key, key, key);
        if (e + 3 >= end) {
            four.y = key_of(runs[hy_few_at(runs, values, e + 1)]);
            four.z = key_of(runs[hy_few_at(runs, values, e + 2)]);
            four.w = key_of(runs[hy_few_at(runs, values, e + 3)]);
        }
        reinterpret_cast<uint4 *>(out)[i] = four;
    }
    if (blockIdx.x == 0 && me < n % 4)
        out[4 * whole + me] = key_of(runs[hy_few_at(runs, values, 4 * whole + me)]);
}

#endif
