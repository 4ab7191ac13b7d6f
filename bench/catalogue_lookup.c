/* Looking names up in a catalogue, and reading a value of an axis as people write it. */
#include "bench/catalogue.h"

#include "bench/nearest.h"
#include "common/size.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const gb_catalogue_primitive *gb_catalogue_find(const gb_catalogue *catalogue, const char *name)
{
    for (unsigned i = 0; i < catalogue->primitive_count; i++) {
        if (strcmp(catalogue->primitives[i].name, name) == 0) return &catalogue->primitives[i];
    }
    return NULL;
}

int gb_catalogue_axis_index(const gb_catalogue_primitive *primitive, const char *name)
{
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        if (strcmp(primitive->axes[i].name, name) == 0) return (int)i;
    }
    return -1;
}

int gb_catalogue_variant_index(const gb_catalogue_primitive *primitive, const char *name)
{
    for (unsigned i = 0; i < primitive->variant_count; i++) {
        if (strcmp(primitive->variants[i].name, name) == 0) return (int)i;
    }
    return -1;
}

static bool parse_size(const gb_catalogue_axis *axis, const char *text, gb_value *value,
                       gb_error *error)
{
    uint64_t size;
    const char *why = NULL;
    if (gb_size_parse(text, &size, &why) && size >= axis->min && size <= axis->max) {
        value->size = size;
        snprintf(value->text, sizeof value->text, "%" PRIu64, size);
        return true;
    }
    bool example = axis->min <= 4096 && 4096 <= axis->max;
    gb_fail(error, GB_UNSUPPORTED,
            "found \"%.60s\"; a whole number from %" PRIu64 " to %" PRIu64 " is allowed%s%s%s%s",
            text, axis->min, axis->max, example ? ", e.g. 4096 or 4Ki" : "", why ? " (" : "",
            why ? why : "", why ? ")" : "");
    return false;
}

/* A value goes into the CSV and onto command lines: printable, without quotes or commas. */
static bool plain(const char *argument)
{
    for (; *argument; argument++) {
        if (!isgraph((unsigned char)*argument) || strchr("\",'", *argument)) return false;
    }
    return true;
}

static bool parse_name(const gb_catalogue_axis *axis, const char *text, gb_value *value,
                       gb_error *error)
{
    const char *colon = strchr(text, ':');
    size_t stem = colon ? (size_t)(colon - text) + 1 : strlen(text);
    for (char *const *name = axis->names; *name; name++) {
        size_t length = strlen(*name);
        bool argument = length > 0 && (*name)[length - 1] == ':';
        bool fits = argument ? stem == length && strncmp(text, *name, length) == 0 && text[length]
                             : strcmp(text, *name) == 0;
        if (!fits) continue;
        if (strlen(text) >= sizeof value->text || !plain(text)) {
            gb_fail(error, GB_UNSUPPORTED,
                    "found \"%.60s\"; what follows the colon is at most %zu characters without "
                    "blanks, quotes and commas",
                    text, sizeof value->text - 1 - length);
            return false;
        }
        value->size = 0;
        strcpy(value->text, text);
        return true;
    }

    const char *const *names = (const char *const *)axis->names;
    char hint[256], allowed[256];
    gb_fail(error, GB_UNSUPPORTED, "found \"%.60s\"%s; allowed: %s", text,
            gb_did_you_mean(hint, sizeof hint, text, names),
            gb_join_names(allowed, sizeof allowed, names));
    return false;
}

bool gb_axis_parse_value(const gb_catalogue_axis *axis, const char *text, gb_value *value,
                         gb_error *error)
{
    memset(value, 0, sizeof *value);
    return axis->type == GB_AXIS_SIZE ? parse_size(axis, text, value, error)
                                      : parse_name(axis, text, value, error);
}

void gb_device_add_facts(cJSON *object, const gb_catalogue_device *device)
{
    const struct {
        const char *name;
        double value;
    } facts[] = {
        {"arch", device->arch},
        {"sms", device->sms},
        {"memory_bytes", (double)device->memory_bytes},
        {"l2_bytes", (double)device->l2_bytes},
        {"shared_per_block_bytes", (double)device->shared_per_block_bytes},
        {"shared_optin_bytes", (double)device->shared_optin_bytes},
        {"sm_clock_max_mhz", device->sm_clock_max_mhz},
        {"mem_clock_max_mhz", device->mem_clock_max_mhz},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (facts[i].value > 0) cJSON_AddNumberToObject(object, facts[i].name, facts[i].value);
}
