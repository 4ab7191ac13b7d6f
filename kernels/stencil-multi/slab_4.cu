/* Kernels of four steps a sweep over a slab. */
#include "kernels/stencil-multi/slab.h"
#include "kernels/stencil/fused/tiles.cuh"

const fused_slab_kernel *const stm_slab_4[ST_MAX_RADIUS + 1] = {NULL, &fused_r1_t4::slab, NULL,
                                                                NULL, NULL};
