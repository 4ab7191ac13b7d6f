/* Configs: what a valid one turns into, options, and the time that planning takes. */
#include "tests/driver/config_fixture.h"
#include "tests/harness/patience.h"

#include <inttypes.h>
#include <time.h>

static const char whole[] =
    "{ \"schema\": 1, \"name\": \"multipartition-1.b_c\", \"title\": \"Table 1 \\u2014 "
    "\xC3\xA9\",\n"
    "  \"paper\": \"published/multipartition-table1.csv\", \"primitive\": \"multipartition\",\n"
    "  \"variants\": [\"cpu\", \"multisplit\", \"multipartition\"], \"baseline\": \"multisplit\",\n"
    "  \"axes\": { \"bins\": [40, \"1Ki\", 4.096e3], \"n\": [\"1M\", 8000000],\n"
    "              \"dist\": \"distinct:7\" },\n"
    "  \"measure\": { \"samples\": 100, \"warmup\": 0, \"scope\": \"host-to-host\",\n"
    "     \"cache\": [\"cold\", \"warm\"], \"order\": \"sequential\", \"time_limit_s\": 2.5, "
    "\"rest\": 1.5,\n"
    "     \"max_rel_ci\": 0.01, \"device_memory\": \"256Mi\" },\n"
    "  \"quick\": { \"axes\": { \"n\": [\"16Ki\"], \"function\": [\"hash\", \"modulo\"] },\n"
    "     \"variants\": [\"multisplit\"], \"measure\": { \"samples\": \"auto\", \"min_samples\": "
    "24,\n"
    "     \"max_samples\": 40, \"device_memory\": 65536 } },\n"
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
    assert_true(m->time_limit_s == 2.5 && m->max_rel_ci == 0.01 && m->rest == 1.5);
    assert_true(m->device_memory == (uint64_t)256 << 20);

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
    assert_int_equal(c->measure.samples, 24);
    assert_int_equal(c->measure.max_samples, 40);
    assert_int_equal(c->measure.scope, GB_SCOPE_HOST_TO_HOST);
    assert_true(c->measure.device_memory == 65536);
    /* bins and dist stay, n is replaced in its place, function comes last */
    assert_int_equal(c->point_count, 6);
    assert_point(c, 0, 16384, 40, "distinct:7", "hash");
    assert_point(c, 1, 16384, 40, "distinct:7", "modulo");
    assert_point(c, 2, 16384, 1024, "distinct:7", "hash");
    gb_config_free(c);

    c = load_valid(CONFIG(",\"axes\":{\"n\":[1]}"), &(gb_config_options){.quick = true});
    assert_false(c->quick);
    assert_false(c->can_be_quick);
    gb_config_free(c);

    c = load_valid(CONFIG(",\"axes\":{\"n\":[1,2]},\"quick\":{\"points\":[{\"bins\":3}]}"),
                   &(gb_config_options){.quick = true});
    assert_int_equal(c->point_count, 1);
    assert_point(c, 0, 65536, 3, "uniform", "range");
    gb_config_free(c);

    c = load_valid(CONFIG(",\"points\":[{\"n\":1},{\"n\":2}],\"quick\":{\"axes\":{\"bins\":[3]}}"),
                   &(gb_config_options){.quick = true});
    assert_int_equal(c->point_count, 1);
    assert_point(c, 0, 65536, 3, "uniform", "range");
    gb_config_free(c);
}

/* What a config leaves out is small in quick runs, and as ever in others. */
static void small_where_it_says_nothing(void **state)
{
    (void)state;
    static const gb_config_options quick = {.quick = true};
    gb_config *c = load_valid(CONFIG(), NULL);
    assert_point(c, 0, 32000000, 256, "uniform", "range");
    assert_string_equal(c->small, "");
    assert_false(c->quick);
    assert_true(c->can_be_quick);
    gb_config_free(c);
    c = load_valid(CONFIG(), &quick);
    assert_point(c, 0, 65536, 256, "uniform", "range");
    assert_string_equal(c->small, "n = 64Ki instead of 32M");
    assert_true(c->quick);
    gb_config_free(c);
    c = load_valid(CONFIG(",\"overrides\":[{\"where\":\"n > 1k\",\"samples\":7}]"), &quick);
    assert_int_equal(c->override_count, 1);
    gb_config_free(c);
    c = load_valid(CONFIG(",\"points\":[{\"n\":\"1M\"},{\"bins\":3}]"), &quick);
    assert_point(c, 0, 1000000, 256, "uniform", "range");
    assert_point(c, 1, 65536, 3, "uniform", "range");
    assert_string_equal(c->small, "n = 64Ki instead of 32M");
    gb_config_free(c);
    /* what would be two points in full is one then, and no mistake */
    c = load_valid(CONFIG(",\"points\":[{\"n\":\"64Ki\"},{},{\"n\":1}]"), &quick);
    assert_int_equal(c->point_count, 2);
    assert_point(c, 0, 65536, 256, "uniform", "range");
    assert_point(c, 1, 1, 256, "uniform", "range");
    gb_config_free(c);
    c = load_valid(CONFIG(",\"points\":[{\"n\":\"1M\"}]"), &quick);
    assert_string_equal(c->small, "");
    assert_false(c->quick);
    gb_config_free(c);
    c = load_valid(CONFIG(",\"quick\":{\"axes\":{\"n\":[7]}}"), &quick);
    assert_string_equal(c->small, "");
    assert_true(c->quick);
    gb_config_free(c);
}

