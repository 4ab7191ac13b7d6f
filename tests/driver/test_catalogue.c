/* The catalogue: a describe answer read whole, each kind of damage refused by name, values of axes,
 * nearest names. */
#include "tests/driver/fixture.h"

#include "bench/util/nearest.h"
#include "common/text/text.h"

static void reads_everything(void **state)
{
    (void)state;
    gb_catalogue *c = fixture_catalogue();
    assert_int_equal(c->protocol, 2);
    assert_string_equal(c->backend, "simt");
    assert_string_equal(c->compiler, "g++ 12.2.0");
    assert_string_equal(c->reason, "");
    assert_int_equal(c->architecture_count, 1);
    assert_int_equal(c->architectures[0], 900);
    assert_int_equal(c->device_count, 2);
    assert_string_equal(c->devices[0].slug, "simt");
    assert_true(c->devices[0].usable);
    assert_int_equal(c->devices[0].memory_bytes, UINT64_C(8589934592));
    assert_false(c->devices[1].usable);
    assert_string_equal(c->devices[1].reason, "compiled for 900 only");
    assert_true(c->devices[1].sm_clock_max_mhz == 0);

    const gb_catalogue_primitive *p = gb_catalogue_find(c, "multipartition");
    assert_non_null(p);
    assert_null(gb_catalogue_find(c, "multipart"));
    assert_string_equal(p->unit, "keys");
    assert_int_equal(p->axis_count, 5);
    assert_int_equal(p->axes[0].max, UINT64_C(1) << 40);
    assert_null(p->axes[0].names);
    assert_string_equal(p->axes[0].nasty[4], "33");
    assert_null(p->axes[0].nasty[5]);
    assert_string_equal(p->axes[2].names[7], "distinct:");
    assert_int_equal(gb_catalogue_axis_index(p, "dist"), 2);
    assert_int_equal(gb_catalogue_axis_index(p, "variant"), -1);
    assert_int_equal(gb_catalogue_variant_index(p, "cpu"), 3);
    assert_true(p->variants[3].host);
    assert_true(p->variants[2].cuda_only);
    assert_true(p->variants[1].stable);
    assert_false(p->variants[0].stable);
    gb_catalogue_free(c);
    gb_catalogue_free(NULL);
}

/* Puts value (JSON text; NULL: remove) at a path of members and indexes separated by '/'. */
static void put(cJSON *root, const char *path, const char *value)
{
    char copy[128], *rest = NULL;
    snprintf(copy, sizeof copy, "%s", path);
    cJSON *at = root;
    for (char *step = strtok_r(copy, "/", &rest); step;) {
        char *next = strtok_r(NULL, "/", &rest);
        if (!next) {
            cJSON_DeleteItemFromObjectCaseSensitive(at, step);
            if (value) cJSON_AddItemToObject(at, step, cJSON_Parse(value));
            return;
        }
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(step))
                               : cJSON_GetObjectItemCaseSensitive(at, step);
        assert_non_null(at);
        step = next;
    }
}

