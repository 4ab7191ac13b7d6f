/* Variants that do nothing, each by another way through the instrument: what every row contains
 * beside its kernels' own time. */
#include "common/cuda/sweep.cuh"
#include "kernels/null/null.h"

static const char *unsupported(const gb_params *params, const gb_device *)
{
    if (params->value[NULL_NS].size || params->value[NULL_BYTES].size)
        return "it has no length: measured where both axes are 0";
    return NULL;
}

static gb_status run_nothing(gb_job *, gb_stream)
{
    return GB_OK;
}

static gb_status run_empty(gb_job *job, gb_stream stream)
{
    GB_TRY(gb_launch_empty(gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static gb_status run_waits(gb_job *job, gb_stream stream)
{
    GB_TRY(gb_launch_empty(gb_cuda_stream(stream)), &job->error);
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

extern "C" {
const gb_variant null_nothing = {
    "nothing",   "two events and nothing between them",
    "gpubench",  0,
    unsupported, NULL,
    NULL,        run_nothing,
    NULL,
};
const gb_variant null_empty = {
    "empty",     "one empty kernel: the launch in every row",
    "gpubench",  0,
    unsupported, NULL,
    NULL,        run_empty,
    NULL,
};
const gb_variant null_waits = {
    "waits",     "an empty kernel, waited for by the host: no gate",
    "gpubench",  GB_WAITS,
    unsupported, NULL,
    NULL,        run_waits,
    NULL,
};
const gb_variant null_host = {
    "host",      "nothing, by the host's clock",
    "gpubench",  GB_HOST,
    unsupported, NULL,
    NULL,        run_nothing,
    NULL,
};
}
