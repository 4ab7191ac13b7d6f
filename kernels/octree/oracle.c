/* The tree of few bodies, told by the CPU from their sorted codes alone: what the device's checker
 * has passed is compared with it slot by slot. Nothing is shared with the device's checker but the
 * cut of coordinates and their digits. */
#include "kernels/octree/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A body and its 72 bits, a digit of 3 after the other from the root on. */
typedef struct code {
    uint64_t high; /* digits 0 to 20 */
    uint32_t low;  /* digits 21 to 23 */
    uint32_t body;
} code;

typedef struct oracle {
    const oc_view *view;
    code *codes;   /* in curve order */
    uint8_t *held; /* a body: it is in the list that is looked at */
    uint64_t n;
    unsigned leaf;
    oc_stats stats;
    gb_error *error;
} oracle;

static code code_of(oc_box box, const oc_body *b, uint32_t body)
{
    const oc_place place = oc_place_at(box, b->x, b->y, b->z);
    code c = {.body = body};
    for (int depth = 0; depth < 21; depth++)
        c.high = c.high << 3 | oc_digit(place, depth);
    for (int depth = 21; depth < OC_DEPTH; depth++)
        c.low = c.low << 3 | oc_digit(place, depth);
    return c;
}

static unsigned digit_of(const code *c, int depth)
{
    return (unsigned)(depth < 21 ? c->high >> (60 - 3 * depth) : c->low >> (69 - 3 * depth)) & 7u;
}

static int compare(const void *a, const void *b)
{
    const code *left = a, *right = b;
    if (left->high != right->high) return left->high < right->high ? -1 : 1;
    if (left->low != right->low) return left->low < right->low ? -1 : 1;
    return left->body < right->body ? -1 : left->body > right->body;
}

static bool coincide(const code *a, const code *b)
{
    return a->high == b->high && a->low == b->low;
}

static gb_status wrong(const oracle *o, uint64_t slot, int depth, const char *what)
{
    return gb_fail(o->error, GB_WRONG,
                   "slot %u of cell %" PRIu64 " at depth %d is not as in the CPU's tree, which has "
                   "%s there",
                   (unsigned)(slot % OC_SLOTS), slot / OC_SLOTS, depth, what);
}

/* Whether the list from `leaf` on holds these bodies, each once and nothing else. */
static bool same_list(const oracle *o, uint32_t leaf, const code *codes, uint64_t count)
{
    uint64_t found = 0;
    uint32_t body = leaf;
    for (uint64_t i = 0; i < count; i++)
        o->held[codes[i].body] = 1;
    for (; body < o->n && o->held[body]; body = o->view->next[body], found++)
        o->held[body] = 0;
    for (uint64_t i = 0; i < count; i++)
        o->held[codes[i].body] = 0;
    return found == count && body == OC_EMPTY;
}

static bool begins(const oracle *o, uint64_t place)
{
    return place == o->n || (o->view->first[place / 32] >> place % 32 & 1u);
}

/* Whether the range from `leaf` on holds codes[begin, end): the bodies before these are in ranges
 * before it, so it begins at the same place. */
static bool same_range(const oracle *o, uint32_t leaf, uint64_t begin, uint64_t end)
{
    uint64_t found = 0;
    if (leaf != begin || !begins(o, begin) || !begins(o, end)) return false;
    for (uint64_t i = begin; i < end; i++)
        o->held[o->codes[i].body] = 1;
    for (uint64_t i = begin; i < end && (i == begin || !begins(o, i)); i++) {
        const uint32_t body = o->view->order[i];
        found += body < o->n && o->held[body];
        if (body < o->n) o->held[body] = 0;
    }
    for (uint64_t i = begin; i < end; i++)
        o->held[o->codes[i].body] = 0;
    return found == end - begin;
}

static bool same_leaf(const oracle *o, uint32_t leaf, uint64_t begin, uint64_t end)
{
    return o->view->next ? same_list(o, leaf, o->codes + begin, end - begin)
                         : same_range(o, leaf, begin, end);
}

/* The cell, at that depth, that holds codes[begin, end). */
static gb_status compare_cell(oracle *o, uint64_t cell, uint64_t begin, uint64_t end, int depth)
{
    o->stats.cells++;
    o->stats.cells_at[depth]++;
    gb_status status = GB_OK;
    for (unsigned d = 0; d < OC_SLOTS && status == GB_OK; d++) {
        const uint64_t slot = cell * OC_SLOTS + d;
        const uint32_t value = o->view->slot[slot];
        uint64_t up_to = begin;
        while (up_to < end && digit_of(&o->codes[up_to], depth) == d)
            up_to++;
        if (up_to == begin) {
            if (value != OC_EMPTY) return wrong(o, slot, depth, "nothing");
        } else if (up_to - begin <= o->leaf || coincide(&o->codes[begin], &o->codes[up_to - 1])) {
            if (!oc_is_leaf(value) || !same_leaf(o, value, begin, up_to))
                return wrong(o, slot, depth, "a leaf of other bodies");
            o->stats.leaves++;
            o->stats.leaves_at[depth]++;
            o->stats.bodies_at[depth] += up_to - begin;
            if (depth > o->stats.deepest) o->stats.deepest = depth;
        } else {
            if (!oc_is_cell(value) || (value & ~OC_CELL) >= o->view->cells)
                return wrong(o, slot, depth, "a cell");
            status = compare_cell(o, value & ~OC_CELL, begin, up_to, depth + 1);
        }
        begin = up_to;
    }
    return status;
}

static gb_status compare_stats(const oc_stats *own, const oc_stats *found, gb_error *error)
{
    for (int depth = 0; depth < OC_DEPTH; depth++)
        if (own->cells_at[depth] != found->cells_at[depth] ||
            own->leaves_at[depth] != found->leaves_at[depth] ||
            own->bodies_at[depth] != found->bodies_at[depth])
            return gb_fail(
                error, GB_WRONG,
                "depth %d: %" PRIu64 " cells, %" PRIu64 " leaves, %" PRIu64
                " bodies in them, where the CPU finds %" PRIu64 ", %" PRIu64 ", %" PRIu64,
                depth, found->cells_at[depth], found->leaves_at[depth], found->bodies_at[depth],
                own->cells_at[depth], own->leaves_at[depth], own->bodies_at[depth]);
    if (own->cells != found->cells || own->leaves != found->leaves ||
        own->deepest != found->deepest)
        return gb_fail(error, GB_WRONG, "the tree's figures differ from those that the CPU finds");
    return GB_OK;
}

gb_status oc_compare_with_cpu(const gb_problem *problem, const oc_body *bodies, const oc_view *view,
                              const oc_stats *stats, gb_error *error)
{
    const uint64_t n = problem->shape.n;
    oracle o = {.view = view, .n = n, .leaf = problem->shape.leaf, .error = error};
    o.stats.deepest = -1;
    o.codes = malloc((n + 1) * sizeof *o.codes);
    o.held = calloc(n + 1, 1);
    if (!o.codes || !o.held) {
        free(o.codes);
        free(o.held);
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to compare trees");
    }
    for (uint64_t i = 0; i < n; i++)
        o.codes[i] = code_of(problem->box, &bodies[i], (uint32_t)i);
    qsort(o.codes, n, sizeof *o.codes, compare);
    gb_status status = compare_cell(&o, 0, 0, n, 0);
    if (status == GB_OK) status = compare_stats(&o.stats, stats, error);
    free(o.codes);
    free(o.held);
    return status;
}
