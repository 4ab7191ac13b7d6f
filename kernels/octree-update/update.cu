/* Variant update: the tree of where the bodies were is kept, and mended where they left its slots.
 */
#include "kernels/octree-update/dynamic.cuh"
#include "kernels/octree-update/types.cuh"

#include <stdlib.h>

enum { MOST_CELLS = 1 << 29 };

typedef struct update {
    ou_state state;
    ou_tree tree;
    char *live;  /* all of the tree and its notes */
    char *saved; /* the same before the bodies moved */
    uint64_t bytes;
    uint32_t *movers; /* and what they left */
} update;

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const gb_params tree = ou_tree_params(params);
    if (ou_shape_of(params).bodies.pool > MOST_CELLS)
        return gb_reason("a slot's number has 32 bits: there may be %u cells",
                         (unsigned)MOST_CELLS);
    return oc_one_body(&tree, device);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static gb_status reset(gb_job *job, gb_stream stream)
{
    const update *s = static_cast<const update *>(job->state);
    GB_TRY(cudaMemcpyAsync(s->live, s->saved, s->bytes, cudaMemcpyDeviceToDevice,
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return ou_queue_update(static_cast<const update *>(job->state)->tree, job->device,
                           gb_cuda_stream(stream), &job->error);
}

/* ---- what is left ---------------------------------------------------------------------------- */

static gb_status view(gb_job *job, oc_view *view)
{
    const update *s = static_cast<const update *>(job->state);
    oc_insert_words words;
    GB_TRY(cudaMemcpy(&words, s->tree.t.words, sizeof words, cudaMemcpyDeviceToHost), &job->error);
    view->slot = s->tree.t.slot;
    view->next = s->tree.t.next;
    view->cells = words.cells < s->tree.t.pool ? words.cells : s->tree.t.pool;
    view->trouble = words.trouble;
    view->bytes = s->bytes;
    return GB_OK;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    const update *s = static_cast<const update *>(job->state);
    GB_TRY(cudaMemsetAsync(s->movers, OC_POISON, 8ull * s->tree.t.n, gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static gb_status counts(gb_job *job, uint64_t counts[3])
{
    ou_words words;
    GB_TRY(cudaMemcpy(&words, static_cast<const update *>(job->state)->tree.words, sizeof words,
                      cudaMemcpyDeviceToHost),
           &job->error);
    counts[0] = words.movers;
    counts[1] = words.out;
    counts[2] = words.in;
    return GB_OK;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static gb_status allocate(gb_job *job, update *s)
{
    const uint64_t n = s->tree.t.n;
    s->bytes = ou_lay_out(&s->tree, NULL);
    gb_status status = gb_cuda_malloc((void **)&s->live, s->bytes, "the tree", &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc((void **)&s->saved, s->bytes, "the tree before", &job->error);
    if (status == GB_OK)
        status = gb_cuda_malloc((void **)&s->movers, 8 * n + 16, "the movers", &job->error);
    if (status != GB_OK) return status;
    (void)ou_lay_out(&s->tree, s->live);
    s->tree.movers = s->movers;
    s->tree.left = s->movers + n;
    return GB_OK;
}

/* The tree of where the bodies were, from that of where they were before. */
static gb_status build_old(gb_job *job, update *s, float4 *old)
{
    const ou_problem *p = ou_problem_of(job);
    cudaStream_t stream = gb_cuda_stream(job->stream);
    const float4 *now = s->tree.t.bodies;
    gb_error *error = &job->error;
    gb_status status = ou_make(p, OU_BEFORE, job->device, old, stream, error);
    if (status != GB_OK) return status;
    s->tree.t.bodies = old;
    GB_TRY(cudaMemsetAsync(s->live, 0, s->bytes, stream), error);
    status = ou_queue_build(s->tree, job->device, stream, error);
    if (status == GB_OK) status = ou_make(p, OU_OLD, job->device, old, stream, error);
    if (status == GB_OK) status = ou_queue_update(s->tree, job->device, stream, error);
    s->tree.t.bodies = now;
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(s->saved, s->live, s->bytes, cudaMemcpyDeviceToDevice, stream), error);
    GB_TRY(cudaStreamSynchronize(stream), error);
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    const gb_problem *tree = ou_problem_of(job)->tree;
    void *old;
    update *s = (update *)calloc(1, sizeof *s);
    if (!s) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an update");
    job->state = s;
    s->state.view = view;
    s->state.poison = poison;
    s->state.counts = counts;
    s->tree.t.bodies = static_cast<const float4 *>(tree->bodies);
    s->tree.t.n = (uint32_t)tree->shape.n;
    s->tree.t.pool = (uint32_t)tree->shape.pool;
    s->tree.t.box = tree->box;
    gb_status status = allocate(job, s);
    if (status == GB_OK)
        status = gb_cuda_malloc(&old, tree->shape.n * sizeof(float4) + 16, "the bodies before",
                                &job->error);
    if (status != GB_OK) return status;
    status = build_old(job, s, static_cast<float4 *>(old));
    (void)cudaFree(old);
    return status;
}

static void cleanup(gb_job *job)
{
    update *s = static_cast<update *>(job->state);
    if (!s) return;
    (void)cudaFree(s->live);
    (void)cudaFree(s->saved);
    (void)cudaFree(s->movers);
    free(s);
    job->state = NULL;
}

extern "C" const gb_variant ou_update = {
    "update",    "the tree of where the bodies were is mended where they left its slots",
    "gpubench",  0,
    unsupported, prepare,
    reset,       run,
    cleanup,
};
