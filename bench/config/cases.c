/* Cases for checking: an axis's nasty values come from its primitive; here they are only paired. */
#include "bench/config/cases.h"

#include "bench/util/nearest.h"
#include "bench/util/pairs.h"
#include "common/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK_STEP = 3 };

/* How many nasty values the axis with the most of them has, 1 at least. */
static unsigned most_nasty(const gb_catalogue_primitive *primitive)
{
    unsigned most = 1;
    for (unsigned a = 0; a < primitive->axis_count; a++) {
        unsigned count = 0;
        while (primitive->axes[a].nasty && primitive->axes[a].nasty[count])
            count++;
        if (count > most) most = count;
    }
    return most;
}

/* Parses an axis's nasty values into `values`, which has room for all; returns how many, 0 and
 * *error on a mistake. An axis without any has its default. */
static unsigned nasty_values(const gb_catalogue_axis *axis, bool quick, gb_value *values,
                             gb_error *error)
{
    const char *only_default[] = {axis->fallback, NULL};
    const char *const *texts =
        axis->nasty && axis->nasty[0] ? (const char *const *)axis->nasty : only_default;
    unsigned count = 0;
    for (unsigned i = 0; texts[i]; i++) {
        if (quick && i % QUICK_STEP != 0 && texts[i + 1]) continue;
        gb_error why;
        if (!gb_axis_parse_value(axis, texts[i], &values[count], &why)) {
            gb_fail(error, GB_CRASHED,
                    "the worker's nasty value '%.60s' of axis %s is none: %.300s", texts[i],
                    axis->name, why.text);
            return 0;
        }
        count++;
    }
    return count;
}

gb_params *gb_check_cases(const gb_catalogue_primitive *primitive, uint64_t seed, bool quick,
                          size_t *count, gb_error *error)
{
    const unsigned axes = primitive->axis_count, most = most_nasty(primitive);
    unsigned counts[GB_MAX_AXES];
    gb_value *values = calloc((size_t)GB_MAX_AXES * most, sizeof *values);
    unsigned *rows = NULL;
    gb_params *cases = NULL;
    bool good = values != NULL;
    if (!good) gb_fail(error, GB_CRASHED, "out of memory");
    for (unsigned a = 0; good && a < axes; a++) {
        counts[a] = nasty_values(&primitive->axes[a], quick, values + (size_t)a * most, error);
        good = counts[a] > 0;
    }
    if (good) {
        rows = gb_all_pairs(counts, axes, seed, count);
        cases = rows ? calloc(*count + 1, sizeof *cases) : NULL;
        if (!cases) gb_fail(error, GB_CRASHED, "out of memory");
    }
    for (size_t i = 0; cases && i < *count; i++) {
        for (unsigned a = 0; a < axes; a++)
            cases[i].value[a] = values[(size_t)a * most + rows[i * axes + a]];
    }
    free(rows);
    free(values);
    return cases;
}

/* Parses one "axis=value". */
static bool parse_assignment(const gb_catalogue_primitive *primitive, char *text, gb_params *params,
                             gb_error *error)
{
    char *equals = strchr(text, '=');
    if (!equals) {
        gb_fail(error, GB_CRASHED, "--case: '%.60s' is not AXIS=VALUE", text);
        return false;
    }
    *equals = 0;
    int axis = gb_catalogue_axis_index(primitive, text);
    if (axis < 0) {
        const char *names[GB_MAX_AXES + 1] = {NULL};
        char hint[128], known[256];
        for (unsigned i = 0; i < primitive->axis_count; i++)
            names[i] = primitive->axes[i].name;
        gb_fail(error, GB_CRASHED, "--case: %s has no axis '%.60s'%s; it has %s", primitive->name,
                text, gb_did_you_mean(hint, sizeof hint, text, names),
                gb_join_names(known, sizeof known, names));
        return false;
    }
    gb_error why;
    if (gb_axis_parse_value(&primitive->axes[axis], equals + 1, &params->value[axis], &why))
        return true;
    gb_fail(error, GB_CRASHED, "--case: %s: %.400s", text, why.text);
    return false;
}

bool gb_check_case_parse(const gb_catalogue_primitive *primitive, const char *text,
                         gb_params *params, gb_error *error)
{
    memset(params, 0, sizeof *params);
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        const gb_catalogue_axis *axis = &primitive->axes[i];
        if (!gb_axis_parse_value(axis, axis->fallback, &params->value[i], error)) return false;
    }
    char *copy = strdup(text), *rest = copy, *part;
    bool good = copy != NULL;
    while (good && (part = strsep(&rest, ","))) {
        part += strspn(part, " ");
        good = *part == 0 || parse_assignment(primitive, part, params, error);
    }
    free(copy);
    return good;
}

gb_params *gb_check_cases_named(const gb_catalogue_primitive *primitive, const char *const *texts,
                                size_t count, gb_error *error)
{
    gb_params *cases = calloc(count + 1, sizeof *cases);
    if (!cases) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        if (gb_check_case_parse(primitive, texts[i], &cases[i], error)) continue;
        free(cases);
        return NULL;
    }
    return cases;
}

char *gb_check_case_format(const gb_catalogue_primitive *primitive, const gb_params *params,
                           char *text, size_t capacity)
{
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < primitive->axis_count && used < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, "%s%s=%s", i ? "," : "",
                                 primitive->axes[i].name, params->value[i].text);
    return text;
}
