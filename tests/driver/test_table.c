/* Tables: golden files in all three formats, what cells say, footnotes, widths. */
#include "bench/table/numbers.h"
#include "tests/driver/table_fixture.h"

static void golden(void **state)
{
    (void)state;
    static const struct {
        const char *fixture, *layout;
        gb_table_format format;
        const char *file;
    } cases[] = {
        {FIXTURE, LAYOUT, GB_TABLE_TEXT, "tests/fixtures/golden/multipartition.txt"},
        {FIXTURE, LAYOUT, GB_TABLE_MARKDOWN, "tests/fixtures/golden/multipartition.md"},
        {FIXTURE, LAYOUT, GB_TABLE_LATEX, "tests/fixtures/golden/multipartition.tex"},
        {FIXTURE, NULL, GB_TABLE_TEXT, "tests/fixtures/golden/multipartition-plain.txt"},
        {QUICK_FIXTURE, LAYOUT, GB_TABLE_TEXT, "tests/fixtures/golden/multipartition-quick.txt"},
        {PUBLISHED, LAYOUT, GB_TABLE_TEXT, "tests/fixtures/golden/multipartition-published.txt"},
        {"tests/fixtures/radix-sort-fixture.csv", "plots/radix-sort.table.json", GB_TABLE_TEXT,
         "tests/fixtures/golden/radix-sort.txt"},
        {FIXTURE, "tests/fixtures/best-of.table.json", GB_TABLE_TEXT,
         "tests/fixtures/golden/best-of.txt"},
        {"results/published/radix-sort-table1.csv", NULL, GB_TABLE_TEXT,
         "tests/fixtures/golden/radix-sort-published-plain.txt"},
        {"tests/fixtures/radix-sort-modern-fixture.csv", "plots/radix-sort-modern.table.json",
         GB_TABLE_TEXT, "tests/fixtures/golden/radix-sort-modern.txt"},
        {"tests/fixtures/stencil-fixture.csv", "plots/stencil.table.json", GB_TABLE_TEXT,
         "tests/fixtures/golden/stencil.txt"},
        {"tests/fixtures/stencil-fixture.csv", "plots/stencil.table.json", GB_TABLE_MARKDOWN,
         "tests/fixtures/golden/stencil.md"},
        {"tests/fixtures/stencil-fixture.csv", "plots/stencil.table.json", GB_TABLE_LATEX,
         "tests/fixtures/golden/stencil.tex"},
        {"tests/fixtures/stencil-modern-fixture.csv", "plots/stencil-modern.table.json",
         GB_TABLE_TEXT, "tests/fixtures/golden/stencil-modern.txt"},
        {"tests/fixtures/radix-sort-multi-fixture.csv", "plots/radix-sort-multi.table.json",
         GB_TABLE_TEXT, "tests/fixtures/golden/radix-sort-multi.txt"},
        {"results/published/stencil-figure3.csv", NULL, GB_TABLE_TEXT,
         "tests/fixtures/golden/stencil-published-plain.txt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = table_of(cases[i].fixture, cases[i].layout, NULL, cases[i].format);
        assert_golden(cases[i].file, text);
        free(text);
    }
}

static void significant_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {{98.04, 3, "98.0"},  {99.97, 3, "100"},   {0.0123456, 3, "0.0123"},
                 {1234.5, 3, "1234"}, {7.4, 2, "7.4"},     {0.73, 2, "0.73"},
                 {9.999, 3, "10.0"},  {0.9996, 3, "1.00"}, {0, 3, "0"}};
    gb_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(gb_significant(&arena, cases[i].value, cases[i].digits), cases[i].text);
    gb_arena_free(&arena);
}

