/* The noise of a device: its classes, its file. And samples files, which it is measured by. */
#include "bench/noise.h"
#include "bench/samples_file.h"

#include "common/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/test-noise-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char path[128];
    static const char *const names[] = {"noise.csv", "e.samples.csv"};
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static const char *write_file(gb_arena *arena, const char *name, const char *text)
{
    const char *path = gb_arena_printf(arena, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* ---- classes --------------------------------------------------------------------------------- */

static gb_noise_row row_of(const char *variant, double time_s)
{
    return (gb_noise_row){"GPU", "device", "p", variant, false, time_s};
}

/* 200 rows of two quiet variants in two decades, and one variant that is ten times as noisy. */
static void make(gb_arena *arena, gb_noise *noise)
{
    enum { ROWS = 210 };
    gb_noise_row rows[ROWS];
    double differences[ROWS];
    for (int i = 0; i < ROWS; i++) {
        const bool loud = i >= 200;
        rows[i] = row_of(loud ? "loud" : i % 2 ? "quiet" : "calm", i < 100 ? 2e-5 : 3e-3);
        differences[i] = loud ? 0.5 : (i < 100 ? 0.02 : 0.01) * (i % 100 + 1) / 100;
    }
    gb_noise_make(arena, rows, differences, ROWS, noise);
}

static void test_classes(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_noise noise;
    make(&arena, &noise);
    assert_int_equal(noise.count, 3); /* two decades, and the loud one */
    const gb_noise_row quick = row_of("quiet", 5e-5), slow = row_of("calm", 9e-3),
                       unknown = row_of("new", 4e-3), longer = row_of("new", 20),
                       loud = row_of("loud", 5e-5);
    /* 99 of 100 rows are below, the loud ones apart */
    assert_true(fabs(gb_noise_find(&noise, &quick)->floor - 0.0198) < 1e-9);
    assert_true(fabs(gb_noise_find(&noise, &slow)->floor - 0.0099) < 1e-9);
    assert_int_equal(gb_noise_find(&noise, &slow)->rows, 100);
    assert_true(fabs(gb_noise_find(&noise, &unknown)->floor - 0.0099) < 1e-9);
    assert_int_equal(gb_noise_find(&noise, &longer)->decade, -3); /* the nearest there is */
    assert_true(gb_noise_find(&noise, &loud)->floor == 0.5);
    gb_noise_row elsewhere = quick;
    elsewhere.device = "another";
    assert_null(gb_noise_find(&noise, &elsewhere));
    elsewhere = quick;
    elsewhere.cpu = true;
    assert_null(gb_noise_find(&noise, &elsewhere));
    elsewhere = quick;
    elsewhere.scope = "host-to-host";
    assert_null(gb_noise_find(&noise, &elsewhere));
    assert_null(gb_noise_find(NULL, &quick));
    gb_arena_free(&arena);
}

static void test_file(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_noise noise, again = {0};
    gb_error error = {0};
    make(&arena, &noise);
    const char *path = gb_arena_printf(&arena, "%s/noise.csv", folder);
    assert_true(gb_noise_write(&noise, path, &error));
    assert_true(gb_noise_load(&arena, path, &again, &error));
    assert_int_equal(again.count, noise.count);
    for (size_t i = 0; i < noise.count; i++) {
        const gb_noise_class *a = &noise.items[i], *b = &again.items[i];
        assert_string_equal(a->device, b->device);
        assert_string_equal(a->variant, b->variant);
        assert_int_equal(a->decade, b->decade);
        assert_int_equal(a->rows, b->rows);
        assert_true(fabs(a->floor - b->floor) <= 1e-4 * a->floor);
    }
    assert_false(gb_noise_load(&arena, "/no/such/noise.csv", &again, &error));
    assert_false(gb_noise_load(&arena, "plots/gpus.csv", &again, &error));
    assert_non_null(strstr(error.text, "no noise.csv"));
    write_file(&arena, "noise.csv",
               "schema,device,scope,kind,primitive,variant,decade,rows,difference_median,"
               "difference_p99,difference_max\n1,GPU,device,gpu,,,-5,10,0.1,-0.2,0.3\n");
    assert_false(gb_noise_load(&arena, path, &again, &error));
    assert_non_null(strstr(error.text, "difference_p99: '-0.2'"));
    gb_arena_free(&arena);
}

/* ---- samples --------------------------------------------------------------------------------- */

static const double *samples_of(const gb_samples_file *file, const char *dist, const char *variant,
                                const char *scope, unsigned long count)
{
    gb_result_set set = {.axes = {"n", "dist"}, .axis_count = 2};
    const gb_result_row row = {.axis = {"1000", dist},
                               .run_id = "R",
                               .variant = variant,
                               .cache = "warm",
                               .scope = scope,
                               .samples = count};
    return gb_samples_of(file, &set, &row);
}

static void test_samples(void **state)
{
    (void)state;
    gb_arena arena = {0};
    gb_error error = {0};
    const char *path = write_file(
        &arena, "e.samples.csv",
        "run_id,point,variant,cache,index,time_s\n"
        "R,n=1000;dist=cube,a,warm,0,0.5\nR,n=1000;dist=cube,a,warm,1,0.25\n"
        "R,\"n=1000;dist=file:x,\"\"y\"\"\",a,warm,0,1e-05\n"
        "R,n=1000;dist=cube;scope=device,b,warm,0,7\nR,n=1000;dist=cube;scope=host-to-host,b,warm,"
        "0,8\n"
        "R,n=1000;dist=cube,gap,warm,0,1\nR,n=1000;dist=cube,gap,warm,2,1\n"
        "R,n=1000;dist=cube,twice,warm,0,1\nR,n=1000;dist=cube,c,warm,0,3\n"
        "R,n=1000;dist=cube,twice,warm,0,2\nnonsense\nR,n=1000;dist=cube,bad,warm,0,fast\n"
        "R,n=1000;dist=cube,torn,warm,0,0.1");
    gb_samples_file *file = gb_samples_read(path, &error);
    assert_non_null(file);
    const double *two = samples_of(file, "cube", "a", "device", 2);
    assert_non_null(two);
    assert_true(two[0] == 0.5 && two[1] == 0.25);
    assert_null(samples_of(file, "cube", "a", "device", 3)); /* the row has more */
    assert_null(samples_of(file, "cube", "a", "device", 1));
    const double *quoted = samples_of(file, "file:x,\"y\"", "a", "device", 1);
    assert_non_null(quoted);
    assert_true(*quoted == 1e-5);
    assert_true(*samples_of(file, "cube", "b", "device", 1) == 7);
    assert_true(*samples_of(file, "cube", "b", "host-to-host", 1) == 8);
    assert_null(samples_of(file, "cube", "gap", "device", 2));
    assert_true(*samples_of(file, "cube", "twice", "device", 1) == 2); /* the last counts */
    assert_null(samples_of(file, "cube", "bad", "device", 1));
    assert_null(samples_of(file, "cube", "torn", "device", 1));
    assert_null(samples_of(file, "cube", "nobody", "device", 1));
    gb_samples_file_free(file);
    file = gb_samples_read("/no/such/e.samples.csv", &error); /* none is no mistake */
    assert_non_null(file);
    assert_null(samples_of(file, "cube", "a", "device", 2));
    gb_samples_file_free(file);
    write_file(&arena, "e.samples.csv", "run_id,point\n");
    assert_null(gb_samples_read(path, &error));
    assert_non_null(strstr(error.text, "no samples file"));
    gb_arena_free(&arena);
}

/* Times as files have them are read to the last bit, as strtod does. */
static void test_numbers(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    gb_arena arena = {0};
    gb_error error = {0};
    static double expected[COUNT];
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    fputs("run_id,point,variant,cache,index,time_s\n", memory);
    for (int i = 0; i < COUNT; i++) {
        const gb_random4 random = gb_random(5, 0, (uint64_t)i);
        const double value = ldexp((double)random.word[0] + 0.5, (int)(random.word[1] % 40) - 45);
        char number[40];
        if (i % 3)
            snprintf(number, sizeof number, "%.9g", value);
        else
            snprintf(number, sizeof number, "%.*f", (int)(random.word[2] % 18), value);
        expected[i] = strtod(number, NULL);
        fprintf(memory, "R,n=1000;dist=cube,a,warm,%d,%s\n", i, number);
    }
    assert_int_equal(fclose(memory), 0);
    gb_samples_file *file = gb_samples_read(write_file(&arena, "e.samples.csv", text), &error);
    free(text);
    assert_non_null(file);
    const double *read = samples_of(file, "cube", "a", "device", COUNT);
    assert_non_null(read);
    for (int i = 0; i < COUNT; i++)
        if (read[i] != expected[i]) fail_msg("%d: %.17g, not %.17g", i, read[i], expected[i]);
    gb_samples_file_free(file);
    gb_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_classes), cmocka_unit_test(test_file),
                                       cmocka_unit_test(test_samples),
                                       cmocka_unit_test(test_numbers)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
