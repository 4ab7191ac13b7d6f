/* Between two passes: the sizes of all bins within the segments that the first one made, and the
 * bins' borders where they are only needed afterwards. */
#ifndef GB_MULTIPARTITION_SEGMENTS_CUH
#define GB_MULTIPARTITION_SEGMENTS_CUH

#include "kernels/multipartition/parts.cuh"
#include "kernels/multipartition/unordered.cuh"

/* counts[segment * digits + digit] gets what is there; 0 at the start. Blocks have a part of the
 * input each, segment by segment. Dynamic shared memory: digits x copies words. */
template <class Key>
__global__ void __launch_bounds__(MP_PARTS_THREADS)
    mp_count_segments(mp_elements<Key, 0> in, uint64_t n, mp_digit digit, unsigned copies,
                      const uint64_t *segments, unsigned segment_count, unsigned long long *counts)
{
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const uint64_t part = ((n + gridDim.x - 1) / gridDim.x + 127) & ~(uint64_t)127;
    uint64_t low = part * blockIdx.x;
    const uint64_t stop = low + part < n ? low + part : n;
    unsigned segment = low < stop ? mp_segment_holding(segments, segment_count, low) : 0;
    for (; low < stop; segment++) {
        const uint64_t end = segments[segment + 1], high = end < stop ? end : stop;
        if (high <= low) continue;
        for (unsigned i = threadIdx.x; i < digit.digits * copies; i += MP_PARTS_THREADS)
            counters[i] = 0;
        __syncthreads();
        for (uint64_t at = low & ~(uint64_t)3; at < high; at += MP_PARTS_THREADS * MP_PARTS_ITEMS) {
            Key key[MP_PARTS_ITEMS];
            typename mp_elements<Key, 0>::payload_type payload[MP_PARTS_ITEMS];
            unsigned digits[MP_PARTS_ITEMS];
            const unsigned valid = mp_load_fours<MP_PARTS_THREADS>(in, at, low, high, key, payload);
            mp_digits_of(digit, key, digits);
            mp_count_digits(counters, copies, digits, valid);
        }
        __syncthreads();
        for (unsigned d = threadIdx.x; d < digit.digits; d += MP_PARTS_THREADS) {
            const unsigned count = mp_sum_copies(counters, copies, d);
            if (count)
                atomicAdd(&counts[(uint64_t)segment * digit.digits + d], (unsigned long long)count);
        }
        __syncthreads();
        low = high;
    }
}

/* From where `all` exact regions begin to cursors and the caller's offsets. The last segment may
 * have more regions than there are bins left. */
static __global__ void mp_open_regions(mp_regions regions, uint64_t all, uint64_t bins,
                                       uint64_t *offsets)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t r = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; r <= all; r += step) {
        const uint64_t begin = regions.begins[r];
        if (r < all)
            regions.next[mp_cursor_at(r)] = (begin + MP_SECTOR - 1) & ~(uint64_t)(MP_SECTOR - 1);
        if (r <= bins) offsets[r] = begin;
    }
}

/* Where each bin begins in an array that is grouped already; a warp a bin. */
template <class Key>
__global__ void __launch_bounds__(MP_BOUNDARY_THREADS)
    mp_find_digit_bounds(const Key *keys, uint64_t n, mp_digit digit, uint64_t *offsets)
{
    const unsigned lane = gb_lane();
    const uint64_t bin = ((uint64_t)blockIdx.x * MP_BOUNDARY_THREADS + threadIdx.x) / GB_WARP;
    if (bin > digit.bin.bins) return;
    uint64_t low = bin == digit.bin.bins ? n : 0, high = n; /* the answer lies in [low, high] */
    while (low < high) {
        const uint64_t step = (high - low + GB_WARP - 1) / GB_WARP;
        const uint64_t probe = low + lane * step + step - 1;
        bool reached = probe >= high;
        if (!reached) {
            const Key key[1] = {keys[probe]};
            unsigned found[1];
            mp_digits_of(digit, key, found);
            reached = found[0] >= bin;
        }
        const unsigned lanes = __ballot_sync(GB_FULL_MASK, reached);
        if (!lanes) {
            low = high;
            break;
        }
        const uint64_t at = low + (__ffs(lanes) - 1) * step;
        low = at < high ? at : high;
        if (at + step - 1 < high) high = at + step - 1;
    }
    if (lane == 0) offsets[bin] = low;
}

#endif
