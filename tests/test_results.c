/* Result files: what is written, what survives a crash, what is refused. */
#include "bench/results.h"
#include "common/csv.h"
#include "tests/fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static gb_catalogue *catalogue;
static gb_config config;
static unsigned variants[] = {0, 1};
static gb_params points[3];
static char folder[64], csv_path[128], samples_path[128], meta_path[128];
static gb_output_setup setup;
static const double times[] = {1e-3, 1.1e-3, 1.2e-3, 1.1e-3, 1e-3};

static int prepare(void **state)
{
    (void)state;
    static const char *const values[3][5] = {{"1000000", "40", "uniform", "range", "none"},
                                             {"0", "40", "uniform", "range", "none"},
                                             {"1000000", "64", "distinct:2", "range", "u32"}};
    catalogue = fixture_catalogue();
    config = (gb_config){.name = "demo",
                         .text = "{}",
                         .path = "demo.json",
                         .primitive = &catalogue->primitives[0],
                         .variants = variants,
                         .variant_count = 2,
                         .points = points,
                         .point_count = 3,
                         .seed = 7};
    for (int p = 0; p < 3; p++) {
        for (int a = 0; a < 5; a++)
            strcpy(points[p].value[a].text, values[p][a]);
    }
    strcpy(folder, "/tmp/test_results_XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(csv_path, sizeof csv_path, "%s/demo.csv", folder);
    snprintf(samples_path, sizeof samples_path, "%s/demo.samples.csv", folder);
    snprintf(meta_path, sizeof meta_path, "%s/demo.meta.json", folder);
    setup = (gb_output_setup){.config = &config,
                              .device = &catalogue->devices[0],
                              .backend = "simt",
                              .copy_bytes_per_s = 1e9,
                              .folder = folder,
                              .run_id = "run-1"};
    return 0;
}

static int clean(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    gb_catalogue_free(catalogue);
    return system(command);
}

static gb_output open_output(void)
{
    gb_output output;
    gb_error error = {GB_OK, ""};
    if (!gb_output_open(&output, &setup, &error)) fail_msg("%s", error.text);
    return output;
}

static void refuse_output(const char *fragment)
{
    gb_output output;
    gb_error error = {GB_OK, ""};
    assert_false(gb_output_open(&output, &setup, &error));
    assert_says(error.text, fragment, "opening the output");
}

static gb_row make_row(int point, unsigned variant, gb_status status)
{
    gb_row row = {.point = &points[point],
                  .variant = variant,
                  .status = status,
                  .opened = true,
                  .work = {1000000, 8000000, 0, 8000000},
                  .started_utc = "2025-01-31T00:00:00Z"};
    if (status == GB_OK)
        row.stats = gb_stats_of(times, 5);
    else
        strcpy(row.reason, "because, \"so\"\nit is");
    return row;
}

static void write_row(gb_output *output, int point, unsigned variant, gb_status status)
{
    gb_row row = make_row(point, variant, status);
    gb_error error = {GB_OK, ""};
    bool good = gb_output_write(output, &row, times, status == GB_OK ? 5 : 0, &error);
    if (!good) fail_msg("%s", error.text);
}

static void append_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static gb_csv *read_csv(const char *path)
{
    gb_error error = {GB_OK, ""};
    gb_csv *csv = gb_csv_read(path, &error);
    if (!csv) fail_msg("%s", error.text);
    return csv;
}

static off_t size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

static void test_row_text(void **state)
{
    (void)state;
    gb_output output = open_output();
    gb_row row = make_row(0, 0, GB_OK);
    row.reading = (gb_reading){1700, 2600, 55, 301.25, "power-cap"};
    row.flags = GB_FLAG_THROTTLED | GB_FLAG_CACHE_RESIDENT;
    gb_error error;
    assert_true(gb_output_write(&output, &row, times, 5, &error));
    write_row(&output, 2, 1, GB_UNSUPPORTED);
    assert_true(gb_output_sync(&output, &error));
    gb_output_close(&output);

    char line[1024] = "";
    FILE *file = fopen(csv_path, "r");
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_string_equal(
        line, "schema,run_id,experiment,primitive,variant,backend,device,n,bins,dist,function,"
              "payload,cache,scope,status,reason,samples,unit,items,time_mean_s,time_ci95_lo_s,"
              "time_ci95_hi_s,time_median_s,time_min_s,time_max_s,time_sd_s,rate,rate_ci95_lo,"
              "rate_ci95_hi,limit_kind,limit_rate,limit_fraction,sm_clock_mhz,mem_clock_mhz,"
              "temperature_c,power_w,flags,seed,started_utc\n");
    gb_csv *csv = read_csv(csv_path);
    assert_int_equal(csv->row_count, 2);
    static const char *const expected[][2] = {{"schema", "1"},
                                              {"run_id", "run-1"},
                                              {"experiment", "demo"},
                                              {"dist", "uniform"},
                                              {"n", "1000000"},
                                              {"cache", "warm"},
                                              {"scope", "device"},
                                              {"status", "ok"},
                                              {"reason", ""},
                                              {"samples", "5"},
                                              {"unit", "keys"},
                                              {"items", "1000000"},
                                              {"time_mean_s", "0.00108"},
                                              {"time_median_s", "0.0011"},
                                              {"rate", "925925926"},
                                              {"time_min_s", "0.001"},
                                              {"time_max_s", "0.0012"},
                                              {"limit_kind", "bandwidth"},
                                              {"limit_rate", "125000000"},
                                              {"limit_fraction", "7.40740741"},
                                              {"sm_clock_mhz", "1700"},
                                              {"power_w", "301.25"},
                                              {"flags", "throttled;cache-resident"},
                                              {"seed", "7"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(gb_csv_field(csv, 0, expected[i][0]), expected[i][1]);
    /* The slow end of the times is the slow end of the rates. */
    double lo = atof(gb_csv_field(csv, 0, "rate_ci95_lo"));
    double hi_s = atof(gb_csv_field(csv, 0, "time_ci95_hi_s"));
    assert_true(lo * hi_s > 999999.9 && lo * hi_s < 1000000.1);
    static const char *const blank[] = {"samples",        "time_mean_s",  "rate", "rate_ci95_hi",
                                        "limit_fraction", "sm_clock_mhz", "flags"};
    for (size_t i = 0; i < sizeof blank / sizeof *blank; i++)
        assert_string_equal(gb_csv_field(csv, 1, blank[i]), "");
    assert_string_equal(gb_csv_field(csv, 1, "reason"), "because, \"so\" it is");
    gb_csv_free(csv);

    csv = read_csv(samples_path);
    assert_int_equal(csv->row_count, 5);
    assert_string_equal(gb_csv_field(csv, 4, "index"), "4");
    assert_string_equal(gb_csv_field(csv, 4, "time_s"), "0.001");
    assert_string_equal(gb_csv_field(csv, 4, "point"),
                        "n=1000000;bins=40;dist=uniform;function=range;payload=none");
    gb_csv_free(csv);
}

static void test_nothing_to_count(void **state)
{
    (void)state;
    static const double zeros[] = {0, 0};
    gb_row row = make_row(1, 0, GB_OK);
    row.work = (gb_work){0, 0, 0, 0};
    row.stats = gb_stats_of(zeros, 2);
    size_t size;
    char *text = gb_results_row(&setup, &row, &size);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_non_null(strstr(text, ",ok,,2,keys,0,0,0,0,0,0,0,0,,,,,,,"));
    free(text);
}

static void test_moved_aside(void **state)
{
    (void)state;
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    gb_output_close(&output);
    append_text(meta_path, "{}");
    setup.run_id = "run-2";
    output = open_output();
    gb_output_close(&output);
    char path[128];
    static const char *const kept[] = {"csv", "samples.csv", "meta.json"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/demo.run-1.%s", folder, kept[i]);
        assert_true(size_of(path) > 0);
    }
    gb_csv *csv = read_csv(csv_path);
    assert_int_equal(csv->row_count, 0);
    gb_csv_free(csv);
    /* Without a row nothing was measured: that file is not worth a name of its own. */
    output = open_output();
    gb_output_close(&output);
    snprintf(path, sizeof path, "%s/demo.run-2.csv", folder);
    assert_int_equal(size_of(path), -1);
    /* The same run_id again does not overwrite what has the name already. */
    setup.run_id = "run-1";
    for (int i = 0; i < 2; i++) {
        output = open_output();
        write_row(&output, 0, 1, GB_OK);
        gb_output_close(&output);
    }
    snprintf(path, sizeof path, "%s/demo.run-1-2.csv", folder);
    assert_true(size_of(path) > 0);
}

static void test_lock(void **state)
{
    (void)state;
    gb_output output = open_output();
    char pid[32];
    snprintf(pid, sizeof pid, "pid %ld on ", (long)getpid());
    refuse_output(pid);
    setup.resume = true;
    refuse_output("another run writes");
    setup.resume = false;
    gb_output_close(&output);
    output = open_output();
    gb_output_close(&output);
    char path[128];
    snprintf(path, sizeof path, "%s/demo.lock", folder);
    assert_int_equal(size_of(path), -1);
}

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
    assert_true(gb_output_has(&output, &points[0], 0, false));
    assert_true(gb_output_has(&output, &points[0], 1, false));
    assert_false(gb_output_has(&output, &points[0], 0, true));
    assert_false(gb_output_has(&output, &points[1], 0, false));
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
    assert_true(gb_output_has(&output, &points[0], 0, false));
    assert_false(gb_output_has(&output, &points[0], 1, false));
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
        bool one = cut >= first_csv_size;
        assert_int_equal(output.rows_before, one);
        if (one) {
            write_row(&output, 2, 1, GB_OK);
            assert_int_equal(read_bytes(csv_path, now, sizeof now), csv_size);
            assert_memory_equal(now, csv, csv_size);
            assert_int_equal(read_bytes(samples_path, now, sizeof now), samples_size);
            assert_memory_equal(now, samples, samples_size);
        }
        gb_output_close(&output);
    }
}

static void test_other_experiment(void **state)
{
    (void)state;
    gb_output output = open_output();
    write_row(&output, 0, 0, GB_OK);
    gb_output_close(&output);
    off_t size = size_of(csv_path);
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
    output = open_output();
    gb_output_close(&output);
    unlink(csv_path);
    append_text(csv_path, "schema,run_id,other\n1,x,y\n");
    refuse_output("its column 3 is 'other', this config's is 'experiment'");
    unlink(csv_path);
    append_text(csv_path, "schema,run_id\n1\n1,2\n");
    refuse_output("demo.csv:2:");
    assert_true(size > 0);
}

static void test_folder(void **state)
{
    (void)state;
    char deep[128];
    snprintf(deep, sizeof deep, "%s/a/b/c", folder);
    setup.folder = deep;
    gb_output output = open_output();
    gb_output_close(&output);
    snprintf(deep, sizeof deep, "%s/a/b/c/demo.csv/x", folder);
    refuse_output("--out");
}

static void test_disk_full(void **state)
{
    (void)state;
    gb_output output = open_output();
    gb_row row = make_row(0, 0, GB_OK);
    gb_error error = {GB_OK, ""};
    int real = output.csv_fd;
    output.csv_fd = open("/dev/full", O_WRONLY);
    assert_true(output.csv_fd >= 0);
    assert_false(gb_output_write(&output, &row, times, 5, &error));
    assert_says(error.text, "No space left", "writing to a full disk");
    close(real);
    gb_output_close(&output);
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
        snprintf(point.value[0].text, sizeof point.value[0].text, "%d", i);
        char *line = gb_results_row(&setup, &row, &size);
        fwrite(line, 1, size, csv);
        free(line);
        gb_point_text(config.primitive, &point, text);
        for (int k = 0; k < 10; k++)
            fprintf(samples, "run-1,%s,multipartition,warm,%d,0.001\n", text, k);
    }
    fclose(csv);
    fclose(samples);
    gb_output_close(&output);
    setup.resume = true;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    output = open_output();
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert_int_equal(output.rows_before, 100000);
    gb_output_close(&output);
    double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    if (seconds > 1) fail_msg("resuming 100000 rows took %.3f s", seconds);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, clean)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_row_text),
        TEST(test_nothing_to_count),
        TEST(test_moved_aside),
        TEST(test_lock),
        TEST(test_resume),
        TEST(test_resume_without_file),
        TEST(test_torn_anywhere),
        TEST(test_other_experiment),
        TEST(test_folder),
        TEST(test_disk_full),
        TEST(test_resume_100000_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
