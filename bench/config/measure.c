/* The "measure" section: how many samples, in which state of the cache, within what time. */
#include "bench/config/parts.h"
#include "common/protocol/conditions.h"
#include "common/text/size.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Of fewer samples, "auto" would stop too often at an interval that is narrow by luck: with this
 * floor it covers the mean in more than 93 cases of 100 (docs/statistics.md). */
enum { FEWEST_AUTOMATIC = 20, MOST_SAMPLES = 1000000 };

/* Exact as a number of JSON, and more than any device has. */
static const uint64_t most_memory = (uint64_t)1 << 52;

static const char samples_expected[] = "a whole number from 1 to 1000000 or \"auto\" is allowed";
static const char count_expected[] = "a whole number from 20 to 1000000 is allowed";
static const char warmup_expected[] = "a whole number from 0 to 1000000 is allowed";
static const char memory_expected[] = "a size in bytes from 1 to 4096Ti is allowed, e.g. \"256Mi\" "
                                      "or 268435456; leave it out for all "
                                      "that the device has";
static const char limit_expected[] = "a number of seconds from 0.001 to 86400 is allowed";
static const char rest_expected[] = "a number from 0 to 100 is allowed, e.g. 1 to rest as long as "
                                    "the samples after it take";
static const char rel_ci_expected[] =
    "a number above 0 and at most 1 is allowed, e.g. 0.005 for half a percent";
static const char scope_expected[] =
    "\"device\", \"host-to-host\" or [\"device\", \"host-to-host\"] is allowed";
static const char cache_expected[] = "\"warm\", \"cold\" or [\"warm\", \"cold\"] is allowed";

const gb_measure_plan gb_measure_defaults = {
    .measure = {.samples = 20,
                .automatic = false,
                .max_samples = 1000,
                .warmup = 3,
                .scope = GB_SCOPE_DEVICE,
                .warm = true,
                .cold = false,
                .order = GB_ORDER_INTERLEAVED,
                .time_limit_s = 60,
                .max_rel_ci = 0.005},
    .min_samples = FEWEST_AUTOMATIC,
};

static bool read_count(gb_json_reader *reader, const cJSON *item, unsigned least,
                       const char *expected, unsigned *count)
{
    uint64_t value;
    if (!gb_json_whole(reader, item, least, MOST_SAMPLES, expected, &value)) return false;
    *count = (unsigned)value;
    return true;
}

static bool read_samples(gb_json_reader *reader, const cJSON *item, gb_measure *measure)
{
    measure->automatic = cJSON_IsString(item) && strcmp(item->valuestring, "auto") == 0;
    return measure->automatic || read_count(reader, item, 1, samples_expected, &measure->samples);
}

static bool read_one_scope(gb_json_reader *reader, const cJSON *item, gb_scope *scope)
{
    return gb_scope_parse(cJSON_GetStringValue(item), scope) ||
           gb_json_refuse_item(reader, item, scope_expected);
}

static bool read_scope(gb_json_reader *reader, const cJSON *item, gb_measure *measure)
{
    measure->both_scopes = false;
    if (!cJSON_IsArray(item)) return read_one_scope(reader, item, &measure->scope);
    if (!item->child) return gb_json_refuse(reader, "found an empty list; %s", scope_expected);
    size_t index = 0;
    for (const cJSON *one = item->child; one; one = one->next, index++) {
        gb_scope scope = GB_SCOPE_DEVICE;
        size_t before = gb_json_enter_index(reader, index);
        if (!read_one_scope(reader, one, &scope)) return false;
        if (index > 0 && (measure->both_scopes || scope == measure->scope))
            return gb_json_refuse_item(reader, one, "it is there twice; leave one of them out");
        if (index == 0)
            measure->scope = scope;
        else
            measure->both_scopes = true;
        gb_json_leave(reader, before);
    }
    return true;
}

const char *gb_scopes_name(const gb_measure *measure)
{
    return measure->both_scopes ? "device and host-to-host" : gb_scope_name(measure->scope);
}

