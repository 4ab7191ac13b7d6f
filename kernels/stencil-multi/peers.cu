/* Variants peers and peers-temporal: the kernels themselves store the outermost planes into the
 * neighbours' copies of them, and wait for each other.
 *
 * What orders two neighbours. Sweep t reads one field and writes the other. At the planes that the
 * two share it may begin on one side when the other side has ended sweep t - 1 there: then the
 * copies that it reads have come (read after write), and the other's copies of what it now writes,
 * which lie in the field that the other read in sweep t - 1, are no longer needed (write after
 * read). A sweep's blocks wait for that themselves, for a word that the neighbour's last warp there
 * writes (kernels/stencil/fused/slab.cuh): neighbours begin at the border between them or end
 * there, both, so that the word is mostly written long before it is asked for, and nothing lies
 * between the launches of a rank. They must run at the same time for that: a sweep that waits
 * occupies its device. Where they may not, as on the simt device and where two ranks share one,
 * a rank's launch is held back until its neighbours' last one has ended; the words say so as
 * well. */
#include "kernels/stencil-multi/sweeps.h"

#include <new>
#include <string.h>

typedef struct peers_state {
    stm_sweeps *sweeps;
    gb_window ended; /* STM_ENDED_WORDS words of each rank */
    bool together;   /* all ranks' launches run at the same time */
} peers_state;

/* ---- order ----------------------------------------------------------------------------------- */

static bool run_together(const gb_comm *comm)
{
    for (unsigned i = 0; i < comm->locals; i++) {
        if (strcmp(comm->local[i].device.backend, "simt") == 0) return false;
        for (unsigned j = 0; j < i; j++)
            if (comm->local[i].device.index == comm->local[j].device.index) return false;
    }
    return true;
}

static gb_status reset_words(const stm_problem *p, const peers_state *state, unsigned i,
                             gb_error *error)
{
    const gb_rank *rank = &p->comm->local[i];
    const gb_status status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(state->ended.at[rank->rank], 0, STM_ENDED_WORDS * sizeof(unsigned),
                           rank->stream),
           error);
    return GB_OK;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static gb_status run_sweep(const stm_problem *p, const peers_state *state, unsigned sweep,
                           gb_error *error)
{
    gb_status status = GB_OK;
    if (sweep && !state->together) status = gb_comm_barrier_neighbours(p->comm, error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        status = gb_comm_enter(p->comm, i, error);
        if (status == GB_OK)
            status = stm_sweep(p, state->sweeps, i, sweep, &state->ended, p->comm->local[i].stream,
                               error);
    }
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const stm_problem *p = stm_problem_of(job->problem);
    const peers_state *state = static_cast<const peers_state *>(job->state);
    gb_status status = gb_comm_fork(p->comm, stream, &job->error);
    for (unsigned s = 0; s < st_sweeps(&p->whole) && status == GB_OK; s++)
        status = run_sweep(p, state, s, &job->error);
    return gb_comm_end(p->comm, stream, status, &job->error);
}

/* ---- the variants ---------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return stm_sweeps_refusal(params, device, GB_NEEDS_PEERS, stm_no_fusing(params));
}

static const char *temporal_unsupported(const gb_params *params, const gb_device *device)
{
    return stm_sweeps_refusal(params, device, GB_NEEDS_PEERS, stm_fusing(params));
}

static gb_status prepare(gb_job *job)
{
    gb_status status = stm_problem_ranks(job);
    if (status != GB_OK) return status;
    stm_problem *p = stm_problem_of(job->problem);
    peers_state *state = new (std::nothrow) peers_state();
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the plan");
    job->state = state;
    uint64_t bytes[GB_MOST_RANKS];
    for (unsigned i = 0; i < p->comm->locals; i++)
        bytes[i] = STM_ENDED_WORDS * sizeof(unsigned);
    state->together = run_together(p->comm);
    status =
        stm_sweeps_open(p, p->gpus > 1 ? STM_OPPOSED : STM_IN_TURN, &state->sweeps, &job->error);
    if (status == GB_OK)
        status = gb_comm_window_open(p->comm, bytes, "what neighbours have ended", &state->ended,
                                     &job->error);
    return status;
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    const stm_problem *p = stm_problem_of(job->problem);
    const peers_state *state = static_cast<const peers_state *>(job->state);
    gb_status status =
        stm_sweeps_reset(stm_problem_of(job->problem), state->sweeps, stream, &job->error);
    if (status != GB_OK) return status;
    status = gb_comm_fork(p->comm, stream, &job->error);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++)
        status = reset_words(p, state, i, &job->error);
    return gb_comm_end(p->comm, stream, status, &job->error);
}

static void cleanup(gb_job *job)
{
    peers_state *state = static_cast<peers_state *>(job->state);
    if (!state) return;
    stm_problem *p = stm_problem_of(job->problem);
    gb_comm_window_close(p->comm, &state->ended);
    stm_sweeps_close(p, state->sweeps);
    delete state;
    job->state = NULL;
}

extern "C" {
const gb_variant stm_peers = {
    "peers",
    "kernels store the border into the neighbours' memory while they march, and wait for each "
    "other "
    "themselves",
    "gpubench",
    0,
    unsupported,
    prepare,
    reset,
    run,
    cleanup,
};
const gb_variant stm_peers_temporal = {
    "peers-temporal",
    "the same with `fused` steps a sweep: a border of radius * fused planes, once for all of them",
    "gpubench",
    0,
    temporal_unsupported,
    prepare,
    reset,
    run,
    cleanup,
};
}
