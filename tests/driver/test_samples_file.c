/* Samples files read whole: which samples belong to a row, damaged files, numbers. */
#include "bench/record/results.h"
#include "bench/rows/samples.h"
#include "common/protocol/columns.h"
#include "common/random.h"
#include "tests/driver/fixture.h"

#include <math.h>
#include <unistd.h>

static char path[64];
static gb_samples_file *file;
static gb_error error;
static const gb_result_set set = {.experiment = "e", .axes = {"n", "dist"}, .axis_count = 2};

static int set_up(void **state)
{
    (void)state;
    strcpy(path, "/tmp/gpubench-samples-XXXXXX");
    const int descriptor = mkstemp(path);
    return descriptor >= 0 ? close(descriptor) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    gb_samples_file_free(file);
    file = NULL;
    return unlink(path);
}

/* The file becomes this text. */
static void write_text(const char *header, const char *lines)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    fputs(header, out);
    fputs(lines, out);
    assert_int_equal(fclose(out), 0);
}

/* Reads a file of these lines after the header. */
static void read_under(const char *header, const char *lines)
{
    write_text(header, lines);
    gb_samples_file_free(file);
    file = gb_samples_read(path, &error);
    if (!file) fail_msg("%s", error.text);
}

static void read_lines(const char *lines)
{
    read_under(GB_SAMPLES_HEADER, lines);
}

static gb_result_row row_of(const char *n, const char *dist, unsigned long samples)
{
    return (gb_result_row){.axis = {n, dist},
                           .variant = "v",
                           .cache = "warm",
                           .scope = "device",
                           .run_id = "run",
                           .samples = samples};
}

static const double *samples_of(const char *n, const char *dist, unsigned long samples)
{
    const gb_result_row row = row_of(n, dist, samples);
    return gb_samples_of(file, &set, &row);
}

static void check_samples(const char *n, const char *dist, unsigned long count,
                          const double *expected)
{
    const double *samples = samples_of(n, dist, count);
    if (!samples) fail_msg("there are no %lu samples of n %s, dist %s", count, n, dist);
    for (unsigned long i = 0; samples && i < count; i++)
        if (samples[i] != expected[i]) fail_msg("sample %lu is %.17g", i, samples[i]);
}
#define assert_samples(n, dist, count, ...) \
    check_samples(n, dist, count, (const double[]){__VA_ARGS__})

static void finds_the_samples_of_a_row(void **state)
{
    (void)state;
    read_lines("run,n=1;dist=a,v,warm,0,0.5\n"
               "run,n=1;dist=a,v,warm,1,0.25\n"
               "run,n=1;dist=a,v,cold,0,7\n"
               "run,n=1;dist=a,w,warm,0,8\n"
               "other,n=1;dist=a,v,warm,0,9\n"
               "run,n=10;dist=a,v,warm,0,1e-6\n");
    assert_samples("1", "a", 2, 0.5, 0.25);
    assert_samples("10", "a", 1, 1e-6);
    gb_result_row row = row_of("1", "a", 1);
    row.cache = "cold";
    assert_true(*gb_samples_of(file, &set, &row) == 7);
    row = row_of("1", "a", 1);
    row.variant = "w";
    assert_true(*gb_samples_of(file, &set, &row) == 8);
    row = row_of("1", "a", 1);
    row.run_id = "other";
    assert_true(*gb_samples_of(file, &set, &row) == 9);
    /* not so many, or none at all */
    assert_null(samples_of("1", "a", 1));
    assert_null(samples_of("1", "a", 3));
    assert_null(samples_of("1", "a", 0));
    assert_null(samples_of("2", "a", 1));
    assert_null(samples_of("1", "b", 1));
}

static void quotes_are_those_of_csv(void **state)
{
    (void)state;
    read_lines("run,\"n=1;dist=file:/data/a, b.csv\",v,warm,0,1\n"
               "run,\"n=1;dist=file:/data/a, b.csv\",v,warm,1,2\n"
               "run,\"n=1;dist=say \"\"a\"\",\"\"b\"\"\",v,warm,0,3\n");
    assert_samples("1", "file:/data/a, b.csv", 2, 1.0, 2.0);
    assert_samples("1", "say \"a\",\"b\"", 1, 3.0);
    assert_null(samples_of("1", "file:/data/a", 2));
}

