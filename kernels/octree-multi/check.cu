/* The judge of trees over several ranks. The tree is right, in full, if
 *   - no body was changed where it lay at first, and the ranks together have the same bodies: as
 * many and the same, by the cells of depth OM_BIN_DIGITS that they lie in;
 *   - each rank's own tree is *the* octree of its bodies (oc_judge_tree of kernels/octree, slot by
 *     slot against the CPU's where they are few);
 *   - each rank has its bodies in curve order, and all of them before those of the next rank;
 *   - all ranks have made the same top, a tree of cells, each linked once;
 *   - every body walks from the root through the top into its own rank's tree, to the cell that
 * this tree has there, or to a leaf of the top that it is in;
 *   - a cell of the top has bodies of more than one rank and, but for the root, more than a leaf
 * may hold; a leaf has as many as it says, and no more than it may unless they coincide; nothing
 *     leads to where no body is.
 * Then every cell of the whole tree is there and no other one. Few bodies are put together on the
 * host besides, and compared with the CPU's tree. */
#include "kernels/octree-multi/check.h"

#include "kernels/octree-multi/check.cuh"
#include "kernels/octree/check.h"

#include <inttypes.h>
#include <stdlib.h>

/* What stays for the next check: of each local rank the problem that kernels/octree judges. */
struct om_checker {
    gb_problem tree[GB_MOST_RANKS];
};

void om_checker_close(om_problem *p)
{
    gb_error ignored;
    for (unsigned i = 0; p->checker && i < p->comm->locals; i++)
        if (gb_comm_enter(p->comm, i, &ignored) == GB_OK) oc_checker_close(&p->checker->tree[i]);
    free(p->checker);
    p->checker = NULL;
}

/* What is found on a rank, in its memory and on the host. */
typedef struct finding {
    om_bins given, come;
    om_findings found;
    unsigned ended[OC_SLOTS * OM_MOST_TOP];
} finding;

/* Runs a kernel over `count` things of a local rank, whose device is the current one. */
#define OVER(kernel, i, count, ...)                                                              \
    GB_TRY(launch(kernel, gb_grid(&p->comm->local[i].device, count), dim3(OM_BIN_THREADS), 0, 0, \
                  __VA_ARGS__),                                                                  \
           error)

/* ---- bodies ---------------------------------------------------------------------------------- */

static gb_status look_at_bodies(const om_judged *j, unsigned i, finding *on_rank, gb_error *error)
{
    const om_problem *p = j->problem;
    const unsigned rank = p->comm->local[i].rank;
    const uint64_t share = om_share(p, rank);
    const om_part *part = &j->part[rank];
    om_findings none;
    for (unsigned long long &at : none.at)
        at = OM_NOWHERE;
    GB_TRY(cudaMemset(on_rank, 0, sizeof *on_rank), error);
    GB_TRY(cudaMemcpy(&on_rank->found, &none, sizeof none, cudaMemcpyHostToDevice), error);
    OVER(om_judge_input, i, share, oc_bodies_of(&p->shape.bodies, p->seed),
         om_share_begin(&p->shape, rank), share, p->box, static_cast<const float4 *>(p->bodies[i]),
         &on_rank->given, &on_rank->found);
    OVER(om_bin_bodies, i, part->n, static_cast<const float4 *>(part->bodies), part->n, p->box,
         &on_rank->come);
    return GB_OK;
}

/* Of findings the first that is wrong. */
static gb_status verdict(const om_findings *found, unsigned rank, gb_error *error)
{
    static const char *const said[] = {
        "body %llu of rank %u was overwritten where it lay at first",
        "place %llu of rank %u comes behind the next one on the curve",
        "place %llu of rank %u: from the root its digits lead to an empty slot of the top",
        "place %llu of rank %u: from the root its digits lead to another rank",
        "place %llu of rank %u: the top leads to another cell than the rank has there",
        "place %llu of rank %u: the top leads to a leaf that it is not in",
        "place %llu of rank %u is in a leaf of too many, with which it does not coincide",
    };
    static_assert(sizeof said / sizeof *said == OM_DEFECTS, "one for each kind, in order");
    for (int kind = 0; kind < OM_DEFECTS; kind++)
        if (found->at[kind] != OM_NOWHERE)
            /* the format is one of those above: NOLINTNEXTLINE(clang-diagnostic-format-*) */
            return gb_fail(error, GB_WRONG, said[kind], found->at[kind], rank);
    return GB_OK;
}

