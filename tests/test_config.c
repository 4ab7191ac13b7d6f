/* Configs: what a valid one turns into, and the whole message of each kind of mistake. */
#include "tests/fixture.h"

#include "bench/config.h"

#include <inttypes.h>
#include <time.h>
#include <unistd.h>

static gb_catalogue *catalogue;
static char path[64];

static int set_up(void **state)
{
    (void)state;
    catalogue = fixture_catalogue();
    strcpy(path, "/tmp/gpubench-config-XXXXXX");
    int file = mkstemp(path);
    return file >= 0 ? close(file) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    gb_catalogue_free(catalogue);
    return unlink(path);
}

static void write_bytes(const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Loads a text as a config; NULL and *error as gb_config_load does. */
static gb_config *load(const char *text, const gb_config_options *options, gb_error *error)
{
    write_bytes(text, strlen(text));
    return gb_config_load(path, catalogue, options, error);
}

static gb_config *load_valid(const char *text, const gb_config_options *options)
{
    gb_error error;
    gb_config *config = load(text, options, &error);
    if (!config) fail_msg("%s\nrefused: %s", text, error.text);
    return config;
}

/* A config with the required keys and these others (each entry ends in a comma or is last). */
#define CONFIG(others)                                                             \
    "{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\",\"variants\":[" \
    "\"multipartition\","                                                          \
    "\"multisplit\"]" others "}"

/* ---- valid ---------------------------------------------------------------------------------- */

static const char whole[] =
    "{ \"schema\": 1, \"name\": \"multipartition-1.b_c\", \"title\": \"Table 1 \\u2014 "
    "\xC3\xA9\",\n"
    "  \"paper\": \"published/multipartition-table1.csv\", \"primitive\": \"multipartition\",\n"
    "  \"variants\": [\"cpu\", \"multisplit\", \"multipartition\"], \"baseline\": \"multisplit\",\n"
    "  \"axes\": { \"bins\": [40, \"1Ki\", 4.096e3], \"n\": [\"1M\", 8000000],\n"
    "              \"dist\": \"distinct:7\" },\n"
    "  \"measure\": { \"samples\": 100, \"warmup\": 0, \"scope\": \"host-to-host\",\n"
    "     \"cache\": [\"cold\", \"warm\"], \"order\": \"sequential\", \"time_limit_s\": 2.5,\n"
    "     \"max_rel_ci\": 0.01 },\n"
    "  \"quick\": { \"axes\": { \"n\": [\"16Ki\"], \"function\": [\"hash\", \"modulo\"] },\n"
    "     \"variants\": [\"multisplit\"], \"measure\": { \"samples\": \"auto\", \"min_samples\": "
    "4,\n"
    "     \"max_samples\": 40 } },\n"
    "  \"seed\": \"18446744073709551615\" }\n";

static void assert_point(const gb_config *config, size_t at, uint64_t n, uint64_t bins,
                         const char *dist, const char *function)
{
    const gb_value *value = config->points[at].value;
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRIu64, n);
    assert_int_equal(value[0].size, n);
    assert_string_equal(value[0].text, digits);
    assert_int_equal(value[1].size, bins);
    assert_string_equal(value[2].text, dist);
    assert_string_equal(value[3].text, function);
    assert_string_equal(value[4].text, "none");
}

static void reads_everything(void **state)
{
    (void)state;
    gb_config *c = load_valid(whole, NULL);
    assert_string_equal(c->path, path);
    assert_string_equal(c->text, whole);
    assert_string_equal(c->name, "multipartition-1.b_c");
    assert_string_equal(c->title, "Table 1 \xE2\x80\x94 \xC3\xA9");
    assert_string_equal(c->paper, "published/multipartition-table1.csv");
    assert_ptr_equal(c->primitive, &catalogue->primitives[0]);
    assert_int_equal(c->variant_count, 3);
    assert_int_equal(c->variants[0], 3);
    assert_int_equal(c->variants[2], 0);
    assert_int_equal(c->baseline, 1);
    assert_int_equal(c->seed, UINT64_MAX);
    assert_false(c->quick);
    assert_null(c->filter);

    const gb_measure *m = &c->measure;
    assert_int_equal(m->samples, 100);
    assert_false(m->automatic);
    assert_int_equal(m->warmup, 0);
    assert_int_equal(m->scope, GB_SCOPE_HOST_TO_HOST);
    assert_true(m->warm && m->cold);
    assert_int_equal(m->order, GB_ORDER_SEQUENTIAL);
    assert_true(m->time_limit_s == 2.5 && m->max_rel_ci == 0.01);

    /* the first axis of the file is the outermost */
    assert_int_equal(c->point_count, 6);
    assert_point(c, 0, 1000000, 40, "distinct:7", "range");
    assert_point(c, 1, 8000000, 40, "distinct:7", "range");
    assert_point(c, 2, 1000000, 1024, "distinct:7", "range");
    assert_point(c, 5, 8000000, 4096, "distinct:7", "range");
    gb_config_free(c);
    gb_config_free(NULL);
}

