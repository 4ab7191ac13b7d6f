/* What the variants that run on a GPU share: which elements are pushed, and the grid of those that
 * take an element or a few a thread. */
#ifndef GB_DYNAMIC_ARRAY_VARIANTS_CUH
#define GB_DYNAMIC_ARRAY_VARIANTS_CUH

#include "common/cuda/grid.cuh"
#include "kernels/dynamic-array/dynamic_array.h"

/* What is pushed. */
struct da_below {
    uint32_t limit;
    __host__ __device__ __forceinline__ bool operator()(uint32_t e) const { return e < limit; }
};

static inline da_below da_test_of(const gb_problem *problem)
{
    return da_below{(uint32_t)problem->shape.kept};
}

/* blocks:K are K blocks of 1024; full is what keeps the device busy. */
static inline dim3 da_grid_of(const gb_job *job, dim3 *block)
{
    const da_shape *shape = &job->problem->shape;
    *block = dim3(shape->blocks ? 1024u : (unsigned)GB_GRID_THREADS);
    return shape->blocks ? dim3(shape->blocks) : gb_grid(job->device, shape->n);
}

#endif
