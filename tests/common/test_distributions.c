/* The distributions of multipartition's keys: moments and shapes, repeatability, slices, refusals.
 */
/* test: fast 4 */
#include "common/distributions.h"
#include "kernels/multipartition/experiment.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 200000 };

static const char *const all[] = {
    "uniform",    "binomial",   "binomial:15:0.5", "binomial:33:0.3",    "binomial:256:0.02",
    "normal",     "zipf",       "sorted",          "reversed",           "constant",
    "distinct:1", "distinct:2", "distinct:7",      "distinct:4294967296"};
enum { ALL = sizeof all / sizeof *all };

static uint32_t keys[N];

static gb_dist make(const char *name, uint64_t seed, uint64_t n)
{
    gb_dist dist;
    char why[160] = "";
    if (!gb_dist_of(name, seed, n, &dist, why)) fail_msg("%s refused: %s", name, why);
    return dist;
}

static void fill(const char *name, uint64_t seed)
{
    gb_dist dist = make(name, seed, N);
    for (uint64_t i = 0; i < N; i++)
        keys[i] = gb_dist_key(&dist, i);
}

static void moments(double *mean, double *sd)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < N; i++)
        sum += keys[i];
    *mean = sum / N;
    for (int i = 0; i < N; i++)
        squares += (keys[i] - *mean) * (keys[i] - *mean);
    *sd = sqrt(squares / (N - 1));
}

/* |value - expected| within tolerance. */
static void near(double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance)
        fail_msg("%g is not within %g of %g", value, tolerance, expected);
}

static int ascending(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* Sorts keys; returns how many different ones there are and how often the commonest occurs. */
static unsigned different(unsigned *commonest)
{
    unsigned count = 1, run = 1;
    qsort(keys, N, sizeof *keys, ascending);
    *commonest = 1;
    for (int i = 1; i < N; i++) {
        run = keys[i] == keys[i - 1] ? run + 1 : 1;
        count += run == 1;
        if (run > *commonest) *commonest = run;
    }
    return count;
}

static void seeds_repeat_and_differ(void **state)
{
    (void)state;
    for (int d = 0; d < ALL; d++) {
        gb_dist one = make(all[d], 1, N), two = make(all[d], 1, N), other = make(all[d], 2, N);
        unsigned same = 0;
        for (uint64_t i = 0; i < 1000; i++) {
            assert_int_equal(gb_dist_key(&one, i), gb_dist_key(&two, i));
            same += gb_dist_key(&one, i) == gb_dist_key(&other, i);
        }
        bool seedless = strcmp(all[d], "sorted") == 0 || strcmp(all[d], "reversed") == 0;
        if (seedless)
            assert_int_equal(same, 1000);
        else
            assert_in_range(same, 0, 10);
    }
}

/* An element far out, made alone, is what it is in a run of them: nothing depends on neighbours or
 * on 32-bit indexes. */
static void far_elements_stand_alone(void **state)
{
    (void)state;
    const uint64_t far = ((uint64_t)1 << 32) + 5;
    for (int d = 0; d < ALL; d++) {
        gb_dist dist = make(all[d], 7, far + 100);
        uint32_t forward[64];
        for (unsigned i = 0; i < 64; i++)
            forward[i] = gb_dist_key(&dist, far + i);
        for (unsigned i = 64; i-- > 0;)
            assert_int_equal(gb_dist_key(&dist, far + i), forward[i]);
    }
    gb_dist dist = make("uniform", 7, far + 100);
    unsigned same = 0;
    for (unsigned i = 0; i < 1000; i++)
        same += gb_dist_key(&dist, i) == gb_dist_key(&dist, ((uint64_t)1 << 32) + i);
    assert_int_equal(same, 0);
}

static void uniform_is_uniform(void **state)
{
    (void)state;
    double mean, sd;
    unsigned top[16] = {0};
    fill("uniform", 1);
    moments(&mean, &sd);
    near(mean, 2147483648.0, 5 * 1.24e9 / sqrt(N));
    near(sd, 4294967296.0 / sqrt(12), 1e7);
    for (int i = 0; i < N; i++)
        top[keys[i] >> 28]++;
    for (int i = 0; i < 16; i++)
        near(top[i], N / 16.0, 5 * sqrt(N / 16.0));
}

static void binomial_is_binomial(void **state)
{
    (void)state;
    double sum = 0, squares = 0;
    unsigned low[16] = {0}, middle = 0;
    fill("binomial", 1);
    for (int i = 0; i < N; i++) {
        double ones = keys[i] >> 24;
        sum += ones;
        squares += ones * ones;
        middle += (keys[i] >> 24) == 127;
        low[(keys[i] >> 20) & 15]++;
    }
    near(sum / N, 127.5, 5 * 7.98 / sqrt(N));
    near(squares / N - (sum / N) * (sum / N), 63.75, 1.0);
    near((double)middle / N, 0.04991, 0.003); /* C(255, 127) / 2^255 */
    for (int i = 0; i < 16; i++)
        near(low[i], N / 16.0, 5 * sqrt(N / 16.0));
}

/* binomial is Binomial(255, 1/2), as the number of ones in 255 random bits, above 24 uniform ones:
 * what it was before it had parameters. */
static void binomial_has_these_parameters(void **state)
{
    (void)state;
    gb_dist plain = make("binomial", 9, N), same = make("binomial:255:0.5", 9, N);
    for (uint64_t i = 0; i < 5000; i++) {
        const gb_random4 a = gb_random(9, GB_STREAM_KEYS, i), b = gb_random(9, GB_STREAM_MORE, i),
                         low = gb_random(9, GB_STREAM_LOW, i >> 2);
        uint32_t ones = gb_popcount(a.word[0] & 0x7FFFFFFF);
        for (int j = 0; j < 4; j++)
            ones += (j ? gb_popcount(a.word[j]) : 0) + gb_popcount(b.word[j]);
        assert_int_equal(gb_dist_key(&plain, i), ones << 24 | low.word[i & 3] >> 8);
        assert_int_equal(gb_dist_key(&same, i), gb_dist_key(&plain, i));
    }
}

/* Each of the N + 1 values is as frequent as it should be, and has its share of all keys, uniformly
 * filled. */
static void binomials_are_binomial(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned trials;
        double chance;
    } cases[] = {{"binomial:1:0.3", 1, 0.3},         {"binomial:2:0.000123", 2, 0.000123},
                 {"binomial:15:0.5", 15, 0.5},       {"binomial:31:0.75", 31, 0.75},
                 {"binomial:32:0.9999", 32, 0.9999}, {"binomial:33:0.3", 33, 0.3},
                 {"binomial:64:0.625", 64, 0.625},   {"binomial:300:0.02", 300, 0.02},
                 {"binomial:4096:0.5", 4096, 0.5}};
    static unsigned count[GB_DIST_MOST_TRIALS + 1];
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
        const unsigned trials = cases[c].trials;
        const double chance = round(cases[c].chance * 65536) / 65536;
        const int keys_of_it = trials > 300 ? N / 10 : N;
        gb_dist dist = make(cases[c].name, 1 + c, N);
        double within = 0;
        memset(count, 0, sizeof count);
        for (int i = 0; i < keys_of_it; i++) {
            const uint64_t scaled = (uint64_t)gb_dist_key(&dist, (uint64_t)i) * (trials + 1);
            count[scaled >> 32]++;
            within += (double)(scaled & 0xFFFFFFFF) / 4294967296.0;
        }
        near(within / keys_of_it, 0.5, 5 * sqrt(1.0 / 12 / keys_of_it));
        for (unsigned x = 0; x <= trials; x++) {
            const double share =
                             exp(lgamma(trials + 1.0) - lgamma(x + 1.0) - lgamma(trials - x + 1.0) +
                                 x * log(chance) + (trials - x) * log1p(-chance)),
                         expected = share * keys_of_it;
            if (fabs(count[x] - expected) > 6 * sqrt(expected) + 6)
                fail_msg("%s: %u keys of %d have %u successes; %g are expected", cases[c].name,
                         count[x], keys_of_it, x, expected);
        }
    }
}

