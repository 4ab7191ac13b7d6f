/* Kernels of one step a sweep over a slab. */
#include "kernels/stencil-multi/slab.h"
#include "kernels/stencil/fused/tiles.cuh"

const fused_slab_kernel *const stm_slab_1[ST_MAX_RADIUS + 1] = {
    NULL, &fused_r1_t1::slab, &fused_r2_t1::slab, &fused_r3_t1::slab, &fused_r4_t1::slab};
