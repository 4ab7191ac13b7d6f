/* Segmented reduction as the worker sees it: its axes, its work, its variants. */
#include "segmented_reduction.h"

#include <string.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* In the order of sr_dist and sr_type. */
static const char *const dists[] = {"constant",     "uniform",  "power-law", "giant",
                                    "mostly-empty", "one-full", NULL};
static const char *const types[] = {"u32", "f32", "u64", NULL};

/* Nasty sizes: none, warps and tiles (1792 and 3840 items) and one less and more, a prime. */
static const gb_axis axes[SR_AXES] = {
    [SR_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many elements",
              .fallback = "16M",
              .small = "64Ki",
              .min = 0,
              .max = SR_MOST,
              .nasty = LIST("0", "1", "31", "32", "33", "255", "256", "1009", "1791", "1792",
                            "1793", "3839", "3840", "3841", "10007", "65535", "65537")},
    [SR_SEGMENTS] = {.name = "segments",
                     .type = GB_AXIS_SIZE,
                     .help = "how many segments they lie in",
                     .fallback = "1M",
                     .small = "4Ki",
                     .min = 0,
                     .max = SR_MOST,
                     .nasty = LIST("1", "2", "0", "31", "32", "33", "255", "257", "1009", "1793",
                                   "3839", "3840", "3841", "8191", "65537")},
    [SR_DIST] = {.name = "dist",
                 .type = GB_AXIS_NAME,
                 .help = "lengths of the segments; giant: one has 15 of 16 elements; mostly-empty: "
                         "9 of 10 have none; one-full: one has all",
                 .fallback = "uniform",
                 .names = dists,
                 .nasty = dists},
    [SR_TYPE] = {.name = "type",
                 .type = GB_AXIS_NAME,
                 .help = "what is added up; unsigned numbers modulo 2^32 or 2^64",
                 .fallback = "u32",
                 .names = types,
                 .nasty = types},
};

static const gb_variant *const variants[] = {
    &sr_by_segment,           &sr_merge_path,
    &sr_cub_segmented_reduce, &sr_cub_segmented_reduce_latest,
    &sr_cub_reduce_by_key,    &sr_cub_reduce_by_key_latest,
    &sr_cpu_merge_path,       NULL,
};

static unsigned index_of(const char *const *names, const char *name)
{
    unsigned i = 0;
    while (names[i + 1] && strcmp(names[i], name) != 0)
        i++;
    return i;
}

sr_shape sr_shape_of(const gb_params *params)
{
    return (sr_shape){.n = (uint32_t)params->value[SR_N].size,
                      .segments = (uint32_t)params->value[SR_SEGMENTS].size,
                      .dist = (sr_dist)index_of(dists, params->value[SR_DIST].text),
                      .type = (sr_type)index_of(types, params->value[SR_TYPE].text)};
}

size_t sr_element_bytes(sr_type type)
{
    return type == SR_U64 ? 8 : 4;
}

static const char *invalid(const gb_params *params)
{
    if (params->value[SR_N].size && !params->value[SR_SEGMENTS].size)
        return "every element lies in a segment: without segments n must be 0";
    return NULL;
}

/* The least: every value and offset is read once, every sum written once. */
static gb_work work(const gb_params *params)
{
    const sr_shape shape = sr_shape_of(params);
    const uint64_t element = sr_element_bytes(shape.type);
    const uint64_t bytes = ((uint64_t)shape.n + shape.segments) * element +
                           ((uint64_t)shape.segments + 1) * sizeof(uint32_t);
    return (gb_work){.items = shape.n, .bytes = bytes, .footprint = bytes};
}

const gb_primitive gb_primitive_segmented_reduction = {
    .name = "segmented-reduction",
    .title = "Segmented reduction: sums of segments of any lengths",
    .unit = "elements",
    .axes = axes,
    .axis_count = SR_AXES,
    .variants = variants,
    .invalid = invalid,
    .work = work,
    .open = sr_open,
    .close = sr_close,
    .upload = sr_upload,
    .download = sr_download,
    .poison = sr_poison,
    .check = sr_check,
};
