/* The sort of bodies along the curve on more threads than there are cores, at sizes around their
 * shares and around whole lines, of places that are spread, close together, few, one. */
#include "kernels/octree/cpu/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void work(void *context, unsigned thread)
{
    oc_sort *sort = context;
    oc_sort_run(sort, thread);
    gb_pool_barrier(sort->pool);
}

/* A place's digits, one after the other. */
static int compare_places(oc_place a, oc_place b)
{
    for (int depth = 0; depth < OC_DEPTH; depth++)
        if (oc_digit(a, depth) != oc_digit(b, depth))
            return oc_digit(a, depth) < oc_digit(b, depth) ? -1 : 1;
    return 0;
}

static oc_place place_of(const oc_sort *sort, uint32_t body)
{
    const oc_body *b = &sort->bodies[body];
    return oc_place_at(sort->box, b->x, b->y, b->z);
}

/* Every body is there once, and all are in order; codes tell how deep neighbours go together. */
static void assert_sorted(const oc_sort *sort)
{
    char *seen = calloc(sort->n + 1, 1);
    assert_non_null(seen);
    for (uint64_t i = 0; i < sort->n; i++) {
        assert_true(sort->b[i].body < sort->n);
        assert_int_equal(seen[sort->b[i].body]++, 0);
        if (i == 0) continue;
        const oc_place before = place_of(sort, sort->b[i - 1].body);
        const oc_place here = place_of(sort, sort->b[i].body);
        assert_true(compare_places(before, here) <= 0);
        assert_int_equal(oc_coded_common(&sort->b[i - 1], &sort->b[i]),
                         oc_common_depth(before, here));
    }
    free(seen);
}

/* Bodies whose coordinates are multiples of `unit` below 1. */
static void try_bodies(uint64_t n, unsigned threads, double unit)
{
    gb_error error;
    oc_body *bodies = calloc(n + 1, sizeof *bodies);
    assert_non_null(bodies);
    for (uint64_t i = 0; i < n; i++) {
        const gb_random4 r = gb_random(1, 0, i);
        const uint32_t places = (uint32_t)(1 / unit);
        bodies[i].x = (float)(r.word[0] % places * unit);
        bodies[i].y = (float)(r.word[1] % places * unit);
        bodies[i].z = (float)(r.word[2] % places * unit);
    }
    oc_sort sort = {.bodies = bodies, .box = {0, 0, 0, 16777216.0f}, .threads = threads};
    assert_true(oc_sort_open(&sort, n));
    assert_int_equal(gb_pool_open(threads, work, &sort, &sort.pool, &error), GB_OK);
    for (int again = 0; again < 2; again++) {
        memset(sort.b, 0xA5, n * sizeof *sort.b);
        gb_pool_run(sort.pool);
        assert_sorted(&sort);
    }
    gb_pool_close(sort.pool);
    oc_sort_close(&sort);
    free(bodies);
}

static void sorts(void **state)
{
    static const uint64_t sizes[] = {0, 1, 2, 5, 24, 25, 97, 1023, 4099, 20011};
    static const double units[] = {0x1p-24, 0x1p-21, 0x1p-8, 0x1p-2, 1};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
            try_bodies(sizes[s], 1, units[u]);
            try_bodies(sizes[s], 7, units[u]);
        }
}

/* In a corner a millionth as wide as the box, so that the first digits are all the same. */
static void sorts_a_crowd(void **state)
{
    (void)state;
    const uint64_t n = 5000;
    gb_error error;
    oc_body *bodies = calloc(n, sizeof *bodies);
    assert_non_null(bodies);
    for (uint64_t i = 0; i + 1 < n; i++) {
        const gb_random4 r = gb_random(2, 0, i);
        bodies[i] = (oc_body){(float)(r.word[0] % 16 * 0x1p-24), (float)(r.word[1] % 16 * 0x1p-24),
                              (float)(r.word[2] % 16 * 0x1p-24), 1};
    }
    bodies[n - 1] = (oc_body){1, 1, 1, 1};
    oc_sort sort = {.bodies = bodies, .box = {0, 0, 0, 16777216.0f}, .threads = 5};
    assert_true(oc_sort_open(&sort, n));
    assert_int_equal(gb_pool_open(sort.threads, work, &sort, &sort.pool, &error), GB_OK);
    gb_pool_run(sort.pool);
    assert_sorted(&sort);
    gb_pool_close(sort.pool);
    oc_sort_close(&sort);
    free(bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts),
        cmocka_unit_test(sorts_a_crowd),
    };
    return cmocka_run_group_tests_name("the octree's sort", tests, NULL, NULL);
}
