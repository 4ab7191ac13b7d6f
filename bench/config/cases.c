/* Cases for checking: an axis's nasty values come from its primitive; here they are only paired. */
#include "bench/config/cases.h"

#include "bench/util/nearest.h"
#include "bench/util/pairs.h"
#include "bench/util/quoted.h"
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

/* Parses one "axis" and its value. */
static bool parse_assignment(const gb_catalogue_primitive *primitive, const char *text,
                             const char *value, gb_params *params, gb_error *error)
{
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
    if (gb_axis_parse_value(&primitive->axes[axis], value, &params->value[axis], &why)) return true;
    gb_fail(error, GB_CRASHED, "--case: %s: %.400s", text, why.text);
    return false;
}

static bool refuse_case(gb_error *error, const char *what, const char *at)
{
    gb_fail(error, GB_CRASHED, "--case: '%.60s' %s", at, what);
    return false;
}

/* Cuts "axis=value" off, up to the comma behind it or the end. A value in quotes may hold commas.
 */
static bool cut_assignment(const char **text, char axis[GB_MAX_TEXT], char value[GB_MAX_VALUE],
                           gb_error *error)
{
    const char *begin = *text, *equals = begin + strcspn(begin, "=,");
    if (*equals != '=' || equals - begin >= GB_MAX_TEXT)
        return refuse_case(error, "is not AXIS=VALUE", begin);
    memcpy(axis, begin, (size_t)(equals - begin));
    axis[equals - begin] = '\0';
    const char *at = equals + 1;
    if (*at == '\'' || *at == '"') {
        const char *end = gb_quoted_read(at, value, GB_MAX_VALUE);
        if (!end) return refuse_case(error, "has a quote that is never closed, or is too long", at);
        *text = end + strspn(end, " ");
        if (**text && **text != ',')
            return refuse_case(error, "stands behind a closing quote; a comma has to", *text);
        return true;
    }
    const size_t length = strcspn(at, ",");
    if (length >= GB_MAX_VALUE) return refuse_case(error, "is too long", at);
    memcpy(value, at, length);
    value[length] = '\0';
    *text = at + length;
    return true;
}

bool gb_check_case_parse(const gb_catalogue_primitive *primitive, const char *text,
                         gb_params *params, gb_error *error)
{
    memset(params, 0, sizeof *params);
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        const gb_catalogue_axis *axis = &primitive->axes[i];
        if (!gb_axis_parse_value(axis, axis->fallback, &params->value[i], error)) return false;
    }
    for (const char *at = text; *at; at += *at == ',') {
        char axis[GB_MAX_TEXT], value[GB_MAX_VALUE];
        at += strspn(at, " ");
        if (*at == ',' || !*at) continue;
        if (!cut_assignment(&at, axis, value, error)) return false;
        if (!parse_assignment(primitive, axis, value, params, error)) return false;
    }
    return true;
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

bool gb_check_cases_right(gb_link *link, const gb_params *cases, size_t count, gb_error *error)
{
    size_t mistaken = SIZE_MAX;
    gb_work *work = calloc(count, sizeof *work);
    char **reasons = calloc(count, sizeof *reasons);
    gb_status status = GB_OUT_OF_MEMORY;
    if (work && reasons)
        status =
            gb_job_work(link, cases, count, gb_worker_limit_s(), work, reasons, &mistaken, error);
    else
        gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
    if (status == GB_OK && mistaken != SIZE_MAX)
        status = gb_fail(error, GB_UNSUPPORTED, "--case: %s", reasons[mistaken]);
    for (size_t i = 0; reasons && i < count; i++)
        free(reasons[i]);
    free(reasons);
    free(work);
    return status == GB_OK;
}

static size_t format_value(char *text, size_t capacity, unsigned i, const char *axis,
                           const char *value)
{
    size_t used = (size_t)snprintf(text, capacity, "%s%s=", i ? "," : "", axis);
    if (used >= capacity) return used;
    return used + gb_quoted_write(text + used, capacity - used, value, ",");
}

char *gb_check_case_format(const gb_catalogue_primitive *primitive, const gb_params *params,
                           char *text, size_t capacity)
{
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < primitive->axis_count && used < capacity; i++)
        used += format_value(text + used, capacity - used, i, primitive->axes[i].name,
                             params->value[i].text);
    return text;
}
