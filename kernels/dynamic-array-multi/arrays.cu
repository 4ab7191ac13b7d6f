/* The arrays of a job, one a rank, in memory that all ranks can reach; and the directory over them.
 */
#include "kernels/dynamic-array-multi/problem.h"

#include "common/cuda/grid.cuh"

#include <stdlib.h>

enum { DM_POISON = 0xA5 };

/* ---- the directory --------------------------------------------------------------------------- */

/* One block. A rank's size and granules, as its own kernels see them, to every rank's window (or,
 * if there are no windows, to `mine`). */
static __global__ void dm_tell(const unsigned long long *size, const gb_growable_granule *table,
                               uint64_t base, unsigned granules, unsigned granule_log2,
                               unsigned rank, unsigned ranks, uint64_t stride, gb_window told,
                               dm_told *mine)
{
    const uint64_t elements = size ? *size : 0;
    const uint64_t room = (uint64_t)1 << granule_log2, used = (elements + room - 1) / room;
    for (unsigned k = 0; k < (mine ? 1 : ranks); k++) {
        dm_told *to =
            mine ? mine : reinterpret_cast<dm_told *>(told.at[(rank + k) % ranks] + rank * stride);
        if (threadIdx.x == 0) to->size = elements;
        for (unsigned g = threadIdx.x; g < granules; g += blockDim.x)
            to->granule[g] = g >= used ? DM_NOWHERE
                             : table   ? table[g].at - base
                                       : (uint64_t)g << granule_log2 << 2;
    }
}

/* One block: from sizes to begins. */
static __global__ void dm_sum(const unsigned char *told, uint64_t stride, unsigned ranks,
                              uint64_t *begins)
{
    for (unsigned r = threadIdx.x; r <= ranks; r += blockDim.x) {
        uint64_t sum = 0;
        for (unsigned k = 0; k < r; k++)
            sum += reinterpret_cast<const dm_told *>(told + k * stride)->size;
        begins[r] = sum;
    }
}

