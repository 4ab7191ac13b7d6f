/* Resuming: what a run that was killed leaves, and how the next goes on from it. */
/* test: fast alone unsanitized 4 */
#include "common/protocol/axis_value.h"
#include "tests/driver/results_fixture.h"
#include "tests/harness/patience.h"

#include <fcntl.h>
#include <math.h>
#include <time.h>

static void test_resume(void **state)
{
    (void)state;
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    write_row(&output, 0, 1, GB_TIMEOUT);
    gb_output_close(&output);
    setup.resume = true;
    setup.run_id = "run-2";
    output = open_output();
    assert_int_equal(output.rows_before, 2);
    assert_true(gb_output_has(&output, &points[0], 0, false, GB_SCOPE_DEVICE));
    assert_true(gb_output_has(&output, &points[0], 1, false, GB_SCOPE_DEVICE));
    assert_false(gb_output_has(&output, &points[0], 0, true, GB_SCOPE_DEVICE));
    assert_false(gb_output_has(&output, &points[1], 0, false, GB_SCOPE_DEVICE));
    write_row(&output, 2, 0, GB_OK);
    gb_output_close(&output);
    gb_csv *csv = read_csv(csv_path);
    assert_int_equal(csv->row_count, 3);
    assert_string_equal(gb_csv_field(csv, 0, "run_id"), "run-1");
    assert_string_equal(gb_csv_field(csv, 2, "run_id"), "run-2");
    gb_csv_free(csv);
    /* --retry takes the failed row out, and keeps it elsewhere. */
    setup.retry = true;
    output = open_output();
    assert_true(gb_output_has(&output, &points[0], 0, false, GB_SCOPE_DEVICE));
    assert_false(gb_output_has(&output, &points[0], 1, false, GB_SCOPE_DEVICE));
    gb_output_close(&output);
    csv = read_csv(csv_path);
    assert_int_equal(csv->row_count, 2);
    gb_csv_free(csv);
    char path[128];
    snprintf(path, sizeof path, "%s/demo.retried.csv", folder);
    csv = read_csv(path);
    assert_int_equal(csv->row_count, 1);
    assert_string_equal(gb_csv_field(csv, 0, "status"), "timeout");
    gb_csv_free(csv);
}

static void test_resume_without_file(void **state)
{
    (void)state;
    setup.resume = true;
    gb_output output = open_output();
    assert_int_equal(output.rows_before, 0);
    write_row(&output, 0, 0, GB_OK);
    gb_output_close(&output);
    output = open_output();
    assert_int_equal(output.rows_before, 1);
    gb_output_close(&output);
}

static size_t read_bytes(const char *path, char *text, size_t capacity)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, capacity, file);
    fclose(file);
    return size;
}

