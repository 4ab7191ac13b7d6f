/* Statistics of two groups: against another implementation (SciPy 1.x, scipy.stats.mannwhitneyu and
 * scipy.stats.t), by hand and at the edges. */
#include "tests/common/stats_fixture.h"

#define assert_near(got, expected, tolerance)                                            \
    do {                                                                                 \
        if (!(fabs((got) - (expected)) <= (tolerance)))                                  \
            fail_msg("%s is %.17g, not %.17g", #got, (double)(got), (double)(expected)); \
    } while (0)

/* ---- ranks ----------------------------------------------------------------------------------- */

static void ranks_agree_with_scipy(void **state)
{
    (void)state;
    static const double a[] = {1.1, 2.2, 3.3}, b[] = {4.4, 5.5, 6.6, 7.7};
    static const double c[] = {1, 4, 2.5, 9, 8}, d[] = {3, 5, 7, 11, 12, 13};
    static const double e[] = {10, 11, 11, 12, 13, 13, 13, 14};
    static const double f[] = {12, 13, 14, 14, 15, 15, 16, 16, 17};
    assert_near(p_of(a, 3, b, 4), 0.05714285714285714, 1e-15);
    assert_near(p_of(c, 5, d, 6), 0.17748917748917747, 1e-15);
    assert_near(p_of(e, 8, f, 9), 0.007453631850691216, 1e-15);
    double g[30], h[30];
    for (int i = 0; i < 30; i++) {
        g[i] = i * 37 % 101 / 7.0 + 1;
        h[i] = i * 53 % 103 / 7.0 + 3;
    }
    assert_near(p_of(g, 30, h, 30), 0.10227858571652497, 1e-14);
    for (int i = 0; i < 20; i++)
        h[i] = i * 53 % 103 / 7.0 + 3.01;
    assert_near(p_of(g, 18, h, 20), 0.34616465700278626, 1e-14);
    /* neither the order of the groups nor that of their values matters */
    assert_near(p_of(h, 20, g, 18), p_of(g, 18, h, 20), 0);
    const double first = g[0];
    memmove(g, g + 1, 17 * sizeof *g);
    g[17] = first;
    assert_near(p_of(g, 18, h, 20), 0.34616465700278626, 1e-14);
}

/* All ways to deal ranks to two groups, one after the other. */
static double p_by_enumeration(const double *a, size_t m, const double *b, size_t n)
{
    double u = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++)
            u += b[j] < a[i];
    const double smaller = fmin(u, (double)(m * n) - u);
    double at_most = 0, all = 0;
    for (unsigned deal = 0; deal < 1u << (m + n); deal++) {
        if ((size_t)__builtin_popcount(deal) != m) continue;
        double wrong = 0, below = 0;
        for (size_t i = 0; i < m + n; i++) {
            if (deal >> i & 1)
                wrong += below;
            else
                below++;
        }
        all++;
        at_most += wrong <= smaller;
    }
    return fmin(1, 2 * at_most / all);
}

static void exact_ranks_are_all_deals(void **state)
{
    (void)state;
    for (size_t m = 1; m <= 6; m++) {
        for (size_t n = 1; n <= 7; n++) {
            for (uint32_t trial = 0; trial < 8; trial++) {
                double a[8], b[8];
                draw_normal(5, trial, m, a);
                draw_normal(6, trial, n, b);
                for (size_t i = 0; i < m; i++)
                    a[i] += trial / 4.0;
                assert_near(p_of(a, m, b, n), p_by_enumeration(a, m, b, n), 1e-14);
            }
        }
    }
}

/* The exact distribution and the approximation that follows it are near each other. */
static void methods_meet(void **state)
{
    (void)state;
    double a[21], b[20];
    for (int shift = 0; shift < 5; shift++) {
        for (int i = 0; i < 20; i++) {
            a[i] = i;
            b[i] = i + 0.25 + shift;
        }
        const double exact = p_of(a, 20, b, 20);
        a[20] = 10; /* a tie, and one too many */
        assert_near(p_of(a, 21, b, 20), exact, 0.03);
    }
}

