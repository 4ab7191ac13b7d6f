/* Variants morton, and morton-regions: the build (builder.h) as the worker runs it. */
#include "kernels/octree/morton/builder.h"

#include <stdlib.h>

typedef struct morton {
    oc_state state;
    mo_builder *builder;
} morton;

static mo_builder *builder_of(const gb_job *job)
{
    return static_cast<const morton *>(job->state)->builder;
}

static gb_status view(gb_job *job, oc_view *view)
{
    return mo_builder_view(builder_of(job), view, &job->error);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    return mo_builder_poison(builder_of(job), gb_cuda_stream(stream), &job->error);
}

static gb_status prepare_as(gb_job *job, mo_way way)
{
    const gb_problem *p = job->problem;
    morton *m = (morton *)calloc(1, sizeof *m);
    if (!m) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a build");
    job->state = m;
    m->state.view = view;
    m->state.poison = poison;
    return mo_builder_open(p->shape.n, p->shape.n, p->shape.leaf, p->shape.pool, way, job->device,
                           &m->builder, &job->error);
}

static gb_status prepare(gb_job *job)
{
    return prepare_as(job, MO_AS_FITS);
}

static gb_status prepare_regions(gb_job *job)
{
    return prepare_as(job, MO_BY_REGIONS);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    return mo_builder_build(builder_of(job), p->bodies, p->shape.n, p->box, gb_cuda_stream(stream),
                            &job->error);
}

static void cleanup(gb_job *job)
{
    morton *m = static_cast<morton *>(job->state);
    if (!m) return;
    mo_builder_close(m->builder);
    free(m);
    job->state = NULL;
}

extern "C" const gb_variant oc_morton = {
    "morton",     "bodies to buckets by a sample's tree, ordered and made cells in shared memory",
    "gpubench",   0,
    oc_full_grid, prepare,
    NULL,         run,
    cleanup,
};

extern "C" const gb_variant oc_morton_regions = {
    "morton-regions",
    "the same, to regions of about a million bodies first, whatever their number",
    "gpubench",
    0,
    oc_full_grid,
    prepare_regions,
    NULL,
    run,
    cleanup,
};
