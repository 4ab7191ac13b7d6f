/* What the variants on CUB's device-wide radix sort share. CUB comes with the CUDA Toolkit; the
 * simt build has none, so there every point of these variants is unsupported. */
#ifndef GB_MULTIPARTITION_CUB_CUH
#define GB_MULTIPARTITION_CUB_CUH

#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/multisplit.cuh"

#define MP_NEEDS_CUDA "needs CUB, which is part of the CUDA Toolkit"

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>

/* CUB's scratch. */
typedef struct mp_cub_scratch {
    void *memory;
    size_t bytes;
} mp_cub_scratch;

/* CUB asks twice: with no memory for the size, then for the work. Counts that fit are passed as 32
 * bits, since CUB then computes in 32 bits. */
template <class Key>
static cudaError_t mp_cub_sort_keys(mp_cub_scratch *scratch, const Key *in, Key *out, uint64_t n,
                                    int begin_bit, int end_bit, cudaStream_t stream)
{
    if (n <= INT32_MAX)
        return cub::DeviceRadixSort::SortKeys(scratch->memory, scratch->bytes, in, out, (int)n,
                                              begin_bit, end_bit, stream);
    return cub::DeviceRadixSort::SortKeys(scratch->memory, scratch->bytes, in, out, n, begin_bit,
                                          end_bit, stream);
}

template <class Key, class Value>
static cudaError_t mp_cub_sort_pairs(mp_cub_scratch *scratch, const Key *keys_in, Key *keys_out,
                                     const Value *values_in, Value *values_out, uint64_t n,
                                     int begin_bit, int end_bit, cudaStream_t stream)
{
    if (n <= INT32_MAX)
        return cub::DeviceRadixSort::SortPairs(scratch->memory, scratch->bytes, keys_in, keys_out,
                                               values_in, values_out, (int)n, begin_bit, end_bit,
                                               stream);
    return cub::DeviceRadixSort::SortPairs(scratch->memory, scratch->bytes, keys_in, keys_out,
                                           values_in, values_out, n, begin_bit, end_bit, stream);
}
#endif
#endif