/* No line of text is wider than the limit, not even of many columns. */
static void text_fits(void **state)
{
    (void)state;
    const char *layouts[] = {LAYOUT, NULL};
    for (size_t l = 0; l < 2; l++) {
        gb_arena arena = {0};
        gb_choices all = {0};
        gb_choices_add(&arena, &all, "dist", "all");
        char *text = table_of(FIXTURE, layouts[l], &all, GB_TABLE_TEXT);
        size_t width = 0, lines = 0;
        for (const char *at = text; *at; at++) {
            width = *at == '\n' ? 0 : width + (((unsigned char)*at & 0xC0) != 0x80);
            lines += *at == '\n';
            if (width > GB_TABLE_WIDTH) fail_msg("line %zu is wider than the limit", lines + 1);
        }
        assert_true(lines > 20);
        free(text);
        gb_arena_free(&arena);
    }
}

/* The columns that do not fit follow in a second grid, under the same rows. */
static void wide_panel_is_broken(void **state)
{
    (void)state;
    enum { COLUMNS = 40 };
    gb_arena arena = {0};
    const char *head[COLUMNS], *cells[COLUMNS], **rows[] = {cells};
    for (size_t c = 0; c < COLUMNS; c++) {
        head[c] = gb_arena_printf(&arena, "h%zu", c);
        cells[c] = gb_arena_printf(&arena, "c%zu", c);
    }
    bool begins[] = {true};
    gb_table_panel panel = {.title = "",
                            .head = head,
                            .columns = COLUMNS,
                            .stubs = 1,
                            .rows = rows,
                            .begins_block = begins,
                            .row_count = 1};
    gb_table table = {.title = "t", .caption = "", .panels = &panel, .panel_count = 1};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    gb_table_write(&arena, &table, GB_TABLE_TEXT, file);
    fclose(file);
    int stubs = 0;
    for (const char *at = text; (at = strstr(at, "\nc0 ")); at++)
        stubs++;
    assert_int_equal(stubs, 2);
    assert_non_null(strstr(text, "c39"));
    free(text);
    gb_arena_free(&arena);
}

static int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

static void reasons_are_listed_once(void **state)
{
    (void)state;
    char *text = table_of(FIXTURE, LAYOUT, NULL, GB_TABLE_TEXT);
    assert_int_equal(count_of(text, "multisplit as published handles"), 1);
    assert_int_equal(count_of(text, "the range function is the keys' top bits"), 1);
    assert_int_equal(count_of(text, "differ from cell to cell"), 1);
    /* The reason of a line that is not printed is not listed either. */
    assert_int_equal(count_of(text, "at most 361 bins"), 0);
    free(text);
}

static void failures_have_no_number(void **state)
{
    (void)state;
    char *text = table_of(FIXTURE, LAYOUT, NULL, GB_TABLE_TEXT);
    assert_int_equal(count_of(text, "wrong"), 1);
    assert_int_equal(count_of(text, "timeout"), 1);
    assert_non_null(strstr(text, "large: bin 17 holds key 4026531840"));
    assert_non_null(strstr(text, "cub-label-sort: no answer within 60 s"));
    free(text);
}

static void uncertain_values_are_marked(void **state)
{
    (void)state;
    char *text = table_of(FIXTURE, LAYOUT, NULL, GB_TABLE_TEXT);
    assert_int_equal(count_of(text, " ±3.1%"), 1);
    assert_int_equal(count_of(text, "%"), 3); /* that cell and twice the caption */
    assert_int_equal(count_of(text, "±"), 8); /* these, and speed-ups */
    assert_int_equal(count_of(text, "* measured while"), 1);
    free(text);
}

/* The quick run's n is not the paper's, and its times are not a GPU's. */
static void simt_stands_alone(void **state)
{
    (void)state;
    char *text = table_of(QUICK_FIXTURE, LAYOUT, NULL, GB_TABLE_TEXT);
    assert_null(strstr(text, "(paper)"));
    assert_non_null(strstr(text, "16Ki"));
    assert_non_null(strstr(text, "not a GPU's times"));
    free(text);
}