static void normal_is_normal(void **state)
{
    (void)state;
    double mean, sd;
    fill("normal", 1);
    moments(&mean, &sd);
    near(mean, 2147483648.0, 5 * 536870912.0 / sqrt(N));
    near(sd, 536870912.0, 536870912.0 * 0.01);
    unsigned one = 0, two = 0;
    for (int i = 0; i < N; i++) {
        double z = (keys[i] - 2147483648.0) / 536870912.0;
        one += fabs(z) < 1;
        two += fabs(z) < 2;
    }
    near((double)one / N, 0.6827, 0.01);
    near((double)two / N, 0.9545, 0.005);
    unsigned commonest;
    assert_true(different(&commonest) > N / 2);
}

static void zipf_halves_by_octaves(void **state)
{
    (void)state;
    unsigned commonest;
    fill("zipf", 1);
    unsigned ranks = different(&commonest);
    near((double)commonest / N, 0.05, 0.003); /* rank 1: one octave of twenty */
    assert_in_range(ranks, 30000, 120000);
}

static void sorted_ascends_to_the_end(void **state)
{
    (void)state;
    fill("sorted", 1);
    assert_int_equal(keys[0], 0);
    assert_true(keys[N - 1] > 0xFFFFFFFFu - 2 * (0xFFFFFFFFu / N));
    for (int i = 1; i < N; i++)
        assert_true(keys[i] > keys[i - 1]);
    gb_dist up = make("sorted", 1, N), down = make("reversed", 1, N);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(gb_dist_key(&down, i), 0xFFFFFFFFu - gb_dist_key(&up, i));
    gb_dist huge = make("sorted", 1, ((uint64_t)1 << 32) + 3);
    for (uint64_t i = 0; i < 1000; i++)
        assert_true(gb_dist_key(&huge, i + 1) - gb_dist_key(&huge, i) <= 1);
    assert_true(gb_dist_key(&huge, ((uint64_t)1 << 32) + 2) >= 0xFFFFFFFEu);
    gb_dist single = make("sorted", 1, 1);
    assert_int_equal(gb_dist_key(&single, 0), 0);
}

