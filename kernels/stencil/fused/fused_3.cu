/* Kernels of three steps a sweep. */
#include "kernels/stencil/fused/tiles.cuh"

const fused_kernel *const fused_3[ST_MAX_RADIUS + 1] = {NULL, &fused_r1_t3::kernel,
                                                        &fused_r2_t3::kernel, NULL, NULL};
