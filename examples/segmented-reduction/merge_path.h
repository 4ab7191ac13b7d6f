/* The merge path of segmented reduction (Merrill, Garland 2016, "Merge-based parallel sparse
 * matrix-vector multiplication", section III).
 *
 * The ends of the segments and the numbers of the elements, 0 to n - 1, are two sorted lists.
 * Merged, they are a path of n + segments steps, each of which either adds an element to the open
 * segment or ends it, so that equal stretches of the path are equal work, whatever the lengths. */
#ifndef SR_MERGE_PATH_H
#define SR_MERGE_PATH_H

#include <stdint.h>

#if defined(__CUDACC__)
#define SR_BOTH static __host__ __device__ __forceinline__
#else
#define SR_BOTH static inline
#endif

/* How many segments have ended in the first `step` steps of the path over n elements, of which
 * `before` lie before the first, and these ends (ascending, from before to before + n); step - that
 * many elements have been added. Segment s ends in step ends[s] - before + s. */
SR_BOTH uint32_t sr_path_segment(const uint32_t *ends, uint32_t segments, uint32_t before,
                                 uint32_t n, uint32_t step)
{
    uint32_t low = step > n ? step - n : 0, high = step < segments ? step : segments;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ends[middle] - before + middle < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
