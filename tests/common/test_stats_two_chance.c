/* Statistics of two groups by simulation with fixed seeds: how often they err, and what they find.
 */
/* test: fast unsanitized 5 */
#include "tests/common/stats_fixture.h"

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
        cmocka_unit_test(false_alarms_are_few),
        cmocka_unit_test(ratio_interval_covers),
        cmocka_unit_test(families_have_few_alarms),
        cmocka_unit_test(differences_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
