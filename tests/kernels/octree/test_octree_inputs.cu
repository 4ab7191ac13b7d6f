/* Octrees of every variant over inputs that are hard: few bodies, all at one place, as close as
 * floats can be, as far apart as the box allows, what is no number, what misleads a sample; and
 * with fewer cells than there must be. */
/* test: fast 2 */
#include "tests/kernels/octree/octree.cuh"

#include "common/distributions.h"
#include "kernels/octree/morton/builder.h"
#include "kernels/octree/seeded/seeded.h"

#include <float.h>
#include <math.h>

/* A variant builds the tree of a problem's bodies, if it can; with one body a leaf it has so many
 * cells and that depth. */
static void builds(const gb_variant *v, const gb_params *params, gb_problem *p, uint64_t cells,
                   int deepest)
{
    const unsigned leaf = (unsigned)params->value[OC_LEAF].size;
    gb_job job;
    oc_view view = {};
    oc_stats stats;
    if (!build(&job, v, params, p)) return;
    if (oc_check(&job, NULL) != GB_OK) fail_msg("%s, leaf %u: %s", v->name, leaf, job.error.text);
    if (!static_cast<const oc_state *>(job.state)->check) { /* else it has no tree */
        assert_int_equal(static_cast<const oc_state *>(job.state)->view(&job, &view), GB_OK);
        assert_int_equal(oc_judge(p, &view, &stats, &job.error), GB_OK);
        if (leaf == 1 && cells && (stats.cells != cells || stats.deepest != deepest))
            fail_msg("%s: %llu cells, %d deep", v->name, (unsigned long long)stats.cells,
                     stats.deepest);
    }
    end_job(&job);
}

/* Every variant, in whatever leaf size; morton also as if these were not few, and where blocks have
 * next to no shared memory, auto as if they were many. */
static void all_build(const std::vector<float> &xyz, uint64_t cells, int deepest)
{
    const uint64_t few = mo_most_few, sampled = oc_sampled_from;
    for (unsigned leaf : {1u, 4u, 32u}) {
        const gb_params params =
            xyz.empty() ? point(0, "uniform", leaf) : point_of(xyz, leaf, 2500);
        gb_problem *p = open_problem(&params, 1);
        for (const gb_variant *const *v = gb_primitive_octree.variants; *v; v++)
            builds(*v, &params, p, cells, deepest);
        mo_most_few = oc_sampled_from = 0;
        builds(&oc_morton, &params, p, cells, deepest);
        builds(&oc_auto, &params, p, cells, deepest);
        const size_t own = device.shared_optin;
        device.shared_optin = 4096;
        builds(&oc_morton, &params, p, cells, deepest);
        device.shared_optin = own;
        mo_most_few = few;
        oc_sampled_from = sampled;
        oc_close(p);
    }
}

static void few_bodies(void **)
{
    all_build({}, 1, -1);
    all_build({1, 2, 3}, 1, 0);
    all_build({1, 2, 3, 1, 2, 3}, 1, 0);
    all_build({1, 2, 3, 3, 2, 1}, 1, 0);
    all_build({0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0}, 2, 1); /* 1 is on the border */
}

static void bodies_at_one_place(void **)
{
    std::vector<float> xyz;
    for (int i = 0; i < 3000; i++)
        xyz.insert(xyz.end(), {-7.5f, 1e-30f, 4e8f});
    all_build(xyz, 1, 0);
}

/* Two at each of two places: as close as numbers of that size can be. */
static void one_unit_in_the_last_place(void **)
{
    const float at[] = {1.0f, 1e-38f, 3e30f, -5.0f};
    for (float x : at) {
        const float next = nextafterf(x, INFINITY);
        all_build({x, x, x, next, x, x, x, x, x, next, x, x}, 1, 0);
    }
    /* beside a body that makes the box large they coincide, or part as deep as can be */
    const float inside = 0x1p-24f;
    all_build({0, 0, 0, 1, 1, 1, 0, 0, 0, inside, 0, 0}, 24, 23);
    all_build({inside, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0}, 24, 23);
    all_build({0, 0, 0, 1, 1, 1, 0, 0, 0, inside / 2, 0, 0}, 1, 0);
}

/* The smallest numbers that there are, whose box is too small for a scale. */
static void smallest_numbers(void **)
{
    const float least = FLT_TRUE_MIN;
    all_build({0, 0, 0, least, least, least, 2 * least, 0, 0}, 1, 0);
}

static void far_apart(void **)
{
    all_build({-4e36f, 0, 0, 4e36f, 0, 0, 0, 0, 4e36f}, 1, 0);
    gb_error error;
    gb_problem *p;
    const gb_params params = point_of({-3e38f, 0, 0, 3e38f, 0, 0}, 1);
    assert_int_equal(oc_open(&params, 1, &device, &p, &error), GB_NO_INPUT);
    assert_non_null(strstr(error.text, "scale the coordinates so that they fit"));
    assert_null(p);
}