static void applies_quick(void **state)
{
    (void)state;
    gb_config *c = load_valid(whole, &(gb_config_options){.quick = true});
    assert_true(c->quick);
    assert_int_equal(c->variant_count, 1);
    assert_int_equal(c->variants[0], 1);
    assert_true(c->measure.automatic);
    assert_int_equal(c->measure.samples, 4);
    assert_int_equal(c->measure.max_samples, 40);
    assert_int_equal(c->measure.scope, GB_SCOPE_HOST_TO_HOST);
    /* bins and dist stay, n is replaced in its place, function comes last */
    assert_int_equal(c->point_count, 6);
    assert_point(c, 0, 16384, 40, "distinct:7", "hash");
    assert_point(c, 1, 16384, 40, "distinct:7", "modulo");
    assert_point(c, 2, 16384, 1024, "distinct:7", "hash");
    gb_config_free(c);

    c = load_valid(CONFIG(), &(gb_config_options){.quick = true});
    assert_false(c->quick);
    gb_config_free(c);

    c = load_valid(CONFIG(",\"axes\":{\"n\":[1,2]},\"quick\":{\"points\":[{\"bins\":3}]}"),
                   &(gb_config_options){.quick = true});
    assert_int_equal(c->point_count, 1);
    assert_point(c, 0, 32000000, 3, "uniform", "range");
    gb_config_free(c);

    c = load_valid(CONFIG(",\"points\":[{\"n\":1},{\"n\":2}],\"quick\":{\"axes\":{\"bins\":[3]}}"),
                   &(gb_config_options){.quick = true});
    assert_int_equal(c->point_count, 1);
    assert_point(c, 0, 32000000, 3, "uniform", "range");
    gb_config_free(c);
}

static void fills_defaults(void **state)
{
    (void)state;
    gb_config *c = load_valid(CONFIG(), NULL);
    assert_string_equal(c->title, "");
    assert_string_equal(c->paper, "");
    assert_int_equal(c->baseline, -1);
    assert_int_equal(c->seed, 1);
    const gb_measure *m = &c->measure;
    assert_int_equal(m->samples, 20);
    assert_int_equal(m->max_samples, 1000);
    assert_int_equal(m->warmup, 3);
    assert_int_equal(m->scope, GB_SCOPE_DEVICE);
    assert_true(m->warm && !m->cold && !m->automatic);
    assert_int_equal(m->order, GB_ORDER_INTERLEAVED);
    assert_true(m->time_limit_s == 60 && m->max_rel_ci == 0.005);
    assert_int_equal(c->point_count, 1);
    assert_point(c, 0, 32000000, 256, "uniform", "range");
    gb_config_free(c);
}

static void takes_ranges_and_points(void **state)
{
    (void)state;
    gb_config *c =
        load_valid(CONFIG(",\"axes\":{\"bins\":{\"from\":32,\"to\":\"1Ki\",\"step\":32}}"), NULL);
    assert_int_equal(c->point_count, 32);
    assert_point(c, 0, 32000000, 32, "uniform", "range");
    assert_point(c, 31, 32000000, 1024, "uniform", "range");
    gb_config_free(c);

    c = load_valid(CONFIG(",\"axes\":{\"bins\":{\"from\":1,\"to\":10,\"step\":4}}"), NULL);
    assert_int_equal(c->point_count, 3);
    assert_point(c, 2, 32000000, 9, "uniform", "range");
    gb_config_free(c);

    c = load_valid(CONFIG(",\"axes\":{\"n\":{\"from\":\"1024Gi\",\"to\":\"1024Gi\","
                          "\"step\":\"18446744073709551615\"}}"),
                   NULL);
    assert_int_equal(c->point_count, 1);
    gb_config_free(c);

    c = load_valid(CONFIG(",\"points\":[{\"bins\":7,\"n\":0},{},{\"dist\":\"zipf\"}]"), NULL);
    assert_int_equal(c->point_count, 3);
    assert_point(c, 0, 0, 7, "uniform", "range");
    assert_point(c, 1, 32000000, 256, "uniform", "range");
    assert_point(c, 2, 32000000, 256, "zipf", "range");
    gb_config_free(c);
}

