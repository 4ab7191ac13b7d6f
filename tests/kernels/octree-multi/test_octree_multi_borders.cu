/* Borders of the octree over several GPUs, by a sorted list of all codes: of spread codes and close
 * ones, few values and one, shares that are full, uneven and empty. */
#include "common/random.h"
#include "kernels/octree-multi/steps.h"
#include "tests/harness/device.cuh"

#include <algorithm>
#include <vector>

struct lists_of {
    om_sampling s;
    std::vector<om_code> code; /* OM_LIST a rank */
    std::vector<om_code> sorted;
};

/* The i-th code of a kind. */
static om_code drawn(unsigned kind, uint64_t i)
{
    const uint64_t random = gb_mix64(i + 1) >> 1; /* OC_CODE_DIGITS digits are 63 bits */
    if (kind == 0) return random;
    if (kind == 1) return random % 5 << 60;
    if (kind == 2) return 12345;
    if (kind == 3) return i % 3 ? random >> 40 : random; /* most of them close together */
    return i;                                            /* ranks one behind the other */
}

static lists_of lists_with(unsigned ranks, unsigned kind, bool uneven)
{
    lists_of l = {};
    l.s.ranks = ranks;
    l.code.assign((size_t)ranks * OM_LIST, 0); /* garbage behind what was lent */
    for (unsigned r = 0; r < ranks; r++) {
        const unsigned count =
            uneven ? (r * 2777 + 31) % OM_LIST * (r % 4 != 1) : (unsigned)OM_LIST;
        om_code *own = &l.code[(size_t)r * OM_LIST];
        l.s.count[r] = count;
        l.s.total += count;
        for (unsigned j = 0; j < count; j++)
            own[j] = drawn(kind, (uint64_t)r * OM_LIST + j);
        for (unsigned j = 0; j < count; j += OM_RUN)
            std::sort(own + j, own + std::min(j + OM_RUN, count));
        l.sorted.insert(l.sorted.end(), own, own + count);
    }
    std::sort(l.sorted.begin(), l.sorted.end());
    return l;
}

static void try_lists(unsigned ranks, unsigned kind, bool uneven)
{
    const lists_of l = lists_with(ranks, kind, uneven);
    const size_t bytes = l.code.size() * sizeof(om_code);
    om_code *lists;
    om_bounds *bounds, got[GB_MOST_RANKS];
    gb_comm *comm;
    gb_error error = {};
    assert_int_equal(cudaMalloc((void **)&lists, bytes), cudaSuccess);
    assert_int_equal(cudaMalloc((void **)&bounds, OM_BORDERS_BYTES), cudaSuccess);
    assert_int_equal(cudaMemcpy(lists, l.code.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(cudaMemset(bounds, 0xAA, OM_BORDERS_BYTES), cudaSuccess);
    assert_int_equal(gb_comm_open(&device, 1, 0, &comm, &error), GB_OK);
    assert_int_equal(om_queue_borders(comm, 0, lists, &l.s, bounds, &error), GB_OK);
    assert_int_equal(gb_comm_wait(comm, &error), GB_OK);
    gb_comm_close(comm);
    assert_int_equal(cudaMemcpy(got, bounds, sizeof got, cudaMemcpyDeviceToHost), cudaSuccess);
    const uint64_t off = l.s.total / ranks / 256; /* borders.cuh: OM_TOLERANCE */
    for (unsigned k = 1; k < ranks; k++) {
        const uint64_t place = (uint64_t)k * l.s.total / ranks;
        const bool any = place > off;
        const om_code low = any ? l.sorted[place - off - 1] : 0;
        const om_code high = any ? l.sorted[std::min<uint64_t>(place + off, l.s.total - 1)] : 0;
        if (got[k].low != low || got[k].high != high)
            fail_msg("%u ranks, kind %u%s, border %u: %llx to %llx, not %llx to %llx", ranks, kind,
                     uneven ? ", uneven" : "", k, got[k].low, got[k].high, low, high);
    }
    assert_int_equal(cudaFree(lists), cudaSuccess);
    assert_int_equal(cudaFree(bounds), cudaSuccess);
}

static void borders_are_where_sorting_says(void **)
{
    static const unsigned ranks[] = {2, 3, 8, 16};
    for (unsigned r : ranks)
        for (unsigned kind = 0; kind < 5; kind++) {
            if (kind != 2 || r < 8)
                try_lists(r, kind, false); /* all codes are near all borders then */
            try_lists(r, kind, true);
        }
}

int main()
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(borders_are_where_sorting_says)};
    return cmocka_run_group_tests(tests, get_device, NULL);
}
