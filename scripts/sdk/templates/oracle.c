/* What y must be, and the same as a variant on one core of the CPU. */
#include "@NAME@.h"

void oracle(const gb_params *params, void *const array[])
{
    const float *x = array[X];
    float *y = array[Y];
    for (uint64_t i = 0; i < params->value[AXIS_N].size; i++)
        y[i] = 2 * x[i] + 1;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    (void)stream;
    oracle(job->params, gb_arrays_on_host(job));
    return GB_OK;
}

GB_VARIANT(variant_cpu) = {
    .name = "cpu",
    .summary = "the oracle, on one core",
    .origin = "own",
    .flags = GB_HOST,
    .prepare = gb_arrays_prepare,
    .reset = gb_arrays_reset,
    .run = run,
};
