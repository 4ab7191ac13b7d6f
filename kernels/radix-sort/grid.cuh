/* The launch shape of the simple kernels around a problem: grid-stride loops over any count. */
#ifndef GB_RADIX_SORT_GRID_CUH
#define GB_RADIX_SORT_GRID_CUH

#include "common/cuda/device.cuh"
#include "kernels/radix-sort/problem.h"

enum { RS_THREADS = 256, RS_BLOCKS_PER_SM = 8 };

static inline dim3 rs_grid(const gb_device *device, uint64_t items)
{
    uint64_t most = (uint64_t)(device->sms > 0 ? device->sms : 1) * RS_BLOCKS_PER_SM;
    uint64_t blocks = (items + RS_THREADS - 1) / RS_THREADS;
    if (blocks > most) blocks = most;
    return dim3((unsigned)(blocks ? blocks : 1));
}

/* A thread's first element and the distance to its next one, in 64 bits. */
static __device__ __forceinline__ uint64_t rs_first()
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ uint64_t rs_stride()
{
    return (uint64_t)gridDim.x * blockDim.x;
}

#endif