/* Rows that an override's filter passes get its samples; --samples and quick speak for all rows. */
static void overrides_samples(void **state)
{
    (void)state;
    static const char text[] =
        CONFIG(",\"axes\":{\"n\":[1000,2000]},\"measure\":{\"samples\":50,\"warmup\":5,"
               "\"scope\":[\"host-to-host\",\"device\"]},"
               "\"overrides\":[{\"where\":\"variant == cpu && n > 1k\",\"samples\":2,\"warmup\":0},"
               "{\"where\":\"n > 1k\",\"samples\":7}],\"quick\":{\"measure\":{\"samples\":3}}");
    gb_config *c = load_valid(text, NULL);
    const unsigned cpu = (unsigned)gb_catalogue_variant_index(c->primitive, "cpu");
    const unsigned other = (unsigned)gb_catalogue_variant_index(c->primitive, "multipartition");
    gb_sampling usual = gb_config_sampling(c, &c->points[0], cpu);
    gb_sampling slow = gb_config_sampling(c, &c->points[1], cpu);
    gb_sampling large = gb_config_sampling(c, &c->points[1], other);
    assert_true(usual.samples == 50 && usual.warmup == 5);
    assert_true(slow.samples == 2 && slow.warmup == 0);
    assert_true(large.samples == 7 && large.warmup == 5); /* the section's */
    assert_int_equal(gb_scope_count(&c->measure), 2);
    assert_int_equal(gb_scope_at(&c->measure, 0), GB_SCOPE_HOST_TO_HOST);
    assert_int_equal(gb_scope_at(&c->measure, 1), GB_SCOPE_DEVICE);
    gb_config_free(c);

    c = load_valid(text, &(gb_config_options){.samples = "9"});
    assert_int_equal(gb_config_sampling(c, &c->points[1], cpu).samples, 9);
    gb_config_free(c);
    c = load_valid(text, &(gb_config_options){.quick = true});
    assert_int_equal(gb_config_sampling(c, &c->points[1], cpu).samples, 3);
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
    assert_true(m->time_limit_s == 60 && m->max_rel_ci == 0.005 && m->rest == 0);
    assert_true(m->device_memory == 0);
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
                              "\"min_samples\":26}");
    gb_config *c = load_valid(text, &(gb_config_options){.samples = "7", .filter = "bins>3"});
    assert_int_equal(c->measure.samples, 7);
    assert_non_null(c->filter);
    assert_int_equal(c->point_count, 2);
    assert_point(c, 1, 2, 4, "uniform", "range");
    gb_config_free(c);

    c = load_valid(text,
                   &(gb_config_options){.samples = "auto", .filter = "variant=multisplit && n=2"});
    assert_true(c->measure.automatic);
    assert_int_equal(c->measure.samples, 26);
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

/* "where" leaves out rows of the plan, in quick runs as well; --filter leaves out more. */
static void where_leaves_rows_out(void **state)
{
    (void)state;
    const char *text = CONFIG(",\"axes\":{\"n\":[1,2],\"bins\":[3,4]},"
                              "\"where\":\"variant != multisplit || bins > 3\","
                              "\"quick\":{\"axes\":{\"n\":[7]}},\"reproduce\":false");
    gb_config *c = load_valid(text, NULL);
    assert_int_equal(c->point_count, 4);
    for (unsigned i = 0; i < 4; i++) { /* bins are the inner axis */
        assert_true(gb_filter_passes(c->filter, &c->points[i], 0));
        assert_int_equal(gb_filter_passes(c->filter, &c->points[i], 1), i % 2 == 1);
    }
    gb_config_free(c);

    /* both count, each as a whole: "where" is an "or", so is the filter */
    c = load_valid(text, &(gb_config_options){.filter = "bins = 3 || n = 2"});
    assert_int_equal(c->point_count, 3);
    assert_point(c, 0, 1, 3, "uniform", "range");
    assert_point(c, 2, 2, 4, "uniform", "range");
    assert_false(gb_filter_passes(c->filter, &c->points[0], 1));
    assert_false(gb_filter_passes(c->filter, &c->points[1], 1));
    assert_true(gb_filter_passes(c->filter, &c->points[2], 1));
    gb_config_free(c);

    c = load_valid(text, &(gb_config_options){.quick = true});
    assert_true(c->quick);
    assert_int_equal(c->point_count, 2);
    assert_point(c, 0, 7, 3, "uniform", "range");
    assert_false(gb_filter_passes(c->filter, &c->points[0], 1));
    assert_true(gb_filter_passes(c->filter, &c->points[1], 1));
    gb_config_free(c);

    /* a mistake in the filter is shown as it was written; nothing left is both's */
    gb_error error;
    assert_null(load(text, &(gb_config_options){.filter = "n = "}, &error));
    assert_says(error.text, "--filter 'n = ': column 5", "filter");
    assert_null(
        load(text, &(gb_config_options){.filter = "bins = 3 && variant = multisplit"}, &error));
    assert_says(error.text,
                "--filter 'bins = 3 && variant = multisplit' leaves none of its points and "
                "variants",
                "both");
    gb_config_free(load_valid(CONFIG(",\"reproduce\":true"), NULL));
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
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
        if (best > 0.1 * patience()) fail_msg("10000 points took %.3f s", best);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_everything),
        cmocka_unit_test(applies_quick),
        cmocka_unit_test(small_where_it_says_nothing),
        cmocka_unit_test(overrides_samples),
        cmocka_unit_test(fills_defaults),
        cmocka_unit_test(takes_ranges_and_points),
        cmocka_unit_test(applies_options),
        cmocka_unit_test(where_leaves_rows_out),
        cmocka_unit_test(plans_10000_points_at_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
