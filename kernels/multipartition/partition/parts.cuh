/* The input in parts, which the blocks of a stable pass take one by one: how many elements of each
 * digit a part has, and so where they go. Parts are alike, and counted: bytes are the keys once,
 * and tables of digits x parts. Or they are pieces of what a former pass has grouped, for which
 * that has been counted before (ahead.cuh). */
#ifndef GB_MULTIPARTITION_PARTS_CUH
#define GB_MULTIPARTITION_PARTS_CUH

#include "common/cuda/search.cuh"
#include "kernels/multipartition/counts.cuh"
#include "kernels/multipartition/partition/types.cuh"

enum { MP_PARTS_THREADS = 512, MP_PARTS_ITEMS = 16, MP_PARTS_SCAN_THREADS = 256 };

/* A bin that has so much that the first of two passes takes it to its place: the first pass's digit
 * above the bin. Or there is none. */
typedef unsigned mp_heavy;
enum { MP_HEAVY_BITS = 20, MP_LIGHT = (1 << MP_HEAVY_BITS) - 1 };

/* Device memory. What is known of two passes once both digits have been counted. A stretch is
 * `each` parts of the first pass, and what that leaves of one with one lower digit is a strip. A
 * piece is as many strips of a lower digit as one block of the second pass takes. */
typedef struct mp_strips {
    unsigned stretches, each, lows, highs, bins;
    unsigned *
        counts; /* stretches x lows x highs: of a stretch by both digits; then of those before it */
    uint64_t *low_begins;    /* where the lower digits begin between the passes, lows + 1 */
    const uint64_t *before;  /* the lower digit's elements in the first pass's parts before */
    unsigned parts;          /* of the first pass */
    uint64_t *bin_begins;    /* bins + 1 */
    unsigned *pieces_before; /* in lower digits before, lows + 1 */
    mp_heavy *heavy;         /* of each lower digit; or NULL */
    unsigned *heavies;       /* how many were found */
} mp_strips;

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
    unsigned lows;           /* digits that are not heavy bins */
    const unsigned *heavies; /* how many digits more there are; or NULL */
    mp_strips strips;        /* if they are pieces: then there are no tables but these */
} mp_parts;

/* Elements [begin, end) of the input, and if they are a piece, strips [first, last) of a digit. */
typedef struct mp_part {
    uint64_t begin, end;
    unsigned low, first, last;
} mp_part;

/* Where the strips of a lower digit begin, from its first one on. */
typedef struct mp_strip_begins {
    const uint64_t *before;
    unsigned each;
    __device__ __forceinline__ uint64_t operator[](unsigned stretch) const
    {
        return before[(uint64_t)stretch * each];
    }
} mp_strip_begins;

/* The first strip of the i-th of so many pieces. By whole warps. */
static __device__ __forceinline__ unsigned
mp_first_strip(const mp_strips &strips, unsigned low, uint64_t size, unsigned i, unsigned pieces)
{
    if (i == 0) return 0;
    if (i == pieces) return strips.stretches;
    const mp_strip_begins begins = {strips.before + (uint64_t)low * strips.parts, strips.each};
    return gb_warp_stretch_holding(begins, strips.stretches, size * i / pieces - 1) + 1;
}

/* By whole warps. Of a piece that does not exist: nothing. PIECES: parts are pieces, which cost a
 * kernel registers. */
template <bool PIECES = false>
__device__ __forceinline__ mp_part mp_find_part(const mp_parts &parts, uint64_t n, unsigned part)
{
    mp_part found = {};
    const mp_strips &strips = parts.strips;
    if (!PIECES) {
        found.begin = part * parts.part_keys < n ? part * parts.part_keys : n;
        found.end = found.begin + parts.part_keys < n ? found.begin + parts.part_keys : n;
        return found;
    }
    if (part >= strips.pieces_before[strips.lows]) return found;
    const unsigned low = gb_warp_stretch_holding(strips.pieces_before, strips.lows, part);
    const unsigned before = strips.pieces_before[low];
    const unsigned pieces = strips.pieces_before[low + 1] - before;
    const uint64_t begin = strips.low_begins[low], size = strips.low_begins[low + 1] - begin;
    const uint64_t *row = strips.before + (uint64_t)low * strips.parts;
    found.low = low;
    found.first = mp_first_strip(strips, low, size, part - before, pieces);
    found.last = mp_first_strip(strips, low, size, part - before + 1, pieces);
    const bool ends = found.last == strips.stretches; /* maybe both */
    found.begin =
        begin + (found.first == strips.stretches ? size : row[(uint64_t)found.first * strips.each]);
    found.end = begin + (ends ? size : row[(uint64_t)found.last * strips.each]);
    return found;
}

