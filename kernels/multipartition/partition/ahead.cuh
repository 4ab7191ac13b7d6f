/* Of two stable passes, both digits are counted before either: each part of the input by both at
 * once. The first pass puts next to each other what one stretch of the input has of a lower digit,
 * a strip, whose upper digits are known then. The second one takes pieces made of whole strips, so
 * it need not count, and where the bins begin is known as well. Bytes: the keys once, and the
 * table, stretches x both digits, three times.
 *
 * Of skewed keys the first pass takes heavy bins to their places at once, up to one of each lower
 * digit, and the second one has only the rest. */
#ifndef GB_MULTIPARTITION_AHEAD_CUH
#define GB_MULTIPARTITION_AHEAD_CUH

#include "kernels/multipartition/partition/parts.cuh"

enum { MP_STRIPS_THREADS = 1024 };

/* Both digits of a bin as one number, the lower one first. */
template <class Digit> struct mp_both_digits {
    Digit whole;
    unsigned low_bits;
    unsigned low_digits, high_digits;
};

template <int ITEMS, class Key, class Digit>
__device__ __forceinline__ void mp_digits_of(const mp_both_digits<Digit> &digit,
                                             const Key (&key)[ITEMS], unsigned (&out)[ITEMS])
{
    mp_digits_of(digit.whole, key, out);
    const unsigned mask = (1u << digit.low_bits) - 1;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        out[i] = (out[i] & mask) * digit.high_digits + (out[i] >> digit.low_bits);
}

template <class Digit, int MOST>
struct mp_items_of<mp_both_digits<Digit>, MOST> : mp_items_of<Digit, MOST> {
};

enum { MP_MOST_HEAVY = 16, MP_MOST_LOWS = 256 };

/* The digit of the first pass where heavy bins have digits of their own, behind all lower ones. */
template <class Digit> struct mp_heavy_digit {
    mp_both_digits<Digit> both;
    const mp_heavy *heavy; /* device memory: see mp_strips */
    uint64_t elsewhere;    /* from the pass's output to that of heavy bins, elements, modulo 2^64 */
    unsigned digits;
};

template <class Digit, int MOST>
struct mp_items_of<mp_heavy_digit<Digit>, MOST> : mp_items_of<Digit, MOST> {
};

/* In shared memory, of each lower digit. */
static __device__ __forceinline__ mp_heavy *mp_heavy_table()
{
    __shared__ mp_heavy of_low[MP_MOST_LOWS];
    return of_low;
}

/* Before a barrier, which comes before the first digits. */
template <class Digit>
__device__ __forceinline__ void mp_prepare(const mp_heavy_digit<Digit> &digit)
{
    mp_prepare(digit.both.whole);
    for (unsigned low = threadIdx.x; low < digit.both.low_digits; low += blockDim.x)
        mp_heavy_table()[low] = digit.heavy[low];
}

template <int ITEMS, class Key, class Digit>
__device__ __forceinline__ void mp_digits_of(const mp_heavy_digit<Digit> &digit,
                                             const Key (&key)[ITEMS], unsigned (&out)[ITEMS])
{
    mp_digits_of(digit.both.whole, key, out);
    const unsigned mask = (1u << digit.both.low_bits) - 1;
    const mp_heavy *of_low = mp_heavy_table();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned low = out[i] & mask;
        const mp_heavy heavy = of_low[low];
        out[i] = (heavy ^ out[i]) & MP_LIGHT ? low : heavy >> MP_HEAVY_BITS;
    }
}

/* Whether a place of one of n elements is meant. */
template <class Digit>
__device__ __forceinline__ bool mp_is_within(const mp_heavy_digit<Digit> &digit, unsigned d,
                                             uint64_t place, uint64_t n)
{
    return place - (d < digit.both.low_digits ? 0 : digit.elsewhere) < n;
}

/* Counts parts by the lower digit, as mp_count_parts does, and stretches by both. Dynamic shared
 * memory: all x copies words and one for each lower digit, all = low_digits x high_digits. */
