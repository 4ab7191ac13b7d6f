/* A worker's description of itself: what is believed can be printed, written and looked up. */
#include "tests/fuzz/fuzz.h"

#include "bench/record/results.h"
#include "common/protocol/columns.h"
#include "common/text/json.h"

static void require_text(const char *text)
{
    REQUIRE(text && !gb_text_unprintable(text));
}

static void require_name(const char *name)
{
    REQUIRE(name && !gb_name_mistake(name));
}

static void require_primitive(const gb_catalogue_primitive *p)
{
    require_name(p->name);
    require_text(p->title);
    require_text(p->unit);
    REQUIRE(p->axis_count <= GB_MAX_AXES);
    for (unsigned a = 0; a < p->axis_count; a++) {
        gb_value value;
        require_name(p->axes[a].name);
        require_text(p->axes[a].help);
        REQUIRE(!gb_column_is_taken(p->axes[a].name));
        REQUIRE(gb_catalogue_axis_index(p, p->axes[a].name) == (int)a);
        REQUIRE(gb_axis_parse_value(&p->axes[a], p->axes[a].fallback, &value, NULL));
        for (char **nasty = p->axes[a].nasty; *nasty; nasty++)
            REQUIRE(gb_axis_parse_value(&p->axes[a], *nasty, &value, NULL));
    }
    for (unsigned v = 0; v < p->variant_count; v++) {
        require_name(p->variants[v].name);
        require_text(p->variants[v].summary);
        require_text(p->variants[v].origin);
        REQUIRE(gb_catalogue_variant_index(p, p->variants[v].name) == (int)v);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    const char *at, *why;
    gb_error error = {GB_OK, ""};
    cJSON *answer = gb_json_parse(text, size, &at, &why);
    REQUIRE(answer || (at >= text && at <= text + size));
    gb_catalogue *c = answer ? gb_catalogue_parse(answer, &error) : NULL;
    if (answer && !c) require_message(&error, "the worker");
    if (c) {
        require_name(c->backend);
        const char *const texts[] = {c->toolkit, c->driver, c->compiler, c->flags, c->reason};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            require_text(texts[i]);
        for (unsigned d = 0; d < c->device_count; d++) {
            require_name(c->devices[d].slug);
            require_text(c->devices[d].name);
            require_text(c->devices[d].uuid);
            require_text(c->devices[d].reason);
        }
        for (unsigned p = 0; p < c->primitive_count; p++)
            require_primitive(&c->primitives[p]);
    }
    gb_catalogue_free(c);
    cJSON_Delete(answer);
    free(text);
    return 0;
}
