/* Least squares of few terms: exact sums, residuals by hand, terms that cannot be told apart,
 * coefficients that would be negative, scales far apart. */
#include "common/stats/least.h"
#include "tests/common/stats_fixture.h"

static void assert_near(double got, double expected, double part)
{
    if (!(fabs(got - expected) <= part * fabs(expected)))
        fail_msg("%.17g is not %.17g", got, expected);
}

static void exact_sums_give_their_coefficients(void **state)
{
    (void)state;
    gb_least_row rows[6];
    double found[GB_LEAST_TERMS];
    for (int i = 0; i < 6; i++) {
        const double x = i + 1;
        rows[i] = (gb_least_row){{1, x, 1 / x, x * x}, 0};
        rows[i].wanted = 3 + 0.5 * x + 7 / x + 0.25 * x * x;
    }
    assert_true(gb_least_squares(rows, 6, 15, found));
    assert_near(found[0], 3, 1e-7);
    assert_near(found[1], 0.5, 1e-7);
    assert_near(found[2], 7, 1e-7);
    assert_near(found[3], 0.25, 1e-7);
    assert_true(gb_least_squares(rows, 6, 1 | 8, found));
    assert_true(found[1] == 0 && found[2] == 0);
}

/* y = a x over (1, 2), (2, 3), (3, 7): a = 29 / 14. With a constant: slope 2.5, which leaves -1. */
static void residuals_are_least(void **state)
{
    (void)state;
    const gb_least_row rows[] = {{{1, 1}, 2}, {{2, 1}, 3}, {{3, 1}, 7}};
    double found[GB_LEAST_TERMS];
    assert_true(gb_least_squares(rows, 3, 1, found));
    assert_near(found[0], 29. / 14, 1e-12);
    assert_false(gb_least_squares(rows, 3, 3, found));
}

static void terms_that_are_alike_are_refused(void **state)
{
    (void)state;
    const gb_least_row rows[] = {{{1, 2, 1, 0}, 3}, {{2, 4, 1, 0}, 5}, {{3, 6.001, 1, 0}, 8}};
    double found[GB_LEAST_TERMS];
    assert_false(gb_least_squares(rows, 3, 3, found));
    assert_true(gb_least_squares(rows, 3, 1, found));
    assert_false(gb_least_squares(rows, 3, 8, found)); /* nowhere but 0 */
    assert_false(gb_least_squares(rows, 1, 5, found)); /* more terms than rows */
    assert_false(gb_least_squares(rows, 0, 1, found));
}

static void scales_do_not_matter(void **state)
{
    (void)state;
    gb_least_row rows[5];
    double found[GB_LEAST_TERMS];
    for (int i = 0; i < 5; i++) {
        rows[i] = (gb_least_row){{1e-12 * (i + 1), 1e9, 0, 0}, 0};
        rows[i].wanted = 5e11 * rows[i].term[0] + 2e-10 * rows[i].term[1];
    }
    assert_true(gb_least_squares(rows, 5, 3, found));
    assert_near(found[0], 5e11, 1e-9);
    assert_near(found[1], 2e-10, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_sums_give_their_coefficients),
        cmocka_unit_test(residuals_are_least),
        cmocka_unit_test(terms_that_are_alike_are_refused),
        cmocka_unit_test(scales_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
