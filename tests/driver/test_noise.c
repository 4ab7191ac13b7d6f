/* Noise of devices: which class a row is of, how classes are made, their file. */
#include "bench/rows/noise.h"
#include "tests/driver/fixture.h"

#include <math.h>
#include <unistd.h>

static char path[64];
static gb_arena arena;
static gb_error error;

static int set_up(void **state)
{
    (void)state;
    strcpy(path, "/tmp/gpubench-noise-XXXXXX");
    const int descriptor = mkstemp(path);
    return descriptor >= 0 ? close(descriptor) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    gb_arena_free(&arena);
    return unlink(path);
}

enum { MOST = 4000 };
static gb_noise_row rows[MOST];
static double differences[MOST];
static size_t count;

/* `many` rows of a variant that takes so long, differing by step, 2 step, ... up to `most`. */
static void add(const char *variant, bool cpu, double time_s, size_t many, double most)
{
    for (size_t i = 0; i < many; i++) {
        assert_true(count < MOST);
        rows[count] = (gb_noise_row){"GPU", "device", "p", variant, cpu, time_s, NULL};
        differences[count++] = most * (double)(i + 1) / (double)many;
    }
}

static gb_noise made(void)
{
    gb_noise noise;
    gb_noise_make(&arena, rows, differences, count, &noise);
    count = 0;
    return noise;
}

static const gb_noise_class *find(const gb_noise *noise, const char *variant, bool cpu,
                                  double time_s)
{
    const gb_noise_row row = {"GPU", "device", "p", variant, cpu, time_s, NULL};
    return gb_noise_find(noise, &row);
}

static void assert_class(const gb_noise_class *c, const char *variant, int decade, size_t many,
                         double median, double floor, double largest)
{
    assert_non_null(c);
    assert_string_equal(c->device, "GPU");
    assert_string_equal(c->scope, "device");
    assert_string_equal(c->variant, variant);
    assert_string_equal(c->primitive, *variant ? "p" : "");
    assert_int_equal(c->decade, decade);
    assert_int_equal(c->rows, many);
    if (!(fabs(c->median - median) < 1e-12 && fabs(c->floor - floor) < 1e-12 &&
          fabs(c->largest - largest) < 1e-12))
        fail_msg("%g, %g, %g", c->median, c->floor, c->largest);
}

static void classes_are_decades(void **state)
{
    (void)state;
    add("a", false, 1e-5, 100, 0.05);
    add("b", false, 9.99e-5, 100, 0.05);
    add("a", false, 1e-4, 50, 0.02);
    add("a", true, 2e-4, 10, 0.08);
    add("a", false, 3.5, 1, 0.01);
    const gb_noise noise = made();
    assert_int_equal(noise.count, 4);
    /* GPUs first, then by time */
    assert_class(&noise.items[0], "", -5, 200, 0.025, 0.0495, 0.05);
    assert_class(&noise.items[1], "", -4, 50, 0.01, 0.02, 0.02);
    assert_class(&noise.items[2], "", 0, 1, 0.01, 0.01, 0.01);
    assert_string_equal(noise.items[2].kind, "gpu");
    assert_class(&noise.items[3], "", -4, 10, 0.04, 0.08, 0.08);
    assert_string_equal(noise.items[3].kind, "cpu");
}