static void applies_options(void **state)
{
    (void)state;
    const char *text = CONFIG(",\"axes\":{\"n\":[1,2],\"bins\":[3,4]},\"measure\":{\"samples\":9,"
                              "\"min_samples\":6}");
    gb_config *c = load_valid(text, &(gb_config_options){.samples = "7", .filter = "bins>3"});
    assert_int_equal(c->measure.samples, 7);
    assert_non_null(c->filter);
    assert_int_equal(c->point_count, 2);
    assert_point(c, 1, 2, 4, "uniform", "range");
    gb_config_free(c);

    c = load_valid(text,
                   &(gb_config_options){.samples = "auto", .filter = "variant=multisplit && n=2"});
    assert_true(c->measure.automatic);
    assert_int_equal(c->measure.samples, 6);
    assert_int_equal(c->point_count, 2);
    assert_false(gb_filter_passes(c->filter, &c->points[0], 0));
    assert_true(gb_filter_passes(c->filter, &c->points[0], 1));
    gb_config_free(c);

    static const struct {
        gb_config_options options;
        const char *says;
    } cases[] = {
        {{.samples = "0"}, "--samples: found \"0\"; a whole number from 1 to 1000000 or auto"},
        {{.samples = "2.5"}, "--samples: found \"2.5\""},
        {{.samples = "Auto"}, "--samples: found \"Auto\""},
        {{.filter = "binz=3"}, "--filter 'binz=3': column 1: multipartition has no axis \"binz\""},
        {{.filter = "bins=5"}, "--filter 'bins=5' leaves none of its points and variants"},
        /* a variant that exists, but not in this config */
        {{.filter = "variant=cpu"}, "--filter 'variant=cpu' leaves none of its points"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_error error;
        assert_null(load(text, &cases[i].options, &error));
        assert_says(error.text, cases[i].says, "options");
    }
}

/* ---- mistakes ------------------------------------------------------------------------------- */

static const struct mistake {
    const char *text, *says; /* says follows the file's name */
} mistakes[] = {
    /* syntax: line and column */
    {"", ":1:1: the file ends before its JSON does"},
    {"{\"schema\": 1,\n", ":2:1: the file ends before its JSON does"},
    {"{\"schema\": 1,\n  \"name\": 'x' }",
     ":2:11: JSON syntax error, found ''x' }'; JSON strings stand in double quotes"},
    {"{\"schema\": 1,\n}", ":2:1: JSON syntax error, found '}'; leave out the comma before it"},
    {"{ \"a\": [1, 2,] }", ":1:14: JSON syntax error, found '] }'; leave out the comma before it"},
    {"{\"\xC3\xA9\" 1}", ":1:6: JSON syntax error, found '1}'; is a comma, a colon or a bracket"},
    {"{\"a\": 1 \"b\": 2}", ":1:9: JSON syntax error, found '\"b\": 2}'; is a comma"},
    {"// x\n{}", ":1:1: JSON syntax error, found '// x'; JSON has no comments"},
    {"{\"a\": .5}", ":1:7: JSON syntax error, found '.5}'; JSON numbers begin with a digit"},
    {"{1: 2}", ":1:2: JSON syntax error, found '1: 2}'; a value or a name in double quotes"},
    {"{\"a\": [{}, }", ":1:12: JSON syntax error, found '}'; leave out the comma"},
    {"{\"a\": \"b }", ":1:7: JSON syntax error, found '\"b }'; this string is not closed"},
    {"{\"a: 1}", ":1:2: JSON syntax error, found '\"a: 1}'; this string is not closed"},
    {"{\"a\": \"\\q\"}", ":1:8: JSON syntax error, found '\\q\"}'; after a backslash one of"},
    {"{\"a\": yes}", ":1:7: JSON syntax error, found 'yes}'; a value or a name in double quotes"},
    {"{} x", ":1:4: JSON syntax error, found 'x'"},
    {"{\"name\": \"a\\u0000b\"}", ":1:12: found a NUL character; a config is text"},
    /* the root */
    {"[]", ": found a list; a config is one object in braces"},
    {"7", ": found 7; a config is one object in braces"},
    {"{}", ": \"schema\" is missing; add \"schema\": 1"},
    {"{\"schema\":2,\"novel\":1}", ": schema: found 2; this gpubench reads schema 1"},
    {"{\"schema\":\"1\"}", ": schema: found \"1\"; this gpubench reads schema 1"},
    {"{\"schema\":1.5}", ": schema: found 1.5; this gpubench reads schema 1"},
    {"{\"schema\":1}", ": \"name\" is missing; it names the result files"},
    {CONFIG(",\"axis\":{}"),
     ": unknown key \"axis\" (did you mean \"axes\"?); known: schema, name"},
    {CONFIG(",\"qqqqqqqq\":{}"), ": unknown key \"qqqqqqqq\"; known: schema, name"},
    {CONFIG(",\"seed\":1,\"seed\":2"), ": the key \"seed\" is there twice; leave one of them out"},
    /* name, title, paper */
    {"{\"schema\":1,\"name\":\"../x\"}", ": name: found \"../x\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"a/b\"}", ": name: found \"a/b\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\".x\"}", ": name: found \".x\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"-x\"}", ": name: found \"-x\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"\"}", ": name: found \"\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":3}", ": name: found 3; a string is allowed"},
    {CONFIG(",\"title\":null"), ": title: found null; a string is allowed"},
    {CONFIG(",\"title\":\"a\\nb\""), ": title: found \"a?b\"; line feeds, tabs and other control"},
    {CONFIG(",\"paper\":\"/etc/passwd\""), ": paper: found \"/etc/passwd\"; a path under results/"},
    {CONFIG(",\"paper\":\"a/../../b\""), ": paper: found \"a/../../b\"; a path under results/"},
    {CONFIG(",\"paper\":\"\""), ": paper: found \"\"; a path under results/ is allowed, e.g."},
    /* primitive, variants, baseline */
    {"{\"schema\":1,\"name\":\"x\"}", ": \"primitive\" is missing; known: multipartition"},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartiton\"}",
     ": primitive: found \"multipartiton\" (did you mean \"multipartition\"?); known: "
     "multipartition"},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":[]}",
     ": primitive: found a list; known: multipartition"},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\"}",
     ": \"variants\" is missing; `gpubench list variants` shows those of multipartition"},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\",\"variants\":[]}",
     ": variants: found an empty list; give at least one variant"},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\",\"variants\":\"cpu\"}",
     ": variants: found \"cpu\"; a list of variants is allowed"},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\",\"variants\":[\"cpu\","
     "\"mulitsplit\"]}",
     ": variants[1]: found \"mulitsplit\" (did you mean \"multisplit\"?); multipartition has: "
     "multipartition, multisplit, cub-radix-sort, cpu"},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\",\"variants\":[\"cpu\",4]}",
     ": variants[1]: found 4; multipartition has: "},
    {"{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\",\"variants\":[\"cpu\","
     "\"multisplit\",\"cpu\"]}",
     ": variants[2]: \"cpu\" is there already, at [0]; leave one of them out"},
    {CONFIG(",\"baseline\":\"cpu\""),
     ": baseline: found \"cpu\", which is not among the config's variants; add it there"},
    {CONFIG(",\"baseline\":\"multi\""), ": baseline: found \"multi\"; multipartition has: "},
    {CONFIG(",\"baseline\":\"multisplit\",\"quick\":{\"variants\":[\"multipartition\"]}"),
     ": quick.variants: the baseline \"multisplit\" is not among them; add it"},
    /* axes */
    {CONFIG(",\"axes\":[]"), ": axes: found a list; an object is allowed"},
    {CONFIG(",\"axes\":{\"binz\":[1]}"),
     ": axes: unknown axis \"binz\" (did you mean \"bins\"?); known: n, bins, dist, function, "
     "payload"},
    {CONFIG(",\"axes\":{\"bins\":[1],\"bins\":[2]}"), ": axes: the axis \"bins\" is there twice"},
    {CONFIG(",\"axes\":{\"bins\":[]}"),
     ": axes.bins: found an empty list; give at least one value, or leave the axis out for its "
     "default (256)"},
    {CONFIG(",\"axes\":{\"bins\":[1,2,3,\"-4\"]}"),
     ": axes.bins[3]: found \"-4\"; a whole number from 1 to 1048576 is allowed, e.g. 4096 or 4Ki"},
    {CONFIG(",\"axes\":{\"bins\":[-4]}"), ": axes.bins[0]: found \"-4\"; a whole number from 1 to"},
    {CONFIG(",\"axes\":{\"bins\":0}"),
     ": axes.bins: found \"0\"; a whole number from 1 to 1048576"},
    {CONFIG(",\"axes\":{\"bins\":[1.5]}"), ": axes.bins[0]: found \"1.5\"; a whole number from 1"},
    {CONFIG(",\"axes\":{\"bins\":[\"1.5k\"]}"), "found \"1.5k\"; a whole number from 1 to 1048576 "
                                                "is allowed, e.g. 4096 or 4Ki (a size has no "
                                                "fraction)"},
    {CONFIG(",\"axes\":{\"bins\":[\"2Mi\"]}"),
     ": axes.bins[0]: found \"2Mi\"; a whole number from"},
    {CONFIG(",\"axes\":{\"bins\":[\"4KB\"]}"), "(the suffixes are k, M, G (powers of ten) and Ki"},
    {CONFIG(",\"axes\":{\"n\":[\"99999999999999999999\"]}"), "(it does not fit in 64 bits)"},
    {CONFIG(",\"axes\":{\"n\":[9007199254740993]}"),
     ": axes.n[0]: found 9007199254740992 or a number near it: JSON numbers from 2^53 on lose "
     "digits; write it as a string"},
    {CONFIG(",\"axes\":{\"n\":[1e400]}"), ": axes.n[0]: found a number beyond 1.8e308"},
    {CONFIG(",\"axes\":{\"n\":[true]}"),
     ": axes.n[0]: found true; a whole number, or a size in a string"},
    {CONFIG(",\"axes\":{\"n\":null}"), ": axes.n: found null; a whole number, or a size"},
    {CONFIG(",\"axes\":{\"n\":[1,[2]]}"), ": axes.n[1]: found a list; a whole number"},
    {CONFIG(",\"axes\":{\"bins\":[1024,7,\"1Ki\"]}"),
     ": axes.bins[2]: \"1024\" is there already, at [0]; leave one of them out"},
    {CONFIG(",\"axes\":{\"dist\":[\"zipf\",\"zipf\"]}"),
     ": axes.dist[1]: \"zipf\" is there already, at [0]"},
    {CONFIG(",\"axes\":{\"dist\":[\"unifrom\"]}"),
     ": axes.dist[0]: found \"unifrom\" (did you mean \"uniform\"?); allowed: uniform, binomial, "
     "normal, zipf, sorted, reversed, constant, distinct:..."},
    {CONFIG(",\"axes\":{\"dist\":[\"distinct\"]}"), "(did you mean \"distinct:...\"?)"},
    {CONFIG(",\"axes\":{\"dist\":[5]}"), ": axes.dist[0]: found \"5\"; allowed: uniform"},
    {CONFIG(",\"axes\":{\"dist\":[{}]}"), ": axes.dist[0]: found an object; one of the axis's"},
    /* ranges */
    {CONFIG(",\"axes\":{\"dist\":{\"from\":1,\"to\":2,\"step\":1}}"),
     ": axes.dist: found an object; an axis of names takes a list of names"},
    {CONFIG(",\"axes\":{\"bins\":{\"from\":1,\"to\":2}}"),
     ": axes.bins: \"step\" is missing; a range"},
    {CONFIG(",\"axes\":{\"bins\":{\"from\":1,\"to\":2,\"stp\":2}}"),
     ": axes.bins: unknown key \"stp\" (did you mean \"step\"?)"},
    {CONFIG(",\"axes\":{\"bins\":{\"from\":1,\"to\":2,\"step\":0}}"),
     ": axes.bins.step: found 0; a whole number from 1 on is allowed"},
    {CONFIG(",\"axes\":{\"bins\":{\"from\":0,\"to\":2,\"step\":1}}"),
     ": axes.bins.from: found \"0\"; a whole number from 1 to 1048576"},
    {CONFIG(",\"axes\":{\"bins\":{\"from\":9,\"to\":2,\"step\":1}}"),
     ": axes.bins: \"from\" (9) is above \"to\" (2)"},
    {CONFIG(",\"axes\":{\"n\":{\"from\":0,\"to\":\"1024Gi\",\"step\":1}}"),
     ": axes.n: 1099511627777 values; at most 10000000 points are allowed"},
    {CONFIG(",\"axes\":{\"n\":{\"from\":1,\"to\":10001,\"step\":1},"
            "\"bins\":{\"from\":1,\"to\":1000,\"step\":1}}"),
     ": axes: the product of the axes is 10001000 points; at most 10000000 are allowed"},
    /* points */
    {CONFIG(",\"axes\":{},\"points\":[{}]"), ": found both \"axes\" and \"points\""},
    {CONFIG(",\"points\":{}"), ": points: found an object; a list of objects is allowed"},
    {CONFIG(",\"points\":[]"), ": points: found an empty list; give at least one point"},
    {CONFIG(",\"points\":[{},7]"), ": points[1]: found 7; an object is allowed"},
    {CONFIG(",\"points\":[{\"bin\":7}]"),
     ": points[0]: unknown axis \"bin\" (did you mean \"bins\""},
    {CONFIG(",\"points\":[{\"bins\":7},{\"bins\":[7]}]"),
     ": points[1].bins: found a list; a whole"},
    {CONFIG(",\"points\":[{\"bins\":256},{\"bins\":3},{\"n\":\"32M\"}]"),
     ": points[2]: this point is there already, at [0]; leave one of them out"},
    /* measure */
    {CONFIG(",\"measure\":4"), ": measure: found 4; an object is allowed"},
    {CONFIG(",\"measure\":{\"sample\":4}"),
     ": measure: unknown key \"sample\" (did you mean \"samples\"?)"},
    {CONFIG(",\"measure\":{\"samples\":0}"),
     ": measure.samples: found 0; a whole number from 1 to 1000000 or \"auto\" is allowed"},
    {CONFIG(",\"measure\":{\"samples\":\"Auto\"}"), ": measure.samples: found \"Auto\"; a whole"},
    {CONFIG(",\"measure\":{\"samples\":true}"), ": measure.samples: found true; a whole number"},
    {CONFIG(",\"measure\":{\"warmup\":-1}"), ": measure.warmup: found -1; a whole number from 0"},
    {CONFIG(",\"measure\":{\"min_samples\":20,\"max_samples\":10}"),
     ": measure: min_samples (20) is above max_samples (10)"},
    {CONFIG(",\"measure\":{\"scope\":\"host\"}"),
     ": measure.scope: found \"host\"; \"device\" or \"host-to-host\" is allowed"},
    {CONFIG(",\"measure\":{\"cache\":\"hot\"}"),
     ": measure.cache: found \"hot\"; \"warm\", \"cold\""},
    {CONFIG(",\"measure\":{\"cache\":[]}"), ": measure.cache: found an empty list; \"warm\""},
    {CONFIG(",\"measure\":{\"cache\":[\"warm\",\"warm\"]}"),
     ": measure.cache[1]: found \"warm\"; it is there twice"},
    {CONFIG(",\"measure\":{\"order\":1}"), ": measure.order: found 1; \"interleaved\" or"},
    {CONFIG(",\"measure\":{\"time_limit_s\":0}"), ": measure.time_limit_s: found 0; a number of"},
    {CONFIG(",\"measure\":{\"time_limit_s\":\"60\"}"), ": measure.time_limit_s: found \"60\"; a"},
    {CONFIG(",\"measure\":{\"max_rel_ci\":5}"), ": measure.max_rel_ci: found 5; a number above 0"},
    /* quick, also when it is not applied */
    {CONFIG(",\"quick\":true"), ": quick: found true; an object is allowed"},
    {CONFIG(",\"quick\":{\"seed\":1}"), ": quick: unknown key \"seed\"; known: axes, points"},
    {CONFIG(",\"quick\":{\"axes\":{\"bins\":[0]}}"), ": quick.axes.bins[0]: found \"0\"; a whole"},
    {CONFIG(",\"quick\":{\"measure\":{\"samples\":-1}}"), ": quick.measure.samples: found -1; a"},
    {CONFIG(",\"quick\":{\"variants\":[\"cup\"]}"), ": quick.variants[0]: found \"cup\" (did you"},
    /* seed */
    {CONFIG(",\"seed\":-1"), ": seed: found -1; a whole number from 0 to 18446744073709551615"},
    {CONFIG(",\"seed\":1.5"), ": seed: found 1.5; a whole number from 0"},
    {CONFIG(",\"seed\":18446744073709551615"),
     ": seed: found 1.84467440737096e+19 or a number near"},
    {CONFIG(",\"seed\":\"18446744073709551616\""),
     ": seed: found \"18446744073709551616\"; a whole"},
};

