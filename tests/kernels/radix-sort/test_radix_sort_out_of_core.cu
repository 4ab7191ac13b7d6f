/* The out-of-core sort: slices on their way through the threads that unpack, and whole sorts under
 * limits so narrow that there are many chunks, at the sizes where chunks end. */
/* test: thorough turns 33 */
#include "kernels/radix-sort/out_of_core/out_of_core.cuh"
#include "kernels/radix-sort/variants.h"
#include "tests/kernels/radix-sort/radix_sort_packed.cuh"

#include <unistd.h>

/* ---- slices ---------------------------------------------------------------------------------- */

/* More slices than seats and as many, of one part and of several; in every other sort the last
 * slices that are handed over never arrive. */
static void slices_pass_through_the_threads(void **)
{
    enum { SEATS = 3, SLICES = 50, LARGEST = 5 * RS_GROUP + 77, STAY_AWAY = 2 };
    static const uint32_t slices_of[] = {SLICES, SLICES, SEATS, SEATS};
    const rs_shape shape = shape_of(RS_I32, false);
    packed p = pack(&shape, make_keys(&shape, LARGEST, 900, 900, LARGEST), LARGEST, AS_SLICES, 1);
    uint32_t *out = room<uint32_t>((uint64_t)SLICES * LARGEST);
    static volatile uint32_t arrived[SEATS];
    rs_unpackers *unpackers = NULL;
    gb_error error = {GB_OK, ""};
    assert_int_equal(rs_unpackers_start(&shape, SEATS, arrived, &unpackers, &error), GB_OK);
    for (unsigned sort = 0; sort < 4; sort++) {
        const uint32_t slices = slices_of[sort], lost = sort % 2;
        const uint32_t last = slices - lost * STAY_AWAY;
        memset(out, 0xCB, (uint64_t)SLICES * LARGEST * 4);
        rs_unpackers_begin(unpackers);
        for (uint32_t i = 1; i <= slices; i++) {
            const uint64_t count = i % 3 ? 200 : LARGEST;
            const rs_slice slice = {count, p.to.records, out + (uint64_t)(i - 1) * LARGEST};
            uint32_t next;
            while ((next = rs_unpackers_next(unpackers)) == 0)
                usleep(10);
            assert_int_equal(next, i);
            if (i % 2 && i <= last) arrived[(i - 1) % SEATS] = i; /* before it is handed over */
            rs_unpackers_add(unpackers, &slice);
            if (i <= last) arrived[(i - 1) % SEATS] = i;
        }
        rs_unpackers_drain(unpackers, !lost);
        for (uint32_t i = 1; i <= slices; i++) {
            const uint32_t *mine = out + (uint64_t)(i - 1) * LARGEST;
            const uint64_t count = i > last ? 0 : i % 3 ? 200 : LARGEST;
            assert_memory_equal(mine, p.keys, count * 4);
            assert_true(count == LARGEST || mine[count] == 0xCBCBCBCBu);
        }
        assert_true(rs_unpackers_next(unpackers) == slices + 1);
    }
    rs_unpackers_stop(unpackers);
    rs_unpackers_stop(NULL);
    cudaFree(out);
    free_packed(&p);
}

/* ---- sorts ----------------------------------------------------------------------------------- */

/* Sorts a point twice in one job and has the checker judge each; *plan is what was planned. */
static gb_status sort_point(const gb_params *params, uint64_t seed, uint64_t limit,
                            rs_ooc_plan *plan, gb_error *error)
{
    gb_job job;
    memset(&job, 0, sizeof job);
    job.variant = &rs_onesweep_out_of_core;
    job.params = params;
    job.device = &device;
    job.scope = GB_SCOPE_HOST_TO_HOST;
    job.memory_limit = limit;
    assert_int_equal(rs_open(params, seed, &device, &job.problem, &job.error), GB_OK);
    gb_status status = job.variant->prepare(&job);
    *plan = static_cast<const rs_ooc *>(job.state)->plan;
    for (int i = 0; i < 2 && status == GB_OK; i++) {
        assert_true(!limit || job.memory_used <= limit);
        status = rs_poison(&job, NULL);
        if (status == GB_OK) status = job.variant->run(&job, NULL);
        if (status == GB_OK) status = rs_check(&job, NULL);
    }
    *error = job.error;
    job.variant->cleanup(&job);
    rs_close(job.problem);
    return status;
}

