/* A point's data: the bodies of every rank, made on its device from the seed, and the cube around
 * all of them. */
#include "common/cuda/grid.cuh"
#include "kernels/octree-multi/parts.cuh"
#include "kernels/octree/bodies.h"
#include "kernels/octree/box.h"

#include <stdlib.h>

/* Bodies [first, first + count). */
static __global__ void om_make_bodies(oc_bodies made, uint64_t first, uint64_t count,
                                      float4 *bodies)
{
    for (uint64_t i = gb_first(); i < count; i += gb_stride()) {
        const oc_body b = oc_make_body(&made, first + i);
        bodies[i] = make_float4(b.x, b.y, b.z, b.mass);
    }
}

static gb_status fill(om_problem *p, unsigned i, gb_error *error)
{
    const gb_rank *rank = &p->comm->local[i];
    const uint64_t count = om_share(p, rank->rank);
    gb_status status =
        gb_comm_malloc(p->comm, i, &p->bodies[i], count * sizeof(float4) + 16, "the bodies", error);
    if (status != GB_OK || count == 0) return status;
    GB_TRY(launch(om_make_bodies, gb_grid(&rank->device, count), dim3(GB_GRID_THREADS), 0, 0,
                  oc_bodies_of(&p->shape.bodies, p->seed), om_share_begin(&p->shape, rank->rank),
                  count, static_cast<float4 *>(p->bodies[i])),
           error);
    return GB_OK;
}

/* Every process looks at all bodies, piece by piece, so that none has to ask the others. */
static gb_status find_box(om_problem *p, const gb_device *device, gb_error *error)
{
    const uint64_t n = p->shape.bodies.n, most = 1 << 24, piece = n < most ? n : most;
    oc_extent all = oc_extent_of_none();
    void *bodies;
    p->box = oc_box{0, 0, 0, 1};
    if (n == 0) return GB_OK;
    gb_status status = gb_cuda_malloc(&bodies, piece * sizeof(float4), "the bodies", error);
    for (uint64_t at = 0; at < n && status == GB_OK; at += piece) {
        const uint64_t count = n - at < piece ? n - at : piece;
        const cudaError_t code = launch(
            om_make_bodies, gb_grid(device, count), dim3(GB_GRID_THREADS), 0, 0,
            oc_bodies_of(&p->shape.bodies, p->seed), at, count, static_cast<float4 *>(bodies));
        status = gb_cuda_status(code, "making bodies", error);
        if (status == GB_OK) status = oc_extent_join(bodies, count, device, &all, error);
    }
    (void)cudaFree(bodies);
    return status == GB_OK ? oc_cube_around(&all, NULL, &p->box, error) : status;
}

static gb_status fill_all(om_problem *p, const gb_device *device, gb_error *error)
{
    gb_status status = gb_comm_open(device, p->shape.gpus, 0, &p->comm, error);
    for (unsigned i = 0; status == GB_OK && i < p->comm->locals; i++)
        status = fill(p, i, error);
    for (unsigned i = 0; status == GB_OK && i < p->comm->locals; i++) {
        status = gb_comm_enter(p->comm, i, error);
        if (status == GB_OK) GB_TRY(cudaDeviceSynchronize(), error);
    }
    if (status == GB_OK) status = gb_comm_enter(p->comm, 0, error);
    return status == GB_OK ? find_box(p, device, error) : status;
}

gb_status om_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    om_problem *p = (om_problem *)calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = om_shape_of(params);
    p->seed = seed;
    const gb_status status = fill_all(p, device, error);
    if (status == GB_OK)
        *out = reinterpret_cast<gb_problem *>(p);
    else
        om_close(reinterpret_cast<gb_problem *>(p));
    return status;
}

void om_close(gb_problem *problem)
{
    om_problem *p = reinterpret_cast<om_problem *>(problem);
    if (!p) return;
    om_checker_close(p);
    for (unsigned i = 0; p->comm && i < p->comm->locals; i++)
        gb_comm_free(p->comm, i, p->bodies[i]);
    gb_comm_close(p->comm);
    free(p);
}

gb_status om_poison(gb_job *job, gb_stream stream)
{
    const om_state *state = static_cast<const om_state *>(job->state);
    return state->poison(job, stream);
}