static void ranks_at_the_edges(void **state)
{
    (void)state;
    static const double none[1], one[] = {1}, two[] = {2}, same[] = {3, 3, 3, 3};
    assert_near(p_of(none, 0, one, 1), 1, 0);
    assert_near(p_of(one, 1, none, 0), 1, 0);
    assert_near(p_of(none, 0, none, 0), 1, 0);
    assert_near(p_of(same, 4, same, 4), 1, 0);
    assert_near(p_of(one, 1, two, 1), 1, 0);
    assert_near(p_of(one, 1, one, 1), 1, 0);
    /* ranks do not know how large numbers are */
    double a[5], b[5];
    static const double scales[] = {1e-300, 1, 1e300};
    for (size_t s = 0; s < 3; s++) {
        for (int i = 0; i < 5; i++) {
            a[i] = (i + 1) * scales[s];
            b[i] = (i + 11) * scales[s];
        }
        assert_near(p_of(a, 5, b, 5), 2.0 / 252, 1e-15);
    }
    assert_near(gb_mann_whitney_least(5, 5), 2.0 / 252, 1e-15);
    assert_near(gb_mann_whitney_least(3, 4), 2.0 / 35, 1e-15);
    assert_near(gb_mann_whitney_least(1, 1), 1, 0);
    assert_near(gb_mann_whitney_least(0, 5), 1, 0);
    /* groups of several sizes, in turns */
    assert_near(p_of(a, 3, b, 4), 2.0 / 35, 1e-15);
    assert_near(p_of(a, 4, b, 3), 2.0 / 35, 1e-15);
    assert_near(p_of(a, 5, b, 5), 2.0 / 252, 1e-15);
    double long_a[GB_EXACT_RANKS];
    for (int i = 0; i < GB_EXACT_RANKS; i++)
        long_a[i] = i + 1;
    static const double lower[] = {0.5};
    assert_near(p_of(long_a, GB_EXACT_RANKS - 1, lower, 1), 2.0 / GB_EXACT_RANKS, 1e-15);
}

/* ---- ratios ---------------------------------------------------------------------------------- */

static void assert_ratio(gb_mean above, gb_mean below, double value, double lo, double hi)
{
    const gb_ratio r = gb_ratio_of_means(&above, &below);
    assert_near(r.value, value, 1e-9 * value);
    assert_near(r.lo, lo, 1e-8 * value);
    assert_near(r.hi, hi, 1e-8 * value);
}

static void ratios_are_those_of_fieller(void **state)
{
    (void)state;
    assert_ratio((gb_mean){10, .04, 9}, (gb_mean){5, .01, 19}, 2, 1.8865123831478876,
                 2.1203147330130365);
    assert_ratio((gb_mean){1, .0001, 99}, (gb_mean){2, .0009, 4}, 0.5, 0.4797918438115969,
                 0.5214060618405483);
    /* of another unit */
    assert_ratio((gb_mean){10e-9, .04e-18, 9}, (gb_mean){5e12, .01e24, 19}, 2e-21,
                 1.8865123831478876e-21, 2.1203147330130365e-21);
    assert_ratio((gb_mean){10e-80, .04e-160, 9}, (gb_mean){5e-80, .01e-160, 19}, 2,
                 1.8865123831478876, 2.1203147330130365);
    assert_ratio((gb_mean){10e120, .04e240, 9}, (gb_mean){5e120, .01e240, 19}, 2,
                 1.8865123831478876, 2.1203147330130365);
    /* the other way round it is the same interval */
    const gb_mean a = {10, .04, 9}, b = {5, .01, 19};
    const gb_ratio one = gb_ratio_of_means(&a, &b), other = gb_ratio_of_means(&b, &a);
    assert_near(1 / other.hi, one.lo, 1e-12);
    assert_near(1 / other.lo, one.hi, 1e-12);
}

