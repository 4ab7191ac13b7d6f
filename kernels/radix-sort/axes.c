/* The axes of radix sort and the work of a point, for every worker that has the primitive. */
#include "common/distributions.h"
#include "kernels/radix-sort/radix_sort.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

const gb_axis rs_axes[RS_AXES] = {
    [RS_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many keys",
              .fallback = "10M",
              .small = "64Ki",
              .min = 0,
              .max = (uint64_t)1 << 40,
              .nasty = LIST("0", "1", "2", "31", "32", "33", "127", "1023", "1024", "1025", "4093",
                            "4096", "16383", "32771", "65537")},
    [RS_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help = gb_dist_help,
                 .fallback = "uniform",
                 .names = gb_dist_names,
                 .nasty = gb_dist_nasty},
    [RS_TYPE] = {.name = "type",
                 .type = GB_AXIS_NAME,
                 .help = "what a key is",
                 .fallback = "u32",
                 .names = LIST("u32", "u64", "i32", "f32", "i64", "f64"),
                 .nasty = LIST("u32", "u64", "i32", "f32", "i64", "f64")},
    [RS_PAYLOAD] = {.name = "payload",
                    .type = GB_AXIS_NAME,
                    .help = "what travels with each key",
                    .fallback = "none",
                    .names = LIST("none", "u32", "u64", "u128"),
                    .nasty = LIST("none", "u32", "none", "u32", "u64", "u128")},
    [RS_ORDER] = {.name = "order",
                  .type = GB_AXIS_NAME,
                  .help = "which key comes first",
                  .fallback = "ascending",
                  .names = LIST("ascending", "descending"),
                  .nasty = LIST("ascending", "descending")},
    [RS_BITS] = {.name = "bits",
                 .type = GB_AXIS_NAME,
                 .help = "which bits of a key count (range:8-24 are the bits 8 to 23)",
                 .fallback = "all",
                 .names = LIST("all", "range:"),
                 .nasty = LIST("all", "range:0-1", "range:31-32", "range:8-24", "range:5-18",
                               "range:0-31")},
};

const char *rs_mistake(const gb_params *params)
{
    gb_dist dist;
    char why[160];
    if (!gb_dist_of(params->value[RS_DIST].text, 0, params->value[RS_N].size, &dist, why))
        return gb_reason("%s", why);
    if (!rs_bits_can_be(params->value[RS_BITS].text))
        return gb_reason("bits '%.40s': write all, or range:A-B with A < B <= 64",
                         params->value[RS_BITS].text);
    return NULL;
}

const char *rs_invalid(const gb_params *params)
{
    const char *mistake = rs_mistake(params);
    const rs_shape shape = rs_shape_of(params);
    if (mistake) return mistake;
    if (shape.begin_bit >= shape.end_bit)
        return gb_reason("bits '%.40s': write all, or range:A-B with A < B <= %u, the bits of %s",
                         params->value[RS_BITS].text, 8 * (unsigned)rs_key_bytes(shape.type),
                         params->value[RS_TYPE].text);
    if (shape.payload && shape.n > (uint64_t)1 << 32)
        return "a payload numbers its element in 32 bits: at most 4294967296 elements have one";
    return NULL;
}

const char *rs_no_wide_payload(const gb_params *params, const gb_device *device)
{
    (void)device;
    if (rs_shape_of(params).payload <= 4) return NULL;
    return "it moves payloads of 32 bits: onesweep and cub-radix-sort take wider ones along";
}

/* Every key and payload is read once and written once: no sort can do with less. What a variant's
 * passes move is in its own account (README.md). */
gb_work rs_work(const gb_params *params)
{
    rs_shape shape = rs_shape_of(params);
    uint64_t bytes = 2 * rs_element_bytes(&shape) * shape.n;
    return (gb_work){.items = shape.n, .bytes = bytes, .flops = 0, .footprint = bytes};
}
