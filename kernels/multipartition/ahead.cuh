/* Of two stable passes, the second's counts ahead of the first: each part of the input is counted
 * by both digits at once. The first pass puts next to each other what one stretch of the input has
 * of a lower digit, a strip, and a part of what it leaves behind is made of whole strips, whose
 * upper digits are known, but for its first and last one, of which it may have a piece. Only pieces
 * are looked at again. Bytes: the keys once, pieces (n / lower digits x stretches / parts), and the
 * table twice. */
#ifndef GB_MULTIPARTITION_AHEAD_CUH
#define GB_MULTIPARTITION_AHEAD_CUH

#include "common/cuda/search.cuh"
#include "kernels/multipartition/parts.cuh"

enum { MP_STRIPS_THREADS = 256, MP_STRIPS_ITEMS = 16, MP_PIECE_ITEMS = 4 };

/* Both digits of a bin as one number, the lower one first. */
typedef struct mp_both_digits {
    mp_digit whole;
    unsigned low_bits;
    unsigned low_digits, high_digits;
} mp_both_digits;

template <int ITEMS, class Key>
__device__ __forceinline__ void mp_digits_of(const mp_both_digits &digit, const Key (&key)[ITEMS],
                                             unsigned (&out)[ITEMS])
{
    mp_digits_of(digit.whole, key, out);
    const unsigned mask = (1u << digit.low_bits) - 1;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        out[i] = (out[i] & mask) * digit.high_digits + (out[i] >> digit.low_bits);
}

/* Device memory. A stretch is `each` parts of the first pass. */
typedef struct mp_ahead {
    unsigned stretches, each;
    unsigned *counts; /* of each stretch, by both digits */
} mp_ahead;

/* Counts parts by the lower digit, as mp_count_parts does, and stretches by both. Dynamic shared
 * memory: all x copies words and one for each lower digit, all = low_digits x high_digits. */
template <class Key>
__global__ void __launch_bounds__(MP_PARTS_THREADS)
    mp_count_ahead(mp_elements<Key, 0> in, uint64_t n, mp_both_digits digit, unsigned copies,
                   mp_parts parts, mp_ahead ahead)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    GB_DYNAMIC_SHARED();
    const unsigned WARPS = MP_PARTS_THREADS / GB_WARP;
    const unsigned lows = digit.low_digits, highs = digit.high_digits, all = lows * highs;
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    unsigned *before = counters + all * copies; /* of a lower digit, in the stretch */
    for (unsigned stretch = blockIdx.x; stretch < ahead.stretches; stretch += gridDim.x) {
        const unsigned first = stretch * ahead.each;
        const unsigned end = first + ahead.each < parts.parts ? first + ahead.each : parts.parts;
        mp_clear_counters<MP_PARTS_THREADS>(counters, copies, all);
        for (unsigned part = first; part < end; part++) {
            const uint64_t low = part * parts.part_keys;
            const uint64_t high = low + parts.part_keys < n ? low + parts.part_keys : n;
            mp_count_stretch<MP_PARTS_THREADS, MP_PARTS_ITEMS>(in, low, high, digit, counters,
                                                               copies);
            __syncthreads();
            /* a lower digit is always the same warp's */
            for (unsigned d = threadIdx.x / GB_WARP; d < lows; d += WARPS) {
                unsigned sum = 0;
                for (unsigned h = gb_lane(); h < highs; h += GB_WARP) {
                    const unsigned count = mp_sum_copies(counters, copies, d * highs + h);
                    if (part == end - 1)
                        ahead.counts[((uint64_t)stretch * lows + d) * highs + h] = count;
                    sum += count;
                }
                sum = gb_warp_sum(sum);
                if (gb_lane() > 0) continue;
                parts.counts[(uint64_t)d * parts.parts + part] =
                    sum - (part > first ? before[d] : 0);
                before[d] = sum;
            }
            __syncthreads();
        }
    }
}

/* Where the strips of the first pass begin, in the order in which they lie. */
typedef struct mp_strips {
    mp_parts parts;
    mp_ahead ahead;
    __device__ __forceinline__ uint64_t operator[](unsigned strip) const
    {
        const unsigned d = strip / ahead.stretches, stretch = strip % ahead.stretches;
        const uint64_t begin = parts.digit_begins[d];
        const uint64_t at = (uint64_t)d * parts.parts + (uint64_t)stretch * ahead.each;
        return stretch ? begin + parts.before[at] : begin; /* and where all end */
    }
} mp_strips;

/* Counts the block's part of what the first pass leaves behind. digit: the upper one; lows: how
 * many digits the first pass has. Dynamic shared memory: digits x copies words, digits at most the
 * block's threads. */
template <class Key>
__global__ void __launch_bounds__(MP_STRIPS_THREADS)
    mp_count_strips(mp_elements<Key, 0> in, uint64_t n, mp_digit digit, unsigned copies,
                    mp_strips strips, unsigned lows, mp_parts parts)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    __shared__ unsigned ends[2]; /* the strips that hold the part's first and last element */
    const uint64_t low = blockIdx.x * parts.part_keys;
    const uint64_t high = low + parts.part_keys < n ? low + parts.part_keys : n;
    const unsigned stretches = strips.ahead.stretches, highs = digit.digits;
    mp_clear_counters<MP_STRIPS_THREADS>(counters, copies, highs);
    const unsigned warp = threadIdx.x / GB_WARP;
    if (warp < 2 && low < high) {
        const unsigned held =
            gb_warp_stretch_holding(strips, lows * stretches, warp ? high - 1 : low);
        if (gb_lane() == 0) ends[warp] = held;
    }
    __syncthreads();
    if (low < high) {
        unsigned first = ends[0], end = ends[1] + 1;
        const uint64_t first_end = strips[first + 1], last_begin = strips[end - 1];
        /* where most are empty, to read what lies there is faster */
        const bool many = (uint64_t)(end - first) * highs > high - low;
        if (many) {
            mp_count_stretch<MP_STRIPS_THREADS, MP_STRIPS_ITEMS>(in, low, high, digit, counters,
                                                                 copies);
            first = end;
        }
        if (first < end && strips[first] < low) { /* a piece of the first one */
            mp_count_stretch<MP_STRIPS_THREADS, MP_PIECE_ITEMS>(
                in, low, first_end < high ? first_end : high, digit, counters, copies);
            first++;
        }
        if (first < end && strips[end] > high) { /* of the last one */
            mp_count_stretch<MP_STRIPS_THREADS, MP_PIECE_ITEMS>(in, last_begin, high, digit,
                                                                counters, copies);
            end--;
        }
        /* whole ones, by as many threads as there are digits each */
        const unsigned together = MP_STRIPS_THREADS / highs, h = threadIdx.x % highs;
        unsigned sum = 0;
        if (threadIdx.x < together * highs) {
#pragma unroll 4
            for (unsigned s = first + threadIdx.x / highs; s < end; s += together) {
                const uint64_t row = (uint64_t)(s % stretches) * lows + s / stretches;
                sum += strips.ahead.counts[row * highs + h];
            }
        }
        if (sum) atomicAdd(&counters[h * copies], sum);
    }
    __syncthreads();
    for (unsigned h = threadIdx.x; h < highs; h += MP_STRIPS_THREADS)
        parts.counts[(uint64_t)h * parts.parts + blockIdx.x] = mp_sum_copies(counters, copies, h);
}

#endif