static bool read_order(gb_json_reader *reader, const cJSON *item, gb_measure *measure)
{
    bool text = cJSON_IsString(item);
    if (text && strcmp(item->valuestring, "interleaved") == 0)
        measure->order = GB_ORDER_INTERLEAVED;
    else if (text && strcmp(item->valuestring, "sequential") == 0)
        measure->order = GB_ORDER_SEQUENTIAL;
    else
        return gb_json_refuse_item(reader, item, "\"interleaved\" or \"sequential\" is allowed");
    return true;
}

static bool read_cache_mode(gb_json_reader *reader, const cJSON *item, gb_measure *measure)
{
    bool cold = false;
    if (!gb_cache_parse(cJSON_GetStringValue(item), &cold))
        return gb_json_refuse_item(reader, item, cache_expected);
    bool *has = cold ? &measure->cold : &measure->warm;
    if (*has) return gb_json_refuse_item(reader, item, "it is there twice; leave one of them out");
    *has = true;
    return true;
}

static bool read_cache(gb_json_reader *reader, const cJSON *item, gb_measure *measure)
{
    measure->warm = measure->cold = false;
    if (!cJSON_IsArray(item)) return read_cache_mode(reader, item, measure);
    if (!item->child) return gb_json_refuse(reader, "found an empty list; %s", cache_expected);
    size_t index = 0;
    for (const cJSON *mode = item->child; mode; mode = mode->next) {
        size_t before = gb_json_enter_index(reader, index++);
        if (!read_cache_mode(reader, mode, measure)) return false;
        gb_json_leave(reader, before);
    }
    return true;
}

static bool read_number(gb_json_reader *reader, const cJSON *item, double least, double most,
                        const char *expected, double *value)
{
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= least && item->valuedouble <= most))
        return gb_json_refuse_item(reader, item, expected);
    *value = item->valuedouble;
    return true;
}

static bool read_key(gb_json_reader *reader, const cJSON *item, gb_measure_plan *plan)
{
    const char *key = item->string;
    gb_measure *measure = &plan->measure;
    if (strcmp(key, "samples") == 0) return read_samples(reader, item, measure);
    if (strcmp(key, "min_samples") == 0)
        return read_count(reader, item, FEWEST_AUTOMATIC, count_expected, &plan->min_samples);
    if (strcmp(key, "max_samples") == 0)
        return read_count(reader, item, FEWEST_AUTOMATIC, count_expected, &measure->max_samples);
    if (strcmp(key, "warmup") == 0)
        return read_count(reader, item, 0, warmup_expected, &measure->warmup);
    if (strcmp(key, "scope") == 0) return read_scope(reader, item, measure);
    if (strcmp(key, "cache") == 0) return read_cache(reader, item, measure);
    if (strcmp(key, "order") == 0) return read_order(reader, item, measure);
    if (strcmp(key, "time_limit_s") == 0)
        return read_number(reader, item, 0.001, 86400, limit_expected, &measure->time_limit_s);
    if (strcmp(key, "rest") == 0)
        return read_number(reader, item, 0, 100, rest_expected, &measure->rest);
    if (strcmp(key, "device_memory") == 0)
        return gb_json_whole(reader, item, 1, most_memory, memory_expected,
                             &measure->device_memory);
    return read_number(reader, item, DBL_MIN, 1, rel_ci_expected, &measure->max_rel_ci);
}

bool gb_measure_read(gb_json_reader *reader, const cJSON *section, gb_measure_plan *plan)
{
    static const char *const keys[] = {
        "samples", "min_samples",  "max_samples",   "warmup",     "scope", "cache",
        "order",   "time_limit_s", "device_memory", "max_rel_ci", "rest",  NULL};
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(section, "measure");
    if (!object) return true;
    size_t outside = gb_json_enter(reader, "measure");
    if (!gb_json_check_keys(reader, object, "key", keys)) return false;
    for (const cJSON *item = object->child; item; item = item->next) {
        size_t before = gb_json_enter(reader, item->string);
        if (!read_key(reader, item, plan)) return false;
        gb_json_leave(reader, before);
    }
    if (plan->min_samples > plan->measure.max_samples)
        return gb_json_refuse(reader, "min_samples (%u) is above max_samples (%u)",
                              plan->min_samples, plan->measure.max_samples);
    gb_json_leave(reader, outside);
    return true;
}

/* ---- overrides ------------------------------------------------------------------------------- */

