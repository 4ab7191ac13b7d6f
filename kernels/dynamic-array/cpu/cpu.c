/* Variant cpu: the oracle. One core pushes onto an array that doubles when it is full, as the
 * vectors of standard libraries do. */
#include "kernels/dynamic-array/dynamic_array.h"

#include <stdlib.h>

typedef struct array {
    da_state state;
    uint32_t *at;
    uint64_t size, room;
} array;

static gb_status view(gb_job *job, da_view *view)
{
    const array *a = job->state;
    gb_status status = da_view_reserve(view, 1, &job->error);
    if (status != GB_OK) return status;
    view->size = a->size;
    view->allocations = a->at ? 1 : 0;
    view->on_host = true;
    da_view_add(view, a->at, 0, a->room);
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    array *a = calloc(1, sizeof *a);
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an array");
    a->state.view = view;
    job->state = a;
    return da_problem_host(job);
}

static bool push_back(array *a, uint32_t value)
{
    if (a->size == a->room) {
        const uint64_t room = a->room ? 2 * a->room : DA_FIRST_BUCKET;
        uint32_t *at = realloc(a->at, room * sizeof *at);
        if (!at) return false;
        a->at = at;
        a->room = room;
    }
    a->at[a->size++] = value;
    return true;
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    array *a = job->state;
    const gb_problem *p = job->problem;
    (void)stream;
    free(a->at);
    a->at = NULL;
    a->size = a->room = 0;
    for (uint64_t j = 0; j < p->shape.held; j++)
        if (!push_back(a, da_held_value(&p->values, j)))
            return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for what is held");
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    array *a = job->state;
    const gb_problem *p = job->problem;
    const uint32_t *in = p->host_in;
    (void)stream;
    for (uint64_t i = 0; i < p->shape.n; i++)
        if (in[i] < p->values.kept && !push_back(a, in[i]))
            return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to grow");
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    array *a = job->state;
    if (a) free(a->at);
    free(a);
    job->state = NULL;
}

const gb_variant da_cpu = {
    .name = "cpu",
    .summary = "one core, an array that doubles: the oracle",
    .origin = "gpubench",
    .flags = GB_HOST | GB_STABLE,
    .prepare = prepare,
    .reset = reset,
    .run = run,
    .cleanup = cleanup,
};
