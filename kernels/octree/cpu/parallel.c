/* Variant cpu-parallel: all cores sort the bodies along the curve (sort.c) and then build the
 * tree from the sorted codes in two passes, each thread over its share.
 *
 * With d(i) the depth of the smallest cell around bodies i - 1 and i, and h(i) that of the smallest
 * that begins at body i and holds more than a leaf may: body i begins the cells of the depths
 * d(i) + 1 to h(i), and their numbers follow from how many the bodies before begin. A cell's parent
 * is the cell of the depth above that began last, for whatever began since lies elsewhere (after
 * Karras 2012, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees", who
 * finds cells from common prefixes as well). */
#include "kernels/octree/cpu/sort.h"

#include <stdlib.h>
#include <string.h>

enum { NO_CELL = -1, MOST_LATE = OC_DEPTH * OC_SLOTS };

/* A slot of a cell that a thread before began. */
typedef struct late {
    uint64_t slot;
    uint32_t value;
} late;

/* What a thread knows of its share. */
typedef struct share {
    uint64_t begin, end; /* bodies */
    uint64_t cells;      /* that they begin */
    /* By depth, NO_CELL or the last cell begun there: by number inside the share while cells are
     * counted, by its own number when they are built. */
    int64_t last[OC_DEPTH];
    late late[MOST_LATE];
    size_t late_count;
} share;

typedef struct tree {
    oc_state state;
    oc_sort sort;
    uint32_t *slot, *order, *first;
    share *shares;
    uint64_t cells, pool;
    unsigned leaf;
    unsigned trouble;
} tree;

static gb_status view(gb_job *job, oc_view *view)
{
    const tree *t = job->state;
    const uint64_t n = t->sort.n;
    *view = (oc_view){.on_host = true,
                      .slot = t->slot,
                      .cells = t->cells,
                      .trouble = t->trouble,
                      .order = t->order,
                      .first = t->first,
                      .bytes = t->pool * OC_SLOTS * 4 + n * 4 + n / 8 + n * 2 * sizeof(oc_coded)};
    return GB_OK;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    tree *t = job->state;
    (void)stream;
    memset(t->slot, OC_POISON, t->pool * OC_SLOTS * 4);
    memset(t->order, OC_POISON, t->sort.n * 4);
    memset(t->first, OC_POISON, (t->sort.n + 31) / 32 * 4);
    t->cells = 0;
    return GB_OK;
}

/* ---- cells from sorted codes ----------------------------------------------------------------- */

/* The depth of the smallest cell around bodies i and j, i < j: -1 if one is not there. */
static inline int common(const oc_sort *s, uint64_t i, uint64_t j)
{
    return i < s->n && j < s->n ? oc_coded_common(&s->b[i], &s->b[j]) : -1;
}

/* d(i); no cell is around the first body and one before. */
static inline int depth_with_previous(const oc_sort *s, uint64_t i)
{
    return common(s, i - 1, i);
}