static void what_is_no_number(void **)
{
    for (float bad : {NAN, -NAN, INFINITY, -INFINITY})
        for (unsigned c = 0; c < 3; c++) {
            std::vector<float> xyz(3 * 700, 0.5f);
            gb_error error;
            gb_problem *p;
            xyz[3 * 411 + c] = xyz[3 * 650] = bad;
            const gb_params params = point_of(xyz, 1);
            assert_int_equal(oc_open(&params, 1, &device, &p, &error), GB_NO_INPUT);
            if (!strstr(error.text, "body 411 ") || !strstr(error.text, "must be finite numbers"))
                fail_msg("said: %s", error.text);
            assert_null(p);
        }
}

/* Bodies of which variant morton samples one in SHARE (oc_sampled). */
enum { MANY = 8192, SHARE = 16 };

static bool is_sampled(unsigned i)
{
    return i % SHARE == gb_scatter32(i / SHARE) % SHARE;
}

/* A build that looks at some bodies first is misled by these: those that variant morton samples
 * (morton/sample.cuh) are in one corner, in which there are no others; the others are in one, not
 * at the same place; those of the sample are in order, the others are not. */
static void samples_that_mislead(void **)
{
    enum { FEW = 20 };
    for (int way = 0; way < 3; way++) {
        std::vector<float> xyz(3 * MANY);
        for (unsigned i = 0; i < MANY; i++) {
            const bool sampled = is_sampled(i);
            const bool corner = way == 0 ? sampled && i / SHARE < FEW : way == 1 ? !sampled : false;
            for (unsigned c = 0; c < 3; c++) {
                const float at = (float)draw(30 + c, i, 1u << 20) * 0x1p-20f;
                xyz[3 * i + c] = way == 2 && sampled ? (float)i / MANY : corner ? at * 1e-4f : at;
            }
        }
        all_build(xyz, 0, 0);
    }
}

/* Samples at fourteen places, in chains of cells each; the others lie in one octant behind them, so
 * that a bucket has more slots than its records can number. */
static void samples_in_chains(void **)
{
    enum { PLACES = 14, EACH = 20 };
    std::vector<float> xyz(3 * MANY);
    unsigned chained = 0;
    for (unsigned i = 0; i < MANY; i++) {
        const bool sampled = is_sampled(i);
        const bool chain = sampled && chained < PLACES * EACH;
        const unsigned place = chain ? chained++ / EACH : 0;
        for (unsigned c = 0; c < 3; c++) {
            const float at = (float)draw(40 + c, i, 1u << 20) * 0x1p-20f;
            xyz[3 * i + c] = chain ? 0.01f + (float)(place * (c + 3) % 15) / 32.0f + at * 0x1p-21f
                                   : 0.5f + at * 0.5f;
        }
    }
    all_build(xyz, 0, 0);
}

/* Most are in one half of the box. In the other are pairs, apart by a digit or by two, that are
 * parted by the last digits alone, and three at one place; of each of them one may be a sample. */
static void pairs_where_there_are_no_others(void **)
{
    std::vector<float> xyz(3 * MANY);
    for (unsigned i = 0; i < MANY; i++)
        for (unsigned c = 0; c < 3; c++)
            xyz[3 * i + c] = 0.5f + (float)draw(50 + c, i, 1u << 20) * 0x1p-21f;
    for (unsigned i = 0; i < 12; i++) {
        const unsigned apart = i < 8 ? i / 4 : 0;
        for (unsigned c = 0; c < 3; c++)
            xyz[3 * (611 * i + 2) + c] =
                (float)(i % 4 * (c + 2) % 5) / 16.0f + (c == 0 ? (float)apart * 0x1p-23f : 0.0f);
    }
    for (unsigned c = 0; c < 3; c++)
        xyz[c] = 1.0f;
    all_build(xyz, 0, 0);
}

