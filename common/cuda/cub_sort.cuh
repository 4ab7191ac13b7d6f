/* CUB's device-wide radix sort for the variants that are built on it. CUB comes with the CUDA
 * Toolkit; the simt build has none, so there every point of these variants is unsupported. */
#ifndef GB_CUDA_CUB_SORT_CUH
#define GB_CUDA_CUB_SORT_CUH

#include "common/cuda/device.cuh"

#define GB_NEEDS_CUB "needs CUB, which is part of the CUDA Toolkit"

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>

/* CUB asks twice: with no memory for the size, then for the work. */
typedef struct gb_cub_scratch {
    void *memory;
    size_t bytes;
} gb_cub_scratch;

/* Sorts by the bits [begin_bit, end_bit) of the keys' images; in stays as it is. Counts that fit
 * are passed as 32 bits, since CUB then computes in 32 bits. */
template <bool DESCENDING = false, class Key>
static cudaError_t gb_cub_sort_keys(gb_cub_scratch *scratch, const Key *in, Key *out, uint64_t n,
                                    int begin_bit, int end_bit, cudaStream_t stream)
{
    const auto sort = [&](auto count) {
        if constexpr (DESCENDING)
            return cub::DeviceRadixSort::SortKeysDescending(scratch->memory, scratch->bytes, in,
                                                            out, count, begin_bit, end_bit, stream);
        else
            return cub::DeviceRadixSort::SortKeys(scratch->memory, scratch->bytes, in, out, count,
                                                  begin_bit, end_bit, stream);
    };
    return n <= INT32_MAX ? sort((int)n) : sort(n);
}

template <bool DESCENDING = false, class Key, class Value>
static cudaError_t gb_cub_sort_pairs(gb_cub_scratch *scratch, const Key *keys_in, Key *keys_out,
                                     const Value *values_in, Value *values_out, uint64_t n,
                                     int begin_bit, int end_bit, cudaStream_t stream)
{
    const auto sort = [&](auto count) {
        if constexpr (DESCENDING)
            return cub::DeviceRadixSort::SortPairsDescending(
                scratch->memory, scratch->bytes, keys_in, keys_out, values_in, values_out, count,
                begin_bit, end_bit, stream);
        else
            return cub::DeviceRadixSort::SortPairs(scratch->memory, scratch->bytes, keys_in,
                                                   keys_out, values_in, values_out, count,
                                                   begin_bit, end_bit, stream);
    };
    return n <= INT32_MAX ? sort((int)n) : sort(n);
}
#endif
#endif
