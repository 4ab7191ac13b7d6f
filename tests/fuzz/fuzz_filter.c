/* Filter expressions: a negated one lets through what the plain one holds back. */
#include "tests/fuzz/fuzz.h"

#include "bench/config/filter.h"

enum { POINTS = 6 };

static gb_filter *parse(const char *before, const char *text, const char *after, gb_error *error)
{
    char *whole = NULL;
    REQUIRE(asprintf(&whole, "%s%s%s", before, text, after) >= 0);
    gb_filter *filter = gb_filter_parse(whole, &fuzz_catalogue()->primitives[0], error);
    free(whole);
    return filter;
}

static gb_params make_point(unsigned number)
{
    static const char *const values[POINTS][5] = {
        {"0", "1", "uniform", "range", "none"},     {"1", "2", "zipf", "modulo", "u32"},
        {"33", "40", "constant", "hash", "none"},   {"32M", "256", "sorted", "splitters", "u32"},
        {"16Ki", "64", "reversed", "range", "u32"}, {"1M", "1Ki", "distinct:2", "range", "none"}};
    const gb_catalogue_primitive *primitive = &fuzz_catalogue()->primitives[0];
    gb_params point;
    memset(&point, 0, sizeof point);
    for (unsigned a = 0; a < primitive->axis_count; a++)
        REQUIRE(gb_axis_parse_value(&primitive->axes[a], values[number][a], &point.value[a], NULL));
    return point;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static gb_params points[POINTS];
    static bool made;
    for (unsigned p = 0; p < POINTS && !made; p++)
        points[p] = make_point(p);
    made = true;

    char *text = fuzz_text(data, size);
    gb_error error = {GB_OK, ""};
    gb_filter *filter = gb_filter_parse(text, &fuzz_catalogue()->primitives[0], &error);
    if (!filter) {
        require_message(&error, "--filter '");
        free(text);
        return 0;
    }
    gb_filter *opposite = parse("!(", text, ")", &error), *twice = parse("(", text, ")", &error);
    for (unsigned p = 0; p < POINTS; p++) {
        bool any = false;
        for (int v = 0; v < 4; v++) {
            bool passes = gb_filter_passes(filter, &points[p], v);
            any |= passes;
            /* without both, it was nested as deep as is allowed */
            if (opposite) REQUIRE(gb_filter_passes(opposite, &points[p], v) == !passes);
            if (twice) REQUIRE(gb_filter_passes(twice, &points[p], v) == passes);
        }
        /* "could any variant pass?" is never answered no when one does */
        if (any) REQUIRE(gb_filter_passes(filter, &points[p], -1));
    }
    gb_filter_free(opposite);
    gb_filter_free(twice);
    gb_filter_free(filter);
    free(text);
    return 0;
}
