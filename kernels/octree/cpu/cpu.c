/* Variant cpu: the oracle. One core inserts body after body, from the root down. */
#include "kernels/octree/octree.h"

#include <stdlib.h>
#include <string.h>

typedef struct tree {
    oc_state state;
    uint32_t *slot; /* 8 * pool */
    uint32_t *next; /* n */
    uint64_t cells, pool;
    unsigned trouble;
} tree;

static gb_status view(gb_job *job, oc_view *view)
{
    const tree *t = job->state;
    *view = (oc_view){.on_host = true,
                      .slot = t->slot,
                      .cells = t->cells,
                      .trouble = t->trouble,
                      .next = t->next,
                      .bytes = t->pool * OC_SLOTS * 4 + job->problem->shape.n * 4};
    return GB_OK;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    tree *t = job->state;
    (void)stream;
    memset(t->slot, OC_POISON, t->pool * OC_SLOTS * 4);
    memset(t->next, OC_POISON, job->problem->shape.n * 4);
    t->cells = 0;
    return GB_OK;
}

static gb_status prepare(gb_job *job)
{
    const oc_shape *shape = &job->problem->shape;
    tree *t = calloc(1, sizeof *t);
    if (!t) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a tree");
    job->state = t;
    t->state.view = view;
    t->state.poison = poison;
    t->pool = shape->pool;
    t->slot = malloc(t->pool * OC_SLOTS * 4);
    t->next = malloc(shape->n * 4 + 4);
    if (!t->slot || !t->next)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a tree of %llu cells",
                       (unsigned long long)t->pool);
    return oc_problem_host(job);
}

static uint32_t take_cell(tree *t)
{
    if (t->cells == t->pool) {
        t->trouble = OC_POOL_EMPTY;
        return OC_EMPTY;
    }
    memset(t->slot + t->cells * OC_SLOTS, 0xFF, OC_SLOTS * 4);
    return (uint32_t)t->cells++;
}

static oc_place place_of(const gb_problem *p, uint32_t body)
{
    const oc_body *b = &p->host_bodies[body];
    return oc_place_at(p->box, b->x, b->y, b->z);
}

static void insert(tree *t, const gb_problem *p, uint32_t body)
{
    const oc_place place = place_of(p, body);
    uint32_t *slot = &t->slot[oc_digit(place, 0)];
    int depth = 0;
    t->next[body] = OC_EMPTY;
    for (;;) {
        while (oc_is_cell(*slot))
            slot = &t->slot[(uint64_t)(*slot & ~OC_CELL) * OC_SLOTS + oc_digit(place, ++depth)];
        if (*slot == OC_EMPTY) {
            *slot = body;
            return;
        }
        const oc_place other = place_of(p, *slot);
        if (oc_common_depth(place, other) == OC_DEPTH) {
            t->next[body] = t->next[*slot];
            t->next[*slot] = body;
            return;
        }
        const uint32_t cell = take_cell(t);
        if (cell == OC_EMPTY) return;
        t->slot[(uint64_t)cell * OC_SLOTS + oc_digit(other, depth + 1)] = *slot;
        *slot = OC_CELL | cell;
    }
}

static gb_status run(gb_job *job, gb_stream stream)
{
    tree *t = job->state;
    (void)stream;
    t->cells = 0;
    t->trouble = 0;
    (void)take_cell(t);
    for (uint64_t i = 0; i < job->problem->shape.n && !t->trouble; i++)
        insert(t, job->problem, (uint32_t)i);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    tree *t = job->state;
    if (t) {
        free(t->slot);
        free(t->next);
    }
    free(t);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const char *reason = oc_one_body(params, device);
    return reason ? reason : oc_full_grid(params, device);
}

const gb_variant oc_cpu = {
    .name = "cpu",
    .summary = "one core inserts body after body: the oracle",
    .origin = "gpubench",
    .flags = GB_HOST,
    .unsupported = unsupported,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
