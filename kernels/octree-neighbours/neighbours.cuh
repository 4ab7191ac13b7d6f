/* What the CUDA files of this folder share: a point's data, what a job leaves, and how a query
 * meets bodies. */
#ifndef GB_OCTREE_NEIGHBOURS_NEIGHBOURS_CUH
#define GB_OCTREE_NEIGHBOURS_NEIGHBOURS_CUH

#include "common/cuda/grid.cuh"
#include "kernels/octree-neighbours/octree_neighbours.h"

#include <math.h>

/* A point's data. */
typedef struct nn_problem {
    nn_shape shape;
    gb_problem *tree; /* the bodies and their cube, as kernels/octree has them */
    float radius;     /* in which half of the bodies have k neighbours; 0: all lie at one place */
} nn_problem;

static inline nn_problem *nn_problem_of(const gb_job *job)
{
    return reinterpret_cast<nn_problem *>(job->problem);
}

/* The bodies within the radius: how many, and the sum of their numbers' hashes. */
typedef struct nn_met {
    unsigned count, hash;
} nn_met;

/* What is found of every body; device memory. The one that is not asked for is NULL. */
typedef struct nn_found {
    uint32_t
        *nearest;   /* n * k: numbers of bodies, the nearest first; OC_EMPTY: there are no more */
    nn_met *within; /* n */
} nn_found;

/* How a variant queues its stages. build: NULL, it has none. */
typedef struct nn_stages {
    gb_status (*build)(const gb_job *job, cudaStream_t stream, gb_error *error);
    gb_status (*queries)(const gb_job *job, cudaStream_t stream, gb_error *error);
} nn_stages;

/* What the state of every job begins with. */
typedef struct nn_state {
    const nn_stages *stages;
    nn_found found;
    /* The tree that is searched, of a run that has ended. NULL: there is none. */
    gb_status (*view)(gb_job *job, oc_view *view);
    /* Fills what a build writes with garbage. NULL: there is none. */
    gb_status (*poison)(gb_job *job, gb_stream stream);
} nn_state;

/* problem.cu: memory for what is found, for prepare and cleanup. */
gb_status nn_found_open(gb_job *job, nn_state *state);
void nn_found_close(nn_state *state);
/* Queues what the job's stage is: run of every variant; and what comes before, which is then waited
 * for, for prepare. */
gb_status nn_queue(gb_job *job, gb_stream stream);
gb_status nn_queue_before(gb_job *job);
/* Asks the queries over what the last run has built, into what was garbage; waits. */
gb_status nn_ask_once(gb_job *job);

/* ---- queries --------------------------------------------------------------------------------- */

/* A body as queries meet it: w: its number's bits. */
static __device__ __forceinline__ float4 nn_numbered(float4 body, uint32_t number)
{
    return make_float4(body.x, body.y, body.z, __uint_as_float(number));
}

/* The square of a distance, rounded alike everywhere: nothing is fused. */
static __device__ __forceinline__ float nn_distance2(float4 a, float4 b)
{
    const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
#if defined(__CUDA_ARCH__)
    return __fadd_rn(__fadd_rn(__fmul_rn(dx, dx), __fmul_rn(dy, dy)), __fmul_rn(dz, dz));
#else
    return dx * dx + dy * dy + dz * dz;
#endif
}

static __device__ __forceinline__ unsigned nn_hash(uint32_t number)
{
    return (unsigned)gb_mix64(number + 1ull);
}

/* A query for all within a radius. */
typedef struct nn_within {
    enum { SHARED = 0 };
    float r2;
    nn_met met;

    __device__ __forceinline__ void begin(float radius, unsigned, unsigned char *, const nn_found &,
                                          uint32_t)
    {
        r2 = radius * radius;
        met.count = met.hash = 0;
    }
    /* Bodies further away are of no interest. */
    __device__ __forceinline__ float bound() const { return r2; }
    __device__ __forceinline__ void meet(float d2, uint32_t number)
    {
        if (d2 > r2) return;
        met.count++;
        met.hash += nn_hash(number);
    }
    __device__ __forceinline__ void end(uint32_t number, const nn_found &found) const
    {
        found.within[number] = met;
    }
} nn_within;

/* A query for the k nearest, which lie in the block's shared memory, the nearest first: a thread's
 * are blockDim.x apart. */
typedef struct nn_nearest {
    enum { SHARED = 8 }; /* bytes for each of k, a thread */
    unsigned k;
    float *d2;
    uint32_t *number;

    __device__ __forceinline__ void begin(float, unsigned most, unsigned char *shared,
                                          const nn_found &, uint32_t)
    {
        k = most;
        d2 = reinterpret_cast<float *>(shared) + threadIdx.x;
        number = reinterpret_cast<uint32_t *>(shared) + k * blockDim.x + threadIdx.x;
        for (unsigned j = 0; j < k; j++) {
            d2[j * blockDim.x] = INFINITY;
            number[j * blockDim.x] = OC_EMPTY;
        }
    }
    __device__ __forceinline__ float bound() const { return d2[(k - 1) * blockDim.x]; }
    __device__ __forceinline__ void meet(float d, uint32_t body)
    {
        if (!(d < bound())) return;
        unsigned j = k - 1;
        for (; j > 0 && d2[(j - 1) * blockDim.x] > d; j--) {
            d2[j * blockDim.x] = d2[(j - 1) * blockDim.x];
            number[j * blockDim.x] = number[(j - 1) * blockDim.x];
        }
        d2[j * blockDim.x] = d;
        number[j * blockDim.x] = body;
    }
    __device__ __forceinline__ void end(uint32_t body, const nn_found &found) const
    {
        for (unsigned j = 0; j < k; j++)
            found.nearest[(uint64_t)body * k + j] = number[j * blockDim.x];
    }
} nn_nearest;

#endif
