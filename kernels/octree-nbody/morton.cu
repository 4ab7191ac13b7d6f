/* Variant morton: the tree by morton of kernels/octree, sums from the leaves up over bodies that
 * are brought into the order of the curve, and the force on groups of neighbours. */
#include "kernels/octree-nbody/groups.cuh"
#include "kernels/octree/morton/builder.h"

#include <stdlib.h>

typedef struct morton {
    nb_state state;
    mo_builder *builder;
    nb_tree tree;
    nb_ranges leaves;
    nb_summing summing;
    nb_groups groups;
    float4 *sorted; /* n */
    float4 *force;  /* n */
} morton;

static const char *unsupported(const gb_params *, const gb_device *)
{
    return NULL;
}

/* ---- stages ---------------------------------------------------------------------------------- */

static gb_status queue_build(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const gb_problem *tree = nb_problem_of(job)->tree;
    return mo_builder_build(static_cast<const morton *>(job->state)->builder, tree->bodies,
                            tree->shape.n, tree->box, stream, error);
}

static gb_status queue_sums(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const morton *m = static_cast<const morton *>(job->state);
    const gb_status status = nb_queue_gather(m->tree, m->sorted, job->device, stream, error);
    if (status != GB_OK) return status;
    return nb_queue_sums(m->tree, m->leaves, m->summing, nb_by_theta(&nb_problem_of(job)->shape),
                         NB_FROM_CENTRE, job->device, stream, error);
}

static gb_status queue_force(const gb_job *job, cudaStream_t stream, gb_error *error)
{
    const morton *m = static_cast<const morton *>(job->state);
    const dim3 grid((unsigned)(job->device->sms > 0 ? job->device->sms : 1) * NB_GROUP_BLOCKS);
    GB_TRY(cudaMemsetAsync(m->groups.words, 0, sizeof *m->groups.words, stream), error);
    GB_TRY(launch(nb_find_groups, gb_grid(job->device, m->tree.pool), dim3(GB_GRID_THREADS), 0,
                  stream, m->tree, m->leaves, m->summing.sums, m->groups),
           error);
    GB_TRY(launch(nb_force_of_groups, grid, dim3(NB_GROUP_THREADS), 0, stream, m->tree, m->leaves,
                  m->summing.sums, nb_problem_of(job)->eps2, m->groups, m->force),
           error);
    return GB_OK;
}

static const nb_stages stages = {queue_build, queue_sums, queue_force};

/* ---- what is left ---------------------------------------------------------------------------- */

static gb_status view(gb_job *job, nb_view *view)
{
    const morton *m = static_cast<const morton *>(job->state);
    view->has_tree = true;
    view->rule = NB_FROM_CENTRE;
    view->sums = m->summing.sums;
    view->force = m->force;
    return mo_builder_view(m->builder, &view->tree, &job->error);
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const morton *m = static_cast<const morton *>(job->state);
    const nb_shape *shape = &nb_problem_of(job)->shape;
    const uint64_t bytes = (uint64_t)m->tree.n * sizeof(float4);
    cudaStream_t on = gb_cuda_stream(stream);
    gb_status status = GB_OK;
    if (nb_does(shape, NB_BUILD)) status = mo_builder_poison(m->builder, on, &job->error);
    if (status != GB_OK) return status;
    if (nb_does(shape, NB_SUMS)) {
        GB_TRY(cudaMemsetAsync(m->summing.memory, OC_POISON, m->summing.bytes, on), &job->error);
        GB_TRY(cudaMemsetAsync(m->sorted, OC_POISON, bytes, on), &job->error);
    }
    if (nb_does(shape, NB_FORCE))
        GB_TRY(cudaMemsetAsync(m->force, OC_POISON, bytes, on), &job->error);
    return GB_OK;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static gb_status allocate(gb_job *job, morton *m)
{
    const nb_problem *p = nb_problem_of(job);
    const oc_shape *bodies = &p->shape.bodies;
    const uint64_t bytes = bodies->n * sizeof(float4) + 16;
    gb_status status = mo_builder_open(bodies->n, bodies->n, bodies->leaf, bodies->pool, MO_AS_FITS,
                                       job->device, &m->builder, &job->error);
    if (status == GB_OK && nb_needs(&p->shape, NB_SUMS))
        status = nb_summing_open(bodies->pool, true, &m->summing, &job->error);
    if (status == GB_OK && nb_needs(&p->shape, NB_SUMS))
        status = gb_cuda_malloc((void **)&m->sorted, bytes, "bodies in their order", &job->error);
    if (status == GB_OK && nb_needs(&p->shape, NB_FORCE))
        status = gb_cuda_malloc((void **)&m->force, bytes, "the bodies' forces", &job->error);
    if (status == GB_OK && nb_needs(&p->shape, NB_FORCE))
        status = gb_cuda_malloc((void **)&m->groups.group,
                                bodies->n * sizeof *m->groups.group + sizeof *m->groups.words,
                                "groups of bodies", &job->error);
    if (m->groups.group)
        m->groups.words = reinterpret_cast<nb_group_words *>(m->groups.group + bodies->n);
    return status;
}

static gb_status prepare(gb_job *job)
{
    const gb_problem *tree = nb_problem_of(job)->tree;
    morton *m = (morton *)calloc(1, sizeof *m);
    if (!m) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a step");
    job->state = m;
    m->state.view = view;
    m->state.poison = poison;
    const gb_status status = allocate(job, m);
    if (status != GB_OK) return status;
    const mo_tree made = mo_builder_tree(m->builder);
    m->tree.bodies = static_cast<const float4 *>(tree->bodies);
    m->tree.n = (uint32_t)tree->shape.n;
    m->tree.pool = (uint32_t)tree->shape.pool;
    m->tree.box = tree->box;
    m->tree.slot = made.slot;
    m->tree.order = made.order;
    m->tree.cells = made.cells;
    m->tree.trouble = made.trouble;
    m->leaves.sorted = m->sorted;
    m->leaves.first = made.first;
    m->leaves.n = m->tree.n;
    return nb_queue_before(job, &stages);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return nb_queue(job, &stages, stream);
}

static void cleanup(gb_job *job)
{
    morton *m = static_cast<morton *>(job->state);
    if (!m) return;
    mo_builder_close(m->builder);
    (void)cudaFree(m->summing.memory);
    (void)cudaFree(m->sorted);
    (void)cudaFree(m->force);
    (void)cudaFree(m->groups.group);
    free(m);
    job->state = NULL;
}

extern "C" const gb_variant nb_morton = {
    "morton",
    "the tree by a sort; sums from the leaves up; neighbours on the curve go through the tree "
    "together",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
