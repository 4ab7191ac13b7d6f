/* Variant auto: seeded, by insertion or by morton, whichever is fastest. How many bodies there are
 * and how many a leaf may hold is known at once; the rest is told by a sample, on the device, so
 * that the host waits for nothing: all that may be is queued, and some has nothing to do. */
#include "kernels/octree/insert/insert.cuh"
#include "kernels/octree/morton/builder.h"
#include "kernels/octree/seeded/seeded.h"

#include <stdlib.h>

/* Fewer are put in as fast as sorted, or faster, whatever they are; a sample costs more than it can
 * tell (README.md). */
uint64_t oc_sampled_from = 1500000;

typedef struct choice {
    oc_state state;
    mo_builder *builder;    /* NULL: never */
    gb_job insertion;       /* state NULL: never */
    const unsigned *yields; /* device; NULL: there is nothing to choose */
} choice;

static choice *choice_of(const gb_job *job)
{
    return static_cast<choice *>(job->state);
}

/* Hands a failure of the insertion on. */
static gb_status of_insertion(gb_job *job, gb_status status)
{
    if (status != GB_OK) job->error = choice_of(job)->insertion.error;
    return status;
}

static gb_status view(gb_job *job, oc_view *view)
{
    choice *c = choice_of(job);
    unsigned inserted = !c->builder;
    oc_view by_insertion = {}, by_sort = {};
    if (c->yields)
        GB_TRY(cudaMemcpy(&inserted, c->yields, sizeof inserted, cudaMemcpyDeviceToHost),
               &job->error);
    gb_status status = GB_OK;
    if (c->insertion.state)
        status = of_insertion(
            job,
            static_cast<const oc_state *>(c->insertion.state)->view(&c->insertion, &by_insertion));
    if (status == GB_OK && c->builder) status = mo_builder_view(c->builder, &by_sort, &job->error);
    *view = inserted ? by_insertion : by_sort;
    view->bytes = by_insertion.bytes + by_sort.bytes;
    return status;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    choice *c = choice_of(job);
    gb_status status = GB_OK;
    if (c->insertion.state) status = of_insertion(job, oc_poison(&c->insertion, stream));
    if (status == GB_OK && c->builder)
        status = mo_builder_poison(c->builder, gb_cuda_stream(stream), &job->error);
    return status;
}

static gb_status prepare(gb_job *job)
{
    const gb_problem *p = job->problem;
    choice *c = (choice *)calloc(1, sizeof *c);
    if (!c) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a build");
    job->state = c;
    c->state.view = view;
    c->state.poison = poison;
    const bool few = p->shape.leaf == 1 && p->shape.n < oc_sampled_from;
    c->insertion = *job;
    c->insertion.variant =
        few && p->shape.n <= OC_SEEDED_MOST ? &oc_seeded : &oc_octreebuild_lf_tuned;
    c->insertion.state = NULL;
    gb_status status = GB_OK;
    if (!few)
        status = mo_builder_open(p->shape.n, p->shape.n, p->shape.leaf, p->shape.pool, MO_AS_FITS,
                                 job->device, &c->builder, &job->error);
    if (status == GB_OK && c->builder && p->shape.leaf == 1)
        c->yields = mo_builder_may_yield(c->builder);
    if (status != GB_OK || (!few && !c->yields)) return status;
    status = of_insertion(job, c->insertion.variant->prepare(&c->insertion));
    if (status == GB_OK) oc_insert_only_if(&c->insertion, c->yields);
    return status;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    choice *c = choice_of(job);
    const gb_problem *p = job->problem;
    gb_status status = GB_OK;
    if (c->builder)
        status = mo_builder_build(c->builder, p->bodies, p->shape.n, p->box, gb_cuda_stream(stream),
                                  &job->error);
    if (status == GB_OK && c->insertion.state)
        status = of_insertion(job, oc_insert_run(&c->insertion, stream));
    return status;
}

static void cleanup(gb_job *job)
{
    choice *c = choice_of(job);
    if (!c) return;
    if (c->insertion.state) oc_insert_cleanup(&c->insertion);
    mo_builder_close(c->builder);
    free(c);
    job->state = NULL;
}

extern "C" const gb_variant oc_auto = {
    "auto",
    "seeded, by insertion or by morton, as their number and a sample of the bodies ask for",
    "gpubench",
    0,
    oc_full_grid,
    prepare,
    NULL,
    run,
    cleanup,
};
