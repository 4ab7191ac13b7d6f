/* Statistics of counts and quantiles at any level: against another implementation (SciPy 1.x,
 * scipy.stats.binomtest and scipy.stats.t), by enumeration, and at the edges. */
#include "common/stats/counts.h"
#include "tests/driver/fixture.h"

#include "common/stats/stats.h"
#include "common/stats/two.h"

#include <math.h>

#define assert_near(got, expected, tolerance)                                            \
    do {                                                                                 \
        if (!(fabs((got) - (expected)) <= (tolerance)))                                  \
            fail_msg("%s is %.17g, not %.17g", #got, (double)(got), (double)(expected)); \
    } while (0)

static void quantiles(void **state)
{
    (void)state;
    assert_near(gb_student_quantile(0.05, 4), 2.7764451051977934, 1e-12);
    assert_near(gb_student_quantile(0.01, 7.5), 3.421422688124044, 1e-12);
    assert_near(gb_student_quantile(0.0005, 30), 3.9016426777434168, 1e-12);
    assert_near(gb_student_quantile(0.05, 1), 12.706204736174694, 1e-10);
    assert_near(gb_student_quantile(0.2, 0.7), 5.009947959646406, 1e-10);
    assert_near(gb_student_quantile(0.001, INFINITY), 3.2905267314918945, 1e-12);
    assert_near(gb_student_quantile(0.05, 9), gb_student_t975(9), 1e-10);
}

static void shares(void **state)
{
    (void)state;
    static const struct {
        size_t count, of;
        double tail, lo, hi;
    } cases[] = {
        {4, 7, 0.05, 0.18405156764007, 0.9010117215575631},
        {0, 10, 0.05, 0, 0.30849710781876294},
        {10, 10, 0.05, 0.6915028921812371, 1},
        {129, 256, 0.05, 0.4409710130283987, 0.5667500131554297},
        {200, 256, 0.01, 0.7077764274884628, 0.8439585705781701},
        {1, 1, 0.05, 0.025, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double lo, hi;
        gb_share_interval(cases[i].count, cases[i].of, cases[i].tail, &lo, &hi);
        assert_near(lo, cases[i].lo, 1e-12);
        assert_near(hi, cases[i].hi, 1e-12);
    }
}

/* Of all orders of n values the part with an S of at least s. */
static double by_enumeration(int n, int s)
{
    int order[8], count[8] = {0}, all = 0, met = 0;
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int i = 0;;) { /* Heap's algorithm */
        int sum = 0;
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                sum += order[b] > order[a] ? 1 : -1;
        all++;
        met += sum >= s;
        while (i < n && count[i] >= i)
            count[i++] = 0;
        if (i >= n) return (double)met / all;
        const int from = i % 2 ? count[i] : 0, kept = order[from];
        order[from] = order[i];
        order[i] = kept;
        count[i]++;
        i = 0;
    }
}

static void trends(void **state)
{
    (void)state;
    for (int n = 2; n <= 7; n++)
        for (int s = -n * (n - 1) / 2 - 1; s <= n * (n - 1) / 2 + 1; s++)
            assert_near(gb_trend_tail((size_t)n, s), by_enumeration(n, s), 1e-12);
    /* five values that all ascend are one order of 120; with one pair out of order it is chance */
    assert_near(gb_trend_tail(5, 10), 1.0 / 120, 1e-15);
    assert_true(gb_trend_tail(5, 8) > 0.025);
    assert_near(gb_trend_tail(0, 0), 1, 0);
    assert_near(gb_trend_tail(1, 0), 1, 0);
    /* where the exact count gives way to the normal distribution */
    const double s = 301, exact = gb_trend_tail(GB_EXACT_TREND, s);
    const double n = GB_EXACT_TREND, variance = n * (n - 1) * (2 * n + 5) / 18;
    assert_near(exact, 0.5 * erfc((s - 1) / sqrt(2 * variance)), 0.02 * exact);
    assert_true(gb_trend_tail(GB_EXACT_TREND + 1, s) > exact);
}

static void ratios(void **state)
{
    (void)state;
    const gb_mean a = {10, 0.04, 9}, b = {5, 0.01, 4}, c = {3, 0.0009, 9}, d = {2, 0.0001, 9};
    const gb_ratio usual = gb_ratio_of_means(&a, &b), same = gb_ratio_of_means_at(&a, &b, 0.05);
    assert_true(usual.lo == same.lo && usual.hi == same.hi);
    const gb_ratio wider = gb_ratio_of_means_at(&a, &b, 0.001);
    assert_true(wider.lo < usual.lo && wider.hi > usual.hi && wider.value == 2);
    /* the interval of a ratio of ratios: its logarithm is ln(4/3) -+ t * 0.0309..., df by hand */
    const gb_mean four[4] = {a, b, c, d};
    const gb_ratio both = gb_ratio_of_ratios_at(four, 0.05);
    const double v[4] = {0.0004, 0.0004, 0.0001, 0.000025}, df[4] = {9, 4, 9, 9};
    double sum = 0, below = 0;
    for (int i = 0; i < 4; i++) {
        sum += v[i];
        below += v[i] * v[i] / df[i];
    }
    const double half = gb_student_t975((size_t)(sum * sum / below)) * sqrt(sum);
    assert_near(both.value, 4.0 / 3, 1e-15);
    assert_near(both.lo, 4.0 / 3 / exp(half), 1e-12);
    assert_near(both.hi, 4.0 / 3 * exp(half), 1e-12);
    /* with an exact second ratio it is nearly that of the first */
    const gb_mean exact[4] = {a, b, {1, 0, 0}, {1, 0, 0}};
    const gb_ratio first = gb_ratio_of_ratios_at(exact, 0.05);
    assert_near(first.lo, usual.lo, 0.01);
    assert_near(first.hi, usual.hi, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantiles), cmocka_unit_test(shares),
                                       cmocka_unit_test(trends), cmocka_unit_test(ratios)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
