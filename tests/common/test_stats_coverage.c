/* How often the 95 % intervals hold what they are about, and how often clean samples are flagged:
 * 10 000 synthetic experiments a case, from fixed seeds. The binomial error of such a rate near 95
 * % is 0.22 points (one sigma), near 0.1 % 0.03 points: the bounds lie at least four away. */
/* test: fast unsanitized 6 */
#include "tests/common/stats_fixture.h"

enum { SIZES = 5, MOST = 100 };
static const size_t sizes[SIZES] = {5, 10, 20, 30, 100};

/* A distribution of times: its mean, its median, and how it is made of a normal z and a uniform u.
 */
typedef struct shape {
    const char *name;
    double mean, median;
    double (*value)(double z, double u);
} shape;

static double normal(double z, double u)
{
    (void)u;
    return 1 + 0.02 * z;
}

static double skewed(double z, double u)
{
    (void)u;
    return exp(0.1 * z);
}

static double very_skewed(double z, double u)
{
    (void)u;
    return exp(0.5 * z);
}

static double exponential(double z, double u)
{
    (void)z;
    return 1 - 0.1 * log(u);
}

static double bimodal(double z, double u)
{
    return (u < 0.3 ? 1.05 : 1) + 0.002 * z;
}

/* Student's t with 4 degrees of freedom, by its quantile function (Shaw 2006). */
static double heavy_tailed(double z, double u)
{
    (void)z;
    double a = 4 * u * (1 - u), q = cos(acos(sqrt(a)) / 3) / sqrt(a);
    return 1 + (u < 0.5 ? -0.02 : 0.02) * sqrt(q - 1);
}

static double fine_ticks(double z, double u)
{
    (void)u;
    return rint((1 + 0.002 * z) * 1000) / 1000;
}

/* Ticks four sigma wide: three times of four it is 0.96, else 1.04. */
static double coarse_ticks(double z, double u)
{
    (void)u;
    return rint((0.985 + 0.02 * z) / 0.08) * 0.08;
}

/* Two sigma of a tick to either side: one sample of twenty is not at 1. */
static double rare_ticks(double z, double u)
{
    (void)u;
    return 1 + 0.04 * rint(z / 4);
}

static double hiccups(double z, double u)
{
    return 1 + 0.01 * z + (u < 0.02 ? 0.5 : 0);
}

enum {
    NORMAL,
    SKEWED,
    VERY_SKEWED,
    EXPONENTIAL,
    BIMODAL,
    HEAVY,
    FINE,
    COARSE,
    RARE,
    HICCUPS,
    SHAPES
};
static const shape shapes[SHAPES] = {
    [NORMAL] = {"normal, sd 2 %", 1, 1, normal},
    [SKEWED] = {"log-normal, sigma 0.1", 1.0050125208594, 1, skewed},
    [VERY_SKEWED] = {"log-normal, sigma 0.5", 1.1331484530668, 1, very_skewed},
    [EXPONENTIAL] = {"1 + 0.1 exponential", 1.1, 1.0693147180560, exponential},
    [BIMODAL] = {"70 % at 1, 30 % at 1.05", 1.015, 1.0011318976, bimodal},
    [HEAVY] = {"Student's t, 4 df", 1, 1, heavy_tailed},
    [FINE] = {"normal, ticks of half an sd", 1, 1, fine_ticks},
    [COARSE] = {"normal, ticks of 4 sd", 0.985, 0.96, coarse_ticks},
    [RARE] = {"normal, ticks of 4 sd, mostly at 1", 1, 1, rare_ticks},
    [HICCUPS] = {"normal, 2 % hiccups of 50 %", 1.01, 1.0002507, hiccups},
};

/* Per cent of the experiments. */
typedef struct rates {
    double mean, median, outliers, drift, autocorrelated;
} rates;

static rates found[SHAPES][SIZES];

static rates measure(const shape *of, size_t count, uint32_t stream)
{
    rates r = {0};
    double z[MOST], u[MOST], x[MOST];
    for (uint32_t experiment = 0; experiment < EXPERIMENTS; experiment++) {
        draw_normal(1, stream + experiment, count, z);
        draw_uniform(2, stream + experiment, count, u);
        for (size_t i = 0; i < count; i++)
            x[i] = of->value(z[i], u[i]);
        gb_stats s = gb_stats_of(x, count);
        r.mean += s.ci95_lo <= of->mean && of->mean <= s.ci95_hi;
        /* A tick is a tick, whatever its last bit. */
        r.median += s.median_lo <= of->median + 1e-12 && of->median - 1e-12 <= s.median_hi;
        r.outliers += s.outliers > 0;
        r.drift += s.drift;
        r.autocorrelated += s.autocorrelated;
    }
    double *const all[] = {&r.mean, &r.median, &r.outliers, &r.drift, &r.autocorrelated};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] *= 100.0 / EXPERIMENTS;
    return r;
}

