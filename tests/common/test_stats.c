/* Statistics against published tables, closed forms and slow, obvious versions of themselves. */
#include "common/random.h"
#include "common/stats/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define assert_near(got, expected, tolerance)                                            \
    do {                                                                                 \
        if (!(fabs((got) - (expected)) <= (tolerance)))                                  \
            fail_msg("%s is %.15g, not %.15g", #got, (double)(got), (double)(expected)); \
    } while (0)

static void test_student_table(void **state)
{
    (void)state;
    static const struct {
        size_t df;
        double t;
    } table[] = {{1, 12.7062047364},  {2, 4.3026527299},   {3, 3.1824463053},   {4, 2.7764451052},
                 {5, 2.5705818366},   {6, 2.4469118511},   {7, 2.3646242516},   {8, 2.3060041352},
                 {9, 2.2621571628},   {10, 2.2281388520},  {15, 2.1314495456},  {19, 2.0930240544},
                 {20, 2.0859634473},  {29, 2.0452296421},  {30, 2.0422724563},  {60, 2.0002978220},
                 {99, 1.9842169516},  {100, 1.9839715185}, {120, 1.9799304051}, {999, 1.9623414611},
                 {1000, 1.9623390808}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_near(gb_student_t975(table[i].df), table[i].t, 1e-8);
    /* The normal distribution is the limit; the two methods meet without a step. */
    assert_near(gb_student_t975(100000000), 1.9599639845, 1e-7);
    assert_near(gb_student_t975(1000) - gb_student_t975(1001),
                gb_student_t975(1001) - gb_student_t975(1002), 1e-8);
}

/* NIST's NumAcc4: mean 10000000.2, standard deviation 0.1, both exact. */
static void test_mean_keeps_digits(void **state)
{
    (void)state;
    double samples[1001] = {10000000.2};
    for (int i = 1; i < 1001; i++)
        samples[i] = i % 2 ? 10000000.1 : 10000000.3;
    gb_stats stats = gb_stats_of(samples, 1001);
    assert_int_equal(stats.count, 1001);
    assert_near(stats.mean, 10000000.2, 1e-8);
    assert_near(stats.sd, 0.1, 1e-8);
    assert_near(stats.ci95_hi - stats.mean, 1.9623390808 * 0.1 / sqrt(1001), 1e-8);
    assert_near(stats.ci95_hi - stats.mean, stats.mean - stats.ci95_lo, 1e-8);
    assert_near(gb_stats_rel_ci(&stats), (stats.ci95_hi - stats.mean) / stats.mean, 1e-15);
}

static void test_one_and_two_samples(void **state)
{
    (void)state;
    double samples[] = {3, 5};
    gb_stats stats = gb_stats_of(samples, 1);
    assert_near(stats.mean, 3, 0);
    assert_near(stats.sd, 0, 0);
    assert_near(stats.ci95_lo, 3, 0);
    assert_near(stats.ci95_hi, 3, 0);
    assert_near(stats.median, 3, 0);
    assert_true(isinf(gb_stats_rel_ci(&stats)));
    stats = gb_stats_of(samples, 2);
    assert_near(stats.sd, sqrt(2), 1e-15);
    assert_near(stats.median, 4, 0);
    assert_near(stats.median_lo, 3, 0);
    assert_near(stats.median_hi, 5, 0);
    assert_near(stats.ci95_hi, 4 + 12.7062047364, 1e-9);
}

/* Ranks of the 95 % interval of the median as tables of the sign test give them. */
static void test_median_interval(void **state)
{
    (void)state;
    static const struct {
        size_t count, lo, hi;
    } table[] = {{5, 1, 5},    {6, 1, 6},     {8, 1, 8},       {9, 2, 8},    {10, 2, 9},
                 {15, 4, 12},  {20, 6, 15},   {25, 8, 18},     {30, 10, 21}, {40, 14, 27},
                 {50, 18, 33}, {100, 40, 61}, {1000, 469, 532}};
    double samples[1000];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t n = table[i].count;
        for (size_t j = 0; j < n; j++)
            samples[(j * 7919) % n] = (double)j + 1;
        gb_stats stats = gb_stats_of(samples, n);
        assert_near(stats.median, ((double)n + 1) / 2, 0);
        assert_near(stats.median_lo, (double)table[i].lo, 0);
        assert_near(stats.median_hi, (double)table[i].hi, 0);
        assert_near(stats.min, 1, 0);
        assert_near(stats.max, (double)n, 0);
    }
}

static double uniform(uint32_t stream, uint64_t index)
{
    return gb_random(7, stream, index).word[0] / 4294967296.0;
}

static void test_interval_covers(void **state)
{
    (void)state;
    /* Of 2000 intervals of the median of 25 uniform samples at least 95 % (here: 94) hold it. */
    int held = 0;
    for (uint32_t trial = 0; trial < 2000; trial++) {
        double samples[25];
        for (uint64_t i = 0; i < 25; i++)
            samples[i] = uniform(trial, i);
        gb_stats stats = gb_stats_of(samples, 25);
        held += stats.median_lo <= 0.5 && 0.5 <= stats.median_hi;
    }
    assert_in_range(held, 1880, 1980);
}

static void test_outliers(void **state)
{
    (void)state;
    double samples[20];
    for (int i = 0; i < 20; i++)
        samples[i] = 100 + i; /* quartiles 104.75 and 114.25 */
    assert_int_equal(gb_stats_of(samples, 20).outliers, 0);
    samples[3] = 114.25 + 3 * 9.5 - 0.5 + 1; /* moves the quartiles a little, stays inside */
    assert_int_equal(gb_stats_of(samples, 20).outliers, 0);
    samples[3] = 200;
    samples[4] = 10;
    assert_int_equal(gb_stats_of(samples, 20).outliers, 2);
    /* A clock's tick is no outlier, a hiccup is. */
    for (int i = 0; i < 20; i++)
        samples[i] = i == 7 ? 1.001 : i == 8 ? 1.5 : 1;
    assert_int_equal(gb_stats_of(samples, 20).outliers, 1);
}

/* The decision on drift by counting all pairs, and medians by sorting thirds. */
static bool drifts_slowly(const double *x, size_t n)
{
    double score = 0, variance = (double)n * ((double)n - 1) * (2 * (double)n + 5);
    for (size_t i = 0; i < n; i++) {
        double ties = 0, earlier = 0;
        for (size_t j = 0; j < n; j++) {
            if (j > i) score += (x[j] > x[i]) - (x[j] < x[i]);
            ties += x[j] == x[i];
            earlier += j < i && x[j] == x[i];
        }
        if (earlier == 0) variance -= ties * (ties - 1) * (2 * ties + 5);
    }
    size_t third = (n + 2) / 3;
    double first = gb_stats_of(x, third).median, last = gb_stats_of(x + n - third, third).median;
    double z = fabs(score) > 1 && variance > 0 ? (fabs(score) - 1) / sqrt(variance / 18) : 0;
    return z > 3.290526731491926 && fabs(last - first) > 0.01 * gb_stats_of(x, n).median;
}

static void test_drift(void **state)
{
    (void)state;
    int drifting = 0;
    for (uint32_t trial = 0; trial < 500; trial++) {
        double x[60];
        size_t n = 5 + trial % 56;
        double slope = 0.02 * uniform(1000, trial);
        bool ticks = trial % 3 == 0;
        for (uint64_t i = 0; i < n; i++) {
            x[i] = 10 + uniform(trial, i) + slope * (double)i;
            if (ticks) x[i] = floor(x[i] * 5) / 5;
        }
        bool expected = drifts_slowly(x, n);
        assert_int_equal(gb_stats_of(x, n).drift, expected);
        drifting += expected;
    }
    assert_in_range(drifting, 50, 450);
    double constant[40], small[40];
    for (int i = 0; i < 40; i++) {
        constant[i] = 2;
        small[i] = 2 + 1e-4 * i; /* a sure trend of 0.2 %: nobody cares */
    }
    assert_false(gb_stats_of(constant, 40).drift);
    assert_false(gb_stats_of(small, 40).drift);
}

static void test_samples_untouched(void **state)
{
    (void)state;
    double samples[] = {5, 1, 4, 2, 3};
    gb_stats_of(samples, 5);
    double expected[] = {5, 1, 4, 2, 3};
    assert_memory_equal(samples, expected, sizeof expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student_table),
        cmocka_unit_test(test_mean_keeps_digits),
        cmocka_unit_test(test_one_and_two_samples),
        cmocka_unit_test(test_median_interval),
        cmocka_unit_test(test_interval_covers),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_drift),
        cmocka_unit_test(test_samples_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
