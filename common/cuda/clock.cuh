/* The device's clocks as a kernel reads them: nanoseconds that go on at one speed, and cycles.
 *
 * How often %globaltimer moves on is the device's own affair (PTX ISA, "Special Registers:
 * %globaltimer": target-specific), from tens of nanoseconds to a microsecond: who needs a finer
 * time counts cycles (clock64()) in between. On simt both are the host's CLOCK_MONOTONIC. */
#ifndef GB_CUDA_CLOCK_CUH
#define GB_CUDA_CLOCK_CUH

#include "common/cuda/device.cuh"

static __device__ __forceinline__ uint64_t gb_device_ns()
{
#if defined(__CUDACC__)
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
#else
    return (uint64_t)clock64();
#endif
}

#endif
