/* Baseline for two bins: cub::DevicePartition::If, which writes what is selected from the front and
 * the rest from the back. So the second bin is in reverse order, which a partition that need not be
 * stable allows. */
#include "common/cuda/cub_sort.cuh"
#include "kernels/multipartition/boundaries.cuh"

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const mp_shape shape = mp_shape_of(params);
    const char *refusal = gb_cub_refuses(device, shape.n);
    if (refusal) return refusal;
    if (shape.bins != 2) return "CUB's partition has two bins";
    if (shape.function != MP_RANGE || shape.payload_bytes)
        return "written here for keys alone and their top bit (range)";
#if defined(__CUDACC__) && CUDART_VERSION < 12000
    if (shape.n > INT32_MAX) return "at most 2^31 - 1 keys in a worker that CUDA 11 built";
#endif
    return NULL;
}

#if GB_HAS_CUB
#include <cub/device/device_partition.cuh>

static const char *instance(const gb_params *params, unsigned i)
{
    gb_cub_way way;
    return gb_cub_way_of(mp_shape_of(params).n, false, i, &way) ? gb_cub_way_name(&way) : NULL;
}

template <class Key> struct in_first_bin {
    __host__ __device__ bool operator()(const Key &key) const
    {
        return key >> (8 * sizeof(Key) - 1) == 0;
    }
};

typedef struct split {
    gb_cub_way way;
    void *memory;
    size_t bytes;
    uint64_t *selected; /* how many are in the first bin */
} split;

template <class Key>
static cudaError_t split_keys(split *s, const gb_problem *p, cudaStream_t stream)
{
    const Key *in = reinterpret_cast<const Key *>(p->keys_in);
    Key *out = reinterpret_cast<Key *>(p->keys_out);
#if CUDART_VERSION >= 12000
    if (s->way.wide)
        return cub::DevicePartition::If(s->memory, s->bytes, in, out, s->selected,
                                        (int64_t)p->shape.n, in_first_bin<Key>(), stream);
#endif
    return cub::DevicePartition::If(s->memory, s->bytes, in, out, s->selected, (int)p->shape.n,
                                    in_first_bin<Key>(), stream);
}

static cudaError_t split_now(split *s, const gb_problem *p, cudaStream_t stream)
{
    return p->shape.key_bytes == 8 ? split_keys<uint64_t>(s, p, stream)
                                   : split_keys<uint32_t>(s, p, stream);
}

static gb_status prepare(gb_job *job)
{
    split *s = mp_new_state<split>(job);
    if (!s) return GB_OUT_OF_MEMORY;
    (void)gb_cub_way_of(job->problem->shape.n, false, job->instance, &s->way);
    GB_TRY(cudaMalloc((void **)&s->selected, sizeof *s->selected), &job->error);
    GB_TRY(split_now(s, job->problem, NULL), &job->error);
    GB_TRY(cudaMalloc(&s->memory, s->bytes + 1), &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    GB_TRY(split_now(static_cast<split *>(job->state), problem, stream), &job->error);
    return mp_with_function(problem, [&](auto function) {
        return problem->shape.key_bytes == 8
                   ? mp_write_boundaries<uint64_t>(problem, function, stream, &job->error)
                   : mp_write_boundaries<uint32_t>(problem, function, stream, &job->error);
    });
}

static void cleanup(gb_job *job)
{
    split *s = static_cast<split *>(job->state);
    if (!s) return;
    (void)cudaFree(s->memory);
    (void)cudaFree(s->selected);
    free(s);
    job->state = NULL;
}

#else

static gb_status run(gb_job *job, gb_stream)
{
    return gb_fail(&job->error, GB_UNSUPPORTED, GB_NEEDS_CUB);
}
static gb_status (*const prepare)(gb_job *) = NULL;
static void (*const cleanup)(gb_job *) = NULL;
static const char *(*const instance)(const gb_params *, unsigned) = NULL;

#endif

#if defined(GB_CUB_LATEST)
#define VARIANT mp_cub_partition_latest
#define NAME "cub-partition-latest"
#else
#define VARIANT mp_cub_partition
#define NAME "cub-partition"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,
    "cub::DevicePartition::If of two bins, the second in reverse order, the faster of its "
    "instances",
    GB_CUB_ORIGIN,
    GB_CUDA_ONLY,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
    NULL,
    instance,
};
