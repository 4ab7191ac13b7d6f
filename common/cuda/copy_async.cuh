/* Copies from device memory to shared memory that go on beside a block's other work, where the
 * generation can (Ampere and later); elsewhere they are done when the call returns. */
#ifndef GB_CUDA_COPY_ASYNC_CUH
#define GB_CUDA_COPY_ASYNC_CUH

#include "common/cuda/device.cuh"

/* Starts copying 16 bytes, past the L1, to and from addresses that are multiples of 16. The thread
 * waits for them (gb_copy_async_wait), a barrier then shows them to its block. */
__device__ __forceinline__ void gb_copy_async_16(void *to, const void *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
#else
    *static_cast<uint4 *>(to) = *static_cast<const uint4 *>(from);
#endif
}

/* Starts copying `count` words; from and to are aligned to 16 bytes. All THREADS threads of a block
 * call it; each waits for its own part (gb_copy_async_wait), a barrier then shows it to all. */
template <int THREADS>
__device__ __forceinline__ void gb_copy_async(uint32_t *to, const uint32_t *from, unsigned count)
{
    const unsigned whole = count / 4;
    for (unsigned i = threadIdx.x; i < whole; i += THREADS)
        gb_copy_async_16(to + 4 * i, from + 4 * i);
    if (threadIdx.x < count % 4) to[4 * whole + threadIdx.x] = from[4 * whole + threadIdx.x];
}

/* The same for one word, by one thread. */
__device__ __forceinline__ void gb_copy_async_word(uint32_t *to, const uint32_t *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
#else
    *to = *from;
#endif
}

__device__ __forceinline__ void gb_copy_async_wait()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* Copies that a thread has started since its last commit form a group; it may wait until no more
 * than N of its latest groups are on their way. A barrier then shows to all what has arrived. */
__device__ __forceinline__ void gb_copy_async_commit()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int N> __device__ __forceinline__ void gb_copy_async_wait_but()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}

#endif
