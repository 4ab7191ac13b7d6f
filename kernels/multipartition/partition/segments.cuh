/* Between two passes, where all bins were not counted before: their sizes within the segments that
 * the first pass made. */
#ifndef GB_MULTIPARTITION_SEGMENTS_CUH
#define GB_MULTIPARTITION_SEGMENTS_CUH

#include "common/cuda/grid.cuh"
#include "kernels/multipartition/partition/parts.cuh"
#include "kernels/multipartition/partition/unordered.cuh"

/* counts[segment * digits + digit] gets what is there; 0 at the start. Blocks have a part of the
 * input each, segment by segment. failed: of the first pass, or NULL; has it found runs, it has
 * moved nothing. Dynamic shared memory: digits x copies words. */
template <class Key, class Digit>
__global__ void __launch_bounds__(MP_PARTS_THREADS)
    mp_count_segments(mp_elements<Key, 0> in, uint64_t n, Digit digit, unsigned copies,
                      const uint64_t *segments, unsigned segment_count, unsigned long long *counts,
                      const unsigned *failed, mp_runs<Key, 0, Digit> runs)
{
    gb_wait_for_previous();
    if (failed && gb_glance(failed) == MP_IN_RUNS) {
        mp_count_runs<MP_PARTS_THREADS>(runs.in, n, runs.whole, counts);
        return;
    }
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const uint64_t part = mp_part_keys(n, gridDim.x);
    uint64_t low = part * blockIdx.x;
    const uint64_t stop = low + part < n ? low + part : n;
    unsigned segment = low < stop ? gb_stretch_holding(segments, segment_count, low) : 0;
    for (; low < stop; segment++) {
        const uint64_t end = segments[segment + 1], high = end < stop ? end : stop;
        if (high <= low) continue;
        mp_prepare_segment(digit, segment);
        mp_clear_counters<MP_PARTS_THREADS>(counters, copies, digit.digits);
        mp_count_stretch<MP_PARTS_THREADS, MP_PARTS_ITEMS>(in, low, high, digit, counters, copies);
        __syncthreads();
        mp_add_counts<MP_PARTS_THREADS>(counters, copies, digit.digits,
                                        counts + (uint64_t)segment * digit.digits);
        __syncthreads();
        low = high;
    }
}

/* From where `all` exact regions begin to cursors and the caller's offsets. The last segment may
 * have more regions than there are bins left. */
static __global__ void mp_open_regions(mp_regions regions, uint64_t all, uint64_t bins,
                                       uint64_t *offsets)
{
    gb_wait_for_previous();
    for (uint64_t r = gb_first(); r <= all; r += gb_stride()) {
        const uint64_t begin = regions.begins[r];
        if (r < all) regions.next[mp_cursor_at(r)] = regions.ragged ? begin : mp_next_sector(begin);
        if (r <= bins) offsets[r] = begin;
    }
}

#endif
