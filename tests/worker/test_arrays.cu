/* The arrays of a point: how they are filled, what runs may and may not do to them, and that each
 * mistake is found and named. */
#include "common/cuda/arrays.h"
#include "common/cuda/device.cuh"

#include <initializer_list>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include <cmocka.h>
}

enum { N, DIST, AXES };
enum { X, Y, Z };

static const gb_axis axes[AXES] = {{"n", GB_AXIS_SIZE, "", "1", 0, 1 << 20, NULL, NULL, NULL},
                                   {"dist", GB_AXIS_NAME, "", "uniform", 0, 0, NULL, NULL, NULL}};

static uint64_t count(const gb_params *params)
{
    return params->value[N].size;
}

static bool expects_infinity; /* of z[5] */

/* y = x + 1; z, in place, is doubled. */
static void oracle(const gb_params *params, void *const array[])
{
    const uint32_t *x = static_cast<const uint32_t *>(array[X]);
    uint32_t *y = static_cast<uint32_t *>(array[Y]);
    double *z = static_cast<double *>(array[Z]);
    for (uint64_t i = 0; i < count(params); i++) {
        y[i] = x[i] + 1;
        z[i] *= 2;
        if (expects_infinity && i == 5) z[i] = INFINITY;
    }
}

static const gb_array three[] = {{"x", GB_U32, GB_ARRAY_IN, count, "dist", 0, NULL, 0, 0},
                                 {"y", GB_U32, GB_ARRAY_OUT, count, NULL, 0, NULL, 0, 0},
                                 {"z", GB_F64, GB_ARRAY_IN_OUT, count, NULL, 0, NULL, 1e-9, 1e-12},
                                 {NULL, GB_U8, GB_ARRAY_IN, NULL, NULL, 0, NULL, 0, 0}};
static const gb_arrays table = {three, axes, AXES, oracle};

/* ---- one job --------------------------------------------------------------------------------- */

/* What a planted run does besides the work; x, y and z are where the variant computes. */
typedef void spoil(const gb_job *job, uint32_t *x, uint32_t *y, double *z, uint64_t n);
static spoil *spoiling;
static bool not_carried_in, not_carried_out; /* the second time */
static uint32_t last_before;                 /* of y, as poison left it */

/* On the simt device the host sees device memory. */
static gb_status run(gb_job *job, gb_stream)
{
    void *const array[] = {gb_array_of<uint32_t>(job, X), gb_array_of<uint32_t>(job, Y),
                           gb_array_of<double>(job, Z)};
    const uint64_t n = gb_array_count(job, Y);
    if (n) last_before = static_cast<uint32_t *>(array[Y])[n - 1];
    oracle(job->params, array);
    if (spoiling)
        spoiling(job, static_cast<uint32_t *>(array[X]), static_cast<uint32_t *>(array[Y]),
                 static_cast<double *>(array[Z]), gb_array_count(job, X));
    return GB_OK;
}

static gb_primitive primitive;

/* As the worker's `verify` does it, twice on one point. */
static gb_status verdict(unsigned flags, gb_scope scope, uint64_t n, gb_error *error)
{
    gb_params params = {};
    params.value[N].size = n;
    params.value[DIST].text = "uniform";
    const gb_variant variant = {"v", "",   "",   flags, NULL, gb_arrays_prepare, gb_arrays_reset,
                                run, NULL, NULL, NULL};
    gb_job job = {};
    job.primitive = &primitive;
    job.variant = &variant;
    job.params = &params;
    job.scope = scope;
    assert_int_equal(gb_arrays_open(&table, &params, 7, &job.problem, error), GB_OK);
    assert_int_equal(variant.prepare(&job), GB_OK);
    gb_status status = GB_OK;
    for (int i = 0; i < 2 && status == GB_OK; i++) {
        const bool carried = scope == GB_SCOPE_HOST_TO_HOST && !(flags & GB_HOST);
        assert_int_equal(gb_arrays_poison(&job, NULL), GB_OK);
        assert_int_equal(variant.reset(&job, NULL), GB_OK);
        if (carried && !(i && not_carried_in))
            assert_int_equal(gb_arrays_upload(&job, NULL), GB_OK);
        assert_int_equal(variant.run(&job, NULL), GB_OK);
        if (carried && !(i && not_carried_out))
            assert_int_equal(gb_arrays_download(&job, NULL), GB_OK);
        status = gb_arrays_check(&job, NULL);
    }
    *error = job.error;
    gb_arrays_close(job.problem);
    return status;
}

static void test_right_runs_pass(void **)
{
    static const uint64_t sizes[] = {0, 1, 31, 32, 33, 1000};
    spoiling = NULL;
    for (uint64_t n : sizes)
        for (unsigned flags : {0u, (unsigned)GB_HOST})
            for (gb_scope scope : {GB_SCOPE_DEVICE, GB_SCOPE_HOST_TO_HOST}) {
                gb_error error = {};
                if (verdict(flags, scope, n, &error) != GB_OK)
                    fail_msg("n=%u, flags %u, scope %d: %s", (unsigned)n, flags, (int)scope,
                             error.text);
            }
}

