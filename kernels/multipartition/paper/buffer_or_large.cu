/* Multipartition as the paper puts it together: buffer-per-warp where the buffers fit in shared
 * memory, large beyond. */
#include "kernels/multipartition/paper/buffer_per_warp.cuh"

#include <stdio.h>

static bool buffers_fit(const gb_job *job)
{
    const mp_shape *shape = &job->problem->shape;
    return shape->bins <= mp_bpw_max_bins(job->device->shared_per_block, shape->payload_bytes);
}

static gb_status prepare(gb_job *job)
{
    const gb_variant *chosen = buffers_fit(job) ? &mp_buffer_per_warp : &mp_large;
    snprintf(job->instance_name, sizeof job->instance_name, "%s", chosen->name);
    return chosen->prepare(job);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return buffers_fit(job) ? mp_bpw_run(job, stream) : mp_large_run(job, stream);
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return mp_large.unsupported(params, device);
}

extern "C" const gb_variant mp_multipartition = {
    "multipartition",
    "the paper's choice: buffer-per-warp where its buffers fit in shared memory, else large",
    "Multipartition, section 2",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    mp_ranges_cleanup,
    "it is buffer-per-warp or large, and departs as they do; the choice is the text's",
    NULL,
};
