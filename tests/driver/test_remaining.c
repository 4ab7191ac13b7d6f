/* How long a run still takes, as it is said while it goes: made-up rows whose planned and real
 * seconds differ, between variants and with the size. No clock is asked. */
#include "bench/util/remaining.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { VARIANTS = 5, MOST_POINTS = 64 };

/* A plan of so many points in which every variant has a row. */
typedef struct plan {
    size_t points;
    double planned[MOST_POINTS];
    double fixed, slope[VARIANTS]; /* a row takes fixed + slope * planned ... */
    double noise;                  /* ... times 1 - noise to 1 + noise */
    bool known;
} plan;

/* Some number from -1 to 1 that depends on i alone. */
static double wobble(size_t i)
{
    return 2 * fmod(fabs(sin((double)i * 12.9898) * 43758.5453), 1) - 1;
}

static double took(const plan *p, size_t point, size_t variant)
{
    const double noise = 1 + p->noise * wobble(point * VARIANTS + variant);
    return (p->fixed + p->slope[variant] * p->planned[point]) * noise;
}

static double truly_left(const plan *p, size_t from)
{
    double left = 0;
    for (size_t i = from; i < p->points; i++)
        for (size_t v = 0; v < VARIANTS; v++)
            left += took(p, i, v);
    return left;
}

/* How far a guess is off, as a factor of at least 1. */
static double off(double guess, double truth)
{
    return guess > truth ? guess / truth : truth / guess;
}

static gb_remaining begin(const plan *p)
{
    gb_remaining r;
    assert_true(gb_remaining_begin(&r, VARIANTS, p->known));
    for (size_t i = 0; i < p->points; i++)
        for (size_t v = 0; v < VARIANTS; v++)
            gb_remaining_plan(&r, v, 1, p->planned[i]);
    return r;
}

/* Fails unless, after so many points and from then on, what is said to be left is within a factor
 * of the truth, and what it says of the whole run changes from one point to the next by less than
 * another one. */
static void settles(const plan *p, size_t after, double factor, double step)
{
    gb_remaining r = begin(p);
    double elapsed = 0, whole = 0;
    for (size_t i = 0; i < p->points; i++) {
        for (size_t v = 0; v < VARIANTS; v++) {
            elapsed += took(p, i, v);
            gb_remaining_done(&r, v, 1, p->planned[i], took(p, i, v));
        }
        const double left = gb_remaining_s(&r), truth = truly_left(p, i + 1);
        if (i + 1 >= after && truth > 0 && off(left, truth) > factor)
            fail_msg("after %zu points %g s are said to be left, and are %g", i + 1, left, truth);
        if (i + 1 >= after && whole > 0 && off(elapsed + left, whole) > step)
            fail_msg("with point %zu the whole goes from %g s to %g", i + 1, whole, elapsed + left);
        whole = elapsed + left;
    }
    assert_true(fabs(gb_remaining_s(&r)) < 1e-6);
    gb_remaining_free(&r);
}

static plan equal_points(void)
{
    plan p = {.points = 40, .fixed = 0.05, .slope = {0.3, 1, 4, 30, 100}, .known = true};
    for (size_t i = 0; i < p.points; i++)
        p.planned[i] = 1;
    return p;
}

/* Sizes from 2^10 to 2^28, a row of which is planned to take from 5 ms to 10 s. */
static plan growing_points(double fixed, double slope)
{
    plan p = {.points = 19, .fixed = fixed, .known = true};
    for (size_t i = 0; i < p.points; i++)
        p.planned[i] = 5e-3 + ldexp(10, (int)i - 18);
    for (size_t v = 0; v < VARIANTS; v++)
        p.slope[v] = slope * (0.5 + (double)v / 4);
    return p;
}

/* Variants that are 0.3 and 100 times as slow as planned: one point tells. */
static void test_variants_differ(void **state)
{
    (void)state;
    plan p = equal_points();
    settles(&p, 1, 1.05, 1.05);
    p.noise = 0.3;
    settles(&p, 3, 1.25, 1.15);
}

