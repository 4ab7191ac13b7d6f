/* Rows that an interrupted run leaves unfinished: what is read back is what was written, and what
 * nobody can have written is refused. */
#include "bench/record/unfinished.h"
#include "tests/driver/results_fixture.h"

#include <math.h>

static gb_session session;
static char path[128];
static const double kept_times[] = {1e-3, 1.0000000000000002e-3, 0.1 + 0.2, 5e-324, 0};
enum { KEPT = sizeof kept_times / sizeof *kept_times };

static gb_unfinished_row row_of(const char *point)
{
    gb_unfinished_row row = {.point = strdup(point),
                             .variant = strdup("multisplit"),
                             .cache = strdup("warm"),
                             .samples = malloc(sizeof kept_times),
                             .count = KEPT,
                             .spent_s = 1.5,
                             .started_utc = "2025-01-31T00:00:00Z",
                             .instance = "that one",
                             .reading = {1980, 2619, 44, 700.5, "power-cap"},
                             .sittings = cJSON_Parse("[{\"run_id\":\"run-0\",\"samples\":5}]")};
    memcpy(row.samples, kept_times, sizeof kept_times);
    return row;
}

static gb_output open_resumed(void)
{
    session = (gb_session){.catalogue = catalogue, .device = &catalogue->devices[0]};
    strcpy(session.command, "ssh elsewhere worker");
    snprintf(path, sizeof path, "%s/demo.unfinished.json", folder);
    setup.resume = true;
    return open_output();
}

static bool begin(gb_unfinished *u, const gb_output *output, char note[1024], gb_error *error)
{
    return gb_unfinished_begin(u, output, &session, note, 1024, error);
}

/* Writes two rows of the fixture's points. */
static void write_two(const gb_output *output)
{
    gb_unfinished u;
    gb_error error = {GB_OK, ""};
    char note[1024], point[GB_POINT_TEXT];
    assert_true(begin(&u, output, note, &error));
    for (int p = 0; p < 2; p++) {
        gb_unfinished_row row = row_of(gb_point_text(config.primitive, &points[p], point));
        assert_true(gb_unfinished_put(&u, &row));
    }
    assert_true(gb_unfinished_write(&u, output, &error));
    gb_unfinished_free(&u);
}

static void test_read_back(void **state)
{
    (void)state;
    gb_output output = open_resumed();
    gb_unfinished u;
    gb_unfinished_row row;
    gb_error error = {GB_OK, ""};
    char note[1024], point[GB_POINT_TEXT];
    write_two(&output);
    assert_true(begin(&u, &output, note, &error));
    assert_int_equal(u.count, 2);
    assert_int_equal(gb_unfinished_samples(&u), 2 * KEPT);
    gb_point_text(config.primitive, &points[1], point);
    assert_false(gb_unfinished_take(&u, point, "multisplit", "cold", &row));
    assert_false(gb_unfinished_take(&u, "n=5", "multisplit", "warm", &row));
    assert_true(gb_unfinished_take(&u, point, "multisplit", "warm", &row));
    assert_false(gb_unfinished_take(&u, point, "multisplit", "warm", &(gb_unfinished_row){0}));
    assert_int_equal(row.count, KEPT);
    assert_memory_equal(row.samples, kept_times, sizeof kept_times);
    assert_string_equal(row.instance, "that one");
    assert_true(row.spent_s == 1.5 && row.reading.power_w == 700.5);
    assert_string_equal(row.reading.throttle, "power-cap");
    gb_unfinished_row_free(&row);
    /* The other one stays; without it the file goes. */
    assert_true(gb_unfinished_write(&u, &output, &error));
    gb_unfinished_free(&u);
    assert_true(begin(&u, &output, note, &error));
    assert_int_equal(u.count, 1);
    gb_point_text(config.primitive, &points[0], point);
    assert_true(gb_unfinished_take(&u, point, "multisplit", "warm", &row));
    gb_unfinished_row_free(&row);
    assert_true(gb_unfinished_write(&u, &output, &error));
    assert_int_equal(size_of(path), -1);
    gb_unfinished_free(&u);
    gb_output_close(&output);
}

