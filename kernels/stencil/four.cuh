/* Four neighbouring cells at a time: what the stencils that march along z compute with. */
#ifndef GB_STENCIL_FOUR_CUH
#define GB_STENCIL_FOUR_CUH

#include "common/cuda/device.cuh"
#include "kernels/stencil/stencil.h"

static __device__ __forceinline__ float4 st_load4(const float *at)
{
    return *reinterpret_cast<const float4 *>(at);
}

static __device__ __forceinline__ void st_store4(float *at, const float4 &four)
{
    *reinterpret_cast<float4 *>(at) = four;
}

static __device__ __forceinline__ float4 st_times4(float weight, const float4 &four)
{
    return make_float4(weight * four.x, weight * four.y, weight * four.z, weight * four.w);
}

static __device__ __forceinline__ float4 st_add4(const float4 &sum, float weight,
                                                 const float4 &four)
{
    return make_float4(fmaf(weight, four.x, sum.x), fmaf(weight, four.y, sum.y),
                       fmaf(weight, four.z, sum.z), fmaf(weight, four.w, sum.w));
}

/* Adds the neighbours in x of four cells: `left` and `right` are the four before and after them. */
template <int RADIUS>
__device__ __forceinline__ float4 st_add_x(const st_weights &weights, const float4 &sum,
                                           const float4 &left, const float4 &centre,
                                           const float4 &right)
{
    const float cell[12] = {left.x,   left.y,   left.z,  left.w,  centre.x, centre.y,
                            centre.z, centre.w, right.x, right.y, right.z,  right.w};
    float out[4] = {sum.x, sum.y, sum.z, sum.w};
#pragma unroll
    for (int k = 1; k <= RADIUS; k++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            out[i] = fmaf(weights.w[6 * k - 5], cell[4 + i - k], out[i]);
            out[i] = fmaf(weights.w[6 * k - 4], cell[4 + i + k], out[i]);
        }
    return make_float4(out[0], out[1], out[2], out[3]);
}

#endif