static gb_status tell(gb_job *job, unsigned i, dm_way way)
{
    const dm_problem *p = dm_problem_of(job);
    dm_state *state = dm_state_of(job);
    const gb_rank *rank = &state->comm->local[i];
    const unsigned char *arena = state->arena.at[rank->rank];
    const unsigned long long *size = NULL;
    const gb_growable_granule *table = NULL;
    if (state->funnel) {
        size = reinterpret_cast<const unsigned long long *>(state->sizes.at[rank->rank]);
    } else {
        const gb_growable_view view = gb_growable_view_of(state->array[i]);
        size = &view.control->size;
        table = view.table;
    }
    gb_status status = gb_comm_enter(state->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(launch(dm_tell, dim3(1), dim3(GB_GRID_THREADS), 0, rank->stream, size, table,
                  reinterpret_cast<uint64_t>(arena), state->granules, dm_granule_log2(p),
                  rank->rank, state->comm->size, state->stride, state->told,
                  static_cast<dm_told *>(way == DM_BY_NCCL ? state->mine[i] : NULL)),
           &job->error);
    return GB_OK;
}

/* What all have told becomes known to all. */
static gb_status pass_on(gb_job *job, dm_way way)
{
    dm_state *state = dm_state_of(job);
    gb_comm *comm = state->comm;
    const void *from[GB_MOST_RANKS];
    void *to[GB_MOST_RANKS];
    if (way == DM_BY_WINDOWS) return gb_comm_barrier(comm, &job->error);
    for (unsigned i = 0; i < comm->locals; i++) {
        from[i] = state->mine[i];
        to[i] = state->told.at[comm->local[i].rank];
    }
    return gb_comm_all_gather(comm, GB_BY_NCCL, from, state->stride, to, &job->error);
}

gb_status dm_queue_directory(gb_job *job, dm_way way)
{
    dm_state *state = dm_state_of(job);
    gb_comm *comm = state->comm;
    gb_status status = GB_OK;
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = tell(job, i, way);
    if (status == GB_OK) status = pass_on(job, way);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        unsigned char *told = state->told.at[comm->local[i].rank];
        status = gb_comm_enter(comm, i, &job->error);
        if (status != GB_OK) return status;
        GB_TRY(launch(dm_sum, dim3(1), dim3(GB_MOST_RANKS), 0, comm->local[i].stream, told,
                      state->stride, comm->size,
                      reinterpret_cast<uint64_t *>(told + state->stride * comm->size)),
               &job->error);
    }
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Elements that rank r may have to hold: all that it looks at, or, in a funnel, everybody. */
static uint64_t most_of(const dm_problem *p, unsigned r, bool funnel)
{
    const dm_shape *shape = &p->shape;
    if (funnel) return r == 0 ? shape->n : 0;
    return gb_share_begin(shape->n, shape->gpus, r + 1, shape->uneven) -
           gb_share_begin(shape->n, shape->gpus, r, shape->uneven);
}

/* Memory for so many elements, in whole granules. A growable array takes some ahead: as much again
 * as half of what it uses, and a few. */
static uint64_t arena_bytes(const dm_problem *p, uint64_t elements, bool funnel)
{
    const uint64_t bytes = 4 * elements + (funnel ? 16 : 2 * elements + 4 * p->granule);
    return (bytes + p->granule - 1) / p->granule * p->granule;
}

static gb_status open_windows(gb_job *job, bool funnel)
{
    dm_problem *p = dm_problem_of(job);
    dm_state *state = dm_state_of(job);
    uint64_t told[GB_MOST_RANKS], sizes[GB_MOST_RANKS], most = 0;
    for (unsigned r = 0; r < p->comm->size; r++) {
        const uint64_t one = most_of(p, r, funnel);
        if (one > most) most = one;
    }
    state->granules = (unsigned)((4 * most + p->granule - 1) / p->granule + 1);
    state->stride = sizeof(uint64_t) * (1 + (uint64_t)state->granules);
    for (unsigned i = 0; i < p->comm->locals; i++) {
        const unsigned r = p->comm->local[i].rank;
        state->arena_bytes[i] = arena_bytes(p, most_of(p, r, funnel), funnel);
        told[i] = state->stride * p->comm->size + sizeof(uint64_t) * (p->comm->size + 1);
        sizes[i] = sizeof(unsigned long long);
    }
    gb_status status =
        gb_comm_window_open(p->comm, state->arena_bytes, "the arrays", &state->arena, &job->error);
    if (status == GB_OK)
        status = gb_comm_window_open(p->comm, told, "the directory", &state->told, &job->error);
    if (status == GB_OK && funnel)
        status = gb_comm_window_open(p->comm, sizes, "the sizes", &state->sizes, &job->error);
    return status;
}

static gb_status open_array(gb_job *job, unsigned i)
{
    const dm_problem *p = dm_problem_of(job);
    dm_state *state = dm_state_of(job);
    const uint64_t n = p->ranks[i].n;
    gb_status status = gb_comm_enter(p->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(gb_growable_pool_over(&state->pool[i], state->arena.at[p->comm->local[i].rank],
                                 state->arena_bytes[i], p->granule),
           &job->error);
    GB_TRY(gb_growable_create(&state->array[i], state->pool[i], 4, n, (unsigned)(n / 1024 + 1)),
           &job->error);
    return GB_OK;
}

gb_status dm_arrays_open(gb_job *job, unsigned needs, bool funnel)
{
    dm_problem *p = dm_problem_of(job);
    dm_state *state = (dm_state *)calloc(1, sizeof *state);
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for arrays");
    gb_status status = GB_OK;
    job->state = state;
    state->funnel = funnel;
    state->comm = p->comm;
    if (needs & GB_NEEDS_NCCL) {
        status = gb_comm_open(job->device, p->shape.gpus, needs, &state->comm, &job->error);
        state->own_comm = status == GB_OK;
    }
    if (status == GB_OK) status = open_windows(job, funnel);
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        if (!funnel) status = open_array(job, i);
        if (status == GB_OK && state->own_comm)
            status = gb_comm_malloc(p->comm, i, &state->mine[i], state->stride, "what a rank tells",
                                    &job->error);
    }
    return status == GB_OK ? gb_comm_enter(p->comm, 0, &job->error) : status;
}

void dm_arrays_close(gb_job *job)
{
    const dm_problem *p = dm_problem_of(job);
    dm_state *state = dm_state_of(job);
    gb_error ignored;
    if (!state) return;
    for (unsigned i = 0; i < p->comm->locals; i++) {
        if (gb_comm_enter(p->comm, i, &ignored) != GB_OK) continue;
        gb_growable_destroy(state->array[i]);
        gb_growable_pool_destroy(state->pool[i]);
        gb_comm_free(p->comm, i, state->mine[i]);
    }
    gb_comm_window_close(p->comm, &state->arena);
    gb_comm_window_close(p->comm, &state->told);
    gb_comm_window_close(p->comm, &state->sizes);
    if (state->own_comm) gb_comm_close(state->comm);
    (void)gb_comm_enter(p->comm, 0, &ignored);
    free(state);
    job->state = NULL;
}

/* ---- before a run ---------------------------------------------------------------------------- */

static gb_status empty(gb_job *job, unsigned i)
{
    dm_state *state = dm_state_of(job);
    const gb_rank *rank = &state->comm->local[i];
    gb_status status = gb_comm_enter(state->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(state->funnel ? cudaMemsetAsync(state->sizes.at[rank->rank], 0,
                                           sizeof(unsigned long long), rank->stream)
                         : gb_growable_clear(state->array[i], rank->stream),
           &job->error);
    return GB_OK;
}

gb_status dm_arrays_reset(gb_job *job, gb_stream stream)
{
    gb_comm *comm = dm_state_of(job)->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = empty(job, i);
    return gb_comm_end(comm, stream, status, &job->error);
}

static gb_status poison(gb_job *job, unsigned i)
{
    const dm_state *state = dm_state_of(job);
    const gb_rank *rank = &state->comm->local[i];
    const unsigned size = state->comm->size;
    gb_status status = gb_comm_enter(state->comm, i, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(state->arena.at[rank->rank], DM_POISON, state->arena_bytes[i],
                           rank->stream),
           &job->error);
    GB_TRY(cudaMemsetAsync(state->told.at[rank->rank], DM_POISON,
                           state->stride * size + sizeof(uint64_t) * (size + 1), rank->stream),
           &job->error);
    return GB_OK;
}

gb_status dm_poison(gb_job *job, gb_stream stream)
{
    gb_comm *comm = dm_state_of(job)->comm;
    gb_status status = gb_comm_fork(comm, stream, &job->error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = poison(job, i);
    return gb_comm_end(comm, stream, status, &job->error);
}
