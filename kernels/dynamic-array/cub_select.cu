/* Variant cub-select: cub::DeviceSelect::If, what a user of the CUDA Toolkit would call. It keeps
 * the order; the array does not grow. */
#include "kernels/dynamic-array/static.cuh"

#if defined(__CUDACC__)
#include "kernels/dynamic-array/variants.cuh"

#include <cub/device/device_select.cuh>

static cudaError_t select(const gb_problem *p, da_static_state *a, cudaStream_t stream)
{
    return cub::DeviceSelect::If(a->scratch, a->scratch_bytes, p->in, a->out, a->size,
                                 (int64_t)p->shape.n, da_test_of(p), stream);
}

static gb_status prepare(gb_job *job)
{
    gb_status status = da_static_prepare(job);
    if (status != GB_OK) return status;
    da_static_state *a = static_cast<da_static_state *>(job->state);
    GB_TRY(select(job->problem, a, 0), &job->error);
    /* not 0 bytes: without memory CUB would be asked for the size again, not for the work */
    return gb_cuda_malloc(&a->scratch, a->scratch_bytes + 1, "CUB's scratch", &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    GB_TRY(select(job->problem, static_cast<da_static_state *>(job->state), gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    if (da_shape_of(params).blocks) return "CUB chooses its grid: use grid full";
    return da_starts_empty(params);
}
#else
static const char *unsupported(const gb_params *, const gb_device *)
{
    return "it is CUB's: the simt device has none";
}
static gb_status prepare(gb_job *)
{
    return GB_UNSUPPORTED;
}
static gb_status run(gb_job *, gb_stream)
{
    return GB_UNSUPPORTED;
}
#endif

extern "C" {
const gb_variant da_cub_select = {
    "cub-select", "cub::DeviceSelect::If", "CUB", GB_CUDA_ONLY | GB_STABLE, unsupported,
    prepare,      da_static_reset,         run,   da_static_cleanup,
};
}
