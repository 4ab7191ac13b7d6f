/* The axes of radix sort over several GPUs and the work of a point. */
#include "common/distributions.h"
#include "kernels/radix-sort-multi/radix_sort_multi.h"

#include <string.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

const gb_axis ms_axes[MS_AXES] = {
    [MS_GPUS] = GB_GPUS_AXIS,
    [MS_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many keys, as scaling says of all GPUs together or of each",
              .fallback = "256Mi",
              .small = "64Ki",
              .min = 0,
              .max = (uint64_t)1 << 36,
              .nasty = LIST("0", "1", "2", "3", "31", "32", "33", "127", "1023", "1024", "1025",
                            "4093", "16383", "32771", "65537")},
    [MS_KEY] = {.name = "key",
                .type = GB_AXIS_NAME,
                .help = "what a key is",
                .fallback = "u32",
                .names = LIST("u32", "u64"),
                .nasty = LIST("u32", "u64")},
    [MS_PAYLOAD] = {.name = "payload",
                    .type = GB_AXIS_NAME,
                    .help = "what travels with each key",
                    .fallback = "none",
                    .names = LIST("none", "u32"),
                    .nasty = LIST("none", "u32")},
    [MS_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help = gb_dist_help,
                 .fallback = "uniform",
                 .names = gb_dist_names,
                 .nasty = gb_dist_nasty},
    [MS_SHARE] = GB_SHARE_AXIS("how the input lies over the GPUs at first"),
    [MS_SCALING] =
        GB_SCALING_AXIS("strong: n is of all GPUs together; weak: of each", gb_scaling_names),
};

ms_shape ms_shape_of(const gb_params *params)
{
    const gb_value *value = params->value;
    ms_shape shape = {.sort = {.n = value[MS_N].size, .type = RS_U32},
                      .size = (unsigned)value[MS_GPUS].size,
                      .uneven = strcmp(value[MS_SHARE].text, "uneven") == 0};
    if (strcmp(value[MS_KEY].text, "u64") == 0) shape.sort.type = RS_U64;
    if (strcmp(value[MS_PAYLOAD].text, "u32") == 0) shape.sort.payload = 4;
    if (strcmp(value[MS_SCALING].text, "weak") == 0) shape.sort.n *= shape.size;
    shape.sort.end_bit = 8 * (unsigned)rs_key_bytes(shape.sort.type);
    return shape;
}

const char *ms_mistake(const gb_params *params)
{
    gb_dist dist;
    char why[160];
    if (!gb_dist_of(params->value[MS_DIST].text, 0, ms_shape_of(params).sort.n, &dist, why))
        return gb_reason("%s", why);
    return NULL;
}

const char *ms_invalid(const gb_params *params)
{
    const char *mistake = ms_mistake(params);
    const ms_shape shape = ms_shape_of(params);
    if (mistake) return mistake;
    if (shape.sort.payload && shape.sort.n > (uint64_t)1 << 32)
        return "a payload numbers its element in 32 bits: at most 4294967296 elements have one";
    return NULL;
}

/* The GPU with most input reads that once, and each writes its part of the output once. What goes
 * over the link is in the README. */
gb_work ms_work(const gb_params *params)
{
    const ms_shape shape = ms_shape_of(params);
    uint64_t most = 0;
    for (unsigned r = 0; r < shape.size; r++)
        if (ms_share(&shape, r) > most) most = ms_share(&shape, r);
    const uint64_t bytes = rs_element_bytes(&shape.sort) * (most + ms_even_share(&shape));
    return (gb_work){.items = shape.sort.n, .bytes = bytes, .flops = 0, .footprint = bytes};
}
