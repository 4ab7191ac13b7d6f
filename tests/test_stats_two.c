/* Two groups of samples: values from scipy, closed forms, and what the tests do over many
 * experiments. */
#include "common/random.h"
#include "common/stats_two.h"

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

enum { MOST = 64 };

static double p_of(const double *a, size_t count_a, const double *b, size_t count_b)
{
    double scratch[2 * MOST];
    const double p = gb_mann_whitney(a, count_a, b, count_b, scratch);
    assert_near(gb_mann_whitney(b, count_b, a, count_a, scratch), p, 1e-12);
    return p;
}

/* scipy.stats.mannwhitneyu(alternative="two-sided"), exact where there are no ties. */
static void test_ranks(void **state)
{
    (void)state;
    const double low[] = {1.1, 2.2, 3.3}, high[] = {4.4, 5.5, 6.6, 7.7};
    assert_near(p_of(low, 3, high, 4), 0.05714285714285714, 1e-15);
    const double mixed[] = {1, 4, 2.5, 9, 8}, other[] = {3, 5, 7, 11, 12, 13};
    assert_near(p_of(mixed, 5, other, 6), 0.17748917748917747, 1e-14);
    const double ties[] = {10, 11, 11, 12, 13, 13, 13, 14},
                 more[] = {12, 13, 14, 14, 15, 15, 16, 16, 17};
    assert_near(p_of(ties, 8, more, 9), 0.007453631850691216, 1e-14);
    double a[30], b[30];
    for (int i = 0; i < 30; i++) {
        a[i] = (double)(i * 37 % 101) / 7 + 1;
        b[i] = (double)(i * 53 % 103) / 7 + 3;
    }
    assert_near(p_of(a, 30, b, 30), 0.10227858571652497, 1e-14);
    for (int i = 0; i < 20; i++)
        b[i] = (double)(i * 53 % 103) / 7 + 3.01;
    assert_near(p_of(a, 18, b, 20), 0.34616465700278626, 1e-13);
}

static void test_rank_edges(void **state)
{
    (void)state;
    const double one[] = {3}, same[] = {5, 5, 5}, less[] = {1, 2};
    double scratch[8];
    assert_near(gb_mann_whitney(one, 0, same, 3, scratch), 1, 0);
    assert_near(gb_mann_whitney(same, 3, one, 0, scratch), 1, 0);
    assert_near(gb_mann_whitney(same, 3, same, 2, scratch), 1, 0);
    assert_near(gb_mann_whitney(one, 1, less, 2, scratch), 2.0 / 3, 1e-15);
    /* the least p that groups of that size can have is the one of groups apart */
    assert_near(gb_mann_whitney_least(3, 4), 0.05714285714285714, 1e-12);
    assert_near(gb_mann_whitney_least(1, 2), 2.0 / 3, 1e-12);
    assert_near(gb_mann_whitney_least(1, 1), 1, 0);
    assert_near(gb_mann_whitney_least(0, 5), 1, 0);
}

static void test_fieller(void **state)
{
    (void)state;
    const gb_mean ten = {10, 0.04, 9}, five = {5, 0.01, 19};
    gb_ratio r = gb_ratio_of_means(&ten, &five);
    assert_near(r.value, 2, 1e-15);
    assert_near(r.lo, 1.8865123831478876, 1e-9);
    assert_near(r.hi, 2.1203147330130365, 1e-9);
    const gb_mean one = {1, 0.0001, 99}, two = {2, 0.0009, 4};
    r = gb_ratio_of_means(&one, &two);
    assert_near(r.value, 0.5, 1e-15);
    assert_near(r.lo, 0.4797918438115969, 1e-9);
    assert_near(r.hi, 0.5214060618405483, 1e-9);
}

static void test_fieller_edges(void **state)
{
    (void)state;
    /* known exactly: an interval of no width; a divisor that may be 0: none */
    const gb_mean sure = {3, 0, 0}, vague = {1, 1, 5}, wide = {1, 4, 50};
    gb_ratio r = gb_ratio_of_means(&sure, &sure);
    assert_near(r.lo, 1, 1e-15);
    assert_near(r.hi, 1, 1e-15);
    r = gb_ratio_of_means(&sure, &vague);
    assert_near(r.value, 3, 1e-15);
    assert_near(r.lo, 0, 0);
    assert_near(r.hi, 0, 0);
    r = gb_ratio_of_means(&wide, &sure); /* reaches below 0 */
    assert_near(r.lo, 0, 0);
    assert_near(r.hi, 0, 0);
}

static void test_holm(void **state)
{
    (void)state;
    double p[] = {0.01, 0.04, 0.03, 0.005}, adjusted[] = {0.03, 0.06, 0.06, 0.02};
    size_t order[4];
    gb_holm(p, 4, order);
    for (int i = 0; i < 4; i++)
        assert_near(p[i], adjusted[i], 1e-15);
    double large[] = {0.9, 0.6, 1};
    gb_holm(large, 3, order);
    for (int i = 0; i < 3; i++)
        assert_near(large[i], 1, 0);
    gb_holm(large, 0, order);
}

