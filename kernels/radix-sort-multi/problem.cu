/* A point's data: made on each rank from the seed, poisoned, freed. */
#include "common/cuda/grid.cuh"
#include "kernels/radix-sort-multi/problem.h"

#include <stdlib.h>

/* ---- generation ------------------------------------------------------------------------------ */

static __global__ void ms_make_elements(gb_dist dist, rs_type type, uint64_t begin, uint64_t count,
                                        void *keys, uint32_t *payload)
{
    for (uint64_t i = gb_first(); i < count; i += gb_stride()) {
        rs_store_key(type, keys, i, rs_make_key(&dist, type, begin + i));
        if (payload) payload[i] = (uint32_t)(begin + i);
    }
}

gb_status ms_generate(ms_problem *p, gb_error *error)
{
    gb_dist dist;
    char why[160];
    gb_comm *comm = p->comm;
    gb_status status = GB_OK;
    if (!gb_dist_of(p->sort.dist, p->sort.seed, p->shape.sort.n, &dist, why))
        return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        const unsigned rank = comm->local[i].rank;
        const uint64_t count = ms_share(&p->shape, rank);
        status = gb_comm_enter(comm, i, error);
        if (status != GB_OK || count == 0) continue;
        GB_TRY(launch(ms_make_elements, gb_grid(p->sort.device, count), dim3(GB_GRID_THREADS), 0,
                      comm->local[i].stream, dist, p->shape.sort.type, ms_begin(&p->shape, rank),
                      count, p->local[i].keys_in, p->local[i].payload_in),
               error);
    }
    return status == GB_OK ? gb_comm_wait(comm, error) : status;
}

/* ---- life ------------------------------------------------------------------------------------ */

static gb_status make_arrays(ms_problem *p, unsigned i, gb_error *error)
{
    gb_comm *comm = p->comm;
    ms_arrays *a = &p->local[i];
    const uint64_t key = rs_key_bytes(p->shape.sort.type), with = p->shape.sort.payload;
    const uint64_t in = ms_share(&p->shape, comm->local[i].rank);
    const uint64_t out = ms_room(&p->shape) + MS_GUARD;
    void *payload;
    gb_status status = gb_comm_malloc(comm, i, &a->keys_in, in * key + 16, "the input", error);
    if (status == GB_OK)
        status = gb_comm_malloc(comm, i, &a->keys_out, out * key, "the output", error);
    if (status != GB_OK || !with) return status;
    status = gb_comm_malloc(comm, i, &payload, in * with + 16, "the input's payload", error);
    a->payload_in = static_cast<uint32_t *>(payload);
    if (status != GB_OK) return status;
    status = gb_comm_malloc(comm, i, &payload, out * with, "the output's payload", error);
    a->payload_out = static_cast<uint32_t *>(payload);
    return status;
}

/* Ranks that have whatever can be had: a variant says itself what it needs. */
static unsigned can_have(uint64_t size)
{
    unsigned needs = GB_NEEDS_CREW; /* all variants wait for the host */
    if (!gb_comm_refusal(size, GB_NEEDS_PEERS)) needs |= GB_NEEDS_PEERS;
    if (!gb_comm_refusal(size, GB_NEEDS_NCCL)) needs |= GB_NEEDS_NCCL;
    return needs;
}

static gb_status fill_in(ms_problem *p, gb_error *error)
{
    gb_status status = GB_OK;
    for (unsigned i = 0; status == GB_OK && i < p->comm->locals; i++)
        status = make_arrays(p, i, error);
    if (status == GB_OK) status = ms_generate(p, error);
    return status == GB_OK ? ms_checker_open(p, error) : status;
}

gb_status ms_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    ms_problem *p = (ms_problem *)calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = ms_shape_of(params);
    p->sort.shape = p->shape.sort;
    p->sort.seed = seed;
    p->sort.device = device;
    p->sort.dist = params->value[MS_DIST].text;
    gb_status status =
        gb_comm_open(device, p->shape.size, can_have(p->shape.size), &p->comm, error);
    if (status == GB_OK) {
        p->local = (ms_arrays *)calloc(p->comm->locals, sizeof *p->local);
        status = p->local ? fill_in(p, error)
                          : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    }
    gb_error ignored;
    if (p->comm) (void)gb_comm_enter(p->comm, 0, &ignored);
    if (status != GB_OK) {
        ms_close(&p->sort);
        return status;
    }
    *out = &p->sort;
    return GB_OK;
}

void ms_close(gb_problem *problem)
{
    if (!problem) return;
    gb_error ignored;
    ms_problem *p = ms_problem_of(problem);
    for (unsigned i = 0; p->local && i < p->comm->locals; i++) {
        const ms_arrays *a = &p->local[i];
        void *const all[] = {a->keys_in,     a->keys_out, a->payload_in,
                             a->payload_out, a->findings, a->gathered};
        for (void *at : all)
            gb_comm_free(p->comm, i, at);
    }
    free(p->local);
    if (p->comm) (void)gb_comm_enter(p->comm, 0, &ignored);
    gb_comm_close(p->comm);
    free(p);
}

/* ---- poison ---------------------------------------------------------------------------------- */

static gb_status fill_output(const ms_problem *p, unsigned i, gb_error *error)
{
    const ms_arrays *a = &p->local[i];
    const uint64_t room = ms_room(&p->shape) + MS_GUARD;
    cudaStream_t stream = p->comm->local[i].stream;
    GB_TRY(
        cudaMemsetAsync(a->keys_out, MS_GARBAGE, room * rs_key_bytes(p->shape.sort.type), stream),
        error);
    if (a->payload_out)
        GB_TRY(cudaMemsetAsync(a->payload_out, MS_GARBAGE, room * p->shape.sort.payload, stream),
               error);
    return GB_OK;
}

gb_status ms_poison(gb_job *job, gb_stream stream)
{
    ms_problem *p = ms_problem_of(job->problem);
    gb_status status = gb_comm_fork(p->comm, stream, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        p->length[p->comm->first + i] = ~(uint64_t)0;
        status = gb_comm_enter(p->comm, i, &job->error);
        if (status == GB_OK) status = fill_output(p, i, &job->error);
    }
    return gb_comm_end(p->comm, stream, status, &job->error);
}
