/* The axes of the stencils and the work of a point. */
#include "kernels/stencil/stencil.h"

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A grid has up to 65535 blocks in y and in z, and blocks may be one cell thick. */
/* Among the nasty values of block and fused, auto and 1 are repeated: many variants know no other
 * and would else be checked at few points. */
const gb_axis st_axes[ST_AXES] = {
    [ST_X] = {.name = "x",
              .type = GB_AXIS_SIZE,
              .help = "cells along the contiguous axis",
              .fallback = "256",
              .small = "96",
              .min = 1,
              .max = ST_MOST_CELLS,
              .nasty = LIST("1", "31", "32", "33", "64", "66", "97", "129", "140")},
    [ST_Y] = {.name = "y",
              .type = GB_AXIS_SIZE,
              .help = "cells from row to row",
              .fallback = "256",
              .small = "16",
              .min = 1,
              .max = ST_MOST_CELLS,
              .nasty = LIST("1", "2", "7", "16", "33", "45")},
    [ST_Z] = {.name = "z",
              .type = GB_AXIS_SIZE,
              .help = "cells from plane to plane",
              .fallback = "256",
              .small = "16",
              .min = 1,
              .max = ST_MOST_CELLS,
              .nasty = LIST("1", "2", "5", "9", "17")},
    [ST_RADIUS] = ST_RADIUS_AXIS,
    [ST_BLOCK] = {.name = "block",
                  .type = GB_AXIS_NAME,
                  .help = "threads of a block along x, y, z (auto: the variant's own choice)",
                  .fallback = "auto",
                  .names = LIST("auto", "32x1x1", "32x2x1", "32x4x1", "32x8x1", "32x16x1",
                                "32x32x1", "64x1x1", "64x2x1", "64x4x1", "64x8x1", "64x16x1",
                                "128x1x1", "128x2x1", "128x4x1", "128x8x1", "256x1x1", "256x2x1",
                                "256x4x1", "512x1x1", "512x2x1", "1024x1x1", "32x2x2", "32x4x2",
                                "32x4x4", "64x2x2", "64x4x4", "128x2x2"),
                  .nasty = LIST("auto", "32x1x1", "auto", "32x8x1", "64x4x1", "128x2x1", "auto",
                                "256x1x1", "32x32x1", "auto", "32x4x4")},
    [ST_STEPS] = {.name = "steps",
                  .type = GB_AXIS_SIZE,
                  .help = "time steps in a run",
                  .fallback = "2",
                  .min = 1,
                  .max = ST_MOST_STEPS,
                  .nasty = LIST("1", "2", "3", "5", "6")},
    [ST_FUSED] = {.name = "fused",
                  .type = GB_AXIS_SIZE,
                  .help = "time steps in a sweep over memory",
                  .fallback = "1",
                  .min = 1,
                  .max = ST_MOST_FUSED,
                  .nasty = LIST("1", "2", "1", "2", "1", "3", "1", "4")},
};

static uint64_t cells_of(const st_shape *shape)
{
    return (uint64_t)shape->x * (uint64_t)shape->y * (uint64_t)shape->z;
}

const char *st_invalid(const gb_params *params)
{
    const uint64_t most_bytes = (uint64_t)1 << 40;
    const st_shape shape = st_shape_of(params);
    const uint64_t bytes = (uint64_t)st_layout_of(&shape).total * sizeof(float);
    if (bytes > most_bytes)
        return gb_reason("an array of %dx%dx%d cells takes %.1f GB, and there are three; at most "
                         "%.1f GB each are allowed: choose a smaller x, y or z",
                         shape.x, shape.y, shape.z, 1e-9 * (double)bytes,
                         1e-9 * (double)most_bytes);
    return NULL;
}

/* Every sweep reads each cell once and writes it once: no sweep can do with less. A step multiplies
 * 6 radius + 1 times and adds one time less (the paper counts so: 13, 25, 37, 49). */
gb_work st_work(const gb_params *params)
{
    const st_shape shape = st_shape_of(params);
    const uint64_t cells = cells_of(&shape), bytes = 8 * cells;
    return (gb_work){.items = cells * shape.steps,
                     .bytes = bytes * st_sweeps(&shape),
                     .flops = (12 * (uint64_t)shape.radius + 1) * cells * shape.steps,
                     .footprint = bytes};
}
