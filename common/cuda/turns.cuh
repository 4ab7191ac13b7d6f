/* A block's warps take turns, from the first to the last: what a warp does between gb_turn_begin
 * and gb_turn_end is seen, in shared memory, by those whose turn comes later. All threads of the
 * block call both, and pass a barrier of the block before they begin again.
 *
 * A warp does not wait for those after it where there are hardware barriers enough: 16 a block, of
 * which one is the block's own. */
#ifndef GB_CUDA_TURNS_CUH
#define GB_CUDA_TURNS_CUH

#include "common/cuda/warp.cuh"

template <int WARPS>
constexpr bool gb_turns_by_hardware =
#if defined(__CUDACC__)
    WARPS <= 16;
#else
    false;
#endif

/* All warps meet so often, at one place. */
__device__ __forceinline__ void gb_turns_meet(unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        __syncthreads();
}

template <int WARPS> __device__ __forceinline__ void gb_turn_begin()
{
    const unsigned warp = threadIdx.x / GB_WARP;
    if constexpr (gb_turns_by_hardware<WARPS>) {
#if defined(__CUDACC__)
        if (warp > 0) asm volatile("bar.sync %0, 64;" : : "r"(warp) : "memory");
#endif
    } else {
        gb_turns_meet(warp);
    }
}

template <int WARPS> __device__ __forceinline__ void gb_turn_end()
{
    const unsigned next = threadIdx.x / GB_WARP + 1;
    if constexpr (gb_turns_by_hardware<WARPS>) {
#if defined(__CUDACC__)
        __syncwarp();
        if (next < WARPS) asm volatile("bar.arrive %0, 64;" : : "r"(next) : "memory");
#endif
    } else {
        gb_turns_meet(WARPS + 1 - next);
    }
}

#endif
