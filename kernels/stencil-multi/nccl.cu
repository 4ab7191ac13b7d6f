/* Variants nccl and nccl-temporal: a sweep over the slab, then NCCL sends its outermost planes to
 * the neighbours. What users of NCCL write first, with the kernels of the other variants. */
#include "kernels/stencil-multi/sweeps.h"

#include <new>

typedef struct nccl_state {
    gb_comm *comm; /* the same ranks, with NCCL */
    stm_sweeps *sweeps;
    gb_piece *send, *receive; /* [locals * size] each */
} nccl_state;

/* Planes [from, from + count) of a field of the i-th local rank, from the first cell to the last
 * one: what lies between cells, rows of the boundary and padding, is the same in both arrays. */
static gb_piece planes_of(const stm_problem *p, unsigned i, unsigned field, int from, int count)
{
    const stm_part *part = &p->part[i];
    const st_layout *layout = &part->slab.layout;
    const int64_t cells =
        (count - 1) * layout->plane + (p->whole.y - 1) * layout->pitch + p->whole.x;
    return {part->box.field[field] + layout->origin + from * layout->plane,
            (uint64_t)cells * sizeof(float)};
}

/* After a sweep: `count` planes at either end. */
static gb_status exchange(const stm_problem *p, const nccl_state *state, unsigned sweep, int count,
                          gb_error *error)
{
    const unsigned size = p->comm->size, field = sweep % 2;
    for (unsigned i = 0; i < p->comm->locals; i++) {
        const unsigned rank = p->comm->local[i].rank;
        const int z = p->part[i].slab.shape.z;
        if (rank > 0) {
            state->send[i * size + rank - 1] = planes_of(p, i, field, 0, count);
            state->receive[i * size + rank - 1] = planes_of(p, i, field, -count, count);
        }
        if (rank + 1 < size) {
            state->send[i * size + rank + 1] = planes_of(p, i, field, z - count, count);
            state->receive[i * size + rank + 1] = planes_of(p, i, field, z, count);
        }
    }
    return gb_comm_all_to_all(state->comm, GB_BY_NCCL, state->send, state->receive, error);
}

static gb_status run_sweep(const stm_problem *p, const nccl_state *state, unsigned sweep,
                           gb_error *error)
{
    const int count = p->gpus > 1 ? stm_needed_after(p, sweep) : 0;
    gb_status status = GB_OK;
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        status = gb_comm_enter(state->comm, i, error);
        if (status == GB_OK)
            status =
                stm_sweep(p, state->sweeps, i, sweep, NULL, state->comm->local[i].stream, error);
    }
    return status == GB_OK && count ? exchange(p, state, sweep, count, error) : status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const stm_problem *p = stm_problem_of(job->problem);
    const nccl_state *state = static_cast<const nccl_state *>(job->state);
    gb_status status = gb_comm_fork(state->comm, stream, &job->error);
    for (unsigned s = 0; s < st_sweeps(&p->whole) && status == GB_OK; s++)
        status = run_sweep(p, state, s, &job->error);
    return gb_comm_end(state->comm, stream, status, &job->error);
}

/* ---- the variants ---------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return stm_sweeps_refusal(params, device, GB_NEEDS_NCCL, stm_no_fusing(params));
}

static const char *temporal_unsupported(const gb_params *params, const gb_device *device)
{
    return stm_sweeps_refusal(params, device, GB_NEEDS_NCCL, stm_fusing(params));
}

static gb_status prepare(gb_job *job)
{
    gb_status status = stm_problem_ranks(job);
    if (status != GB_OK) return status;
    stm_problem *p = stm_problem_of(job->problem);
    nccl_state *state = new (std::nothrow) nccl_state();
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the plan");
    job->state = state;
    const size_t pieces = (size_t)p->comm->locals * p->comm->size;
    state->send = new (std::nothrow) gb_piece[2 * pieces]();
    if (!state->send) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the plan");
    state->receive = state->send + pieces;
    status = stm_sweeps_open(p, STM_IN_TURN, &state->sweeps, &job->error);
    if (status == GB_OK)
        status = gb_comm_open(p->device, p->gpus, GB_NEEDS_NCCL, &state->comm, &job->error);
    return status;
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    const nccl_state *state = static_cast<const nccl_state *>(job->state);
    return stm_sweeps_reset(stm_problem_of(job->problem), state->sweeps, stream, &job->error);
}

static void cleanup(gb_job *job)
{
    nccl_state *state = static_cast<nccl_state *>(job->state);
    if (!state) return;
    stm_sweeps_close(stm_problem_of(job->problem), state->sweeps);
    gb_comm_close(state->comm);
    delete[] state->send;
    delete state;
    job->state = NULL;
}

extern "C" {
const gb_variant stm_nccl = {
    "nccl",      "a sweep over the slab, then ncclSend and ncclRecv of its outermost planes",
    "gpubench",  0,
    unsupported, prepare,
    reset,       run,
    cleanup,
};
const gb_variant stm_nccl_temporal = {
    "nccl-temporal",
    "the same, `fused` steps a sweep: radius * fused planes, once for all of them",
    "gpubench",
    0,
    temporal_unsupported,
    prepare,
    reset,
    run,
    cleanup,
};
}
