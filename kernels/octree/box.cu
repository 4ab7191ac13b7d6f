/* The cube around bodies: what each piece of them reaches is joined. */
#include "common/cuda/grid.cuh"
#include "kernels/octree/box.h"

/* A float as a number that orders as it does, below 0 or not. */
static __host__ __device__ __forceinline__ unsigned ordered(unsigned bits)
{
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static float from_ordered(unsigned image)
{
    const unsigned bits = image & 0x80000000u ? image & 0x7FFFFFFFu : ~image;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Joins what the bodies reach, as ordered(), into *all. */
static __global__ void measure(const float4 *bodies, uint64_t n, oc_extent *all)
{
    __shared__ oc_extent shared;
    if (threadIdx.x < 3) {
        shared.least[threadIdx.x] = ~0u;
        shared.greatest[threadIdx.x] = 0;
    }
    if (threadIdx.x == 0) shared.unfit = ~0u;
    __syncthreads();
    unsigned least[3] = {~0u, ~0u, ~0u}, greatest[3] = {0, 0, 0}, unfit = ~0u;
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const float4 b = bodies[i];
        const unsigned bits[3] = {__float_as_uint(b.x), __float_as_uint(b.y), __float_as_uint(b.z)};
        for (int c = 0; c < 3; c++) {
            const unsigned image = ordered(bits[c]);
            if ((bits[c] & 0x7F800000u) == 0x7F800000u && (unsigned)i < unfit) unfit = (unsigned)i;
            if (image < least[c]) least[c] = image;
            if (image > greatest[c]) greatest[c] = image;
        }
    }
    for (int c = 0; c < 3; c++) {
        atomicMin(&shared.least[c], least[c]);
        atomicMax(&shared.greatest[c], greatest[c]);
    }
    if (unfit != ~0u) atomicMin(&shared.unfit, unfit);
    __syncthreads();
    if (threadIdx.x < 3) {
        atomicMin(&all->least[threadIdx.x], shared.least[threadIdx.x]);
        atomicMax(&all->greatest[threadIdx.x], shared.greatest[threadIdx.x]);
    }
    if (threadIdx.x == 0) atomicMin(&all->unfit, shared.unfit);
}

oc_extent oc_extent_of_none(void)
{
    return oc_extent{{~0u, ~0u, ~0u}, {0, 0, 0}, ~0u};
}

gb_status oc_extent_join(const void *bodies, uint64_t n, const gb_device *device, oc_extent *extent,
                         gb_error *error)
{
    oc_extent *all;
    if (n == 0) return GB_OK;
    gb_status status = gb_cuda_malloc((void **)&all, sizeof *all, "the bodies' extent", error);
    if (status != GB_OK) return status;
    cudaError_t code = cudaMemcpy(all, extent, sizeof *all, cudaMemcpyHostToDevice);
    if (code == cudaSuccess)
        code = launch(measure, gb_grid(device, n), dim3(GB_GRID_THREADS), 0, 0,
                      static_cast<const float4 *>(bodies), n, all);
    if (code == cudaSuccess) code = cudaMemcpy(extent, all, sizeof *all, cudaMemcpyDeviceToHost);
    (void)cudaFree(all);
    GB_TRY(code, error);
    return GB_OK;
}

float oc_scale_of(double side)
{
    const double scale = side > 0 ? (double)(1u << OC_DEPTH) / side : 1.0;
    return scale > 1e37 ? (float)1e37 : (float)scale; /* bodies that no float parts: one cell */
}

gb_status oc_cube_around(const oc_extent *extent, const char *path, oc_box *box, gb_error *error)
{
    float lowest[3];
    double side = 0;
    for (int c = 0; c < 3; c++) {
        lowest[c] = from_ordered(extent->least[c]);
        const double wide = (double)from_ordered(extent->greatest[c]) - (double)lowest[c];
        if (wide > side) side = wide;
    }
    if (side > 1e37)
        return gb_fail(error, path ? GB_NO_INPUT : GB_UNSUPPORTED,
                       "the bodies are %g apart: scale the coordinates so that they fit into a "
                       "cube of side 1e37",
                       side);
    *box = oc_box{lowest[0], lowest[1], lowest[2], oc_scale_of(side)};
    return GB_OK;
}
