/* Variant cub-select: cub::DeviceSelect::If, what a user of the CUDA Toolkit would call. It keeps
 * the order; the array does not grow. */
#include "common/cuda/cub_sort.cuh"
#include "kernels/dynamic-array/static/static.cuh"

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const da_shape shape = da_shape_of(params);
    const char *refusal = gb_cub_refuses(device, shape.n);
    if (refusal) return refusal;
    if (shape.blocks) return "CUB chooses its grid: use grid full";
    return da_starts_empty(params);
}

#if GB_HAS_CUB
#include "kernels/dynamic-array/variants.cuh"

#include <cub/device/device_select.cuh>

static const char *instance(const gb_params *params, unsigned i)
{
    gb_cub_way way;
    return gb_cub_way_of(da_shape_of(params).n, false, i, &way) ? gb_cub_way_name(&way) : NULL;
}

static cudaError_t select(const gb_job *job, cudaStream_t stream)
{
    const gb_problem *p = job->problem;
    da_static_state *a = static_cast<da_static_state *>(job->state);
    gb_cub_way way;
    (void)gb_cub_way_of(p->shape.n, false, job->instance, &way);
    if (way.wide)
        return cub::DeviceSelect::If(a->scratch, a->scratch_bytes, p->in, a->out, a->size,
                                     (int64_t)p->shape.n, da_test_of(p), stream);
    return cub::DeviceSelect::If(a->scratch, a->scratch_bytes, p->in, a->out, a->size,
                                 (int)p->shape.n, da_test_of(p), stream);
}

static gb_status prepare(gb_job *job)
{
    gb_status status = da_static_prepare(job);
    if (status != GB_OK) return status;
    da_static_state *a = static_cast<da_static_state *>(job->state);
    GB_TRY(select(job, 0), &job->error);
    /* not 0 bytes: without memory CUB would be asked for the size again, not for the work */
    return gb_cuda_malloc(&a->scratch, a->scratch_bytes + 1, "CUB's scratch", &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    GB_TRY(select(job, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

#else

static gb_status run(gb_job *job, gb_stream)
{
    return gb_fail(&job->error, GB_UNSUPPORTED, GB_NEEDS_CUB);
}
static gb_status (*const prepare)(gb_job *) = NULL;
static const char *(*const instance)(const gb_params *, unsigned) = NULL;

#endif

#if defined(GB_CUB_LATEST)
#define VARIANT da_cub_select_latest
#define NAME "cub-select-latest"
#else
#define VARIANT da_cub_select
#define NAME "cub-select"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,
    "cub::DeviceSelect::If, the faster of its instances",
    GB_CUB_ORIGIN,
    GB_CUDA_ONLY | GB_STABLE,
    unsupported,
    prepare,
    da_static_reset,
    run,
    da_static_cleanup,
    NULL,
    instance,
};
