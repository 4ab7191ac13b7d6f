/* Baseline: CUB's DeviceSegmentedRadixSort, a block a segment and pass; called in whichever
 * way is the fastest. */
#include "kernels/segmented-sort/cub/segmented.cuh"

#if GB_HAS_CUB
#include <cub/device/device_segmented_radix_sort.cuh>
#endif

namespace
{
struct sorter {
#if GB_HAS_CUB
    typedef cub::DeviceSegmentedRadixSort sorts;
    template <class Key, class... Rest> static int key_bits(const Key *, Rest &...)
    {
        return 8 * (int)sizeof(Key);
    }
    template <class Key, class... Rest>
    static int key_bits(const cub::DoubleBuffer<Key> &, Rest &...)
    {
        return 8 * (int)sizeof(Key);
    }
    template <bool DESCENDING, class... Arrays>
    static cudaError_t keys(void *memory, size_t &bytes, int n, int segments,
                            const uint32_t *offsets, cudaStream_t stream, Arrays &...arrays)
    {
        if constexpr (DESCENDING)
            return sorts::SortKeysDescending(memory, bytes, arrays..., n, segments, offsets,
                                             offsets + 1, 0, key_bits(arrays...), stream);
        else
            return sorts::SortKeys(memory, bytes, arrays..., n, segments, offsets, offsets + 1, 0,
                                   key_bits(arrays...), stream);
    }
    template <bool DESCENDING, class... Arrays>
    static cudaError_t pairs(void *memory, size_t &bytes, int n, int segments,
                             const uint32_t *offsets, cudaStream_t stream, Arrays &...arrays)
    {
        if constexpr (DESCENDING)
            return sorts::SortPairsDescending(memory, bytes, arrays..., n, segments, offsets,
                                              offsets + 1, 0, key_bits(arrays...), stream);
        else
            return sorts::SortPairs(memory, bytes, arrays..., n, segments, offsets, offsets + 1, 0,
                                    key_bits(arrays...), stream);
    }
#endif
};
} // namespace

#if defined(GB_CUB_LATEST)
#define VARIANT sg_cub_segmented_radix_sort_latest
#define NAME "cub-segmented-radix-sort-latest"
#else
#define VARIANT sg_cub_segmented_radix_sort
#define NAME "cub-segmented-radix-sort"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,          "CUB's DeviceSegmentedRadixSort, the faster of its instances",
    GB_CUB_ORIGIN, GB_STABLE | GB_CUDA_ONLY,
    unsupported,   prepare<sorter>,
    reset,         run,
    cleanup,       NULL,
    instance,
};