/* The first body after i that does not coincide with it. */
static uint64_t after_equals(const oc_sort *s, uint64_t i)
{
    uint64_t low = i, high = s->n; /* low coincides, high does not */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (common(s, i, middle) == OC_DEPTH)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The first body that coincides with i. */
static uint64_t first_equal(const oc_sort *s, uint64_t i)
{
    uint64_t low = 0, high = i; /* high coincides */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (common(s, middle, i) == OC_DEPTH)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

/* h(i) of a body before which none coincides with it, but that cells of a depth up to d(i) do not
 * begin there. There is always a root. */
static inline int deepest_from(const tree *t, uint64_t i)
{
    const oc_sort *s = &t->sort;
    int depth = common(s, i, i + t->leaf);
    if (depth == OC_DEPTH) depth = common(s, i, after_equals(s, i));
    return i == 0 && depth < 0 ? 0 : depth;
}

/* The depth of the smallest cell of the tree that holds body i, whoever begins it. */
static int deepest_around(const tree *t, uint64_t i)
{
    const oc_sort *s = &t->sort;
    int deepest = 0;
    for (uint64_t k = 0; k <= t->leaf && k <= i; k++) {
        const uint64_t from = i - k;
        int depth = common(s, from, from + t->leaf);
        if (depth == OC_DEPTH) { /* so many coincide; the smallest cell holds a neighbour, too */
            const uint64_t equal = first_equal(s, from);
            const int before = depth_with_previous(s, equal);
            depth = common(s, from, after_equals(s, from));
            if (before > depth) depth = before;
        }
        if (depth > deepest) deepest = depth;
    }
    return deepest;
}

static void count_cells(const tree *t, share *me)
{
    for (int depth = 0; depth < OC_DEPTH; depth++)
        me->last[depth] = NO_CELL;
    me->cells = 0;
    for (uint64_t i = me->begin; i < me->end; i++) {
        const int above = depth_with_previous(&t->sort, i);
        if (above == OC_DEPTH) continue;
        const int deepest = deepest_from(t, i);
        for (int depth = above + 1; depth <= deepest; depth++)
            me->last[depth] = (int64_t)me->cells++;
    }
}

/* ---- building -------------------------------------------------------------------------------- */

/* Where a thread is while it builds. */
typedef struct builder {
    share *me;
    uint64_t base;  /* the first cell that it begins */
    uint64_t cells; /* that are begun so far, by all */
    int64_t last[OC_DEPTH];
} builder;

/* Octant of body i in the cell of that depth that began last. */
static void set_slot(tree *t, builder *b, uint64_t i, int depth, uint32_t value)
{
    const oc_coded *code = &t->sort.b[i];
    const unsigned shift = 3 * (unsigned)depth;
    const uint32_t digit = shift + 3 <= 64 ? code->high << shift >> 61
                           : shift < 64    ? (code->high << 2 | code->low >> 6) & 7
                                           : code->low >> (69 - shift) & 7;
    const uint64_t slot = (uint64_t)b->last[depth] * OC_SLOTS + digit;
    if ((uint64_t)b->last[depth] >= b->base)
        t->slot[slot] = value;
    else
        b->me->late[b->me->late_count++] = (late){slot, value};
}

/* The share's cells and leaves. Slots of cells that other threads begin, of which there is at most
 * one a depth, are kept for when these have cleared them. */
static void build_share(tree *t, builder *b)
{
    share *me = b->me;
    int deepest = me->begin > 0 && me->begin < me->end ? deepest_around(t, me->begin - 1) : 0;
    uint32_t word = 0;
    for (uint64_t i = me->begin; i < me->end; i++) {
        const int above = depth_with_previous(&t->sort, i);
        t->order[i] = t->sort.b[i].body;
        if (above <= deepest) { /* that cell is there, so this body begins a leaf */
            const int from_here = deepest_from(t, i);
            deepest = above > from_here ? above : from_here;
            for (int depth = above + 1; depth <= deepest; depth++) {
                memset(t->slot + b->cells * OC_SLOTS, 0xFF, OC_SLOTS * 4);
                if (depth > 0) set_slot(t, b, i, depth - 1, OC_CELL | (uint32_t)b->cells);
                b->last[depth] = (int64_t)b->cells++;
            }
            set_slot(t, b, i, deepest, (uint32_t)i);
            word |= 1u << i % 32;
        }
        if (i % 32 == 31 || i + 1 == t->sort.n) {
            t->first[i / 32] = word;
            word = 0;
        }
    }
}

static void build(void *context, unsigned thread)
{
    tree *t = context;
    const unsigned threads = t->sort.threads;
    const uint64_t words = (t->sort.n + 31) / 32;
    share *me = &t->shares[thread];
    builder b = {.me = me};
    me->begin = gb_pool_share(words, thread, threads) * 32;
    me->end = gb_pool_share(words, thread + 1, threads) * 32;
    if (me->end > t->sort.n) me->end = t->sort.n;
    me->late_count = 0;
    oc_sort_run(&t->sort, thread);
    count_cells(t, me);
    gb_pool_barrier(t->sort.pool);
    uint64_t all = 0;
    for (unsigned other = 0; other < threads; other++) {
        const share *s = &t->shares[other];
        if (other == thread) b.base = b.cells = all;
        for (int depth = 0; depth < OC_DEPTH && other < thread; depth++)
            if (s->last[depth] != NO_CELL) b.last[depth] = (int64_t)all + s->last[depth];
        all += s->cells;
    }
    const bool fits = all <= t->pool;
    if (fits) build_share(t, &b);
    gb_pool_barrier(t->sort.pool);
    for (size_t k = 0; k < me->late_count; k++)
        t->slot[me->late[k].slot] = me->late[k].value;
    if (thread == 0) {
        t->cells = fits ? all : 0;
        t->trouble = fits ? 0 : OC_POOL_EMPTY;
        if (t->sort.n == 0) memset(t->slot, 0xFF, OC_SLOTS * 4);
        if (t->sort.n == 0) t->cells = 1;
    }
    gb_pool_barrier(t->sort.pool);
}

/* ---- the job --------------------------------------------------------------------------------- */

static gb_status prepare(gb_job *job)
{
    const gb_problem *p = job->problem;
    gb_status status = oc_problem_host(job);
    if (status != GB_OK) return status;
    tree *t = calloc(1, sizeof *t);
    if (!t) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a tree");
    job->state = t;
    t->state.view = view;
    t->state.poison = poison;
    t->pool = p->shape.pool;
    t->leaf = p->shape.leaf;
    t->sort.bodies = p->host_bodies;
    t->sort.box = p->box;
    t->sort.threads = oc_sort_threads(p->shape.n);
    t->slot = gb_pool_allocate(t->pool * OC_SLOTS * 4);
    t->order = gb_pool_allocate(p->shape.n * 4);
    t->first = gb_pool_allocate(p->shape.n / 8 + 4);
    t->shares = calloc(t->sort.threads, sizeof *t->shares);
    if (!oc_sort_open(&t->sort, p->shape.n) || !t->slot || !t->order || !t->first || !t->shares)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "no host memory for a tree of %llu cells and to sort %llu bodies",
                       (unsigned long long)t->pool, (unsigned long long)p->shape.n);
    return gb_pool_open(t->sort.threads, build, t, &t->sort.pool, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    tree *t = job->state;
    (void)stream;
    gb_pool_run(t->sort.pool);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    tree *t = job->state;
    if (!t) return;
    gb_pool_close(t->sort.pool);
    oc_sort_close(&t->sort);
    free(t->slot);
    free(t->order);
    free(t->first);
    free(t->shares);
    free(t);
    job->state = NULL;
}

const gb_variant oc_cpu_parallel = {
    .name = "cpu-parallel",
    .summary = "all cores sort along the curve and build from common prefixes",
    .origin = "gpubench",
    .flags = GB_HOST,
    .unsupported = oc_full_grid,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
