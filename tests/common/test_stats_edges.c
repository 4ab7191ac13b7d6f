/* Statistics of samples that are no ordinary times: all equal, zero, denormal, near the largest
 * number, one, two, ten million. Nothing that is no number may come out, least of all in a result
 * file. */
/* test: long unsanitized 19 */
#include "tests/driver/results_fixture.h"

#include "common/random.h"

#include <float.h>
#include <math.h>
#include <time.h>

static void assert_sane(const gb_stats *s)
{
    const double finite[] = {s->mean,      s->sd,  s->median, s->median_lo,
                             s->median_hi, s->min, s->max,    s->widening};
    for (size_t i = 0; i < sizeof finite / sizeof *finite; i++)
        assert_true(isfinite(finite[i]));
    assert_false(isnan(s->ci95_lo) || isnan(s->ci95_hi) || isnan(gb_stats_rel_ci(s)));
    assert_true(s->ci95_lo <= s->mean && s->mean <= s->ci95_hi);
    assert_true(s->min <= s->mean * (1 + 1e-12) && s->mean * (1 - 1e-12) <= s->max);
    assert_true(s->min <= s->median_lo && s->median_lo <= s->median);
    assert_true(s->median <= s->median_hi && s->median_hi <= s->max);
    assert_true(s->sd >= 0 && s->widening >= 1 && s->outliers < s->count);
}

/* The row that the driver would write; the caller frees it. */
static char *row_text(const gb_stats *stats)
{
    gb_row row = make_row(0, 0, GB_OK);
    size_t size;
    row.stats = *stats;
    char *text = gb_results_row(&setup, &row, &size);
    assert_non_null(text);
    return text;
}

/* Words that are no numbers; the row's other words have neither. */
static void assert_no_nan(const char *text)
{
    if (strcasestr(text, "nan") || strcasestr(text, "inf")) fail_msg("%s", text);
}

static void all_equal(void **state)
{
    (void)state;
    const double values[] = {1e-6, 0.1, 0, 5e-324, DBL_MAX};
    double samples[50];
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        for (size_t count = 2; count <= 50; count += 12) {
            for (size_t i = 0; i < count; i++)
                samples[i] = values[v];
            gb_stats s = gb_stats_of(samples, count);
            assert_sane(&s);
            assert_true(s.mean >= values[v] && s.mean <= values[v]);
            assert_true(s.sd <= 0 && s.median >= s.mean && s.ci95_lo >= s.ci95_hi);
            assert_false(s.outliers || s.drift || s.autocorrelated);
            assert_true(gb_stats_rel_ci(&s) <= 0);
        }
    }
}

/* The timer's resolution may be coarser than the kernel: a time of zero has no rate. */
static void zeros_have_no_rate(void **state)
{
    (void)state;
    double samples[20] = {0};
    gb_stats s = gb_stats_of(samples, 20);
    char *text = row_text(&s);
    assert_no_nan(text);
    if (!strstr(text, ",20,keys,1000000,0,0,0,0,0,0,0,,,,")) fail_msg("%s", text);
    free(text);
    samples[7] = 1e-9;
    s = gb_stats_of(samples, 20);
    assert_sane(&s);
    assert_true(s.mean > 0 && s.ci95_lo < 0 && s.outliers == 1);
    text = row_text(&s);
    assert_no_nan(text);
    free(text);
}

/* An interval needs two samples. */
static void one_sample_has_no_interval(void **state)
{
    (void)state;
    double samples[] = {0.001, 0.002};
    gb_stats s = gb_stats_of(samples, 1);
    assert_sane(&s);
    assert_true(isinf(gb_stats_rel_ci(&s)));
    char *text = row_text(&s);
    if (!strstr(text, ",1,keys,1000000,0.001,,,0.001,0.001,0.001,0,1e+09,,,")) fail_msg("%s", text);
    free(text);
    s = gb_stats_of(samples, 2);
    assert_sane(&s);
    assert_true(gb_stats_rel_ci(&s) > 4 && gb_stats_rel_ci(&s) < 5);
    text = row_text(&s);
    /* Its slow end is a rate; its fast end lies before the start. */
    if (!strstr(text, ",2,keys,1000000,0.0015,-0.00485310237,0.00785310237,")) fail_msg("%s", text);
    assert_no_nan(text);
    free(text);
}

/* What is true of times is true of them in any unit, down to denormal and up to overflowing ones.
 */