static void a_scope_may_stand_behind_the_point(void **state)
{
    (void)state;
    read_lines("run,n=1;dist=a;scope=device,v,warm,0,1\n"
               "run,n=1;dist=a;scope=host-to-host,v,warm,0,2\n");
    gb_result_row row = row_of("1", "a", 1);
    assert_true(*gb_samples_of(file, &set, &row) == 1);
    row.scope = "host-to-host";
    assert_true(*gb_samples_of(file, &set, &row) == 2);
    row.scope = "other";
    assert_null(gb_samples_of(file, &set, &row));
}

static void incomplete_samples_are_none(void **state)
{
    (void)state;
    read_lines("run,n=1;dist=a,v,warm,0,1\n" /* a gap */
               "run,n=1;dist=a,v,warm,2,3\n"
               "run,n=1;dist=a,v,warm,3,4\n"
               "run,n=2;dist=a,v,warm,1,1\n" /* no beginning */
               "run,n=2;dist=a,v,warm,2,1\n"
               "run,n=3;dist=a,v,warm,0,1\n" /* nonsense within */
               "run,n=3;dist=a,v,warm,1,x\n"
               "run,n=3;dist=a,v,warm,2,3\n"
               "run,n=4;dist=a,v,warm,0,\n" /* no numbers */
               "run,n=5;dist=a,v,warm,0,.\n"
               "run,n=6;dist=a,v,warm,.,1\n"
               "\n"
               "x\n"
               ",\n"
               ",,,,,,,,,,,,,,\n"
               "run,n=7;dist=a,v,warm,0,5\n"
               "run,n=8;dist=a,v,warm,0,6\n"
               "run,n=8;dist=a,v,warm,1"); /* torn */
    assert_int_equal(gb_samples_bad_line(file), 3);
    for (unsigned long count = 1; count < 5; count++) {
        if (count != 1) assert_null(samples_of("1", "a", count));
        assert_null(samples_of("2", "a", count));
        if (count != 1) assert_null(samples_of("3", "a", count));
        assert_null(samples_of("4", "a", count));
        assert_null(samples_of("5", "a", count));
        assert_null(samples_of("6", "a", count));
    }
    assert_samples("7", "a", 1, 5.0);
    assert_samples("8", "a", 1, 6.0);
    assert_null(samples_of("8", "a", 2));
}

static void the_last_of_duplicates_counts(void **state)
{
    (void)state;
    read_lines("run,n=1;dist=a,v,warm,0,1\n"
               "run,n=1;dist=a,v,warm,1,2\n"
               "run,n=2;dist=a,v,warm,0,3\n"
               "run,n=1;dist=a,v,warm,0,4\n"
               "run,n=1;dist=a,v,warm,1,5\n"
               "run,n=1;dist=a,v,warm,2,6\n"
               "run,n=2;dist=a,v,warm,0,7\n"
               "run,n=2;dist=a,v,warm,0,8\n");
    assert_samples("1", "a", 3, 4.0, 5.0, 6.0);
    assert_null(samples_of("1", "a", 2));
    assert_samples("2", "a", 1, 8.0);
}

static void many_rows_are_found(void **state)
{
    (void)state;
    enum { ROWS = 3000 };
    char *lines = malloc(ROWS * 120), *at = lines, n[16];
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "run,n=%d;dist=a,v,warm,0,%d\nrun,n=%d;dist=a,v,warm,1,0.5\n", i, i, i);
    read_lines(lines);
    free(lines);
    for (int i = 0; i < ROWS; i++) {
        sprintf(n, "%d", i);
        assert_samples(n, "a", 2, (double)i, 0.5);
    }
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "run_id,point\n", "\n", "schema,experiment\n1,e\n",
                                        "run_id,point,variant,cache,index,time_"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(texts[i], "");
        gb_samples_file *read = gb_samples_read(path, &error);
        if (read) fail_msg("\"%s\" was taken for a samples file", texts[i]);
        assert_non_null(strstr(error.text, "it does not begin with run_id,point,variant,cache,"
                                           "index,time_s"));
    }
    read_lines("");
    assert_null(samples_of("1", "a", 1));
    gb_samples_file_free(file);
    file = gb_samples_read("/tmp", &error);
    assert_null(file);
    /* what is not there has no samples */
    file = gb_samples_read("/tmp/gpubench no such folder/x.samples.csv", &error);
    assert_non_null(file);
    assert_null(samples_of("1", "a", 1));
}

