/* The input in parts, one for each block of a stable pass: how many elements of each digit a part
 * has, and so where they go. Bytes: the keys once; the tables are digits x parts. */
#ifndef GB_MULTIPARTITION_PARTS_CUH
#define GB_MULTIPARTITION_PARTS_CUH

#include "kernels/multipartition/combine.cuh"

enum { MP_PARTS_THREADS = 512, MP_PARTS_ITEMS = 16, MP_PARTS_SCAN_THREADS = 256 };

/* Device memory. Tables have an entry for each digit and, next to each other, the parts. */
typedef struct mp_parts {
    unsigned parts;
    uint64_t part_keys; /* a part begins at each multiple; of 128 keys, so that lines are whole */
    unsigned *counts;   /* elements of a digit in a part */
    uint64_t *before;   /* the digit's elements in the parts before */
    uint64_t *totals;   /* of each digit */
    uint64_t *digit_begins;  /* where each digit begins, digits + 1 */
    uint64_t *offsets;       /* the same for the caller, or NULL */
    unsigned *ticket;        /* 0 at the start, and again at the end */
    const unsigned *only_if; /* a word without which (0) nothing is done; or NULL */
} mp_parts;

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

/* Counts the block's part. Dynamic shared memory: digits x copies words. */
template <class Key>
__global__ void __launch_bounds__(MP_PARTS_THREADS)
    mp_count_parts(mp_elements<Key, 0> in, uint64_t n, mp_digit digit, unsigned copies,
                   mp_parts parts)
{
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    for (unsigned i = threadIdx.x; i < digit.digits * copies; i += MP_PARTS_THREADS)
        counters[i] = 0;
    __syncthreads();
    const uint64_t low = blockIdx.x * parts.part_keys;
    const uint64_t high = low + parts.part_keys < n ? low + parts.part_keys : n;
    for (uint64_t at = low; at < high; at += MP_PARTS_THREADS * MP_PARTS_ITEMS) {
        Key key[MP_PARTS_ITEMS];
        typename mp_elements<Key, 0>::payload_type payload[MP_PARTS_ITEMS];
        unsigned digits[MP_PARTS_ITEMS];
        const unsigned valid = mp_load_fours<MP_PARTS_THREADS>(in, at, low, high, key, payload);
        mp_digits_of(digit, key, digits);
        mp_count_digits(counters, copies, digits, valid);
    }
    __syncthreads();
    for (unsigned d = threadIdx.x; d < digit.digits; d += MP_PARTS_THREADS)
        parts.counts[(uint64_t)d * parts.parts + blockIdx.x] = mp_sum_copies(counters, copies, d);
}

/* One block a digit: sums over the parts; the last block to end sums over the digits. */
static __global__ void __launch_bounds__(MP_PARTS_SCAN_THREADS)
    mp_scan_parts(mp_parts parts, unsigned digits)
{
    __shared__ unsigned long long sums[GB_WARP + 1];
    __shared__ bool last;
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    const uint64_t row = (uint64_t)blockIdx.x * parts.parts;
    unsigned long long before = 0, all;
    for (unsigned p = 0; p < parts.parts; p += MP_PARTS_SCAN_THREADS) {
        const unsigned mine = p + threadIdx.x;
        const unsigned long long count = mine < parts.parts ? parts.counts[row + mine] : 0;
        const unsigned long long sum =
            gb_block_exclusive_sum<MP_PARTS_SCAN_THREADS>(count, sums, &all);
        if (mine < parts.parts) parts.before[row + mine] = before + sum;
        before += all;
    }
    if (threadIdx.x == 0) {
        *const_cast<volatile uint64_t *>(&parts.totals[blockIdx.x]) = before;
        __threadfence();
        last = atomicAdd(parts.ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    before = 0;
    for (unsigned d = 0; d < digits; d += MP_PARTS_SCAN_THREADS) {
        const unsigned mine = d + threadIdx.x;
        const unsigned long long count =
            mine < digits ? *const_cast<volatile uint64_t *>(&parts.totals[mine]) : 0;
        const unsigned long long begin =
            before + gb_block_exclusive_sum<MP_PARTS_SCAN_THREADS>(count, sums, &all);
        if (mine < digits) {
            parts.digit_begins[mine] = begin;
            if (parts.offsets) parts.offsets[mine] = begin;
        }
        before += all;
    }
    if (threadIdx.x == 0) {
        parts.digit_begins[digits] = before;
        if (parts.offsets) parts.offsets[digits] = before;
        *parts.ticket = 0;
    }
}

#endif
