/* How many keys ranks sample, and which. For C and CUDA. */
#ifndef GB_RADIX_SORT_MULTI_SAMPLES_H
#define GB_RADIX_SORT_MULTI_SAMPLES_H

#include "kernels/radix-sort-multi/radix_sort_multi.h"

/* Of each rank on average: so many that an even share of all keys is met to 1 / sqrt of it (0.6 %,
 * and 3 % for few keys), and so few that sorting all ranks' samples takes microseconds. */
enum { MS_LEAST_SAMPLES = 1 << 10, MS_MOST_SAMPLES = 1 << 15 };

/* Keys that all ranks sample together: at most all. */
static inline uint64_t ms_samples(const ms_shape *shape)
{
    uint64_t each = ms_even_share(shape) / 64;
    if (each < MS_LEAST_SAMPLES) each = MS_LEAST_SAMPLES;
    if (each > MS_MOST_SAMPLES) each = MS_MOST_SAMPLES;
    const uint64_t all = each * shape->size;
    return all < shape->sort.n ? all : shape->sort.n;
}

/* Where rank r's samples begin among those of all: each rank takes part by its share, so that a
 * sample stands for as many keys whosever it is. n is below 2^42, the samples below 2^21. */
static inline uint64_t ms_samples_begin(const ms_shape *shape, unsigned r)
{
    const uint64_t n = shape->sort.n;
    return n ? ms_begin(shape, r) * ms_samples(shape) / n : 0;
}
static inline uint64_t ms_samples_of(const ms_shape *shape, unsigned r)
{
    return ms_samples_begin(shape, r + 1) - ms_samples_begin(shape, r);
}

#endif
