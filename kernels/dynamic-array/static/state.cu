/* The memory of the arrays that do not grow. */
#include "common/cuda/grid.cuh"
#include "kernels/dynamic-array/static/static.cuh"

#include <stdlib.h>

static gb_status view(gb_job *job, da_view *view)
{
    const da_static_state *a = static_cast<const da_static_state *>(job->state);
    unsigned long long size;
    GB_TRY(cudaMemcpy(&size, a->size, sizeof size, cudaMemcpyDeviceToHost), &job->error);
    gb_status status = da_view_reserve(view, 1, &job->error);
    if (status != GB_OK) return status;
    view->size = size;
    view->allocations = 1;
    view->arena = a->out;
    view->arena_bytes = a->room * 4;
    view->poisoned = true;
    da_view_add(view, a->out, 0, a->room);
    return GB_OK;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const da_static_state *a = static_cast<const da_static_state *>(job->state);
    GB_TRY(cudaMemsetAsync(a->out, DA_POISON, a->room * 4, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

gb_status da_static_prepare(gb_job *job)
{
    const da_shape *shape = &job->problem->shape;
    da_static_state *a = (da_static_state *)calloc(1, sizeof *a);
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an array");
    a->state.view = view;
    a->state.poison = poison;
    a->room = (shape->held + shape->n) / 4 * 4 + 4;
    job->state = a;
    gb_status status = gb_cuda_malloc((void **)&a->out, a->room * 4, "the array", &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc((void **)&a->size, sizeof *a->size, "the array", &job->error);
    return status;
}

static __global__ void hold(da_values values, uint64_t held, uint32_t *out,
                            unsigned long long *size)
{
    for (uint64_t j = gb_first(); j < held; j += gb_stride())
        out[j] = da_held_value(&values, j);
    if (gb_first() == 0) *size = held;
}

gb_status da_static_reset(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const da_static_state *a = static_cast<const da_static_state *>(job->state);
    GB_TRY(launch(hold, gb_grid(job->device, p->shape.held), dim3(GB_GRID_THREADS), 0,
                  gb_cuda_stream(stream), p->values, p->shape.held, a->out, a->size),
           &job->error);
    return GB_OK;
}

void da_static_cleanup(gb_job *job)
{
    da_static_state *a = static_cast<da_static_state *>(job->state);
    if (!a) return;
    (void)cudaFree(a->out);
    (void)cudaFree(a->size);
    (void)cudaFree(a->scratch);
    free(a);
    job->state = NULL;
}
