/* The octrees' checker: what comes with a tree, trees on the device, bodies that were changed, and
 * trees that were spoiled by chance, at whose end it comes whatever is in them. */
#include "tests/kernels/octree/octree_spoiled.cuh"

/* ---- what comes with a tree ------------------------------------------------------------------ */

static void views(void **)
{
    tree t = lists.right;
    oc_view view = view_of(t);
    view.trouble = OC_POOL_EMPTY;
    says(lists, view, GB_OUT_OF_MEMORY, "is too small for this tree: raise the axis pool");
    view.trouble = 1u << 31;
    says(lists, view, GB_WRONG, "stopped for a reason without a name (0x80000000)");
    view = view_of(t);
    view.cells = 0;
    says(lists, view, GB_WRONG, "has no root");
    view.cells = view.bytes / 32 + 1;
    says(lists, view, GB_WRONG, "cells were handed out, but the build had");
    view = view_of(t);
    view.order = view.next;
    says(lists, view, GB_WRONG, "has lists, or an order");
    view.next = NULL;
    says(lists, view, GB_WRONG, "has lists, or an order");
    view.order = NULL;
    says(lists, view, GB_WRONG, "has lists, or an order");
}

/* Cells that were taken for nothing, whatever is in them, and their order are nobody's business. */
static void cells_of_no_use(void **)
{
    tree t = lists.right;
    for (size_t at = t.view.cells * OC_SLOTS; at < t.slot.size(); at++)
        t.slot[at] = (uint32_t)at % 3 ? (uint32_t)at : OC_CELL | 1;
    const size_t moved = t.view.cells + 5;
    const size_t at = cell_slot(t);
    const size_t from = (size_t)(t.slot[at] & ~OC_CELL) * OC_SLOTS;
    for (size_t d = 0; d < OC_SLOTS; d++)
        t.slot[moved * OC_SLOTS + d] = t.slot[from + d];
    t.slot[at] = OC_CELL | (uint32_t)moved;
    t.view.cells += SPARE;
    says(lists, view_of(t), GB_OK, "");
}

static uint32_t *on_device(const std::vector<uint32_t> &words)
{
    uint32_t *copy;
    if (words.empty()) return NULL;
    assert_int_equal(cudaMalloc(&copy, words.size() * 4), cudaSuccess);
    assert_int_equal(cudaMemcpy(copy, words.data(), words.size() * 4, cudaMemcpyHostToDevice),
                     cudaSuccess);
    return copy;
}

/* The same trees in device memory. */
static void trees_on_the_device(void **)
{
    for (fixture *f : {&lists, &ranges}) {
        tree t = f->right;
        oc_view view = t.view;
        uint32_t *slot = on_device(t.slot);
        uint32_t *next = on_device(t.next), *order = on_device(t.order),
                 *first = on_device(t.first);
        view.on_host = false;
        view.slot = slot;
        view.next = next;
        view.order = order;
        view.first = first;
        says(*f, view, GB_OK, "");
        const uint32_t locked = OC_LOCKED;
        assert_int_equal(cudaMemcpy(slot + empty_slot(t), &locked, 4, cudaMemcpyHostToDevice),
                         cudaSuccess);
        says(*f, view, GB_WRONG, "is still locked");
        for (uint32_t *array : {slot, next, order, first})
            cudaFree(array);
    }
}

/* A body is moved by one unit in the last place of its z; puts it back. */
static void one_changed_body(fixture *f, const char *words)
{
    float4 *at = (float4 *)f->problem->bodies + BODIES / 2, was, moved;
    assert_int_equal(cudaMemcpy(&was, at, sizeof was, cudaMemcpyDeviceToHost), cudaSuccess);
    moved = was;
    moved.z = nextafterf(moved.z, INFINITY);
    assert_int_equal(cudaMemcpy(at, &moved, sizeof moved, cudaMemcpyHostToDevice), cudaSuccess);
    says(*f, view_of(f->right), GB_WRONG, words);
    assert_int_equal(cudaMemcpy(at, &was, sizeof was, cudaMemcpyHostToDevice), cudaSuccess);
    says(*f, view_of(f->right), GB_OK, "");
}

