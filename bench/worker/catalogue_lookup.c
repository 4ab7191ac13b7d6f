/* Looking names up in a catalogue, and reading a value of an axis as people write it. */
#include "bench/util/nearest.h"
#include "bench/worker/catalogue.h"
#include "common/protocol/axis_value.h"
#include "common/text/limits.h"
#include "common/text/size.h"

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

bool gb_axis_parse_value(const gb_catalogue_axis *axis, const char *text, gb_value *value,
                         gb_error *error)
{
    const char *const *names = (const char *const *)axis->names;
    const gb_axis_range range = {axis->type, axis->min, axis->max, names};
    gb_value_mistake mistake;
    if (gb_axis_value_parse(&range, text, value, &mistake)) return true;
    if (mistake.no_memory) gb_memory_gone("gpubench", strlen(text) + 1);
    char hint[256] = "";
    if (mistake.no_name) gb_did_you_mean(hint, sizeof hint, text, names);
    gb_fail(error, GB_UNSUPPORTED, "found \"%.60s\"%s; %s", text, hint, mistake.allowed);
    return false;
}

void gb_device_add_facts(cJSON *object, const gb_catalogue_device *device)
{
    const struct {
        const char *name;
        double value;
    } facts[] = {
        {"gpus", device->gpus},
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
