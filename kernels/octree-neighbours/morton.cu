/* Variant morton: the tree by morton of kernels/octree, searched by neighbours on the curve
 * together.
 */
#include "kernels/octree-neighbours/walk.cuh"
#include "kernels/octree/morton/builder.h"

#include <stdlib.h>

typedef struct morton {
    nn_state state;
    mo_builder *builder;
    nn_tree tree;
    float4 *sorted; /* n */
} morton;

static const char *unsupported(const gb_params *, const gb_device *)
{
    return NULL;
}

static gb_status queue_build(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const morton *m = static_cast<const morton *>(job->state);
    const gb_problem *tree = nn_problem_of(job)->tree;
    const gb_status status =
        mo_builder_build(m->builder, tree->bodies, tree->shape.n, tree->box, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(launch(nn_gather, gb_grid(job->device, m->tree.n), dim3(GB_GRID_THREADS), 0, stream,
                  m->tree, static_cast<const float4 *>(tree->bodies), m->sorted),
           error);
    return GB_OK;
}

template <class Query>
static gb_status queue_as(const gb_job *job, unsigned before, cudaStream_t stream, gb_error *error)
{
    const morton *m = static_cast<const morton *>(job->state);
    const nn_problem *p = nn_problem_of(job);
    const unsigned blocks = (m->tree.n + NN_WALK_THREADS - 1) / NN_WALK_THREADS;
    GB_TRY(launch(nn_ask<Query, nn_found>, dim3(blocks), dim3(NN_WALK_THREADS),
                  (size_t)Query::SHARED * p->shape.k * NN_WALK_THREADS, stream, m->tree, p->radius,
                  p->shape.k, before, m->state.found),
           error);
    return GB_OK;
}

static gb_status queue_queries(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    return nn_problem_of(job)->shape.find == NN_NEAREST
               ? queue_as<nn_nearest>(job, NN_BEFORE, stream, error)
               : queue_as<nn_within>(job, 0, stream, error);
}

static const nn_stages stages = {queue_build, queue_queries};

static gb_status view(gb_job *job, oc_view *view)
{
    return mo_builder_view(static_cast<const morton *>(job->state)->builder, view, &job->error);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const morton *m = static_cast<const morton *>(job->state);
    GB_TRY(cudaMemsetAsync(m->sorted, OC_POISON, (uint64_t)m->tree.n * sizeof *m->sorted,
                           gb_cuda_stream(stream)),
           &job->error);
    return mo_builder_poison(m->builder, gb_cuda_stream(stream), &job->error);
}

static gb_status prepare(gb_job *job)
{
    const gb_problem *tree = nn_problem_of(job)->tree;
    const oc_shape *shape = &tree->shape;
    morton *m = (morton *)calloc(1, sizeof *m);
    if (!m) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for queries");
    job->state = m;
    m->state.stages = &stages;
    m->state.view = view;
    m->state.poison = poison;
    gb_status status = nn_found_open(job, &m->state);
    if (status == GB_OK)
        status = mo_builder_open(shape->n, shape->n, shape->leaf, shape->pool, MO_AS_FITS,
                                 job->device, &m->builder, &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc((void **)&m->sorted, shape->n * sizeof *m->sorted + 16,
                                "bodies in their order", &job->error);
    if (status == GB_OK)
        status =
            gb_allow_shared(nn_ask<nn_nearest, nn_found>,
                            (size_t)nn_nearest::SHARED * NN_MOST * NN_WALK_THREADS, &job->error);
    if (status != GB_OK) return status;
    const mo_tree made = mo_builder_tree(m->builder);
    m->tree.slot = made.slot;
    m->tree.order = made.order;
    m->tree.first = made.first;
    m->tree.trouble = made.trouble;
    m->tree.sorted = m->sorted;
    m->tree.n = (uint32_t)shape->n;
    m->tree.box = tree->box;
    m->tree.slack = nn_slack_of(tree->box);
    return nn_queue_before(job);
}

static void cleanup(gb_job *job)
{
    morton *m = static_cast<morton *>(job->state);
    if (!m) return;
    nn_found_close(&m->state);
    mo_builder_close(m->builder);
    (void)cudaFree(m->sorted);
    free(m);
    job->state = NULL;
}

extern "C" const gb_variant nn_morton = {
    "morton",    "the octree by a sort, searched by neighbours on the curve together",
    "gpubench",  0,
    unsupported, prepare,
    NULL,        nn_queue,
    cleanup,
};
