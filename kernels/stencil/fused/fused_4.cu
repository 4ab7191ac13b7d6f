/* Kernels of four steps a sweep. */
#include "kernels/stencil/fused/host.cuh"

/* radius, steps, rows of a warp, warps, margin, RING_PAST, SHARED_OLDEST, SPANS; slots */
typedef fused_kernel_of<fused_tile<1, 4, 3, 11, 4, false, false>, 6> radius_1;

const fused_kernel *const fused_4[ST_MAX_RADIUS + 1] = {NULL, &radius_1::kernel, NULL, NULL, NULL};
