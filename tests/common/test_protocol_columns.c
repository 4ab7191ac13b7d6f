/* The columns of result files and the lines of samples files, letter by letter. */
#include "common/protocol/columns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const axes[] = {"n", "bins"};
static const char *const values[] = {"1000000", "40"};

static void each_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int i = 0; i < GB_COLUMN_COUNT; i++) {
        if (!gb_column_name((gb_column)i)) fail_msg("column %d has no name", i);
        for (int k = 0; k < i; k++)
            assert_string_not_equal(gb_column_name((gb_column)i), gb_column_name((gb_column)k));
    }
    assert_string_equal(gb_column_name(GB_COLUMN_TIME_MEAN_S), "time_mean_s");
    assert_string_equal(gb_column_name(GB_COLUMN_CI95_REL), "ci95_rel");
    assert_string_equal(gb_column_name(GB_COLUMN_DRAM_WRITE), "dram_write_bytes_per_item");
}

/* Files of other versions have these columns in this order: who changes it changes the schema. */
static void header(void **state)
{
    (void)state;
    size_t size;
    char *text = gb_columns_header(axes, 2, &size);
    assert_non_null(text);
    assert_int_equal(size, strlen(text));
    assert_string_equal(
        text,
        "schema,run_id,experiment,primitive,variant,instance,under,backend,device,n,bins,cache,"
        "scope,"
        "status,reason,samples,unit,items,time_mean_s,time_ci95_lo_s,time_ci95_hi_s,"
        "time_median_s,time_min_s,time_max_s,time_sd_s,rate,rate_ci95_lo,rate_ci95_hi,"
        "limit_kind,limit_rate,limit_fraction,sm_clock_mhz,mem_clock_mhz,temperature_c,power_w,"
        "flags,seed,started_utc\n");
    free(text);
}

static void names_that_no_axis_has(void **state)
{
    (void)state;
    static const char *const taken[] = {"schema",      "variant", "device",
                                        "started_utc", "paper",   "note"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!gb_column_is_taken(taken[i])) fail_msg("%s", taken[i]);
    static const char *const unused[] = {"n", "", "Variant", "variants", "kernel", "index"};
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
        if (gb_column_is_taken(unused[i])) fail_msg("%s", unused[i]);
}

static void points_of_samples(void **state)
{
    (void)state;
    char text[GB_POINT_TEXT], narrow[13];
    assert_int_equal(gb_samples_point(text, sizeof text, axes, values, 2, NULL), 17);
    assert_string_equal(text, "n=1000000;bins=40");
    assert_int_equal(gb_samples_point(text, sizeof text, axes, values, 2, "device"), 30);
    assert_string_equal(text, "n=1000000;bins=40;scope=device");
    assert_int_equal(gb_samples_point(text, sizeof text, axes, values, 0, NULL), 0);
    assert_string_equal(text, "");
    assert_true(gb_samples_point(narrow, sizeof narrow, axes, values, 2, NULL) >= sizeof narrow);
    assert_string_equal(narrow, "n=1000000;bi");
    assert_true(gb_samples_point(text, 18, axes, values, 2, "device") >= 18);
    assert_string_equal(text, "n=1000000;bins=40");
}

static void lines_of_samples(void **state)
{
    (void)state;
    size_t size;
    assert_string_equal(GB_SAMPLES_HEADER, "run_id,point,variant,cache,index,time_s\n");
    char *text = gb_samples_prefix("run-1", "n=1;dist=\"a", "cpu", "warm", &size);
    assert_non_null(text);
    assert_string_equal(text, "run-1,\"n=1;dist=\"\"a\",cpu,warm,");
    assert_int_equal(size, strlen(text));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_has_a_name_of_its_own), cmocka_unit_test(header),
        cmocka_unit_test(names_that_no_axis_has),     cmocka_unit_test(points_of_samples),
        cmocka_unit_test(lines_of_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
