/* Where all blocks of a kernel wait for each other that launch_together has started (CUDA C++
 * Programming Guide, "Grid Synchronization"). On a GPU the driver keeps what the blocks meet by, so
 * that nothing has to be cleared before; on the simt device they meet in device memory. From Pascal
 * on. */
#ifndef GB_CUDA_GRID_BARRIER_CUH
#define GB_CUDA_GRID_BARRIER_CUH

#include "common/cuda/meeting.cuh"

#if defined(__CUDACC__)
#include <cooperative_groups.h>

#include <utility>
#endif

/* The barrier as one block sees it. All threads of all blocks make one, and call each function. */
class gb_grid_barrier
{
  public:
#if defined(__CUDACC__)
    static const bool COUNTS = false;
#else
    static const bool COUNTS = true; /* in *room, which is 0 before the kernel begins */
#endif

    /* room: unused on a GPU. */
    __device__ __forceinline__ explicit gb_grid_barrier(unsigned *room) : room_(room), token_(0) {}

    /* What the block has written to device memory until now is there for all threads of the grid
     * that have waited. Other barriers of the block may lie between. */
    __device__ __forceinline__ void arrive()
    {
#if !defined(__CUDACC__)
        token_ += gridDim.x;
        __syncthreads();
        if (threadIdx.x == 0) gb_arrive(room_);
#elif GB_ARCH >= 600 && CUDART_VERSION >= 13000
        token_ = cooperative_groups::this_grid().barrier_arrive();
#endif
    }
    __device__ __forceinline__ void wait()
    {
#if !defined(__CUDACC__)
        if (threadIdx.x == 0) gb_await(room_, token_);
        __syncthreads();
#elif GB_ARCH >= 600 && CUDART_VERSION >= 13000
        cooperative_groups::this_grid().barrier_wait(std::move(token_));
#elif GB_ARCH >= 600
        cooperative_groups::this_grid().sync();
#endif
    }

  private:
    unsigned *room_;
    unsigned token_; /* what arrive has left for wait */
};

#endif