/* ---- over many experiments ------------------------------------------------------------------- */

typedef struct source {
    uint64_t seed, at;
} source;

static double uniform(source *s)
{
    return ((double)gb_random(s->seed, 0, s->at++).word[0] + 0.5) / 4294967296.0;
}

static double normal(source *s)
{
    const double radius = sqrt(-2 * log(uniform(s)));
    return radius * cos(6.283185307179586 * uniform(s));
}

/* kind 0: normal, sd 1 %; 1: log-normal; 2: a clock that ticks every sd */
static double draw(source *s, int kind)
{
    const double x = normal(s);
    if (kind == 1) return exp(0.3 * x);
    return 1 + 0.01 * (kind == 2 ? floor(x) : x);
}

static double alarms(int kind, size_t count, double shift, int experiments)
{
    source s = {.seed = 7 + (uint64_t)kind};
    double a[MOST], b[MOST], scratch[2 * MOST];
    int found = 0;
    for (int e = 0; e < experiments; e++) {
        for (size_t i = 0; i < count; i++) {
            a[i] = draw(&s, kind);
            b[i] = draw(&s, kind) * shift;
        }
        found += gb_mann_whitney(a, count, b, count, scratch) < 0.05;
    }
    return (double)found / experiments;
}

/* 5 % and three times the binomial error of 4000 experiments, 0.34 %. */
static void test_false_alarms(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        assert_true(alarms(kind, 10, 1, 4000) < 0.0605);
        assert_true(alarms(kind, 30, 1, 4000) < 0.0605);
        assert_true(alarms(kind, 30, 1, 4000) > 0.03); /* it is not deaf */
    }
}

static void test_power(void **state)
{
    (void)state;
    assert_true(alarms(0, 30, 1.02, 1000) > 0.95);
    assert_true(alarms(0, 30, 1.001, 1000) < 0.2);
}

/* The chance of any false alarm among 50 tests, corrected and not. */
static void test_family(void **state)
{
    (void)state;
    enum { TESTS = 50, FAMILIES = 400 };
    source s = {.seed = 99};
    int corrected = 0, plain = 0;
    for (int f = 0; f < FAMILIES; f++) {
        double p[TESTS], a[20], b[20], scratch[40];
        size_t order[TESTS];
        bool any = false;
        for (int t = 0; t < TESTS; t++) {
            for (int i = 0; i < 20; i++) {
                a[i] = draw(&s, 0);
                b[i] = draw(&s, 0);
            }
            p[t] = gb_mann_whitney(a, 20, b, 20, scratch);
            any |= p[t] < 0.05;
        }
        plain += any;
        gb_holm(p, TESTS, order);
        any = false;
        for (int t = 0; t < TESTS; t++)
            any |= p[t] < 0.05;
        corrected += any;
    }
    assert_true(plain > FAMILIES / 2);
    assert_true(corrected < 0.083 * FAMILIES); /* 5 % and three times 1.1 % */
}

static gb_mean mean_of(const double *x, size_t count)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i];
    gb_mean mean = {.value = sum / (double)count, .df = (double)(count - 1)};
    for (size_t i = 0; i < count; i++)
        squares += (x[i] - mean.value) * (x[i] - mean.value);
    mean.variance = squares / mean.df / (double)count;
    return mean;
}

/* The interval of the ratio covers the true one in 95 % of experiments. */
static void test_coverage(void **state)
{
    (void)state;
    static const size_t counts[] = {5, 10, 30};
    for (int k = 0; k < 3; k++) {
        source s = {.seed = 3};
        int covered = 0;
        for (int e = 0; e < 4000; e++) {
            double a[MOST] = {0}, b[MOST] = {0};
            for (size_t i = 0; i < counts[k]; i++) {
                a[i] = 2 * (1 + 0.02 * normal(&s));
                b[i] = 1 + 0.05 * normal(&s); /* the scatters differ, too */
            }
            const gb_mean of_a = mean_of(a, counts[k]), of_b = mean_of(b, counts[k]);
            const gb_ratio r = gb_ratio_of_means(&of_a, &of_b);
            covered += r.lo <= 2 && 2 <= r.hi;
        }
        const double part = covered / 4000.0;
        if (part < 0.94 || part > 0.965) fail_msg("n = %zu: %.3f", counts[k], part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),    cmocka_unit_test(test_rank_edges),
        cmocka_unit_test(test_fieller),  cmocka_unit_test(test_fieller_edges),
        cmocka_unit_test(test_holm),     cmocka_unit_test(test_false_alarms),
        cmocka_unit_test(test_power),    cmocka_unit_test(test_family),
        cmocka_unit_test(test_coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
