/* From a point's words to C types: the shape, the distribution, the bin function's data. */
#include "kernels/multipartition/distributions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mp_shape mp_shape_of(const gb_params *params)
{
    static const struct {
        const char *name;
        mp_function_kind kind;
    } functions[] = {
        {"range", MP_RANGE}, {"modulo", MP_MODULO}, {"hash", MP_HASH}, {"splitters", MP_SPLITTERS}};
    mp_shape shape = {.n = params->value[MP_N].size,
                      .bins = (uint32_t)params->value[MP_BINS].size,
                      .function = MP_RANGE,
                      .payload = strcmp(params->value[MP_PAYLOAD].text, "u32") == 0};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(params->value[MP_FUNCTION].text, functions[i].name) == 0)
            shape.function = functions[i].kind;
    return shape;
}

/* Digits only, 1 to 2^32. */
static bool parse_distinct(const char *digits, uint64_t *value)
{
    const uint64_t most = (uint64_t)1 << 32;
    uint64_t sum = 0;
    if (!*digits) return false;
    for (; *digits; digits++) {
        if (*digits < '0' || *digits > '9') return false;
        sum = sum * 10 + (uint64_t)(*digits - '0');
        if (sum > most) return false;
    }
    *value = sum;
    return sum >= 1;
}

static bool parse_kind(const char *text, mp_dist *dist, char *why)
{
    static const char *const plain[] = {
        [MP_UNIFORM] = "uniform",   [MP_BINOMIAL] = "binomial", [MP_NORMAL] = "normal",
        [MP_ZIPF] = "zipf",         [MP_SORTED] = "sorted",     [MP_REVERSED] = "reversed",
        [MP_CONSTANT] = "constant", [MP_DISTINCT] = NULL};
    for (int kind = MP_UNIFORM; kind < MP_DISTINCT; kind++) {
        if (strcmp(text, plain[kind]) != 0) continue;
        dist->kind = (mp_dist_kind)kind;
        return true;
    }
    if (strncmp(text, "distinct:", 9) != 0) {
        if (why) snprintf(why, 160, "dist '%.40s' is not a distribution", text);
        return false;
    }
    dist->kind = MP_DISTINCT;
    if (parse_distinct(text + 9, &dist->distinct)) return true;
    if (why)
        snprintf(why, 160,
                 "dist '%.40s': after 'distinct:' stands how many different keys there are, a "
                 "whole number from 1 to 4294967296",
                 text);
    return false;
}

bool mp_dist_of(const char *text, uint64_t seed, uint64_t n, mp_dist *dist, char *why)
{
    memset(dist, 0, sizeof *dist);
    if (!parse_kind(text, dist, why)) return false;
    dist->seed = seed;
    dist->n = n;
    dist->step = n ? UINT64_MAX / n : 0;
    dist->constant = gb_random(seed, MP_STREAM_SALT, 0).word[0];
    return true;
}

void mp_make_limits(uint64_t seed, uint32_t bins, uint32_t *limits)
{
    for (uint64_t i = 1; i < bins; i++) {
        uint32_t jitter = gb_random(seed, MP_STREAM_LIMITS, i >> 2).word[i & 3];
        limits[i - 1] = (uint32_t)((i << 32 | jitter) / bins);
    }
}

mp_bin_data mp_bin_data_of(const mp_shape *shape, const uint32_t *limits)
{
    mp_bin_data data = {.bins = shape->bins, .magic = 0, .limits = NULL};
    /* ceil(2^64 / bins), which wraps to 0 for one bin: that gives bin 0 as it should */
    if (shape->function == MP_MODULO) data.magic = UINT64_MAX / shape->bins + 1;
    if (shape->function == MP_SPLITTERS) data.limits = limits;
    return data;
}
