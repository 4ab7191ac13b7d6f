/* Result files: what is written, what is refused, what is moved aside. */
#include "bench/util/disk.h"
#include "tests/driver/results_fixture.h"

#include <errno.h>
#include <fcntl.h>

static void test_row_text(void **state)
{
    (void)state;
    setup.under.multiprocessors = 64;
    gb_output output = open_output();
    gb_row row = make_row(0, 0, GB_OK);
    row.reading = (gb_reading){1700, 2600, 55, 301.25, "power-cap"};
    row.flags = GB_FLAG_THROTTLED | GB_FLAG_CACHE_RESIDENT;
    strcpy(row.instance, "CUB 9.9, 64-bit count");
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
        line,
        "schema,run_id,experiment,primitive,variant,instance,under,backend,device,n,bins,dist,"
        "function,payload,cache,scope,status,reason,samples,unit,items,time_mean_s,time_ci95_lo_s,"
        "time_ci95_hi_s,time_median_s,time_min_s,time_max_s,time_sd_s,rate,rate_ci95_lo,"
        "rate_ci95_hi,limit_kind,limit_rate,limit_fraction,sm_clock_mhz,mem_clock_mhz,"
        "temperature_c,power_w,flags,seed,started_utc\n");
    gb_csv *csv = read_csv(csv_path);
    assert_int_equal(csv->row_count, 2);
    static const char *const expected[][2] = {{"schema", "1"},
                                              {"run_id", "run-1"},
                                              {"experiment", "demo"},
                                              {"instance", "CUB 9.9, 64-bit count"},
                                              {"under", "multiprocessors=64"},
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

/* What limits a row: its bytes, or the blocks that it launches where these take longer to start. */
static void test_limits(void **state)
{
    (void)state;
    static const struct {
        double copy, blocks_per_s;
        uint64_t blocks;
        const char *kind, *rate, *fraction;
    } cases[] = {{1e9, 1e9, 1000, "bandwidth", "125000000", "7.40740741"},
                 {1e9, 1e6, 7999, "bandwidth", "125000000", "7.40740741"},
                 {1e9, 1e6, 8001, "blocks", "124984377", "7.40833333"},
                 {0, 1e6, 1080, "blocks", "925925926", "1"},
                 {0, 1e6, 0, "", "", ""},
                 {0, 0, 1000, "", "", ""},
                 {1e9, 0, 1000000, "bandwidth", "125000000", "7.40740741"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup.copy_bytes_per_s = cases[i].copy;
        setup.blocks_per_s = cases[i].blocks_per_s;
        gb_output output = open_output();
        gb_row row = make_row(0, 0, GB_OK);
        gb_error error;
        row.blocks = cases[i].blocks;
        assert_true(gb_output_write(&output, &row, times, 5, &error));
        gb_output_close(&output);
        gb_csv *csv = read_csv(csv_path);
        assert_string_equal(gb_csv_field(csv, 0, "limit_kind"), cases[i].kind);
        assert_string_equal(gb_csv_field(csv, 0, "limit_rate"), cases[i].rate);
        assert_string_equal(gb_csv_field(csv, 0, "limit_fraction"), cases[i].fraction);
        gb_csv_free(csv);
        remove(csv_path);
        remove(samples_path);
    }
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
    char endless[GB_PATH_SIZE] = "";
    memset(endless, '/', sizeof endless - 1);
    setup.folder = endless;
    refuse_output("behind it; at most 4095 are allowed");
}

static void test_disk_full(void **state)
{
    (void)state;
    gb_output output = open_output();
    gb_row row = make_row(0, 0, GB_OK);
    gb_error error = {GB_OK, ""};
    int real = output.csv.fd;
    off_t before = size_of(samples_path);
    output.csv.fd = open("/dev/full", O_WRONLY);
    assert_true(output.csv.fd >= 0);
    assert_false(gb_output_write(&output, &row, times, 5, &error));
    assert_says(error.text, "No space left", "writing to a full disk");
    assert_says(error.text, "free some space", "writing to a full disk");
    assert_int_equal(size_of(samples_path), before);
    close(output.csv.fd);
    output.csv.fd = real;
    gb_output_close(&output);
}

/* What a person can do is said wherever the system's own words leave it open. */
static void test_disk_advice(void **state)
{
    (void)state;
    static const struct {
        int reason;
        const char *says;
    } cases[] = {{ENOSPC, "free some space"},
                 {EDQUOT, "(7 bytes were to be written, the disk has "},
                 {EDQUOT, "your quota is used up"},
                 {EFBIG, "ulimit -f"},
                 {EROFS, "mounted read-only"},
                 {EACCES, "make it writable for you"},
                 {EPERM, "make it writable for you"},
                 {EIO, "the disk fails"},
                 {ENOENT, "put it back, or name another with --out"},
                 {ENOTDIR, "moved, removed or unmounted"},
                 {ESTALE, "moved, removed or unmounted"},
                 {EISDIR, "a folder lies where the file belongs"},
                 {EMFILE, "x.csv: cannot be written: Too many open files"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gb_error error = {GB_OK, ""};
        assert_false(gb_disk_fail(&error, "x.csv", "written", cases[i].reason, 7));
        assert_says(error.text, cases[i].says, strerror(cases[i].reason));
    }
}

/* What took a part of a line and cannot be cut back says that the line is torn. */
static void test_torn_line(void **state)
{
    (void)state;
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    gb_log log = {.fd = ends[1], .path = "a pipe"};
    gb_error error = {GB_OK, ""};
    assert_false(gb_log_append(&log, text, sizeof text, &error));
    assert_says(error.text, "a torn line is left, which --resume cuts", "a pipe that is full");
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_row_text),    TEST(test_nothing_to_count), TEST(test_moved_aside),
        TEST(test_limits),      TEST(test_nothing_to_count), TEST(test_moved_aside),
        TEST(test_lock),        TEST(test_folder),           TEST(test_disk_full),
        TEST(test_disk_advice), TEST(test_torn_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
