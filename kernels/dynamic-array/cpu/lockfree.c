/* Variant cpu-lockfree: LFVector as its authors have it, on all cores. All pushes go through one
 * word, so that more cores do not push faster; it is here as what the paper began with. */
#include "kernels/dynamic-array/cpu/lockfree_vector.h"

#include "common/worker/cpu_pool.h"

#include <string.h>

typedef struct array {
    da_state state;
    lv_vector vector;
    lv_pusher *pushers;
    unsigned threads;
    const gb_problem *problem;
    gb_pool *pool;
    _Atomic bool no_memory;
} array;

static gb_status view(gb_job *job, da_view *view)
{
    array *a = job->state;
    lv_vector *v = &a->vector;
    gb_status status = da_view_reserve(view, DA_BUCKETS, &job->error);
    if (status != GB_OK) return status;
    view->size = atomic_load(&v->descriptors[atomic_load(&v->current) & 0xffff].size);
    view->allocations = atomic_load(&v->allocations);
    view->on_host = true;
    for (unsigned b = 0; b < DA_BUCKETS; b++)
        da_view_add(view, (const uint32_t *)atomic_load(&v->bucket[b]), lv_begin_of(b), lv_room(b));
    return GB_OK;
}

/* A share of the input, pushed. */
static void push_share(void *context, unsigned thread)
{
    array *a = context;
    const gb_problem *p = a->problem;
    const uint64_t begin = gb_pool_share(p->shape.n, thread, a->threads),
                   end = gb_pool_share(p->shape.n, thread + 1, a->threads);
    lv_pusher pusher = a->pushers[thread];
    for (uint64_t i = begin; i < end; i++)
        if (p->host_in[i] < p->values.kept && !lv_push_back(&a->vector, &pusher, p->host_in[i]))
            atomic_store(&a->no_memory, true);
    a->pushers[thread] = pusher;
    gb_pool_barrier(a->pool);
}

static gb_status prepare(gb_job *job)
{
    array *a = gb_pool_allocate(sizeof *a);
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an array");
    job->state = a;
    a->state.view = view;
    a->problem = job->problem;
    a->threads = gb_pool_cores();
    a->pushers = calloc(a->threads, sizeof *a->pushers);
    a->vector.descriptors = gb_pool_allocate((2 * (size_t)a->threads + 1) * sizeof(lv_descriptor));
    if (!a->pushers || !a->vector.descriptors)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an array");
    for (unsigned t = 0; t < a->threads; t++)
        a->pushers[t].own = 2 * t + 1;
    gb_status status = da_problem_host(job);
    if (status == GB_OK) status = gb_pool_open(a->threads, push_share, a, &a->pool, &job->error);
    return status;
}

static void clear(array *a)
{
    for (unsigned b = 0; b < DA_BUCKETS; b++)
        free((void *)atomic_exchange(&a->vector.bucket[b], NULL));
    atomic_store(&a->vector.current, 0);
    atomic_store(&a->vector.allocations, 0);
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    array *a = job->state;
    const gb_problem *p = job->problem;
    (void)stream;
    clear(a);
    for (uint64_t j = 0; j < p->shape.held; j++)
        if (!lv_push_back(&a->vector, &a->pushers[0], da_held_value(&p->values, j)))
            return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for what is held");
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    array *a = job->state;
    (void)stream;
    gb_pool_run(a->pool);
    return atomic_load(&a->no_memory)
               ? gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a bucket")
               : GB_OK;
}

static void cleanup(gb_job *job)
{
    array *a = job->state;
    if (!a) return;
    gb_pool_close(a->pool);
    clear(a);
    free(a->vector.descriptors);
    free(a->pushers);
    free(a);
    job->state = NULL;
}

const gb_variant da_cpu_lockfree = {
    .name = "cpu-lockfree",
    .summary = "LFVector on all cores: descriptors and compare-and-swap",
    .origin = "Dechev, Pirkelbauer, Stroustrup 2006",
    .flags = GB_HOST,
    .prepare = prepare,
    .reset = reset,
    .run = run,
    .cleanup = cleanup,
    .differs = "descriptors are numbered and used again under a version, where the text allocates "
               "and frees them; push_back alone",
};
