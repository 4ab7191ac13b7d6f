/* The primitive `planted`: one variant a mistake that people make in kernels, and its sound twin.
 * Its checker judges the output alone, as a user's would; whatever else is known of a mistake comes
 * from the simt device. */
#include "tests/worker/primitives/planted/planted.h"

static const char *const nasty[] = {"256", NULL};

static const gb_axis axes[] = {{.name = "n",
                                .type = GB_AXIS_SIZE,
                                .help = "words of input and of output, always 256",
                                .fallback = "256",
                                .min = 256,
                                .max = 256,
                                .nasty = nasty}};

static gb_work work(const gb_params *params)
{
    uint64_t n = params->value[0].size;
    return (gb_work){.items = n, .bytes = 8 * n, .footprint = 8 * n};
}

const gb_primitive gb_primitive_planted = {
    .name = "planted",
    .title = "Planted: mistakes that a check must find, and the same done right",
    .unit = "words",
    .axes = axes,
    .axis_count = 1,
    .variants = gb_planted_variants,
    .work = work,
    .open = planted_open,
    .close = planted_close,
    .poison = planted_poison,
    .check = planted_check,
};