static void fails(spoil *how, const char *words)
{
    spoiling = how;
    for (unsigned flags : {0u, (unsigned)GB_HOST})
        for (gb_scope scope : {GB_SCOPE_DEVICE, GB_SCOPE_HOST_TO_HOST}) {
            gb_error error = {};
            const gb_status status = verdict(flags, scope, 1000, &error);
            if (status != GB_WRONG || !strstr(error.text, words))
                fail_msg("flags %u, scope %d: status %d, \"%s\" instead of \"%s\"", flags,
                         (int)scope, (int)status, error.text, words);
        }
}

static void leaves_out(const gb_job *, uint32_t *, uint32_t *y, double *, uint64_t n)
{
    y[n - 1] = last_before;
}
static void one_off(const gb_job *, uint32_t *, uint32_t *y, double *, uint64_t)
{
    y[0]++;
}
static void behind(const gb_job *, uint32_t *, uint32_t *y, double *, uint64_t n)
{
    y[n] = 7;
}
static void input(const gb_job *, uint32_t *x, uint32_t *, double *, uint64_t)
{
    x[17] ^= 1u << 31;
}
static void too_far(const gb_job *, uint32_t *, uint32_t *, double *z, uint64_t)
{
    z[500] += 1e-12 + 1.1e-9 * z[500];
}
static void not_a_number(const gb_job *, uint32_t *, uint32_t *, double *z, uint64_t)
{
    z[3] = NAN;
}
static void not_doubled(const gb_job *, uint32_t *, uint32_t *, double *z, uint64_t)
{
    z[999] /= 2;
}

static void finite(const gb_job *, uint32_t *, uint32_t *, double *z, uint64_t)
{
    z[5] = 1;
}

static void test_mistakes_are_found_and_named(void **)
{
    fails(leaves_out, "element 999 of y (1000 elements) is not written; ");
    fails(one_off, "element 0 of y (1000 elements) is ");
    fails(behind, "byte 0 behind the end of y (1000 elements) is written");
    fails(input, "element 17 of x, which is input, has changed");
    fails(too_far, "element 500 of z (1000 elements) is ");
    fails(not_a_number, "element 3 of z (1000 elements) is nan, not ");
    fails(not_doubled, "element 999 of z (1000 elements) is ");
    expects_infinity = true; /* which no tolerance that grows with it may reach */
    fails(finite, "element 5 of z (1000 elements) is ");
    expects_infinity = false;
}

static void near_enough(const gb_job *, uint32_t *, uint32_t *, double *z, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        z[i] *= 1 - 0.9e-9;
}

static void test_tolerance_is_what_the_table_says(void **)
{
    gb_error error = {};
    spoiling = near_enough;
    assert_int_equal(verdict(0, GB_SCOPE_DEVICE, 1000, &error), GB_OK);
}

