/* Kernels of two steps a sweep. */
#include "kernels/stencil/fused_host.cuh"

/* radius, steps, rows of a warp, warps, margin, past planes in the ring, past planes in the
 * exchange; slots */
typedef fused_kernel_of<fused_tile<1, 2, 3, 15, 4, false, 0>, 6> radius_1;
typedef fused_kernel_of<fused_tile<2, 2, 4, 11, 4, false, 1>, 4> radius_2;
typedef fused_kernel_of<fused_tile<3, 2, 3, 11, 4, true, 1, true>, 6> radius_3;

const fused_kernel *const fused_2[ST_MAX_RADIUS + 1] = {NULL, &radius_1::kernel, &radius_2::kernel,
                                                        &radius_3::kernel, NULL};