/* Variant seeded inserts bodies in order, on a line if these are not few, and copies. */
static void seeds_that_yield(void **)
{
    const struct {
        const char *dist;
        uint64_t n;
        bool yields;
    } cases[] = {
        {"plummer", 9000, false},       {"cube", 9000, false},
        {"clusters", 9000, false},      {"soneira-peebles", 48000, false},
        {"line", 48000, true},          {"line", 9000, false},
        {"cube-morton", 700, true},     {"duplicates:3", 9000, false},
        {"duplicates:300", 9000, true}, {"duplicates:9000", 9000, true},
    };
    for (const auto &c : cases) {
        const gb_params params = point(c.n, c.dist, 1, 300);
        gb_problem *p = open_problem(&params, 1);
        gb_job job;
        bool yielded = false;
        assert_true(build(&job, &oc_seeded, &params, p));
        if (oc_check(&job, NULL) != GB_OK) fail_msg("%s: %s", c.dist, job.error.text);
        assert_int_equal(oc_seeded_yielded(&job, &yielded), GB_OK);
        if (yielded != c.yields)
            fail_msg("%llu of %s are %s", (unsigned long long)c.n, c.dist,
                     yielded ? "inserted" : "not inserted");
        end_job(&job);
        oc_close(p);
    }
}

/* Cells for fewer than there must be: it is said, and nothing beyond the pool is written. */
static void pool_too_small(void **)
{
    for (unsigned leaf : {1u, 8u}) {
        const gb_params params = point(40000, "line", leaf, 0);
        gb_problem *p = open_problem(&params, 1);
        for (const gb_variant *const *v = gb_primitive_octree.variants; *v; v++) {
            gb_job job;
            if (!build(&job, *v, &params, p)) continue;
            if (static_cast<const oc_state *>(job.state)->check) { /* it needs none */
                end_job(&job);
                continue;
            }
            if (oc_check(&job, NULL) != GB_OUT_OF_MEMORY ||
                !strstr(job.error.text, "the pool of 4096 cells is too small"))
                fail_msg("%s, leaf %u: %s", (*v)->name, leaf, job.error.text);
            end_job(&job);
        }
        oc_close(p);
    }
}

/* An argument is a pattern of the cases to run: all without. */
/* Blocks with as much shared memory as those of each generation have, whose rooms differ. */
static void rooms_of_every_size(void **)
{
    const size_t own = device.shared_optin;
    for (size_t kib : {48u, 64u, 96u, 99u, 163u, 227u})
        for (const char *dist : {"plummer", "line", "duplicates"})
            for (unsigned leaf : {1u, 8u}) {
                const gb_params params = point(50021, dist, leaf);
                gb_problem *p = open_problem(&params, kib);
                device.shared_optin = kib << 10;
                const uint64_t few = mo_most_few;
                for (uint64_t most : {few, (uint64_t)0}) {
                    mo_most_few = most;
                    builds(&oc_morton, &params, p, 0, 0);
                }
                mo_most_few = few;
                builds(&oc_morton_regions, &params, p, 0, 0);
                device.shared_optin = own;
                oc_close(p);
            }
}

/* Variant auto inserts bodies that sorting is slow for, and sorts others, in any order. */
static void auto_chooses(void **)
{
    const struct {
        const char *dist;
        bool inserts;
    } cases[] = {
        {"plummer", false},      {"uniform", false},
        {"clusters", false},     {"disc", false},
        {"duplicates:2", false}, {"duplicates:3", false},
        {"cube-morton", false},  {"cube", true}, /* a lattice of 64 */
        {"duplicates:16", true}, {"duplicates:300000", true},
        {"line", true},          {"soneira-peebles", true},
    };
    const uint64_t few = mo_most_few, sampled = oc_sampled_from;
    mo_most_few = oc_sampled_from = 0;
    for (const auto &c : cases) {
        const gb_params params = point(262144, c.dist, 1, 1000);
        gb_problem *p = open_problem(&params, 1);
        gb_job job;
        oc_view view = {};
        assert_true(build(&job, &oc_auto, &params, p));
        if (oc_check(&job, NULL) != GB_OK) fail_msg("%s: %s", c.dist, job.error.text);
        assert_int_equal(static_cast<const oc_state *>(job.state)->view(&job, &view), GB_OK);
        if ((view.next != NULL) != c.inserts)
            fail_msg("%s is %s", c.dist, view.next ? "inserted" : "sorted");
        end_job(&job);
        oc_close(p);
    }
    mo_most_few = few;
    oc_sampled_from = sampled;
}

int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_bodies),
        cmocka_unit_test(bodies_at_one_place),
        cmocka_unit_test(one_unit_in_the_last_place),
        cmocka_unit_test(smallest_numbers),
        cmocka_unit_test(far_apart),
        cmocka_unit_test(what_is_no_number),
        cmocka_unit_test(samples_that_mislead),
        cmocka_unit_test(samples_in_chains),
        cmocka_unit_test(pairs_where_there_are_no_others),
        cmocka_unit_test(seeds_that_yield),
        cmocka_unit_test(pool_too_small),
        cmocka_unit_test(rooms_of_every_size),
        cmocka_unit_test(auto_chooses),
    };
    return cmocka_run_group_tests_name("octrees over hard inputs", tests, get_octree_device, NULL);
}
