/* Right trees for the tests of the octrees' checker to spoil, and what it is to say of them. */
#ifndef GB_TESTS_KERNELS_OCTREE_OCTREE_SPOILED_CUH
#define GB_TESTS_KERNELS_OCTREE_OCTREE_SPOILED_CUH

#include "tests/kernels/octree/octree.cuh"

/* Bodies with some that coincide in threes, and the trees of two variants over them: one with lists
 * of bodies, one with ranges of an order. */
enum { BODIES = 240, LEAF = 4 };

typedef struct fixture {
    gb_params params;
    gb_problem *problem;
    tree right;
    tree t; /* to be spoiled */
} fixture;

static fixture lists, ranges;

static inline void fill_fixture(fixture *f, const gb_variant *variant, const char *dist,
                                unsigned leaf)
{
    f->params = point(BODIES, dist, leaf);
    f->problem = open_problem(&f->params, 3);
    f->right = tree_of(variant, &f->params, f->problem);
}

static inline int open_all(void **state)
{
    if (get_octree_device(state) != 0) return -1;
    fill_fixture(&lists, &oc_cpu, "duplicates:3", 1);
    fill_fixture(&ranges, &oc_cpu_parallel, "plummer", LEAF);
    return 0;
}

static inline int close_all(void **)
{
    oc_close(lists.problem);
    oc_close(ranges.problem);
    return 0;
}

/* ---- finding things in a tree ---------------------------------------------------------------- */

/* The first slot from `from` on for which the condition holds. */
template <class F> static inline size_t slot_where(const tree &t, F condition, size_t from = 0)
{
    for (size_t at = from; at < t.view.cells * OC_SLOTS; at++)
        if (condition(at)) return at;
    fail_msg("no such slot in this tree");
    return 0;
}

static inline size_t empty_slot(const tree &t, size_t from = 0)
{
    return slot_where(
        t, [&](size_t at) { return t.slot[at] == OC_EMPTY; }, from);
}

static inline size_t cell_slot(const tree &t, size_t from = 0)
{
    return slot_where(
        t, [&](size_t at) { return oc_is_cell(t.slot[at]); }, from);
}

/* Bodies of the leaf in a slot; 0: there is none. */
static inline unsigned bodies_in(const tree &t, size_t at)
{
    const uint32_t leaf = t.slot[at];
    unsigned count = 0;
    if (!oc_is_leaf(leaf)) return 0;
    if (!t.next.empty())
        for (uint32_t body = leaf; body != OC_EMPTY; body = t.next[body])
            count++;
    else
        do
            count++;
        while (leaf + count < BODIES && !(t.first[(leaf + count) / 32] >> (leaf + count) % 32 & 1));
    return count;
}

static inline size_t leaf_slot(const tree &t, unsigned bodies, size_t from = 0)
{
    return slot_where(
        t, [&](size_t at) { return bodies_in(t, at) == bodies; }, from);
}

static inline oc_place place_of(const fixture &f, uint32_t leaf)
{
    float4 b;
    const uint32_t body = f.t.order.empty() ? leaf : f.t.order[leaf];
    assert_int_equal(
        cudaMemcpy(&b, (const float4 *)f.problem->bodies + body, sizeof b, cudaMemcpyDeviceToHost),
        cudaSuccess);
    return oc_place_at(f.problem->box, b.x, b.y, b.z);
}

/* The depth of a cell that can be reached. */
static inline int depth_of(const tree &t, size_t cell)
{
    int depth = 0;
    for (; cell != 0; depth++)
        cell = slot_where(t, [&](size_t at) { return t.slot[at] == (OC_CELL | cell); }) / OC_SLOTS;
    return depth;
}

static inline void set_bit(tree &t, uint32_t place, bool to)
{
    t.first[place / 32] = (t.first[place / 32] & ~(1u << place % 32)) | (uint32_t)to << place % 32;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static inline void says(fixture &f, const oc_view &view, gb_status expected, const char *words)
{
    gb_error error = {};
    const gb_status status = oc_judge(f.problem, &view, NULL, &error);
    if (status != expected || !strstr(error.text, words))
        fail_msg("status %s, \"%s\" instead of \"%s\"", gb_status_name(status), error.text, words);
}

/* Spoils a right tree: the device's checker says these words, and the CPU's sees it as well. */
template <class F> static inline void found(fixture &f, const char *words, F spoil)
{
    oc_stats stats;
    gb_error error = {};
    f.t = f.right;
    oc_view view = view_of(f.t);
    assert_int_equal(oc_judge(f.problem, &view, &stats, &error), GB_OK);
    spoil(f.t);
    view = view_of(f.t);
    says(f, view, GB_WRONG, words);
    std::vector<oc_body> bodies(BODIES);
    assert_int_equal(cudaMemcpy(bodies.data(), f.problem->bodies, BODIES * sizeof(oc_body),
                                cudaMemcpyDeviceToHost),
                     cudaSuccess);
    assert_int_equal(oc_compare_with_cpu(f.problem, bodies.data(), &view, &stats, &error),
                     GB_WRONG);
}

#endif
