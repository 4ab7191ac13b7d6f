/* The marching kernels of kernels/stencil/fused for slabs, one for each radius and number of steps.
 */
#ifndef GB_STENCIL_MULTI_SLAB_H
#define GB_STENCIL_MULTI_SLAB_H

#include "kernels/stencil/fused/fused.h"

/* slab_1.cu .. slab_4.cu: kernels of so many steps, by radius. */
extern const fused_slab_kernel *const stm_slab_1[ST_MAX_RADIUS + 1];
extern const fused_slab_kernel *const stm_slab_2[ST_MAX_RADIUS + 1];
extern const fused_slab_kernel *const stm_slab_3[ST_MAX_RADIUS + 1];
extern const fused_slab_kernel *const stm_slab_4[ST_MAX_RADIUS + 1];

#endif
