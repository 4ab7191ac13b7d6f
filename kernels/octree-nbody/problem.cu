/* A point's data: the bodies, as kernels/octree makes them, and the softening. */
#include "kernels/octree-nbody/nbody.cuh"

#include <math.h>
#include <stdlib.h>

gb_status nb_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    const gb_params tree = nb_tree_params(params);
    *out = NULL;
    nb_problem *p = (nb_problem *)calloc(1, sizeof *p);
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = nb_shape_of(params);
    const gb_status status = oc_open(&tree, seed, device, &p->tree, error);
    if (status != GB_OK) {
        free(p);
        return status;
    }
    const double side = (double)(1u << OC_DEPTH) / (double)p->tree->box.scale;
    const double eps = side / cbrt((double)(p->shape.bodies.n + 1)) / 50;
    p->eps2 = (float)(eps * eps);
    *out = reinterpret_cast<gb_problem *>(p);
    return GB_OK;
}

void nb_close(gb_problem *problem)
{
    nb_problem *p = reinterpret_cast<nb_problem *>(problem);
    if (!p) return;
    oc_close(p->tree);
    free(p);
}

gb_status nb_poison(gb_job *job, gb_stream stream)
{
    return static_cast<const nb_state *>(job->state)->poison(job, stream);
}

/* ---- stages ---------------------------------------------------------------------------------- */

gb_status nb_queue(gb_job *job, const nb_stages *stages, gb_stream stream)
{
    const nb_shape *shape = &nb_problem_of(job)->shape;
    cudaStream_t on = gb_cuda_stream(stream);
    gb_status status = GB_OK;
    if (nb_does(shape, NB_BUILD)) status = stages->build(job, on, &job->error);
    if (status == GB_OK && nb_does(shape, NB_SUMS)) status = stages->sums(job, on, &job->error);
    if (status == GB_OK && nb_does(shape, NB_FORCE)) status = stages->force(job, on, &job->error);
    return status;
}

gb_status nb_queue_before(gb_job *job, const nb_stages *stages)
{
    const nb_shape *shape = &nb_problem_of(job)->shape;
    cudaStream_t on = gb_cuda_stream(job->stream);
    gb_status status = GB_OK;
    if (shape->stage == NB_SUMS || shape->stage == NB_FORCE)
        status = stages->build(job, on, &job->error);
    if (status == GB_OK && shape->stage == NB_FORCE) status = stages->sums(job, on, &job->error);
    if (status == GB_OK) GB_TRY(cudaStreamSynchronize(on), &job->error);
    return status;
}
