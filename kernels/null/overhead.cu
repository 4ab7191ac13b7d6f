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

/* Of the bytes each block has 128, a float for each of its 32 threads. */
enum { BYTES_A_BLOCK = 128 };

static const char *needs_blocks(const gb_params *params, const gb_device *)
{
    const uint64_t bytes = params->value[NULL_BYTES].size;
    if (!bytes) return "there are no blocks to start: give bytes";
    return bytes / BYTES_A_BLOCK < INT32_MAX ? NULL : "a grid has at most 2^31 - 1 blocks";
}

/* A kernel of such blocks cannot be faster than this, whatever it does. */
static gb_status run_blocks(gb_job *job, gb_stream stream)
{
    const uint64_t bytes = job->params->value[NULL_BYTES].size;
    GB_TRY(gb_launch_blocks((bytes + BYTES_A_BLOCK - 1) / BYTES_A_BLOCK, gb_cuda_stream(stream)),
           &job->error);
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
const gb_variant null_blocks = {
    "blocks",
    "a block of 32 threads for each 128 bytes, which does nothing: how fast blocks begin",
    "gpubench",
    0,
    needs_blocks,
    NULL,
    NULL,
    run_blocks,
    NULL,
};
}
