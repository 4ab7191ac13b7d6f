/* Variant by-segment: as many lanes a segment as its mean length asks for, from one to a warp ("CSR
 * vector": Bell, Garland 2009, "Implementing sparse matrix-vector multiplication on
 * throughput-oriented processors"), or a whole block. What a kernel by hand mostly does: right
 * where lengths are alike, slow where one is far above their mean. */
#include "segmented_reduction.h"

#include "common/cuda/warp.cuh"

#include <stdio.h>

enum { THREADS = 256, BLOCK_FROM = 1024 /* elements of a mean segment */ };

/* The sum over LANES neighbouring lanes, in each of them; all lanes of the warp call it. */
template <int LANES, class T> static __device__ __forceinline__ T sum_of_lanes(T value)
{
#pragma unroll
    for (int d = LANES / 2; d; d /= 2)
        value += __shfl_xor_sync(GB_FULL_MASK, value, d);
    return value;
}

template <class T>
static __device__ __forceinline__ T sum_of_every(const T *values, uint32_t begin, uint32_t end,
                                                 uint32_t step)
{
    T sum = 0;
#pragma unroll 8
    for (uint32_t i = begin; i < end; i += step)
        sum += values[i];
    return sum;
}

/* LANES lanes a segment. */
template <class T, int LANES>
static __global__ void __launch_bounds__(THREADS)
    sum_by_lanes(const T *values, const uint32_t *offsets, uint32_t segments, T *sums)
{
    const uint64_t thread = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
    const uint64_t s = thread / LANES;
    const uint32_t lane = (uint32_t)(thread % LANES);
    const bool mine = s < segments;
    const uint32_t begin = mine ? offsets[s] : 0, end = mine ? offsets[s + 1] : 0;
    const T sum = sum_of_lanes<LANES>(sum_of_every(values, begin + lane, end, LANES));
    if (mine && lane == 0) sums[s] = sum;
}

/* A block a segment. */
template <class T>
static __global__ void __launch_bounds__(THREADS)
    sum_by_block(const T *values, const uint32_t *offsets, T *sums)
{
    __shared__ T of_warp[THREADS / GB_WARP];
    const uint32_t s = blockIdx.x;
    T sum = gb_warp_sum(sum_of_every(values, offsets[s] + threadIdx.x, offsets[s + 1], THREADS));
    if (gb_lane() == 0) of_warp[threadIdx.x / GB_WARP] = sum;
    __syncthreads();
    if (threadIdx.x >= GB_WARP) return;
    sum = gb_warp_sum(gb_lane() < THREADS / GB_WARP ? of_warp[gb_lane()] : T(0));
    if (threadIdx.x == 0) sums[s] = sum;
}

/* Lanes for a mean length: the power of two at or above it, a warp's at most; or a block's. */
static unsigned lanes_for(const sr_shape *shape)
{
    const uint32_t mean = shape->segments ? shape->n / shape->segments : 0;
    if (mean >= BLOCK_FROM) return THREADS;
    unsigned lanes = 1;
    while (lanes < mean && lanes < GB_WARP)
        lanes *= 2;
    return lanes;
}

template <class T, int LANES> static cudaError_t by_lanes(const gb_problem *p, cudaStream_t stream)
{
    const uint64_t threads = (uint64_t)p->shape.segments * LANES;
    return launch(sum_by_lanes<T, LANES>, dim3((unsigned)((threads + THREADS - 1) / THREADS)),
                  dim3(THREADS), 0, stream, static_cast<const T *>(p->values), p->offsets,
                  p->shape.segments, static_cast<T *>(p->sums));
}

template <class T> static cudaError_t sum(const gb_problem *p, cudaStream_t stream)
{
    switch (lanes_for(&p->shape)) {
    case 1:
        return by_lanes<T, 1>(p, stream);
    case 2:
        return by_lanes<T, 2>(p, stream);
    case 4:
        return by_lanes<T, 4>(p, stream);
    case 8:
        return by_lanes<T, 8>(p, stream);
    case 16:
        return by_lanes<T, 16>(p, stream);
    case 32:
        return by_lanes<T, 32>(p, stream);
    default:
        return launch(sum_by_block<T>, dim3(p->shape.segments), dim3(THREADS), 0, stream,
                      static_cast<const T *>(p->values), p->offsets, static_cast<T *>(p->sums));
    }
}

static gb_status prepare(gb_job *job)
{
    const unsigned lanes = lanes_for(&job->problem->shape);
    if (lanes == THREADS)
        snprintf(job->instance_name, sizeof job->instance_name, "a block a segment");
    else
        snprintf(job->instance_name, sizeof job->instance_name, "%u lane%s a segment", lanes,
                 lanes == 1 ? "" : "s");
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    if (p->shape.segments == 0) return GB_OK;
    cudaError_t (*const of_type)(const gb_problem *, cudaStream_t) =
        p->shape.type == SR_U64   ? sum<uint64_t>
        : p->shape.type == SR_F32 ? sum<float>
                                  : sum<uint32_t>;
    GB_TRY(of_type(p, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

extern "C" const gb_variant sr_by_segment = {
    "by-segment",
    "lanes, a warp or a block a segment, by the mean length",
    "gpubench, after Bell and Garland 2009",
    0,
    NULL,
    prepare,
    NULL,
    run,
    NULL,
};