static uint64_t assert_sorted(uint64_t n, const char *dist, const char *type, const char *payload,
                              const char *order, const char *bits, uint64_t seed, uint64_t limit)
{
    rs_ooc_plan plan;
    gb_error error;
    const gb_params params = point(n, dist, type, payload, order, bits);
    const gb_status status = sort_point(&params, seed, limit, &plan, &error);
    if (status != GB_OK)
        fail_msg("n=%llu dist=%s type=%s payload=%s order=%s bits=%s seed=%llu limit=%llu: %s",
                 (unsigned long long)n, dist, type, payload, order, bits, (unsigned long long)seed,
                 (unsigned long long)limit, error.text);
    return plan.chunks;
}

static const char *const dists[] = {"uniform",  "zipf",     "sorted",     "reversed",  "normal",
                                    "constant", "binomial", "distinct:2", "distinct:7"};
static const char *const types[] = {"u32", "u64", "i32", "f32"};

static void random_points_are_sorted(void **)
{
    static const char *const bits[] = {"all", "all", "range:8-24", "range:3-20"};
    uint64_t most = 0;
    for (uint64_t t = 0; t < 72; t++) {
        const uint64_t limit = 128 << 10;
        const uint64_t chunks = assert_sorted(
            draw(6, t, 14000), dists[t % 9], types[draw(7, t, 4)], t % 2 ? "u32" : "none",
            draw(8, t, 2) ? "descending" : "ascending", bits[draw(9, t, 4)], t, limit);
        if (chunks > most) most = chunks;
    }
    assert_true(most > 4);
}

/* One element more or less than whole chunks, and the smallest inputs. */
static void borders_of_chunks(void **)
{
    static const uint64_t few[] = {0, 1, 2, 63, 64, 65};
    for (uint64_t n : few)
        for (const char *type : types)
            (void)assert_sorted(n, "uniform", type, "u32", "ascending", "all", n,
                                n % 2 ? 0 : 1 << 20);
    for (unsigned t = 0; t < 6; t++) {
        const uint64_t limit = 160 << 10, over[] = {0, 1, (uint64_t)-1};
        const char *type = t % 2 ? "u32" : "u64";
        gb_params params = point(8000, "distinct:7", type, "u32", "ascending", "all");
        rs_ooc_plan plan;
        gb_error error;
        assert_int_equal(sort_point(&params, t, limit, &plan, &error), GB_OK);
        const uint64_t capacity = plan.capacity;
        params.value[RS_N].size = 4 * capacity + over[t / 2];
        assert_int_equal(sort_point(&params, t, limit, &plan, &error), GB_OK);
        assert_true(plan.chunks > 3);
    }
}

/* Groups with and without upper planes in one run, and slices with and without. */
static void groups_of_both_kinds(void **)
{
    assert_true(assert_sorted(420003, "distinct:3", "u32", "none", "descending", "all", 5,
                              (uint64_t)7 << 20) > 1);
    assert_int_equal(assert_sorted(600001, "distinct:2", "f32", "none", "ascending", "all", 6, 0),
                     1);
}

static void too_little_memory_is_said(void **)
{
    rs_ooc_plan plan;
    gb_error error;
    const gb_params params = point(100000, "uniform", "u32", "none", "ascending", "all");
    assert_int_equal(sort_point(&params, 1, 4096, &plan, &error), GB_OUT_OF_MEMORY);
    assert_non_null(strstr(error.text, "chunks: "));
    assert_non_null(strstr(error.text, "4096 free: measure.device_memory allows this job 4096"));
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_pass_through_the_threads),
        cmocka_unit_test(random_points_are_sorted),
        cmocka_unit_test(borders_of_chunks),
        cmocka_unit_test(groups_of_both_kinds),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, get_device, NULL);
}
