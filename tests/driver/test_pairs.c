/* All-pairs cases: complete, few, and the same for the same seed; and the cases of `check`. */
#include "bench/config/cases.h"
#include "bench/util/pairs.h"
#include "tests/driver/fixture.h"

/* Fails unless every pair of values of every two axes occurs in a case. */
static void assert_covers(const unsigned *rows, size_t count, const unsigned *counts, unsigned axes)
{
    for (unsigned a = 0; a < axes; a++) {
        for (unsigned b = a + 1; b < axes; b++) {
            for (unsigned pair = 0; pair < counts[a] * counts[b]; pair++) {
                unsigned x = pair / counts[b], y = pair % counts[b];
                bool found = false;
                for (size_t i = 0; i < count && !found; i++)
                    found = rows[i * axes + a] == x && rows[i * axes + b] == y;
                if (!found) fail_msg("axes %u and %u never have %u and %u", a, b, x, y);
            }
        }
    }
}

static void test_covers(void **state)
{
    (void)state;
    static const unsigned shapes[][GB_MAX_AXES] = {
        {2, 2},       {1, 1, 1},     {1, 5}, {3, 4, 5}, {20, 9, 6, 4, 2}, {2, 2, 2, 2, 2, 2, 2, 2},
        {7, 1, 3, 2}, {20, 20, 8, 8}};
    static const unsigned axes[] = {2, 3, 2, 3, 5, 8, 4, 4};
    for (size_t s = 0; s < sizeof axes / sizeof *axes; s++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            size_t count, again_count;
            unsigned *rows = gb_all_pairs(shapes[s], axes[s], seed, &count);
            unsigned *again = gb_all_pairs(shapes[s], axes[s], seed, &again_count);
            assert_non_null(rows);
            assert_covers(rows, count, shapes[s], axes[s]);
            assert_int_equal(count, again_count);
            assert_memory_equal(rows, again, count * axes[s] * sizeof *rows);
            /* The two largest axes alone need their product; not far more is needed. */
            unsigned first = 0, second = 0;
            for (unsigned a = 0; a < axes[s]; a++) {
                unsigned c = shapes[s][a];
                if (c > first) {
                    second = first;
                    first = c;
                } else if (c > second) {
                    second = c;
                }
            }
            assert_in_range(count, first * second, 2 * first * second + 4);
            free(rows);
            free(again);
        }
    }
}

static void test_one_axis(void **state)
{
    (void)state;
    unsigned counts[] = {4};
    size_t count;
    unsigned *rows = gb_all_pairs(counts, 1, 1, &count);
    assert_int_equal(count, 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(rows[i], i);
    free(rows);
}

/* A matrix of 2^62 bytes fits no address space. (AddressSanitizer says so as malloc does where it
 * may return null: tests/sanitized/sanitized.sh.) */
static void test_no_memory(void **state)
{
    (void)state;
    unsigned counts[] = {1U << 30, 1U << 30};
    size_t count = 1;
    assert_null(gb_all_pairs(counts, 2, 1, &count));
    assert_int_equal(count, 0);
}

static void test_cases(void **state)
{
    (void)state;
    gb_catalogue *catalogue = fixture_catalogue();
    const gb_catalogue_primitive *primitive = &catalogue->primitives[0];
    gb_error error = {GB_OK, ""};
    size_t count, quick;
    gb_params *cases = gb_check_cases(primitive, 1, false, &count, &error);
    if (!cases) fail_msg("%s", error.text);
    assert_in_range(count, 20, 30); /* 5 values of n, 4 of bins */
    free(cases);
    cases = gb_check_cases(primitive, 1, true, &quick, &error);
    assert_true(quick < count);
    char text[512];
    gb_params parsed;
    for (size_t i = 0; i < quick; i++) {
        gb_check_case_format(primitive, &cases[i], text, sizeof text);
        if (!gb_check_case_parse(primitive, text, &parsed, &error)) fail_msg("%s", error.text);
        for (unsigned a = 0; a < primitive->axis_count; a++)
            assert_string_equal(parsed.value[a].text, cases[i].value[a].text);
    }
    free(cases);
    gb_catalogue_free(catalogue);
}

/* Every nasty value of an axis has its case, however many they are. */
static void test_many_values(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static char texts[MANY][8], *nasty[MANY + 1];
    for (int i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "%d", i + 1);
        nasty[i] = texts[i];
    }
    gb_catalogue_axis axes[] = {
        {.name = "n", .fallback = "1", .type = GB_AXIS_SIZE, .max = MANY, .nasty = nasty},
        {.name = "m", .fallback = "7", .type = GB_AXIS_SIZE, .max = MANY}};
    const gb_catalogue_primitive primitive = {.name = "p", .axes = axes, .axis_count = 2};
    gb_error error = {GB_OK, ""};
    bool seen[MANY + 1] = {false};
    size_t count;
    gb_params *cases = gb_check_cases(&primitive, 1, false, &count, &error);
    if (!cases) fail_msg("%s", error.text);
    assert_int_equal(count, MANY);
    for (size_t i = 0; i < count; i++) {
        seen[cases[i].value[0].size] = true;
        assert_int_equal(cases[i].value[1].size, 7);
    }
    for (int i = 1; i <= MANY; i++)
        assert_true(seen[i]);
    free(cases);
}

static void test_case_mistakes(void **state)
{
    (void)state;
    gb_catalogue *catalogue = fixture_catalogue();
    const gb_catalogue_primitive *primitive = &catalogue->primitives[0];
    gb_error error = {GB_OK, ""};
    gb_params params;
    assert_true(gb_check_case_parse(primitive, "n=33, dist=sorted", &params, &error));
    assert_int_equal(params.value[0].size, 33);
    assert_int_equal(params.value[1].size, 256);
    assert_string_equal(params.value[2].text, "sorted");
    assert_false(gb_check_case_parse(primitive, "n=33,bin=4", &params, &error));
    assert_says(error.text, "no axis 'bin' (did you mean \"bins\"?)", "a wrong axis");
    assert_false(gb_check_case_parse(primitive, "n=33,4", &params, &error));
    assert_says(error.text, "'4' is not AXIS=VALUE", "no assignment");
    assert_false(gb_check_case_parse(primitive, "n=-1", &params, &error));
    gb_catalogue_free(catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covers),      cmocka_unit_test(test_one_axis),
        cmocka_unit_test(test_no_memory),   cmocka_unit_test(test_cases),
        cmocka_unit_test(test_many_values), cmocka_unit_test(test_case_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
