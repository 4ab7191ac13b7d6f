/* Judges a tree in full, on the device: it is the sparse octree of the bodies, the only one that
 * there is. A cell other than the root exists exactly where more than `leaf` bodies are below it
 * that do not all coincide; every body is found once, by its own digits; no cell is linked twice;
 * nothing is locked; ranges come in curve order. Whatever the view holds, no step is endless. */
#include "kernels/octree/check.cuh"

#include "kernels/octree/check.h"

#include <inttypes.h>
#include <stdlib.h>

/* Device memory that grows with what is judged. */
typedef struct block {
    void *at;
    uint64_t bytes;
} block;

enum {
    FOUND,
    REACHED,
    LINKED_BITS,
    BELOW,
    STARTS,
    SEEN,
    MIXED,
    HEAD,
    OTHER_HEAD,
    SLOT_COPY,
    ITEM_COPY,
    FIRST_COPY,
    BLOCKS
};

typedef struct checker {
    block memory[BLOCKS];
    unsigned long long hash; /* of the bodies when they were read from a file */
} checker;

static uint64_t bits(uint64_t count)
{
    return (count + 31) / 32 * 4;
}

static gb_status reserve(checker *c, int which, uint64_t bytes, void *out, gb_error *error)
{
    block *b = &c->memory[which];
    if (!b->at || b->bytes < bytes) {
        (void)cudaFree(b->at);
        b->bytes = 0;
        gb_status status = gb_cuda_malloc(&b->at, bytes + 16, "the checker", error);
        if (status != GB_OK) return status;
        b->bytes = bytes;
    }
    memcpy(out, &b->at, sizeof b->at);
    return GB_OK;
}

static gb_status checker_of(gb_problem *p, checker **out, gb_error *error)
{
    if (!p->checker) p->checker = calloc(1, sizeof(checker));
    *out = static_cast<checker *>(p->checker);
    return *out ? GB_OK : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
}

void oc_checker_close(gb_problem *problem)
{
    checker *c = static_cast<checker *>(problem->checker);
    for (int i = 0; c && i < BLOCKS; i++)
        (void)cudaFree(c->memory[i].at);
    free(c);
    problem->checker = NULL;
}

/* ---- the bodies ------------------------------------------------------------------------------ */

static gb_status hash_of(const gb_problem *p, checker *c, unsigned long long *hash, gb_error *error)
{
    unsigned long long *sum;
    gb_status status = reserve(c, FOUND, sizeof(findings), &sum, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemset(sum, 0, sizeof *sum), error);
    GB_TRY(launch(hash_bodies, gb_grid(p->device, p->shape.n), dim3(GB_GRID_THREADS), 0, 0,
                  (const float4 *)p->bodies, p->shape.n, sum),
           error);
    GB_TRY(cudaMemcpy(hash, sum, sizeof *hash, cudaMemcpyDeviceToHost), error);
    return GB_OK;
}

gb_status oc_checker_open(gb_problem *problem, gb_error *error)
{
    checker *c;
    gb_status status = checker_of(problem, &c, error);
    if (status == GB_OK && problem->shape.dist == OC_DIST_FILE)
        status = hash_of(problem, c, &c->hash, error);
    return status;
}

static gb_status check_file_bodies(const gb_problem *p, checker *c, gb_error *error)
{
    unsigned long long hash = 0;
    gb_status status = hash_of(p, c, &hash, error);
    if (status == GB_OK && hash != c->hash)
        status = gb_fail(error, GB_WRONG, "the bodies of %s were overwritten", p->shape.path);
    return status;
}

/* ---- a view ---------------------------------------------------------------------------------- */

