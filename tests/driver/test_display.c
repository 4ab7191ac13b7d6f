/* What a run prints of a point when it ends. */
#include "bench/measure/display.h"
#include "tests/driver/results_fixture.h"

static gb_display display;

/* A row whose samples are this many times those of the fixture. */
static gb_row row_of(unsigned variant, double slower)
{
    gb_row row = make_row(0, variant, GB_OK);
    double slow[20];
    for (int i = 0; i < 20; i++)
        slow[i] = slower * times[i % 5];
    row.stats = gb_stats_of(slow, 20);
    return row;
}

/* What is printed of the rows that were added, on a terminal of so many columns. */
static const char *printed(unsigned columns)
{
    static char text[2048];
    FILE *file = fmemopen(text, sizeof text, "w");
    gb_display_print(&display, "n=1M", columns, file);
    gb_display_next(&display);
    fclose(file);
    return text;
}

static void begin(int baseline)
{
    config.baseline = baseline;
    config.measure = (gb_measure){.warm = true};
    assert_true(gb_display_begin(&display, &config));
}

static void add(const gb_row *row)
{
    gb_display_add(&display, row, 0, 0);
}

/* In the config's order, set against the baseline, each number with as many digits as it bears. */
static void test_rows(void **state)
{
    (void)state;
    begin(1);
    gb_row second = row_of(1, 2), first = row_of(0, 1);
    add(&second);
    add(&first);
    assert_string_equal(printed(0), "n=1M\n"
                                    "  multipartition   1.10 ms  ±4.5%   926 Mkeys/s  2.00x ±0.09\n"
                                    "  multisplit       2.20 ms  ±4.5%   463 Mkeys/s  baseline\n");
    gb_display_free(&display);
}

/* Without a baseline in the config its first variant is. What failed says why, once. */
static void test_failures(void **state)
{
    (void)state;
    begin(-1);
    gb_row first = row_of(0, 1), failed = make_row(0, 1, GB_UNSUPPORTED);
    for (int i = 0; i < 2; i++) {
        add(&first);
        add(&failed);
        const char *text = printed(0);
        assert_non_null(strstr(text, "  baseline\n"));
        assert_non_null(strstr(text, i ? "  multisplit     unsupported\n"
                                       : "  multisplit     unsupported: because, \"so\";it is\n"));
    }
    /* With the baseline failed there is nothing to set against. */
    gb_row second = row_of(1, 1), broken = make_row(0, 0, GB_CRASHED);
    add(&broken);
    add(&second);
    const char *text = printed(0);
    assert_non_null(strstr(text, "crashed: because"));
    assert_null(strstr(text, "baseline"));
    gb_display_free(&display);
}

/* What a ratio or an interval does not say is not said. */
static void test_unsure(void **state)
{
    (void)state;
    static const double wild[] = {1e-4, 9e-3, 2e-4, 8e-3};
    begin(0);
    gb_row first = row_of(0, 1), second = make_row(0, 1, GB_OK), single = second;
    second.stats = gb_stats_of(wild, 4);
    single.stats = gb_stats_of(wild, 1);
    add(&first);
    add(&second);
    const char *text = printed(0);
    assert_non_null(strstr(text, "±>99%"));
    assert_non_null(strstr(text, "~0.25x\n"));
    add(&first);
    add(&single);
    text = printed(0);
    assert_non_null(strstr(text, " 100 us         "));
    assert_non_null(strstr(text, "~11x\n"));
    gb_display_free(&display);
}

/* Where both cache modes are measured, each is set against its own. */
static void test_conditions(void **state)
{
    (void)state;
    config.measure = (gb_measure){.warm = true, .cold = true};
    config.baseline = 0;
    assert_true(gb_display_begin(&display, &config));
    gb_row rows[] = {row_of(0, 1), row_of(0, 4), row_of(1, 2), row_of(1, 2)};
    rows[1].cold = rows[3].cold = true;
    for (int i = 0; i < 4; i++)
        add(&rows[i]);
    const char *text = printed(0);
    assert_non_null(strstr(text, "multisplit warm "));
    assert_non_null(strstr(text, "  0.50x ±"));
    assert_non_null(strstr(text, "  2.00x ±"));
    gb_display_free(&display);
}

/* No line is wider than the terminal. */
static void test_narrow(void **state)
{
    (void)state;
    begin(1);
    gb_row first = row_of(0, 1), failed = make_row(0, 1, GB_UNSUPPORTED);
    add(&first);
    add(&failed);
    char text[2048], *rest = text, *line;
    strcpy(text, printed(30));
    while ((line = strsep(&rest, "\n")))
        assert_true(strlen(line) <= 31); /* "±" has two bytes */
    gb_display_free(&display);
}

/* A point is named by the axes that vary; sizes as people write them. */
static void test_point(void **state)
{
    (void)state;
    char text[GB_DISPLAY_POINT];
    for (int p = 0; p < 3; p++)
        points[p].value[0].size = strtoull(points[p].value[0].text, NULL, 10);
    points[0].value[1].size = 40;
    begin(-1);
    assert_string_equal(gb_display_point(&display, &points[0], text),
                        "n=1M bins=40 dist=uniform payload=none");
    gb_display_free(&display);
    config.point_count = 1;
    begin(-1);
    assert_string_equal(gb_display_point(&display, &points[0], text), "demo");
    gb_display_free(&display);
    config.point_count = 3;
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_rows),   TEST(test_failures),
                                       TEST(test_unsure), TEST(test_conditions),
                                       TEST(test_narrow), TEST(test_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
