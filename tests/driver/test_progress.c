/* The line that is rewritten on a terminal: what is in it at every width, and that it fits. */
#include "bench/util/progress.h"
#include "common/text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const gb_progress going = {.title = "2/5 octree",
                                  .points = 40,
                                  .point = 12,
                                  .left_s = 80,
                                  .sm_clock_mhz = 1980,
                                  .temperature_c = 44,
                                  .point_text = "n=32M bins=256"};

static void expect_line(const gb_progress *progress, unsigned columns, const char *expected)
{
    char line[GB_PROGRESS_LINE];
    assert_string_equal(gb_progress_line(progress, "multisplit 30/50", 40, columns, line),
                        expected);
}

/* Which config of how many, a bar, point, times, what varies, what is going on. */
static void test_parts(void **state)
{
    (void)state;
    expect_line(&going, 120,
                "2/5 octree [=======             ] 12/40 40s, 1m20s left n=32M bins=256 "
                "multisplit 30/50 1980 MHz 44 C");
    expect_line(&going, 80,
                "2/5 [===       ] 12/40 40s, 1m20s left n=32M bins=256 multisplit 30/50");
    expect_line(&going, 60, "2/5 12/40 40s, 1m20s left n=32M bins=256 multisplit 30/50");
    expect_line(&going, 40, "2/5 12/40 40s, 1m20s left multisplit");
    expect_line(&going, 0,
                "2/5 [===       ] 12/40 40s, 1m20s left n=32M bins=256 multisplit 30/50");
}

/* Without anything to go by the bar counts points that are done, and nothing is said to be left. */
static void test_nothing_to_go_by(void **state)
{
    (void)state;
    gb_progress progress = going;
    progress.left_s = -1;
    progress.title[0] = 0;
    expect_line(&progress, 80,
                "[===       ] 12/40 40s n=32M bins=256 multisplit 30/50 1980 MHz 44 C");
}

/* Three columns are left for the "^C" of a terminal, which would else begin a line of its own; and
 * no character is cut in two. */
static void test_fits(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "n=32M bins=256", "", "größe=µµµµµµµµµµµµ ψ=ωωωωωωωωωωωωωωω",
        "file=/a/path/that/is/as/long/as/the/terminal/is/and/longer"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        for (unsigned columns = 1; columns < 200; columns++) {
            gb_progress progress = going;
            char line[GB_PROGRESS_LINE];
            strcpy(progress.point_text, texts[t]);
            gb_progress_line(&progress, "χ-variant 3/50", 7200, columns, line);
            if (gb_text_columns(line) + 3 > (columns > 3 ? columns : 3))
                fail_msg("%u columns: %s", columns, line);
            if (gb_text_unprintable(line)) fail_msg("%u columns: a character is torn", columns);
            if (columns >= 60) assert_non_null(strstr(line, "3/50"));
        }
    }
}

static void test_cut(void **state)
{
    (void)state;
    char text[] = "a±µ…z";
    assert_int_equal(gb_text_columns(text), 5);
    assert_string_equal(gb_text_cut(text, 5), "a±µ…z");
    assert_string_equal(gb_text_cut(text, 4), "a±µ…");
    assert_string_equal(gb_text_cut(text, 2), "a±");
    assert_string_equal(gb_text_cut(text, 0), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_nothing_to_go_by),
        cmocka_unit_test(test_fits),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