/* What must hold before an array is looked at. */
static gb_status check_view(const gb_problem *p, const oc_view *view, gb_error *error)
{
    if (view->trouble & OC_POOL_EMPTY)
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "the pool of %" PRIu64 " cells is too small for this tree: raise the axis "
                       "pool (cells for every hundred bodies)",
                       p->shape.pool);
    if (view->trouble)
        return gb_fail(error, GB_WRONG, "the build stopped for a reason without a name (0x%x)",
                       view->trouble);
    if (!view->slot || view->cells == 0) return gb_fail(error, GB_WRONG, "the tree has no root");
    if (view->cells > view->bytes / (4 * OC_SLOTS))
        return gb_fail(error, GB_WRONG,
                       "%" PRIu64 " cells were handed out, but the build had %" PRIu64
                       " bytes of memory",
                       view->cells, view->bytes);
    if (!view->next == !view->order || !view->order != !view->first)
        return gb_fail(error, GB_WRONG, "a view has lists, or an order and where ranges begin");
    return GB_OK;
}

static gb_status copy_in(checker *c, int which, const uint32_t **array, uint64_t bytes,
                         gb_error *error)
{
    void *copy;
    if (!*array) return GB_OK;
    gb_status status = reserve(c, which, bytes, &copy, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(copy, *array, bytes, cudaMemcpyHostToDevice), error);
    *array = static_cast<const uint32_t *>(copy);
    return GB_OK;
}

static gb_status set_up(const gb_problem *p, checker *c, const oc_view *view, judged *t,
                        gb_error *error)
{
    const uint64_t n = p->shape.n, cells = view->cells;
    findings none = {};
    for (int i = 0; i < DEFECTS; i++)
        none.at[i] = NOWHERE;
    none.reached = 1;
    *t = {};
    t->bodies = (const float4 *)p->bodies;
    t->box = p->box;
    t->n = n;
    t->cells = cells;
    t->leaf = p->shape.leaf;
    t->slot = view->slot;
    t->next = view->next;
    t->order = view->order;
    t->first = view->first;
    const struct {
        int which;
        void *out;
        uint64_t bytes;
        int fill;
    } arrays[] = {{FOUND, &t->found, sizeof none, 0},
                  {REACHED, &t->reached, cells * 4, 0},
                  {LINKED_BITS, &t->linked, bits(cells), 0},
                  {BELOW, &t->below, cells, 0},
                  {STARTS, &t->starts, bits(n), 0},
                  {SEEN, &t->seen, bits(n), 0},
                  {MIXED, &t->mixed, bits(n), 0},
                  {HEAD, &t->head, n * 4, 0xFF},
                  {OTHER_HEAD, &t->length, n * 4, 0}};
    gb_status status = GB_OK;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && status == GB_OK; i++) {
        void *at;
        status = reserve(c, arrays[i].which, arrays[i].bytes, &at, error);
        if (status != GB_OK) return status;
        memcpy(arrays[i].out, &at, sizeof at);
        GB_TRY(cudaMemset(at, arrays[i].fill, arrays[i].bytes), error);
    }
    if (view->on_host) {
        status = copy_in(c, SLOT_COPY, &t->slot, cells * OC_SLOTS * 4, error);
        if (status == GB_OK) status = copy_in(c, ITEM_COPY, &t->next, n * 4, error);
        if (status == GB_OK) status = copy_in(c, ITEM_COPY, &t->order, n * 4, error);
        if (status == GB_OK) status = copy_in(c, FIRST_COPY, &t->first, bits(n), error);
    }
    if (status != GB_OK) return status;
    const uint32_t root = 1;
    GB_TRY(cudaMemcpy(t->found, &none, sizeof none, cudaMemcpyHostToDevice), error);
    GB_TRY(cudaMemcpy(t->linked, &root, sizeof root, cudaMemcpyHostToDevice), error);
    return GB_OK;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static gb_status slot_value(const judged *t, uint64_t at, uint32_t *value, gb_error *error)
{
    GB_TRY(cudaMemcpy(value, t->slot + at, 4, cudaMemcpyDeviceToHost), error);
    return GB_OK;
}

