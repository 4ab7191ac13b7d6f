/* Partitions by the library on one rank, and the variant that is nothing else. */
#include "kernels/multipartition-multi/local.h"
#include "kernels/multipartition/partition/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *mpm_local_refusal(void)
{
    return mp_tuning_points() ? NULL : "no GPU was measured: `gpubench tune` measures this one";
}

/* What is known of keys of a distribution. */
static mp_keys keys_of(gb_dist_kind kind)
{
    switch (kind) {
    case GB_DIST_SORTED:
        return MP_KEYS_SORTED;
    case GB_DIST_ZIPF:
        return MP_KEYS_SKEWED;
    case GB_DIST_CONSTANT:
    case GB_DIST_DISTINCT:
        return MP_KEYS_FEW;
    default:
        return MP_KEYS_ANY;
    }
}

gb_status mpm_state_open(gb_job *job, size_t bytes, unsigned each)
{
    const mpm_problem *p = mpm_problem_of(job);
    mpm_state *state = (mpm_state *)calloc(1, bytes);
    job->state = state;
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a job");
    state->each = each;
    state->parts = (mpm_local *)calloc((size_t)p->comm->locals * each + 1, sizeof *state->parts);
    return state->parts ? GB_OK
                        : gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a job");
}

void mpm_state_close(gb_job *job)
{
    const mpm_problem *p = mpm_problem_of(job);
    mpm_state *state = static_cast<mpm_state *>(job->state);
    gb_error ignored;
    if (!state) return;
    for (unsigned k = 0; state->parts && k < p->comm->locals * state->each; k++)
        gb_comm_free(p->comm, k / state->each, state->parts[k].scratch);
    (void)gb_comm_enter(p->comm, 0, &ignored);
    free(state->parts);
    free(state);
    job->state = NULL;
}

gb_status mpm_local_open(gb_job *job, gb_comm *comm, unsigned i, uint64_t n, mpm_local *local)
{
    const mpm_problem *p = mpm_problem_of(job);
    const gb_device *device = &comm->local[i].device;
    mp_request *r = &local->request;
    *r = mp_request{};
    r->n = n;
    r->bins = p->shape.all.bins;
    r->key_bytes = p->shape.all.key_bytes;
    r->payload_bytes = p->shape.all.payload_bytes;
    r->function = MP_RANGE;
    r->keys = keys_of(p->dist.kind);
    r->salt = (uint32_t)p->seed | 1; /* a run is as another with the same seed */
    r->method = mp_choose(r, device, NULL);
    if (i == 0 && !job->instance_name[0])
        snprintf(job->instance_name, sizeof job->instance_name, "%s", mp_method_name(r->method));
    if (n == 0) return GB_OK;
    uint64_t bytes;
    const char *refusal = mp_measure(r, device, &bytes);
    if (refusal) return gb_fail(&job->error, GB_UNSUPPORTED, "%s", refusal);
    return gb_comm_malloc(comm, i, &local->scratch, bytes + 256, "a partition's scratch",
                          &job->error);
}

gb_status mpm_local_queue(const gb_comm *comm, unsigned i, mpm_local *local, const mpm_arrays *in,
                          const mpm_arrays *out, uint64_t n, uint64_t *offsets, gb_error *error)
{
    const gb_rank *rank = &comm->local[i];
    if (n != local->request.n)
        return gb_fail(error, GB_WRONG,
                       "rank %u has %llu elements to partition where %llu were announced",
                       rank->rank, (unsigned long long)n, (unsigned long long)local->request.n);
    if (n == 0) {
        GB_TRY(cudaMemsetAsync(offsets, 0, ((size_t)local->request.bins + 1) * sizeof *offsets,
                               rank->stream),
               error);
        return GB_OK;
    }
    mp_request r = local->request;
    r.keys_in = in->keys;
    r.payload_in = in->payload;
    r.keys_out = out->keys;
    r.payload_out = out->payload;
    r.offsets = offsets;
    local->ran = true;
    return mp_queue_partition(&r, &rank->device, local->scratch,
                              reinterpret_cast<gb_stream>(rank->stream), error);
}

extern "C" gb_status mpm_redone(gb_job *job, bool *redone)
{
    const mpm_problem *p = mpm_problem_of(job);
    const mpm_state *state = static_cast<const mpm_state *>(job->state);
    gb_status status = GB_OK;
    *redone = false;
    for (unsigned k = 0; k < p->comm->locals * state->each && status == GB_OK && !*redone; k++) {
        const mpm_local *local = &state->parts[k];
        const unsigned i = k / state->each;
        if (!local->ran) continue;
        status = gb_comm_enter(p->comm, i, &job->error);
        if (status == GB_OK)
            status = mp_partition_redone(&local->request, &p->comm->local[i].device, local->scratch,
                                         redone, &job->error);
    }
    gb_error ignored;
    const gb_status back = gb_comm_enter(p->comm, 0, status == GB_OK ? &job->error : &ignored);
    return status == GB_OK ? back : status;
}

/* ---- single ---------------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *)
{
    if (params->value[MPM_GPUS].size != 1) return "what one GPU does alone: gpus 1";
    return mpm_local_refusal();
}

static gb_status prepare(gb_job *job)
{
    mpm_problem *p = mpm_problem_of(job);
    const gb_status status = mpm_state_open(job, sizeof(mpm_state), 1);
    if (status != GB_OK) return status;
    return mpm_local_open(job, p->comm, 0, p->ranks[0].n,
                          static_cast<mpm_state *>(job->state)->parts);
}

/* One rank has all bins. */
static __global__ void mpm_all_are_mine(uint64_t *firsts, uint64_t bins)
{
    firsts[0] = 0;
    firsts[1] = bins;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    mpm_problem *p = mpm_problem_of(job);
    const mpm_rank *own = &p->ranks[0];
    const mpm_arrays in = {own->keys_in, own->payload_in},
                     out = {mpm_keys_of(p, 0), mpm_payload_of(p, 0)};
    mpm_local *local = static_cast<mpm_state *>(job->state)->parts;
    gb_status status = gb_comm_fork(p->comm, stream, &job->error);
    if (status == GB_OK)
        status = gb_cuda_status(launch(mpm_all_are_mine, dim3(1), dim3(1), 0,
                                       p->comm->local[0].stream, own->firsts, p->shape.all.bins),
                                "noting the bins", &job->error);
    if (status == GB_OK)
        status = mpm_local_queue(p->comm, 0, local, &in, &out, own->n, own->offsets, &job->error);
    return gb_comm_end(p->comm, stream, status, &job->error);
}

extern "C" const gb_variant mpm_single = {
    "single",
    "one GPU, by the fastest of the library's unstable partitions",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    mpm_state_close,
};
