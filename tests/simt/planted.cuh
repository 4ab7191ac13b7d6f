/* Kernels that are broken on purpose, each in a way that the simt device must find, and the same
 * done right where that is not obvious. */
#ifndef GB_TESTS_SIMT_PLANTED_CUH
#define GB_TESTS_SIMT_PLANTED_CUH

#include "common/cuda/device.cuh"

/* The counter is read and written back, not added to. */
__global__ void lost_update(unsigned *counter, unsigned *slots)
{
    const unsigned at = atomicAdd(counter, 0u);
    atomicExch(counter, at + 1);
    slots[at] = threadIdx.x;
}

__global__ void no_lost_update(unsigned *counter, unsigned *slots)
{
    slots[atomicAdd(counter, 1u)] = threadIdx.x;
}

/* The same with plain accesses that the compiler must not merge. */
__global__ void lost_update_volatile(volatile unsigned *counter)
{
    *counter = *counter + 1;
}

static const unsigned stack_end = 0xffffffffu;

/* Pops and pushes back a node of a stack; the head has no tag, so a pop may take a successor that
 * has changed meanwhile. two_owners counts nodes that two threads held at once. */
__global__ void aba_stack(unsigned *head, unsigned *next, unsigned *owners, unsigned *two_owners)
{
    for (int round = 0; round < 4; round++) {
        unsigned node, successor;
        do {
            node = atomicAdd(head, 0u);
            if (node == stack_end) break;
            successor = atomicAdd(&next[node], 0u);
        } while (atomicCAS(head, node, successor) != node);
        if (node == stack_end) continue;
        if (atomicAdd(&owners[node], 1u) != 0) atomicAdd(two_owners, 1u);
        atomicSub(&owners[node], 1u);
        unsigned old;
        do {
            old = atomicAdd(head, 0u);
            atomicExch(&next[node], old);
        } while (atomicCAS(head, old, node) != old);
    }
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

enum { left_barrier_line = __LINE__ + 5, right_barrier_line = __LINE__ + 8 };
/* The two branches have a barrier each. */
__global__ void divergent_barrier(unsigned *out)
{
    if (threadIdx.x < 32) {
        __syncthreads();
        out[threadIdx.x] = 1;
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}

/* A lane calls with a mask that does not name it. */
__global__ void foreign_mask(unsigned *out)
{
    out[threadIdx.x] = __ballot_sync(0x7fffffffu, 1);
}

/* A barrier is missing between the write and the read. */
__global__ void missing_barrier(unsigned *out)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[255 - threadIdx.x];
}

/* Shared memory is taken to be zero. */
__global__ void missing_clear(unsigned *out)
{
    __shared__ unsigned count;
    atomicAdd(&count, 1u);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

/* Lanes are taken to run in lock-step. */
__global__ void missing_syncwarp(const unsigned *in, unsigned *out)
{
    __shared__ volatile unsigned s[64];
    s[threadIdx.x] = in[threadIdx.x];
    s[threadIdx.x + 32] = 0;
    for (int d = 16; d; d >>= 1)
        s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + d];
    if (threadIdx.x == 0) *out = s[0];
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
