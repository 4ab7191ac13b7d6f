/* From a point's words to C types, and how the box is cut. */
#include "kernels/stencil-multi/stencil_multi.h"

#include <string.h>

unsigned stm_gpus_of(const gb_params *params)
{
    return (unsigned)params->value[STM_GPUS].size;
}

st_shape stm_whole_of(const gb_params *params)
{
    const gb_params alone = stm_alone_params(params);
    return st_shape_of(&alone);
}

int stm_ghosts_of(const st_shape *whole)
{
    return whole->radius * (int)whole->fused;
}

stm_slab stm_slab_of(const st_shape *whole, int first, int end, int ghosts)
{
    stm_slab slab = {
        .shape = *whole, .layout = st_layout_of(whole), .first = first, .ghosts = ghosts};
    st_layout *layout = &slab.layout;
    slab.whole = whole->z;
    slab.shape.z = end - first;
    layout->origin = ghosts * layout->plane + whole->radius * layout->pitch + ST_PAD;
    layout->total = layout->plane * (slab.shape.z + 2 * (int64_t)ghosts) + ST_PAD;
    return slab;
}

stm_slab stm_slab_of_rank(const st_shape *whole, unsigned gpus, unsigned rank)
{
    const uint64_t z = (uint64_t)whole->z;
    return stm_slab_of(whole, (int)gb_share_begin(z, gpus, rank, false),
                       (int)gb_share_begin(z, gpus, rank + 1, false), stm_ghosts_of(whole));
}

const char *stm_no_fusing(const gb_params *params)
{
    if (params->value[STM_FUSED].size == 1) return NULL;
    return "one time step a sweep: the temporal variants fuse more (leave the axis fused at 1)";
}

const char *stm_fusing(const gb_params *params)
{
    if (params->value[STM_FUSED].size > 1) return NULL;
    return "fuses steps: give fused=2 or more";
}

gb_params stm_alone_params(const gb_params *params)
{
    gb_params alone;
    memset(&alone, 0, sizeof alone);
    alone.value[ST_X] = params->value[STM_X];
    alone.value[ST_Y] = params->value[STM_Y];
    alone.value[ST_Z] = params->value[STM_Z];
    alone.value[ST_RADIUS] = params->value[STM_RADIUS];
    alone.value[ST_STEPS] = params->value[STM_STEPS];
    alone.value[ST_FUSED] = params->value[STM_FUSED];
    alone.value[ST_BLOCK].text = "auto";
    if (strcmp(params->value[STM_SCALING].text, "weak") == 0)
        alone.value[ST_Z].size *= params->value[STM_GPUS].size;
    return alone;
}