/* Of defects of slots the end of the sentence, else the sentence. */
static const char *const said[] = {
    "body %llu was overwritten",
    "is still locked",
    "leads to a cell that was not handed out",
    "holds a body or a place that does not exist",
    "leads to a cell for which bodies have no digit left",
    "leads to a cell to which another slot leads, too",
    "holds a place at which no range begins",
    "holds what another slot holds, too",
    "what comes after body, or stands at place, %llu is no body",
    "body %llu is in the tree a second time",
    "body %llu is in no leaf",
    "no range begins at place %llu",
    "body %llu is in a list that no slot holds: it goes round in a circle",
    "body %llu is in the list of one with which it does not coincide",
    "", /* WALK: bad_walk */
    "the range at place %llu comes before its predecessor on the curve",
    "the leaf at place %llu has more bodies than it may hold, and they do not all coincide",
    "cell %llu has no more bodies below it than a leaf may hold",
    "cell %llu has only bodies that coincide",
};
static_assert(sizeof said / sizeof *said == DEFECTS, "one for each kind, in order");

static gb_status bad_slot(const judged *t, int kind, uint64_t at, gb_error *error)
{
    uint32_t value;
    gb_status status = slot_value(t, at, &value, error);
    if (status != GB_OK) return status;
    return gb_fail(error, GB_WRONG, "slot %u of cell %" PRIu64 " %s (0x%08" PRIx32 ")",
                   (unsigned)(at % OC_SLOTS), at / OC_SLOTS, said[kind], value);
}

/* Where the walk to an item's body ends. */
static gb_status bad_walk(const judged *t, uint32_t item, gb_error *error)
{
    uint32_t body = item, value = OC_CELL;
    uint64_t at = 0;
    float4 b;
    int depth = -1;
    if (t->order) GB_TRY(cudaMemcpy(&body, t->order + item, 4, cudaMemcpyDeviceToHost), error);
    GB_TRY(cudaMemcpy(&b, t->bodies + body, sizeof b, cudaMemcpyDeviceToHost), error);
    const oc_place place = oc_place_at(t->box, b.x, b.y, b.z);
    while (oc_is_cell(value)) {
        at = (uint64_t)(value & ~OC_CELL) * OC_SLOTS + oc_digit(place, ++depth);
        gb_status status = slot_value(t, at, &value, error);
        if (status != GB_OK) return status;
    }
    return gb_fail(error, GB_WRONG,
                   "body %u is not found: its walk ends at depth %d in slot %u of cell %" PRIu64
                   ", which %s (0x%08" PRIx32 ")",
                   body, depth, (unsigned)(at % OC_SLOTS), at / OC_SLOTS,
                   value == OC_EMPTY ? "is empty" : "holds another leaf", value);
}

/* The first defect of those kinds that were looked for so far; GB_OK: there is none. */
static gb_status verdict(const judged *t, findings *found, gb_error *error)
{
    GB_TRY(cudaMemcpy(found, t->found, sizeof *found, cudaMemcpyDeviceToHost), error);
    for (int kind = 0; kind < DEFECTS; kind++) {
        const unsigned long long at = found->at[kind];
        if (at == NOWHERE) continue;
        if (kind >= LOCK && kind <= SLOTS) return bad_slot(t, kind, at, error);
        if (kind == WALK) return bad_walk(t, (uint32_t)at, error);
        /* the format is one of those above: NOLINTNEXTLINE(clang-diagnostic-format-*) */
        return gb_fail(error, GB_WRONG, said[kind], at);
    }
    return GB_OK;
}

/* ---- judging --------------------------------------------------------------------------------- */

/* Runs a kernel over `count` things. */
#define OVER(kernel, count, ...)                                                                \
    GB_TRY(launch(kernel, gb_grid(p->device, count), dim3(GB_GRID_THREADS), 0, 0, __VA_ARGS__), \
           error)

/* levels[d] ... levels[d + 1]: the cells of depth d in the list; as many as there are depths. */
static gb_status judge_tree(const gb_problem *p, const judged *t, findings *found,
                            uint64_t levels[OC_DEPTH + 1], gb_error *error)
{
    levels[0] = 0;
    found->reached = 1;
    for (int depth = 0; depth < OC_DEPTH; depth++) {
        levels[depth + 1] = found->reached;
        const uint64_t cells = levels[depth + 1] - levels[depth];
        if (cells == 0) continue;
        OVER(judge_slots, cells * OC_SLOTS, *t, levels[depth], levels[depth + 1], depth);
        gb_status status = verdict(t, found, error);
        if (status != GB_OK) return status;
    }
    return GB_OK;
}