/* Each row costs 100 ms, which the plan takes for 5 ms: small rows, 20 times as slow as planned,
 * say nothing of large ones. */
static void test_overhead(void **state)
{
    (void)state;
    plan p = growing_points(0.1, 1);
    p.noise = 0.1;
    settles(&p, 1, 1.3, 1.2);
}

/* The device is four times slower, or faster, than planned: that is known when rows of a tenth of
 * the largest are done, and until then it is approached by steps. */
static void test_slope(void **state)
{
    (void)state;
    plan slow = growing_points(0.1, 4), fast = growing_points(0.1, 0.25);
    settles(&slow, 1, 4.5, 1.6);
    settles(&slow, 16, 1.5, 1.6);
    settles(&fast, 1, 4.5, 1.6);
    settles(&fast, 16, 1.5, 1.6);
}

/* From large to small. */
static void test_falling(void **state)
{
    (void)state;
    plan p = growing_points(0.1, 4), turned = p;
    for (size_t i = 0; i < p.points; i++)
        turned.planned[i] = p.planned[p.points - 1 - i];
    settles(&turned, 2, 2, 1.3);
}

/* The very first row pays for what the others find done. */
static void test_slow_start(void **state)
{
    (void)state;
    plan p = equal_points();
    gb_remaining r = begin(&p);
    gb_remaining_done(&r, 0, 1, 1, 60);
    for (size_t i = 1; i < 10; i++)
        gb_remaining_done(&r, 0, 1, 1, 1);
    assert_true(gb_remaining_row_s(&r, 0, 1) < 8);
    gb_remaining_free(&r);
}

/* A variant that cannot do anything costs nothing; what was not tried yet goes by the others. */
static void test_unsupported(void **state)
{
    (void)state;
    plan p = equal_points();
    gb_remaining r = begin(&p);
    for (size_t i = 0; i < 5; i++) {
        gb_remaining_done(&r, 0, 1, 1, 0);
        gb_remaining_done(&r, 1, 1, 1, 3);
    }
    assert_true(gb_remaining_row_s(&r, 0, 1) < 0.01);
    assert_true(fabs(gb_remaining_row_s(&r, 1, 1) - 3) < 0.1);
    assert_true(gb_remaining_row_s(&r, 2, 1) > 0.9 && gb_remaining_row_s(&r, 2, 1) < 2);
    gb_remaining_free(&r);
}

/* Before anything is done the plan is all there is; of a device without a known bandwidth nothing
 * is. */
static void test_before_anything(void **state)
{
    (void)state;
    plan p = equal_points();
    gb_remaining r = begin(&p);
    assert_true(fabs(gb_remaining_s(&r) - 200) < 1e-6);
    gb_remaining_free(&r);
    p.known = false;
    r = begin(&p);
    assert_true(gb_remaining_s(&r) < 0);
    gb_remaining_free(&r);
    settles(&p, 1, 1.05, 1.05);
}

/* Within a point: what was expected at its beginning, nothing at its end, and no more than what is
 * expected or what the part tells in between. */
static void test_within(void **state)
{
    (void)state;
    assert_true(fabs(gb_remaining_within(10, 0, 0) - 10) < 1e-9);
    assert_true(gb_remaining_within(10, 50, 1) == 0);
    for (int i = 1; i < 20; i++) {
        const double part = i / 20.0;
        assert_true(fabs(gb_remaining_within(10, 10 * part, part) - 10 * (1 - part)) < 1e-9);
        const double slow = gb_remaining_within(10, 100 * part, part);
        assert_true(slow >= 10 * (1 - part) && slow <= 100 * (1 - part));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants_differ), cmocka_unit_test(test_overhead),
        cmocka_unit_test(test_slope),           cmocka_unit_test(test_falling),
        cmocka_unit_test(test_slow_start),      cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_before_anything), cmocka_unit_test(test_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
