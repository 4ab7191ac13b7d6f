/* Configs: those that are taken hold only points within limits, and mean the same each time. */
#include "tests/fuzz/fuzz.h"

#include "common/text/kept.h"

#include "bench/config/provided.h"

#include <math.h>

static gb_config *parse(const uint8_t *data, size_t size, const gb_config_options *options,
                        gb_error *error)
{
    return gb_config_parse("in.json", fuzz_text(data, size), size, fuzz_catalogue(), options,
                           error);
}

static void require_valid(const gb_config *c)
{
    const gb_measure *m = &c->measure;
    REQUIRE(!gb_name_mistake(c->name));
    REQUIRE(!gb_text_unprintable(c->title) && !gb_text_unprintable(c->paper));
    REQUIRE(*c->paper != '/' && !strstr(c->paper, "../"));
    REQUIRE(c->variant_count >= 1 && c->variant_count <= c->primitive->variant_count);
    REQUIRE(c->point_count >= 1 && c->point_count <= GB_MOST_POINTS);
    REQUIRE(m->samples >= 1 && m->samples <= 1000000 && m->warmup <= 1000000);
    REQUIRE(m->warm || m->cold);
    REQUIRE(m->time_limit_s >= 0.001 && m->time_limit_s <= 86400);
    REQUIRE(m->max_rel_ci > 0 && m->max_rel_ci <= 1);
    for (unsigned v = 0; v < c->variant_count; v++) {
        REQUIRE(c->variants[v] < c->primitive->variant_count);
        for (unsigned w = 0; w < v; w++)
            REQUIRE(c->variants[v] != c->variants[w]);
    }
    for (size_t p = 0; p < c->point_count; p++) {
        for (unsigned a = 0; a < c->primitive->axis_count; a++) {
            const gb_catalogue_axis *axis = &c->primitive->axes[a];
            const gb_value *value = &c->points[p].value[a];
            gb_value same;
            if (axis->type == GB_AXIS_SIZE)
                REQUIRE(value->size >= axis->min && value->size <= axis->max);
            if (p > 10 && p + 10 < c->point_count) continue;
            REQUIRE(gb_axis_parse_value(axis, value->text, &same, NULL));
            REQUIRE(same.size == value->size && strcmp(same.text, value->text) == 0);
        }
    }
}

static void require_same(const gb_config *a, const gb_config *b)
{
    REQUIRE(b);
    REQUIRE(strcmp(a->name, b->name) == 0 && a->seed == b->seed && a->baseline == b->baseline);
    REQUIRE(a->point_count == b->point_count && a->variant_count == b->variant_count);
    REQUIRE(memcmp(a->points, b->points, a->point_count * sizeof *a->points) == 0);
    REQUIRE(memcmp(a->variants, b->variants, a->variant_count * sizeof *a->variants) == 0);
}

/* What a worker is sent to make a primitive from: never more axes than it is to refuse. */
static void describe(const uint8_t *data, size_t size)
{
    gb_error error = {GB_OK, ""};
    cJSON *description;
    char *text = fuzz_text(data, size);
    REQUIRE(gb_provided_describe("in.json", text, size, NULL, &description, &error));
    const cJSON *axes = cJSON_GetObjectItemCaseSensitive(description, "axes");
    REQUIRE(!description || (axes->child && cJSON_GetArraySize(axes) <= GB_MAX_AXES + 1));
    cJSON_Delete(description);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    describe(data, size);
    for (int quick = 0; quick <= 1; quick++) {
        const gb_config_options options = {.quick = quick};
        gb_error error = {GB_OK, ""};
        gb_config *config = parse(data, size, &options, &error);
        if (!config) {
            require_message(&error, "in.json:");
            continue;
        }
        require_valid(config);
        gb_config *again = parse(data, size, &options, &error);
        require_same(config, again);
        gb_config_free(again);
        gb_config_free(config);
    }
    gb_text_forget();
    return 0;
}