static void refuses_damage(void **state)
{
    (void)state;
    static const struct {
        const char *path, *value, *says;
    } cases[] = {
        {"protocol", "1", "the worker speaks protocol 1, this gpubench"},
        {"protocol", "\"2\"", "protocol: not a number"},
        {"protocol", NULL, "protocol: missing"},
        {"backend", NULL, "backend: missing"},
        {"backend", "\"a b\"", "backend: letters, digits, '-', '_' and '.' are allowed"},
        {"toolkit", "13", "toolkit: not a string"},
        {"architectures", "[\"sm_90\"]", "architectures: an entry that is no number"},
        {"devices", "{}", "devices: not a list"},
        {"devices/0/index", "-1", "devices[0].index: out of range"},
        {"devices/0/slug", "\"../x\"", "devices[0].slug: the first character"},
        {"devices/0/name", "\"a\\nb\"", "devices[0].name: a control character"},
        {"devices/1/usable", NULL, "devices[1].usable: missing"},
        {"devices/1/usable", "1", "devices[1].usable: neither true nor false"},
        {"primitives", NULL, "primitives: missing"},
        {"primitives/0/unit", "\"\"", "primitives[0].unit: an empty string"},
        {"primitives/0/axes", "[1,2,3,4,5,6,7,8,9]", "primitives[0].axes: too many"},
        {"architectures", NULL, "architectures: missing"},
        {"primitives/0/axes/2/names", "[5]", "axes[2].names: an entry that is no short string"},
        {"primitives/1",
         "{\"name\":\"multipartition\",\"title\":\"M\",\"unit\":\"keys\","
         "\"axes\":[],\"variants\":[]}",
         "primitives[1].name: two primitives share it"},
        {"primitives/0/axes/1/name", "\"n\"", "primitives[0].axes[1].name: two axes share it"},
        {"primitives/0/axes/1/max", "4", "primitives[0].axes[1].max: not a size in a string"},
        {"primitives/0/axes/1/max", "\"0\"", "primitives[0].axes[1].min: above max"},
        {"primitives/0/axes/1/default", "\"0\"", "primitives[0].axes[1].default: found \"0\"; a"},
        {"primitives/0/axes/1/type", "\"real\"", "axes[1].type: neither \"size\" nor \"name\""},
        {"primitives/0/axes/2/names", "[]", "primitives[0].axes[2].names: an empty list"},
        {"primitives/0/axes/2/nasty", "[\"gauss\"]", "axes[2].nasty: found \"gauss\""},
        {"primitives/0/axes/2/nasty", NULL, "axes[2].nasty: missing"},
        {"primitives/0/variants/1/name", "\"multipartition\"", "variants[1].name: two variants"},
        {"primitives/0/variants/1/name", "\"a/../b\"", "variants[1].name: letters, digits"},
        {"primitives/0/name", "\"..\"", "primitives[0].name: the first character"},
        {"primitives/0/title", "\"\\u001b[2J\"", "primitives[0].title: a control character"},
        {"primitives/0/title",
         "\"\xC2\x9B"
         "2J\"",
         "primitives[0].title: a control character"},
        {"primitives/0/title", "\"\xFF\"", "primitives[0].title: a control character, or a byte"},
        {"primitives/0/axes/0/name", "\"status\"", "axes[0].name: a column of result files"},
        {"primitives/0/axes/0/name", "\"n,m\"", "axes[0].name: letters, digits"},
        {"primitives/0/axes/0/name", "\"kind\"", "axes[0].name: a column of result files"},
        {"primitives/0/axes/2/names", "[\"a b\"]", "axes[2].names: an entry with blanks"},
        {"primitives/0/axes/2/names", "[\"a;b\"]", "axes[2].names: an entry with blanks"},
        {"devices/0/slug", "\"../../etc\"", "devices[0].slug: the first character"},
        {"devices/0/slug", "\"a/b\"", "devices[0].slug: letters, digits"},
        {"devices/0/slug", "\"-rf\"", "devices[0].slug: the first character"},
        {"devices/0/name", "\"a\\nb\"", "devices[0].name: a control character"},
        {"primitives/0/variants/1/stable", NULL, "primitives[0].variants[1].stable: missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cJSON *answer = fixture_answer();
        put(answer, cases[i].path, cases[i].value);
        gb_error error = {.text = ""};
        gb_catalogue *c = gb_catalogue_parse(answer, &error);
        if (c) fail_msg("%s = %s was taken", cases[i].path, cases[i].value);
        assert_says(error.text, cases[i].says, cases[i].path);
        cJSON_Delete(answer);
    }
    /* looking names up takes time with the square of their number */
    cJSON *many = fixture_answer();
    cJSON *numbers = cJSON_GetObjectItem(many, "architectures");
    for (int i = 0; i < 1001; i++)
        cJSON_AddItemToArray(numbers, cJSON_CreateNumber(i));
    gb_error reason = {.text = ""};
    assert_null(gb_catalogue_parse(many, &reason));
    assert_says(reason.text, "architectures: more than 1000 entries", "many");
    cJSON_Delete(many);

    char text[8194] = "";
    memset(text, 'x', sizeof text - 1);
    cJSON *wordy = fixture_answer();
    cJSON_ReplaceItemInObject(wordy, "compiler", cJSON_CreateString(text));
    assert_null(gb_catalogue_parse(wordy, &reason));
    assert_says(reason.text, "compiler: longer than 8192 bytes", "wordy");
    cJSON_Delete(wordy);

    cJSON *list = cJSON_Parse("[]");
    gb_error error;
    assert_null(gb_catalogue_parse(list, &error));
    cJSON_Delete(list);
}

static void reads_values(void **state)
{
    (void)state;
    gb_catalogue *c = fixture_catalogue();
    const gb_catalogue_axis *axes = c->primitives[0].axes;
    static const struct {
        unsigned axis;
        const char *text, *value; /* value NULL: refused, and says is the message's fragment */
        const char *says;
    } cases[] = {
        {0, "0", "0", NULL},
        {0, "16Ki", "16384", NULL},
        {0, "1024Gi", "1099511627776", NULL},
        {0, "1025Gi", NULL, "found \"1025Gi\"; a whole number from 0 to 1099511627776 is allowed"},
        {1, "0", NULL,
         "found \"0\"; a whole number from 1 to 1048576 is allowed, e.g. 4096 or 4Ki"},
        {1, "4x", NULL, "(the suffixes are k, M, G (powers of ten) and Ki, Mi, Gi"},
        {2, "zipf", "zipf", NULL},
        {2, "distinct:16", "distinct:16", NULL},
        {2, "distinct:", NULL, "found \"distinct:\" (did you mean \"distinct:...\"?)"},
        {2, "distinct", NULL, "(did you mean \"distinct:...\"?); allowed: uniform, binomial"},
        {2, "distnct:9", NULL, "(did you mean \"distinct:9\"?)"},
        {2, "uniform:2", NULL, "found \"uniform:2\" (did you mean \"uniform\"?)"},
        {2, "Uniform", NULL, "(did you mean \"uniform\"?)"},
        {2, "distinct:a b", "distinct:a b", NULL},
        {2, "distinct:a\tb", NULL, "without control characters"},
        {2, "qqq", NULL, "found \"qqq\"; allowed: uniform"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_value value;
        gb_error error = {.text = ""};
        bool taken = gb_axis_parse_value(&axes[cases[i].axis], cases[i].text, &value, &error);
        if (taken != (cases[i].value != NULL))
            fail_msg("\"%s\" %s %s", cases[i].text, taken ? "taken" : "refused", error.text);
        if (taken)
            assert_string_equal(value.text, cases[i].value);
        else
            assert_says(error.text, cases[i].says, cases[i].text);
    }
    char longest[GB_MAX_VALUE + 100] = "distinct:";
    memset(longest + 9, '1', sizeof longest - 10);
    longest[sizeof longest - 1] = '\0';
    gb_value value;
    assert_false(gb_axis_parse_value(&axes[2], longest, &value, NULL));
    longest[GB_MAX_VALUE - 1] = '\0';
    assert_true(gb_axis_parse_value(&axes[2], longest, &value, NULL));
    gb_catalogue_free(c);
}

static void finds_nearest(void **state)
{
    (void)state;
    static const char *const words[] = {"run", "list", "info", "check", "table", "plot", NULL};
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"rnu", "run"},     {"lst", "list"},   {"chekc", "check"},
        {"TABLE", "table"}, {"infos", "info"}, {"benchmark", NULL},
        {"x", NULL},        {"", NULL},        {"zzzz", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *nearest = gb_nearest(cases[i].word, words);
        if (cases[i].nearest) {
            if (!nearest) fail_msg("nothing near \"%s\"", cases[i].word);
            assert_string_equal(nearest, cases[i].nearest);
        } else if (nearest) {
            fail_msg("\"%s\" is not near \"%s\"", nearest, cases[i].word);
        }
    }
    char text[24];
    assert_string_equal(gb_join_names(text, sizeof text, words), "run, list, ...");
    char line[64];
    assert_string_equal(gb_join_names(line, sizeof line, words),
                        "run, list, info, check, table, plot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_everything),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(reads_values),
        cmocka_unit_test(finds_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
