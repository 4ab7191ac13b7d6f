/* A point's parameters as the protocol writes them. */
#include "common/worker/params.h"

#include "common/protocol/axis_value.h"
#include "common/text/size.h"

#include <stdio.h>
#include <string.h>

const char *gb_excerpt(const char *text, char buffer[GB_EXCERPT])
{
    size_t i = 0;
    for (; i < GB_EXCERPT - 4 && text[i]; i++)
        buffer[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    snprintf(buffer + i, GB_EXCERPT - i, "%s", text[i] ? "..." : "");
    return buffer;
}

static bool parse_value(const gb_axis *axis, const char *text, gb_value *value, gb_error *error)
{
    const gb_axis_range range = {axis->type, axis->min, axis->max, axis->names};
    gb_value_mistake mistake;
    if (gb_axis_value_parse(&range, text, value, &mistake)) return true;
    char excerpt[GB_EXCERPT];
    gb_fail(error, GB_UNSUPPORTED, "params.%s is \"%s\"; %s", axis->name, gb_excerpt(text, excerpt),
            mistake.allowed);
    return false;
}

bool gb_params_parse(const gb_primitive *primitive, const cJSON *object, gb_params *params,
                     gb_error *error)
{
    char excerpt[GB_EXCERPT];
    memset(params, 0, sizeof *params);
    if (!cJSON_IsObject(object)) {
        gb_fail(error, GB_UNSUPPORTED, "params must be an object with one string per axis");
        return false;
    }
    bool seen[GB_MAX_AXES] = {false};
    for (const cJSON *item = object->child; item; item = item->next) {
        unsigned at = 0;
        while (at < primitive->axis_count && strcmp(primitive->axes[at].name, item->string) != 0)
            at++;
        const char *mistake = at == primitive->axis_count ? "is no axis of"
                              : seen[at]                  ? "is given twice for"
                              : !cJSON_IsString(item)     ? "must be a string, for an axis of"
                                                          : NULL;
        if (mistake) {
            gb_fail(error, GB_UNSUPPORTED, "params.%s %s %s", gb_excerpt(item->string, excerpt),
                    mistake, primitive->name);
            return false;
        }
        seen[at] = true;
        if (!parse_value(&primitive->axes[at], item->valuestring, &params->value[at], error))
            return false;
    }
    for (unsigned at = 0; at < primitive->axis_count; at++) {
        if (!seen[at]) {
            gb_fail(error, GB_UNSUPPORTED, "params.%s is missing: every axis of %s must be given",
                    primitive->axes[at].name, primitive->name);
            return false;
        }
    }
    return true;
}

bool gb_params_equal(const gb_primitive *primitive, const gb_params *a, const gb_params *b)
{
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        if (strcmp(a->value[i].text, b->value[i].text) != 0) return false;
    }
    return true;
}
