/* The sizes of the digits' regions, foreseen from a sample: one line of 128 bytes in so many, each
 * at a place of its stretch that a salted hash picks, so that neither sorted nor periodic input
 * misleads, nor any that was made by someone who does not know the salt. A pass that writes there
 * needs no count before it: it saves most of one read of the keys. What turns out otherwise
 * mend.cuh puts right. */
#ifndef GB_MULTIPARTITION_FORESEE_CUH
#define GB_MULTIPARTITION_FORESEE_CUH

#include "common/distributions.h"
#include "kernels/multipartition/counts.cuh"
#include "kernels/multipartition/partition/unordered.cuh"

enum {
    MP_SAMPLE_THREADS = 1024,
    MP_SAMPLE_LINES = 8,   /* a warp has on their way */
    MP_SAMPLE_STRETCH = 16 /* of so many lines one is looked at; a power of two */
};

typedef struct mp_sample {
    uint64_t stretches;    /* sampled lines; each stands for MP_SAMPLE_STRETCH of them */
    unsigned *counts;      /* of each digit; 0 at the start */
    uint64_t *begins;      /* of each digit's region, digits + 1 */
    unsigned *ticket;      /* 0 at the start */
    mp_likeness *likeness; /* to look for runs; 0 at the start */
    unsigned in_runs;      /* what is said of them: MP_IN_RUNS or MP_UNCOUNTED */
    uint32_t salt;         /* of the hash; 0: each block takes the clock's */
} mp_sample;

/* From the sample to regions that begin at whole lines. One block. */
static __device__ void mp_foresee_regions(const mp_sample &sample, unsigned digits,
                                          const mp_regions &regions, uint64_t n)
{
    __shared__ unsigned long long sums[GB_WARP + 1];
    const double total = (double)sample.stretches * GB_WARP;
    unsigned long long before = 0, all;
    bool crowd = false;
    for (unsigned d = 0; d < digits; d += MP_SAMPLE_THREADS) {
        const unsigned mine = d + threadIdx.x;
        const unsigned long long count = mine < digits ? gb_glance(&sample.counts[mine]) : 0;
        const unsigned long long sum =
            before + gb_block_exclusive_sum<MP_SAMPLE_THREADS>(count, sums, &all);
        if (mine < digits) {
            /* without a sample all digits are alike */
            const double share = total > 0 ? (double)sum / total : (double)mine / digits;
            uint64_t begin = (uint64_t)(share * (double)n);
            begin = (begin < n ? begin : n) & ~(uint64_t)(MP_LINE - 1);
            if (regions.two_ended) begin = 0;
            sample.begins[mine] = begin;
            regions.next[mp_cursor_at(mine)] = begin;
            regions.written_to[mine] = ~0ull;
        }
        before += all;
        crowd |= mp_is_crowd(count, (uint64_t)total, digits) && count < total / 16 * 15;
    }
    if (regions.crowded && __syncthreads_or(crowd) && threadIdx.x == 0) *regions.crowded = 1;
    if (threadIdx.x == 0)
        sample.begins[digits] =
            regions.two_ended && !regions.ragged ? n & ~(uint64_t)(MP_SECTOR - 1) : n;
}

/* Dynamic shared memory: digits x copies words. The last block to end foresees the regions. RUNS:
 * looks for them, too. */
template <class Key, bool RUNS, class Digit>
__global__ void __launch_bounds__(MP_SAMPLE_THREADS)
    mp_take_sample(mp_elements<Key, 0> in, uint64_t n, Digit digit, unsigned copies,
                   mp_sample sample, mp_regions regions)
{
    gb_wait_for_previous();
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    mp_prepare(digit);
    mp_clear_counters<MP_SAMPLE_THREADS>(counters, copies, digit.digits);
    const uint32_t salt = mp_salt(sample.salt);
    const uint64_t warps = (uint64_t)gridDim.x * (MP_SAMPLE_THREADS / GB_WARP);
    mp_my_likeness mine = {};
    for (uint64_t l = ((uint64_t)blockIdx.x * MP_SAMPLE_THREADS + threadIdx.x) / GB_WARP;
         l < sample.stretches; l += MP_SAMPLE_LINES * warps) {
        Key key[MP_SAMPLE_LINES];
        unsigned digits[MP_SAMPLE_LINES], valid = 0;
#pragma unroll
        for (int j = 0; j < MP_SAMPLE_LINES; j++) {
            const uint64_t one = l + j * warps;
            key[j] = 0;
            if (one >= sample.stretches) continue;
            const uint64_t line =
                one * MP_SAMPLE_STRETCH + gb_scatter32((uint32_t)one ^ salt) % MP_SAMPLE_STRETCH;
            key[j] = in.keys[line * GB_WARP + gb_lane()];
            valid |= 1u << j;
        }
        mp_digits_of(digit, key, digits);
        mp_count_digits(counters, copies, digits, valid);
        if constexpr (RUNS) {
#pragma unroll
            for (int j = 0; j < MP_SAMPLE_LINES; j++) {
                const unsigned next = __shfl_down_sync(GB_FULL_MASK, digits[j], 1);
                const bool compares = valid >> j & 1 && gb_lane() < GB_WARP - 1;
                mine.compared += compares;
                mine.alike += compares && next == digits[j];
            }
        }
    }
    if constexpr (RUNS) mp_add_likeness(mine, sample.likeness);
    __syncthreads();
    mp_add_counts<MP_SAMPLE_THREADS>(counters, copies, digit.digits, sample.counts);
    if (!gb_is_last_block(sample.ticket)) return;
    if (RUNS && threadIdx.x == 0 && mp_are_runs(sample.likeness)) *regions.failed = sample.in_runs;
    mp_foresee_regions(sample, digit.digits, regions, n);
}

#endif
