/* The input in parts, which the blocks of a stable pass take one by one: how many elements of each
 * digit a part has, and so where they go. Bytes: the keys once; the tables are digits x parts. */
#ifndef GB_MULTIPARTITION_PARTS_CUH
#define GB_MULTIPARTITION_PARTS_CUH

#include "kernels/multipartition/counts.cuh"

enum { MP_PARTS_THREADS = 512, MP_PARTS_ITEMS = 16, MP_PARTS_SCAN_THREADS = 256 };

/* Device memory. Tables have an entry for each digit and, next to each other, the parts. */
typedef struct mp_parts {
    unsigned parts;
    uint64_t part_keys; /* a part begins at each multiple; of 128 keys, so that lines are whole */
    unsigned *counts;   /* elements of a digit in a part */
    uint64_t *before;   /* the digit's elements in the parts before */
    uint64_t *digit_begins;  /* where each digit begins, digits + 1 */
    unsigned *ticket;        /* 0 at the start, and again at the end */
    const unsigned *only_if; /* without which (0) nothing is done; or NULL */
    unsigned *crowded;       /* becomes MP_CROWDED where a digit has more than an eighth; or NULL */
} mp_parts;

/* Counts the block's part. Dynamic shared memory: digits x copies words. */
template <class Key>
__global__ void __launch_bounds__(MP_PARTS_THREADS)
    mp_count_parts(mp_elements<Key, 0> in, uint64_t n, mp_digit digit, unsigned copies,
                   mp_parts parts)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const uint64_t low = blockIdx.x * parts.part_keys;
    const uint64_t high = low + parts.part_keys < n ? low + parts.part_keys : n;
    mp_clear_counters<MP_PARTS_THREADS>(counters, copies, digit.digits);
    mp_count_stretch<MP_PARTS_THREADS, MP_PARTS_ITEMS>(in, low, high, digit, counters, copies);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < digit.digits; d += MP_PARTS_THREADS)
        parts.counts[(uint64_t)d * parts.parts + blockIdx.x] = mp_sum_copies(counters, copies, d);
}

/* One block a digit: sums over the parts; the last block to end sums over the digits. */
template <int THREADS>
__global__ void __launch_bounds__(THREADS) mp_scan_parts(mp_parts parts, unsigned digits)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    __shared__ unsigned long long sums[GB_WARP + 1];
    const uint64_t row = (uint64_t)blockIdx.x * parts.parts;
    unsigned long long before = 0, all;
    for (unsigned p = 0; p < parts.parts; p += THREADS) {
        const unsigned mine = p + threadIdx.x;
        const unsigned long long count = mine < parts.parts ? parts.counts[row + mine] : 0;
        const unsigned long long sum = gb_block_exclusive_sum<THREADS>(count, sums, &all);
        if (mine < parts.parts) parts.before[row + mine] = before + sum;
        before += all;
    }
    if (threadIdx.x == 0) {
        *const_cast<volatile uint64_t *>(&parts.digit_begins[blockIdx.x]) = before;
        if (parts.crowded && before > parts.parts * parts.part_keys / 8)
            atomicExch(parts.crowded, (unsigned)MP_CROWDED);
    }
    if (!gb_is_last_block(parts.ticket)) return;
    mp_scan_bins<THREADS>((unsigned long long *)parts.digit_begins, digits);
    if (threadIdx.x == 0) *parts.ticket = 0;
}

#endif
