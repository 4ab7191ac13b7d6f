/* Resuming after worse than a kill: rows and samples that do not belong together any more, because
 * the power failed or because somebody was at the files. */
#include "tests/driver/results_fixture.h"

enum { LINES = 5 };

/* Three rows with their samples, in order: point 0 twice, point 2 once. */
static void write_three(void)
{
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    write_row(&output, 0, 1, GB_OK);
    write_row(&output, 1, 0, GB_UNSUPPORTED);
    write_row(&output, 2, 0, GB_OK);
    gb_output_close(&output);
    setup.resume = true;
    setup.run_id = "run-2";
}

static char *read_all(const char *path)
{
    static char text[16384];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void write_all(const char *path, const char *text)
{
    unlink(path);
    append_text(path, text);
}

/* The beginning of a line of a text, counted from 0. */
static char *line_of(char *text, int number)
{
    for (; number > 0; number--)
        text = strchr(text, '\n') + 1;
    return text;
}

/* Resumes; there must then be so many rows, and so many lines of samples. */
static void resume_to(size_t rows, size_t lines)
{
    gb_output output = open_output();
    assert_int_equal(output.rows_before, rows);
    gb_output_close(&output);
    gb_csv *csv = read_csv(csv_path), *samples = read_csv(samples_path);
    assert_int_equal(csv->row_count, rows);
    assert_int_equal(samples->row_count, lines);
    for (size_t i = 0; i < lines; i++)
        assert_int_equal(atol(samples->rows[i][4]), i % LINES);
    gb_csv_free(csv);
    gb_csv_free(samples);
}

static size_t retried_rows(void)
{
    char path[128];
    snprintf(path, sizeof path, "%s/demo.retried.csv", folder);
    if (size_of(path) < 0) return 0;
    gb_csv *csv = read_csv(path);
    size_t rows = csv->row_count;
    gb_csv_free(csv);
    return rows;
}

static void test_sound(void **state)
{
    (void)state;
    write_three();
    char *before = strdup(read_all(samples_path));
    resume_to(4, 3 * LINES);
    assert_string_equal(read_all(samples_path), before);
    assert_int_equal(retried_rows(), 0);
    free(before);
}

/* Samples at the end did not reach the disk, but their row did. */
static void test_lost_end(void **state)
{
    (void)state;
    write_three();
    assert_int_equal(truncate(samples_path, size_of(samples_path) - 30), 0);
    resume_to(3, 2 * LINES);
    assert_int_equal(retried_rows(), 1);
    gb_output output = open_output();
    assert_false(gb_output_has(&output, &points[2], 0, false, GB_SCOPE_DEVICE));
    assert_true(gb_output_has(&output, &points[0], 1, false, GB_SCOPE_DEVICE));
    write_row(&output, 2, 0, GB_OK);
    gb_output_close(&output);
    resume_to(4, 3 * LINES);
}

/* A line in the middle is gone: so are the other samples of its row, and no others. */
static void test_lost_middle(void **state)
{
    (void)state;
    write_three();
    char *text = read_all(samples_path), *line = line_of(text, 1 + LINES + 2);
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    write_all(samples_path, text);
    resume_to(3, 2 * LINES);
    gb_csv *csv = read_csv(csv_path);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(gb_csv_field(csv, i, "variant"), "multipartition");
    gb_csv_free(csv);
    assert_int_equal(retried_rows(), 1);
}

/* As many lines as there should be, but one of them twice and another not at all. */
static void test_lost_number(void **state)
{
    (void)state;
    write_three();
    char *text = read_all(samples_path), *line = line_of(text, 1 + LINES + 2);
    char *number = strstr(line, ",warm,2,");
    assert_true(number && number < strchr(line, '\n'));
    number[6] = '1';
    write_all(samples_path, text);
    resume_to(3, 2 * LINES);
    assert_int_equal(retried_rows(), 1);
}

/* Zeros instead of text: a file grew, but what was written did not reach the disk. */
static void test_zeros(void **state)
{
    (void)state;
    write_three();
    assert_int_equal(truncate(samples_path, size_of(samples_path) - 200), 0);
    assert_int_equal(truncate(samples_path, size_of(samples_path) + 200), 0);
    resume_to(3, 2 * LINES);
}

/* The row did not reach the disk, and others came after it. */
static void test_orphans_in_the_middle(void **state)
{
    (void)state;
    write_three();
    char *text = read_all(csv_path), *line = line_of(text, 2);
    memmove(line, strchr(line, '\n') + 1, strlen(strchr(line, '\n') + 1) + 1);
    write_all(csv_path, text);
    resume_to(3, 2 * LINES);
    assert_int_equal(retried_rows(), 0);
}

static void test_twice(void **state)
{
    (void)state;
    write_three();
    char *text = strdup(read_all(csv_path)), *line = line_of(text, 1);
    *strchr(line, '\n') = 0;
    append_text(csv_path, line);
    append_text(csv_path, "\n");
    resume_to(4, 3 * LINES);
    assert_int_equal(retried_rows(), 1);
    free(text);
}

/* What somebody took away, they may bring back: nothing is touched. */
static void test_taken_away(void **state)
{
    (void)state;
    char away[160];
    write_three();
    off_t size = size_of(csv_path);
    snprintf(away, sizeof away, "%s/away", folder);
    assert_int_equal(rename(samples_path, away), 0);
    refuse_output("its samples, ");
    assert_int_equal(size_of(csv_path), size);
    write_all(samples_path, "time,to\n1,2\n");
    refuse_output("does not begin with run_id,point,variant,cache,index,time_s");
    assert_int_equal(size_of(samples_path), 12);
    assert_int_equal(rename(away, samples_path), 0);
    resume_to(4, 3 * LINES);
    /* Samples without any rows are kept under another name. */
    assert_int_equal(unlink(csv_path), 0);
    size = size_of(samples_path);
    gb_output output = open_output();
    assert_int_equal(output.rows_before, 0);
    gb_output_close(&output);
    char command[160];
    snprintf(command, sizeof command, "[ $(stat -c %%s %s/demo.samples-*Z.samples.csv) = %ld ]",
             folder, (long)size);
    assert_int_equal(system(command), 0);
}

/* A row that is measured again joins those that were before it, under the same header. */
static void test_retried_twice(void **state)
{
    (void)state;
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_TIMEOUT);
    gb_output_close(&output);
    setup.resume = setup.retry = true;
    for (int i = 2; i < 4; i++) {
        char run_id[16];
        snprintf(run_id, sizeof run_id, "run-%d", i);
        setup.run_id = run_id;
        output = open_output();
        assert_int_equal(retried_rows(), i - 1);
        write_row(&output, 0, 0, GB_TIMEOUT);
        gb_output_close(&output);
    }
    /* They move aside with the run that they belong to. */
    setup.resume = setup.retry = false;
    output = open_output();
    gb_output_close(&output);
    assert_int_equal(retried_rows(), 0);
    char path[160];
    snprintf(path, sizeof path, "%s/demo.run-3.retried.csv", folder);
    gb_csv *csv = read_csv(path);
    assert_int_equal(csv->row_count, 2);
    gb_csv_free(csv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_sound),
        TEST(test_lost_end),
        TEST(test_lost_middle),
        TEST(test_lost_number),
        TEST(test_zeros),
        TEST(test_twice),
        TEST(test_orphans_in_the_middle),
        TEST(test_taken_away),
        TEST(test_retried_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
