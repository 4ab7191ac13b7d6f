/* The whole tree of few bodies, put together on the host from the top and the ranks' trees, and
 * compared with the CPU's slot by slot: the same oracle as that of one GPU's builds, which knows of
 * no ranks. */
#include "kernels/octree-multi/check.h"
#include "kernels/octree/check.h"

#include <stdlib.h>

/* One tree, as kernels/octree has it. */
typedef struct whole {
    uint64_t n, cells;
    oc_body *bodies;                /* n: rank after rank */
    uint32_t *slot;                 /* 8 a cell: the top's, and rank after rank */
    uint32_t *order;                /* n */
    uint32_t *first;                /* a bit a place */
    uint64_t cells_before;          /* of the top */
    uint64_t before[GB_MOST_RANKS]; /* cells before those of a rank */
    uint32_t root;                  /* where the root is before it becomes cell 0 */
    oc_stats stats;
} whole;

/* A cell's index, the root and the first one exchanged. */
static uint32_t renamed(const whole *t, uint64_t cell)
{
    return (uint32_t)(cell == t->root ? 0 : cell == 0 ? t->root : cell);
}

/* What a rank's slot holds, in the whole tree. */
static uint32_t in_whole(const whole *t, const om_judged *j, unsigned rank, uint32_t value)
{
    if (oc_is_cell(value)) return OC_CELL | renamed(t, t->before[rank] + (value & ~OC_CELL));
    return oc_is_leaf(value) ? (uint32_t)(j->begin[rank] + value) : value;
}

static uint32_t of_link(const whole *t, const om_judged *j, const om_slot *link)
{
    if (link->rank == OM_NOBODY) return OC_EMPTY;
    if (link->rank == OM_TOP) return OC_CELL | renamed(t, link->value & ~OC_CELL);
    return in_whole(t, j, link->rank, link->value);
}

/* ---- putting together ------------------------------------------------------------------------ */

static bool is_first(const uint32_t *first, uint64_t place)
{
    return first[place / 32] >> place % 32 & 1u;
}

static void set_first(uint32_t *first, uint64_t place, bool is)
{
    if (is)
        first[place / 32] |= 1u << place % 32;
    else
        first[place / 32] &= ~(1u << place % 32);
}

/* A rank's part: copied to the end of the arrays, where there is room, then renamed. */
static gb_status add_rank(whole *t, const om_judged *j, unsigned rank, gb_error *error)
{
    const om_part *part = &j->part[rank];
    const uint64_t n = part->n, at = j->begin[rank];
    uint32_t *slot = t->slot + OC_SLOTS * t->before[rank];
    uint32_t *marks = (uint32_t *)malloc((n / 32 + 1) * sizeof *marks);
    if (!marks) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to compare trees");
    cudaError_t code =
        cudaMemcpy(t->bodies + at, part->bodies, n * sizeof *t->bodies, cudaMemcpyDeviceToHost);
    if (code == cudaSuccess)
        code = cudaMemcpy(t->order + at, part->tree.order, 4 * n, cudaMemcpyDeviceToHost);
    if (code == cudaSuccess)
        code = cudaMemcpy(slot, part->tree.slot, 4 * OC_SLOTS * part->tree.cells,
                          cudaMemcpyDeviceToHost);
    if (code == cudaSuccess)
        code = cudaMemcpy(marks, part->tree.first, (n + 31) / 32 * 4, cudaMemcpyDeviceToHost);
    for (uint64_t i = 0; i < n && code == cudaSuccess; i++) {
        t->order[at + i] += (uint32_t)at;
        set_first(t->first, at + i, is_first(marks, i));
    }
    free(marks);
    for (uint64_t k = 0; k < OC_SLOTS * part->tree.cells; k++)
        slot[k] = in_whole(t, j, rank, slot[k]);
    return gb_cuda_status(code, "a rank's tree", error);
}

