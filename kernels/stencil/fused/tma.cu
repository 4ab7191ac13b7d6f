/* Variants tma and temporal: the marching kernels of fused.cuh, one time step a sweep over memory
 * with planes that come by Hopper's copy engine, or several steps a sweep on any generation. */
#include "kernels/stencil/fused/fused.h"

#include "common/cuda/device.cuh"
#include "kernels/stencil/variants.h"

#include <stdlib.h>

/* A kernel for each number of steps that a sweep of the run takes: `fused`, and what the last one
 * has left. */
typedef struct fused_state {
    const fused_kernel *kernel[2]; /* [1]: of the last sweep, if that takes fewer steps */
    fused_plan plan[2];
    unsigned *progress; /* device: fused_progress_words for each sweep */
    size_t words;
} fused_state;

const fused_kernel *fused_find(int radius, unsigned steps)
{
    switch (steps) {
    case 1:
        return fused_1[radius];
    case 2:
        return fused_2[radius];
    case 3:
        return fused_3[radius];
    case 4:
        return fused_4[radius];
    default:
        return NULL;
    }
}

/* Planes that a block asks for at most, by twos, and the whole groups of them. */
size_t fused_progress_words(const st_shape *shape)
{
    return (size_t)(shape->z + 2 * shape->radius * ST_MAX_FUSED) / 2 + 16;
}

/* Steps that the last sweep of a run takes, or all before it. */
static unsigned steps_of(const st_shape *shape, bool last)
{
    return st_sweep_steps(shape, last ? st_sweeps(shape) - 1 : 0);
}

/* The most steps that a sweep at this radius can take. */
static unsigned most_fused(int radius)
{
    unsigned steps = 1;
    while (fused_find(radius, steps + 1))
        steps++;
    return steps;
}

/* NULL if the kernels that the run needs exist and fit. */
static const char *fits(const gb_params *params, const gb_device *device)
{
    const st_shape shape = st_shape_of(params);
    for (unsigned last = 0; last < 2; last++) {
        const unsigned steps = steps_of(&shape, last);
        const fused_kernel *kernel = fused_find(shape.radius, steps);
        fused_plan plan;
        if (!kernel)
            return gb_reason(
                "%u steps of radius %d in one sweep: the sums and values that it keeps "
                "do not fit into registers (fused at most %u)",
                steps, shape.radius, most_fused(shape.radius));
        if (!kernel->plan(&shape, device, &plan))
            return gb_reason("its smallest tile does not fit into the %llu bytes of shared memory "
                             "that a block of this device can have",
                             (unsigned long long)device->shared_optin);
    }
    return NULL;
}

static const char *temporal_unsupported(const gb_params *params, const gb_device *device)
{
    const char *reason = st_own_block(params);
    if (reason) return reason;
    if (params->value[ST_FUSED].size < 2)
        return "fuses steps: give fused=2 or more (tma is the same with one step a sweep)";
    return fits(params, device);
}

static const char *tma_unsupported(const gb_params *params, const gb_device *device)
{
    const char *reason = st_one_step_own_block(params);
    if (reason) return reason;
    if (device->arch < 900)
        return gb_reason("needs Hopper's tensor copies (sm_90); the device or its code is sm_%d",
                         device->arch / 10);
    return fits(params, device);
}

static gb_status prepare(gb_job *job)
{
    gb_status status = st_problem_device(job);
    if (status != GB_OK) return status;
    const st_shape *shape = &job->problem->shape;
    fused_state *state = (fused_state *)calloc(1, sizeof *state);
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the plan");
    job->state = state;
    for (unsigned last = 0; last < 2; last++) {
        state->kernel[last] = fused_find(shape->radius, steps_of(shape, last));
        if (!state->kernel[last] ||
            !state->kernel[last]->plan(shape, job->device, &state->plan[last]))
            return gb_fail(&job->error, GB_CRASHED, "no kernel fits, though one was said to");
    }
    state->words = fused_progress_words(shape) * st_sweeps(shape);
    return gb_job_malloc(job, reinterpret_cast<void **>(&state->progress),
                         state->words * sizeof *state->progress, "the progress of the blocks");
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    const fused_state *state = static_cast<const fused_state *>(job->state);
    GB_TRY(cudaMemsetAsync(state->progress, 0, state->words * sizeof *state->progress,
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

/* Sweeps go up and down z in turn, so that each begins with planes that the last one has left in
 * the cache. */
static gb_status sweep(gb_job *job, const float *from, float *to, unsigned number, gb_stream stream)
{
    const fused_state *state = static_cast<const fused_state *>(job->state);
    const gb_problem *p = job->problem;
    const unsigned last = number == st_sweeps(&p->shape) - 1;
    unsigned *const progress = state->progress + number * fused_progress_words(&p->shape);
    return state->kernel[last]->sweep(p, &state->plan[last], from, to, number % 2 != 0, progress,
                                      stream, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return st_run_sweeps(job, sweep, stream);
}

static void cleanup(gb_job *job)
{
    fused_state *state = static_cast<fused_state *>(job->state);
    if (!state) return;
    (void)cudaFree(state->progress);
    free(state);
    job->state = NULL;
}

extern "C" {
const gb_variant st_tma = {
    "tma",
    "marches through z, one step a sweep: planes come by tensor copies into a ring, 2r registers a "
    "cell",
    "gpubench",
    0,
    tma_unsupported,
    prepare,
    reset,
    run,
    cleanup,
};
const gb_variant st_temporal = {
    "temporal",
    "the same with `fused` steps a sweep: every plane passes all of them while it is in registers",
    "gpubench",
    0,
    temporal_unsupported,
    prepare,
    reset,
    run,
    cleanup,
};
}
