/* The octrees' checker against trees that were spoiled by hand, each in one way: it names what is
 * wrong, and the comparison with the CPU's tree finds it, too. */
#include "tests/kernels/octree/octree_spoiled.cuh"

/* ---- slots and cells ------------------------------------------------------------------------- */

static void slots(void **)
{
    found(lists, "is still locked", [](tree &t) { t.slot[empty_slot(t)] = OC_LOCKED; });
    found(lists, "is still locked", [](tree &t) { t.slot[leaf_slot(t, 1)] = OC_LOCKED; });
    found(lists, "leads to a cell that was not handed out",
          [](tree &t) { t.slot[cell_slot(t)] = OC_CELL | (uint32_t)t.view.cells; });
    found(lists, "leads to a cell that was not handed out",
          [](tree &t) { t.slot[empty_slot(t)] = OC_LOCKED - 1; });
    found(lists, "holds a body or a place that does not exist",
          [](tree &t) { t.slot[leaf_slot(t, 1)] = BODIES; });
    found(ranges, "holds a body or a place that does not exist",
          [](tree &t) { t.slot[empty_slot(t)] = OC_CELL - 1; });
    found(lists, "holds what another slot holds, too",
          [](tree &t) { t.slot[empty_slot(t)] = t.slot[leaf_slot(t, 1)]; });
    found(ranges, "holds what another slot holds, too",
          [](tree &t) { t.slot[empty_slot(t)] = t.slot[leaf_slot(t, 1)]; });
}

static void links(void **)
{
    const char *const words = "to which another slot leads, too";
    found(lists, words, [](tree &t) { t.slot[empty_slot(t)] = t.slot[cell_slot(t)]; });
    found(lists, words, [](tree &t) { t.slot[leaf_slot(t, 1)] = OC_CELL; });
    found(ranges, words, [](tree &t) { /* a cell below itself */
                                       const size_t at = leaf_slot(t, 2, OC_SLOTS);
                                       t.slot[at] = OC_CELL | (uint32_t)(at / OC_SLOTS);
    });
    found(ranges, "for which bodies have no digit left",
          [](tree &t) { /* a chain of cells */
                        uint32_t cell = (uint32_t)t.view.cells;
                        t.slot[leaf_slot(t, 3)] = OC_CELL | cell;
                        for (; cell < t.view.cells + OC_DEPTH; cell++)
                            t.slot[(size_t)cell * OC_SLOTS] = OC_CELL | (cell + 1);
                        t.view.cells += OC_DEPTH + 1;
          });
}

/* A new cell in that slot holds what the slot held, in the octant that is its. */
static void put_cell_between(fixture &f, size_t at)
{
    tree &t = f.t;
    const int depth = depth_of(t, at / OC_SLOTS) + 1;
    const uint32_t cell = (uint32_t)t.view.cells++,
                   digit = oc_digit(place_of(f, t.slot[at]), depth);
    t.slot[(size_t)cell * OC_SLOTS + digit] = t.slot[at];
    t.slot[at] = OC_CELL | cell;
}

static void cells_that_should_not_be(void **)
{
    const char *const words = "has no more bodies below it than a leaf may hold";
    found(lists, words,
          [](tree &t) { t.slot[empty_slot(t)] = OC_CELL | (uint32_t)t.view.cells++; });
    found(lists, words, [](tree &t) { put_cell_between(lists, leaf_slot(t, 1)); });
    found(ranges, words, [](tree &t) { put_cell_between(ranges, leaf_slot(t, 1)); });
    found(lists, "has only bodies that coincide",
          [](tree &t) { put_cell_between(lists, leaf_slot(t, 3)); });
    found(lists, "has only bodies that coincide", [](tree &t) {
        put_cell_between(lists, leaf_slot(t, 3));
        put_cell_between(lists, leaf_slot(t, 3));
    });
}