static void the_nearest_decade_counts(void **state)
{
    (void)state;
    add("a", false, 1e-5, 10, 0.05);
    add("a", false, 1e-2, 10, 0.02);
    const gb_noise noise = made();
    assert_int_equal(noise.count, 2);
    static const struct {
        double time_s;
        int decade;
    } cases[] = {{1e-5, -5}, {9.9e-5, -5}, {1e-9, -5}, {5e-4, -5}, {1e-3, -2},
                 {1e-2, -2}, {0.099, -2},  {1000, -2}, {0, -2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(find(&noise, "unheard-of", false, cases[i].time_s)->decade,
                         cases[i].decade);
    /* of another kind, scope or device nothing is known */
    assert_null(find(&noise, "a", true, 1e-5));
    const gb_noise_row others[] = {{"CPU", "device", "p", "a", false, 1e-5, NULL},
                                   {"GPU", "host-to-host", "p", "a", false, 1e-5, NULL}};
    assert_null(gb_noise_find(&noise, &others[0]));
    assert_null(gb_noise_find(&noise, &others[1]));
    assert_null(gb_noise_find(NULL, &others[0]));
    const gb_noise empty = {0};
    assert_null(find(&empty, "a", false, 1e-5));
}

static void noisy_variants_stand_apart(void **state)
{
    (void)state;
    add("a", false, 1e-5, 100, 0.01);
    add("b", false, 1e-5, 100, 0.02);
    add("c", false, 1e-4, 100, 0.02);
    add("d", false, 1e-4, 100, 0.06);    /* three times the median: not more */
    add("noisy", false, 1e-4, 50, 0.07); /* more */
    add("noisy", false, 1e-2, 50, 0.14);
    const gb_noise noise = made();
    assert_int_equal(noise.count, 3);
    assert_class(&noise.items[0], "", -5, 200, 0.01 * 0.66 + 0.0001, 0.0196, 0.02);
    assert_class(&noise.items[1], "", -4, 200, 0.015, 0.0588, 0.06);
    assert_class(&noise.items[2], "noisy", 0, 100, 0.0476, 0.1372, 0.14);
    /* its own, at any time; others never */
    assert_string_equal(find(&noise, "noisy", false, 1e-9)->variant, "noisy");
    assert_string_equal(find(&noise, "a", false, 1e-9)->variant, "");
    assert_string_equal(find(&noise, "d", false, 1e-4)->variant, "");
    assert_string_equal(find(&noise, "a", false, 5)->variant, ""); /* its own has none */
    const gb_noise_row other = {"GPU", "device", "q", "noisy", false, 1e-4, NULL};
    assert_string_equal(gb_noise_find(&noise, &other)->variant, "");
}

static void nothing_makes_no_class(void **state)
{
    (void)state;
    const gb_noise noise = made();
    assert_int_equal(noise.count, 0);
    assert_null(find(&noise, "a", false, 1e-5));
}

static void a_noisy_cpu_does_not_hide_a_gpu(void **state)
{
    (void)state;
    add("a", false, 1e-5, 100, 0.01);
    add("b", false, 1e-5, 100, 0.01);
    add("c", false, 1e-5, 100, 0.05);
    add("x", true, 1e-5, 100, 0.3);
    add("y", true, 1e-5, 100, 0.3);
    const gb_noise noise = made();
    assert_int_equal(noise.count, 3);
    assert_string_equal(find(&noise, "c", false, 1e-5)->variant, "c");
    assert_string_equal(find(&noise, "x", true, 1e-5)->variant, "");
}

static void files_come_back(void **state)
{
    (void)state;
    add("a", false, 1e-5, 100, 0.05);
    add("b", false, 1e-4, 100, 0.05);
    add("with, \"quotes\"", false, 1e-4, 100, 0.5);
    add("a", true, 1, 3, 0.5);
    const gb_noise noise = made();
    gb_noise read = {0};
    assert_true(gb_noise_write(&noise, path, &error));
    assert_true(gb_noise_load(&arena, path, &read, &error));
    assert_int_equal(read.count, noise.count);
    for (size_t i = 0; i < read.count; i++) {
        const gb_noise_class *a = &noise.items[i], *b = &read.items[i];
        assert_string_equal(a->device, b->device);
        assert_string_equal(a->scope, b->scope);
        assert_string_equal(a->kind, b->kind);
        assert_string_equal(a->primitive, b->primitive);
        assert_string_equal(a->variant, b->variant);
        assert_int_equal(a->decade, b->decade);
        assert_int_equal(a->rows, b->rows);
        assert_true(fabs(a->median / b->median - 1) < 1e-3);
        assert_true(fabs(a->floor / b->floor - 1) < 1e-3);
        assert_true(fabs(a->largest / b->largest - 1) < 1e-3);
    }
    /* a second file adds to the first */
    assert_true(gb_noise_load(&arena, path, &read, &error));
    assert_int_equal(read.count, 2 * noise.count);
    assert_false(gb_noise_write(&noise, "/tmp/gpubench no such folder/noise.csv", &error));
}

#define HEAD                                                                    \
    "schema,device,scope,kind,primitive,variant,decade,rows,difference_median," \
    "difference_p99,difference_max\n"

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", ""},
        {"a,b\n1,2\n", " has no column 'schema': it is no noise.csv of `gpubench run --aa`"},
        {"schema,device,scope,kind,primitive,variant\n", " has no column 'difference_p99'"},
        {HEAD "2,GPU,device,gpu,,,-5,10,0.1,0.2,0.3\n",
         ": data row 1 is of schema 2; this gpubench reads schema 1"},
        {HEAD "1,GPU,device,gpu,,,-5,10,0.1,0.2,0.3\n1,GPU,device,gpu,,,x,10,0.1,0.2,0.3\n",
         ": data row 2, column decade: 'x' is no number that can be there; measure it anew"},
        {HEAD "1,GPU,device,gpu,,,-5,-1,0.1,0.2,0.3\n", ": data row 1, column rows: '-1'"},
        {HEAD "1,GPU,device,gpu,,,-5,10,,0.2,0.3\n", "column difference_median: ''"},
        {HEAD "1,GPU,device,gpu,,,-5,10,0.1,nan,0.3\n", "column difference_p99: 'nan'"},
        {HEAD "1,GPU,device,gpu,,,-5,10,0.1,0.2,1e999\n", "column difference_max: '1e999'"},
        {HEAD "1,GPU,device,gpu,,,1e10,10,0.1,0.2,0.3\n", "column decade: '1e10'"},
        {HEAD "1,GPU,device,gpu,,,-5,10,0.1,0.2\n1,GPU,device,gpu,,,-5,10,0.1,0.2,0.3\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gb_noise noise = {0};
        FILE *out = fopen(path, "wb");
        assert_non_null(out);
        fputs(cases[i].text, out);
        assert_int_equal(fclose(out), 0);
        error.text[0] = '\0';
        if (gb_noise_load(&arena, path, &noise, &error)) fail_msg("taken: %s", cases[i].text);
        if (!strstr(error.text, path) || !strstr(error.text, cases[i].says))
            fail_msg("\"%s\" lacks \"%s\"", error.text, cases[i].says);
    }
    gb_noise noise = {0};
    assert_false(gb_noise_load(&arena, "/tmp/gpubench no such file.csv", &noise, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(classes_are_decades, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_nearest_decade_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(noisy_variants_stand_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_makes_no_class, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_noisy_cpu_does_not_hide_a_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_files_are_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
