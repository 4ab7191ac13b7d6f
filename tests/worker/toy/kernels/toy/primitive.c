/* The toy primitive as the worker sees it: its axis, its work, its variant. */
#include "kernels/toy/toy.h"

static const char *const nasty[] = {"0", "1", "31", "32", "33", "1000", NULL};

static const gb_axis axes[] = {{.name = "n",
                                .type = GB_AXIS_SIZE,
                                .help = "how many elements",
                                .fallback = "1M",
                                .small = "10k",
                                .min = 0,
                                .max = (uint64_t)1 << 30,
                                .nasty = nasty}};

static const gb_variant *const variants[] = {&toy_saxpy, NULL};

static gb_work work(const gb_params *params)
{
    uint64_t n = params->value[0].size;
    return (gb_work){.items = n, .bytes = 12 * n, .flops = 2 * n, .footprint = 12 * n};
}

const gb_primitive gb_primitive_toy = {
    .name = "toy",
    .title = "Toy: out = 2 x + y",
    .unit = "elements",
    .axes = axes,
    .axis_count = 1,
    .variants = variants,
    .work = work,
    .open = toy_open,
    .close = toy_close,
    .poison = toy_poison,
    .check = toy_check,
};