template <class Key, class Digit>
__global__ void __launch_bounds__(MP_PARTS_THREADS)
    mp_count_ahead(mp_elements<Key, 0> in, uint64_t n, mp_both_digits<Digit> digit, unsigned copies,
                   mp_parts parts, mp_strips strips)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    GB_DYNAMIC_SHARED();
    const unsigned WARPS = MP_PARTS_THREADS / GB_WARP;
    const unsigned lows = digit.low_digits, highs = digit.high_digits, all = lows * highs;
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    unsigned *before = counters + all * copies; /* of a lower digit, in the stretch */
    mp_prepare(digit.whole);
    for (unsigned stretch = blockIdx.x; stretch < strips.stretches; stretch += gridDim.x) {
        const unsigned first = stretch * strips.each;
        const unsigned end = first + strips.each < parts.parts ? first + strips.each : parts.parts;
        mp_clear_counters<MP_PARTS_THREADS>(counters, copies, all);
        for (unsigned part = first; part < end; part++) {
            const mp_part found = mp_find_part(parts, n, part);
            mp_count_stretch<MP_PARTS_THREADS, MP_PARTS_ITEMS>(in, found.begin, found.end, digit,
                                                               counters, copies);
            __syncthreads();
            /* a lower digit is always the same warp's */
            for (unsigned d = threadIdx.x / GB_WARP; d < lows; d += WARPS) {
                unsigned sum = 0;
                for (unsigned h = gb_lane(); h < highs; h += GB_WARP) {
                    const unsigned count = mp_sum_copies(counters, copies, d * highs + h);
                    if (part == end - 1)
                        strips.counts[((uint64_t)stretch * lows + d) * highs + h] = count;
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

/* How the second pass is cut into pieces, and what is said of crowds. */
typedef struct mp_second {
    unsigned pieces;    /* about, beside one for each lower digit */
    unsigned *crowded;  /* as in mp_parts, of the second pass; or NULL */
    uint64_t elsewhere; /* as in mp_heavy_digit */
} mp_second;

/* The block's lower digit's largest bin, if it is a heavy one and there are digits left, or
 * MP_LIGHT. By all threads; total: of `bin`, or 0. count: of heavy bins, all blocks'. */
static __device__ __forceinline__ mp_heavy mp_find_heavy(uint64_t n, unsigned lows, unsigned bin,
                                                         unsigned total, unsigned *count)
{
    enum { LEAST = 128 }; /* of all elements */
    __shared__ unsigned long long most;
    __shared__ unsigned number;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    if ((uint64_t)total * LEAST > n)
        atomicMax(&most, (unsigned long long)total << MP_HEAVY_BITS | bin);
    __syncthreads();
    if (!most) return MP_LIGHT;
    if (threadIdx.x == 0) number = atomicAdd(count, 1u);
    __syncthreads();
    if (number >= MP_MOST_HEAVY) return MP_LIGHT;
    return (lows + number) << MP_HEAVY_BITS | ((mp_heavy)most & MP_LIGHT);
}

/* Once what there is of each lower digit is in strips.low_begins and bins have begins: where lower
 * digits and heavy bins begin, and how many pieces there are. By the last block, whose threads are
 * at least as many as lower digits. */
template <int THREADS>
__device__ __forceinline__ void mp_open_strips(const mp_parts &parts, const mp_strips &strips,
                                               const mp_second &second)
{
    __shared__ unsigned long long sums[GB_WARP + 1];
    __shared__ unsigned piece_sums[GB_WARP + 1];
    const unsigned low = threadIdx.x, lows = strips.lows;
    const bool owns = low < lows;
    const volatile uint64_t *sizes = strips.low_begins; /* past the first-level cache */
    const unsigned long long size = owns ? sizes[low] : 0;
    mp_heavy heavy = MP_LIGHT;
    if (owns && strips.heavy) heavy = *const_cast<volatile mp_heavy *>(strips.heavy + low);
    unsigned long long all;
    unsigned all_pieces;
    const unsigned long long begin = gb_block_exclusive_sum<THREADS>(size, sums, &all);
    const unsigned long long share = size ? size * second.pieces / all : 0;
    unsigned pieces = share < strips.stretches ? (unsigned)share : strips.stretches;
    if (size && !pieces) pieces = 1;
    const unsigned before = gb_block_exclusive_sum<THREADS>(pieces, piece_sums, &all_pieces);
    if (threadIdx.x == 0) {
        strips.low_begins[lows] = all;
        strips.pieces_before[lows] = all_pieces;
    }
    __syncthreads(); /* bins have begins */
    if (!owns) return;
    strips.low_begins[low] = parts.digit_begins[low] = begin;
    strips.pieces_before[low] = before;
    if (heavy != MP_LIGHT)
        parts.digit_begins[heavy >> MP_HEAVY_BITS] =
            strips.bin_begins[heavy & MP_LIGHT] + second.elsewhere;
}

/* From counts to places, a block for each lower digit: what stretches have of a bin becomes what
 * those before have, and parts.counts parts.before, by lower digits and heavy bins. The last block
 * to end sums over the digits, and over the bins. n: below 2^32. */
template <int THREADS>
__global__ void __launch_bounds__(THREADS)
    mp_scan_strips(uint64_t n, mp_parts parts, mp_strips strips, mp_second second)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    __shared__ unsigned sums[THREADS];
    const unsigned low = blockIdx.x, lows = strips.lows, highs = strips.highs;
    const unsigned together = THREADS / highs, team = threadIdx.x / highs,
                   high = threadIdx.x % highs;
    const uint64_t stretches = strips.stretches, row = (uint64_t)lows * highs;
    unsigned *column = strips.counts + (uint64_t)low * highs + high;
    const unsigned first = team < together ? (unsigned)(stretches * team / together) : 0;
    const unsigned end = team < together ? (unsigned)(stretches * (team + 1) / together) : 0;
    unsigned sum = 0, before = 0, total = 0;
#pragma unroll 8
    for (unsigned s = first; s < end; s++)
        sum += column[s * row];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (unsigned t = 0; t < together; t++) {
        const unsigned one = sums[t * highs + high];
        if (t < team) before += one;
        total += one;
    }
    const unsigned bin = high * lows + low;
    unsigned long long *bins = reinterpret_cast<unsigned long long *>(strips.bin_begins);
    if (team == 0 && bin < strips.bins)
        *const_cast<volatile unsigned long long *>(bins + bin) = total;

    if (strips.heavy) { /* a stretch is a part */
        const mp_heavy heavy = mp_find_heavy(n, lows, bin, team == 0 ? total : 0, strips.heavies);
        if (threadIdx.x == 0) *const_cast<volatile mp_heavy *>(strips.heavy + low) = heavy;
        if (heavy != MP_LIGHT) {
            const unsigned digit = heavy >> MP_HEAVY_BITS, upper = (heavy & MP_LIGHT) / lows;
            unsigned *light = parts.counts + (uint64_t)low * parts.parts;
            unsigned *ours = parts.counts + (uint64_t)digit * parts.parts;
            for (unsigned p = threadIdx.x; p < parts.parts; p += THREADS) {
                const unsigned count = strips.counts[p * row + (uint64_t)low * highs + upper];
                light[p] -= count;
                ours[p] = count;
            }
            __syncthreads();
            const unsigned long long all = mp_scan_row<THREADS>(parts, digit);
            if (threadIdx.x == 0 && parts.crowded && all > n / 8)
                atomicExch(parts.crowded, (unsigned)MP_CROWDED);
        }
    }
#pragma unroll 8
    for (unsigned s = first; s < end; s++) {
        const unsigned count = column[s * row];
        column[s * row] = before;
        before += count;
    }
    const unsigned long long of_low = mp_scan_row<THREADS>(parts, low);
    unsigned long long *begins = reinterpret_cast<unsigned long long *>(strips.low_begins);
    if (threadIdx.x == 0) {
        *const_cast<volatile unsigned long long *>(begins + low) = of_low;
        if (parts.crowded && of_low > n / 8) atomicExch(parts.crowded, (unsigned)MP_CROWDED);
    }
    if (!gb_is_last_block(parts.ticket)) return;
    mp_scan_bins<THREADS>(bins, strips.bins);
    mp_open_strips<THREADS>(parts, strips, second);
    for (unsigned h = threadIdx.x; second.crowded && h < highs; h += THREADS) {
        const unsigned next = (h + 1) * lows < strips.bins ? (h + 1) * lows : strips.bins;
        if (bins[next] - bins[h * lows] > n / 8) atomicExch(second.crowded, (unsigned)MP_CROWDED);
    }
    if (threadIdx.x == 0) *parts.ticket = 0;
}

#endif
