/* Baseline: cub::DeviceSegmentedReduce::Sum, a block a segment. Offsets of 32 bits as they are
 * given, signed and unsigned, or of 64, which are a copy of them that is made beforehand; where all
 * segments are equally long, and CUB is new enough, without offsets. */
#include "cub.cuh"

#if GB_HAS_CUB

#include "common/cuda/grid.cuh"

#include <cub/device/device_segmented_reduce.cuh>

static const char *const instances[] = {"offsets as uint32_t", "offsets as int32_t",
                                        "offsets as int64_t", "a fixed segment size"};
enum { UNSIGNED, SIGNED, WIDE, FIXED, INSTANCES };
enum { WIDE_OFFSETS };

/* Whether there is one length, which CUB from 3.1 on can be told. */
static bool has_fixed_size(const sr_shape *shape)
{
    return CUB_VERSION >= 300100 && shape->dist == SR_CONSTANT && shape->n &&
           shape->n % shape->segments == 0;
}

static const char *instance(const gb_params *params, unsigned i)
{
    const sr_shape shape = sr_shape_of(params);
    return i < (has_fixed_size(&shape) ? INSTANCES : FIXED) ? sr_cub_name(instances[i]) : NULL;
}

template <class T, class Offset>
static cudaError_t sum_by(sr_cub *c, const Offset *offsets, cudaStream_t stream)
{
    return cub::DeviceSegmentedReduce::Sum(
        c->memory, c->bytes, static_cast<const T *>(c->problem->values),
        static_cast<T *>(c->problem->sums), (int64_t)c->problem->shape.segments, offsets,
        offsets + 1, stream);
}

template <class T> static cudaError_t sum(sr_cub *c, cudaStream_t stream)
{
    const gb_problem *p = c->problem;
    switch (c->instance) {
    case SIGNED:
        return sum_by<T>(c, reinterpret_cast<const int32_t *>(p->offsets), stream);
    case WIDE:
        return sum_by<T>(c, static_cast<const int64_t *>(c->own[WIDE_OFFSETS]), stream);
#if CUB_VERSION >= 300100
    case FIXED:
        return cub::DeviceSegmentedReduce::Sum(
            c->memory, c->bytes, static_cast<const T *>(p->values), static_cast<T *>(p->sums),
            (int64_t)p->shape.segments, (int)(p->shape.n / p->shape.segments), stream);
#endif
    default:
        return sum_by<T>(c, static_cast<const uint32_t *>(p->offsets), stream);
    }
}

static __global__ void widen(const uint32_t *from, uint64_t count, int64_t *to)
{
    for (uint64_t i = gb_first(); i < count; i += gb_stride())
        to[i] = from[i];
}

static gb_status make_wide(gb_job *job, sr_cub *c)
{
    const uint64_t count = (uint64_t)c->problem->shape.segments + 1;
    gb_status status =
        gb_job_malloc(job, &c->own[WIDE_OFFSETS], count * sizeof(int64_t), "the 64-bit offsets");
    if (status != GB_OK) return status;
    GB_TRY(launch(widen, gb_grid(job->device, count), dim3(GB_GRID_THREADS), 0, 0,
                  c->problem->offsets, count, static_cast<int64_t *>(c->own[WIDE_OFFSETS])),
           &job->error);
    GB_TRY(cudaDeviceSynchronize(), &job->error);
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    sr_cub *c = sr_cub_new(job);
    if (!c) return GB_OUT_OF_MEMORY;
    const sr_type type = job->problem->shape.type;
    c->call = type == SR_U64 ? sum<uint64_t> : type == SR_F32 ? sum<float> : sum<uint32_t>;
    gb_status status = c->instance == WIDE ? make_wide(job, c) : GB_OK;
    return status == GB_OK ? sr_cub_allocate(job, c) : status;
}

#endif

#if defined(GB_CUB_LATEST)
#define VARIANT sr_cub_segmented_reduce_latest
#define NAME "cub-segmented-reduce-latest"
#else
#define VARIANT sr_cub_segmented_reduce
#define NAME "cub-segmented-reduce"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,          "cub::DeviceSegmentedReduce::Sum, the fastest of its instances",
    GB_CUB_ORIGIN, GB_CUDA_ONLY,
    unsupported,   prepare,
    NULL,          run,
    cleanup,       NULL,
    instance,
};
