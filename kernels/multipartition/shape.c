/* From a point's words to C types: the shape and the bin function's data. */
#include "common/distributions.h"
#include "kernels/multipartition/bins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mp_shape mp_shape_of(const gb_params *params)
{
    static const struct {
        const char *name;
        mp_function_kind kind;
    } functions[] = {{"range", MP_RANGE},
                     {"max", MP_MAX},
                     {"modulo", MP_MODULO},
                     {"hash", MP_HASH},
                     {"splitters", MP_SPLITTERS}};
    static const struct {
        const char *name;
        unsigned bytes;
    } payloads[] = {{"u32", 4}, {"u64", 8}, {"u128", 16}};
    mp_shape shape = {.n = params->value[MP_N].size,
                      .bins = (uint32_t)params->value[MP_BINS].size,
                      .function = MP_RANGE,
                      .payload_bytes = 0,
                      .key_bytes = strcmp(params->value[MP_TYPE].text, "u64") == 0 ? 8 : 4};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(params->value[MP_FUNCTION].text, functions[i].name) == 0)
            shape.function = functions[i].kind;
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++)
        if (strcmp(params->value[MP_PAYLOAD].text, payloads[i].name) == 0)
            shape.payload_bytes = payloads[i].bytes;
    return shape;
}

const char *mp_narrow_only(const gb_params *params)
{
    const mp_shape shape = mp_shape_of(params);
    if (shape.key_bytes == 4 && shape.payload_bytes <= 4) return NULL;
    return "moves 32-bit keys alone, or each with a payload of 32 bits";
}

void mp_make_limits(uint64_t seed, uint32_t bins, uint32_t *limits)
{
    for (uint64_t i = 1; i < bins; i++) {
        uint32_t jitter = gb_random(seed, GB_STREAM_LIMITS, i >> 2).word[i & 3];
        limits[i - 1] = (uint32_t)((i << 32 | jitter) / bins);
    }
}

void mp_make_limits64(uint64_t seed, uint32_t bins, uint64_t *limits)
{
    for (uint64_t i = 1; i < bins; i++) {
        uint64_t high = gb_random(seed, GB_STREAM_LIMITS, i >> 2).word[i & 3];
        uint64_t low = gb_random(seed, GB_STREAM_LOW_LIMITS, i >> 2).word[i & 3];
        unsigned __int128 place = (unsigned __int128)i << 64 | high << 32 | low;
        limits[i - 1] = (uint64_t)(place / bins);
    }
}

mp_bin_data mp_bin_data_of(const mp_shape *shape, const void *limits)
{
    return mp_make_bin_data(shape->function, shape->bins, shape->key_bytes, limits);
}

mp_bin_data mp_bin_data_by_max(const mp_shape *shape, uint64_t max)
{
    typedef unsigned __int128 wide;
    mp_bin_data data = mp_make_bin_data(MP_MAX, shape->bins, shape->key_bytes, NULL);
    const wide keys = (wide)max + 1, bins = shape->bins;
    if (shape->key_bytes == 4) {
        const wide scale = ((bins << 64) + keys - 1) / keys; /* in 2^-64 */
        data.word = (uint32_t)scale;
        data.magic = (uint64_t)(scale >> 32);
        return data;
    }
    /* in 2^-128, by long division */
    const wide middle = (bins % keys) << 64, low = (middle % keys) << 64;
    data.word = (uint32_t)(bins / keys);
    data.magic = (uint64_t)(middle / keys);
    data.magic_low = (uint64_t)(low / keys);
    if (low % keys && ++data.magic_low == 0) data.magic++;
    return data;
}
