/* The launch shape of simple kernels: grid-stride loops over any count. */
#ifndef GB_CUDA_GRID_CUH
#define GB_CUDA_GRID_CUH

#include "common/cuda/device.cuh"

enum { GB_GRID_THREADS = 256, GB_GRID_BLOCKS_PER_SM = 8 };

/* As many blocks of GB_GRID_THREADS as the items need, at most what keeps the device busy. */
static inline dim3 gb_grid(const gb_device *device, uint64_t items)
{
    uint64_t most = (uint64_t)(device->sms > 0 ? device->sms : 1) * GB_GRID_BLOCKS_PER_SM;
    uint64_t blocks = (items + GB_GRID_THREADS - 1) / GB_GRID_THREADS;
    if (blocks > most) blocks = most;
    return dim3((unsigned)(blocks ? blocks : 1));
}

/* A thread's first element and the distance to its next one, in 64 bits. */
static __device__ __forceinline__ uint64_t gb_first()
{
    return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
}
static __device__ __forceinline__ uint64_t gb_stride()
{
    return (uint64_t)gridDim.x * blockDim.x;
}

#endif
