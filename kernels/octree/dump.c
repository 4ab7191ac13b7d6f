/* Tables of a tree, for pictures: the cells that a plane cuts, how deep it is, and what a build met
 * at its slots. */
#include "kernels/octree/dump.h"

#include "kernels/octree/check.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- slice ----------------------------------------------------------------------------------- */

enum { MOST_SAMPLED = 1 << 16 };

static int by_size(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Where the plane lies: the middle of the bodies' z (of some, if there are many), as bits. */
static gb_status middle(const gb_job *job, uint32_t *z, gb_error *error)
{
    const gb_problem *p = job->problem;
    const uint64_t stride = p->shape.n / MOST_SAMPLED + 1, count = (p->shape.n - 1) / stride + 1;
    uint32_t *all = malloc(count * sizeof *all);
    if (!all) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a slice");
    for (uint64_t i = 0; i < count; i++)
        all[i] = oc_cut(p->host_bodies[i * stride].z, p->box.z, p->box.scale);
    qsort(all, count, sizeof *all, by_size);
    *z = all[count / 2];
    free(all);
    return GB_OK;
}

typedef struct slice {
    const gb_problem *problem;
    const oc_view *view;
    uint32_t z; /* of the plane, OC_DEPTH bits */
    FILE *rows;
} slice;

static void put_body(const slice *s, uint32_t body, int depth)
{
    const oc_body *b = &s->problem->host_bodies[body];
    fprintf(s->rows, "body,%.9g,%.9g,0,%d\n", (double)b->x, (double)b->y, depth);
}

static void put_leaf(const slice *s, uint32_t leaf, int depth)
{
    const oc_view *v = s->view;
    if (!v->order) {
        for (; leaf != OC_EMPTY; leaf = v->next ? v->next[leaf] : OC_EMPTY)
            put_body(s, leaf, depth);
        return;
    }
    do {
        put_body(s, v->order[leaf++], depth);
    } while (leaf < s->problem->shape.n && !(v->first[leaf / 32] >> leaf % 32 & 1u));
}

/* x and y: of the cell's lowest corner, OC_DEPTH bits. */
static void put_cell(const slice *s, uint32_t cell, uint32_t x, uint32_t y, int depth)
{
    const oc_box box = s->problem->box;
    const double unit = 1.0 / (double)box.scale;
    fprintf(s->rows, "cell,%.9g,%.9g,%.9g,%d\n", (double)box.x + x * unit, (double)box.y + y * unit,
            (double)(1u << (OC_DEPTH - depth)) * unit, depth);
    const int shift = OC_DEPTH - 1 - depth;
    for (uint32_t d = s->z >> shift & 1u; d < OC_SLOTS; d += 2) {
        const uint32_t slot = s->view->slot[(uint64_t)cell * OC_SLOTS + d];
        if (oc_is_cell(slot))
            put_cell(s, slot & ~OC_CELL, x | (d >> 2) << shift, y | (d >> 1 & 1u) << shift,
                     depth + 1);
        else if (oc_is_leaf(slot))
            put_leaf(s, slot, depth);
    }
}

static gb_status write_slice(gb_job *job, FILE *rows)
{
    slice s = {.problem = job->problem, .rows = rows};
    oc_host_tree tree;
    gb_status status = oc_problem_host(job);
    if (status != GB_OK || job->problem->shape.n == 0) return status;
    status = middle(job, &s.z, &job->error);
    if (status != GB_OK) return status;
    status = oc_host_tree_of(job, &tree);
    s.view = &tree.view;
    if (status == GB_OK) put_cell(&s, 0, 0, 0, 0);
    oc_host_tree_free(&tree);
    return status;
}

/* ---- depth ----------------------------------------------------------------------------------- */

static gb_status write_depth(gb_job *job, FILE *rows)
{
    const oc_state *state = job->state;
    oc_view view = {0};
    oc_stats stats;
    gb_status status = state->view(job, &view);
    if (status == GB_OK) status = oc_judge(job->problem, &view, &stats, &job->error);
    for (int depth = 0; status == GB_OK && depth <= stats.deepest; depth++)
        fprintf(rows, "%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", depth, stats.cells_at[depth],
                stats.leaves_at[depth], stats.bodies_at[depth]);
    return status;
}

/* ---- contention ------------------------------------------------------------------------------ */

static gb_status write_contention(gb_job *job, FILE *rows)
{
    const oc_state *state = job->state;
    oc_contention counts = {.wasted = 0};
    if (!state->contention)
        return gb_fail(&job->error, GB_UNSUPPORTED,
                       "this variant does not count what it meets at the slots");
    gb_status status = state->contention(job, &counts);
    int deepest = OC_DEPTH;
    while (deepest >= 0 && !(counts.tries[deepest] | counts.waits[deepest]))
        deepest--;
    for (int depth = 0; status == GB_OK && depth <= deepest; depth++)
        fprintf(rows, "%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", depth,
                counts.tries[depth], counts.failed[depth], counts.waits[depth], counts.wasted);
    return status;
}

const gb_dump oc_dumps[] = {
    {"slice",
     "squares of the cells that a plane of the bodies' middle z cuts, and the bodies of its leaves",
     "kind,x,y,size,depth", write_slice},
    {"depth", "by depth: cells, leaves (slots with bodies) and the bodies in them",
     "depth,cells,leaves,bodies", write_depth},
    {"contention",
     "by depth: compare-and-swap tried and failed, looks that found a lock; cells taken for "
     "nothing",
     "depth,tries,failed,waits,wasted_cells", write_contention},
    {NULL, NULL, NULL, NULL},
};
