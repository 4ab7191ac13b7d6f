/* Laws of few terms: fitted to times of a known law they find its coefficients, say what cannot be
 * told apart, prefer the plain, and hold the truth on another machine between their ends. */
#include "bench/project/law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SETTINGS = 10 };

static void assert_near(double got, double expected, double part)
{
    if (!(fabs(got - expected) <= part * fabs(expected)))
        fail_msg("%.9g is not %.9g", got, expected);
}

/* Two cards of bandwidths 4e12 and 3e12 bytes/s with 16 to 128 multiprocessors in use. */
static const gb_machine cards[] = {{"A", "", 4e12, 128, 2e9, 6e7}, {"B", "", 3e12, 128, 2e9, 5e7}};
static const gb_machine other = {"C", "", 1e12, 64, 1.6e9, 6e6};

/* Times by a law; wobble: so large a part, of alternating sign in no order of the settings. */
static void measure(const gb_law *law, double wobble, gb_timing timings[SETTINGS])
{
    static const double sms[] = {16, 32, 64, 96, 128};
    static const int sign[SETTINGS] = {1, -1, -1, 1, 0, -1, 1, 0, 1, -1};
    for (int i = 0; i < SETTINGS; i++) {
        gb_timing *timing = &timings[i];
        *timing = (gb_timing){.machine = cards[i / 5], .limited = i % 5 < 4};
        timing->machine.sms = sms[i % 5];
        timing->time_s = gb_law_time(law, &timing->machine, NULL) * (1 + wobble * sign[i]);
    }
}

static gb_span span_on(const gb_fit *fit, const gb_machine *machine)
{
    return gb_fit_time(fit, machine, machine, machine);
}

static void a_law_has_its_time(void **state)
{
    (void)state;
    double terms[GB_TERM_COUNT];
    const gb_law sum = {.power = 1, .coefficient = {4e9, 1.28e8, 2e6, 1e-5}};
    assert_near(gb_law_time(&sum, &cards[0], terms), 1e-3 + 5e-4 + 1e-3 + 1e-5, 1e-12);
    assert_near(terms[GB_TERM_MEMORY], 1e-3, 1e-12);
    assert_near(terms[GB_TERM_ISSUE], 5e-4, 1e-12);
    assert_near(terms[GB_TERM_LATENCY], 1e-3, 1e-12);
    assert_near(terms[GB_TERM_LAUNCH], 1e-5, 1e-12);
    const gb_law beside = {.power = 2, .coefficient = {4e9 * 3, 1.28e8 * 8, 0, 0}};
    assert_near(gb_law_time(&beside, &cards[0], NULL), 5e-3, 1e-12);
}

/* Of each kind of law: its terms and power, its coefficients, and its time elsewhere. */
static void fits_find_the_law(void **state)
{
    (void)state;
    static const gb_law laws[] = {
        {1, 1, {4e9}, 0},         {1, 2, {0, 2.56e8}, 0},      {1, 3, {4e9, 1.28e8}, 0},
        {4, 3, {4e9, 1.28e8}, 0}, {4, 3, {4e9, 2e7}, 0}, /* others miss by less than 1 % */
        {2, 3, {4e9, 3.2e8}, 0},  {1, 6, {0, 2.56e8, 1e6}, 0}, {1, 7, {4e9, 2.56e8, 2e6}, 0}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        gb_timing timings[SETTINGS];
        gb_fit fit;
        measure(&laws[i], 0, timings);
        assert_true(gb_fit_find(timings, SETTINGS, 0, false, &fit));
        assert_int_equal(fit.laws[0].terms, laws[i].terms);
        for (int t = 0; t < GB_TERM_COUNT; t++)
            assert_near(fit.laws[0].coefficient[t], laws[i].coefficient[t], 1e-6);
        const gb_span span = span_on(&fit, &other);
        const double truth = gb_law_time(&laws[i], &other, NULL);
        assert_near(gb_law_time(&fit.laws[0], &other, NULL), truth, 1e-6);
        assert_near(span.time_s, truth, 0.1);
        assert_true(span.lo_s <= truth * (1 + 1e-9) && span.hi_s >= truth * (1 - 1e-9));
    }
}

/* Equal runs differ by 1 %: the law is found but for about as much, and the span holds the truth.
 */