/* A run that was killed after it had finished one of them. */
static void test_row_is_there(void **state)
{
    (void)state;
    gb_output output = open_resumed();
    write_two(&output);
    write_row(&output, 0, 1, GB_OK);
    gb_output_close(&output);
    setup.run_id = "run-2";
    output = open_output();
    gb_unfinished u;
    gb_error error = {GB_OK, ""};
    char note[1024];
    assert_true(begin(&u, &output, note, &error));
    assert_int_equal(u.count, 1);
    gb_unfinished_free(&u);
    gb_output_close(&output);
}

/* Whatever tells two circumstances apart puts the file aside, where it is kept. */
static void test_circumstances(void **state)
{
    (void)state;
    gb_output output = open_resumed();
    char note[1024], aside[160];
    static const char *const names[] = {"driver was", "seed was", "size was", "rest was",
                                        "device_memory was"};
    char *driver = catalogue->driver, other[] = "999";
    snprintf(aside, sizeof aside, "%s/demo.run-1.unfinished.json", folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        gb_unfinished u;
        gb_error error = {GB_OK, ""};
        write_two(&output);
        if (i == 0) catalogue->driver = other;
        config.seed += i == 1;
        config.quick = i == 2;
        config.measure.rest = i == 3;
        config.measure.device_memory = i == 4;
        assert_true(begin(&u, &output, note, &error));
        assert_says(note, names[i], "other circumstances");
        assert_int_equal(u.count, 0);
        assert_true(size_of(path) == -1 && size_of(aside) > 0);
        gb_unfinished_free(&u);
        catalogue->driver = driver;
        config.quick = false;
        config.measure = (gb_measure){0};
        unlink(aside);
    }
    gb_output_close(&output);
}

/* Puts `to` where `from` stands in the file, which is then refused. */
static void test_damaged(void **state)
{
    (void)state;
    static const char *const damages[][2] = {
        {"{\"schema\":1", "{\"schema\":2"},
        {"{\"schema\":1", "[\"schema\""},
        {"\"samples\":5", "\"samples\":4"},
        {"\"samples_s\":[0.001,", "\"samples_s\":[-0.001,"},
        {"\"samples_s\":[0.001,", "\"samples_s\":[\"x\","},
        {"\"samples_s\":[0.001,", "\"samples_s\":[1e999,"},
        {"\"samples_s\":[", "\"samples\":["},
        {"run-0", "run\\u001b0"},
        {"that one", "that\\u001b[2Jone"},
        {"2025-01-31T00:00:00Z", "yesterday"},
        {"2025-01-31T00:00:00Z", "2025-01-31T00:00:00Z and then some more"},
        {"\"sittings\":[", "\"sitting\":["},
    };
    gb_output output = open_resumed();
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        static char text[65536], spoilt[65536];
        gb_unfinished u;
        gb_error error = {GB_OK, ""};
        char note[1024];
        write_two(&output);
        FILE *file = fopen(path, "r");
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
        char *at = strstr(text, damages[i][0]);
        assert_non_null(at);
        snprintf(spoilt, sizeof spoilt, "%.*s%s%s", (int)(at - text), text, damages[i][1],
                 at + strlen(damages[i][0]));
        file = fopen(path, "w");
        fputs(spoilt, file);
        fclose(file);
        if (begin(&u, &output, note, &error)) fail_msg("taken: %s", damages[i][1]);
        assert_says(error.text, "remove the file to resume without it", damages[i][1]);
        gb_unfinished_free(&u);
        unlink(path);
    }
    gb_output_close(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read_back),
        TEST(test_row_is_there),
        TEST(test_circumstances),
        TEST(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
