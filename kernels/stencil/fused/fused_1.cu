/* Kernels of one step a sweep. Tiles are of 32 rows: with 128 cells they cut the paper's largest
 * box into 128 blocks, which an H200 runs at once. A margin of 8 cells lets the boxes that are
 * copied begin at a sector of 32 bytes: at 4 cells each row cost two sectors more, and 6 % of the
 * speed. */
#include "kernels/stencil/fused/host.cuh"

/* radius, steps, rows of a warp, warps, margin, RING_PAST, SHARED_OLDEST, SPANS; slots */
typedef fused_kernel_of<fused_tile<1, 1, 2, 16, 8, false, false>, 10> radius_1;
typedef fused_kernel_of<fused_tile<2, 1, 2, 16, 8, true, false>, 10> radius_2;
typedef fused_kernel_of<fused_tile<3, 1, 2, 16, 16, true, false>, 10> radius_3;
typedef fused_kernel_of<fused_tile<4, 1, 2, 16, 8, true, false>, 10> radius_4;

const fused_kernel *const fused_1[ST_MAX_RADIUS + 1] = {NULL, &radius_1::kernel, &radius_2::kernel,
                                                        &radius_3::kernel, &radius_4::kernel};
