/* Binary search in a list of begins, ascending. */
#ifndef GB_CUDA_SEARCH_CUH
#define GB_CUDA_SEARCH_CUH

#include "common/cuda/device.cuh"

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

#endif
