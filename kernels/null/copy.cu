/* Variants that copy: what the bandwidth that rows are held against was measured with. `copy` is
 * the kernel of common/cuda/sweep.cu, `memcpy` the runtime's own; the ceiling is the better one. */
#include "common/cuda/sweep.cuh"
#include "kernels/null/null.h"

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return params->value[NULL_BYTES].size ? NULL : "there is nothing to copy: give bytes";
}

static gb_status run_copy(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    GB_TRY(gb_launch_copy_bytes(p->source, p->target, p->bytes, gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static gb_status run_memcpy(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    GB_TRY(cudaMemcpyAsync(p->target, p->source, p->bytes, cudaMemcpyDeviceToDevice,
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

extern "C" {
bool null_copies(const gb_variant *variant)
{
    return variant->unsupported == unsupported;
}

const gb_variant null_copy = {
    "copy", "the copy kernel of the ceilings", "gpubench", 0, unsupported, NULL, NULL, run_copy,
    NULL,
};
const gb_variant null_memcpy = {
    "memcpy",       "cudaMemcpyAsync on the device",
    "CUDA runtime", 0,
    unsupported,    NULL,
    NULL,           run_memcpy,
    NULL,
};
}
