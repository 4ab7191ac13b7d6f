/* Kernels of four steps a sweep. */
#include "kernels/stencil/fused/tiles.cuh"

const fused_kernel *const fused_4[ST_MAX_RADIUS + 1] = {NULL, &fused_r1_t4::kernel, NULL, NULL,
                                                        NULL};
