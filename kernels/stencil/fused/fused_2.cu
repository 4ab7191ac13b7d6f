/* Kernels of two steps a sweep. */
#include "kernels/stencil/fused/tiles.cuh"

const fused_kernel *const fused_2[ST_MAX_RADIUS + 1] = {
    NULL, &fused_r1_t2::kernel, &fused_r2_t2::kernel, &fused_r3_t2::kernel, NULL};