static bool read_override(gb_json_reader *reader, const cJSON *object, gb_config *config)
{
    static const char *const keys[] = {"where", "samples", "warmup", NULL};
    static const char expected[] = "a whole number from 1 to 1000000 is allowed";
    gb_override *override = &config->overrides[config->override_count];
    if (!gb_json_check_keys(reader, object, "key", keys)) return false;
    const cJSON *where = cJSON_GetObjectItemCaseSensitive(object, "where");
    const cJSON *samples = cJSON_GetObjectItemCaseSensitive(object, "samples");
    const cJSON *warmup = cJSON_GetObjectItemCaseSensitive(object, "warmup");
    if (!where || !samples)
        return gb_json_refuse(reader, "\"%s\" is missing", where ? "samples" : "where");
    size_t before = gb_json_enter(reader, "where");
    if (!cJSON_IsString(where))
        return gb_json_refuse_item(reader, where,
                                   "an expression as of --filter is allowed, e.g. "
                                   "\"variant == cpu && n >= 10M\"");
    gb_error why;
    override->where = gb_filter_parse(where->valuestring, config->primitive, &why);
    if (!override->where) return gb_json_refuse(reader, "%.400s", why.text);
    config->override_count++;
    gb_json_leave(reader, before);
    gb_json_enter(reader, "samples");
    if (!read_count(reader, samples, 1, expected, &override->sampling.samples)) return false;
    gb_json_leave(reader, before);
    if (!warmup) return true;
    gb_json_enter(reader, "warmup");
    if (!read_count(reader, warmup, 0, warmup_expected, &override->sampling.warmup)) return false;
    gb_json_leave(reader, before);
    return true;
}

bool gb_overrides_read(gb_json_reader *reader, const cJSON *root, const gb_measure *measure,
                       gb_config *config)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "overrides");
    if (!list) return true;
    size_t outside = gb_json_enter(reader, "overrides"), index = 0;
    if (!cJSON_IsArray(list) || !list->child)
        return gb_json_refuse_item(reader, list,
                                   "a list of {\"where\", \"samples\", \"warmup\"} is allowed");
    config->overrides = calloc((size_t)cJSON_GetArraySize(list), sizeof *config->overrides);
    if (!config->overrides) return gb_json_refuse(reader, "not enough memory");
    for (const cJSON *object = list->child; object; object = object->next) {
        size_t before = gb_json_enter_index(reader, index++);
        config->overrides[config->override_count].sampling.warmup = measure->warmup;
        if (!read_override(reader, object, config)) return false;
        gb_json_leave(reader, before);
    }
    gb_json_leave(reader, outside);
    return true;
}

void gb_overrides_free(gb_config *config)
{
    for (size_t i = 0; i < config->override_count; i++)
        gb_filter_free(config->overrides[i].where);
    free(config->overrides);
    config->overrides = NULL;
    config->override_count = 0;
}

size_t gb_config_override(const gb_config *config, const gb_params *point, unsigned variant)
{
    size_t i = 0;
    while (i < config->override_count &&
           !gb_filter_passes(config->overrides[i].where, point, (int)variant))
        i++;
    return i;
}

gb_sampling gb_config_sampling(const gb_config *config, const gb_params *point, unsigned variant)
{
    const size_t override = gb_config_override(config, point, variant);
    if (override < config->override_count) return config->overrides[override].sampling;
    const gb_measure *measure = &config->measure;
    return (gb_sampling){measure->samples, measure->warmup, measure->automatic};
}

/* ---- what depends on several keys ------------------------------------------------------------ */

bool gb_measure_settle(gb_json_reader *reader, gb_measure_plan *plan, const char *samples)
{
    if (samples) {
        uint64_t count = 0;
        plan->measure.automatic = strcmp(samples, "auto") == 0;
        if (!plan->measure.automatic &&
            (!gb_size_parse(samples, &count, NULL) || count < 1 || count > MOST_SAMPLES)) {
            gb_fail(reader->error, GB_UNSUPPORTED, "--samples: found \"%.60s\"; %s", samples,
                    "a whole number from 1 to 1000000 or auto is allowed");
            return false;
        }
        plan->measure.samples = (unsigned)count;
    }
    if (plan->measure.automatic) plan->measure.samples = plan->min_samples;
    return true;
}
