/* What the flags of samples find: throttling within them, drift, outliers, autocorrelation, each of
 * a stated size; and by how much an interval has to widen when samples resemble those before. That
 * they are silent on clean samples is for test_stats_coverage.c. */
/* test: fast 4 */
#include "tests/common/stats_fixture.h"

enum { FLAGS_EXPERIMENTS = 2000, SIZES = 4, MOST = 1000 };
static const size_t sizes[SIZES] = {20, 30, 100, 300};

/* Makes count times of standard normal numbers z; strength and place say how bad it is. */
typedef struct trouble {
    const char *name;
    void (*make)(double *x, const double *z, size_t count, double strength, double place);
    double strength, place;
    double truth; /* by how much the interval should widen in the long run; 0: does not apply */
} trouble;

/* From some place on, the clock is lower: times are longer by strength. Noise of 1 %. */
static void throttle(double *x, const double *z, size_t count, double strength, double place)
{
    for (size_t i = 0; i < count; i++)
        x[i] = (1 + 0.01 * z[i]) * ((double)i >= place * (double)count ? 1 + strength : 1);
}

/* Times grow by strength from first to last. Noise of 1 %. */
static void drift(double *x, const double *z, size_t count, double strength, double place)
{
    (void)place;
    for (size_t i = 0; i < count; i++)
        x[i] = 1 + 0.01 * z[i] + strength * (double)i / (double)count;
}

/* One sample is longer by strength. Noise of 1 %. */
static void hiccup(double *x, const double *z, size_t count, double strength, double place)
{
    for (size_t i = 0; i < count; i++)
        x[i] = 1 + 0.01 * z[i];
    x[(size_t)(place * (double)count)] += strength;
}

/* Each deviation is strength times the one before and something new; sd 1 %. */
static void follow(double *x, const double *z, size_t count, double strength, double place)
{
    (void)place;
    double value = z[0];
    for (size_t i = 0; i < count; i++) {
        if (i) value = strength * value + sqrt(1 - strength * strength) * z[i];
        x[i] = 1 + 0.01 * value;
    }
}

/* Turns of place samples share a part strength of their variance; sd 1 %. */
static void turns(double *x, const double *z, size_t count, double strength, double place)
{
    size_t length = (size_t)place;
    for (size_t i = 0; i < count; i++)
        x[i] = 1 + 0.01 * (sqrt(1 - strength) * z[i] + sqrt(strength) * z[MOST + i / length]);
}

enum {
    STEP_EARLY,
    STEP_MIDDLE,
    STEP_LATE,
    DRIFT_2,
    DRIFT_5,
    HICCUP,
    FOLLOW_3,
    FOLLOW_6,
    FOLLOW_9,
    TURNS_20,
    TURNS_5,
    TROUBLES
};
static const trouble troubles[TROUBLES] = {
    [STEP_EARLY] = {"+5 % after 1/4 of the samples", throttle, 0.05, 0.25, 0},
    [STEP_MIDDLE] = {"+5 % after 1/2", throttle, 0.05, 0.5, 0},
    [STEP_LATE] = {"+5 % after 3/4", throttle, 0.05, 0.75, 0},
    [DRIFT_2] = {"drift of 2 %", drift, 0.02, 0, 0},
    [DRIFT_5] = {"drift of 5 %", drift, 0.05, 0, 0},
    [HICCUP] = {"one sample +20 %", hiccup, 0.2, 0.6, 0},
    [FOLLOW_3] = {"AR(1), 0.3", follow, 0.3, 0, 1.3627702877},
    [FOLLOW_6] = {"AR(1), 0.6", follow, 0.6, 0, 2},
    [FOLLOW_9] = {"AR(1), 0.9", follow, 0.9, 0, 4.3588989435},
    [TURNS_20] = {"turns of 20 share 0.45", turns, 0.45, 20, 3.0903074280},
    [TURNS_5] = {"turns of 5 share 0.45", turns, 0.45, 5, 1.6733200531},
};

/* Per cent of the experiments; widening: mean where flagged. */
typedef struct rates {
    double drift, outliers, autocorrelated, any, covered, covered_wide, widening;
} rates;

static rates found[TROUBLES][SIZES];

static rates measure(const trouble *of, size_t count, uint32_t stream)
{
    rates r = {0};
    double z[2 * MOST], x[MOST];
    for (uint32_t experiment = 0; experiment < FLAGS_EXPERIMENTS; experiment++) {
        draw_normal(3, stream + experiment, count, z);
        if (of->make == turns) draw_normal(4, stream + experiment, count, z + MOST);
        of->make(x, z, count, of->strength, of->place);
        gb_stats s = gb_stats_of(x, count);
        double half = (s.ci95_hi - s.ci95_lo) / 2, off = fabs(s.mean - 1);
        r.drift += s.drift;
        r.outliers += s.outliers > 0;
        r.autocorrelated += s.autocorrelated;
        r.any += s.drift || s.outliers || s.autocorrelated;
        r.covered += off <= half;
        r.covered_wide += off <= half * s.widening;
        if (s.autocorrelated) r.widening += s.widening;
    }
    r.widening /= fmax(r.autocorrelated, 1);
    double *const all[] = {&r.drift, &r.outliers, &r.autocorrelated,
                           &r.any,   &r.covered,  &r.covered_wide};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] *= 100.0 / FLAGS_EXPERIMENTS;
    return r;
}