static gb_status compare_bodies(const om_judged *j, const finding *of_ranks, gb_error *error)
{
    for (unsigned bin = 0; bin < OM_BINS; bin++) {
        unsigned long long given = 0, come = 0, given_sum = 0, come_sum = 0;
        for (unsigned r = 0; r < j->ranks; r++) {
            given += of_ranks[r].given.count[bin];
            come += of_ranks[r].come.count[bin];
            given_sum += of_ranks[r].given.sum[bin];
            come_sum += of_ranks[r].come.sum[bin];
        }
        if (given != come)
            return gb_fail(
                error, GB_WRONG,
                "%llu bodies lie in cell %03o of depth %d, and %llu have come from there", given,
                bin, (int)OM_BIN_DIGITS, come);
        if (given_sum != come_sum)
            return gb_fail(
                error, GB_WRONG,
                "the bodies that have come from cell %03o of depth %d are not those that "
                "lie there",
                bin, (int)OM_BIN_DIGITS);
    }
    return GB_OK;
}

/* ---- the ranks' own trees -------------------------------------------------------------------- */

static gb_status judge_own(const om_judged *j, unsigned i, gb_error *error)
{
    const om_problem *p = j->problem;
    const unsigned rank = p->comm->local[i].rank;
    const om_part *part = &j->part[rank];
    gb_problem *own = &p->checker->tree[i];
    gb_error why;
    own->shape = p->shape.bodies;
    own->shape.n = part->n;
    own->device = &p->comm->local[i].device;
    own->box = p->box;
    own->bodies = const_cast<void *>(part->bodies);
    const gb_status status = oc_judge_tree(own, &part->tree, NULL, &why);
    if (status != GB_OK) return gb_fail(error, status, "rank %u's tree: %s", rank, why.text);
    return GB_OK;
}

/* A place at one end of a rank's order. */
static gb_status end_of(const om_judged *j, unsigned rank, uint64_t at, oc_place *place,
                        gb_error *error)
{
    const om_part *part = &j->part[rank];
    uint32_t body;
    float4 b;
    GB_TRY(cudaMemcpy(&body, part->tree.order + at, sizeof body, cudaMemcpyDeviceToHost), error);
    GB_TRY(cudaMemcpy(&b, static_cast<const float4 *>(part->bodies) + body, sizeof b,
                      cudaMemcpyDeviceToHost),
           error);
    *place = oc_place_at(j->problem->box, b.x, b.y, b.z);
    return GB_OK;
}

static gb_status judge_ranges(const om_judged *j, gb_error *error)
{
    oc_place last = {0, 0, 0}, first;
    bool any = false;
    gb_status status = GB_OK;
    for (unsigned r = 0; r < j->ranks && status == GB_OK; r++) {
        if (j->part[r].n == 0) continue;
        status = end_of(j, r, 0, &first, error);
        if (status != GB_OK) return status;
        const int depth = any ? oc_common_depth(last, first) : 0;
        if (any && (depth == OC_DEPTH || oc_digit(last, depth) > oc_digit(first, depth)))
            return gb_fail(error, GB_WRONG,
                           "rank %u has a body that does not lie behind all of the ranks before",
                           r);
        any = true;
        status = end_of(j, r, j->part[r].n - 1, &last, error);
    }
    return status;
}

/* ---- the top --------------------------------------------------------------------------------- */

/* Cells of the top from the root on, those above first, and the slot that each is in. */
typedef struct tree_order {
    unsigned count;
    unsigned cell[OM_MOST_TOP];
    unsigned above[OM_MOST_TOP]; /* by cell: its slot; ~0: the root, or not seen */
    unsigned depth[OM_MOST_TOP]; /* by cell */
    bool seen[OM_MOST_TOP];
} tree_order;