static int simulate(void **state)
{
    (void)state;
    for (int s = 0; s < SHAPES; s++) {
        for (int n = 0; n < SIZES; n++)
            found[s][n] = measure(&shapes[s], sizes[n], (uint32_t)(s * SIZES + n) * EXPERIMENTS);
    }
    return 0;
}

/* A Markdown table of one rate, a row a shape; a last row if there is one. */
static char *table_of(size_t field, const char *format, const char *label, const double *last)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    fprintf(file, "| %% of 10 000 experiments |");
    for (int n = 0; n < SIZES; n++)
        fprintf(file, " n = %zu |", sizes[n]);
    fprintf(file, "\n|---|---:|---:|---:|---:|---:|\n");
    for (int s = 0; s < SHAPES + (last != NULL); s++) {
        fprintf(file, "| %s |", s < SHAPES ? shapes[s].name : label);
        for (int n = 0; n < SIZES; n++) {
            double rate = last ? last[n] : 0;
            if (s < SHAPES) memcpy(&rate, (const char *)&found[s][n] + field, sizeof rate);
            putc(' ', file);
            fprintf(file, format, rate);
            fputs(" |", file);
        }
        putc('\n', file);
    }
    fclose(file);
    return text;
}

static void mean_interval_covers(void **state)
{
    (void)state;
    for (int n = 0; n < SIZES; n++) {
        assert_within("normal", found[NORMAL][n].mean, 94, 96);
        assert_within("slightly skewed", found[SKEWED][n].mean, 94, 96);
        assert_within("heavy-tailed", found[HEAVY][n].mean, 94, 97);
        assert_within("fine ticks", found[FINE][n].mean, 94, 96);
        /* Two modes need so many samples that both are met. */
        if (sizes[n] >= 20) assert_within("bimodal", found[BIMODAL][n].mean, 93, 96.5);
    }
    assert_within("skewed, many", found[EXPONENTIAL][4].mean, 93.5, 96);
    assert_documented("coverage of the mean", table_of(offsetof(rates, mean), "%.1f", NULL, NULL));
}

/* P(k-th smallest <= median <= k-th largest) of n samples of a continuous distribution, with the
 * largest k that makes it 95 %, else 1: 1 - 2 P(Binomial(n, 1/2) < k), summed term by term. */
static double exact_median_coverage(size_t n)
{
    double mass = pow(0.5, (double)n), below = mass, best = 1 - 2 * mass;
    for (size_t k = 1; 2 * (k + 1) <= n + 1; k++) {
        mass *= (double)(n - k + 1) / (double)k;
        below += mass;
        if (1 - 2 * below < 0.95) break;
        best = 1 - 2 * below;
    }
    return 100 * best;
}

static void median_interval_covers(void **state)
{
    (void)state;
    double exact[SIZES];
    for (int n = 0; n < SIZES; n++) {
        exact[n] = exact_median_coverage(sizes[n]);
        if (sizes[n] >= 6) assert_within("exact", exact[n], 95, 98.5);
        double sigma = sqrt(exact[n] * (100 - exact[n]) / EXPERIMENTS);
        for (int s = 0; s < SHAPES; s++) {
            bool ticks = s == FINE || s == COARSE || s == RARE;
            /* Equal samples only widen what is covered. */
            assert_within(shapes[s].name, found[s][n].median, exact[n] - 4 * sigma,
                          ticks ? 100 : exact[n] + 4 * sigma);
        }
    }
    assert_within("n = 5", exact[0], 93.75, 93.75);
    assert_documented("coverage of the median",
                      table_of(offsetof(rates, median), "%.1f", "exact (continuous)", exact));
}

static void clean_samples_are_not_flagged(void **state)
{
    (void)state;
    static const int clean[] = {NORMAL, SKEWED, FINE};
    for (int n = 0; n < SIZES; n++) {
        for (int s = 0; s < SHAPES; s++) {
            assert_within("false drift", found[s][n].drift, 0, 0.3);
            assert_within("false autocorrelation", found[s][n].autocorrelated, 0, 0.4);
        }
        for (size_t i = 0; i < sizeof clean / sizeof *clean; i++)
            assert_within("false outliers", found[clean[i]][n].outliers, 0,
                          sizes[n] < 10 ? 4.5 : 1.5);
    }
    assert_documented("false outliers", table_of(offsetof(rates, outliers), "%.1f", NULL, NULL));
    assert_documented("false drift", table_of(offsetof(rates, drift), "%.2f", NULL, NULL));
    assert_documented("false autocorrelation",
                      table_of(offsetof(rates, autocorrelated), "%.2f", NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_interval_covers),
        cmocka_unit_test(median_interval_covers),
        cmocka_unit_test(clean_samples_are_not_flagged),
    };
    return cmocka_run_group_tests(tests, simulate, NULL);
}
