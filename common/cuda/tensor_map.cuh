/* Boxes of a 3-D array of floats into shared memory: by Hopper's copy engine (TMA), which one
 * thread starts, or by the lanes of a warp where there is none.
 *
 * A box may reach beyond the array; what lies outside comes as 0. What is copied is asked to stay
 * in the L2 before other things, for boxes that overlap: others will want it soon. On an H200 the
 * stencil tma gains 1 to 3 % by that, and 2 to 3 % by lines of 128 bytes, not twice that, that a
 * miss brings from memory (kernels/stencil/README.md). */
#ifndef GB_CUDA_TENSOR_MAP_CUH
#define GB_CUDA_TENSOR_MAP_CUH

#include "common/cuda/mbarrier.cuh"

#if defined(__CUDACC__) && CUDART_VERSION >= 12000
#include <cuda.h>
#define GB_HAS_TENSOR_MAP 1
#else
#define GB_HAS_TENSOR_MAP 0
#endif
/* Of kernels that have a gb_tensor_map as parameter. */
#if defined(__CUDACC__) && GB_HAS_TENSOR_MAP
#define GB_GRID_CONSTANT __grid_constant__
#else
#define GB_GRID_CONSTANT
#endif

/* An array of columns x rows x planes floats and the box that is copied from it. */
typedef struct gb_tensor_map {
#if GB_HAS_TENSOR_MAP
    CUtensorMap engine;
#endif
    const float *base;         /* aligned to 16 bytes */
    int columns, rows, planes; /* columns a multiple of 4 */
    int64_t pitch,
        plane; /* floats from a row to the next (a multiple of 4), from a plane to the next */
    int box_columns, box_rows; /* at most 256 each; box_columns a multiple of 4 */
} gb_tensor_map;

/* Whether the copy engine serves the device: a kernel compiled for it uses nothing else. */
static inline bool gb_tensor_map_engine(const gb_device *device)
{
    return GB_HAS_TENSOR_MAP && device->arch >= 900 && strcmp(device->backend, "cuda") == 0;
}

#if GB_HAS_TENSOR_MAP
typedef CUresult (*gb_tensor_map_encode_fn)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                            const cuuint64_t *, const cuuint64_t *,
                                            const cuuint32_t *, const cuuint32_t *,
                                            CUtensorMapInterleave, CUtensorMapSwizzle,
                                            CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* The driver's encoder, found at run time so that nothing links against libcuda; NULL if the driver
 * has none. */
static inline gb_tensor_map_encode_fn gb_tensor_map_encoder()
{
    void *found = NULL;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    if (cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault,
                                         &result) != cudaSuccess)
        found = NULL;
#else
    if (cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault, &result) !=
        cudaSuccess)
        found = NULL;
#endif
    (void)cudaGetLastError();
    return reinterpret_cast<gb_tensor_map_encode_fn>(found);
}
#endif

/* Completes a map whose other fields are set, for the device. */
static inline gb_status gb_tensor_map_open(gb_tensor_map *map, const gb_device *device,
                                           gb_error *error)
{
#if GB_HAS_TENSOR_MAP
    if (!gb_tensor_map_engine(device)) return GB_OK;
    gb_tensor_map_encode_fn encode = gb_tensor_map_encoder();
    if (!encode)
        return gb_fail(error, GB_CRASHED, "the driver has no cuTensorMapEncodeTiled: update it");
    const cuuint64_t sizes[3] = {(cuuint64_t)map->columns, (cuuint64_t)map->rows,
                                 (cuuint64_t)map->planes};
    const cuuint64_t strides[2] = {(cuuint64_t)map->pitch * 4, (cuuint64_t)map->plane * 4};
    const cuuint32_t box[3] = {(cuuint32_t)map->box_columns, (cuuint32_t)map->box_rows, 1};
    const cuuint32_t steps[3] = {1, 1, 1};
    const CUresult code = encode(
        &map->engine, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 3, const_cast<float *>(map->base), sizes,
        strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
        CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (code != CUDA_SUCCESS)
        return gb_fail(
            error, GB_CRASHED,
            "cuTensorMapEncodeTiled refuses (%d) a box of %d x %d of %d x %d x %d floats",
            (int)code, map->box_columns, map->box_rows, map->columns, map->rows, map->planes);
#else
    (void)map;
    (void)device;
    (void)error;
#endif
    return GB_OK;
}

/* Whether lane 0 alone starts copies, for the engine. A warp that copies in a loop then sends its
 * other lanes away: nothing keeps them beside lane 0, and what waits for a phase that lane 0 has
 * long passed, two of them later, waits for ever. */
__device__ __forceinline__ bool gb_tensor_map_one_lane()
{
    return GB_HAS_MBARRIER;
}

/* Copies the box that begins at (column, row, plane) to `to`, rows without gaps; `barrier` then has
 * one arrival. column is a multiple of 4, `to` aligned to 128 bytes. All lanes of a warp call it,
 * or those that gb_tensor_map_one_lane leaves. */
__device__ __forceinline__ void gb_tensor_map_load(const gb_tensor_map &map, float *to, int column,
                                                   int row, int plane, gb_mbarrier *barrier,
                                                   unsigned lane)
{
#if GB_HAS_MBARRIER
    if (lane == 0) {
        gb_mbarrier_arrive_expect(barrier, (unsigned)(map.box_columns * map.box_rows) * 4u);
        asm volatile("{\n\t.reg .b64 stay;\n\t"
                     "createpolicy.fractional.L2::evict_last.b64 stay, 1.0;\n\t"
                     "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], stay;\n\t}"
                     :
                     : "r"(gb_shared_address(to)), "l"(&map.engine), "r"(column), "r"(row),
                       "r"(plane), "r"(gb_shared_address(barrier))
                     : "memory");
    }
#else
    const int groups = map.box_columns / 4, total = groups * map.box_rows;
    for (int i = (int)lane; i < total; i += 32) {
        const int x = column + i % groups * 4, y = row + i / groups;
        float4 four = {0, 0, 0, 0};
        if ((unsigned)x < (unsigned)map.columns && (unsigned)y < (unsigned)map.rows &&
            (unsigned)plane < (unsigned)map.planes)
            four =
                *reinterpret_cast<const float4 *>(map.base + plane * map.plane + y * map.pitch + x);
        reinterpret_cast<float4 *>(to)[i] = four;
    }
    __syncwarp();
    gb_mbarrier_arrive(barrier, lane == 0);
#endif
}

#endif
