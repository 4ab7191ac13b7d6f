/* Result files in memory: what is refused and why, later rows over earlier ones, torn files, and
 * the slices that choices leave. */
#include "common/protocol/flags.h"
#include "tests/driver/table_fixture.h"

#include <unistd.h>

#define HEADER                                                                                \
    "schema,run_id,experiment,primitive,variant,backend,device,n,kind_of,cache,scope,status," \
    "reason,samples,unit,items,time_mean_s,rate,flags\n"
#define ROW(variant, backend, n, kind_of, cache, rate)                                   \
    "1,r,e,p," variant "," backend ",d," n "," kind_of "," cache ",device,ok,,5,keys," n \
    ",1," rate ",\n"

static char path[] = "/tmp/gpubench-rows-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    if (descriptor >= 0) close(descriptor);
    return descriptor < 0;
}

static int remove_file(void **state)
{
    (void)state;
    return remove(path);
}

static void write_file(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void refused_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"run_id,point,variant,index,time_s\n", "is no result file: it has no column"},
        {HEADER "2,r,e,p,v,cuda,d,1,a,warm,device,ok,,5,keys,1,1,1,\n", "has schema '2'"},
        {HEADER "1,r,e,p,v,cuda,d,1,a,warm,device,fine,,5,keys,1,1,1,\n", "unknown status 'fine'"},
        {HEADER ROW("v", "cuda", "1", "a", "warm", "1e9") ROW("v", "cuda", "2", "a", "warm", "x"),
         "data row 2, column rate: 'x' is not a finite decimal number"},
        {HEADER ROW("v", "cuda", "1", "a", "warm", "1e999"),
         "'1e999' is not a finite decimal number"},
        {HEADER ROW("v", "cuda", "1", "a", "warm", "nan"), "'nan' is not a finite decimal number"},
        {HEADER ROW("v", "cuda", "1", "a", "warm", "0x1p3"), "'0x1p3' is not a finite decimal"},
        {HEADER ROW("v", "cuda", "1", "a", "warm", " 1"), "' 1' is not a finite decimal number"},
        {HEADER "1,r,../e,p,v,cuda,d,1,a,warm,device,ok,,5,keys,1,1,1,\n",
         "column experiment: '../e' is not the name of an experiment"},
        {HEADER "1,r,e,/p,v,cuda,d,1,a,warm,device,ok,,5,keys,1,1,1,\n",
         "column primitive: '/p' is not the name of a primitive"},
        {"schema,experiment,primitive,variant,device,n;m,cache,status,rate\n",
         "the column 'n;m' is not the name of an axis"},
        {"schema,experiment,primitive,variant,device,cache,status,rate\n", "1 to 8 axis columns"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(cases[i].text);
        gb_results results = {0};
        gb_error error = {0};
        assert_false(gb_results_add(&results, path, &error));
        if (!strstr(error.text, cases[i].message))
            fail_msg("expected: %s\n  found: %s", cases[i].message, error.text);
        gb_results_free(&results);
    }
    gb_results results = {0};
    gb_error error = {0};
    assert_false(gb_results_add(&results, "/no/such/file.csv", &error));
    assert_non_null(strstr(error.text, "/no/such/file.csv"));
    gb_results_free(&results);
}

static void later_rows_count(void **state)
{
    (void)state;
    write_file(HEADER ROW("v", "cuda", "1", "a", "warm", "1e9") ROW(
        "v", "cuda", "1", "a", "cold", "2e9") ROW("v", "cuda", "1", "a", "warm", "3e9"));
    gb_results results = {0};
    load(&results, path);
    assert_int_equal(results.set_count, 1);
    assert_int_equal(results.sets[0].row_count, 2);
    assert_true(results.sets[0].rows[0].rate == 3e9);
    assert_true(results.sets[0].rows[1].rate == 2e9);
    gb_results_free(&results);
}

/* A flag that this version does not know takes nothing from the others, and stays in the text. */
static void flags_are_read(void **state)
{
    (void)state;
    write_file(HEADER "1,r,e,p,v,cuda,d,1,a,warm,device,ok,,5,keys,1,1,1e9,drift;haunted\n"
                      "1,r,e,p,v,cuda,d,2,a,warm,device,ok,,5,keys,1,1,1e9,\n");
    gb_results results = {0};
    load(&results, path);
    const gb_result_row *rows = results.sets[0].rows;
    assert_int_equal(rows[0].flags, GB_FLAG_DRIFT);
    assert_string_equal(rows[0].flags_text, "drift;haunted");
    assert_int_equal(rows[1].flags, 0);
    assert_string_equal(rows[1].flags_text, "");
    gb_results_free(&results);
}

