/* Configs: the whole message of each kind of mistake, and files made to do harm. */
#include "tests/driver/config_fixture.h"

#include <sys/stat.h>

#define TEN "abcdefghij"

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
    {"{\"a\": true \"b\": 2}", ":1:12: JSON syntax error, found '\"b\": 2}'; is a comma"},
    {"{\"a\": 1.-}", ":1:9: JSON syntax error, found '-}'"},
    {"// x\n{}", ":1:1: JSON syntax error, found '// x'; JSON has no comments"},
    {"{\"a\": .5}", ":1:7: JSON syntax error, found '.5}'; JSON numbers begin with a digit"},
    {"{1: 2}", ":1:2: JSON syntax error, found '1: 2}'; a value or a name in double quotes"},
    {"{\"a\": [{}, }", ":1:12: JSON syntax error, found '}'; leave out the comma"},
    {"{\"a\": \"b }", ":1:7: JSON syntax error, found '\"b }'; this string is not closed"},
    {"{\"a: 1}", ":1:2: JSON syntax error, found '\"a: 1}'; this string is not closed"},
    {"{\"a\": \"\\q\"}", ":1:8: JSON syntax error, found '\\q\"}'; after a backslash one of"},
    {"{\"a\": yes}", ":1:7: JSON syntax error, found 'yes}'; a value or a name in double quotes"},
    {"{} x", ":1:4: JSON syntax error, found 'x'"},
    {"{\"name\": \"a\\u0000b\"}", ":1:12: found a NUL character, which no such file needs"},
    /* places: of values, of names, of what is missing in them; in characters */
    {CONFIG(",\n\"axes\":{\n\t\"bins\" : [ 2,\n 0 ]}"), ":4:2: axes.bins[1]: found \"0\"; a whole"},
    {CONFIG(",\r\n \"title\": \"\xC3\xA9{[,\\\"\", \"seed\":-1"), ":2:28: seed: found -1; a whole"},
    {CONFIG(",\n\"seed\":1,\n \"seed\":2"), ":3:2: the key \"seed\" is there twice"},
    {CONFIG(",\n\"measure\":\n{\"samples\":3,\n  \"sample\":1}"),
     ":4:3: measure: unknown key \"sample\" (did you mean \"samples\"?)"},
    {CONFIG(",\n\"overrides\":[{\"where\":\"n > 1\",\"samples\":2},\n  {\"samples\":2}]"),
     ":3:3: overrides[1]: \"where\" is missing"},
    {"\xEF\xBB\xBF{\n \"schema\": 2}", ":2:12: schema: found 2; this gpubench reads schema 1"},
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
    {"{\"schema\":1,\"name\":\".\"}", ": name: found \".\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"..\"}", ": name: found \"..\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"/etc/x\"}", ": name: found \"/etc/x\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"-rf\"}", ": name: found \"-rf\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"a b\"}", ": name: found \"a b\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"\xC3\xA4\"}", ": name: found \"\xC3\xA4\"; it becomes a file name"},
    {"{\"schema\":1,\"name\":\"a\\n\"}",
     ": name: found \"a;\"; line feeds, tabs and other control"},
    {"{\"schema\":1,\"name\":\"a\\u001b[m\"}", ": name: found \"a?[m\"; line feeds"},
    {"{\"schema\":1,\"name\":\"\xFF\"}", ": name: found \"?\"; line feeds, tabs and other"},
    {"{\"schema\":1,\"name\":\"x.samples\"}", ": name: found \"x.samples\"; its result file would"},
    {"{\"schema\":1,\"name\":\"x.retried\"}", ": name: found \"x.retried\"; its result file would"},
    {"{\"schema\":1,\"name\":\"" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "x\"}",
     ": name: found a text of 101 bytes; at most 100 are allowed"},
    {"{\"schema\":1,\"name\":\"\\ud800\"}", ":1:21: JSON syntax error"},
    {"{\"schema\":1e999}", ": schema: found a number beyond 1.8e308; this gpubench reads schema 1"},
    {"{\"schema\":1,\"name\":3}", ": name: found 3; a string is allowed"},
    {CONFIG(",\"title\":null"), ": title: found null; a string is allowed"},
    {CONFIG(",\"title\":\"a\\nb\""), ": title: found \"a;b\"; line feeds, tabs and other control"},
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
    /* where, reproduce */
    {CONFIG(",\"where\":\"binz > 3\""),
     ": where: --filter 'binz > 3': column 1: multipartition has no axis \"binz\""},
    {CONFIG(",\"where\":\"bins >\""), ": where: --filter 'bins >': column 7: "},
    {CONFIG(",\"where\":\"\""), ": where: --filter '': "},
    {CONFIG(",\"where\":7"), ": where: found 7; a string is allowed"},
    {CONFIG(",\"where\":[\"bins > 3\"]"), ": where: found a list; a string is allowed"},
    {CONFIG(",\"where\":\"bins = 3\""), ": \"where\" leaves none of its points and variants"},
    {CONFIG(",\"where\":\"variant = cpu\""), ": \"where\" leaves none of its points and"},
    {CONFIG(",\"reproduce\":1"), ": reproduce: found 1; true or false is allowed"},
    {CONFIG(",\"reproduce\":\"false\""), ": reproduce: found \"false\"; true or false"},
    {CONFIG(",\"reproduce\":null"), ": reproduce: found null; true or false is allowed"},
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
    {CONFIG(",\"axes\":{\"dist\":[\"distinct:a\\tb\"]}"),
     "at most 4150 bytes of UTF-8 without control"},
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
     ": axes.n: 1099511627777 values; at most 1000000 points are allowed"},
    {CONFIG(",\"axes\":{\"n\":{\"from\":1,\"to\":10001,\"step\":1},"
            "\"bins\":{\"from\":1,\"to\":1000,\"step\":1}}"),
     ": axes: the product of the axes is 10001000 points; at most 1000000 are allowed"},
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
    {CONFIG(",\"measure\":{\"min_samples\":30,\"max_samples\":25}"),
     ": measure: min_samples (30) is above max_samples (25)"},
    {CONFIG(",\"measure\":{\"min_samples\":19}"),
     ": measure.min_samples: found 19; a whole number from 20 to 1000000 is allowed"},
    {CONFIG(",\"measure\":{\"max_samples\":19}"),
     ": measure.max_samples: found 19; a whole number from 20 to 1000000 is allowed"},
    {CONFIG(",\"measure\":{\"scope\":\"host\"}"),
     ": measure.scope: found \"host\"; \"device\", \"host-to-host\" or [\"device\", "
     "\"host-to-host\"] is allowed"},
    {CONFIG(",\"measure\":{\"scope\":[]}"),
     ": measure.scope: found an empty list; \"device\", \"host-to-host\" or ["},
    {CONFIG(",\"measure\":{\"scope\":[\"device\",\"host\"]}"),
     ": measure.scope[1]: found \"host\"; \"device\", \"host-to-host\" or ["},
    {CONFIG(",\"measure\":{\"scope\":[\"device\",\"device\"]}"),
     ": measure.scope[1]: found \"device\"; it is there twice"},
    {CONFIG(",\"measure\":{\"scope\":[\"device\",\"host-to-host\",\"device\"]}"),
     ": measure.scope[2]: found \"device\"; it is there twice"},
    /* where, reproduce */
    {CONFIG(",\"where\":4"), ": where: found 4"},
    {CONFIG(",\"where\":\"size > 1\""), ": where: --filter"},
    {CONFIG(",\"where\":\"n > 1 &&\""), ": where: --filter"},
    {CONFIG(",\"where\":\"n == 77\""), ": \"where\" leaves none of its points and variants"},
    {CONFIG(",\"reproduce\":0"), ": reproduce: found 0; true or false is allowed"},
    /* overrides */
    {CONFIG(",\"overrides\":4"), ": overrides: found 4; a list of {\"where\", \"samples\""},
    {CONFIG(",\"overrides\":[]"), ": overrides: found a list; a list of {\"where\""},
    {CONFIG(",\"overrides\":[4]"), ": overrides[0]: found 4; an object is allowed"},
    {CONFIG(",\"overrides\":[{\"samples\":3}]"), ": overrides[0]: \"where\" is missing"},
    {CONFIG(",\"overrides\":[{\"where\":\"n > 1\"}]"), ": overrides[0]: \"samples\" is missing"},
    {CONFIG(",\"overrides\":[{\"where\":1,\"samples\":3}]"),
     ": overrides[0].where: found 1; an expression as of --filter is allowed"},
    {CONFIG(",\"overrides\":[{\"where\":\"size > 1\",\"samples\":3}]"),
     ": overrides[0].where: --filter"},
    {CONFIG(",\"overrides\":[{\"where\":\"n > 1\",\"samples\":0}]"),
     ": overrides[0].samples: found 0; a whole number from 1 to 1000000 is allowed"},
    {CONFIG(",\"overrides\":[{\"where\":\"n > 1\",\"samples\":\"auto\"}]"),
     ": overrides[0].samples: found \"auto\"; a whole number from 1"},
    {CONFIG(",\"overrides\":[{\"where\":\"n > 1\",\"samples\":2,\"warmup\":-1}]"),
     ": overrides[0].warmup: found -1; a whole number from 0"},
    {CONFIG(",\"overrides\":[{\"where\":\"n > 1\",\"samples\":2},{\"when\":1}]"),
     ": overrides[1]: unknown key \"when\" (did you mean \"where\"?)"},
    {CONFIG(",\"measure\":{\"cache\":\"hot\"}"),
     ": measure.cache: found \"hot\"; \"warm\", \"cold\""},
    {CONFIG(",\"measure\":{\"cache\":[]}"), ": measure.cache: found an empty list; \"warm\""},
    {CONFIG(",\"measure\":{\"cache\":[\"warm\",\"warm\"]}"),
     ": measure.cache[1]: found \"warm\"; it is there twice"},
    {CONFIG(",\"measure\":{\"order\":1}"), ": measure.order: found 1; \"interleaved\" or"},
    {CONFIG(",\"measure\":{\"time_limit_s\":0}"), ": measure.time_limit_s: found 0; a number of"},
    {CONFIG(",\"measure\":{\"time_limit_s\":\"60\"}"), ": measure.time_limit_s: found \"60\"; a"},
    {CONFIG(",\"measure\":{\"rest\":-1}"), ": measure.rest: found -1; a number from 0 to 100"},
    {CONFIG(",\"measure\":{\"rest\":\"1\"}"), ": measure.rest: found \"1\"; a number from 0"},
    {CONFIG(",\"measure\":{\"max_rel_ci\":5}"), ": measure.max_rel_ci: found 5; a number above 0"},
    {CONFIG(",\"measure\":{\"device_memory\":0}"),
     ": measure.device_memory: found 0; a size in bytes from 1 to 4096Ti is allowed, e.g. "
     "\"256Mi\" "
     "or 268435456; leave it out for all that the device has"},
    {CONFIG(",\"measure\":{\"device_memory\":-1}"), ": measure.device_memory: found -1; a size in"},
    {CONFIG(",\"measure\":{\"device_memory\":1.5}"),
     ": measure.device_memory: found 1.5; a size in"},
    {CONFIG(",\"measure\":{\"device_memory\":true}"),
     ": measure.device_memory: found true; a size"},
    {CONFIG(",\"measure\":{\"device_memory\":\"256MB\"}"),
     ": measure.device_memory: found \"256MB\"; a size in bytes"},
    {CONFIG(",\"measure\":{\"device_memory\":\"8388608Gi\"}"),
     ": measure.device_memory: found \"8388608Gi\"; a size in bytes"},
    {CONFIG(",\"measure\":{\"device_memry\":1}"),
     ": measure: unknown key \"device_memry\" (did you mean \"device_memory\"?)"},
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

