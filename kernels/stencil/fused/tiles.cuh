/* The tiles of all kernels there are, and the planes of their rings, at most. */
#ifndef GB_STENCIL_FUSED_TILES_CUH
#define GB_STENCIL_FUSED_TILES_CUH

#include "kernels/stencil/fused/host.cuh"

/* radius, steps, rows of a warp, warps, margin, RING_PAST, SHARED_OLDEST, SPANS; slots */

/* One step a sweep. Tiles are of 32 rows: with 128 cells they cut the paper's largest box into 128
 * blocks, which an H200 runs at once. A margin of 8 cells lets the boxes that are copied begin at a
 * sector of 32 bytes: at 4 cells each row cost two sectors more, and 6 % of the speed. */
typedef fused_kernel_of<fused_tile<1, 1, 2, 16, 8, false, false>, 10> fused_r1_t1;
typedef fused_kernel_of<fused_tile<2, 1, 2, 16, 8, true, false>, 10> fused_r2_t1;
typedef fused_kernel_of<fused_tile<3, 1, 2, 16, 16, true, false>, 10> fused_r3_t1;
typedef fused_kernel_of<fused_tile<4, 1, 2, 16, 8, true, false>, 10> fused_r4_t1;

/* Two steps. */
typedef fused_kernel_of<fused_tile<1, 2, 3, 15, 4, false, false>, 6> fused_r1_t2;
typedef fused_kernel_of<fused_tile<2, 2, 4, 11, 4, false, true>, 4> fused_r2_t2;
typedef fused_kernel_of<fused_tile<3, 2, 3, 11, 4, true, true, true>, 6> fused_r3_t2;

/* Three steps. */
typedef fused_kernel_of<fused_tile<1, 3, 3, 15, 4, false, false>, 6> fused_r1_t3;
typedef fused_kernel_of<fused_tile<2, 3, 3, 11, 4, true, true>, 6> fused_r2_t3;

/* Four steps. */
typedef fused_kernel_of<fused_tile<1, 4, 3, 11, 4, false, false>, 6> fused_r1_t4;

#endif
