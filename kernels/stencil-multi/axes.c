/* The axes of the stencils on several GPUs and the work of a point. */
#include "kernels/stencil-multi/stencil_multi.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Among the nasty values of fused, 1 is repeated: most variants know no other. */
const gb_axis stm_axes[STM_AXES] = {
    [STM_GPUS] = GB_GPUS_AXIS,
    [STM_X] = {.name = "x",
               .type = GB_AXIS_SIZE,
               .help = "cells along the contiguous axis",
               .fallback = "256",
               .small = "96",
               .min = 1,
               .max = ST_MOST_CELLS,
               .nasty = LIST("1", "31", "32", "33", "66", "129", "140")},
    [STM_Y] = {.name = "y",
               .type = GB_AXIS_SIZE,
               .help = "cells from row to row",
               .fallback = "256",
               .small = "16",
               .min = 1,
               .max = ST_MOST_CELLS,
               .nasty = LIST("1", "2", "7", "16", "33")},
    [STM_Z] = {.name = "z",
               .type = GB_AXIS_SIZE,
               .help = "cells from plane to plane: of all GPUs (scaling strong), of each (weak)",
               .fallback = "256",
               .small = "32",
               .min = 1,
               .max = ST_MOST_CELLS,
               .nasty = LIST("33", "40", "16", "64", "47", "1")},
    [STM_RADIUS] = ST_RADIUS_AXIS,
    [STM_STEPS] = {.name = "steps",
                   .type = GB_AXIS_SIZE,
                   .help = "time steps in a run",
                   .fallback = "2",
                   .min = 1,
                   .max = ST_MOST_STEPS,
                   .nasty = LIST("3", "2", "1", "5", "6")},
    [STM_FUSED] = {.name = "fused",
                   .type = GB_AXIS_SIZE,
                   .help = "time steps in a sweep over memory, after which neighbours exchange",
                   .fallback = "1",
                   .min = 1,
                   .max = ST_MOST_FUSED,
                   .nasty = LIST("1", "2", "1", "2", "1", "3", "1", "4")},
    [STM_SCALING] = GB_SCALING_AXIS("strong: z is that of all GPUs together; weak: that of each",
                                    gb_scaling_names),
};

/* The rank with the most planes is the first one, that with the fewest the last. */
static uint64_t most_cells(const gb_params *params)
{
    const st_shape whole = stm_whole_of(params);
    const stm_slab slab = stm_slab_of_rank(&whole, stm_gpus_of(params), 0);
    return (uint64_t)whole.x * (uint64_t)whole.y * (uint64_t)slab.shape.z;
}

const char *stm_invalid(const gb_params *params)
{
    const uint64_t most_bytes = (uint64_t)1 << 40;
    const st_shape whole = stm_whole_of(params);
    const unsigned gpus = stm_gpus_of(params);
    const int ghosts = stm_ghosts_of(&whole);
    const uint64_t bytes = sizeof(float) * (uint64_t)stm_slab_of_rank(&whole, gpus, 0).layout.total;
    const int fewest = stm_slab_of_rank(&whole, gpus, gpus - 1).shape.z;
    if (bytes > most_bytes)
        return gb_reason("an array of a GPU's %.1f GB, and there are three; at most %.1f GB each "
                         "are allowed: choose a smaller x, y or z",
                         1e-9 * (double)bytes, 1e-9 * (double)most_bytes);
    if (gpus > 1 && fewest < ghosts)
        return gb_reason("a GPU would have %d planes, and its neighbour needs radius * fused = %d "
                         "of it: choose a larger z or fewer GPUs",
                         fewest, ghosts);
    return NULL;
}

/* A sweep reads each cell once and writes it once, those of the first GPU's slab, which is the
 * largest, through its memory. flops: as in kernels/stencil. */
gb_work stm_work(const gb_params *params)
{
    const st_shape whole = stm_whole_of(params);
    const uint64_t cells = (uint64_t)whole.x * (uint64_t)whole.y * (uint64_t)whole.z;
    const uint64_t bytes = 8 * most_cells(params);
    return (gb_work){.items = cells * whole.steps,
                     .bytes = bytes * st_sweeps(&whole),
                     .flops = (12 * (uint64_t)whole.radius + 1) * cells * whole.steps,
                     .footprint = bytes};
}
