/* Counters in device memory by which blocks that are on the device together wait for each other. A
 * block's barrier before the one and behind the other makes them the block's. */
#ifndef GB_CUDA_MEETING_CUH
#define GB_CUDA_MEETING_CUH

#include "common/cuda/warp.cuh"

/* Adds one. What this thread has written, or has seen written before a barrier of its block, is
 * seen by those who then await that number. */
__device__ __forceinline__ void gb_arrive(unsigned *counter)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
#else
    __threadfence();
    atomicAdd(counter, 1u);
#endif
}

/* Returns when so many have arrived, or more. */
__device__ __forceinline__ void gb_await(const unsigned *counter, unsigned least)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    unsigned arrived;
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(arrived)
                     : "l"(counter)
                     : "memory");
    while (arrived < least);
#else
    while (gb_glance(counter) < least)
        gb_ask_again();
    __threadfence();
#endif
}

#endif