static int ascending64(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Of 64 bits: the upper half is the key of 32, equal keys stay equal where few are asked for, and
 * all differ elsewhere. */
static void wide_keys_continue_narrow_ones(void **state)
{
    (void)state;
    static uint64_t wide[N];
    for (int d = 0; d < ALL; d++) {
        gb_dist dist = make(all[d], 7, N);
        bool few = dist.kind == GB_DIST_ZIPF || dist.kind == GB_DIST_CONSTANT ||
                   dist.kind == GB_DIST_DISTINCT;
        unsigned narrow_same = 0, wide_same = 0, commonest;
        for (uint64_t i = 0; i < N; i++) {
            wide[i] = gb_dist_key64(&dist, GB_STREAM_LOW_HALF, i);
            keys[i] = gb_dist_key(&dist, i);
            assert_int_equal(wide[i] >> 32, keys[i]);
            if (i && dist.kind == GB_DIST_SORTED) assert_true(wide[i] > wide[i - 1]);
            if (i && dist.kind == GB_DIST_REVERSED) assert_true(wide[i] < wide[i - 1]);
        }
        narrow_same = N - different(&commonest);
        qsort(wide, N, sizeof *wide, ascending64);
        for (int i = 1; i < N; i++)
            wide_same += wide[i] == wide[i - 1];
        assert_int_equal(wide_same, few ? narrow_same : 0);
    }
}

static void few_values_are_as_few_as_asked(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned values;
    } cases[] = {{"constant", 1},
                 {"distinct:1", 1},
                 {"distinct:2", 2},
                 {"distinct:7", 7},
                 {"distinct:1000", 1000}};
    for (unsigned c = 0; c < sizeof cases / sizeof *cases; c++) {
        unsigned commonest;
        fill(cases[c].name, 1 + c);
        assert_int_equal(different(&commonest), cases[c].values);
        double expected = (double)N / cases[c].values;
        assert_true(commonest < expected + 6 * sqrt(expected) + 1);
    }
}

static void what_is_no_distribution_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "Uniform",
                                      "gauss",
                                      "distinct",
                                      "distinct:",
                                      "distinct:0",
                                      "distinct:-1",
                                      "distinct:1.5",
                                      "distinct:x",
                                      "distinct: 3",
                                      "distinct:2 ",
                                      "uniform ",
                                      "distinct:4294967297",
                                      "distinct:99999999999999999999",
                                      "binomial:",
                                      "binomial:15",
                                      "binomial:15:",
                                      "binomial:0:0.5",
                                      "binomial:4097:0.5",
                                      "binomial:-1:0.5",
                                      "binomial::0.5",
                                      "binomial:15:0",
                                      "binomial:15:1",
                                      "binomial:15:0.",
                                      "binomial:15:0.0",
                                      "binomial:15:0.000001",
                                      "binomial:15:0.999999",
                                      "binomial:15:0.5000000000",
                                      "binomial:15:.5",
                                      "binomial:15:1.5",
                                      "binomial:15:0.5x",
                                      "binomial:15:0.5:2",
                                      "binomial 15:0.5",
                                      "binomials"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        gb_dist dist;
        char why[160] = "";
        if (gb_dist_of(bad[i], 1, 10, &dist, why)) fail_msg("'%s' was accepted", bad[i]);
        assert_non_null(strstr(why, bad[i]));
        if (strncmp(bad[i], "distinct:", 9) == 0) assert_non_null(strstr(why, "1 to 4294967296"));
        if (strncmp(bad[i], "binomial:", 9) == 0)
            assert_non_null(strstr(why, "1 to 4096, that succeed with probability P, 0.00001 to"));
        assert_false(gb_dist_of(bad[i], 1, 10, &dist, NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_repeat_and_differ),
        cmocka_unit_test(far_elements_stand_alone),
        cmocka_unit_test(uniform_is_uniform),
        cmocka_unit_test(binomial_is_binomial),
        cmocka_unit_test(binomial_has_these_parameters),
        cmocka_unit_test(binomials_are_binomial),
        cmocka_unit_test(normal_is_normal),
        cmocka_unit_test(zipf_halves_by_octaves),
        cmocka_unit_test(sorted_ascends_to_the_end),
        cmocka_unit_test(wide_keys_continue_narrow_ones),
        cmocka_unit_test(few_values_are_as_few_as_asked),
        cmocka_unit_test(what_is_no_distribution_is_refused),
    };
    return cmocka_run_group_tests_name("multipartition distributions", tests, NULL, NULL);
}
