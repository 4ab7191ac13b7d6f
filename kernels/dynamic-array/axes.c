/* The axes of the dynamic array and the work of a point. */
#include "kernels/dynamic-array/dynamic_array.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { MOST_BLOCKS = 65535 };
static const char blocks_prefix[] = "blocks:";

const gb_axis da_axes[DA_AXES] = {
    [DA_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many elements are looked at",
              .fallback = "1M",
              .small = "10k",
              .min = 0,
              .max = 2000000000,
              .nasty = LIST("0", "1", "31", "32", "33", "97", "1023", "1024", "1025", "4093",
                            "8191", "8192", "8193", "20011", "65537", "300007")},
    [DA_KEEP] = DA_KEEP_AXIS,
    [DA_GRID] = {.name = "grid",
                 .type = GB_AXIS_NAME,
                 .help = "full: what the device holds; blocks:K is K blocks of 1024 threads",
                 .fallback = "full",
                 .names = LIST("full", "blocks:"),
                 .nasty = LIST("full", "blocks:3", "blocks:1")},
    [DA_DIST] = DA_DIST_AXIS,
    [DA_HELD] = {.name = "held",
                 .type = GB_AXIS_SIZE,
                 .help = "how many elements the array holds before the first push",
                 .fallback = "0",
                 .min = 0,
                 .max = 2000000000,
                 .nasty = LIST("0", "1", "1000", "4097")},
    [DA_HEAP] = {.name = "heap",
                 .type = GB_AXIS_SIZE,
                 .help = "bytes that malloc in a kernel can give (CUDA's own default: 8Mi)",
                 .fallback = "8Mi",
                 .min = 1 << 20,
                 .max = (uint64_t)1 << 36,
                 .nasty = LIST("8Mi", "64Mi")},
    [DA_GRANULE] = {.name = "granule",
                    .type = GB_AXIS_SIZE,
                    .help = "bytes that a growable array takes at a time (a power of two; 0: its "
                            "default)",
                    .fallback = "0",
                    .min = 0,
                    .max = (uint64_t)1 << 32,
                    .nasty = LIST("0", "1Ki", "64Ki")},
};

/* 0: full; UINT_MAX: no such grid. */
static unsigned blocks_of(const char *text)
{
    if (strcmp(text, "full") == 0) return 0;
    if (strncmp(text, blocks_prefix, sizeof blocks_prefix - 1) != 0) return UINT_MAX;
    const char *digits = text + sizeof blocks_prefix - 1;
    if (strspn(digits, "0123456789") != strlen(digits) || strlen(digits) > 6) return UINT_MAX;
    const unsigned long blocks = strtoul(digits, NULL, 10);
    return blocks >= 1 && blocks <= MOST_BLOCKS ? (unsigned)blocks : UINT_MAX;
}

da_shape da_shape_of(const gb_params *params)
{
    const uint64_t n = params->value[DA_N].size;
    return (da_shape){.n = n,
                      .kept = (n * params->value[DA_KEEP].size + 99) / 100,
                      .held = params->value[DA_HELD].size,
                      .heap = params->value[DA_HEAP].size,
                      .granule = params->value[DA_GRANULE].size,
                      .blocks = blocks_of(params->value[DA_GRID].text),
                      .sorted = strcmp(params->value[DA_DIST].text, "sorted") == 0};
}

const char *da_invalid(const gb_params *params)
{
    const da_shape shape = da_shape_of(params);
    if (shape.blocks == UINT_MAX)
        return gb_reason("grid '%.40s': write full, or blocks:K with K from 1 to %d",
                         params->value[DA_GRID].text, MOST_BLOCKS);
    if (shape.granule && (shape.granule < 1024 || (shape.granule & (shape.granule - 1))))
        return "granule must be a power of two from 1024 on, or 0 for the default";
    return NULL;
}

const char *da_starts_empty(const gb_params *params)
{
    return params->value[DA_HELD].size ? "it starts with an empty array: held must be 0" : NULL;
}

/* Every element is read once, what is kept is written once. */
gb_work da_work(const gb_params *params)
{
    const da_shape shape = da_shape_of(params);
    const uint64_t bytes = 4 * (shape.n + shape.kept);
    return (gb_work){.items = shape.kept, .bytes = bytes, .flops = 0, .footprint = bytes};
}