/* Editors and other systems: a byte order mark, CR LF, a last line without its end. */
static void other_line_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {
        GB_SAMPLES_HEADER "run,n=1;dist=a,v,warm,0,1\nrun,n=1;dist=a,v,warm,1,2",
        "\xEF\xBB\xBF" GB_SAMPLES_HEADER "run,n=1;dist=a,v,warm,0,1\nrun,n=1;dist=a,v,warm,1,2\n",
        "\xEF\xBB\xBFrun_id,point,variant,cache,index,time_s\r\n"
        "run,n=1;dist=a,v,warm,0,1\r\nrun,n=1;dist=a,v,warm,1,2\r\n",
        "run_id,point,variant,cache,index,time_s\r\n"
        "run,n=1;dist=a,v,warm,0,1\r\nrun,n=1;dist=a,v,warm,1,2\r"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        read_under(texts[i], "");
        assert_samples("1", "a", 2, 1.0, 2.0);
        assert_int_equal(gb_samples_bad_line(file), 0);
    }
    read_under("run_id,point,variant,cache,index,time_s", ""); /* a header alone */
    assert_null(samples_of("1", "a", 1));
}

/* What has not the mean of its row is not what the row was made of. */
static void samples_have_their_rows_mean(void **state)
{
    (void)state;
    gb_result_row row = row_of("1", "a", 2);
    row.time_s = 0.00150000001;
    read_lines("run,n=1;dist=a,v,warm,0,0.001\nrun,n=1;dist=a,v,warm,1,0.002\n");
    assert_non_null(gb_samples_of(file, &set, &row));
    read_lines("run,n=1;dist=a,v,warm,0,0.001\nrun,n=1;dist=a,v,warm,1,0.00"); /* cut */
    assert_null(gb_samples_of(file, &set, &row));
    read_lines("run,n=1;dist=a,v,warm,0,0.001\nrun,n=1;dist=a,v,warm,1,0.00201\n");
    assert_null(gb_samples_of(file, &set, &row));
}

/* 10 000 decimal numbers are exactly what strtod makes of them. */
static void numbers_are_those_of_strtod(void **state)
{
    (void)state;
    enum { NUMBERS = 10000 };
    char *lines = malloc(NUMBERS * 80), *at = lines;
    char(*texts)[40] = malloc(NUMBERS * sizeof *texts);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        const gb_random4 r = gb_random(3, 0, i);
        const uint64_t digits = ((uint64_t)r.word[0] << 32 | r.word[1]) >> r.word[3] % 61;
        const int behind = (int)(r.word[2] % 24);
        char *text = texts[i];
        char whole[48];
        sprintf(whole, "%025llu", (unsigned long long)digits);
        switch (i % 5) {
        case 0: /* as they are written */
            sprintf(text, "%.9g", (double)digits * pow(10, -behind));
            break;
        case 1:
            sprintf(text, "%.17g", (double)digits * pow(10, -behind));
            break;
        case 2: /* a point anywhere, zeros before it */
            sprintf(text, "%.*s.%s", 25 - behind, whole, whole + 25 - behind);
            break;
        case 3:
            sprintf(text, "%llu", (unsigned long long)digits);
            break;
        default:
            sprintf(text, "%llue%d", (unsigned long long)digits, behind - 12);
        }
        at += sprintf(at, "run,n=1;dist=a,v,warm,%u,%s\n", i, text);
    }
    read_lines(lines);
    const double *samples = samples_of("1", "a", NUMBERS);
    assert_non_null(samples);
    for (uint32_t i = 0; i < NUMBERS; i++)
        if (samples[i] != strtod(texts[i], NULL))
            fail_msg("%s was read as %.17g", texts[i], samples[i]);
    free(lines);
    free(texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_the_samples_of_a_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quotes_are_those_of_csv, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_scope_may_stand_behind_the_point, set_up, tear_down),
        cmocka_unit_test_setup_teardown(incomplete_samples_are_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_last_of_duplicates_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_rows_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_files_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_line_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(samples_have_their_rows_mean, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_are_those_of_strtod, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
