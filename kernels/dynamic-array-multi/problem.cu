/* A point's data: every rank makes its share of the input from the seed. */
#include "kernels/dynamic-array-multi/problem.h"

#include "common/cuda/grid.cuh"

#include <stdlib.h>

/* Bytes behind the input. They are 0, which is an element that passes: who takes one of them pushes
 * it a second time. */
enum { SLACK = 16 };

static __global__ void dm_make(da_values values, uint64_t begin, uint64_t n, uint32_t *in,
                               unsigned long long *kept)
{
    unsigned mine = 0;
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        in[i] = da_value(&values, begin + i);
        mine += in[i] < values.kept;
    }
    if (mine) atomicAdd(kept, (unsigned long long)mine);
}

static gb_status open_rank(dm_problem *p, unsigned i, gb_error *error)
{
    const gb_rank *rank = &p->comm->local[i];
    dm_rank *own = &p->ranks[i];
    void *at = NULL;
    own->begin = gb_share_begin(p->shape.n, p->shape.gpus, rank->rank, p->shape.uneven);
    own->n =
        gb_share_begin(p->shape.n, p->shape.gpus, rank->rank + 1, p->shape.uneven) - own->begin;
    gb_status status = gb_comm_malloc(p->comm, i, &at, own->n * 4 + SLACK, "the input", error);
    own->in = static_cast<uint32_t *>(at);
    if (status == GB_OK) status = gb_comm_malloc(p->comm, i, &at, 64, "what is counted", error);
    p->found[i] = at;
    if (status == GB_OK) status = gb_comm_enter(p->comm, i, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(own->in + own->n, 0, SLACK, rank->stream), error);
    GB_TRY(cudaMemsetAsync(at, 0, sizeof own->kept, rank->stream), error);
    GB_TRY(launch(dm_make, gb_grid(&rank->device, own->n), dim3(GB_GRID_THREADS), 0, rank->stream,
                  p->values, own->begin, own->n, own->in, static_cast<unsigned long long *>(at)),
           error);
    GB_TRY(cudaMemcpyAsync(&own->kept, at, sizeof own->kept, cudaMemcpyDeviceToHost, rank->stream),
           error);
    return GB_OK;
}

static gb_status build(dm_problem *p, uint64_t seed, const gb_device *device, gb_error *error)
{
    uint64_t seen[GB_MOST_RANKS];
    gb_status status = gb_comm_open(device, p->shape.gpus, GB_NEEDS_PEERS, &p->comm, error);
    if (status != GB_OK) return status;
    p->values = da_values_of(p->shape.n, p->shape.kept, p->shape.sorted, seed);
    p->granule = p->shape.granule ? p->shape.granule : (uint64_t)gb_growable_granule_bytes();
    p->ranks = (dm_rank *)calloc(p->comm->locals, sizeof *p->ranks);
    if (!p->ranks) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    for (unsigned i = 0; i < p->comm->locals && status == GB_OK; i++) {
        seen[i] = p->shape.kept / 32 * 4 + 4;
        status = open_rank(p, i, error);
    }
    if (status == GB_OK)
        status = gb_comm_window_open(p->comm, seen, "the checker", &p->seen, error);
    return status == GB_OK ? gb_comm_wait(p->comm, error) : status;
}

gb_status dm_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_error ignored;
    dm_problem *p = (dm_problem *)calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = dm_shape_of(params);
    const gb_status status = build(p, seed, device, error);
    if (status == GB_OK) {
        *out = reinterpret_cast<gb_problem *>(p);
        return GB_OK;
    }
    if (p->comm) (void)gb_comm_wait(p->comm, &ignored);
    dm_close(reinterpret_cast<gb_problem *>(p));
    return status;
}

void dm_close(gb_problem *problem)
{
    dm_problem *p = reinterpret_cast<dm_problem *>(problem);
    if (!p) return;
    if (p->comm) {
        gb_comm_window_close(p->comm, &p->seen);
        for (unsigned i = 0; i < p->comm->locals; i++) {
            if (p->ranks) gb_comm_free(p->comm, i, p->ranks[i].in);
            gb_comm_free(p->comm, i, p->found[i]);
        }
        gb_comm_close(p->comm);
    }
    free(p->ranks);
    free(p);
}
