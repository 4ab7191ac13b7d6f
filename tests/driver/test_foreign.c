/* Readers of other tools' files: what is taken, and what is refused, where and why. */
#include "bench/rows/foreign.h"
#include "tests/driver/fixture.h"

#define NVBENCH(states)                                       \
    "{\"meta\": {\"version\": {\"json\": {\"major\": 1}}},\n" \
    "\"devices\": [{\"id\": 3, \"name\": \"GPU\"}],\n"        \
    "\"benchmarks\": [{\"name\": \"b\", \"states\": [" states "]}]}"
#define STATE(values, summaries)                                                      \
    "{\"device\": 3, \"axis_values\": [" values "], \"summaries\": [" summaries "], " \
    "\"is_skipped\": false}"
#define SUMMARY(tag, value) \
    "{\"tag\": \"" tag "\", \"data\": [{\"name\": \"value\", \"value\": " value "}]}"
#define MEAN(value) SUMMARY("nv/cold/time/gpu/mean", value)
#define AXIS(name, value) "{\"name\": \"" name "\", \"type\": \"int64\", \"value\": \"" value "\"}"
#define BINARY(size)                                                                       \
    "{\"tag\": \"nv/json/bin:nv/cold/sample_times\", \"data\": [{\"name\": \"filename\", " \
    "\"value\": \"no.bin\"}, {\"name\": \"size\", \"value\": " size "}]}"
#define GOOGLE(items) "{\"context\": {\"host_name\": \"h\"}, \"benchmarks\": [" items "]}"
#define ITEM(name, time, rest)                                                   \
    "{\"name\": \"" name "\", \"run_type\": \"iteration\", \"real_time\": " time \
    ", \"cpu_time\": 1, \"time_unit\": \"us\"" rest "}"
#define HYPERFINE(command, rest) "{\"results\": [{\"command\": \"" command "\", " rest "}]}"

static gb_arena arena;

