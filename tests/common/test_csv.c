/* CSV: what is written is read back; torn ends are cut, malformed rows named. */
/* test: fast 2 */
#include "common/text/csv.h"
#include "tests/harness/patience.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/test_csv_XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static gb_csv *read_text(const char *text, gb_error *error)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    return gb_csv_read(path, error);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const char *const fields[] = {"plain",      "",           "a,b",      "say \"hi\"",
                                         "two\nlines", "cr\rlf\r\n", " blanks ", "\"",
                                         ",",          "\xC3\xA4"};
    enum { COUNT = sizeof fields / sizeof *fields };
    FILE *file = fopen(path, "wb");
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < COUNT; i++)
            gb_csv_put(file, fields[i], i == 0);
        fputs("\n", file);
    }
    fclose(file);
    gb_error error;
    gb_csv *csv = gb_csv_read(path, &error);
    assert_non_null(csv);
    assert_int_equal(csv->columns, COUNT);
    assert_int_equal(csv->row_count, 2);
    for (int i = 0; i < COUNT; i++) {
        assert_string_equal(csv->header[i], fields[i]);
        assert_string_equal(csv->rows[1][i], fields[i]);
        assert_string_equal(gb_csv_field(csv, 0, fields[i]), fields[i]);
        assert_int_equal(gb_csv_column(csv, fields[i]), i);
    }
    assert_int_equal(gb_csv_column(csv, "none"), -1);
    assert_string_equal(gb_csv_field(csv, 0, "none"), "");
    gb_csv_free(csv);
}

static void test_line_ends(void **state)
{
    (void)state;
    gb_error error;
    gb_csv *csv = read_text("\xEF\xBB\xBF"
                            "a,b\r\n1,\"2\"\r\n3,\n",
                            &error);
    assert_non_null(csv);
    assert_string_equal(csv->header[0], "a");
    assert_string_equal(csv->rows[0][1], "2");
    assert_string_equal(csv->rows[1][1], "");
    assert_int_equal(csv->row_count, 2);
    gb_csv_free(csv);
}

/* A file cut at any byte still reads, and complete_bytes says what to keep. */
static void test_torn_anywhere(void **state)
{
    (void)state;
    static const char text[] = "a,b,c\n1,2,3\n4,\"x\"\"\t,\",6\n7,8,9\n";
    static const size_t ends[] = {0, 6, 12, 24, 30};
    for (size_t cut = 0; cut <= strlen(text); cut++) {
        char part[64] = "";
        memcpy(part, text, cut);
        size_t rows = 0;
        while (rows < 4 && ends[rows + 1] <= cut)
            rows++;
        gb_error error = {GB_OK, ""};
        gb_csv *csv = read_text(part, &error);
        if (!csv) fail_msg("cut at %zu: %s", cut, error.text);
        assert_int_equal(csv->row_count, rows ? rows - 1 : 0);
        assert_int_equal(csv->complete_bytes, ends[rows]);
        assert_int_equal(csv->columns, rows ? 3 : 0);
        gb_csv_free(csv);
    }
}

static void test_short_last_row(void **state)
{
    (void)state;
    gb_error error;
    gb_csv *csv = read_text("a,b\n1,2\n3\n", &error);
    assert_non_null(csv);
    assert_int_equal(csv->row_count, 1);
    assert_int_equal(csv->complete_bytes, 8);
    gb_csv_free(csv);
}

static void test_malformed(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } table[] = {{"a,b\n1\n2,3\n", ":2: 1 fields instead of 2"},
                 {"a,b\n1,2\n1,2,3\n", ":3: 3 fields instead of 2"},
                 {"a,b\n\"x\ny\",2\n\n3,4\n", ":4: 1 fields instead of 2"},
                 {"a,b\n1,x\"y\n3,4\n", ":2: a quote inside a field"},
                 {"a,b\n1,\"x\"y\n3,4\n", ":2: text after a closing quote"},
                 /* not torn: --resume would cut all that is behind it */
                 {"a,b\n1,2\n3,\"x\n5,6\n7,8\n", ":3: a quote that is never closed"},
                 {"a,b,a\n1,2,3\n", ":1: two columns are called 'a'"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gb_error error = {GB_OK, ""};
        gb_csv *csv = read_text(table[i].text, &error);
        assert_null(csv);
        if (!strstr(error.text, table[i].message))
            fail_msg("'%s' does not say '%s'", error.text, table[i].message);
    }
}

static void test_no_file(void **state)
{
    (void)state;
    gb_error error;
    assert_null(gb_csv_read("/nonexistent/x.csv", &error));
    assert_non_null(strstr(error.text, "/nonexistent/x.csv"));
    assert_null(gb_csv_read("/tmp", &error));
    gb_csv *csv = read_text("", &error);
    assert_non_null(csv);
    assert_int_equal(csv->columns, 0);
    assert_int_equal(csv->row_count, 0);
    gb_csv_free(csv);
}

static void test_100000_rows(void **state)
{
    (void)state;
    FILE *file = fopen(path, "wb");
    for (int row = 0; row <= 100000; row++) {
        for (int i = 0; i < 40; i++)
            fprintf(file, "%sfield%d_%d", i ? "," : "", row, i);
        fputs("\n", file);
    }
    fclose(file);
    struct timespec begin, end; /* of this process: other tests share the machine */
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    gb_error error;
    gb_csv *csv = gb_csv_read(path, &error);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    assert_non_null(csv);
    assert_int_equal(csv->row_count, 100000);
    assert_string_equal(csv->rows[99999][39], "field100000_39");
    gb_csv_free(csv);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    if (seconds > patience()) fail_msg("100000 rows took %.3f s", seconds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_torn_anywhere), cmocka_unit_test(test_short_last_row),
        cmocka_unit_test(test_malformed),     cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_100000_rows),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
