/* Variants single and single-temporal: what one GPU does alone, by the best that kernels/stencil
 * has, in its arrays and judged by its check. */
#include "kernels/stencil-multi/stencil_multi.h"
#include "kernels/stencil/variants.h"

#include <stdio.h>
#include <stdlib.h>

extern const gb_primitive gb_primitive_stencil;

/* The variant of kernels/stencil; *reason: why there is none, if it is NULL. */
static const gb_variant *choose(const gb_params *alone, const gb_device *device,
                                const char **reason)
{
    const gb_variant *const one_step[] = {&st_tma, &st_planes, NULL};
    const gb_variant *const several[] = {&st_temporal, NULL};
    const gb_variant *const *variant = alone->value[ST_FUSED].size > 1 ? several : one_step;
    for (; *variant; variant++) {
        *reason = (*variant)->unsupported(alone, device);
        if (!*reason) return *variant;
    }
    return NULL;
}

static const char *refusal(const gb_params *params, const gb_device *device)
{
    const gb_params alone = stm_alone_params(params);
    const char *reason = NULL;
    if (params->value[STM_GPUS].size != 1) return "what one GPU does alone: gpus 1";
    choose(&alone, device, &reason);
    return reason;
}

static const char *single_unsupported(const gb_params *params, const gb_device *device)
{
    const char *reason = stm_no_fusing(params);
    return reason ? reason : refusal(params, device);
}

static const char *temporal_unsupported(const gb_params *params, const gb_device *device)
{
    const char *reason = stm_fusing(params);
    return reason ? reason : refusal(params, device);
}

static gb_status prepare(gb_job *job)
{
    gb_job *alone = calloc(1, sizeof *alone);
    if (!alone) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a job");
    job->state = alone;
    const char *reason = NULL;
    gb_status status =
        stm_problem_alone(job->problem, &alone->params, &alone->problem, &job->error);
    if (status != GB_OK) return status;
    alone->primitive = &gb_primitive_stencil;
    alone->variant = choose(alone->params, job->device, &reason);
    alone->device = job->device;
    alone->scope = job->scope;
    alone->stream = job->stream;
    if (!alone->variant) return gb_fail(&job->error, GB_CRASHED, "%s", reason);
    (void)snprintf(job->instance_name, sizeof job->instance_name, "%s", alone->variant->name);
    status = alone->variant->prepare(alone);
    job->error = alone->error;
    return status;
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    gb_job *alone = job->state;
    if (!alone->variant->reset) return GB_OK;
    const gb_status status = alone->variant->reset(alone, stream);
    job->error = alone->error;
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    gb_job *alone = job->state;
    const gb_status status = alone->variant->run(alone, stream);
    job->error = alone->error;
    return status;
}

static void cleanup(gb_job *job)
{
    gb_job *alone = job->state;
    if (!alone) return;
    if (alone->variant && alone->variant->cleanup) alone->variant->cleanup(alone);
    free(alone);
    job->state = NULL;
}

gb_job *stm_alone_job(const gb_job *job)
{
    return job->variant->run == run ? job->state : NULL;
}

const gb_variant stm_single = {
    .name = "single",
    .summary = "one GPU alone, one step a sweep: tma, or planes where the device has no tensor "
               "copies",
    .origin = "gpubench",
    .unsupported = single_unsupported,
    .prepare = prepare,
    .reset = reset,
    .run = run,
    .cleanup = cleanup,
};

const gb_variant stm_single_temporal = {
    .name = "single-temporal",
    .summary = "one GPU alone, `fused` steps a sweep: temporal",
    .origin = "gpubench",
    .unsupported = temporal_unsupported,
    .prepare = prepare,
    .reset = reset,
    .run = run,
    .cleanup = cleanup,
};
