/* CUB's device-wide radix sort for the variants that are built on it. CUB comes with the CUDA
 * Toolkit; the simt build has none, so there every point of these variants is unsupported. */
#ifndef GB_CUDA_CUB_SORT_CUH
#define GB_CUDA_CUB_SORT_CUH

#include "common/cuda/device.cuh"

#include <string.h>

#define GB_NEEDS_CUB "needs CUB, which is part of the CUDA Toolkit"

/* CUDA 11 is there for GPUs before Turing, none of which holds 2^32 elements twice: without code
 * for more of them CUB, the longest to compile, takes half the time. */
#if defined(__CUDACC__) && CUDART_VERSION < 12000
#define GB_CUB_MOST UINT32_MAX
#else
#define GB_CUB_MOST UINT64_MAX
#endif

/* Why these sorts cannot do this many elements on the device; NULL if they can. */
static inline const char *gb_cub_refuses(const gb_device *device, uint64_t n)
{
    if (strcmp(device->backend, "cuda") != 0) return GB_NEEDS_CUB;
    if (n > GB_CUB_MOST)
        return "at most 2^32 - 1 elements in a worker that CUDA 11 built: CUDA 12 has no limit";
    return NULL;
}

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>

/* CUB asks twice: with no memory for the size, then for the work. */
typedef struct gb_cub_scratch {
    void *memory;
    size_t bytes;
} gb_cub_scratch;

/* Calls sort with the count: in 32 bits where it fits, since CUB then computes in 32 bits. */
template <class Sort> static cudaError_t gb_cub_counted(Sort sort, uint64_t n)
{
#if CUDART_VERSION >= 12000
    return n <= INT32_MAX ? sort((int)n) : sort(n);
#else
    return sort((unsigned)n); /* gb_cub_refuses has seen to more */
#endif
}

/* Sorts by the bits [begin_bit, end_bit) of the keys' images; in stays as it is. */
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
    return gb_cub_counted(sort, n);
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
    return gb_cub_counted(sort, n);
}
#endif
#endif
