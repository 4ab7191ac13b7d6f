/* The toy primitive as the worker sees it: its axis, its arrays, its oracle, its variant. */
#include "kernels/toy/toy.h"

static const char *const nasty[] = {"0", "1", "31", "32", "33", "1000", NULL};

static const gb_axis axes[TOY_AXES] = {[TOY_N] = {.name = "n",
                                                  .type = GB_AXIS_SIZE,
                                                  .help = "how many elements",
                                                  .fallback = "1M",
                                                  .small = "10k",
                                                  .min = 0,
                                                  .max = (uint64_t)1 << 30,
                                                  .nasty = nasty}};

static uint64_t count(const gb_params *params)
{
    return params->value[TOY_N].size;
}

static void oracle(const gb_params *params, void *const array[])
{
    const float *x = array[TOY_X], *y = array[TOY_Y];
    float *out = array[TOY_OUT];
    for (uint64_t i = 0; i < count(params); i++)
        out[i] = 2 * x[i] + y[i];
}

static const gb_array arrays[] = {
    [TOY_X] = {.name = "x", .type = GB_F32, .use = GB_ARRAY_IN, .count = count},
    [TOY_Y] = {.name = "y", .type = GB_F32, .use = GB_ARRAY_IN, .count = count},
    [TOY_OUT] =
        {.name = "out", .type = GB_F32, .use = GB_ARRAY_OUT, .count = count, .relative = 1e-6},
    {.name = NULL}};

static const gb_arrays table = {arrays, axes, TOY_AXES, oracle};

static const gb_variant *const variants[] = {&toy_saxpy, NULL};

static gb_work work(const gb_params *params)
{
    const uint64_t n = count(params);
    return (gb_work){.items = n, .bytes = 12 * n, .flops = 2 * n, .footprint = 12 * n};
}

static gb_status open(const gb_params *params, uint64_t seed, const gb_device *device,
                      gb_problem **out, gb_error *error)
{
    (void)device;
    return gb_arrays_open(&table, params, seed, out, error);
}

const gb_primitive gb_primitive_toy = {
    .name = "toy",
    .title = "Toy: out = 2 x + y",
    .unit = "elements",
    .axes = axes,
    .axis_count = TOY_AXES,
    .variants = variants,
    .work = work,
    .open = open,
    .close = gb_arrays_close,
    .upload = gb_arrays_upload,
    .download = gb_arrays_download,
    .poison = gb_arrays_poison,
    .check = gb_arrays_check,
    .honours_memory_limit = true,
};
