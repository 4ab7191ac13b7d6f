/* Growable arrays of jobs: made, emptied, shown to the checker. */
#include "common/cuda/grid.cuh"
#include "kernels/dynamic-array/growable/state.cuh"

#include <stdlib.h>
#include <string.h>

/* The segments: granule by granule. */
static gb_status cut(gb_job *job, const gb_growable_view *v, const gb_growable_granule *table,
                     da_view *view)
{
    const uint64_t room = (uint64_t)1 << v->granule_log2;
    gb_status status = da_view_reserve(view, v->granules, &job->error);
    if (status != GB_OK) return status;
    for (unsigned g = 0; g < v->granules; g++)
        da_view_add(view, reinterpret_cast<const uint32_t *>((uintptr_t)table[g].at), g * room,
                    room);
    return GB_OK;
}

static gb_status view(gb_job *job, da_view *view)
{
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    const gb_growable_view v = gb_growable_view_of(a->array);
    GB_TRY(gb_growable_size(a->array, 0, &view->size), &job->error);
    GB_TRY(gb_growable_unplaced(a->array, 0, &view->lost), &job->error);
    GB_TRY(gb_growable_pool_taken(a->pool, &view->allocations), &job->error);
    view->arena = gb_growable_pool_base(a->pool);
    view->arena_bytes = gb_growable_pool_mapped(a->pool);
    view->poisoned = a->state.poison != NULL;
    const size_t bytes = v.granules * sizeof *v.table;
    gb_growable_granule *table = (gb_growable_granule *)malloc(bytes);
    if (!table) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    gb_status status = gb_cuda_status(cudaMemcpy(table, v.table, bytes, cudaMemcpyDeviceToHost),
                                      "reading the table of granules", &job->error);
    if (status == GB_OK) status = cut(job, &v, table, view);
    free(table);
    return status;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    GB_TRY(cudaMemsetAsync(gb_growable_pool_base(a->pool), DA_POISON,
                           gb_growable_pool_mapped(a->pool), gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

/* All that can be pushed, in whole granules. A pool that is there already has half as much more,
 * and a few granules: what an array takes ahead. */
static uint64_t most_bytes(const da_shape *shape, uint64_t granule, bool mapped)
{
    const uint64_t bytes = 4 * (shape->held + shape->n);
    return mapped ? bytes + bytes / 2 + 4 * granule : (bytes / granule + 1) * granule;
}

gb_status da_growable_prepare(gb_job *job, bool mapped)
{
    const da_shape *shape = &job->problem->shape;
    const uint64_t granule = da_granule_bytes(shape);
    da_growable_state *a = (da_growable_state *)calloc(1, sizeof *a);
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an array");
    job->state = a;
    a->state.view = view;
    if (mapped) a->state.poison = poison;
    a->most_bytes = most_bytes(shape, granule, mapped);
    GB_TRY(gb_growable_pool_create(&a->pool, a->most_bytes, granule), &job->error);
    if (mapped) GB_TRY(gb_growable_pool_map(a->pool, a->most_bytes), &job->error);
    GB_TRY(gb_growable_create(&a->array, a->pool, 4, shape->held + shape->n,
                              (unsigned)(shape->n / 1024 + 1)),
           &job->error);
    return GB_OK;
}

gb_status da_growable_prepare_mapped(gb_job *job)
{
    return da_growable_prepare(job, true);
}

static __global__ void hold(da_values values, uint64_t held, gb_growable_view v)
{
    for (uint64_t j = gb_first(); j < held; j += gb_stride())
        gb_at<uint32_t>(v, j) = da_held_value(&values, j);
}

gb_status da_growable_reset(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_growable_state *a = static_cast<const da_growable_state *>(job->state);
    GB_TRY(p->shape.held ? gb_growable_resize(a->array, p->shape.held, gb_cuda_stream(stream))
                         : gb_growable_clear(a->array, gb_cuda_stream(stream)),
           &job->error);
    if (p->shape.held)
        GB_TRY(launch(hold, gb_grid(job->device, p->shape.held), dim3(GB_GRID_THREADS), 0,
                      gb_cuda_stream(stream), p->values, p->shape.held,
                      gb_growable_view_of(a->array)),
               &job->error);
    return GB_OK;
}

void da_growable_cleanup(gb_job *job)
{
    da_growable_state *a = static_cast<da_growable_state *>(job->state);
    if (!a) return;
    (void)cudaFree(a->scratch);
    gb_growable_destroy(a->array);
    gb_growable_pool_destroy(a->pool);
    free(a);
    job->state = NULL;
}