static gb_status bad_link(unsigned at, const om_slot *slot, const char *what, gb_error *error)
{
    return gb_fail(error, GB_WRONG,
                   "the top's slot %u of cell %u %s (rank 0x%x, value 0x%08x, count %u)",
                   at % OC_SLOTS, at / OC_SLOTS, what, slot->rank, slot->value, slot->count);
}

/* Whether what a slot leads to exists; cells of the top join the list. */
static gb_status follow(const om_judged *j, tree_order *order, unsigned at, unsigned depth,
                        gb_error *error)
{
    const om_slot *slot = &j->top->slot[at];
    const uint32_t index = slot->value & ~OC_CELL;
    if (slot->rank == OM_NOBODY) return GB_OK;
    if (slot->rank == OM_TOP) {
        if (!oc_is_cell(slot->value) || index >= j->top->cells || depth >= OC_DEPTH)
            return bad_link(at, slot, "leads to no cell of the top", error);
        if (order->seen[index])
            return bad_link(at, slot, "leads to a cell to which another leads, too", error);
        order->seen[index] = true;
        order->above[index] = at;
        order->depth[index] = depth;
        order->cell[order->count++] = index;
        return GB_OK;
    }
    if (slot->rank >= j->ranks) return bad_link(at, slot, "leads to no rank", error);
    const om_part *part = &j->part[slot->rank];
    if (oc_is_cell(slot->value) ? index >= part->tree.cells
                                : !oc_is_leaf(slot->value) || slot->value >= part->n)
        return bad_link(at, slot, "leads to what the rank does not have", error);
    return GB_OK;
}

static gb_status follow_all(const om_judged *j, tree_order *order, gb_error *error)
{
    const om_top *top = j->top;
    const uint32_t root = top->root.value & ~OC_CELL;
    gb_status status = GB_OK;
    if (!oc_is_cell(top->root.value) || top->cells > OM_MOST_TOP ||
        (top->root.rank == OM_TOP ? root >= top->cells : top->root.rank >= j->ranks || root > 0))
        return gb_fail(error, GB_WRONG, "the top has no root (rank 0x%x, value 0x%08x, %u cells)",
                       top->root.rank, top->root.value, top->cells);
    if (top->root.rank == OM_TOP) {
        order->seen[root] = true;
        order->above[root] = ~0u;
        order->cell[order->count++] = root;
    }
    for (unsigned c = 0; c < order->count; c++) {
        const unsigned cell = order->cell[c];
        for (unsigned d = 0; d < OC_SLOTS && status == GB_OK; d++)
            status = follow(j, order, cell * OC_SLOTS + d, order->depth[cell] + 1, error);
        if (status != GB_OK) return status;
    }
    if (order->count != top->cells)
        return gb_fail(error, GB_WRONG, "of the top's %u cells %u can be reached", top->cells,
                       order->count);
    return GB_OK;
}

/* Of bodies that have ended in a slot, whether it leads to as many. */
static gb_status judge_slot(const om_judged *j, unsigned at, uint64_t bodies, gb_error *error)
{
    const om_slot *slot = &j->top->slot[at];
    const bool leaf = slot->rank != OM_NOBODY && oc_is_leaf(slot->value);
    if (slot->rank == OM_NOBODY) return GB_OK; /* a body that ended here was lost */
    if (bodies == 0) return bad_link(at, slot, "leads to where no body is", error);
    if (leaf && slot->count && bodies != slot->count)
        return bad_link(at, slot, "leads to a leaf of another number of bodies", error);
    if (leaf && !slot->count && bodies <= j->problem->shape.bodies.leaf)
        return bad_link(at, slot, "leads to a leaf that does not say how many it has", error);
    return GB_OK;
}

