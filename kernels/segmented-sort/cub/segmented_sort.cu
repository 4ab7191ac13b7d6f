/* Baseline: CUB's DeviceSegmentedSort, which sorts segments by how long they are
 * and asks the host between (GB_WAITS); called in whichever
 * way is the fastest. */
#include "kernels/segmented-sort/cub/segmented.cuh"

#if GB_HAS_CUB
#include <cub/device/device_segmented_sort.cuh>
#endif

namespace
{
struct sorter {
#if GB_HAS_CUB
    typedef cub::DeviceSegmentedSort sorts;
    template <bool DESCENDING, class... Arrays>
    static cudaError_t keys(void *memory, size_t &bytes, int n, int segments,
                            const uint32_t *offsets, cudaStream_t stream, Arrays &...arrays)
    {
        if constexpr (DESCENDING)
            return sorts::StableSortKeysDescending(memory, bytes, arrays..., n, segments, offsets,
                                                   offsets + 1, stream);
        else
            return sorts::StableSortKeys(memory, bytes, arrays..., n, segments, offsets,
                                         offsets + 1, stream);
    }
    template <bool DESCENDING, class... Arrays>
    static cudaError_t pairs(void *memory, size_t &bytes, int n, int segments,
                             const uint32_t *offsets, cudaStream_t stream, Arrays &...arrays)
    {
        if constexpr (DESCENDING)
            return sorts::StableSortPairsDescending(memory, bytes, arrays..., n, segments, offsets,
                                                    offsets + 1, stream);
        else
            return sorts::StableSortPairs(memory, bytes, arrays..., n, segments, offsets,
                                          offsets + 1, stream);
    }
#endif
};
} // namespace

#if defined(GB_CUB_LATEST)
#define VARIANT sg_cub_segmented_sort_latest
#define NAME "cub-segmented-sort-latest"
#else
#define VARIANT sg_cub_segmented_sort
#define NAME "cub-segmented-sort"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,          "CUB's DeviceSegmentedSort, the faster of its instances",
    GB_CUB_ORIGIN, GB_STABLE | GB_CUDA_ONLY | GB_WAITS,
    unsupported,   prepare<sorter>,
    reset,         run,
    cleanup,       NULL,
    instance,
};