static void many_rows_are_found(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    fputs(HEADER, file);
    for (int n = 1; n <= 5000; n++)
        fprintf(file, "1,r,e,p,v,cuda,d,%d,a,warm,device,ok,,5,keys,1,1,%d,\n", n, n);
    fclose(file);
    gb_results results = {0};
    load(&results, path);
    const gb_result_set *set = &results.sets[0];
    assert_int_equal(set->row_count, 5000);
    for (size_t i = 0; i < set->row_count; i++)
        assert_ptr_equal(gb_result_find(set, &set->rows[i]), &set->rows[i]);
    gb_result_row key = set->rows[0];
    key.variant = "w";
    assert_null(gb_result_find(set, &key));
    gb_results_free(&results);
}

static void torn_row_is_left_out(void **state)
{
    (void)state;
    write_file(HEADER ROW("v", "cuda", "1", "a", "warm", "1e9") "1,r,e,p,v,cuda,d,2,a,wa");
    gb_results results = {0};
    load(&results, path);
    assert_int_equal(results.sets[0].row_count, 1);
    gb_results_free(&results);
}

static void simt_is_kept_apart(void **state)
{
    (void)state;
    write_file(HEADER ROW("v", "cuda", "1", "a", "warm", "1e9")
                   ROW("v", "simt", "1", "a", "warm", "2e9"));
    gb_results results = {0};
    load(&results, path);
    assert_int_equal(results.set_count, 2);
    assert_false(results.sets[0].simt);
    assert_true(results.sets[1].simt);
    gb_results_free(&results);
}

/* What was measured elsewhere may hold anything: no terminal sees it as it is. */
static void texts_are_printable(void **state)
{
    (void)state;
    write_file(HEADER ROW("v\033[31m", "cuda", "1",
                          "\xC2\x9B"
                          "2J",
                          "warm", "1e9"));
    gb_results results = {0};
    load(&results, path);
    assert_string_equal(results.sets[0].rows[0].variant, "v?[31m");
    assert_string_equal(results.sets[0].rows[0].axis[1], "?2J");
    gb_results_free(&results);
}

/* Each row another value of everything: a table a combination would never end. */
static void too_many_slices(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    fputs(HEADER, file);
    for (int i = 0; i < 100; i++)
        fprintf(file, "1,r,e,p,v,cuda,d,%d,k%d,%s,%s,ok,,5,keys,1,1,1,\n", i, i,
                i % 2 ? "warm" : "cold", i % 3 ? "device" : "host-to-host");
    fclose(file);
    gb_arena arena = {0};
    gb_results results = {0};
    gb_slices slices;
    gb_error error = {0};
    gb_choices none = {0};
    const bool drawn[GB_MAX_AXES] = {false};
    load(&results, path);
    assert_false(gb_results_slice(&arena, &results.sets[0], drawn, &none, &none, &slices, &error));
    assert_non_null(strstr(error.text, "more than 1000 tables or figures"));
    gb_results_free(&results);
    gb_arena_free(&arena);
}

/* Warm host to host, cold on the device: nothing is both warm and on the device. */
static void preferred_values_that_never_meet(void **state)
{
    (void)state;
    write_file(HEADER "1,r,e,p,v,cuda,d,1,a,warm,host-to-host,ok,,5,keys,1,1,1,\n"
                      "1,r,e,p,v,cuda,d,1,a,cold,device,ok,,5,keys,1,1,1,\n");
    gb_arena arena = {0};
    gb_results results = {0};
    gb_slices slices;
    gb_error error = {0};
    gb_choices none = {0};
    const bool drawn[GB_MAX_AXES] = {true, true};
    load(&results, path);
    assert_false(gb_results_slice(&arena, &results.sets[0], drawn, &none, &none, &slices, &error));
    assert_non_null(
        strstr(error.text, "choose among what else there is: cache cold (--cache all)"));
    gb_results_free(&results);
    gb_arena_free(&arena);
}

/* A value that is a path stays within the folder of the figures. */
static void suffixes_are_names(void **state)
{
    (void)state;
    write_file(HEADER ROW("v", "cuda", "1", "file:/../x", "warm", "1e9")
                   ROW("v", "cuda", "1", "file:/../y", "warm", "1e9"));
    gb_arena arena = {0};
    gb_results results = {0};
    gb_slices slices;
    gb_error error = {0};
    gb_choices none = {0};
    const bool drawn[GB_MAX_AXES] = {true, false};
    load(&results, path);
    assert_true(gb_results_slice(&arena, &results.sets[0], drawn, &none, &none, &slices, &error));
    assert_int_equal(slices.count, 2);
    assert_string_equal(slices.items[0].suffix, "file__.._x-1");
    assert_string_equal(slices.items[1].suffix, "file__.._y-2");
    gb_results_free(&results);
    gb_arena_free(&arena);
}