static void changed_bodies(void **)
{
    one_changed_body(&lists, "body 120 was overwritten");
    one_changed_body(&ranges, "body 120 was overwritten");
    fixture read;
    std::vector<float> xyz(3 * BODIES);
    for (size_t i = 0; i < xyz.size(); i++)
        xyz[i] = (float)draw(1, i, 1000000);
    read.params = point_of(xyz, 1);
    read.problem = open_problem(&read.params, 1);
    read.right = tree_of(&oc_cpu, &read.params, read.problem);
    one_changed_body(&read, "gpubench-octree-");
    read.problem->host_bodies[3].mass = 2;
    says(read, view_of(read.right), GB_WRONG, "the host's copy of the bodies was overwritten");
    oc_close(read.problem);
}

/* ---- by chance ------------------------------------------------------------------------------- */

/* There is one tree, so any other word makes another. */
static void any_word(void **)
{
    static const uint32_t odd[] = {OC_EMPTY, OC_LOCKED, OC_CELL, 0, OC_POISON * 0x01010101u};
    for (unsigned turn = 0; turn < 1500; turn++) {
        fixture &f = turn % 2 ? lists : ranges;
        f.t = f.right;
        tree &t = f.t;
        std::vector<uint32_t> *arrays[] = {&t.slot, &t.slot, t.next.empty() ? &t.order : &t.next,
                                           t.next.empty() ? &t.first : &t.next};
        std::vector<uint32_t> &array = *arrays[draw(7, turn, 4)];
        const size_t used = &array == &t.slot    ? t.view.cells * OC_SLOTS
                            : &array == &t.first ? (size_t)BODIES / 32
                                                 : (size_t)BODIES;
        uint32_t &word = array[draw(8, turn, (unsigned)used)];
        const uint32_t was = word, kind = draw(9, turn, 4), by = draw(10, turn, 1u << 30);
        word = kind == 0   ? odd[by % 5]
               : kind == 1 ? by % (BODIES + 2)
               : kind == 2 ? OC_CELL | by % (uint32_t)(t.view.cells + 2)
                           : was ^ 1u << by % 32;
        if (word == was) continue;
        gb_error error = {};
        const oc_view view = view_of(t);
        if (oc_judge(f.problem, &view, NULL, &error) != GB_WRONG)
            fail_msg("turn %u: 0x%08x instead of 0x%08x was not found", turn, word, was);
        if (strstr(error.text, "CPU")) fail_msg("turn %u: only the CPU saw it", turn);
    }
}

/* Whatever there is, the verdict comes. */
static void many_words(void **)
{
    for (unsigned turn = 0; turn < 300; turn++) {
        fixture &f = turn % 2 ? lists : ranges;
        f.t = f.right;
        tree &t = f.t;
        for (unsigned k = 0; k < 40; k++) {
            std::vector<uint32_t> &array = k % 2 ? t.slot : t.next.empty() ? t.order : t.next;
            const size_t used = k % 2 ? t.view.cells * OC_SLOTS : (size_t)BODIES;
            const uint32_t by = draw(20 + k, turn, 1u << 30);
            uint32_t &word = array[draw(70 + k, turn, (unsigned)used)];
            word = k % 2 && by % 2 ? OC_CELL | by / 2 % (uint32_t)t.view.cells : by / 2 % BODIES;
        }
        says(f, view_of(t), GB_WRONG, "");
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views),
        cmocka_unit_test(cells_of_no_use),
        cmocka_unit_test(trees_on_the_device),
        cmocka_unit_test(changed_bodies),
        cmocka_unit_test(any_word),
        cmocka_unit_test(many_words),
    };
    return cmocka_run_group_tests_name("the octrees' checker by chance", tests, open_all,
                                       close_all);
}