/* Where a message says that the mistake is: "FILE:LINE:COLUMN: ". */
static const char *place_of(const char *text, const char *message)
{
    unsigned line, column;
    int end = 0;
    if (sscanf(message + strlen(path), ":%u:%u: %n", &line, &column, &end) != 2 || end == 0)
        fail_msg("%s\nno line and column: %s", text, message);
    const char *at = text;
    for (; line > 1 && strchr(at, '\n'); line--)
        at = strchr(at, '\n') + 1;
    /* characters, not bytes */
    for (; column > 1 && *at; column--)
        for (at++; ((unsigned char)*at & 0xC0) == 0x80; at++) {
        }
    if (line > 1 || column > 1) fail_msg("%s\nhas no such place: %s", text, message);
    return at;
}

/* What a message quotes stands where it says, with its quotes or, a number, without. */
static void assert_stands_there(const char *text, const char *message)
{
    static const char *const before[] = {" unknown key ", " unknown axis ", ": found ", " the key ",
                                         " the axis "};
    const char *at = place_of(text, message);
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *quoted = strstr(message, before[i]);
        if (!quoted) continue;
        quoted += strlen(before[i]);
        char word[128];
        snprintf(word, sizeof word, "%.*s", (int)strcspn(quoted, ";, "), quoted);
        if (*quoted == '"') snprintf(word, sizeof word, "%s", quoted);
        if (*word == '"' && strchr(word + 1, '"')) strchr(word + 1, '"')[1] = '\0';
        const bool literal = strchr("\"-0123456789", *word) && !strpbrk(word, "?\\;") &&
                             !strstr(word, "...") && !strstr(word, "e+");
        if (strstr(message, " or a number near it")) return; /* a double of it is shown */
        if (!literal || (*word == '"' && strlen(word) > 60)) return;
        const char *bare = *word == '"' ? word + 1 : word;
        const size_t rest = strlen(bare) - (*word == '"');
        if (strncmp(at, word, strlen(word)) != 0 && strncmp(at, bare, rest) != 0)
            fail_msg("%s\nsays:  %s\nthere: %.40s", text, message, at);
        return;
    }
}

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
            assert_stands_there(m->text, error.text);
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
    memcpy(text, CONFIG(), sizeof CONFIG() - 1);
    write_bytes(text, large - 1);
    gb_config *config = gb_config_load(path, catalogue, NULL, &error);
    if (!config) fail_msg("16 MiB refused: %s", error.text);
    gb_config_free(config);
    write_bytes(text, large);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ": more than 16 MiB; a config is never that large", "size");

    memset(text, '[', large);
    write_bytes(text, 1u << 20);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ":1:65: found more than 64 levels, which no such file needs",
                "nesting");

    static const char nul[] = "{\n\"schema\": 1\0}";
    write_bytes(nul, sizeof nul - 1);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ":2:12: found a NUL character, which no such file needs", "NUL");

    assert_null(gb_config_load("/tmp/no such folder/x.json", catalogue, NULL, &error));
    assert_says(error.text, "/tmp/no such folder/x.json: cannot be opened: No such file", "open");
    assert_null(gb_config_load("/tmp", catalogue, NULL, &error));
    assert_says(error.text, "/tmp: is a folder, not a config", "a folder");
    free(text);

    /* three bytes a value would become a hundred */
    enum { LISTS = 3000000 };
    char *lists = malloc(3 * LISTS + 2);
    strcpy(lists, "[[]");
    for (size_t i = 1; i < LISTS; i++)
        strcpy(lists + 3 * i, ",[]");
    strcpy(lists + 3 * LISTS, "]");
    write_bytes(lists, 3 * LISTS + 1);
    free(lists);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ": found more than 2000000 values, which no such file needs", "values");

    assert_null(gb_config_load("/dev/zero", catalogue, NULL, &error));
    assert_says(error.text, "/dev/zero: is a device, not a config", "a device");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_null(gb_config_load(path, catalogue, NULL, &error));
    assert_says(error.text, ": is a pipe that nobody writes to", "a pipe");
    assert_int_equal(unlink(path), 0);

    /* any prefix of a valid config is refused, none of them crashes */
    static const char whole[] =
        CONFIG(",\"title\":\"\\u00e9\",\"axes\":{\"bins\":[4e1,\"1Ki\",true]},\"seed\":-0.5");
    for (size_t length = 0; length < strlen(whole) - 1; length++) {
        write_bytes(whole, length);
        gb_config *c = gb_config_load(path, catalogue, NULL, &error);
        if (c) fail_msg("the first %zu bytes were taken", length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_each_mistake),
        cmocka_unit_test(survives_abuse),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