static void layout_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{", ":1:2: the file ends before its JSON does"},
        {"[]", "$: must be an object"},
        {"{\"schema\":2}", "$.schema: must be 1"},
        {"{\"schema\":1,\"colour\":1}", "unknown key \"colour\"; allowed: schema, title"},
        {"{\"schema\":1,\"schema\":1}", "stands twice"},
        {"{\"schema\":1}", ":1:1: $.title: is missing"},
        {"{\"schema\":1,\n \"novel\":1}", ":2:2: $: unknown key \"novel\""},
        {"{\"schema\":1,\"title\":\"t\",\"unit\":\"u\",\"columns\":\"bins\"}", "$.rows: must name"},
        {"{\"schema\":1,\"title\":\"t\",\"unit\":\"u\",\"columns\":\"bins\",\"rows\":[\"n\"],"
         "\"scale\":0}",
         "$.scale: must be a number above 0"},
        {"{\"schema\":1,\"title\":\"t\",\"unit\":\"u\",\"columns\":\"bins\",\"rows\":[\"n\"],"
         "\"ranges\":1}",
         "$.ranges: must be true or false"},
        {"{\"schema\":1,\"title\":\"t\",\"unit\":\"u\",\"columns\":\"bins\",\"rows\":[\"n\"],"
         "\"ratios\":[{\"label\":\"x\",\"of\":\"a\"}]}",
         "$.ratios[0].over: is missing"},
    };
    char path[] = "/tmp/gpubench-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *file = fopen(path, "w");
        fputs(cases[i].json, file);
        fclose(file);
        gb_arena arena = {0};
        gb_table_layout layout;
        gb_error error = {0};
        assert_false(gb_table_layout_load(&arena, path, &layout, &error));
        if (!strstr(error.text, cases[i].message))
            fail_msg("%s\n  expected: %s\n  found:    %s", cases[i].json, cases[i].message,
                     error.text);
        gb_arena_free(&arena);
    }
    remove(path);
}

/* The interval decides the digits of both, and holds both ends. */
static void ratios_and_intervals(void **state)
{
    (void)state;
    static const struct {
        gb_ratio ratio;
        const char *text, *value, *interval;
    } cases[] = {
        {{1.4712, 1.4700, 1.4725, false}, "1.471 ±0.002", "1.471", "1.470 to 1.472"},
        {{1.4712, 1.4712, 1.4712, false}, "1.471 ±0.001", "1.471", "1.471 to 1.471"},
        {{1.4712, 1.4300, 1.5200, false}, "1.47 ±0.05", "1.47", "1.43 to 1.52"},
        {{1.4712, 1.4500, 1.4900, false}, "1.471 ±0.022", "1.471", "1.450 to 1.490"},
        {{0.084512, 0.0844, 0.0846, false}, "0.0845 ±0.0002", "0.0845", "0.0844 to 0.0846"},
        {{0.99961, 0.9990, 1.0002, false}, "0.9996 ±0.0007", "0.9996", "0.9990 to 1.0002"},
        {{133.26, 133.10, 133.40, false}, "133.3 ±0.2", "133.3", "133.1 to 133.4"},
        {{1234.5, 1100, 1400, false}, "1234 ±166", "1234", "1100 to 1400"},
        {{1.8, 1.2, 2.9, false}, "1.8 (1.2 to 2.9)", "1.8", "1.2 to 2.9"},
        {{1.8, 0, 0, true}, "1.8 unstable", "1.8", "unstable"},
        {{1.84, 0, 0, false}, "1.8", "1.8", "none"},
        {{0, 0, 0, false}, "", "", "none"},
    };
    gb_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(gb_ratio_text(&arena, &cases[i].ratio), cases[i].text);
        assert_string_equal(gb_ratio_value_text(&arena, &cases[i].ratio), cases[i].value);
        assert_string_equal(gb_ratio_interval_text(&arena, &cases[i].ratio), cases[i].interval);
    }
    gb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_and_intervals),    cmocka_unit_test(golden),
        cmocka_unit_test(significant_digits),      cmocka_unit_test(text_fits),
        cmocka_unit_test(wide_panel_is_broken),    cmocka_unit_test(reasons_are_listed_once),
        cmocka_unit_test(failures_have_no_number), cmocka_unit_test(uncertain_values_are_marked),
        cmocka_unit_test(simt_stands_alone),       cmocka_unit_test(layout_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
