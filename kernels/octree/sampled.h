/* Which items a sample is of. */
#ifndef GB_OCTREE_SAMPLED_H
#define GB_OCTREE_SAMPLED_H

#include "common/distributions.h"

/* Of n items, item j of a sample of so many, n at most: one anywhere in each of equal shares, so
 * that no period is met; ascending in j. */
GB_RANDOM_FN uint64_t oc_sampled(uint64_t n, uint32_t samples, uint32_t j)
{
    const uint64_t begin = (uint64_t)j * n / samples, end = (uint64_t)(j + 1) * n / samples;
    return begin + gb_scatter32(j) % (uint32_t)(end - begin);
}

#endif