static bool read_json(const char *text, const char *map, gb_foreign *file, gb_error *error)
{
    gb_foreign_map names = {0};
    *file = (gb_foreign){0};
    *error = (gb_error){GB_OK, ""};
    return (!map || gb_foreign_map_add(&arena, map, &names, error)) &&
           gb_foreign_read_json(&arena, "in.json", text, strlen(text), &names, file, error);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{", "in.json:1:2: the file ends before its JSON does"},
        {"[]", "in.json:1:1: this is JSON of no tool that is read here"},
        {"{\"schema\": 1, \"run_id\": \"x\"}", "name its NAME.csv instead"},
        {"{\"benchmarks\": [], \"devices\": []}", "does not say its version"},
        {"{\"meta\": {\"version\": {\"json\": {\"major\": 2}}}, \"benchmarks\": []}",
         "meta.version.json.major: found 2; version 1 of NVBench's JSON is read"},
        {NVBENCH(""), "this file of NVBench holds no result"},
        {NVBENCH("3"), "in.json:3:41: benchmarks[0].states[0]: found 3; an object is allowed"},
        {NVBENCH("{\"is_skipped\": 1}"), "states[0].is_skipped: found 1; true or false is allowed"},
        {NVBENCH("{\"is_skipped\": false}"), "benchmarks[0].states[0]: \"device\" is missing"},
        {NVBENCH("{\"device\": 0}"), "the file's \"devices\" have none with the id 0"},
        {NVBENCH(STATE("", "")), "this state is not skipped and has no time"},
        {NVBENCH(STATE("", MEAN("\"-1\""))),
         "summaries[0]: nv/cold/time/gpu/mean: found \"-1\"; a finite number that is not below 0"},
        {NVBENCH(STATE("", MEAN("\"nan\""))), "found \"nan\"; a finite number"},
        {NVBENCH(STATE("", MEAN("\"inf\""))), "found \"inf\"; a finite number"},
        {NVBENCH(STATE("", MEAN("\"1\"") "," BINARY("\"0\""))), "a \"size\" from 1 to 100000000"},
        {NVBENCH(STATE("", MEAN("\"1\"") "," BINARY("\"1e99\""))), "a \"size\" from 1 to"},
        {NVBENCH(STATE("", MEAN("\"1\"") "," BINARY("\"3\""))),
         "there is no file of samples no.bin"},
        {NVBENCH(STATE("3", MEAN("\"1\""))), "axis_values[0]: found 3; an object is allowed"},
        {NVBENCH(STATE("{\"name\": \"n\", \"value\": []}", MEAN("\"1\""))),
         "found a list; the value of an axis is a text or a whole number"},
        {NVBENCH(STATE(AXIS("n", "1") "," AXIS("{n}", "2"), MEAN("\"1\""))),
         "in.json: benchmarks[0].states[0]: two axes are named 'n'"},
        {NVBENCH(STATE(AXIS("{}", "1"), MEAN("\"1\""))), "the axis '{}' cannot be named so"},
        {NVBENCH(STATE(
             AXIS("a", "1") "," AXIS("b", "1") "," AXIS("c", "1") "," AXIS("d", "1") "," AXIS(
                 "e", "1") "," AXIS("f", "1") "," AXIS("g", "1") "," AXIS("h", "1") "," AXIS("i",
                                                                                             "1"),
             MEAN("\"1\""))),
         "there are 9 axes; at most 8 are allowed (--map 'NAME=' leaves one out)"},
        {GOOGLE(""), "this file of google/benchmark holds no result"},
        {GOOGLE("{}"), "benchmarks[0]: \"name\" is missing"},
        {GOOGLE("{\"name\": \"b\"}"), "benchmarks[0]: \"real_time\" is missing"},
        {GOOGLE(ITEM("b", "-1", "")),
         "real_time: found -1; a number that is not below 0 is allowed"},
        {GOOGLE(ITEM("b", "\"1\"", "")), "real_time: found \"1\"; a number"},
        {GOOGLE(ITEM("b", "NaN", "")), "JSON syntax error, found 'NaN"},
        {GOOGLE(ITEM("b", "1e999", "")), "found a number beyond 1.8e308; a number"},
        {GOOGLE("{\"name\": \"b\", \"real_time\": 1, \"time_unit\": \"h\"}"),
         "\"time_unit\" is \"h\"; s, ms, us and ns are allowed"},
        {GOOGLE("{\"name\": \"b_median\", \"run_name\": \"b\", \"run_type\": \"aggregate\", "
                "\"aggregate_name\": \"median\", \"real_time\": 1, \"time_unit\": \"ns\"}"),
         "'b' has neither a repetition nor a mean"},
        {"{\"context\": {\"json_schema_version\": 2}, \"benchmarks\": []}",
         "context: \"json_schema_version\" is 2; version 1"},
        {"{\"results\": []}", "this file of hyperfine holds no result"},
        {HYPERFINE("c", "\"times\": []"), "\"times\" is a list of one number of seconds or more"},
        {HYPERFINE("c", "\"times\": [1, -2]"),
         "results[0].times[1]: found -2; a time in s that is not below 0 is allowed"},
        {HYPERFINE("c", "\"x\": 1"), "\"mean\" is missing"},
        {HYPERFINE("c", "\"parameters\": 3, \"times\": [1]"),
         "\"parameters\" is an object of texts"},
        {HYPERFINE("c", "\"exit_codes\": 3, \"times\": [1]"),
         "\"exit_codes\" is a list of numbers"},
        {GOOGLE("{\"name\": \"b\", \"real_time\": 1, \"gpubench\": {\"experiment\": \"e\"}}"),
         "gpubench: \"primitive\" is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gb_foreign file;
        gb_error error;
        if (read_json(cases[i].text, NULL, &file, &error)) fail_msg("read: %s", cases[i].text);
        assert_says(error.text, cases[i].message, cases[i].text);
    }
}

static void refused_maps(void **state)
{
    (void)state;
    static const struct {
        const char *map, *message;
    } cases[] = {
        {"time", "--map time: NAME=COLUMN is allowed, or NAME:=TEXT"},
        {"time=ms:h", "a unit of time is allowed: s, ms, us or ns"},
        {"a b=c", "--map a b=c: "},
        {"n=a,n=b", "--map n=b: is there twice"},
        {"variant=", "only an axis can be left out"},
        {"n:=", "a printable text is needed"},
        {"n=size",
         "in.json: --map n: nothing there is called 'size'; there is: benchmark, device, k"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gb_foreign file;
        gb_error error;
        assert_false(read_json(GOOGLE(ITEM("b/k:1", "1", "")), cases[i].map, &file, &error));
        assert_says(error.text, cases[i].message, cases[i].map);
    }
}

/* "variant|axis=value ..." of an entry. */
static const char *told(const gb_foreign_entry *entry)
{
    const char *text = entry->variant;
    for (unsigned a = 0; a < entry->axis_count; a++)
        text = gb_arena_printf(&arena, "%s%s%s=%s", text, a ? " " : "|", entry->axes[a].name,
                               entry->axes[a].value);
    return text;
}

static void names_of_google(void **state)
{
    (void)state;
    static const struct {
        const char *name, *map, *told;
    } cases[] = {
        {"b", NULL, "b|case=only"},
        {"b/1024", NULL, "b|range0=1024"},
        {"b/1024/8", NULL, "b|range0=1024 range1=8"},
        {"b/n:1024/threads:4", NULL, "b|n=1024 threads=4"},
        {"b/n:1024/8/real_time", NULL, "b|n=1024 range0=8"},
        {"sort/stable/3/min_time:0.010/manual_time", NULL, "sort/stable|range0=3"},
        {"b<std::pair<int, a/b>>/2/iterations:5/repeats:3/process_time", NULL,
         "b<std::pair<int_ a/b>>|range0=2"},
        {"std::sort/1", NULL, "std::sort|range0=1"},
        {"b/device:x;y", NULL, "b|device_=x_y"},
        {"b/1024/8", "n=range0,range1=", "b|n=1024"},
        {"b/1024", "n=range0,dist:=uniform,variant:=mine", "mine|n=1024 dist=uniform"},
        {"b/kernel:fast/8", "variant=kernel", "fast|range0=8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gb_foreign file;
        gb_error error;
        const char *text = gb_arena_printf(
            &arena, GOOGLE("{\"name\": \"%s\", \"real_time\": 2, \"time_unit\": \"ms\"}"),
            cases[i].name);
        if (!read_json(text, cases[i].map, &file, &error)) fail_msg("%s", error.text);
        assert_string_equal(told(&file.entries[0]), cases[i].told);
        assert_true(file.entries[0].count == 1 && file.entries[0].times[0] > 1.999e-3 &&
                    file.entries[0].times[0] < 2.001e-3);
        assert_string_equal(file.entries[0].device, "h");
    }
}

static void items_of_google(void **state)
{
    (void)state;
    gb_foreign file;
    gb_error error;
    /* 10 ms of CPU and 20 ms of the clock */
    static const char rate[] = "{\"name\": \"b%s\", \"real_time\": 20, \"cpu_time\": 10, "
                               "\"time_unit\": \"ms\", \"items_per_second\": 1000}";
    const char *items = gb_arena_printf(&arena, rate, ""),
               *real = gb_arena_printf(&arena, rate, "/real_time");
    const char *text = gb_arena_printf(&arena, GOOGLE("%s, %s"), items, real);
    assert_true(read_json(text, NULL, &file, &error));
    assert_int_equal(file.count, 2);
    assert_int_equal((int)(file.entries[0].items + 0.5), 10);
    assert_int_equal((int)(file.entries[1].items + 0.5), 20);
}

static void commands_of_hyperfine(void **state)
{
    (void)state;
    gb_foreign file;
    gb_error error;
    static const char text[] =
        "{\"results\": ["
        "{\"command\": \"sleep 0.00\", \"times\": [1], \"parameters\": {\"n\": \"0\"}},"
        "{\"command\": \"sleep 0.01\", \"times\": [1], \"parameters\": {\"n\": \"1\"}},"
        "{\"command\": \"sleep 0.02\", \"times\": [1], \"parameters\": {\"n\": \"2\"}},"
        "{\"command\": \"false\", \"times\": [1, 2], \"exit_codes\": [0, 3]},"
        "{\"command\": \"killed\", \"times\": [1], \"exit_codes\": [null]},"
        "{\"command\": \"brief\", \"mean\": 2, \"stddev\": null}]}";
    if (!read_json(text, NULL, &file, &error)) fail_msg("%s", error.text);
    assert_string_equal(told(&file.entries[0]), "sleep 0.0{n}|n=0");
    assert_string_equal(told(&file.entries[2]), "sleep 0.0{n}|n=2");
    assert_int_equal(file.entries[3].status, GB_CRASHED);
    assert_string_equal(file.entries[3].reason, "1 of 2 runs failed, the first with exit status 3");
    assert_string_equal(file.entries[4].reason, "1 of 1 runs failed, the first by a signal");
    assert_true(file.entries[5].mean > 1.9 && !file.entries[5].times);
}

static void states_of_nvbench(void **state)
{
    (void)state;
    gb_foreign file;
    gb_error error;
    static const char text[] = NVBENCH(STATE(
        AXIS("Elements{io}", "1048576"),
        MEAN("\"0.002\"") "," SUMMARY("nv/cold/time/gpu/stdev/relative", "\"inf\"") "," SUMMARY(
            "nv/cold/sample_size",
            "\"7\"") "," SUMMARY("nv/cold/bw/item_rate",
                                 "\"1000\"") "," SUMMARY("nv/cold/bw/global/utilization",
                                                         "\"0.25\"")) ","
                                                                      "{\"device\": 3, "
                                                                      "\"axis_values\": null, "
                                                                      "\"summaries\": null, "
                                                                      "\"is_skipped\": true, "
                                                                      "\"skip_reason\": "
                                                                      "\"no\\nroom\"}," STATE(
                                                                          "",
                                                                          SUMMARY("nv/cpu_only/"
                                                                                  "time/cpu/mean",
                                                                                  "2.5")));
    if (!read_json(text, NULL, &file, &error)) fail_msg("%s", error.text);
    assert_int_equal(file.count, 3);
    const gb_foreign_entry *e = file.entries;
    assert_string_equal(told(&e[0]), "b|Elements-io=1048576");
    assert_string_equal(e[0].device, "GPU");
    assert_string_equal(e[0].cache, "cold");
    assert_true(e[0].count == 7 && !(e[0].sd > 0) && e[0].items > 1.99 && e[0].items < 2.01);
    assert_true(e[0].limit_rate > 3999 && e[0].limit_rate < 4001);
    assert_int_equal(e[1].status, GB_UNSUPPORTED);
    assert_string_equal(e[1].reason, "no;room");
    assert_string_equal(e[2].cache, "warm");
    assert_true(e[2].mean > 2.4);
}

static void rows_twice(void **state)
{
    (void)state;
    gb_results results = {0};
    gb_error error = {GB_OK, ""};
    static const char text[] = "{\"results\": [{\"command\": \"c\", \"times\": [1]}, {\"command\": "
                               "\"c\", \"times\": [2]}]}";
    assert_false(gb_foreign_add_json(&results, "in.json", text, strlen(text), &error));
    assert_says(error.text, "results[0] and results[1] are both of 'c'", text);
    gb_results_free(&results);
}

static int end(void **state)
{
    (void)state;
    gb_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused),
                                       cmocka_unit_test(refused_maps),
                                       cmocka_unit_test(names_of_google),
                                       cmocka_unit_test(items_of_google),
                                       cmocka_unit_test(commands_of_hyperfine),
                                       cmocka_unit_test(states_of_nvbench),
                                       cmocka_unit_test(rows_twice)};
    return cmocka_run_group_tests(tests, NULL, end);
}