static void scale_changes_nothing(void **state)
{
    (void)state;
    double ordinary[40], scaled[40];
    for (int i = 0; i < 40; i++) /* few bits, so that denormals hold them */
        ordinary[i] = 1 + (gb_random(1, 0, (uint64_t)i).word[0] >> 22) / 1024.0;
    gb_stats expected = gb_stats_of(ordinary, 40);
    const int exponents[] = {-1060, -1022, -600, 600, 1022};
    for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
        for (int i = 0; i < 40; i++)
            scaled[i] = ldexp(ordinary[i], exponents[e]);
        gb_stats s = gb_stats_of(scaled, 40);
        assert_sane(&s);
        double last = exponents[e] < -1022 ? 1e-4 : 1e-12; /* denormals have few digits */
        assert_true(fabs(ldexp(s.mean, -exponents[e]) / expected.mean - 1) < last);
        assert_true(fabs(ldexp(s.sd, -exponents[e]) / expected.sd - 1) < 10 * last);
        assert_true(fabs(gb_stats_rel_ci(&s) / gb_stats_rel_ci(&expected) - 1) < 20 * last);
        assert_int_equal(s.outliers, expected.outliers);
        char *text = row_text(&s);
        assert_no_nan(text);
        free(text);
    }
}

static void nothing_yields_a_nan(void **state)
{
    (void)state;
    const double odd[] = {0,    5e-324, 1e-310, DBL_MIN,     1e-9,   1, 1 + DBL_EPSILON,
                          1.01, 86400,  1e300,  DBL_MAX / 2, DBL_MAX};
    enum { ODD = sizeof odd / sizeof *odd };
    double samples[40];
    for (uint32_t trial = 0; trial < 20000; trial++) {
        gb_random4 r = gb_random(2, trial, 0);
        size_t count = 1 + r.word[0] % 40, kinds = 1 + r.word[1] % 4, first = r.word[2] % ODD;
        for (size_t i = 0; i < count; i++) {
            gb_random4 pick = gb_random(3, trial, i);
            samples[i] = odd[(first + pick.word[0] % kinds * (1 + r.word[3] % ODD)) % ODD];
        }
        gb_stats s = gb_stats_of(samples, count);
        assert_int_equal(s.count, count);
        assert_sane(&s);
        char *text = row_text(&s);
        assert_no_nan(text);
        free(text);
    }
}

static void ten_million_in_time(void **state)
{
    (void)state;
    enum { MANY = 10000000 };
    double *samples = malloc(MANY * sizeof *samples);
    if (!samples) skip();
    for (uint64_t i = 0; i < MANY; i += 4) {
        gb_random4 r = gb_random(4, 0, i / 4);
        for (uint64_t k = 0; k < 4; k++)
            samples[i + k] = 1 + r.word[k] / 4294967296.0;
    }
    clock_t begun = clock();
    gb_stats s = gb_stats_of(samples, MANY);
    double cpu_s = (double)(clock() - begun) / CLOCKS_PER_SEC;
    assert_sane(&s);
    assert_true(fabs(s.mean - 1.5) < 5e-4 && fabs(s.median - 1.5) < 1e-3);
    assert_true(fabs(s.sd - sqrt(1.0 / 12)) < 2e-4);
    assert_true(s.median_hi - s.median_lo < 1e-3 && s.median_hi > s.median_lo);
    assert_false(s.outliers || s.drift || s.autocorrelated);
    /* Ten times the machine's own: what grows with the square of the count takes days. */
    if (cpu_s > 60) fail_msg("10^7 samples took %.1f s", cpu_s);
    /* A trend and what goes with it, which takes longer to tell. */
    for (size_t i = 0; i < MANY / 10; i++)
        samples[i] += 2e-6 * (double)i;
    begun = clock();
    s = gb_stats_of(samples, MANY / 10);
    cpu_s = (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (cpu_s > 10) fail_msg("10^6 drifting samples took %.1f s", cpu_s);
    assert_true(s.drift && s.autocorrelated);
    free(samples);
}

/* What does not fit into memory is said, not made up. */
static void no_memory(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* its malloc aborts */
#endif
    const volatile size_t too_many = SIZE_MAX / 64;
    double sample = 1;
    assert_int_equal(gb_stats_of(&sample, too_many).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_equal),
        TEST(zeros_have_no_rate),
        TEST(one_sample_has_no_interval),
        TEST(scale_changes_nothing),
        TEST(nothing_yields_a_nan),
        TEST(ten_million_in_time),
        TEST(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
