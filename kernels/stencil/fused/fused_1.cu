/* Kernels of one step a sweep. */
#include "kernels/stencil/fused/tiles.cuh"

const fused_kernel *const fused_1[ST_MAX_RADIUS + 1] = {
    NULL, &fused_r1_t1::kernel, &fused_r2_t1::kernel, &fused_r3_t1::kernel, &fused_r4_t1::kernel};
