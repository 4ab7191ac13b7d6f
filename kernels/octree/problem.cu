/* A point's data: the bodies, made on the device from the seed or read from a file, the cube around
 * them, and a copy on the host for variants there. */
#include "common/cuda/grid.cuh"
#include "kernels/octree/bodies.h"
#include "kernels/octree/box.h"
#include "kernels/octree/file.h"

#include <stdlib.h>

static __global__ void make_bodies(oc_bodies made, float4 *bodies)
{
    for (uint64_t i = gb_first(); i < made.n; i += gb_stride()) {
        const oc_body b = oc_make_body(&made, i);
        bodies[i] = make_float4(b.x, b.y, b.z, b.mass);
    }
}

/* ---- the cube -------------------------------------------------------------------------------- */

static gb_status unfit_body(const gb_problem *p, unsigned i, gb_error *error)
{
    float4 body;
    GB_TRY(cudaMemcpy(&body, (const float4 *)p->bodies + i, sizeof body, cudaMemcpyDeviceToHost),
           error);
    return gb_fail(error, p->shape.path ? GB_NO_INPUT : GB_UNSUPPORTED,
                   "body %u lies at (%g, %g, %g): coordinates must be finite numbers%s%s", i,
                   (double)body.x, (double)body.y, (double)body.z, p->shape.path ? "; mend " : "",
                   p->shape.path ? p->shape.path : "");
}

static gb_status find_box(gb_problem *p, gb_error *error)
{
    oc_extent all = oc_extent_of_none();
    p->box = oc_box{0, 0, 0, 1};
    if (p->shape.n == 0) return GB_OK;
    const gb_status status = oc_extent_join(p->bodies, p->shape.n, p->device, &all, error);
    if (status != GB_OK) return status;
    if (all.unfit != ~0u) return unfit_body(p, all.unfit, error);
    return oc_cube_around(&all, p->shape.path, &p->box, error);
}

/* ---- opening and closing --------------------------------------------------------------------- */

static const uint64_t FILE_PIECE = 1 << 20; /* bodies on the host at a time */

static gb_status copy_file(gb_problem *p, oc_file *file, oc_body *piece, gb_error *error)
{
    for (uint64_t at = 0; at < p->shape.n; at += FILE_PIECE) {
        const uint64_t left = p->shape.n - at, count = left < FILE_PIECE ? left : FILE_PIECE;
        const gb_status status = oc_file_read(file, piece, count, error);
        if (status != GB_OK) return status;
        GB_TRY(cudaMemcpy((float4 *)p->bodies + at, piece, count * sizeof *piece,
                          cudaMemcpyHostToDevice),
               error);
    }
    return GB_OK;
}

static gb_status fill_from_file(gb_problem *p, gb_error *error)
{
    oc_file *file;
    gb_status status = oc_file_open(p->shape.path, p->shape.n, &file, error);
    if (status != GB_OK) return status;
    const uint64_t most = p->shape.n < FILE_PIECE ? p->shape.n : FILE_PIECE;
    oc_body *piece = (oc_body *)malloc(most * sizeof *piece + 1);
    if (piece)
        status = copy_file(p, file, piece, error);
    else
        status = gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to read %s", p->shape.path);
    free(piece);
    oc_file_close(file);
    return status;
}

static gb_status fill(gb_problem *p, gb_error *error)
{
    gb_status status =
        gb_cuda_malloc(&p->bodies, p->shape.n * sizeof(float4) + 16, "the bodies", error);
    if (status != GB_OK) return status;
    if (p->shape.dist == OC_DIST_FILE) return fill_from_file(p, error);
    if (p->shape.n == 0) return GB_OK;
    GB_TRY(launch(make_bodies, gb_grid(p->device, p->shape.n), dim3(GB_GRID_THREADS), 0, 0,
                  oc_bodies_of(&p->shape, p->seed), (float4 *)p->bodies),
           error);
    GB_TRY(cudaDeviceSynchronize(), error);
    return GB_OK;
}

gb_status oc_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    problem->shape = oc_shape_of(params);
    problem->seed = seed;
    problem->device = device;
    gb_status status = fill(problem, error);
    if (status == GB_OK) status = find_box(problem, error);
    if (status == GB_OK) status = oc_checker_open(problem, error);
    if (status == GB_OK)
        *out = problem;
    else
        oc_close(problem);
    return status;
}

void oc_close(gb_problem *problem)
{
    if (!problem) return;
    oc_checker_close(problem);
    (void)cudaFree(problem->bodies);
    if (problem->host_bodies) (void)cudaFreeHost(problem->host_bodies);
    free(problem);
}

gb_status oc_problem_host(gb_job *job)
{
    gb_problem *p = job->problem;
    if (p->host_bodies) return GB_OK;
    const uint64_t bytes = p->shape.n * sizeof(oc_body);
    gb_status status =
        gb_cuda_malloc_host((void **)&p->host_bodies, bytes + 16, "the bodies", &job->error);
    if (status != GB_OK || p->shape.n == 0) return status;
    GB_TRY(cudaMemcpy(p->host_bodies, p->bodies, bytes, cudaMemcpyDeviceToHost), &job->error);
    return GB_OK;
}

gb_status oc_poison(gb_job *job, gb_stream stream)
{
    const oc_state *state = static_cast<const oc_state *>(job->state);
    return state->poison ? state->poison(job, stream) : GB_OK;
}