static void noise_is_borne(void **state)
{
    (void)state;
    const gb_law law = {.power = 1, .coefficient = {4e9, 2.56e8, 0, 0}};
    gb_timing timings[SETTINGS];
    gb_fit fit;
    measure(&law, 0.01, timings);
    assert_true(gb_fit_find(timings, SETTINGS, 0, false, &fit));
    assert_int_equal(fit.laws[0].terms, 3);
    assert_near(fit.laws[0].coefficient[GB_TERM_MEMORY], 4e9, 0.05);
    assert_near(fit.laws[0].coefficient[GB_TERM_ISSUE], 2.56e8, 0.05);
    const gb_span span = span_on(&fit, &other);
    assert_true(span.lo_s * 0.97 <= gb_law_time(&law, &other, NULL));
    assert_true(span.hi_s * 1.03 >= gb_law_time(&law, &other, NULL));
    assert_near(span.time_s, gb_law_time(&law, &other, NULL), 0.05);
}

/* At one clock latency and launches are one and the same: the ends of the span are both. */
static void what_is_not_told_apart_is_spanned(void **state)
{
    (void)state;
    const gb_law launch = {.power = 1, .coefficient = {0, 0, 0, 1e-4}};
    gb_timing timings[SETTINGS];
    gb_fit fit;
    measure(&launch, 0, timings);
    assert_true(gb_fit_find(timings, SETTINGS, 0, false, &fit));
    const gb_span span = span_on(&fit, &other);
    assert_near(span.lo_s, 1e-4, 1e-6);
    assert_near(span.hi_s, 1e-4 * 2 / 1.6, 1e-6);
    assert_near(span.time_s, 1e-4 * sqrt(2 / 1.6), 1e-6);
    /* with one card, what more multiprocessors do not shorten is put down to the memory */
    assert_true(gb_fit_find(timings, 5, 0, false, &fit));
    assert_int_equal(fit.laws[0].terms, 1u << GB_TERM_MEMORY);
    assert_near(span_on(&fit, &other).lo_s, 1e-4, 1e-6);
    assert_near(span_on(&fit, &other).hi_s, 4e-4, 1e-6);
    assert_near(span_on(&fit, &other).time_s, 2e-4, 1e-6);
    /* but not where the L2 holds it all */
    assert_true(gb_fit_find(timings, 5, 4e8, true, &fit));
    assert_int_equal(fit.laws[0].terms, 1u << GB_TERM_LATENCY);
    for (size_t i = 0; i < fit.count; i++)
        assert_true(fit.laws[i].coefficient[GB_TERM_MEMORY] == 0);
}

/* The bytes that must be moved bound the memory's term from below, as far as the times bear it. */
static void least_bytes_are_pinned(void **state)
{
    (void)state;
    const gb_law law = {.power = 1, .coefficient = {4e9, 1.28e8, 0, 0}};
    gb_timing timings[SETTINGS];
    gb_fit fit;
    measure(&law, 0, timings);
    assert_true(gb_fit_find(timings, SETTINGS, 4e9, false, &fit));
    for (size_t i = 0; i < fit.count; i++)
        assert_true(fit.laws[i].coefficient[GB_TERM_MEMORY] >= 4e9 * (1 - 1e-9));
    assert_near(fit.laws[0].coefficient[GB_TERM_MEMORY], 4e9, 1e-6);
    assert_int_equal(fit.laws[0].terms, 1u << GB_TERM_ISSUE);
    /* faster than a copy: the bytes are fewer than was said */
    const gb_law faster = {.power = 1, .coefficient = {4e9, 0, 0, 0}};
    measure(&faster, 0, timings);
    assert_true(gb_fit_find(timings, SETTINGS, 5e9, false, &fit));
    assert_near(fit.laws[0].coefficient[GB_TERM_MEMORY], 4e9, 1e-6);
}

/* What more multiprocessors make slower is no law of these terms: the error says so. */
static void what_is_no_law_fits_badly(void **state)
{
    (void)state;
    const gb_law law = {.power = 1, .coefficient = {4e9, 0, 0, 0}};
    gb_timing timings[SETTINGS];
    gb_fit fit;
    measure(&law, 0, timings);
    for (int i = 0; i < SETTINGS; i++)
        timings[i].time_s *= timings[i].machine.sms / 16;
    assert_true(gb_fit_find(timings, SETTINGS, 0, false, &fit));
    assert_true(fit.laws[0].error > 0.5);
    assert_false(gb_fit_find(timings, 0, 0, false, &fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_has_its_time),
        cmocka_unit_test(fits_find_the_law),
        cmocka_unit_test(noise_is_borne),
        cmocka_unit_test(what_is_not_told_apart_is_spanned),
        cmocka_unit_test(least_bytes_are_pinned),
        cmocka_unit_test(what_is_no_law_fits_badly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
