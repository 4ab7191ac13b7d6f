/* The axes of segmented sort and the work of a point. */
#include "common/distributions.h"
#include "kernels/segmented-sort/segmented_sort.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

const gb_axis sg_axes[SG_AXES] = {
    [SG_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many keys",
              .fallback = "10M",
              .small = "64Ki",
              .min = 0,
              .max = INT32_MAX,
              .nasty = LIST("0", "1", "2", "31", "32", "33", "257", "1023", "1024", "1025", "4097",
                            "8192", "8193", "16411", "40009", "65537")},
    [SG_SEGMENTS] = {.name = "segments",
                     .type = GB_AXIS_SIZE,
                     .help = "the mean length of a segment",
                     .fallback = "1024",
                     .min = 1,
                     .max = 1 << 30,
                     .nasty = LIST("1", "5", "16", "33", "64", "257", "1024", "5000", "12000",
                                   "33000", "1073741824")},
    [SG_LENGTHS] = {.name = "lengths",
                    .type = GB_AXIS_NAME,
                    .help = "uniform: 0 to twice the mean; power: most are short, a few very long; "
                            "constant; borders: powers of two up to twice the mean, and one more "
                            "or less",
                    .fallback = "uniform",
                    .names = LIST("uniform", "power", "constant", "borders"),
                    .nasty = LIST("uniform", "power", "constant", "borders")},
    [SG_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help = gb_dist_help,
                 .fallback = "uniform",
                 .names = gb_dist_names,
                 .nasty = gb_dist_nasty},
    [SG_TYPE] = {.name = "type",
                 .type = GB_AXIS_NAME,
                 .help = "what a key is",
                 .fallback = "u32",
                 .names = LIST("u32", "u64", "i32", "f32"),
                 .nasty = LIST("u32", "u64", "i32", "f32")},
    [SG_PAYLOAD] = {.name = "payload",
                    .type = GB_AXIS_NAME,
                    .help = "what travels with each key",
                    .fallback = "none",
                    .names = LIST("none", "u32"),
                    .nasty = LIST("none", "u32")},
    [SG_ORDER] = {.name = "order",
                  .type = GB_AXIS_NAME,
                  .help = "which key of a segment comes first",
                  .fallback = "ascending",
                  .names = LIST("ascending", "descending"),
                  .nasty = LIST("ascending", "descending")},
};

const char *sg_mistake(const gb_params *params)
{
    gb_dist dist;
    char why[160];
    if (!gb_dist_of(params->value[SG_DIST].text, 0, params->value[SG_N].size, &dist, why))
        return gb_reason("%s", why);
    return NULL;
}

const char *sg_invalid(const gb_params *params)
{
    return sg_mistake(params);
}

/* Every key and payload is read once and written once. The offsets, 4 bytes a segment, are left
 * out: how many segments there are hangs on the seed. */
gb_work sg_work(const gb_params *params)
{
    const sg_shape shape = sg_shape_of(params);
    const uint64_t bytes = 2 * rs_element_bytes(&shape.sort) * shape.sort.n;
    return (gb_work){.items = shape.sort.n, .bytes = bytes, .flops = 0, .footprint = bytes};
}