static int simulate(void **state)
{
    (void)state;
    for (int t = 0; t < TROUBLES; t++) {
        for (int n = 0; n < SIZES; n++)
            found[t][n] = measure(&troubles[t], sizes[n], (uint32_t)(t * SIZES + n) * EXPERIMENTS);
    }
    return 0;
}

static FILE *begin_table(char **text, size_t *size, const char *what)
{
    FILE *file = open_memstream(text, size);
    fprintf(file, "| %s |", what);
    for (int n = 0; n < SIZES; n++)
        fprintf(file, " n = %zu |", sizes[n]);
    fprintf(file, "\n|---|---:|---:|---:|---:|\n");
    return file;
}

static void flags_find_trouble(void **state)
{
    (void)state;
    enum { OF_100 = 2 };
    for (int n = OF_100; n < SIZES; n++) {
        assert_within("step, early", found[STEP_EARLY][n].any, 99, 100);
        assert_within("step, middle: drift", found[STEP_MIDDLE][n].drift, 99, 100);
        assert_within("step, late", found[STEP_LATE][n].any, 99, 100);
        assert_within("drift of 2 %", found[DRIFT_2][n].drift, 80, 100);
        assert_within("drift of 5 %", found[DRIFT_5][n].drift, 99, 100);
        assert_within("AR(1), 0.6", found[FOLLOW_6][n].autocorrelated, 88, 100);
        assert_within("turns of 20", found[TURNS_20][n].autocorrelated, 70, 100);
    }
    assert_within("step, middle, n = 20", found[STEP_MIDDLE][0].any, 80, 100);
    for (int n = 0; n < SIZES; n++)
        assert_within("hiccup", found[HICCUP][n].outliers, 99, 100);

    char *text = NULL;
    size_t size;
    FILE *file = begin_table(&text, &size, "drift / outliers / autocorrelated, %");
    for (int t = 0; t < TROUBLES; t++) {
        fprintf(file, "| %s |", troubles[t].name);
        for (int n = 0; n < SIZES; n++)
            fprintf(file, " %.0f / %.0f / %.0f |", found[t][n].drift, found[t][n].outliers,
                    found[t][n].autocorrelated);
        putc('\n', file);
    }
    fclose(file);
    assert_documented("power", text);
}

static void interval_of_autocorrelated_samples(void **state)
{
    (void)state;
    for (int t = FOLLOW_3; t < TROUBLES; t++) {
        for (int n = 0; n < SIZES; n++)
            assert_true(found[t][n].covered_wide >= found[t][n].covered);
    }
    /* Too narrow as they are, nearly right when widened, where there are enough samples. */
    assert_within("AR(1), 0.6, as it is", found[FOLLOW_6][3].covered, 60, 75);
    assert_within("AR(1), 0.6, widened", found[FOLLOW_6][3].covered_wide, 91, 97);
    assert_within("turns of 20, as it is", found[TURNS_20][3].covered, 40, 60);
    assert_within("turns of 20, widened", found[TURNS_20][3].covered_wide, 87, 97);
    assert_within("turns of 5, as it is", found[TURNS_5][2].covered, 70, 84);
    for (int t = FOLLOW_6; t <= TURNS_20; t++)
        assert_within(troubles[t].name, found[t][3].widening / troubles[t].truth, 0.75, 1.15);

    char *text = NULL;
    size_t size;
    FILE *file = begin_table(&text, &size, "t / widened interval covers, %");
    for (int t = FOLLOW_3; t < TROUBLES; t++) {
        fprintf(file, "| %s |", troubles[t].name);
        for (int n = 0; n < SIZES; n++)
            fprintf(file, " %.1f / %.1f |", found[t][n].covered, found[t][n].covered_wide);
        putc('\n', file);
    }
    fclose(file);
    assert_documented("coverage when autocorrelated", text);
}

/* The means of batches stand for a long series, whose widening is still that of its samples. */
static void long_series_widen_alike(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    double *z = malloc(2 * LONG * sizeof *z), *x = z + LONG;
    draw_normal(5, 0, LONG, z);
    follow(x, z, LONG, 0.9, 0);
    gb_stats s = gb_stats_of(x, LONG);
    assert_true(s.autocorrelated);
    assert_within("widening", s.widening, 4.36 * 0.9, 4.36 * 1.1);
    /* Neighbours that repel each other make no interval too narrow. */
    follow(x, z, LONG, -0.9, 0);
    s = gb_stats_of(x, LONG);
    assert_false(s.autocorrelated);
    assert_true(s.widening <= 1 && s.widening >= 1);
    free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags_find_trouble),
        cmocka_unit_test(interval_of_autocorrelated_samples),
        cmocka_unit_test(long_series_widen_alike),
    };
    return cmocka_run_group_tests(tests, simulate, NULL);
}
