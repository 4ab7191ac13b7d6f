/* Counting elements by digit in shared memory, and from counts to where digits begin. */
#ifndef GB_MULTIPARTITION_COUNTS_CUH
#define GB_MULTIPARTITION_COUNTS_CUH

#include "common/cuda/clock.cuh"
#include "kernels/multipartition/elements.cuh"

/* Copies of a block's counters, a power of two: as many as fit into `bytes`. */
static inline unsigned mp_copies_for(uint64_t digits, size_t bytes)
{
    unsigned copies = 32;
    while (copies > 1 && digits * copies * 4 > bytes)
        copies /= 2;
    return copies;
}

template <int THREADS>
__device__ __forceinline__ void mp_clear_counters(unsigned *counters, unsigned copies,
                                                  unsigned digits)
{
    for (unsigned i = threadIdx.x; i < digits * copies; i += THREADS)
        counters[i] = 0;
    __syncthreads();
}

/* Adds a thread's digits to the block's counters, of which there are `copies` (a power of two), so
 * that lanes seldom meet in a word; where all keys agree a thread adds them at once. */
template <int ITEMS>
__device__ __forceinline__ void mp_count_digits(unsigned *counters, unsigned copies,
                                                const unsigned (&digit)[ITEMS], unsigned valid)
{
    const unsigned copy = threadIdx.x & (copies - 1), all = ~0u >> (32 - ITEMS);
    if (valid == all) {
        bool same = true;
#pragma unroll
        for (int i = 1; i < ITEMS; i++)
            same &= digit[i] == digit[0];
        if (same) {
            atomicAdd(&counters[digit[0] * copies + copy], (unsigned)ITEMS);
            return;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            atomicAdd(&counters[digit[i] * copies + copy], 1u);
        return;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        if (valid >> i & 1) atomicAdd(&counters[digit[i] * copies + copy], 1u);
}

/* A counter's copies, added up; neighbours begin at different ones, so that they do not meet in a
 * bank. */
__device__ __forceinline__ unsigned mp_sum_copies(const unsigned *counters, unsigned copies,
                                                  unsigned digit)
{
    unsigned sum = 0;
    for (unsigned c = 0; c < copies; c++)
        sum += counters[digit * copies + ((c + digit) & (copies - 1))];
    return sum;
}

/* Adds the block's counts to `counts` in device memory. */
template <int THREADS, class Count>
__device__ __forceinline__ void mp_add_counts(const unsigned *counters, unsigned copies,
                                              unsigned digits, Count *counts)
{
    for (unsigned d = threadIdx.x; d < digits; d += THREADS) {
        const unsigned count = mp_sum_copies(counters, copies, d);
        if (count) atomicAdd(&counts[d], (Count)count);
    }
}

/* The salt of what is looked at: as given, or the clock's where that is 0; the same for all lanes
 * of a warp, which look together, and all of which call it. */
static __device__ __forceinline__ uint32_t mp_salt(uint32_t given)
{
    return given ? given : __shfl_sync(GB_FULL_MASK, (uint32_t)gb_device_ns(), 0);
}

/* How alike neighbours are: of so many that were looked at, how many share a bin. By all threads,
 * and by one. */
typedef struct mp_likeness {
    unsigned long long compared, alike;
} mp_likeness;
typedef struct mp_my_likeness {
    unsigned compared, alike;
} mp_my_likeness;

/* Adds what a thread's elements, fours of neighbours, say of it: those that share a bin among each
 * other and with the one behind them. All lanes call it. */
template <int ITEMS>
__device__ __forceinline__ void mp_compare(const unsigned (&digit)[ITEMS], mp_my_likeness *likeness)
{
    unsigned alike = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i += 4) {
        const unsigned next = __shfl_down_sync(GB_FULL_MASK, digit[i], 1);
        alike += digit[i] == digit[i + 1] && digit[i] == digit[i + 2] && digit[i] == digit[i + 3] &&
                 (next == digit[i] || gb_lane() == GB_WARP - 1);
    }
    likeness->alike += alike;
    likeness->compared += ITEMS / 4;
}

/* Adds what the block's threads have found to `sum` in device memory. */
static __device__ __forceinline__ void mp_add_likeness(const mp_my_likeness &mine, mp_likeness *sum)
{
    __shared__ mp_my_likeness all;
    if (threadIdx.x == 0) all = mp_my_likeness{};
    __syncthreads();
    const unsigned compared = gb_warp_sum(mine.compared), alike = gb_warp_sum(mine.alike);
    if (gb_lane() == 0) {
        atomicAdd(&all.compared, compared);
        atomicAdd(&all.alike, alike);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&sum->compared, (unsigned long long)all.compared);
        atomicAdd(&sum->alike, (unsigned long long)all.alike);
    }
}