/* The deepest cells' leaves become one where their cell was. */
static void cells_that_should_be(void **)
{
    found(ranges, "has more bodies than it may hold", [](tree &t) {
        const size_t at = slot_where(t, [&](size_t s) {
            if (!oc_is_cell(t.slot[s])) return false;
            const size_t cell = t.slot[s] & ~OC_CELL;
            for (size_t d = 0; d < OC_SLOTS; d++)
                if (oc_is_cell(t.slot[cell * OC_SLOTS + d])) return false;
            return true;
        });
        const size_t cell = t.slot[at] & ~OC_CELL;
        for (size_t d = OC_SLOTS; d-- > 0;)
            if (t.slot[cell * OC_SLOTS + d] != OC_EMPTY) {
                set_bit(t, t.slot[cell * OC_SLOTS + d], false);
                t.slot[at] = t.slot[cell * OC_SLOTS + d];
            }
        set_bit(t, t.slot[at], true);
    });
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void bodies_lost_and_elsewhere(void **)
{
    found(lists, "is in no leaf", [](tree &t) { t.slot[leaf_slot(t, 1)] = OC_EMPTY; });
    found(lists, "is in no leaf", [](tree &t) {
        const uint32_t head = t.slot[leaf_slot(t, 3)], second = t.next[head];
        t.next[head] = t.next[second];
        t.next[second] = OC_EMPTY;
    });
    found(ranges, "which is empty", [](tree &t) { t.slot[leaf_slot(t, 2)] = OC_EMPTY; });
    found(lists, "which is empty", [](tree &t) { /* in another octant of the same cell */
                                                 const size_t leaf = slot_where(t, [&](size_t at) {
                                                     return oc_is_leaf(t.slot[at]) &&
                                                            (t.slot[at ^ 1] == OC_EMPTY);
                                                 });
                                                 std::swap(t.slot[leaf], t.slot[leaf ^ 1]);
    });
    found(lists, "which holds another leaf", [](tree &t) {
        const size_t leaf = leaf_slot(t, 1);
        std::swap(t.slot[leaf], t.slot[leaf_slot(t, 1, leaf + 1)]);
    });
    found(ranges, "which holds another leaf", [](tree &t) {
        const size_t leaf = leaf_slot(t, 1);
        std::swap(t.slot[leaf], t.slot[leaf_slot(t, 1, leaf + 1)]);
    });
    found(lists, "", [](tree &t) { std::fill(t.slot.begin(), t.slot.end(), OC_EMPTY); });
    found(ranges, "",
          [](tree &t) { std::fill(t.slot.begin(), t.slot.end(), OC_POISON * 0x01010101u); });
}

static uint32_t last_of(const tree &t, uint32_t head)
{
    while (t.next[head] != OC_EMPTY)
        head = t.next[head];
    return head;
}

static void lists_of_bodies(void **)
{
    found(lists, "is in the tree a second time",
          [](tree &t) { t.next[t.slot[leaf_slot(t, 1)]] = t.slot[leaf_slot(t, 3)]; });
    found(lists, "is in the tree a second time", [](tree &t) {
        const uint32_t head = t.slot[leaf_slot(t, 3)];
        t.next[last_of(t, head)] = head;
    });
    found(lists, "is in the tree a second time", [](tree &t) {
        const uint32_t last = last_of(t, t.slot[leaf_slot(t, 3)]);
        t.next[last] = last;
    });
    found(lists, "goes round in a circle", [](tree &t) {
        const uint32_t head = t.slot[leaf_slot(t, 3)], second = t.next[head];
        t.next[last_of(t, head)] = second;
        t.next[head] = OC_EMPTY;
    });
    found(lists, "in the list of one with which it does not coincide", [](tree &t) {
        const size_t stranger = leaf_slot(t, 1);
        t.next[last_of(t, t.slot[leaf_slot(t, 3)])] = t.slot[stranger];
        t.slot[stranger] = OC_EMPTY;
    });
    found(lists, "is no body", [](tree &t) { t.next[t.slot[leaf_slot(t, 1)]] = BODIES; });
    found(lists, "is no body",
          [](tree &t) { t.next[t.slot[leaf_slot(t, 3)]] = OC_POISON * 0x01010101u; });
}

static void an_order(void **)
{
    found(ranges, "is in the tree a second time", [](tree &t) { t.order[7] = t.order[100]; });
    found(ranges, "is no body", [](tree &t) { t.order[BODIES - 1] = BODIES; });
    found(ranges, "is no body", [](tree &t) { t.order[0] = OC_EMPTY; });
    found(ranges, "holds a place at which no range begins",
          [](tree &t) { set_bit(t, t.slot[leaf_slot(t, 3)], false); });
    found(ranges, "which holds another leaf", /* a range cut into two */
          [](tree &t) { set_bit(t, t.slot[leaf_slot(t, 3)] + 1, true); });
    found(ranges, "no range begins at place 0", [](tree &t) {
        t.slot[slot_where(t, [&](size_t at) { return t.slot[at] == 0; })] = OC_EMPTY;
        set_bit(t, 0, false);
    });
    found(ranges, "is not found", [](tree &t) { /* bodies of different leaves change places */
                                                std::swap(t.order[t.slot[leaf_slot(t, 3)]],
                                                          t.order[t.slot[leaf_slot(t, 2)]]);
    });
    found(ranges, "comes before its predecessor on the curve", [](tree &t) {
        /* two leaves of one body each, one behind the other, change places in order and tree */
        const size_t a = slot_where(t, [&](size_t at) {
            const uint32_t leaf = t.slot[at];
            return bodies_in(t, at) == 1 && leaf + 1 < BODIES &&
                   bodies_in(t, slot_where(t, [&](size_t s) { return t.slot[s] == leaf + 1; })) ==
                       1;
        });
        const size_t b = slot_where(t, [&](size_t at) { return t.slot[at] == t.slot[a] + 1; });
        std::swap(t.order[t.slot[a]], t.order[t.slot[b]]);
        std::swap(t.slot[a], t.slot[b]);
    });
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots),
        cmocka_unit_test(links),
        cmocka_unit_test(cells_that_should_not_be),
        cmocka_unit_test(cells_that_should_be),
        cmocka_unit_test(bodies_lost_and_elsewhere),
        cmocka_unit_test(lists_of_bodies),
        cmocka_unit_test(an_order),
    };
    return cmocka_run_group_tests_name("the octrees' checker", tests, open_all, close_all);
}
