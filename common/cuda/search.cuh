/* Binary search in a list of begins, ascending. */
#ifndef GB_CUDA_SEARCH_CUH
#define GB_CUDA_SEARCH_CUH

#include "common/cuda/warp.cuh"

/* Of `count` stretches (at least 1) the last one that begins at `at` or before; begins[0] is not
 * looked at. begins: an array, or whatever has an operator[]. */
template <class Begins, class Place>
__host__ __device__ __forceinline__ unsigned gb_stretch_holding(Begins begins, unsigned count,
                                                                Place at)
{
    unsigned low = 0, high = count;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (begins[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The same by all lanes of a warp, 32 probes at a time: for lists in device memory, where it is the
 * steps that take time. */
template <class Begins, class Place>
__device__ __forceinline__ unsigned gb_warp_stretch_holding(Begins begins, unsigned count, Place at)
{
    unsigned low = 0, high = count;
    while (high - low > 1) {
        const unsigned step = (high - low + GB_WARP - 1) / GB_WARP;
        const unsigned probe = low + gb_lane() * step;
        const bool begun = gb_lane() == 0 || (probe < high && begins[probe] <= at);
        const unsigned lanes = __popc(__ballot_sync(GB_FULL_MASK, begun));
        low += (lanes - 1) * step;
        if (low + step < high) high = low + step;
    }
    return low;
}

#endif
