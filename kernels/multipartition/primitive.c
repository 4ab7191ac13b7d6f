/* Multipartition as the worker sees it: its axes, its work, its variants. */
#include "common/distributions.h"
#include "kernels/multipartition/experiment.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const gb_axis axes[MP_AXES] = {
    [MP_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many keys",
              .fallback = "32M",
              .small = "64Ki",
              .min = 0,
              .max = (uint64_t)1 << 40,
              .nasty = LIST("0", "1", "31", "32", "33", "127", "1023", "1024", "1025", "4093",
                            "65535", "65536", "65537", "100003", "200003")},
    [MP_BINS] = {.name = "bins",
                 .type = GB_AXIS_SIZE,
                 .help = "how many bins",
                 .fallback = "256",
                 .min = 1,
                 .max = (uint64_t)1 << 20,
                 .nasty =
                     LIST("1", "2", "3", "31", "32", "33", "40", "64", "100", "255", "256", "257",
                          "361", "362", "512", "1000", "4096", "12288", "12289", "65536")},
    [MP_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help = gb_dist_help,
                 .fallback = "uniform",
                 .names = gb_dist_names,
                 .nasty = gb_dist_nasty},
    [MP_FUNCTION] = {.name = "function",
                     .type = GB_AXIS_NAME,
                     .help = "how a key finds its bin: equal ranges of all keys, or up to the "
                             "largest key of the input (max: the paper's; found before, in no "
                             "time that is measured), modulo, a hash, or irregular limits by "
                             "binary search",
                     .fallback = "range",
                     .names = LIST("range", "max", "modulo", "hash", "splitters"),
                     /* max once: many variants do not have it */
                     .nasty = LIST("range", "modulo", "hash", "splitters", "range", "modulo", "max",
                                   "hash", "splitters")},
    [MP_PAYLOAD] = {.name = "payload",
                    .type = GB_AXIS_NAME,
                    .help = "what travels with each key",
                    .fallback = "none",
                    .names = LIST("none", "u32", "u64", "u128"),
                    /* some repeatedly, here and below: many variants take no wider ones */
                    .nasty = LIST("none", "u32", "none", "u32", "u64", "u128")},
    [MP_TYPE] = {.name = "type",
                 .type = GB_AXIS_NAME,
                 .help = "the keys' type",
                 .fallback = "u32",
                 .names = LIST("u32", "u64"),
                 .nasty = LIST("u32", "u32", "u32", "u32", "u64")},
};

static const gb_variant *const variants[] = {&mp_cpu,
                                             &mp_cpu_parallel,
                                             &mp_multipartition,
                                             &mp_buffer_per_warp,
                                             &mp_large,
                                             &mp_multisplit,
                                             &mp_multisplit_warp,
                                             &mp_multisplit_block,
                                             &mp_multisplit_reduced_bit,
                                             &mp_cub_radix_sort,
                                             &mp_cub_radix_sort_latest,
                                             &mp_cub_label_sort,
                                             &mp_cub_label_sort_latest,
                                             &mp_cub_partition,
                                             &mp_cub_partition_latest,
                                             &mp_unstable,
                                             &mp_unstable_counted,
                                             &mp_unstable_tiles,
                                             &mp_unstable_tiles_counted,
                                             &mp_unstable_resident,
                                             &mp_unstable_two_pass,
                                             &mp_unstable_sampled_two_pass,
                                             &mp_unstable_tiles_two_pass,
                                             &mp_stable,
                                             &mp_stable_two_pass,
                                             &mp_stable_drawn,
                                             &mp_stable_drawn_two_pass,
                                             &mp_stable_drawn_three_pass,
                                             &mp_stable_tiles,
                                             &mp_stable_tiles_two_pass,
                                             &mp_stable_resident,
                                             &mp_auto,
                                             &mp_auto_stable,
                                             NULL};

static const char *invalid(const gb_params *params)
{
    char why[160];
    gb_dist dist;
    if (!gb_dist_of(params->value[MP_DIST].text, 0, params->value[MP_N].size, &dist, why))
        return gb_reason("%s", why);
    return NULL;
}

/* Every key and payload is read once and written once, every offset written once; how a variant
 * counts before it moves is its own affair. */
static gb_work work(const gb_params *params)
{
    mp_shape shape = mp_shape_of(params);
    uint64_t element = shape.key_bytes + shape.payload_bytes;
    uint64_t bytes = 2 * element * shape.n + ((uint64_t)shape.bins + 1) * sizeof(uint64_t);
    return (gb_work){.items = shape.n, .bytes = bytes, .flops = 0, .footprint = bytes};
}

const gb_primitive gb_primitive_multipartition = {
    .name = "multipartition",
    .title = "Multipartition: keys into contiguous bins",
    .unit = "keys",
    .axes = axes,
    .axis_count = MP_AXES,
    .variants = variants,
    .invalid = invalid,
    .mistake = invalid,
    .work = work,
    .open = mp_open,
    .close = mp_close,
    .upload = mp_upload,
    .download = mp_download,
    .poison = mp_poison,
    .check = mp_check,
    .redone = mp_was_redone,
    .tune = mp_tune,
};