/* Slices of rows n = 1, 1000000 by kind_of = a, b by warm, cold, with n drawn. */
static bool slice(const gb_choices *preferred, const gb_choices *chosen, gb_arena *arena,
                  gb_results *results, gb_slices *slices, gb_error *error)
{
    write_file(HEADER ROW("v", "cuda", "1000000", "a", "warm", "1")
                   ROW("v", "cuda", "1", "a", "cold", "2") ROW("v", "cuda", "1", "b", "warm", "3")
                       ROW("v", "cuda", "1", "a", "warm", "4"));
    load(results, path);
    const bool drawn[GB_MAX_AXES] = {true, false};
    return gb_results_slice(arena, &results->sets[0], drawn, preferred, chosen, slices, error);
}

static void slices_hold_what_is_not_drawn(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_results results = {0};
    gb_slices slices;
    gb_error error = {0};
    gb_choices none = {0}, prefer_a = {0}, choose_all = {0};
    gb_choices_add(&arena, &prefer_a, "kind_of", "a");
    gb_choices_add(&arena, &choose_all, "kind_of", "all");
    gb_choices_add(&arena, &choose_all, "cache", "all");

    assert_true(slice(&prefer_a, &none, &arena, &results, &slices, &error));
    assert_int_equal(slices.count, 1);
    assert_int_equal(slices.items[0].row_count, 2);
    assert_string_equal(slices.items[0].held, "kind_of a, warm cache, device scope");
    assert_string_equal(slices.items[0].suffix, "");
    assert_non_null(strstr(slices.hidden, "kind_of b (--kind_of all)"));
    gb_results_free(&results);

    assert_true(slice(&prefer_a, &choose_all, &arena, &results, &slices, &error));
    assert_int_equal(slices.count, 3); /* a warm, a cold, b warm: in order of appearance */
    assert_null(slices.hidden);
    assert_string_equal(slices.items[1].suffix, "a-cold");
    gb_results_free(&results);
    gb_arena_free(&arena);
}

static void choices_filter(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_results results = {0};
    gb_slices slices;
    gb_error error = {0};
    gb_choices none = {0}, one = {0}, missing = {0};
    gb_choices_add(&arena, &one, "n", "1M");
    gb_choices_add(&arena, &missing, "kind_of", "c");

    assert_true(slice(&none, &one, &arena, &results, &slices, &error));
    assert_int_equal(slices.count, 1);
    assert_int_equal(slices.items[0].row_count, 1);
    assert_string_equal(slices.items[0].rows[0]->axis[0], "1000000");
    gb_results_free(&results);

    assert_false(slice(&none, &missing, &arena, &results, &slices, &error));
    assert_non_null(strstr(error.text, "kind_of = c; there is: a, b"));

    const gb_option own[] = {{.name = "format", .argument = "F", .help = ""}, {0}};
    gb_choices typo = {0};
    gb_choices_add(&arena, &typo, "fromat", "text");
    assert_false(gb_choices_check(&typo, &results, own, &error));
    assert_non_null(strstr(error.text, "did you mean --format?"));
    assert_non_null(strstr(error.text, "--n, --kind_of"));
    assert_true(gb_choices_check(&one, &results, own, &error));
    gb_results_free(&results);
    gb_arena_free(&arena);
}

/* A folder stands for its current results alone. */
static void folder_holds_current_results(void **state)
{
    (void)state;
    static const char *const names[] = {"e.csv",
                                        "v1.2.csv",
                                        "e.samples.csv",
                                        "e.retried.csv",
                                        "e.20260102T030405Z-0a1b2c.csv",
                                        "e.20260102T030405Z-0a1b2c.samples.csv",
                                        ".hidden.csv",
                                        "e.meta.json"};
    enum { COUNT = sizeof names / sizeof *names, CURRENT = 2 };
    char folder[] = "/tmp/gpubench-rows-XXXXXX", file_name[COUNT][96];
    gb_results results = {0};
    gb_error error = {0};
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < COUNT; i++) {
        snprintf(file_name[i], sizeof file_name[i], "%s/%s", folder, names[i]);
        FILE *file = fopen(file_name[i], "w");
        assert_non_null(file);
        fprintf(file, HEADER "1,r,e%d,p,v,cuda,d,1,a,warm,device,ok,,5,keys,1,1,1,\n", i);
        fclose(file);
    }
    assert_true(gb_results_add(&results, folder, &error));
    assert_int_equal(results.file_count, CURRENT);
    gb_results_free(&results);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(remove(file_name[i]), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_files),
        cmocka_unit_test(later_rows_count),
        cmocka_unit_test(flags_are_read),
        cmocka_unit_test(many_rows_are_found),
        cmocka_unit_test(torn_row_is_left_out),
        cmocka_unit_test(simt_is_kept_apart),
        cmocka_unit_test(slices_hold_what_is_not_drawn),
        cmocka_unit_test(choices_filter),
        cmocka_unit_test(texts_are_printable),
        cmocka_unit_test(too_many_slices),
        cmocka_unit_test(preferred_values_that_never_meet),
        cmocka_unit_test(suffixes_are_names),
        cmocka_unit_test(folder_holds_current_results),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
