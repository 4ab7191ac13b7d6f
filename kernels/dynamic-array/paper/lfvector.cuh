/* LFVector on the GPU after the paper: an array of pointers to buckets, each twice the last, that
 * kernels take from the device's heap. What is not in the paper: counters that say what became of
 * every malloc, and a check before a place without memory is written, which would be a fault; a bit
 * a place says that its push was lost. */
#ifndef GB_DYNAMIC_ARRAY_LFVECTOR_CUH
#define GB_DYNAMIC_ARRAY_LFVECTOR_CUH

#include "common/cuda/warp.cuh"
#include "kernels/dynamic-array/dynamic_array.h"

/* What became of the mallocs. */
typedef struct lf_counts {
    unsigned long long taken, freed, failed, lost;
} lf_counts;

/* All of a vector, in device memory; a kernel has it by value. */
typedef struct lf_vector {
    unsigned *size;
    uint32_t **a;  /* DA_BUCKETS */
    int *isbucket; /* DA_BUCKETS: 1 once somebody makes it (busy waiting) */
    lf_counts *counts;
    uint32_t *holes; /* a bit a place */
} lf_vector;

static __device__ __forceinline__ unsigned lf_bucket(unsigned index)
{
    return 26u - (unsigned)__clz((int)(index + DA_FIRST_BUCKET));
}

static __device__ __forceinline__ unsigned lf_offset(unsigned index, unsigned bucket)
{
    return index + DA_FIRST_BUCKET - ((unsigned)DA_FIRST_BUCKET << bucket);
}

static __device__ __forceinline__ uint32_t *lf_malloc(const lf_vector &v, unsigned bucket)
{
    uint32_t *at = static_cast<uint32_t *>(
        gb_heap_malloc(sizeof(uint32_t) * ((size_t)DA_FIRST_BUCKET << bucket)));
    atomicAdd(at ? &v.counts->taken : &v.counts->failed, 1ull);
    return at;
}

/* A bucket's pointer by an ordinary load and store. The simt device's own are ordered, as its
 * memory is; they let threads that poll there be left for others. */
static __device__ __forceinline__ uint32_t *lf_get(uint32_t *const *at)
{
#if defined(__CUDACC__)
    return *at;
#else
    return reinterpret_cast<uint32_t *>((uintptr_t)atomicAdd(
        reinterpret_cast<unsigned long long *>(const_cast<uint32_t **>(at)), 0ull));
#endif
}
static __device__ __forceinline__ void lf_set(uint32_t **at, uint32_t *bucket)
{
#if defined(__CUDACC__)
    *at = bucket;
#else
    (void)atomicExch(reinterpret_cast<unsigned long long *>(at),
                     (unsigned long long)reinterpret_cast<uintptr_t>(bucket));
#endif
}

/* ---- the loads of a bucket's pointer --------------------------------------------------------- */

/* How a thread that waits looks again. The paper says that it cannot leave a loop before the bucket
 * is there; where the loop would stand in its code, the text breaks off. */

/* The loop reconstructed in the plainest way: while (a[b] == nullptr). Nothing in it tells the
 * compiler that the memory may change, and a loop without effects may be taken to end: nvcc 13
 * leaves it out, and the thread goes on with what it has. */
struct lf_plain {
    static __device__ __forceinline__ void wait(uint32_t *const *at)
    {
#if defined(__CUDACC__)
        while (*at == nullptr) {
        }
#else
        (void)at;
#endif
    }
};

/* Our reading, since the paper's loop does wait: a weak load each time, which may be answered by
 * the L1 of its multiprocessor; nothing that another multiprocessor stores changes that. The index
 * is 0, but the compiler does not know. */
struct lf_weak {
    static __device__ __forceinline__ void wait(uint32_t *const *at)
    {
#if defined(__CUDACC__)
        while (at[clock64() == 0] == nullptr) {
        }
#else
        while (lf_get(at) == nullptr) {
        }
#endif
    }
};

/* The cure: a volatile load, which goes to the L2. */
struct lf_strong {
    static __device__ __forceinline__ void wait(uint32_t *const *at)
    {
#if defined(__CUDACC__)
        while (*const_cast<uint32_t *const volatile *>(at) == nullptr) {
        }
#else
        while (lf_get(at) == nullptr) {
        }
#endif
    }
};

/* ---- push_back ------------------------------------------------------------------------------- */

/* Every thread that misses a bucket mallocs one and tries to install it. */
struct lf_cas {
    static __device__ void new_bucket(const lf_vector &v, unsigned b)
    {
        uint32_t *const aux = lf_malloc(v, b);
        const unsigned long long old =
            atomicCAS(reinterpret_cast<unsigned long long *>(v.a + b), 0ull,
                      (unsigned long long)reinterpret_cast<uintptr_t>(aux));
        if (old && aux) {
            gb_heap_free(aux);
            atomicAdd(&v.counts->freed, 1ull);
        }
    }
    static __device__ __forceinline__ void push_back(const lf_vector &v, uint32_t e)
    {
        const unsigned index = atomicAdd(v.size, 1u), b = lf_bucket(index);
        if (lf_get(v.a + b) == nullptr) new_bucket(v, b);
        uint32_t *const bucket = lf_get(v.a + b);
        if (bucket) {
            bucket[lf_offset(index, b)] = e;
        } else {
            atomicOr(&v.holes[index / 32], 1u << index % 32);
            atomicAdd(&v.counts->lost, 1ull);
        }
    }
};

/* One thread is elected to malloc, all others wait. Where malloc fails they wait for ever. */
template <class Load> struct lf_busy_wait {
    static __device__ void new_bucket(const lf_vector &v, unsigned b)
    {
        if (atomicCAS(v.isbucket + b, 0, 1) == 0) lf_set(v.a + b, lf_malloc(v, b));
    }
    static __device__ __forceinline__ void push_back(const lf_vector &v, uint32_t e)
    {
        const unsigned index = atomicAdd(v.size, 1u), b = lf_bucket(index);
        if (lf_get(v.a + b) == nullptr) new_bucket(v, b);
        Load::wait(v.a + b);
        lf_get(v.a + b)[lf_offset(index, b)] = e;
    }
};

/* Threads go through the input, as the paper's one block does. */
template <class Method>
static __global__ void __launch_bounds__(1024)
    lf_push(const uint32_t *__restrict__ in, uint64_t n, uint32_t limit, lf_vector v)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const uint32_t e = in[i];
        if (e < limit) Method::push_back(v, e);
    }
}

#endif