static gb_status find_heads(const gb_problem *p, judged *t, findings *found, gb_error *error)
{
    if (t->next) {
        OVER(judge_lists, t->n, *t);
        OVER(judge_lost, t->n, *t);
    } else {
        OVER(judge_order, t->n, *t);
    }
    gb_status status = verdict(t, found, error);
    /* 2^31 steps lead from any item to the first; more do not lead out of a circle */
    for (int round = 0; round <= 31 && status == GB_OK; round++) {
        GB_TRY(cudaMemset(&t->found->changed, 0, sizeof t->found->changed), error);
        OVER(jump, t->n, *t);
        uint32_t *jumped = t->length;
        t->length = t->head;
        t->head = jumped;
        status = verdict(t, found, error);
        if (found->changed == 0) break;
    }
    if (status == GB_OK) GB_TRY(cudaMemset(t->length, 0, t->n * 4), error);
    return status;
}

static gb_status judge_counts(const gb_problem *p, const judged *t, findings *found,
                              const uint64_t levels[OC_DEPTH + 1], gb_error *error)
{
    OVER(judge_leaves, t->n, *t);
    for (int depth = OC_DEPTH - 1; depth >= 0; depth--) {
        const uint64_t cells = levels[depth + 1] - levels[depth];
        if (cells) OVER(judge_cells, cells, *t, levels[depth], levels[depth + 1]);
    }
    return verdict(t, found, error);
}

static void fill_stats(oc_stats *stats, const findings *found, const uint64_t levels[OC_DEPTH + 1])
{
    *stats = {};
    stats->cells = found->reached;
    stats->deepest = -1;
    for (int depth = 0; depth < OC_DEPTH; depth++) {
        stats->cells_at[depth] = levels[depth + 1] - levels[depth];
        stats->leaves_at[depth] = found->leaves[depth];
        stats->bodies_at[depth] = found->bodies[depth];
        stats->leaves += found->leaves[depth];
        if (found->leaves[depth]) stats->deepest = depth;
    }
}

/* Of any bodies, or, where they are `known`, of those that the problem made or read. */
static gb_status judge(gb_problem *problem, bool known, const oc_view *view, oc_stats *stats,
                       gb_error *error)
{
    const gb_problem *p = problem;
    checker *c;
    judged t;
    findings found;
    uint64_t levels[OC_DEPTH + 1] = {};
    gb_status status = check_view(p, view, error);
    if (status == GB_OK) status = checker_of(problem, &c, error);
    if (status == GB_OK && known && p->shape.dist == OC_DIST_FILE)
        status = check_file_bodies(p, c, error);
    if (status == GB_OK) status = set_up(p, c, view, &t, error);
    if (status != GB_OK) return status;
    if (known && p->shape.dist != OC_DIST_FILE)
        OVER(judge_bodies, t.n, oc_bodies_of(&p->shape, p->seed), t.bodies, t.found);
    status = judge_tree(p, &t, &found, levels, error);
    if (status == GB_OK) status = find_heads(p, &t, &found, error);
    if (status != GB_OK) return status;
    OVER(judge_items, t.n, t);
    status = verdict(&t, &found, error);
    if (status == GB_OK) status = judge_counts(p, &t, &found, levels, error);
    if (status != GB_OK) return status;
    oc_stats own;
    if (!stats) stats = &own;
    fill_stats(stats, &found, levels);
    return t.n <= OC_FEW ? oc_judge_few(p, view, stats, error) : GB_OK;
}

gb_status oc_judge(gb_problem *problem, const oc_view *view, oc_stats *stats, gb_error *error)
{
    return judge(problem, true, view, stats, error);
}

gb_status oc_judge_tree(gb_problem *problem, const oc_view *view, oc_stats *stats, gb_error *error)
{
    return judge(problem, false, view, stats, error);
}

gb_status oc_check(gb_job *job, gb_stream stream)
{
    const oc_state *state = static_cast<const oc_state *>(job->state);
    oc_view view = {};
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    if (state->check) return state->check(job);
    gb_status status = state->view(job, &view);
    return status == GB_OK ? oc_judge(job->problem, &view, NULL, &job->error) : status;
}