static void names_each_mistake(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const struct mistake *m = &mistakes[i];
        for (int quick = 0; quick <= 1; quick++) {
            gb_error error = {.text = ""};
            gb_config *config = load(m->text, &(gb_config_options){.quick = quick}, &error);
            if (config) fail_msg("%s\nwas taken", m->text);
            if (strncmp(error.text, path, strlen(path)) != 0)
                fail_msg("%s\ndoes not begin with the file: %s", m->text, error.text);
            assert_says(error.text, m->says, m->text);
        }
    }
}

static void survives_abuse(void **state)
{
    (void)state;
    gb_error error;
    size_t large = (16u << 20) + 1;
    char *text = malloc(large + 1);
    memset(text, ' ', large);
    memcpy(text, CONFIG(), strlen(CONFIG()));
    write_bytes(text, large - 1);
    gb_config *config = gb_config_load(path, catalogue, NULL, &error);
    if (!config) fail_msg("16 MiB refused: %s", error.text);
    gb_config_free(config);
    write_bytes(text, large);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ": more than 16 MiB; a config this large is a mistake", "size");

    memset(text, '[', large);
    write_bytes(text, 1u << 20);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ":1:1001: nested more than 1000 deep", "nesting");

    static const char nul[] = "{\n\"schema\": 1\0}";
    write_bytes(nul, sizeof nul - 1);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ":2:12: found a NUL character; a config is text", "NUL");

    assert_null(gb_config_load("/tmp/no such folder/x.json", catalogue, NULL, &error));
    assert_says(error.text, "/tmp/no such folder/x.json: cannot be opened: No such file", "open");
    assert_null(gb_config_load("/tmp", catalogue, NULL, &error));
    assert_says(error.text, "/tmp: cannot be ", "a folder");
    free(text);

    /* any prefix of a valid config is refused, none of them crashes */
    for (size_t length = 0; length < strlen(whole) - 1; length++) {
        write_bytes(whole, length);
        gb_config *c = gb_config_load(path, catalogue, NULL, &error);
        if (c) fail_msg("the first %zu bytes were taken", length);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void plans_10000_points_at_once(void **state)
{
    (void)state;
    size_t capacity = 1 << 20, used = 0;
    char *text = malloc(capacity);
    used += (size_t)sprintf(text, "{\"schema\":1,\"name\":\"x\",\"primitive\":\"multipartition\","
                                  "\"variants\":[\"cpu\",\"multisplit\"],\"points\":[");
    for (unsigned i = 0; i < 10000; i++)
        used += (size_t)sprintf(text + used, "%s{\"n\":\"%uk\",\"bins\":%u,\"dist\":\"zipf\"}",
                                i ? "," : "", i, i % 7 + 1);
    sprintf(text + used, "]}");
    static const char product[] = CONFIG(
        ",\"axes\":{\"n\":{\"from\":1,\"to\":100,\"step\":1},\"bins\":{\"from\":1,\"to\":100,"
        "\"step\":1}}");
    const char *const texts[] = {text, product};
    for (unsigned i = 0; i < 2; i++) {
        write_bytes(texts[i], strlen(texts[i]));
        double best = 1e9;
        for (unsigned attempt = 0; attempt < 3; attempt++) {
            gb_error error;
            double start = seconds();
            gb_config *c = gb_config_load(path, catalogue, NULL, &error);
            double taken = seconds() - start;
            if (!c) fail_msg("refused: %s", error.text);
            assert_int_equal(c->point_count, 10000);
            gb_config_free(c);
            if (taken < best) best = taken;
        }
        print_message("10000 points in %.1f ms\n", best * 1e3);
        if (best > 0.1) fail_msg("10000 points took %.3f s", best);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_everything), cmocka_unit_test(applies_quick),
        cmocka_unit_test(fills_defaults),   cmocka_unit_test(takes_ranges_and_points),
        cmocka_unit_test(applies_options),  cmocka_unit_test(names_each_mistake),
        cmocka_unit_test(survives_abuse),   cmocka_unit_test(plans_10000_points_at_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
