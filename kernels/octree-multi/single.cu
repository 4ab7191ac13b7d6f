/* Variant single: the fastest build of one GPU, where its bodies lie; what several are held
 * against.
 */
#include "kernels/octree-multi/parts.cuh"
#include "kernels/octree/morton/builder.h"

#include <stdlib.h>

typedef struct single {
    om_state state;
    mo_builder *builder;
} single;

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    (void)device;
    return params->value[OM_GPUS].size == 1 ? NULL : "what one GPU does alone: gpus 1";
}

static gb_status part(gb_job *job, unsigned i, om_part *part)
{
    const om_problem *p = om_problem_of(job);
    part->bodies = p->bodies[i];
    part->n = p->shape.bodies.n;
    part->top = NULL;
    return mo_builder_view(static_cast<const single *>(job->state)->builder, &part->tree,
                           &job->error);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    return mo_builder_poison(static_cast<const single *>(job->state)->builder,
                             gb_cuda_stream(stream), &job->error);
}

static gb_status prepare(gb_job *job)
{
    const om_shape *shape = &om_problem_of(job)->shape;
    single *s = (single *)calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a build");
    job->state = s;
    s->state.part = part;
    s->state.poison = poison;
    return mo_builder_open(shape->bodies.n, shape->bodies.n, shape->bodies.leaf, shape->bodies.pool,
                           MO_AS_FITS, job->device, &s->builder, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const om_problem *p = om_problem_of(job);
    return mo_builder_build(static_cast<const single *>(job->state)->builder, p->bodies[0],
                            p->shape.bodies.n, p->box, gb_cuda_stream(stream), &job->error);
}

static void cleanup(gb_job *job)
{
    single *s = static_cast<single *>(job->state);
    if (!s) return;
    mo_builder_close(s->builder);
    free(s);
    job->state = NULL;
}

extern "C" const gb_variant om_single = {
    "single",    "one GPU alone: morton of kernels/octree, where the bodies lie",
    "gpubench",  0,
    unsupported, prepare,
    NULL,        run,
    cleanup,
};
