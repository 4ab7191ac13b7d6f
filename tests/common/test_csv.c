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

/* A file cut at any byte still reads: a last row that has its fields counts, with a word about its
 * missing line end; complete_bytes and terminated_bytes say what to keep. */
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
        const size_t open = cut - ends[rows];
        /* any header is one; of the others, those behind whose second comma the file ends */
        const bool kept = open > 0 && (rows == 0 || open >= (rows == 2 ? 10 : 4));
        gb_error error = {GB_OK, ""};
        gb_csv *csv = read_text(part, &error);
        if (!csv) fail_msg("cut at %zu: %s", cut, error.text);
        assert_int_equal(csv->row_count, rows + kept ? rows + kept - 1 : 0);
        assert_int_equal(csv->complete_bytes, kept ? cut : ends[rows]);
        assert_int_equal(csv->terminated_bytes, ends[rows]);
        assert_int_equal(csv->unterminated, kept);
        assert_int_equal(csv->torn_line, open > 0 && !kept ? rows + 1 : 0);
        if (rows) assert_int_equal(csv->columns, 3);
        gb_csv_free(csv);
    }
}

static void test_last_row_without_line_end(void **state)
{
    (void)state;
    static const char *const texts[] = {"a,b\n1,2\n3,4", "a,b\r\n1,2\r\n3,4\r",
                                        "a,b\n1,2\n3,\"4\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gb_error error;
        gb_csv *csv = read_text(texts[i], &error);
        assert_non_null(csv);
        assert_int_equal(csv->row_count, 2);
        assert_string_equal(csv->rows[1][1], "4");
        assert_true(csv->unterminated);
        assert_int_equal(csv->complete_bytes, strlen(texts[i]));
        gb_csv_free(csv);
    }
}

static void test_empty_lines(void **state)
{
    (void)state;
    gb_error error;
    gb_csv *csv = read_text("a,b\n\n1,2\n\r\n3,4\n\n", &error);
    assert_non_null(csv);
    assert_int_equal(csv->row_count, 2);
    assert_string_equal(csv->rows[1][0], "3");
    assert_int_equal(csv->complete_bytes, 15);
    gb_csv_free(csv);
    csv = read_text("a\n\n1\n", &error); /* of one column, an empty line is a row */
    assert_non_null(csv);
    assert_int_equal(csv->row_count, 2);
    gb_csv_free(csv);
}

/* Rows of a file larger than the buffer, across whose end some of them lie; quoted line ends. */
static void test_stream(void **state)
{
    (void)state;
    enum { ROWS = 300000 };
    FILE *file = fopen(path, "wb");
    fputs("name,n\n", file);
    for (int row = 0; row < ROWS; row++)
        fprintf(file, "\"a \"\"line\"\"\nof, %d\",%d\n", row, row);
    fclose(file);
    gb_error error = {GB_OK, ""};
    file = fopen(path, "rb");
    gb_csv_stream *stream = gb_csv_open(file, path, GB_UNSUPPORTED, &error);
    assert_non_null(stream);
    gb_csv_row row;
    assert_int_equal(gb_csv_next(stream, &row, &error), GB_CSV_ROW);
    for (int i = 0; i < ROWS; i++) {
        char text[64];
        snprintf(text, sizeof text, "a \"line\"\nof, %d", i);
        assert_int_equal(gb_csv_next(stream, &row, &error), GB_CSV_ROW);
        assert_int_equal(row.line, 2 + 2 * i);
        assert_int_equal(row.count, 2);
        assert_string_equal(row.fields[0], text);
        assert_int_equal(atoi(row.fields[1]), i);
    }
    assert_int_equal(gb_csv_next(stream, &row, &error), GB_CSV_END);
    gb_csv_close(stream);
    fclose(file);
}

/* Where the table reader leaves a torn row out, the stream says that it is there. */
static void test_stream_torn(void **state)
{
    (void)state;
    gb_error error = {GB_OK, ""};
    FILE *file = fopen(path, "wb");
    fputs("a,b\n1,2\n3", file);
    fclose(file);
    file = fopen(path, "rb");
    gb_csv_stream *stream = gb_csv_open(file, path, GB_UNSUPPORTED, &error);
    gb_csv_row row;
    assert_int_equal(gb_csv_next(stream, &row, &error), GB_CSV_ROW);
    assert_int_equal(gb_csv_next(stream, &row, &error), GB_CSV_ROW);
    assert_int_equal(gb_csv_next(stream, &row, &error), GB_CSV_TORN);
    assert_int_equal(error.status, GB_UNSUPPORTED);
    assert_non_null(strstr(error.text, ":3: the file ends within this row"));
    assert_int_equal(gb_csv_next(stream, &row, &error), GB_CSV_END);
    gb_csv_close(stream);
    fclose(file);
}

/* What is no CSV is called what it is. */
static void test_no_csv(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *message;
    } table[] = {
        {"\x1F\x8B\x08\0\0", 5, "compressed by gzip"},
        {"\x28\xB5\x2F\xFD\x24", 5, "compressed by zstd"},
        {"\xFD"
         "7zXZ\0\0",
         7, "compressed by xz"},
        {"BZh91AY&SY\0", 11, "compressed by bzip2"},
        {"PK\x03\x04\x14", 5, "a spreadsheet"},
        {"\xFF\xFEx\0,\0y\0", 8, "UTF-16"},
        {"\xFE\xFF\0x\0,\0y", 8, "UTF-16"},
        {"x\0,\0y\0,\0z\0", 10, "UTF-16"},
        {"\x93NUMPY\x01\0", 8, "a NumPy array"},
        {"%PDF-1.4\n", 9, "a PDF"},
        {" \n<!DOCTYPE HTML>", 17, "a web page"},
        {"\x7F"
         "ELF\x02",
         5, "ELF"},
        {"a,b\n1,\0\n", 9, ":2: a NUL byte"},
        {"a,b\n1,2\0,5\n3,4\n", 15, ":2: a NUL byte"},
        {"a;b\n1;2\n", 8, ":1: ';' separates the columns"},
        {"a\tb\n1\t2\n", 8, ":1: tabs separate the columns"},
        {"x,y\n1,5,2,5\n3,5,4,5\n", 20, ":2: 4 fields instead of 2 (are these decimal commas?"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        gb_error error = {GB_OK, ""};
        char *text = malloc(table[i].size + 1);
        memcpy(text, table[i].bytes, table[i].size);
        text[table[i].size] = '\0';
        gb_csv *csv = gb_csv_parse(text, table[i].size, "in.csv", &error);
        assert_null(csv);
        if (!strstr(error.text, table[i].message))
            fail_msg("'%s' does not say '%s'", error.text, table[i].message);
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
                 {"a,b\n\"x\ny\",2\n\n3\n4,5\n", ":5: 1 fields instead of 2"},
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
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_torn_anywhere),
        cmocka_unit_test(test_short_last_row),
        cmocka_unit_test(test_last_row_without_line_end),
        cmocka_unit_test(test_empty_lines),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_stream_torn),
        cmocka_unit_test(test_no_csv),
        cmocka_unit_test(test_malformed),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_100000_rows),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
