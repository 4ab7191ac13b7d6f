/* Kernels that fail, or wait, for the tests of what the simt device makes of that. What it finds is
 * tested with tests/worker/primitives/planted. */
#ifndef GB_TESTS_SIMT_FAILURES_CUH
#define GB_TESTS_SIMT_FAILURES_CUH

#include "common/cuda/device.cuh"

__global__ void draw_tickets(unsigned *counter, unsigned *slots)
{
    slots[atomicAdd(counter, 1u)] = threadIdx.x;
}

/* A lost update by plain accesses that the compiler must not merge. */
__global__ void lost_update_volatile(volatile unsigned *counter)
{
    *counter = *counter + 1;
}

/* Right where lanes make progress independently (Volta and later), a live-lock before. */
__global__ void spin_lock(unsigned *lock, unsigned *counter)
{
    while (atomicCAS(lock, 0u, 1u) != 0u) {
    }
    const unsigned v = atomicAdd(counter, 0u);
    atomicExch(counter, v + 1);
    atomicExch(lock, 0u);
}

enum { half_shuffle_line = __LINE__ + 5, half_barrier_line = __LINE__ + 6 };
/* Half a warp shuffles with the whole warp's mask, the other half waits at the barrier. */
__global__ void half_shuffle(unsigned *out)
{
    unsigned v = threadIdx.x;
    if (v & 1) v = __shfl_sync(0xffffffffu, v, 0);
    __syncthreads();
    out[threadIdx.x] = v;
}

/* A barrier is missing between the write and the read. */
__global__ void missing_barrier(unsigned *out)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[255 - threadIdx.x];
}

/* One word past the dynamic shared memory that was asked for. */
__global__ void shared_overrun(unsigned *out)
{
    GB_DYNAMIC_SHARED();
    unsigned *s = reinterpret_cast<unsigned *>(gb_shared_memory);
    s[threadIdx.x + 1] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

/* One word past the end of device memory. */
__global__ void write_behind(unsigned *out)
{
    out[threadIdx.x + 1] = threadIdx.x;
}

__global__ void wild_write(unsigned *out, unsigned *wild)
{
    if (threadIdx.x == 3) *wild = 1;
    out[threadIdx.x] = 1;
}

__global__ void divide(unsigned *out, int by)
{
    out[threadIdx.x] = (unsigned)(1000 / by);
}

__device__ static unsigned descend(unsigned depth, volatile unsigned *sink)
{
    volatile unsigned frame[256];
    frame[depth % 256] = depth;
    if (depth == *sink) return frame[0];
    return descend(depth + 1, sink) + frame[depth % 256];
}

__global__ void overflow_stack(unsigned *out)
{
    out[threadIdx.x] = descend(1, out + threadIdx.x);
}

__global__ void trap(unsigned *out)
{
    if (threadIdx.x == 7) __trap();
    out[threadIdx.x] = 1;
}

/* Polls plain memory that nobody writes. */
__global__ void wait_for_ever(volatile unsigned *flag)
{
    while (!*flag) {
    }
}

/* The first thread polls what the last one of its block writes. */
__global__ void wait_for_last(volatile unsigned *flag)
{
    if (threadIdx.x == 0) {
        while (!*flag) {
        }
    } else if (threadIdx.x == blockDim.x - 1) {
        *flag = 1;
    }
}

/* The same with an atomic. */
__global__ void wait_for_last_atomic(unsigned *flag)
{
    if (threadIdx.x == 0) {
        while (!atomicAdd(flag, 0u)) {
        }
    } else if (threadIdx.x == blockDim.x - 1) {
        atomicExch(flag, 1u);
    }
}

#endif
