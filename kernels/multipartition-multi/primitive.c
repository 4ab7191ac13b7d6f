/* Partition by bins on several GPUs as the worker sees it: its axes, its work, its variants. */
#include "common/distributions.h"
#include "kernels/multipartition-multi/multi.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const gb_axis axes[MPM_AXES] = {
    [MPM_GPUS] = GB_GPUS_AXIS,
    [MPM_N] = {.name = "n",
               .type = GB_AXIS_SIZE,
               .help = "how many keys: of all GPUs together, or of each (scaling)",
               .fallback = "256M",
               .small = "32Ki",
               .min = 0,
               .max = (uint64_t)1 << 40,
               .nasty = LIST("0", "1", "31", "32", "33", "127", "1023", "1024", "1025", "4093",
                             "16383", "16385", "65537", "100003")},
    [MPM_BINS] = {.name = "bins",
                  .type = GB_AXIS_SIZE,
                  .help = "how many bins, equal ranges of all keys",
                  .fallback = "256",
                  .min = 2,
                  .max = 65536,
                  .nasty = LIST("2", "3", "31", "32", "33", "255", "256", "257", "1000", "1024",
                                "1025", "4096")},
    [MPM_DIST] = {.name = "dist",
                  .type = GB_AXIS_NAME,
                  .help = gb_dist_help,
                  .fallback = "uniform",
                  .names = gb_dist_names,
                  .nasty = gb_dist_nasty},
    [MPM_TYPE] = {.name = "type",
                  .type = GB_AXIS_NAME,
                  .help = "the keys' type",
                  .fallback = "u32",
                  .names = LIST("u32", "u64"),
                  .nasty = LIST("u32", "u64")},
    [MPM_PAYLOAD] = {.name = "payload",
                     .type = GB_AXIS_NAME,
                     .help = "what travels with each key",
                     .fallback = "none",
                     .names = LIST("none", "u32"),
                     .nasty = LIST("none", "u32")},
    [MPM_SHARE] = GB_SHARE_AXIS("how the input lies over the GPUs at first"),
    [MPM_SCALING] =
        GB_SCALING_AXIS("whether n counts the keys of all GPUs together (strong) or of each "
                        "(weak)",
                        LIST("strong", "strong", "weak")),
};

static const gb_variant *const variants[] = {&mpm_single, &mpm_nccl, &mpm_peers, &mpm_copies, NULL};

static const char *invalid(const gb_params *params)
{
    char why[160];
    gb_dist dist;
    if (!gb_dist_of(params->value[MPM_DIST].text, 0, mpm_shape_of(params).all.n, &dist, why))
        return gb_reason("%s", why);
    return NULL;
}

/* Every element is read once and written once, by GPUs that have equal parts of both; every GPU
 * learns where all bins begin. */
static gb_work work(const gb_params *params)
{
    const mpm_shape shape = mpm_shape_of(params);
    const uint64_t element = shape.all.key_bytes + shape.all.payload_bytes;
    const uint64_t most = shape.all.n / shape.gpus + (shape.all.n % shape.gpus != 0);
    const uint64_t bytes = 2 * element * most + ((uint64_t)shape.all.bins + 1) * sizeof(uint64_t);
    return (gb_work){.items = shape.all.n, .bytes = bytes, .flops = 0, .footprint = bytes};
}

const gb_primitive gb_primitive_multipartition_multi = {
    .name = "multipartition-multi",
    .title = "Multipartition on several GPUs: bins dealt to them in order",
    .unit = "keys",
    .axes = axes,
    .axis_count = MPM_AXES,
    .variants = variants,
    .invalid = invalid,
    .mistake = invalid,
    .work = work,
    .open = mpm_open,
    .close = mpm_close,
    .poison = mpm_poison,
    .check = mpm_check,
    .redone = mpm_redone,
};
