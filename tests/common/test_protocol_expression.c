/* Amounts as a config says them of its axes. */
#include "common/protocol/expression.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const gb_expression_axes axes = {.names = {"n", "rows", "dist"},
                                        .types = {GB_AXIS_SIZE, GB_AXIS_SIZE, GB_AXIS_NAME},
                                        .count = 3};

static gb_params point_of(uint64_t n, uint64_t rows)
{
    gb_params point = {.value = {{.size = n}, {.size = rows}}};
    return point;
}

static void test_amounts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"n", 10},
                 {"12 * n", 120},
                 {"12*n", 120},
                 {" 4Ki ", 4096},
                 {"2 * n * rows + 4 * n + 1", 101},
                 {"1 + 2 * n", 21},
                 {"0 * n", 0},
                 {"9007199254740992", (uint64_t)1 << 53},
                 {"n\t+\tn", 20}};
    const gb_params point = point_of(10, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 7;
        gb_error error;
        assert_true(gb_expression_value(cases[i].text, &axes, NULL, &value, &error));
        assert_int_equal(value, 7);
        assert_true(gb_expression_value(cases[i].text, &axes, &point, &value, &error));
        assert_int_equal(value, cases[i].value);
    }
}

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {{"", "found \"\" at character 1, the end"},
                 {"12 *", "found \"\" at character 5, the end"},
                 {"m", "found \"m\" at character 1, which is no axis of this config; sizes such as "
                       "12 or 4Ki and the axes n, rows are allowed"},
                 {"2 * dist", "found \"dist\" at character 5, an axis of words"},
                 {"(n)", "found \"(\" at character 1, which is neither"},
                 {"n - 1", "found \"-\" at character 3, where + or * or the end was expected"},
                 {"n rows", "found \"rows\" at character 3, where + or * or the end"},
                 {"3x", "found \"3x\" at character 1"},
                 {"9007199254740993", "amounts to more than 2^53"},
                 {"9007199254740992 + 1", "amounts to more than 2^53"},
                 {"4Gi * 4Gi", "amounts to more than 2^53"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gb_error error = {GB_OK, ""};
        assert_false(gb_expression_value(cases[i].text, &axes, NULL, NULL, &error));
        if (!strstr(error.text, cases[i].part)) fail_msg("'%s': %s", cases[i].text, error.text);
    }
}

/* Only at some points is it too much. */
static void test_too_large_at_a_point(void **state)
{
    (void)state;
    const gb_params small = point_of(1, 1), large = point_of((uint64_t)1 << 40, (uint64_t)1 << 20);
    uint64_t value;
    gb_error error;
    assert_true(gb_expression_value("n * rows", &axes, &small, &value, &error));
    assert_int_equal(value, 1);
    assert_false(gb_expression_value("n * rows", &axes, &large, &value, &error));
    assert_non_null(strstr(error.text, "\"n * rows\" amounts to more than 2^53 at a point"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_amounts),
                                       cmocka_unit_test(test_mistakes),
                                       cmocka_unit_test(test_too_large_at_a_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