static void test_what_is_not_carried_is_found(void **)
{
    gb_error error = {};
    spoiling = NULL;
    not_carried_in = true;
    assert_int_equal(verdict(0, GB_SCOPE_HOST_TO_HOST, 1000, &error), GB_WRONG);
    not_carried_in = false;
    not_carried_out = true;
    assert_int_equal(verdict(0, GB_SCOPE_HOST_TO_HOST, 1000, &error), GB_WRONG);
    not_carried_out = false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void test_memory_is_counted(void **)
{
    gb_params params = {};
    params.value[N].size = 1000;
    params.value[DIST].text = "uniform";
    gb_job job = {};
    gb_variant variant = {};
    variant.name = "v";
    job.primitive = &primitive;
    job.variant = &variant;
    job.params = &params;
    gb_error error = {};
    assert_int_equal(gb_arrays_open(&table, &params, 7, &job.problem, &error), GB_OK);
    assert_int_equal(gb_arrays_poison(&job, NULL), GB_CRASHED);
    assert_non_null(strstr(job.error.text, "does not count its memory"));
    /* x, y, z, and z's input, each with its guard */
    const uint64_t bytes = 1000 * (4 + 4 + 8 + 8) + 4 * GB_ARRAY_GUARD;
    job.memory_limit = bytes - 1;
    assert_int_equal(gb_arrays_prepare(&job), GB_OUT_OF_MEMORY);
    job.memory_limit = bytes;
    assert_int_equal(gb_arrays_prepare(&job), GB_OK);
    assert_int_equal(job.memory_used, bytes);
    gb_arrays_close(job.problem);
}

/* ---- input ----------------------------------------------------------------------------------- */

static unsigned char copied[8 * 4096];

static void keep(const gb_params *, void *const array[])
{
    memcpy(copied, array[0], sizeof copied);
}

/* 4096 elements of one array, in copied. */
static gb_status made(gb_element type, const char *dist, uint64_t below, uint64_t seed,
                      gb_error *error)
{
    gb_params params = {};
    params.value[N].size = 8 * 4096; /* bytes enough for keep, whatever the type */
    params.value[DIST].text = "constant";
    const gb_array one[] = {{"x", type, GB_ARRAY_IN, count, dist, below, NULL, 0, 0},
                            {NULL, GB_U8, GB_ARRAY_IN, NULL, NULL, 0, NULL, 0, 0}};
    const gb_arrays only = {one, axes, AXES, keep};
    gb_problem *problem;
    const char *mistake = gb_arrays_mistake(&only, &params);
    const gb_status status = gb_arrays_open(&only, &params, seed, &problem, error);
    gb_arrays_close(problem);
    assert_true(!mistake || status == GB_UNSUPPORTED);
    return status;
}

template <class T> static void lies_in(gb_element type, uint64_t below, double least, double most)
{
    gb_error error = {};
    double lowest = INFINITY, highest = -INFINITY;
    assert_int_equal(made(type, NULL, below, 1, &error), GB_OK);
    for (unsigned i = 0; i < 4096; i++) {
        T element;
        memcpy(&element, copied + i * sizeof(T), sizeof(T));
        lowest = fmin(lowest, (double)element);
        highest = fmax(highest, (double)element);
    }
    /* within, and all over: the ends are not missed by a hundredth */
    const double margin = 0.01 * (most - least);
    if (lowest < least || highest > most || lowest > least + margin || highest < most - margin)
        fail_msg("type %d below %g: %g to %g", (int)type, (double)below, lowest, highest);
}

static void test_elements_lie_where_the_table_says(void **)
{
    lies_in<uint8_t>(GB_U8, 0, 0, 255);
    lies_in<uint8_t>(GB_U8, 100, 0, 99);
    lies_in<uint32_t>(GB_U32, 0, 0, 4294967295.0);
    lies_in<uint32_t>(GB_U32, 1000, 0, 999);
    lies_in<int32_t>(GB_I32, 0, -2147483648.0, 2147483647.0);
    lies_in<int32_t>(GB_I32, 10, 0, 9);
    lies_in<uint64_t>(GB_U64, 0, 0, 0x1p64);
    lies_in<uint64_t>(GB_U64, (uint64_t)1 << 40, 0, 0x1p40);
    lies_in<int64_t>(GB_I64, 0, -0x1p63, 0x1p63);
    lies_in<float>(GB_F32, 0, 0, 1);
    lies_in<double>(GB_F64, 0, 0, 1);
}

static void test_distributions_and_seeds_count(void **)
{
    gb_error error = {};
    uint64_t element[4096], other[4096];
    assert_int_equal(made(GB_U64, "sorted", 1000000, 1, &error), GB_OK);
    memcpy(element, copied, sizeof element);
    for (unsigned i = 1; i < 4096; i++)
        assert_true(element[i - 1] <= element[i]);
    assert_int_equal(made(GB_U64, "dist", 0, 1, &error), GB_OK); /* the axis says constant */
    memcpy(element, copied, sizeof element);
    assert_true(element[0] == element[4095]);
    assert_int_equal(made(GB_U64, "uniform", 0, 1, &error), GB_OK);
    memcpy(element, copied, sizeof element);
    assert_int_equal(made(GB_U64, "uniform", 0, 2, &error), GB_OK);
    memcpy(other, copied, sizeof other);
    assert_memory_not_equal(element, other, sizeof element);
    assert_int_equal(made(GB_U64, "uniform", 0, 1, &error), GB_OK);
    assert_memory_equal(element, copied, sizeof element);
}

static void test_mistakes_in_a_table_are_told(void **)
{
    gb_error error = {};
    assert_int_equal(made(GB_U8, NULL, 257, 1, &error), GB_UNSUPPORTED);
    assert_non_null(strstr(error.text, "x: no uint8_t is as large as 256"));
    assert_int_equal(made(GB_U8, NULL, 256, 1, &error), GB_OK);
    assert_int_equal(made(GB_U32, "unifrom", 0, 1, &error), GB_UNSUPPORTED);
    assert_non_null(strstr(error.text, "'unifrom' is not a distribution"));
}

int main(void)
{
    primitive.name = "three";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_runs_pass),
        cmocka_unit_test(test_mistakes_are_found_and_named),
        cmocka_unit_test(test_tolerance_is_what_the_table_says),
        cmocka_unit_test(test_what_is_not_carried_is_found),
        cmocka_unit_test(test_memory_is_counted),
        cmocka_unit_test(test_elements_lie_where_the_table_says),
        cmocka_unit_test(test_distributions_and_seeds_count),
        cmocka_unit_test(test_mistakes_in_a_table_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
