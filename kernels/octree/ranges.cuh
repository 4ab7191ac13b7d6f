/* Leaves that are ranges of the bodies in curve order (oc_view: order, first). */
#ifndef GB_OCTREE_RANGES_CUH
#define GB_OCTREE_RANGES_CUH

#include "common/cuda/device.cuh"

#include <stdint.h>

/* The place behind the last one of the leaf that begins at `place` < n. */
static __device__ __forceinline__ uint32_t oc_range_end(const uint32_t *first, uint32_t n,
                                                        uint32_t place)
{
    uint32_t word = (place + 1) / 32, bits = 0;
    if (place + 1 < n) bits = first[word] & 0xFFFFFFFFu << (place + 1) % 32;
    while (!bits && (uint64_t)(word + 1) * 32 < n)
        bits = first[++word];
    const uint32_t end = word * 32 + (bits ? (uint32_t)__ffs((int)bits) - 1 : 32);
    return end < n ? end : n;
}

#endif