/* Whether runs are 16 long or more; other blocks may have added to it. */
static __device__ __forceinline__ bool mp_are_runs(const mp_likeness *sum)
{
    const volatile mp_likeness *now = sum; /* past the first-level cache */
    const unsigned long long compared = now->compared;
    return compared && 16 * now->alike >= 15 * compared;
}

/* Counts elements [low, high) of the input, from the last tile to the first: what is still in the
 * L2 afterwards is what the pass that follows begins with. COMPARE: mp_compare adds to likeness. */
template <int THREADS, int MOST, bool COMPARE = false, class Key, class Digit>
__device__ __forceinline__ void
mp_count_stretch(const mp_elements<Key, 0> &in, uint64_t low, uint64_t high, const Digit &digit,
                 unsigned *counters, unsigned copies, mp_my_likeness *likeness = NULL)
{
    constexpr int ITEMS = mp_items_of<Digit, MOST>::value;
    if (low >= high) return;
    const uint64_t origin = low & ~(uint64_t)3, tile = THREADS * ITEMS;
    for (uint64_t t = (high - origin + tile - 1) / tile; t-- > 0;) {
        Key key[ITEMS];
        typename mp_elements<Key, 0>::payload_type payload[ITEMS];
        unsigned digits[ITEMS];
        const unsigned valid =
            mp_load_fours<THREADS, true>(in, origin + t * tile, low, high, key, payload);
        mp_digits_of(digit, key, digits);
        mp_count_digits(counters, copies, digits, valid);
        if constexpr (COMPARE) mp_compare(digits, likeness);
    }
}

/* Exclusive prefix sums of load(i), i < count, by one block, which gives them to store(i, sum).
 * Returns the sum of all. A thread takes neighbours. */
template <int THREADS, class Load, class Store>
__device__ __forceinline__ auto mp_scan_each(unsigned count, Load load, Store store)
{
    typedef decltype(load(0u)) T;
    __shared__ T sums[GB_WARP + 1];
    const unsigned each = (count + THREADS - 1) / THREADS;
    const unsigned first = threadIdx.x * each < count ? threadIdx.x * each : count;
    const unsigned end = first + each < count ? first + each : count;
    const T one = first < end ? load(first) : T(0); /* mostly there is no other */
    T sum = one, all;
#pragma unroll 8
    for (unsigned i = first + 1; i < end; i++)
        sum += load(i);
    T before = gb_block_exclusive_sum<THREADS>(sum, sums, &all);
    if (first < end) store(first, before);
    before += one;
#pragma unroll 8
    for (unsigned i = first + 1; i < end; i++) {
        const T next = load(i);
        store(i, before);
        before += next;
    }
    return all;
}

/* counts[0, bins) are replaced by their exclusive prefix sums, and counts[bins] becomes the sum of
 * all, by one block; other blocks may have written them. */
template <int THREADS>
__device__ __forceinline__ void mp_scan_bins(unsigned long long *counts, unsigned bins)
{
    const volatile unsigned long long *now = counts; /* past the first-level cache */
    const unsigned long long all = mp_scan_each<THREADS>(
        bins, [&](unsigned bin) -> unsigned long long { return now[bin]; },
        [&](unsigned bin, unsigned long long before) { counts[bin] = before; });
    if (threadIdx.x == 0) counts[bins] = all;
}

#endif
