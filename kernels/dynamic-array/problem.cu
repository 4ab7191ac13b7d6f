/* A point's data: made on the device from the seed, copied to the host for variants there. */
#include "common/cuda/grid.cuh"
#include "kernels/dynamic-array/dynamic_array.h"

#include <stdlib.h>

/* Bytes behind the input. They are 0, which is an element that passes: who takes one of them pushes
 * it a second time. */
enum { SLACK = 16 };

static __global__ void make_input(da_values values, uint32_t *in)
{
    for (uint64_t i = gb_first(); i < values.n; i += gb_stride())
        in[i] = da_value(&values, i);
}

static gb_status fill(gb_problem *p, gb_error *error)
{
    gb_status status = gb_cuda_malloc((void **)&p->in, p->shape.n * 4 + SLACK, "the input", error);
    if (status != GB_OK || p->shape.n == 0) return status;
    GB_TRY(cudaMemset(p->in + p->shape.n, 0, SLACK), error);
    GB_TRY(launch(make_input, gb_grid(p->device, p->shape.n), dim3(GB_GRID_THREADS), 0, 0,
                  p->values, p->in),
           error);
    GB_TRY(cudaDeviceSynchronize(), error);
    return GB_OK;
}

gb_status da_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    problem->shape = da_shape_of(params);
    problem->values =
        da_values_of(problem->shape.n, problem->shape.kept, problem->shape.sorted, seed);
    problem->seed = seed;
    problem->device = device;
    gb_status status = fill(problem, error);
    if (status == GB_OK)
        *out = problem;
    else
        da_close(problem);
    return status;
}

void da_close(gb_problem *problem)
{
    if (!problem) return;
    da_checker_close(problem);
    (void)cudaFree(problem->in);
    if (problem->host_in) (void)cudaFreeHost(problem->host_in);
    free(problem);
}

gb_status da_problem_host(gb_job *job)
{
    gb_problem *p = job->problem;
    if (p->host_in) return GB_OK;
    gb_status status =
        gb_cuda_malloc_host((void **)&p->host_in, p->shape.n * 4 + SLACK, "the input", &job->error);
    if (status != GB_OK || p->shape.n == 0) return status;
    GB_TRY(cudaMemcpy(p->host_in, p->in, p->shape.n * 4 + SLACK, cudaMemcpyDeviceToHost),
           &job->error);
    return GB_OK;
}

gb_status da_poison(gb_job *job, gb_stream stream)
{
    const da_state *state = static_cast<const da_state *>(job->state);
    return state->poison ? state->poison(job, stream) : GB_OK;
}

gb_status da_view_reserve(da_view *view, size_t most, gb_error *error)
{
    view->segments = static_cast<da_segment *>(calloc(most + 1, sizeof(da_segment)));
    return view->segments ? GB_OK : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a view");
}

void da_view_add(da_view *view, const uint32_t *at, uint64_t begin, uint64_t room)
{
    const uint64_t left = view->size > begin ? view->size - begin : 0;
    if (at) view->buckets++;
    if (at || left) view->segments[view->count++] = {at, begin, left < room ? left : room, room};
}