/* How many bodies each cell has, and of how many ranks, from those below upwards. */
static gb_status judge_counts(const om_judged *j, const tree_order *order, const finding *of_ranks,
                              gb_error *error)
{
    static_assert(GB_MOST_RANKS <= 64, "a bit a rank");
    uint64_t bodies[OM_MOST_TOP] = {}, ranks[OM_MOST_TOP] = {};
    for (unsigned c = order->count; c-- > 0;) {
        const unsigned cell = order->cell[c];
        for (unsigned d = 0; d < OC_SLOTS; d++) {
            const unsigned at = cell * OC_SLOTS + d;
            uint64_t ended = 0;
            if (j->top->slot[at].rank == OM_TOP) continue; /* has been added */
            for (unsigned r = 0; r < j->ranks; r++) {
                ended += of_ranks[r].ended[at];
                if (of_ranks[r].ended[at]) ranks[cell] |= (uint64_t)1 << r;
            }
            const gb_status status = judge_slot(j, at, ended, error);
            if (status != GB_OK) return status;
            bodies[cell] += ended;
        }
        const bool root = order->above[cell] == ~0u;
        if (!root && bodies[cell] <= j->problem->shape.bodies.leaf)
            return gb_fail(error, GB_WRONG,
                           "cell %u of the top has no more bodies below it than a leaf may hold",
                           cell);
        if ((ranks[cell] & (ranks[cell] - 1)) == 0)
            return gb_fail(error, GB_WRONG, "cell %u of the top has bodies of one rank alone",
                           cell);
        if (root) continue;
        bodies[order->above[cell] / OC_SLOTS] += bodies[cell];
        ranks[order->above[cell] / OC_SLOTS] |= ranks[cell];
    }
    return GB_OK;
}

static gb_status walk(const om_judged *j, unsigned i, finding *on_rank, gb_error *error)
{
    const om_problem *p = j->problem;
    const unsigned rank = p->comm->local[i].rank;
    const om_part *part = &j->part[rank];
    om_walked w = {};
    w.bodies = static_cast<const float4 *>(part->bodies);
    w.order = part->tree.order;
    w.slot = part->tree.slot;
    w.n = (uint32_t)part->n;
    w.box = p->box;
    w.me = rank;
    w.leaf = p->shape.bodies.leaf;
    w.root = j->top->root;
    w.top = part->top ? part->top->slot : NULL;
    for (unsigned r = 0; r < j->ranks; r++)
        w.begin[r] = j->begin[r];
    w.ended = on_rank->ended;
    w.found = &on_rank->found;
    OVER(om_walk, i, part->n, w);
    return GB_OK;
}

/* All ranks' tops to the host, where they must be the same. */
static gb_status fetch_top(const om_judged *j, om_top *top, om_top *other, gb_error *error)
{
    for (unsigned r = 0; r < j->ranks; r++) {
        if (!j->part[r].top) {
            top->cells = 0;
            top->root = om_slot{0, OC_CELL, 0, 0};
            return GB_OK;
        }
        om_top *to = r ? other : top;
        GB_TRY(cudaMemcpy(to, j->part[r].top, sizeof *to, cudaMemcpyDeviceToHost), error);
        const size_t bytes =
            offsetof(om_top, slot) + (top->cells < OM_MOST_TOP ? top->cells : (size_t)OM_MOST_TOP) *
                                         OC_SLOTS * sizeof(om_slot);
        if (r && memcmp(top, other, bytes) != 0)
            return gb_fail(error, GB_WRONG, "rank %u has another top than rank 0", r);
    }
    return GB_OK;
}

/* ---- all together ---------------------------------------------------------------------------- */

/* The host's memory, and of each rank that on its device. */
typedef struct workspace {
    om_judged judged;
    om_top top, other;
    tree_order order;
    finding of_ranks[GB_MOST_RANKS];
    finding *on_ranks[GB_MOST_RANKS];
} workspace;