static void write_bytes(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* A run killed at any byte of the last row, or of its samples, resumes to the same files. */
static void test_torn_anywhere(void **state)
{
    (void)state;
    static char first_csv[8192], first_samples[8192], csv[8192], samples[8192], now[8192];
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    size_t first_csv_size = read_bytes(csv_path, first_csv, sizeof first_csv);
    size_t first_samples_size = read_bytes(samples_path, first_samples, sizeof first_samples);
    write_row(&output, 2, 1, GB_OK);
    gb_output_close(&output);
    size_t csv_size = read_bytes(csv_path, csv, sizeof csv);
    size_t samples_size = read_bytes(samples_path, samples, sizeof samples);
    setup.resume = true;
    for (size_t cut = first_samples_size; cut < samples_size; cut += 3) {
        write_bytes(samples_path, samples, cut);
        write_bytes(csv_path, csv, first_csv_size);
        output = open_output();
        gb_output_close(&output);
        assert_int_equal(read_bytes(samples_path, now, sizeof now), first_samples_size);
        assert_memory_equal(now, first_samples, first_samples_size);
    }
    for (size_t cut = 0; cut < csv_size; cut++) {
        write_bytes(samples_path, samples, samples_size);
        write_bytes(csv_path, csv, cut);
        output = open_output();
        /* of a row only its line end may be missing */
        size_t rows = (size_t)(cut + 1 >= first_csv_size) + (cut + 1 == csv_size);
        assert_int_equal(output.rows_before, rows);
        if (rows == 1) write_row(&output, 2, 1, GB_OK);
        if (rows) {
            assert_int_equal(read_bytes(csv_path, now, sizeof now), csv_size);
            assert_memory_equal(now, csv, csv_size);
            assert_int_equal(read_bytes(samples_path, now, sizeof now), samples_size);
            assert_memory_equal(now, samples, samples_size);
        }
        gb_output_close(&output);
    }
}

/* Where both scopes are measured, a row of one is not the other's, nor are its samples. */
static void test_both_scopes(void **state)
{
    (void)state;
    config.measure.both_scopes = true;
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    gb_row row = make_row(0, 0, GB_OK);
    row.scope = GB_SCOPE_HOST_TO_HOST;
    gb_error error = {GB_OK, ""};
    assert_true(gb_output_write(&output, &row, times, 5, &error));
    gb_output_close(&output);
    char samples[4096];
    samples[read_bytes(samples_path, samples, sizeof samples - 1)] = '\0';
    assert_says(samples, ";payload=none;scope=device,", "the samples");
    assert_says(samples, ";payload=none;scope=host-to-host,", "the samples");
    setup.resume = true;
    output = open_output();
    assert_int_equal(output.rows_before, 2);
    assert_true(gb_output_has(&output, &points[0], 0, false, GB_SCOPE_DEVICE));
    assert_true(gb_output_has(&output, &points[0], 0, false, GB_SCOPE_HOST_TO_HOST));
    assert_false(gb_output_has(&output, &points[0], 1, false, GB_SCOPE_HOST_TO_HOST));
    gb_output_close(&output);
    gb_csv *csv = read_csv(csv_path);
    assert_int_equal(csv->row_count, 2);
    assert_string_equal(gb_csv_field(csv, 0, "scope"), "device");
    assert_string_equal(gb_csv_field(csv, 1, "scope"), "host-to-host");
    gb_csv_free(csv);
    config.measure.both_scopes = false;
    refuse_output("scope 'host-to-host', this run 'device'");
}

static void test_other_experiment(void **state)
{
    (void)state;
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    gb_output_close(&output);
    off_t size = size_of(csv_path);
    size_t header_size;
    setup.resume = true;
    config.seed = 8;
    refuse_output("seed '7', this run '8'");
    config.seed = 7;
    config.measure.scope = GB_SCOPE_HOST_TO_HOST;
    refuse_output("scope 'device', this run 'host-to-host'");
    config.measure.scope = GB_SCOPE_DEVICE;
    setup.device = &catalogue->devices[1];
    refuse_output("device 'simt on 2 cores'");
    setup.device = &catalogue->devices[0];
    append_text(meta_path, "{ \"schema\": 1, \"quick\":\ttrue, \"config\": {\"quick\": {}} }");
    refuse_output("add --quick");
    config.quick = true;
    config.measure.device_memory = 65536;
    refuse_output("measured with measure.device_memory 0, this run has 65536 (0: no limit)");
    unlink(meta_path);
    append_text(meta_path, "{ \"quick\": true, \"device_memory\":\t65536, \"config\": "
                           "{\"measure\": {\"device_memory\": \"1Mi\"}} }");
    output = open_output();
    gb_output_close(&output);
    config.measure.device_memory = 65537;
    refuse_output("measured with measure.device_memory 65536, this run has 65537");
    config.measure.device_memory = 0;
    refuse_output("measured with measure.device_memory 65536, this run has 0");
    config.measure.device_memory = 65536;
    output = open_output();
    gb_output_close(&output);
    unlink(csv_path);
    append_text(csv_path, "schema,run_id,other\n1,x,y\n");
    refuse_output("its column 3 is 'other', this config's is 'experiment'");
    unlink(csv_path);
    char *header = gb_results_header(config.primitive, &header_size);
    assert_non_null(header);
    header[header_size - 1] = '\0';
    append_text(csv_path, header);
    append_text(csv_path, ",more\n");
    free(header);
    refuse_output("columns instead of");
    unlink(csv_path);
    append_text(csv_path, "schema,run_id\n1\n1,2\n");
    refuse_output("demo.csv:2:");
    assert_true(size > 0);
}

/* Rows of a device under conditions are another device's. */
static void test_resume_under_other_conditions(void **state)
{
    (void)state;
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    gb_output_close(&output);
    setup.resume = true;
    setup.under.multiprocessors = 64;
    refuse_output("its row 1 was measured under other conditions (the device as it is) than this "
                  "run has (64 multiprocessors)");
    setup.resume = false;
    output = open_output();
    write_row(&output, 0, 0, GB_OK);
    gb_output_close(&output);
    setup.resume = true;
    output = open_output();
    assert_int_equal(output.rows_before, 1);
    gb_output_close(&output);
    setup.under.multiprocessors = 32;
    refuse_output("(64 multiprocessors) than this run has (32 multiprocessors)");
    strcpy(setup.under.code, "sm_35");
    setup.under.multiprocessors = 64;
    refuse_output("(64 multiprocessors) than this run has (code of sm_35, 64 multiprocessors)");
    setup.under = (gb_under){.code = ""};
    refuse_output("(64 multiprocessors) than this run has (the device as it is)");
}

/* Takes the column `under` out of a file, as those of before have none. */
static void make_old(const char *path)
{
    char command[256];
    snprintf(command, sizeof command,
             "sed -i 's/,instance,under,/,instance,/; 2,$ s/,,,simt,/,,simt,/' %s", path);
    assert_int_equal(system(command), 0);
}

/* A run that an older gpubench began goes on, and its file has the column from then on. */
static void test_resume_without_the_column(void **state)
{
    (void)state;
    char retried[128];
    snprintf(retried, sizeof retried, "%s/demo.retried.csv", folder);
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    write_row(&output, 0, 1, GB_TIMEOUT);
    write_row(&output, 1, 1, GB_TIMEOUT);
    gb_output_close(&output);
    make_old(csv_path);
    gb_csv *csv = read_csv(csv_path);
    assert_int_equal(gb_csv_column(csv, "under"), -1);
    assert_int_equal(csv->row_count, 3);
    gb_csv_free(csv);
    setup.resume = true;
    output = open_output();
    assert_int_equal(output.rows_before, 3);
    write_row(&output, 2, 0, GB_OK);
    gb_output_close(&output);
    csv = read_csv(csv_path);
    assert_int_equal(csv->row_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(gb_csv_field(csv, i, "under"), "");
        assert_string_equal(gb_csv_field(csv, i, "backend"), "simt");
    }
    gb_csv_free(csv);
    /* Rows that an older one took out are kept as well. */
    setup.retry = true;
    output = open_output();
    gb_output_close(&output);
    make_old(retried);
    output = open_output();
    write_row(&output, 0, 1, GB_TIMEOUT);
    gb_output_close(&output);
    output = open_output();
    gb_output_close(&output);
    csv = read_csv(retried);
    assert_true(csv->row_count >= 2);
    for (size_t i = 0; i < csv->row_count; i++) {
        assert_string_equal(gb_csv_field(csv, i, "under"), "");
        assert_string_equal(gb_csv_field(csv, i, "status"), "timeout");
    }
    gb_csv_free(csv);
}

static void test_resume_100000_rows(void **state)
{
    (void)state;
    gb_output output = open_output();
    gb_row row = make_row(0, 0, GB_OK);
    size_t size;
    gb_params point = points[0];
    row.point = &point;
    FILE *csv = fopen(csv_path, "a"), *samples = fopen(samples_path, "a");
    for (int i = 0; i < 100000; i++) {
        char text[GB_POINT_TEXT];
        assert_true(gb_axis_value_of_size((uint64_t)i, &point.value[0]));
        char *line = gb_results_row(&setup, &row, &size);
        fwrite(line, 1, size, csv);
        free(line);
        gb_point_text(config.primitive, &point, text);
        for (int k = 0; k < 5; k++)
            fprintf(samples, "run-1,%s,multipartition,warm,%d,0.001\n", text, k);
    }
    fclose(csv);
    fclose(samples);
    gb_output_close(&output);
    setup.resume = true;
    double best = INFINITY; /* of five: what else runs on a core's other thread slows it down */
    const double limit = 2 * patience(); /* what grows with the square of the rows takes minutes */
    for (int i = 0; i < 5 && best > limit; i++) {
        struct timespec begin, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        output = open_output();
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        assert_int_equal(output.rows_before, 100000);
        gb_output_close(&output);
        double seconds =
            (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
        if (seconds < best) best = seconds;
    }
    if (best > limit) fail_msg("resuming 100000 rows took %.3f s of CPU time", best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_resume),
        TEST(test_resume_without_file),
        TEST(test_torn_anywhere),
        TEST(test_both_scopes),
        TEST(test_other_experiment),
        TEST(test_resume_100000_rows),
        TEST(test_resume_under_other_conditions),
        TEST(test_resume_without_the_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
