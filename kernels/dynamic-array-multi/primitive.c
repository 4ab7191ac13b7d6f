/* The dynamic array over several GPUs as the worker sees it: its axes, its work, its variants. */
#include "kernels/dynamic-array-multi/multi.h"
#include "kernels/dynamic-array/values.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const gb_axis axes[DM_AXES] = {
    [DM_GPUS] = GB_GPUS_AXIS,
    [DM_N] = {.name = "n",
              .type = GB_AXIS_SIZE,
              .help = "how many elements are looked at: by all GPUs together, or by each (scaling)",
              .fallback = "100M",
              .small = "10k",
              .min = 0,
              .max = 4000000000,
              .nasty = LIST("0", "1", "31", "32", "33", "97", "1023", "1024", "1025", "4093",
                            "20479", "20481", "65537", "100003")},
    [DM_KEEP] = DA_KEEP_AXIS,
    [DM_DIST] = DA_DIST_AXIS,
    [DM_GRANULE] = {.name = "granule",
                    .type = GB_AXIS_SIZE,
                    .help = "bytes that an array takes at a time (a power of two; 0: its default)",
                    .fallback = "0",
                    .min = 0,
                    .max = (uint64_t)1 << 32,
                    .nasty = LIST("1Ki", "64Ki", "0", "4Ki")},
    [DM_SHARE] = GB_SHARE_AXIS("how the input lies over the GPUs"),
    [DM_SCALING] =
        GB_SCALING_AXIS("whether n counts the elements of all GPUs together (strong) or of "
                        "each (weak)",
                        LIST("strong", "strong", "weak")),
};

static const gb_variant *const variants[] = {&dm_single, &dm_peers, &dm_nccl, &dm_funnel, NULL};

/* A granule is wrong by itself. */
static const char *mistake(const gb_params *params)
{
    const uint64_t granule = params->value[DM_GRANULE].size;
    if (granule && (granule < 1024 || (granule & (granule - 1))))
        return "granule must be a power of two from 1024 on, or 0 for the default";
    return NULL;
}

static const char *invalid(const gb_params *params)
{
    if (dm_shape_of(params).n > DM_MOST_ELEMENTS)
        return gb_reason("at most %llu elements in all: each is another 32-bit number",
                         (unsigned long long)DM_MOST_ELEMENTS);
    return mistake(params);
}

/* Every element is read once, what is kept is written once, by GPUs that have equal parts. */
static gb_work work(const gb_params *params)
{
    const dm_shape shape = dm_shape_of(params);
    const uint64_t all = 4 * (shape.n + shape.kept);
    const uint64_t bytes = all / shape.gpus + (all % shape.gpus != 0);
    return (gb_work){.items = shape.kept, .bytes = bytes, .flops = 0, .footprint = bytes};
}

const gb_primitive gb_primitive_dynamic_array_multi = {
    .name = "dynamic-array-multi",
    .title = "Dynamic array over several GPUs: push_back by all, one index",
    .unit = "kept elements",
    .axes = axes,
    .axis_count = DM_AXES,
    .variants = variants,
    .invalid = invalid,
    .mistake = mistake,
    .work = work,
    .open = dm_open,
    .close = dm_close,
    .poison = dm_poison,
    .check = dm_check,
};
