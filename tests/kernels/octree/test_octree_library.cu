/* The octree's public functions: trees hold every body once and in its octants, whatever leaves may
 * hold, before and after bodies move; sums are those of the bodies below; neighbours are those that
 * a look at all bodies finds; mistakes in a call are named. Bodies are put into octants by a
 * comparison here, not by any digits of theirs. */
/* test: long 12 */
#include "common/random.h"
#include "kernels/octree/library/octree.h"
#include "tests/harness/device.cuh"

#include <algorithm>
#include <cmath>
#include <vector>

enum { GUARD = 16, GARBAGE = 0xA5 };

static float drawn(uint64_t stream, uint64_t i)
{
    return (float)(gb_random(stream, 0, i).word[0] >> 8) * 0x1p-24f;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Device memory with a guard behind it. */
template <class T> struct array {
    T *at;
    size_t count;

    explicit array(size_t size) : count(size)
    {
        assert_int_equal(cudaMalloc((void **)&at, (size + GUARD) * sizeof(T)), cudaSuccess);
        assert_int_equal(cudaMemset(at, GARBAGE, (size + GUARD) * sizeof(T)), cudaSuccess);
    }
    explicit array(const std::vector<T> &from) : array(from.size()) { put(from); }
    ~array() { (void)cudaFree(at); }
    array(const array &) = delete;
    void put(const std::vector<T> &from)
    {
        if (!from.empty())
            assert_int_equal(
                cudaMemcpy(at, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice),
                cudaSuccess);
    }
    std::vector<T> host() const
    {
        std::vector<T> all(count + GUARD);
        assert_int_equal(cudaMemcpy(all.data(), at, all.size() * sizeof(T), cudaMemcpyDeviceToHost),
                         cudaSuccess);
        for (size_t i = count * sizeof(T); i < all.size() * sizeof(T); i++)
            assert_int_equal(reinterpret_cast<unsigned char *>(all.data())[i], GARBAGE);
        all.resize(count);
        return all;
    }
};

template <class T> static std::vector<T> words(const T *device_memory, size_t count)
{
    std::vector<T> all(count);
    if (count)
        assert_int_equal(
            cudaMemcpy(all.data(), device_memory, count * sizeof(T), cudaMemcpyDeviceToHost),
            cudaSuccess);
    return all;
}

static void must(gb_octree_status status)
{
    if (status != GB_OCTREE_OK) fail_msg("%s", gb_octree_error());
}

/* ---- bodies ---------------------------------------------------------------------------------- */

typedef std::vector<float> bodies; /* four each */

/* Even ones, clusters, and copies of others. */
static bodies some(size_t n)
{
    bodies all(4 * n);
    for (size_t i = 0; i < n; i++) {
        const float wide = i % 3 ? 1.0f : 0.01f;
        for (unsigned c = 0; c < 3; c++)
            all[4 * i + c] = -2.0f + 3.0f * wide * drawn(c, i % 7 == 6 ? i / 2 : i);
        all[4 * i + 3] = 0.25f + drawn(3, i);
    }
    return all;
}

struct handle {
    gb_octree *tree = NULL;

    handle(size_t most, unsigned leaf, unsigned uses, uint64_t cells = 0)
    {
        gb_octree_options options = {};
        options.most_bodies = most;
        options.leaf = leaf;
        options.uses = uses;
        options.most_cells = cells;
        must(gb_octree_create(&options, &tree));
        assert_non_null(tree);
    }
    ~handle() { gb_octree_destroy(tree); }
    handle(const handle &) = delete;
    void build(const array<float> &at, size_t n, gb_octree_cube cube)
    {
        must(gb_octree_build(tree, at.at, n, cube, NULL));
    }
};

static gb_octree_cube around(const array<float> &at, size_t n)
{
    gb_octree_cube cube;
    must(gb_octree_cube_around(at.at, n, &cube));
    return cube;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* A tree on the host, and what is found in it. */
struct walk {
    const bodies &all;
    size_t n;
    unsigned leaf;
    double low[3], side;
    gb_octree_view view;
    std::vector<uint32_t> slots, order, starts, next;
    std::vector<unsigned> times, counts;
    std::vector<float> sums;

    walk(const handle &h, const bodies &bodies_, size_t n_, unsigned leaf_, gb_octree_cube cube)
        : all(bodies_), n(n_), leaf(leaf_), side(cube.side), times(n_)
    {
        for (int c = 0; c < 3; c++)
            low[c] = cube.low[c];
        must(gb_octree_check(h.tree, NULL));
        must(gb_octree_look(h.tree, &view));
        const size_t cells = words(view.cells, 1)[0];
        slots = words(view.slots, 8 * cells);
        if (view.order) order = words(view.order, n);
        if (view.starts) starts = words(view.starts, (n + 31) / 32);
        if (view.next) next = words(view.next, n);
        if (view.sums) sums = words(view.sums, 4 * cells);
        if (view.counts) counts = words(view.counts, cells);
    }
    /* The bodies of a leaf. */
    std::vector<uint32_t> of_leaf(uint32_t holds) const
    {
        std::vector<uint32_t> found;
        if (next.empty()) {
            uint32_t p = holds;
            assert_true(p < n);
            do
                found.push_back(order[p++]);
            while (p < n && !(starts[p / 32] >> p % 32 & 1u));
        } else {
            for (uint32_t b = holds; b != GB_OCTREE_NONE; b = next[b]) {
                assert_true(b < n && found.size() < n);
                found.push_back(b);
            }
        }
        return found;
    }
    /* All bodies of a cell lie in its cube, which rounding may have made larger by a bit. */
    std::vector<uint32_t> of_cell(uint32_t cell, const double (&corner)[3], double edge, int depth)
    {
        std::vector<uint32_t> found;
        assert_true(depth < 24 && 8 * (size_t)cell < slots.size());
        for (unsigned octant = 0; octant < 8; octant++) {
            const uint32_t holds = slots[8 * (size_t)cell + octant];
            double at[3];
            std::vector<uint32_t> below;
            if (holds == GB_OCTREE_NONE) continue;
            for (unsigned c = 0; c < 3; c++)
                at[c] = corner[c] + (octant >> (2 - c) & 1u ? edge / 2 : 0);
            if (holds & GB_OCTREE_CELL)
                below = of_cell(holds & ~GB_OCTREE_CELL, at, edge / 2, depth + 1);
            else
                below = of_leaf(holds);
            if (holds & GB_OCTREE_CELL) assert_true(below.size() > leaf);
            for (const uint32_t b : below)
                for (unsigned c = 0; c < 3; c++) {
                    const double x = all[4 * (size_t)b + c], slack = side * 1e-6;
                    assert_true(x >= at[c] - slack && x <= at[c] + edge / 2 + slack);
                }
            if (!(holds & GB_OCTREE_CELL))
                for (const uint32_t b : below)
                    times[b]++;
            found.insert(found.end(), below.begin(), below.end());
        }
        if (!counts.empty()) check_sums(cell, found);
        return found;
    }
    void check_sums(uint32_t cell, const std::vector<uint32_t> &found) const
    {
        double mass = 0, centre[3] = {0, 0, 0};
        for (const uint32_t b : found) {
            mass += all[4 * (size_t)b + 3];
            for (unsigned c = 0; c < 3; c++)
                centre[c] += (double)all[4 * (size_t)b + 3] * all[4 * (size_t)b + c];
        }
        assert_int_equal(counts[cell], found.size());
        if (found.empty()) return;
        assert_true(fabs(sums[4 * (size_t)cell + 3] - mass) <= 1e-5 * mass);
        for (unsigned c = 0; c < 3; c++)
            assert_true(fabs(sums[4 * (size_t)cell + c] - centre[c] / mass) <= 1e-5 * side);
    }
    void check()
    {
        const std::vector<uint32_t> found = of_cell(0, low, side, 0);
        assert_int_equal(found.size(), n);
        for (const unsigned t : times)
            assert_int_equal(t, 1);
    }
};

static void trees(void **)
{
    for (unsigned leaf : {0u, 3u, 32u}) {
        handle h(80000, leaf, GB_OCTREE_SUMS);
        for (size_t n : {(size_t)0, (size_t)1, (size_t)2, (size_t)33, (size_t)1025, (size_t)5000,
                         (size_t)70001}) {
            const bodies all = some(n);
            const array<float> at(all);
            const gb_octree_cube cube = around(at, n);
            h.build(at, n, cube);
            must(gb_octree_sums(h.tree, NULL));
            walk(h, all, n, leaf ? leaf : 1, cube).check();
        }
    }
}

/* A tree after bodies have moved, by little, not at all, by much, and to one place. */
static void updates(void **)
{
    const size_t n = 3000;
    handle h(n, 0, GB_OCTREE_UPDATES | GB_OCTREE_SUMS);
    bodies all = some(n);
    array<float> at(all);
    const gb_octree_cube cube = {{-2, -2, -2}, 3};
    h.build(at, 0, cube);
    must(gb_octree_update(h.tree, at.at, NULL));
    must(gb_octree_sums(h.tree, NULL));
    walk(h, {}, 0, 1, cube).check();
    h.build(at, n, cube);
    for (int step = 0; step < 5; step++) {
        must(gb_octree_sums(h.tree, NULL));
        walk(h, all, n, 1, cube).check();
        const float by = step == 0 ? 0.001f : step == 1 ? 0.0f : 0.5f;
        for (size_t i = 0; i < n; i++)
            for (unsigned c = 0; c < 3; c++) {
                float &x = all[4 * i + c];
                x = step == 3 ? -1.0f : x + by * (drawn(10 + c, i) - 0.5f);
                x = std::min(std::max(x, -2.0f), 1.0f);
            }
        array<float> elsewhere(all);
        if (step % 2) at.put(all); /* else what was built of stays as it was */
        must(gb_octree_update(h.tree, step % 2 ? at.at : elsewhere.at, NULL));
        must(gb_octree_sums(h.tree, NULL));
        walk(h, all, n, 1, cube).check();
        at.put(all);
        must(gb_octree_update(h.tree, at.at, NULL));
    }
}

/* ---- neighbours ------------------------------------------------------------------------------ */

static float distance2(const bodies &all, size_t a, size_t b)
{
    float d2 = 0;
    for (unsigned c = 0; c < 3; c++) {
        const float d = all[4 * a + c] - all[4 * b + c];
        d2 += d * d;
    }
    return d2;
}

static void nearest(const handle &h, const bodies &all, size_t n, unsigned k)
{
    const array<uint32_t> found(n * k);
    must(gb_octree_nearest(h.tree, k, found.at, NULL));
    const std::vector<uint32_t> numbers = found.host();
    for (size_t i = 0; i < n; i++) {
        std::vector<float> should;
        for (size_t j = 0; j < n; j++)
            if (j != i) should.push_back(distance2(all, i, j));
        std::sort(should.begin(), should.end());
        std::vector<uint32_t> once;
        for (unsigned m = 0; m < k; m++) {
            const uint32_t is = numbers[i * k + m];
            if (m >= should.size()) {
                assert_int_equal(is, GB_OCTREE_NONE);
                continue;
            }
            assert_true(is < n && is != i);
            once.push_back(is);
            assert_true(fabsf(distance2(all, i, is) - should[m]) <= 1e-5f * should[m]);
        }
        std::sort(once.begin(), once.end());
        assert_true(std::unique(once.begin(), once.end()) == once.end());
    }
}

static void within(const handle &h, const bodies &all, size_t n, float radius)
{
    const array<uint32_t> found(n);
    must(gb_octree_count_within(h.tree, radius, found.at, NULL));
    const std::vector<uint32_t> counts = found.host();
    std::vector<uint32_t> offsets(n + 1);
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + counts[i];
    const array<uint32_t> begins(offsets), list(offsets[n]);
    must(gb_octree_list_within(h.tree, radius, begins.at, list.at, NULL));
    const std::vector<uint32_t> numbers = list.host();
    for (size_t i = 0; i < n; i++) {
        std::vector<uint32_t> is(numbers.begin() + offsets[i], numbers.begin() + offsets[i + 1]),
            sure;
        std::sort(is.begin(), is.end());
        assert_true(std::unique(is.begin(), is.end()) == is.end());
        for (const uint32_t b : is)
            assert_true(b < n && b != i && distance2(all, i, b) <= radius * radius * 1.00001f);
        for (size_t j = 0; j < n; j++)
            if (j != i && distance2(all, i, j) <= radius * radius * 0.99999f)
                sure.push_back((uint32_t)j);
        assert_true(std::includes(is.begin(), is.end(), sure.begin(), sure.end()));
    }
}

static void neighbours(void **)
{
    for (unsigned leaf : {1u, 16u}) {
        handle h(3000, leaf, GB_OCTREE_QUERIES);
        for (size_t n : {(size_t)0, (size_t)1, (size_t)5, (size_t)100, (size_t)2500}) {
            const bodies all = some(n);
            const array<float> at(all);
            h.build(at, n, around(at, n));
            for (unsigned k : {1u, 7u, 32u})
                nearest(h, all, n, k);
            for (float radius : {0.0f, 0.05f, 10.0f})
                within(h, all, n, radius == 10.0f && n > 1000 ? 0.3f : radius);
        }
    }
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void said(gb_octree_status is, gb_octree_status should, const char *words_)
{
    assert_int_equal(is, should);
    if (!strstr(gb_octree_error(), words_)) fail_msg("said: %s", gb_octree_error());
}

static void refused(const char *words_, uint64_t most, unsigned leaf, unsigned uses,
                    uint64_t cells = 0)
{
    gb_octree_options options = {};
    gb_octree *tree = reinterpret_cast<gb_octree *>(&options);
    options.most_bodies = most;
    options.leaf = leaf;
    options.uses = uses;
    options.most_cells = cells;
    said(gb_octree_create(&options, &tree), GB_OCTREE_INVALID, words_);
    assert_null(tree);
}

static void mistakes(void **)
{
    refused("most_bodies is 1073741825", (1u << 30) + 1ull, 0, 0);
    refused("leaf is 33", 10, 33, 0);
    refused("bits that mean nothing", 10, 0, 8);
    refused("leaf is 2; trees that can be updated", 10, 2, GB_OCTREE_UPDATES);
    refused("take a handle for each", 10, 0, GB_OCTREE_UPDATES | GB_OCTREE_QUERIES);
    refused("there may be at most 536870912", 10, 0, GB_OCTREE_UPDATES, (1u << 29) + 1ull);
    refused("there may be at most 2147483632", 10, 0, 0, 1ull << 31);

    const bodies all = some(2000);
    const array<float> at(all);
    const gb_octree_cube cube = around(at, 2000), bad = {{0, 0, 0}, -1};
    handle plain(2000, 0, 0), few_cells(2000, 0, 0, 100), kept(2000, 0, GB_OCTREE_UPDATES),
        asks(2000, 0, GB_OCTREE_QUERIES);
    gb_octree_view view;
    uint32_t *none = NULL;
    said(gb_octree_look(plain.tree, &view), GB_OCTREE_INVALID, "no tree was built");
    said(gb_octree_check(plain.tree, NULL), GB_OCTREE_INVALID, "no tree was built");
    said(gb_octree_build(plain.tree, at.at, 2001, cube, NULL), GB_OCTREE_INVALID,
         "for 2000 bodies at most");
    said(gb_octree_build(plain.tree, NULL, 5, cube, NULL), GB_OCTREE_INVALID, "bodies is NULL");
    said(gb_octree_build(plain.tree, at.at + 1, 5, cube, NULL), GB_OCTREE_INVALID,
         "not aligned to 16 bytes");
    said(gb_octree_build(plain.tree, at.at, 5, bad, NULL), GB_OCTREE_INVALID, "side is -1");
    plain.build(at, 2000, cube);
    said(gb_octree_sums(plain.tree, NULL), GB_OCTREE_INVALID, "without GB_OCTREE_SUMS");
    said(gb_octree_update(plain.tree, at.at, NULL), GB_OCTREE_INVALID, "without GB_OCTREE_UPDATES");
    said(gb_octree_nearest(plain.tree, 1, none, NULL), GB_OCTREE_INVALID,
         "without GB_OCTREE_QUERIES");
    asks.build(at, 2000, cube);
    said(gb_octree_nearest(asks.tree, 1, none, NULL), GB_OCTREE_INVALID, "numbers is NULL");
    said(gb_octree_nearest(asks.tree, 33, reinterpret_cast<uint32_t *>(at.at), NULL),
         GB_OCTREE_INVALID, "k is 33");
    said(gb_octree_count_within(asks.tree, NAN, reinterpret_cast<uint32_t *>(at.at), NULL),
         GB_OCTREE_INVALID, "radius is nan");
    few_cells.build(at, 2000, cube);
    said(gb_octree_check(few_cells.tree, NULL), GB_OCTREE_MEMORY,
         "more than the 100 cells of the handle: raise most_cells");
    kept.build(at, 2000, cube);
    must(gb_octree_check(kept.tree, NULL));

    bodies odd = all;
    odd[4 * 77 + 1] = INFINITY;
    const array<float> there(odd);
    gb_octree_cube any;
    said(gb_octree_cube_around(there.at, 2000, &any), GB_OCTREE_INVALID, "body 77 ");
    odd[4 * 77 + 1] = 2e38f;
    const array<float> far(odd);
    said(gb_octree_cube_around(far.at, 2000, &any), GB_OCTREE_INVALID, "scale the coordinates");
    gb_octree_destroy(NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),
        cmocka_unit_test(updates),
        cmocka_unit_test(neighbours),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests_name("octrees of the library", tests, get_device, NULL);
}
