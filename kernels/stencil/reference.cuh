/* The truth that results on the device are held to: one step that can be seen through, how far off
 * a right one may be, and a count of what is wrong.
 *
 * The tolerance. Let u = 2^-24, the unit roundoff of float, and r the radius. A step of a variant
 * adds 6r + 1 products: in whatever order, with or without fused multiply-adds, each product passes
 * through at most 6r + 1 roundings, and products are positive and sum up to at most 1 (weights sum
 * to 1, values lie in [0, 1]), so the step is off by at most (6r + 1) u to first order. The truth
 * is rounded to float once a step: u more. Errors of the step before pass through weights that sum
 * to 1: they are averaged, not amplified. After `steps` steps: steps (6r + 2) u. */
#ifndef GB_STENCIL_REFERENCE_CUH
#define GB_STENCIL_REFERENCE_CUH

#include "common/cuda/grid.cuh"
#include "kernels/stencil/stencil.h"

static const unsigned long long ST_NO_DEFECT = ~0ull;

typedef struct st_defects {
    unsigned long long first; /* the smallest element that is wrong, or ST_NO_DEFECT */
    unsigned long long count;
} st_defects;

static inline double st_tolerance(const st_shape *shape)
{
    return shape->steps * (6.0 * shape->radius + 2) * 0x1p-24;
}

/* One step, written to be seen through: a cell a thread, sums in double. The product of two floats
 * is exact in double, so that fused multiply-adds change nothing. */
static __global__ void st_reference_step(st_shape shape, st_layout layout, st_weights weights,
                                         const float *from, float *to)
{
    const uint64_t cells = (uint64_t)shape.x * shape.y * shape.z;
    for (uint64_t c = gb_first(); c < cells; c += gb_stride()) {
        const int64_t x = (int64_t)(c % shape.x), y = (int64_t)(c / shape.x % shape.y);
        const int64_t z = (int64_t)(c / shape.x / shape.y);
        const int64_t here = layout.origin + z * layout.plane + y * layout.pitch + x;
        double sum = (double)weights.w[0] * (double)from[here];
        for (int k = 1; k <= shape.radius; k++) {
            const float *w = &weights.w[6 * k - 5];
            const int64_t away[3] = {k, k * layout.pitch, k * layout.plane};
            for (int axis = 0; axis < 3; axis++) {
                sum += (double)w[2 * axis] * (double)from[here - away[axis]];
                sum += (double)w[2 * axis + 1] * (double)from[here + away[axis]];
            }
        }
        to[here] = (float)sum;
    }
}

static __device__ __forceinline__ void st_note(st_defects *defects, uint64_t element)
{
    atomicMin(&defects->first, (unsigned long long)element);
    atomicAdd(&defects->count, 1ull);
}

#endif
