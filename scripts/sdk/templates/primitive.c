/* @NAME@: its axes, its arrays, and what it is measured by. The work itself: @NAME@.cu, oracle.c. */
#include "@NAME@.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

static const gb_axis axes[AXES] = {
@AXES@};

static uint64_t count(const gb_params *params)
{
    return params->value[AXIS_N].size;
}

static const gb_array arrays[] = {
    [X] = {.name = "x", .type = GB_F32, .use = GB_ARRAY_IN, .count = count@DIST@},
    [Y] = {.name = "y", .type = GB_F32, .use = GB_ARRAY_OUT, .count = count, .relative = 1e-6},
    {.name = NULL}};

static const gb_arrays table = {arrays, axes, AXES, oracle};

/* Per element: what must cross memory at least (reads 4 bytes, writes 4), and operations. */
static gb_work work(const gb_params *params)
{
    const uint64_t n = count(params);
    return (gb_work){.items = n, .bytes = 8 * n, .flops = 2 * n, .footprint = 8 * n};
}

static const char *mistake(const gb_params *params)
{
    return gb_arrays_mistake(&table, params);
}

static gb_status open(const gb_params *params, uint64_t seed, const gb_device *device,
                      gb_problem **out, gb_error *error)
{
    (void)device;
    return gb_arrays_open(&table, params, seed, out, error);
}

const gb_primitive gb_primitive_@ID@ = {
    .name = "@NAME@",
    .title = "@NAME@",
    .unit = "elements",
    .axes = axes,
    .axis_count = AXES,
    .variants = gb_variants,
    .mistake = mistake,
    .work = work,
    .open = open,
    .close = gb_arrays_close,
    .upload = gb_arrays_upload,
    .download = gb_arrays_download,
    .poison = gb_arrays_poison,
    .check = gb_arrays_check,
    .honours_memory_limit = true,
};
