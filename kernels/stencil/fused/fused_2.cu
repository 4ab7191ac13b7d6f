/* Kernels of two steps a sweep. */
#include "kernels/stencil/fused/host.cuh"

/* radius, steps, rows of a warp, warps, margin, RING_PAST, SHARED_OLDEST, SPANS; slots */
typedef fused_kernel_of<fused_tile<1, 2, 3, 15, 4, false, false>, 6> radius_1;
typedef fused_kernel_of<fused_tile<2, 2, 4, 11, 4, false, true>, 4> radius_2;
typedef fused_kernel_of<fused_tile<3, 2, 3, 11, 4, true, true, true>, 6> radius_3;

const fused_kernel *const fused_2[ST_MAX_RADIUS + 1] = {NULL, &radius_1::kernel, &radius_2::kernel,
                                                        &radius_3::kernel, NULL};
