/* Rows that follow from others: the best over axes, and rates in another unit. */
#include "bench/rows/derive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static gb_results results;
static gb_arena arena;

/* The rows of a file with the axes x, block and radius: "VARIANT,X,BLOCK,RADIUS,STATUS,RATE,FLAGS".
 */
static const gb_result_set *rows(const char *const *lines)
{
    char *text = NULL;
    size_t size;
    gb_error error = {0};
    FILE *file = open_memstream(&text, &size);
    fputs("schema,experiment,primitive,variant,device,x,block,radius,cache,scope,status,rate,"
          "limit_rate,flags\n",
          file);
    for (; *lines; lines++) {
        char variant[16], x[16], block[16], radius[16], status[16], rate[16], flags[32] = "";
        assert_true(sscanf(*lines, "%15[^,],%15[^,],%15[^,],%15[^,],%15[^,],%15[^,],%31s", variant,
                           x, block, radius, status, rate, flags) >= 6);
        fprintf(file, "1,e,p,%s,d,%s,%s,%s,warm,device,%s,%s,%s,%s\n", variant, x, block, radius,
                status, *rate == '-' ? "" : rate, *rate == '-' ? "" : "100", flags);
    }
    fclose(file);
    gb_csv *csv = gb_csv_parse(text, size, "e.csv", &error);
    assert_non_null(csv);
    if (!gb_results_add_table(&results, "e.csv", csv, &error)) fail_msg("%s", error.text);
    return &results.sets[0];
}

static int teardown(void **state)
{
    (void)state;
    gb_results_free(&results);
    gb_arena_free(&arena);
    return 0;
}

static const gb_result_row *at(const gb_result_set *set, const char *variant, const char *x,
                               const char *block, const char *radius)
{
    gb_result_row key = {.axis = {x, block, radius},
                         .variant = variant,
                         .device = "d",
                         .cache = "warm",
                         .scope = "device",
                         .quantity = ""};
    return gb_result_find(set, &key);
}

static gb_result_set derive(const gb_result_set *set, const gb_derivation *what)
{
    gb_result_set derived;
    gb_error error = {0};
    if (!gb_results_derive(&arena, set, what, &derived, &error)) fail_msg("%s", error.text);
    return derived;
}

static const char *const block_axis[] = {"block"}, *const both_axes[] = {"block", "x"};

static void best_of_each_point(void **state)
{
    (void)state;
    const char *const lines[] = {"a,1,32,1,ok,5",
                                 "a,1,64,1,ok,9",
                                 "a,1,96,1,ok,7",
                                 "a,2,32,1,ok,8",
                                 "a,2,64,1,ok,6",
                                 "b,1,32,1,ok,3",
                                 NULL};
    const gb_result_set set =
        derive(rows(lines), &(gb_derivation){.best = block_axis, .best_count = 1});
    const gb_result_row *row = at(&set, "a", "1", "best", "1");
    assert_true(row->rate == 9);
    assert_string_equal(row->best, "64");
    assert_int_equal(row->rivals, 3);
    assert_int_equal(row->failed, 0);
    assert_string_equal(at(&set, "a", "2", "best", "1")->best, "32");
    assert_int_equal(at(&set, "b", "1", "best", "1")->rivals, 1);
    assert_null(at(&set, "b", "2", "best", "1"));
    /* The rows that it was made of stay. */
    assert_true(at(&set, "a", "1", "32", "1")->rate == 5);
    assert_null(at(&set, "a", "1", "32", "1")->best);
    assert_int_equal(set.row_count, 6 + 3);
}

static void best_over_two_axes(void **state)
{
    (void)state;
    const char *const lines[] = {"a,1,32,1,ok,5",  "a,1,64,1,ok,9", "a,2,32,1,ok,8",
                                 "a,2,64,1,ok,10", "a,1,32,2,ok,1", NULL};
    const gb_result_set set =
        derive(rows(lines), &(gb_derivation){.best = both_axes, .best_count = 2});
    const gb_result_row *row = at(&set, "a", "best", "best", "1");
    assert_true(row->rate == 10);
    assert_string_equal(row->best, "64/2");
    assert_int_equal(row->rivals, 4);
    /* One axis at a time as well, so that the other can be held. */
    assert_string_equal(at(&set, "a", "best", "32", "1")->best, "2");
    assert_string_equal(at(&set, "a", "1", "best", "1")->best, "64");
    assert_true(at(&set, "a", "best", "best", "2")->rate == 1);
}

/* A failure is never the best, but it is counted; of failures alone one stands there. */
static void failures(void **state)
{
    (void)state;
    const char *const lines[] = {"a,1,32,1,wrong,-",       "a,1,64,1,ok,9",
                                 "a,1,96,1,unsupported,-", "b,1,32,1,unsupported,-",
                                 "b,1,64,1,crashed,-",     "b,1,96,1,unsupported,-",
                                 "c,1,32,1,unsupported,-", NULL};
    const gb_result_set set =
        derive(rows(lines), &(gb_derivation){.best = block_axis, .best_count = 1});
    const gb_result_row *row = at(&set, "a", "1", "best", "1");
    assert_true(row->rate == 9);
    assert_int_equal(row->rivals, 1);
    assert_int_equal(row->failed, 1);
    assert_int_equal(at(&set, "b", "1", "best", "1")->status, GB_CRASHED);
    assert_int_equal(at(&set, "c", "1", "best", "1")->status, GB_UNSUPPORTED);
}

static void without_cache_resident(void **state)
{
    (void)state;
    const char *const lines[] = {"a,1,32,1,ok,9,cache-resident", "a,2,32,1,ok,5,outliers", NULL};
    const gb_result_set set =
        derive(rows(lines),
               &(gb_derivation){.best = both_axes, .best_count = 2, .no_cache_resident = true});
    assert_true(at(&set, "a", "best", "best", "1")->rate == 5);
    assert_null(at(&set, "a", "1", "32", "1"));
}

static void other_unit(void **state)
{
    (void)state;
    const char *const lines[] = {"a,1,32,1,ok,2", "a,1,32,2,ok,2", NULL};
    const char *values[] = {"1", "2"};
    double factors[] = {13, 25};
    const gb_scale_by scale = {"flop/s", "radius", values, factors, 2};
    const gb_result_set *measured = rows(lines);
    const gb_result_set set = derive(measured, &(gb_derivation){.scale = &scale});
    assert_true(at(&set, "a", "1", "32", "1")->rate == 26);
    assert_true(at(&set, "a", "1", "32", "2")->rate == 50);
    assert_true(at(&set, "a", "1", "32", "2")->limit_rate == 2500);
    assert_string_equal(at(&set, "a", "1", "32", "2")->unit, "flop/s");
    assert_true(at(measured, "a", "1", "32", "2")->rate == 2);
    /* What is in that unit already stays. */
    const gb_result_set again = derive(&set, &(gb_derivation){.scale = &scale});
    assert_true(at(&again, "a", "1", "32", "2")->rate == 50);

    gb_result_set none;
    gb_error error = {0};
    const gb_scale_by one = {"flop/s", "radius", values, factors, 1};
    assert_false(
        gb_results_derive(&arena, measured, &(gb_derivation){.scale = &one}, &none, &error));
    assert_non_null(strstr(error.text, "no factor from items to flop/s for radius 2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(best_of_each_point, teardown),
        cmocka_unit_test_teardown(best_over_two_axes, teardown),
        cmocka_unit_test_teardown(failures, teardown),
        cmocka_unit_test_teardown(without_cache_resident, teardown),
        cmocka_unit_test_teardown(other_unit, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
