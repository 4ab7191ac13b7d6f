/* The variants that sort with our own kernels alone: single, peers, peers-copies. */
#include "kernels/radix-sort-multi/by_ranges.h"
#include "kernels/radix-sort-multi/local_sort.h"

#include <stdlib.h>

/* ---- peers ----------------------------------------------------------------------------------- */

static const char *needs_peers(const gb_params *params, const gb_device *)
{
    return gb_comm_refusal(params->value[MS_GPUS].size, GB_NEEDS_PEERS);
}

static const char *needs_copies(const gb_params *params, const gb_device *)
{
    return gb_comm_refusal(params->value[MS_GPUS].size, GB_NEEDS_PEERS | GB_NEEDS_COPIES);
}

static gb_status prepare_ranges(gb_job *job, ms_way way)
{
    ms_ranges *ranges = NULL;
    const gb_status status = ms_ranges_open(ms_problem_of(job->problem), way, &ranges, &job->error);
    job->state = ranges;
    return status;
}

static gb_status prepare_kernels(gb_job *job)
{
    return prepare_ranges(job, MS_BY_KERNELS);
}

static gb_status prepare_copies(gb_job *job)
{
    return prepare_ranges(job, MS_BY_COPIES);
}

static gb_status run_ranges(gb_job *job, gb_stream stream)
{
    return ms_ranges_run(static_cast<ms_ranges *>(job->state), stream, &job->error);
}

static void cleanup_ranges(gb_job *job)
{
    ms_ranges_close(static_cast<ms_ranges *>(job->state));
    job->state = NULL;
}

extern "C" const gb_variant ms_peers = {
    "peers",
    "ranges by splitters from samples; kernels store pieces in the memory of the GPU that a range "
    "belongs to, which sorts what has arrived meanwhile",
    "gpubench",
    GB_WAITS,
    needs_peers,
    prepare_kernels,
    NULL,
    run_ranges,
    cleanup_ranges,
};

extern "C" const gb_variant ms_peers_copies = {
    "peers-copies", "the same, pieces go by copies, which take no multiprocessor",
    "gpubench",     GB_WAITS,
    needs_copies,   prepare_copies,
    NULL,           run_ranges,
    cleanup_ranges,
};

/* ---- single ---------------------------------------------------------------------------------- */

enum { WHOLE, RANGES, INSTANCES };

/* One of both. */
typedef struct single_state {
    ms_ranges *ranges;
    void *scratch;
} single_state;

static const char *only_one(const gb_params *params, const gb_device *)
{
    return params->value[MS_GPUS].size == 1 ? gb_comm_refusal(1, 0)
                                            : "what one GPU does alone: gpus 1";
}

static const char *single_instance(const gb_params *, unsigned i)
{
    return i == WHOLE ? "all at once" : i == RANGES ? "by ranges" : NULL;
}

static gb_status prepare_single(gb_job *job)
{
    ms_problem *p = ms_problem_of(job->problem);
    single_state *state = (single_state *)calloc(1, sizeof *state);
    job->state = state;
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    if (job->instance == RANGES)
        return ms_ranges_open(p, MS_BY_KERNELS, &state->ranges, &job->error);
    const rs_shape *shape = &p->shape.sort;
    return gb_comm_malloc(p->comm, 0, &state->scratch,
                          ms_sort_scratch(shape, &p->comm->local[0].device, shape->n, false),
                          "the sort's scratch", &job->error);
}

static gb_status run_single(gb_job *job, gb_stream stream)
{
    ms_problem *p = ms_problem_of(job->problem);
    const single_state *state = static_cast<single_state *>(job->state);
    const ms_arrays *a = &p->local[0];
    if (state->ranges) return ms_ranges_run(state->ranges, stream, &job->error);
    const os_sort_data data = {a->keys_in,     a->payload_in,  a->keys_out,
                               a->payload_out, state->scratch, NULL};
    p->length[0] = p->shape.sort.n;
    if (p->shape.sort.n == 0) return GB_OK;
    return ms_sort(&p->shape.sort, &p->comm->local[0].device, &data, NULL, gb_cuda_stream(stream),
                   &job->error);
}

static void cleanup_single(gb_job *job)
{
    single_state *state = static_cast<single_state *>(job->state);
    if (!state) return;
    ms_ranges_close(state->ranges);
    gb_comm_free(ms_problem_of(job->problem)->comm, 0, state->scratch);
    free(state);
    job->state = NULL;
}

extern "C" const gb_variant ms_single = {
    "single",
    "one GPU alone, as fast as ours are: all at once, or ranges of up to 256 Mi keys one by one",
    "gpubench",
    GB_WAITS,
    only_one,
    prepare_single,
    NULL,
    run_single,
    cleanup_single,
    NULL,
    single_instance,
};

/* ---- of both --------------------------------------------------------------------------------- */

extern "C" gb_status ms_redone(gb_job *job, bool *redone)
{
    const ms_ranges *ranges = NULL;
    if (job->variant->run == run_ranges) ranges = static_cast<ms_ranges *>(job->state);
    if (job->variant->run == run_single) ranges = static_cast<single_state *>(job->state)->ranges;
    *redone = ranges && ms_ranges_redone(ranges);
    return GB_OK;
}
