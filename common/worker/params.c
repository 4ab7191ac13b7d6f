/* A point's parameters as the protocol writes them. */
#include "common/worker/params.h"

#include "common/size.h"

#include <inttypes.h>
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

static bool parse_size(const gb_axis *axis, const char *text, gb_value *value, gb_error *error)
{
    char excerpt[GB_EXCERPT];
    const char *why = "";
    if (!gb_size_parse(text, &value->size, &why)) {
        gb_fail(error, GB_UNSUPPORTED,
                "params.%s is \"%s\": %s; allowed are whole numbers from %" PRIu64 " to %" PRIu64,
                axis->name, gb_excerpt(text, excerpt), why, axis->min, axis->max);
        return false;
    }
    if (value->size < axis->min || value->size > axis->max) {
        gb_fail(error, GB_UNSUPPORTED,
                "params.%s is %s; allowed are whole numbers from %" PRIu64 " to %" PRIu64,
                axis->name, gb_excerpt(text, excerpt), axis->min, axis->max);
        return false;
    }
    snprintf(value->text, sizeof value->text, "%" PRIu64, value->size);
    return true;
}

/* Whether text is the name, or, for a name that ends in ':', the name with an argument. */
static bool name_matches(const char *name, const char *text)
{
    size_t length = strlen(name);
    if (length > 0 && name[length - 1] == ':')
        return strncmp(text, name, length) == 0 && text[length] != '\0';
    return strcmp(text, name) == 0;
}

static bool parse_name(const gb_axis *axis, const char *text, gb_value *value, gb_error *error)
{
    if (strlen(text) < sizeof value->text) {
        for (size_t i = 0; axis->names[i]; i++) {
            if (name_matches(axis->names[i], text)) {
                snprintf(value->text, sizeof value->text, "%s", text);
                return true;
            }
        }
    }
    char excerpt[GB_EXCERPT], allowed[320] = "";
    size_t length = 0;
    for (size_t i = 0; axis->names[i] && length < sizeof allowed - 1; i++) {
        int written = snprintf(allowed + length, sizeof allowed - length, "%s%s%s", i ? ", " : "",
                               axis->names[i], strchr(axis->names[i], ':') ? "..." : "");
        length += (size_t)written;
    }
    gb_fail(error, GB_UNSUPPORTED, "params.%s is \"%s\"; allowed: %s", axis->name,
            gb_excerpt(text, excerpt), allowed);
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
        const gb_axis *axis = &primitive->axes[at];
        bool fine = axis->type == GB_AXIS_SIZE
                        ? parse_size(axis, item->valuestring, &params->value[at], error)
                        : parse_name(axis, item->valuestring, &params->value[at], error);
        if (!fine) return false;
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
