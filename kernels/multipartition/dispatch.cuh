/* From a point to compiled kernels: one instantiation for each bin function, with 32-bit positions
 * where n fits and 64-bit ones beyond. */
#ifndef GB_MULTIPARTITION_DISPATCH_CUH
#define GB_MULTIPARTITION_DISPATCH_CUH

#include "common/cuda/device.cuh"
#include "kernels/multipartition/bins.h"

#include <stdlib.h>

/* Calls go(function) with the compile-time bin function of the problem. */
template <class Go> static gb_status mp_with_function(const gb_problem *problem, Go &&go)
{
    switch (problem->shape.function) {
    case MP_RANGE:
        return go(mp_bin_of<MP_RANGE>{problem->bin});
    case MP_MODULO:
        return go(mp_bin_of<MP_MODULO>{problem->bin});
    case MP_HASH:
        return go(mp_bin_of<MP_HASH>{problem->bin});
    case MP_SPLITTERS:
        return go(mp_bin_of<MP_SPLITTERS>{problem->bin});
    case MP_MAX:
        return go(mp_bin_of<MP_MAX>{problem->bin});
    }
    return GB_CRASHED;
}

/* Calls go(function, position) where position is a zero of the type that holds an output index
 * (unsigned or unsigned long long, the types that atomicAdd takes). */
template <class Go> static gb_status mp_with_types(const gb_problem *problem, Go &&go)
{
    return mp_with_function(problem, [&](auto function) {
        return problem->shape.n <= UINT32_MAX ? go(function, 0u) : go(function, 0ull);
    });
}

/* n = 0: there is nothing to partition, but the offsets must be right. True if it was so. */
static inline bool mp_nothing_to_do(gb_problem *problem, cudaStream_t stream)
{
    if (problem->shape.n) return false;
    cudaMemsetAsync(problem->offsets, 0, 8 * ((size_t)problem->shape.bins + 1), stream);
    return true;
}

/* Makes a variant's state, all zero, as job->state. NULL and job->error without memory. */
template <class State> static State *mp_new_state(gb_job *job)
{
    job->state = calloc(1, sizeof(State));
    if (!job->state)
        (void)gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job's state");
    return static_cast<State *>(job->state);
}

static inline uint64_t mp_ceil_div(uint64_t a, uint64_t b)
{
    return (a + b - 1) / b;
}

#endif
