/* Kernels of three steps a sweep. */
#include "kernels/stencil/fused/host.cuh"

/* radius, steps, rows of a warp, warps, margin, RING_PAST, SHARED_OLDEST, SPANS; slots */
typedef fused_kernel_of<fused_tile<1, 3, 3, 15, 4, false, false>, 6> radius_1;
typedef fused_kernel_of<fused_tile<2, 3, 3, 11, 4, true, true>, 6> radius_2;

const fused_kernel *const fused_3[ST_MAX_RADIUS + 1] = {NULL, &radius_1::kernel, &radius_2::kernel,
                                                        NULL, NULL};