/* The top's cells come first; its leaves, ranges that may begin and end elsewhere than those of the
 * ranks' own trees, are marked. */
static void add_top(whole *t, const om_judged *j)
{
    for (uint64_t k = 0; k < OC_SLOTS * t->cells_before; k++) {
        const om_slot *link = &j->top->slot[k];
        t->slot[k] = of_link(t, j, link);
        if (link->rank >= j->ranks || !oc_is_leaf(link->value)) continue;
        const uint64_t begin = j->begin[link->rank] + link->value;
        for (uint64_t p = begin; p < begin + link->count && p < t->n; p++)
            set_first(t->first, p, p == begin);
    }
}

/* The root becomes cell 0, by which all links go already. */
static void exchange_root(whole *t)
{
    for (unsigned d = 0; d < OC_SLOTS; d++) {
        const uint32_t one = t->slot[d];
        t->slot[d] = t->slot[(uint64_t)OC_SLOTS * t->root + d];
        t->slot[(uint64_t)OC_SLOTS * t->root + d] = one;
    }
}

/* ---- figures --------------------------------------------------------------------------------- */

static void count_cells(whole *t, uint32_t cell, int depth)
{
    t->stats.cells++;
    t->stats.cells_at[depth]++;
    for (unsigned d = 0; d < OC_SLOTS; d++) {
        const uint32_t value = t->slot[(uint64_t)cell * OC_SLOTS + d];
        if (oc_is_cell(value) && depth + 1 < OC_DEPTH) {
            count_cells(t, value & ~OC_CELL, depth + 1);
        } else if (oc_is_leaf(value)) {
            uint64_t end = value + 1ull;
            while (end < t->n && !is_first(t->first, end))
                end++;
            t->stats.leaves++;
            t->stats.leaves_at[depth]++;
            t->stats.bodies_at[depth] += end - value;
            if (depth > t->stats.deepest) t->stats.deepest = depth;
        }
    }
}

static gb_status compare(whole *t, const om_judged *j, gb_error *error)
{
    gb_status status = GB_OK;
    for (unsigned r = 0; r < j->ranks && status == GB_OK; r++)
        status = add_rank(t, j, r, error);
    if (status != GB_OK) return status;
    add_top(t, j);
    exchange_root(t);
    t->stats.deepest = -1;
    count_cells(t, 0, 0);
    oc_view view = {};
    view.on_host = true;
    view.slot = t->slot;
    view.cells = t->cells;
    view.order = t->order;
    view.first = t->first;
    gb_problem problem = {};
    problem.shape = j->problem->shape.bodies;
    problem.box = j->problem->box;
    return oc_compare_with_cpu(&problem, t->bodies, &view, &t->stats, error);
}

gb_status om_compare_with_cpu(const om_judged *j, gb_error *error)
{
    whole t = {};
    const om_slot *root = &j->top->root;
    t.n = j->begin[j->ranks];
    t.cells = t.cells_before = j->top->cells;
    for (unsigned r = 0; r < j->ranks; r++) {
        t.before[r] = t.cells;
        t.cells += j->part[r].tree.cells;
    }
    t.root = (root->value & ~OC_CELL) + (root->rank == OM_TOP ? 0 : (uint32_t)t.before[root->rank]);
    t.bodies = (oc_body *)malloc((t.n + 1) * sizeof *t.bodies);
    t.slot = (uint32_t *)calloc((t.cells + 1) * OC_SLOTS, sizeof *t.slot);
    t.order = (uint32_t *)malloc((t.n + 1) * sizeof *t.order);
    t.first = (uint32_t *)calloc(t.n / 32 + 1, sizeof *t.first);
    gb_status status = GB_OK;
    if (t.bodies && t.slot && t.order && t.first)
        status = compare(&t, j, error);
    else
        status = gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to compare trees");
    free(t.bodies);
    free(t.slot);
    free(t.order);
    free(t.first);
    return status;
}
