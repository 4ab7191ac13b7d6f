/* Statistics of two groups: against another implementation (SciPy 1.x, scipy.stats.mannwhitneyu and
 * scipy.stats.t), by hand, at the edges, and by simulation with fixed seeds. */
#include "common/stats_two.h"
#include "tests/stats_fixture.h"

#define assert_near(got, expected, tolerance)                                            \
    do {                                                                                 \
        if (!(fabs((got) - (expected)) <= (tolerance)))                                  \
            fail_msg("%s is %.17g, not %.17g", #got, (double)(got), (double)(expected)); \
    } while (0)

enum { MOST = 200 };

static double p_of(const double *a, size_t count_a, const double *b, size_t count_b)
{
    double scratch[2 * MOST];
    assert_true(count_a + count_b <= 2 * MOST);
    return gb_mann_whitney(a, count_a, b, count_b, scratch);
}

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

/* ---- simulation ------------------------------------------------------------------------------ */

typedef enum shape { NORMAL, SKEWED, TICKS, SHAPES } shape;
static const char *const shape_names[SHAPES] = {"normal, sd 2 %", "log-normal, sigma 0.1",
                                                "normal, ticks of half an sd"};

/* count samples of a shape, times a factor. */
static void draw(shape of, double factor, double sd, uint64_t seed, uint32_t stream, size_t count,
                 double *x)
{
    draw_normal(seed, stream, count, x);
    for (size_t i = 0; i < count; i++) {
        if (of == NORMAL) x[i] = 1 + sd * x[i];
        if (of == SKEWED) x[i] = exp(5 * sd * x[i]);
        if (of == TICKS) x[i] = rint((1 + sd * x[i]) / (sd / 2)) * (sd / 2);
        x[i] *= factor;
    }
}

static gb_mean mean_of(const double *x, size_t count)
{
    const gb_stats s = gb_stats_of(x, count);
    return (gb_mean){s.mean, s.sd * s.sd / (double)count, (double)(count - 1)};
}

static void put_head(FILE *file, const char *first)
{
    fprintf(file, "| %s | n = 5 | n = 10 | n = 30 |\n|---|---:|---:|---:|\n", first);
}

static const size_t sizes[] = {5, 10, 30};

/* Of two groups of one distribution, as many are said to differ as alpha allows. Binomial error of
 * 10 000: 0.22 points. */
static void false_alarms_are_few(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    put_head(file, "% of 10 000 experiments, p < 0.05");
    for (int s = 0; s < SHAPES; s++) {
        fprintf(file, "| %s |", shape_names[s]);
        for (size_t n = 0; n < 3; n++) {
            int alarms = 0;
            for (uint32_t experiment = 0; experiment < EXPERIMENTS; experiment++) {
                double a[30], b[30];
                const uint32_t stream = (uint32_t)(s * 3 + (int)n) * EXPERIMENTS + experiment;
                draw((shape)s, 1, 0.02, 11, stream, sizes[n], a);
                draw((shape)s, 1, 0.02, 12, stream, sizes[n], b);
                alarms += p_of(a, sizes[n], b, sizes[n]) < 0.05;
            }
            const double rate = 100.0 * alarms / EXPERIMENTS;
            assert_within(shape_names[s], rate, sizes[n] == 5 ? 2 : 3.5, 5 + 4 * 0.22);
            fprintf(file, " %.1f |", rate);
        }
        putc('\n', file);
    }
    fclose(file);
    assert_documented("false alarms of ranks", text);
}

static void ratio_interval_covers(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    put_head(file, "% of 10 000 experiments");
    for (int s = 0; s < SHAPES; s++) {
        fprintf(file, "| %s |", shape_names[s]);
        for (size_t n = 0; n < 3; n++) {
            int held = 0;
            for (uint32_t experiment = 0; experiment < EXPERIMENTS; experiment++) {
                double a[30], b[30];
                const uint32_t stream = (uint32_t)(s * 3 + (int)n) * EXPERIMENTS + experiment;
                draw((shape)s, 3, 0.02, 13, stream, sizes[n], a);
                draw((shape)s, 2, 0.02, 14, stream, sizes[n], b);
                const gb_mean of_a = mean_of(a, sizes[n]), of_b = mean_of(b, sizes[n]);
                const gb_ratio r = gb_ratio_of_means(&of_a, &of_b);
                assert_true(r.lo > 0);
                held += r.lo <= 1.5 && 1.5 <= r.hi;
            }
            const double rate = 100.0 * held / EXPERIMENTS;
            assert_within(shape_names[s], rate, 93.5, 96.5);
            fprintf(file, " %.1f |", rate);
        }
        putc('\n', file);
    }
    fclose(file);
    assert_documented("coverage of the ratio", text);
}

/* 100 tests of equal distributions: any false alarm at all, in 1000 families. */
static void families_have_few_alarms(void **state)
{
    (void)state;
    enum { FAMILIES = 1000, TESTS = 100 };
    int alarmed = 0, uncorrected = 0;
    for (uint32_t family = 0; family < FAMILIES; family++) {
        double p[TESTS], a[30], b[30];
        size_t order[TESTS];
        bool any = false, plain = false;
        for (uint32_t test = 0; test < TESTS; test++) {
            draw(NORMAL, 1, 0.02, 15, family * TESTS + test, 30, a);
            draw(NORMAL, 1, 0.02, 16, family * TESTS + test, 30, b);
            p[test] = p_of(a, 30, b, 30);
            plain |= p[test] < 0.05;
        }
        gb_holm(p, TESTS, order);
        for (int test = 0; test < TESTS; test++)
            any |= p[test] < 0.05;
        alarmed += any;
        uncorrected += plain;
    }
    assert_within("families with an alarm", 100.0 * alarmed / FAMILIES, 1.5, 5 + 4 * 0.69);
    assert_within("... without the correction", 100.0 * uncorrected / FAMILIES, 95, 100);
}

/* What is there is found: by ranks, among 100 tests, and by the interval. */
static void differences_are_found(void **state)
{
    (void)state;
    static const double shifts[] = {1.005, 1.01, 1.02};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    put_head(file, "found, % of 10 000 (among 100 tests)");
    for (size_t k = 0; k < 3; k++) {
        fprintf(file, "| %.1f %% slower, sd 1 %% |", 100 * (shifts[k] - 1));
        for (size_t n = 0; n < 3; n++) {
            int found = 0, among = 0;
            for (uint32_t experiment = 0; experiment < EXPERIMENTS; experiment++) {
                double a[30], b[30];
                const uint32_t stream = (uint32_t)(k * 3 + n) * EXPERIMENTS + experiment;
                draw(NORMAL, 1, 0.01, 17, stream, sizes[n], a);
                draw(NORMAL, shifts[k], 0.01, 18, stream, sizes[n], b);
                const gb_mean of_a = mean_of(a, sizes[n]), of_b = mean_of(b, sizes[n]);
                const double p = p_of(a, sizes[n], b, sizes[n]);
                const bool beyond = gb_ratio_of_means(&of_a, &of_b).hi < 1;
                found += p < 0.05 && beyond;
                among += p * 100 < 0.05 && beyond;
            }
            fprintf(file, " %.1f (%.1f) |", 100.0 * found / EXPERIMENTS,
                    100.0 * among / EXPERIMENTS);
            if (sizes[n] == 30 && k == 2) {
                assert_within("2 %", 100.0 * found / EXPERIMENTS, 99, 100);
                assert_within("2 % among 100", 100.0 * among / EXPERIMENTS, 95, 100);
            }
        }
        putc('\n', file);
    }
    fclose(file);
    assert_documented("power of two groups", text);
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
        cmocka_unit_test(false_alarms_are_few),
        cmocka_unit_test(ratio_interval_covers),
        cmocka_unit_test(families_have_few_alarms),
        cmocka_unit_test(differences_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
