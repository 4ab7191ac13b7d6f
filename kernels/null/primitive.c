/* The null primitive as the worker sees it: its axes, its work, its variants. */
#include "kernels/null/null.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const gb_axis axes[NULL_AXES] = {
    [NULL_NS] = {.name = "ns",
                 .type = GB_AXIS_SIZE,
                 .help = "how many nanoseconds to spin (a point has a length or bytes, not both)",
                 .fallback = "0",
                 .min = 0,
                 .max = 1000000000,
                 .nasty = LIST("0", "1", "999", "1k", "1025", "50k", "1M")},
    [NULL_BYTES] = {.name = "bytes",
                    .type = GB_AXIS_SIZE,
                    .help = "how many bytes to copy",
                    .fallback = "0",
                    .min = 0,
                    .max = (uint64_t)1 << 40,
                    .nasty = LIST("0", "1", "15", "16", "17", "4095", "16383", "16384", "16385",
                                  "32768", "100003", "1Mi")},
};

static const gb_variant *const variants[] = {
    &null_nothing, &null_empty,  &null_waits,      &null_host,   &null_spin, &null_spin_host_clock,
    &null_copy,    &null_memcpy, &null_round_trip, &null_blocks, NULL};

static const char *invalid(const gb_params *params)
{
    if (params->value[NULL_NS].size && params->value[NULL_BYTES].size)
        return "a point spins (ns) or copies (bytes), not both: leave one of them 0";
    return NULL;
}

/* Nanoseconds where a length is asked for (the ideal rate is 10^9 a second), bytes where a copy is,
 * else runs. */
static gb_work work(const gb_params *params)
{
    uint64_t ns = params->value[NULL_NS].size, bytes = params->value[NULL_BYTES].size;
    return (gb_work){.items = ns      ? ns
                              : bytes ? bytes
                                      : 1,
                     .bytes = 2 * bytes,
                     .flops = 0,
                     .footprint = 2 * bytes};
}

const gb_primitive gb_primitive_null = {
    .name = "null",
    .title = "Null: the instrument measured by itself",
    .unit = "ns or bytes or runs",
    .axes = axes,
    .axis_count = NULL_AXES,
    .variants = variants,
    .invalid = invalid,
    .work = work,
    .open = null_open,
    .close = null_close,
    .poison = null_poison,
    .check = null_check,
};