static gb_status fetch_parts(gb_job *job, om_judged *j)
{
    const om_state *state = static_cast<const om_state *>(job->state);
    const om_problem *p = j->problem;
    gb_error *error = &job->error;
    const gb_comm *comm = p->comm;
    if (comm->locals != comm->size)
        return gb_fail(error, GB_UNSUPPORTED, "the check wants all ranks in one process");
    for (unsigned i = 0; i < comm->locals; i++) {
        const unsigned rank = comm->local[i].rank;
        om_part *part = &j->part[rank];
        gb_status status = gb_comm_enter(comm, i, error);
        if (status == GB_OK) status = state->part(job, i, part);
        if (status != GB_OK) return status;
        if (part->n > p->shape.room)
            return gb_fail(error, GB_OUT_OF_MEMORY,
                           "rank %u should have %" PRIu64 " bodies and has room for %" PRIu64
                           ": raise the axis room (bodies for every hundred of an even share)",
                           rank, part->n, p->shape.room);
    }
    for (unsigned r = 0; r < comm->size; r++)
        j->begin[r + 1] = j->begin[r] + j->part[r].n;
    if (j->begin[comm->size] != p->shape.bodies.n)
        return gb_fail(error, GB_WRONG, "%" PRIu64 " bodies have come to the ranks, of %" PRIu64,
                       j->begin[comm->size], p->shape.bodies.n);
    return GB_OK;
}

/* Runs the kernels of a step on all ranks, then fetches what was found, and judges it. */
typedef gb_status (*rank_step)(const om_judged *j, unsigned i, finding *on_rank, gb_error *error);

static gb_status on_all(workspace *w, rank_step step, gb_error *error)
{
    const gb_comm *comm = w->judged.problem->comm;
    gb_status status = GB_OK;
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        status = gb_comm_enter(comm, i, error);
        if (status == GB_OK) status = step(&w->judged, i, w->on_ranks[i], error);
    }
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        const unsigned rank = comm->local[i].rank;
        status = gb_comm_enter(comm, i, error);
        if (status != GB_OK) return status;
        GB_TRY(
            cudaMemcpy(&w->of_ranks[rank], w->on_ranks[i], sizeof(finding), cudaMemcpyDeviceToHost),
            error);
        status = verdict(&w->of_ranks[rank].found, rank, error);
    }
    return status;
}

static gb_status judge_all(gb_job *job, workspace *w)
{
    om_judged *j = &w->judged;
    gb_comm *comm = j->problem->comm;
    gb_error *error = &job->error;
    gb_status status = fetch_parts(job, j);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++)
        status = gb_comm_malloc(comm, i, (void **)&w->on_ranks[i], sizeof(finding), "the checker",
                                error);
    if (status == GB_OK) status = on_all(w, look_at_bodies, error);
    if (status == GB_OK) status = compare_bodies(j, w->of_ranks, error);
    for (unsigned i = 0; i < comm->locals && status == GB_OK; i++) {
        status = gb_comm_enter(comm, i, error);
        if (status == GB_OK) status = judge_own(j, i, error);
    }
    if (status == GB_OK) status = judge_ranges(j, error);
    if (status == GB_OK) status = fetch_top(j, &w->top, &w->other, error);
    j->top = &w->top;
    if (status == GB_OK) status = follow_all(j, &w->order, error);
    if (status == GB_OK) status = on_all(w, walk, error);
    if (status == GB_OK) status = judge_counts(j, &w->order, w->of_ranks, error);
    if (status == GB_OK && j->problem->shape.bodies.n <= OC_FEW)
        status = om_compare_with_cpu(j, error);
    return status;
}

gb_status om_check(gb_job *job, gb_stream stream)
{
    om_problem *p = om_problem_of(job);
    gb_error ignored;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    if (!p->checker) p->checker = (om_checker *)calloc(1, sizeof *p->checker);
    workspace *w = (workspace *)calloc(1, sizeof *w);
    if (!w || !p->checker) {
        free(w);
        return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    }
    w->judged.problem = p;
    w->judged.ranks = p->comm->size;
    const gb_status status = judge_all(job, w);
    for (unsigned i = 0; i < p->comm->locals; i++)
        gb_comm_free(p->comm, i, w->on_ranks[i]);
    free(w);
    (void)gb_comm_enter(p->comm, 0, &ignored);
    return status;
}