/* A digit's elements in a part: how many, and where they go. */
typedef struct mp_share {
    uint64_t begin, count;
} mp_share;

template <bool PIECES>
__device__ __forceinline__ mp_share mp_share_of(const mp_parts &parts, unsigned part,
                                                const mp_part &found, unsigned digit)
{
    const mp_strips &strips = parts.strips;
    if (!PIECES) {
        if (parts.heavies && digit >= parts.lows + *parts.heavies) return mp_share{0, 0};
        const uint64_t at = (uint64_t)digit * parts.parts + part;
        return mp_share{parts.digit_begins[digit] + parts.before[at], parts.counts[at]};
    }
    const unsigned bin = digit * strips.lows + found.low;
    if (bin >= strips.bins || found.first >= found.last) return mp_share{0, 0};
    if (strips.heavy && (strips.heavy[found.low] & MP_LIGHT) == bin) return mp_share{0, 0};
    const uint64_t row = (uint64_t)strips.lows * strips.highs;
    const unsigned *column = strips.counts + (uint64_t)found.low * strips.highs + digit;
    const uint64_t begin = strips.bin_begins[bin];
    const uint64_t first = begin + column[row * found.first];
    const uint64_t end = found.last < strips.stretches ? begin + column[row * found.last]
                                                       : strips.bin_begins[bin + 1];
    return mp_share{first, end - first};
}

/* Counts the block's part. Dynamic shared memory: digits x copies words, here and in other kernels
 * that count with the copy of the digit's table behind, if it has one (mp_copied). */
template <class Key, class Digit>
__global__ void __launch_bounds__(MP_PARTS_THREADS)
    mp_count_parts(mp_elements<Key, 0> in, uint64_t n, Digit digit, unsigned copies, mp_parts parts)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const mp_part part = mp_find_part(parts, n, blockIdx.x);
    mp_prepare(digit);
    mp_clear_counters<MP_PARTS_THREADS>(counters, copies, digit.digits);
    mp_count_stretch<MP_PARTS_THREADS, MP_PARTS_ITEMS>(in, part.begin, part.end, digit, counters,
                                                       copies);
    __syncthreads();
    for (unsigned d = threadIdx.x; d < digit.digits; d += MP_PARTS_THREADS)
        parts.counts[(uint64_t)d * parts.parts + blockIdx.x] = mp_sum_copies(counters, copies, d);
}

/* What parts have of a digit becomes what those before have; returns the sum. By one block. */
template <int THREADS>
__device__ __forceinline__ unsigned long long mp_scan_row(const mp_parts &parts, unsigned digit)
{
    __shared__ unsigned long long sums[GB_WARP + 1];
    const uint64_t row = (uint64_t)digit * parts.parts;
    unsigned long long before = 0, all;
    for (unsigned p = 0; p < parts.parts; p += THREADS) {
        const unsigned mine = p + threadIdx.x;
        const unsigned long long count = mine < parts.parts ? parts.counts[row + mine] : 0;
        const unsigned long long sum = gb_block_exclusive_sum<THREADS>(count, sums, &all);
        if (mine < parts.parts) parts.before[row + mine] = before + sum;
        before += all;
    }
    return before;
}

/* One block a digit: sums over the parts; the last block to end sums over the digits. */
template <int THREADS>
__global__ void __launch_bounds__(THREADS) mp_scan_parts(mp_parts parts, unsigned digits)
{
    gb_wait_for_previous();
    if (parts.only_if && !gb_glance(parts.only_if)) return;
    const unsigned long long before = mp_scan_row<THREADS>(parts, blockIdx.x);
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