static void ratios_at_the_edges(void **state)
{
    (void)state;
    /* both known exactly */
    assert_ratio((gb_mean){3, 0, 0}, (gb_mean){4, 0, 0}, 0.75, 0.75, 0.75);
    assert_ratio((gb_mean){3, 0, 9}, (gb_mean){4, 0, 9}, 0.75, 0.75, 0.75);
    /* one of them: an interval of the other's, with its degrees of freedom or the normal's */
    const double half = 2.2621571628 * 0.1;
    assert_ratio((gb_mean){3, .01, 9}, (gb_mean){4, 0, 0}, 0.75, (3 - half) / 4, (3 + half) / 4);
    assert_ratio((gb_mean){3, 0, 0}, (gb_mean){4, .01, 9}, 0.75, 3 / (4 + half), 3 / (4 - half));
    const double known = 1.959963984540054 * 0.1;
    assert_ratio((gb_mean){3, .01, 0}, (gb_mean){4, 0, 0}, 0.75, (3 - known) / 4, (3 + known) / 4);
    /* not sure to differ from 0: 4 sd are not enough at one degree of freedom */
    assert_ratio((gb_mean){3, .01, 9}, (gb_mean){4, 1, 1}, 0.75, 0, 0);
    assert_ratio((gb_mean){3, .01, 99}, (gb_mean){4, 4.2, 0}, 0.75, 0, 0);
    /* no ratio is below 0 */
    assert_ratio((gb_mean){3, 9, 99}, (gb_mean){4, .01, 99}, 0.75, 0, 0);
}

/* ---- many tests ------------------------------------------------------------------------------ */

static void holm_by_hand(void **state)
{
    (void)state;
    size_t order[8];
    /* 0.01 * 5; 0.011 * 4 = 0.044, no less than 0.05; 0.03 * 3, twice; 0.9 * 1 */
    double p[] = {0.03, 0.9, 0.01, 0.03, 0.011};
    static const double expected[] = {0.09, 0.9, 0.05, 0.09, 0.05};
    gb_holm(p, 5, order);
    for (int i = 0; i < 5; i++)
        assert_near(p[i], expected[i], 1e-15);
    double large[] = {0.6, 0.5, 1};
    gb_holm(large, 3, order);
    for (int i = 0; i < 3; i++)
        assert_near(large[i], 1, 0);
    double one[] = {0.04};
    gb_holm(one, 1, order);
    assert_near(one[0], 0.04, 0);
    gb_holm(one, 0, order);
    assert_near(one[0], 0.04, 0);
}

static void holm_knows_no_order(void **state)
{
    (void)state;
    enum { TESTS = 50 };
    double plain[TESTS], p[TESTS], turned[TESTS];
    size_t order[TESTS];
    draw_uniform(9, 0, TESTS, plain);
    for (int i = 0; i < TESTS; i++) {
        plain[i] = i % 7 == 0 ? 0.001 : plain[i] * plain[i] / 10;
        p[i] = plain[i];
    }
    for (int i = 0; i < TESTS; i++)
        turned[i] = plain[i * 17 % TESTS];
    gb_holm(p, TESTS, order);
    gb_holm(turned, TESTS, order);
    for (int i = 0; i < TESTS; i++) {
        assert_near(turned[i], p[i * 17 % TESTS], 0);
        assert_true(p[i] >= plain[i] && p[i] <= fmin(1, TESTS * plain[i]));
        for (int k = 0; k < TESTS; k++)
            if (plain[i] <= plain[k]) assert_true(p[i] <= p[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_agree_with_scipy),
        cmocka_unit_test(exact_ranks_are_all_deals),
        cmocka_unit_test(methods_meet),
        cmocka_unit_test(ranks_at_the_edges),
        cmocka_unit_test(ratios_are_those_of_fieller),
        cmocka_unit_test(ratios_at_the_edges),
        cmocka_unit_test(holm_by_hand),
        cmocka_unit_test(holm_knows_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
