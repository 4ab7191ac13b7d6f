/* A point's data: bodies where they were, moved, and the cube around both. And the verdict: the
 * tree is that of the bodies where they are, as kernels/octree judges every tree. */
#include "kernels/octree-update/types.cuh"
#include "kernels/octree/bodies.h"
#include "kernels/octree/box.h"
#include "kernels/octree/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Streams of the generator: a body's next step, and the one before. */
enum { OU_STREAM_MOVE = 300 };

/* ---- bodies ---------------------------------------------------------------------------------- */

static __device__ __forceinline__ float ou_moved_by(uint32_t word, float step)
{
    return (float)(OC_MUL(oc_signed(word), (double)step));
}

static __device__ __forceinline__ float4 ou_body(const oc_bodies &made, uint64_t i, ou_when when,
                                                 float step)
{
    const oc_body b = oc_make_body(&made, i);
    if (when == OU_OLD) return make_float4(b.x, b.y, b.z, b.mass);
    const gb_random4 r = gb_random(made.seed, OU_STREAM_MOVE + (uint32_t)when, i);
    return make_float4(b.x + ou_moved_by(r.word[0], step), b.y + ou_moved_by(r.word[1], step),
                       b.z + ou_moved_by(r.word[2], step), b.mass);
}

static __global__ void ou_make_bodies(oc_bodies made, ou_when when, float step, float4 *bodies)
{
    for (uint64_t i = gb_first(); i < made.n; i += gb_stride())
        bodies[i] = ou_body(made, i, when, step);
}

/* The first body that is not as it was made. */
static __global__ void ou_judge_bodies(oc_bodies made, float step, const float4 *bodies,
                                       unsigned long long *first)
{
    for (uint64_t i = gb_first(); i < made.n; i += gb_stride()) {
        const float4 b = ou_body(made, i, OU_NOW, step), is = bodies[i];
        if (__float_as_uint(is.x) != __float_as_uint(b.x) ||
            __float_as_uint(is.y) != __float_as_uint(b.y) ||
            __float_as_uint(is.z) != __float_as_uint(b.z) ||
            __float_as_uint(is.w) != __float_as_uint(b.w))
            atomicMin(first, (unsigned long long)i);
    }
}

gb_status ou_make(const ou_problem *p, ou_when when, const gb_device *device, float4 *bodies,
                  cudaStream_t stream, gb_error *error)
{
    GB_TRY(launch(ou_make_bodies, gb_grid(device, p->shape.bodies.n), dim3(GB_GRID_THREADS), 0,
                  stream, oc_bodies_of(&p->shape.bodies, p->tree->seed), when, p->step, bodies),
           error);
    return GB_OK;
}

/* Moves the bodies, and takes the cube around all that they ever were. */
static gb_status move(ou_problem *p, const gb_device *device, gb_error *error)
{
    gb_problem *tree = p->tree;
    const uint64_t n = p->shape.bodies.n;
    const double side = (double)(1u << OC_DEPTH) / (double)tree->box.scale;
    float4 *bodies = static_cast<float4 *>(tree->bodies);
    oc_extent all = oc_extent_of_none();
    gb_status status = GB_OK;
    p->step = (float)(p->shape.moved * side / cbrt((double)n));
    for (int when = OU_BEFORE; when <= OU_NOW && status == GB_OK; when++) {
        status = ou_make(p, (ou_when)when, device, bodies, 0, error);
        if (status == GB_OK) status = oc_extent_join(bodies, n, device, &all, error);
    }
    return status == GB_OK ? oc_cube_around(&all, NULL, &tree->box, error) : status;
}

gb_status ou_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    const gb_params tree = ou_tree_params(params);
    *out = NULL;
    ou_problem *p = (ou_problem *)calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = ou_shape_of(params);
    gb_status status = oc_open(&tree, seed, device, &p->tree, error);
    if (status == GB_OK && p->shape.bodies.n) status = move(p, device, error);
    if (status == GB_OK)
        *out = reinterpret_cast<gb_problem *>(p);
    else
        ou_close(reinterpret_cast<gb_problem *>(p));
    return status;
}

void ou_close(gb_problem *problem)
{
    ou_problem *p = reinterpret_cast<ou_problem *>(problem);
    if (!p) return;
    oc_close(p->tree);
    free(p);
}

gb_status ou_poison(gb_job *job, gb_stream stream)
{
    const ou_state *state = static_cast<const ou_state *>(job->state);
    return state->poison ? state->poison(job, stream) : GB_OK;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static gb_status check_bodies(const ou_problem *p, const gb_device *device, gb_error *error)
{
    unsigned long long *device_first, first = ~0ull;
    gb_status status =
        gb_cuda_malloc((void **)&device_first, sizeof first, "the checker's word", error);
    if (status != GB_OK) return status;
    cudaError_t code = cudaMemcpy(device_first, &first, sizeof first, cudaMemcpyHostToDevice);
    if (code == cudaSuccess)
        code = launch(ou_judge_bodies, gb_grid(device, p->shape.bodies.n), dim3(GB_GRID_THREADS), 0,
                      0, oc_bodies_of(&p->shape.bodies, p->tree->seed), p->step,
                      static_cast<const float4 *>(p->tree->bodies), device_first);
    if (code == cudaSuccess)
        code = cudaMemcpy(&first, device_first, sizeof first, cudaMemcpyDeviceToHost);
    (void)cudaFree(device_first);
    GB_TRY(code, error);
    if (first == ~0ull) return GB_OK;
    return gb_fail(error, GB_WRONG, "body %llu was overwritten", first);
}

gb_status ou_check(gb_job *job, gb_stream stream)
{
    const ou_problem *p = ou_problem_of(job);
    oc_view view = {};
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = check_bodies(p, job->device, &job->error);
    if (status == GB_OK) status = static_cast<const ou_state *>(job->state)->view(job, &view);
    return status == GB_OK ? oc_judge_tree(p->tree, &view, NULL, &job->error) : status;
}

static gb_status write_counts(gb_job *job, FILE *rows)
{
    const ou_state *state = static_cast<const ou_state *>(job->state);
    uint64_t counts[3];
    if (!state->counts)
        return gb_fail(&job->error, GB_UNSUPPORTED, "this variant builds from scratch");
    const gb_status status = state->counts(job, counts);
    if (status == GB_OK)
        fprintf(rows, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", counts[0], counts[1], counts[2]);
    return status;
}

const gb_dump ou_dumps[] = {
    {"counts",
     "bodies that left their slots, cells that were taken out, and cells that were put in",
     "bodies,cells_out,cells_in", write_counts},
    {NULL, NULL, NULL, NULL},
};
