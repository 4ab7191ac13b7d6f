/* From a point's words to C types: the shape and the bin function's data. */
#include "common/distributions.h"
#include "kernels/multipartition/multipartition.h"

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

void mp_make_limits(uint64_t seed, uint32_t bins, uint32_t *limits)
{
    for (uint64_t i = 1; i < bins; i++) {
        uint32_t jitter = gb_random(seed, GB_STREAM_LIMITS, i >> 2).word[i & 3];
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
