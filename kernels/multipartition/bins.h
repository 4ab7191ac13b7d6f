/* The bin functions, evaluated alike by host and device: one functor a function, so that kernels
 * are compiled for each. */
#ifndef GB_MULTIPARTITION_BINS_H
#define GB_MULTIPARTITION_BINS_H

#include "kernels/multipartition/multipartition.h"

#if defined(__CUDACC__)
#define GB_HD __host__ __device__ __forceinline__
#define GB_HD_MEMBER __host__ __device__ __forceinline__
#else
#define GB_HD static inline
#define GB_HD_MEMBER inline
#endif

/* floor(a * b / 2^64) without 128-bit types on the device. */
GB_HD uint64_t mp_mulhi64(uint64_t a, uint64_t b)
{
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
#endif
}

/* floor(key * bins / 2^32): the paper's categorisation with max = 2^32 - 1. */
GB_HD uint32_t mp_bin_range(const mp_bin_data *bin, uint32_t key)
{
#if defined(__CUDA_ARCH__)
    return __umulhi(key, bin->bins); /* the same, without a pair of registers */
#else
    return (uint32_t)(((uint64_t)key * bin->bins) >> 32);
#endif
}

/* key mod bins by two multiplications, exact for 32-bit operands (Lemire, Kaser, Kurz 2019,
 * "Faster remainder by direct computation"). */
GB_HD uint32_t mp_bin_modulo(const mp_bin_data *bin, uint32_t key)
{
    return (uint32_t)mp_mulhi64(bin->magic * key, bin->bins);
}

/* The 32-bit finaliser of MurmurHash3 (Appleby), then a range. */
GB_HD uint32_t mp_bin_hash(const mp_bin_data *bin, uint32_t key)
{
    key ^= key >> 16;
    key *= 0x85ebca6bu;
    key ^= key >> 13;
    key *= 0xc2b2ae35u;
    key ^= key >> 16;
    return mp_bin_range(bin, key);
}

/* The number of limits <= key, by binary search. */
GB_HD uint32_t mp_bin_splitters(const mp_bin_data *bin, uint32_t key)
{
    uint32_t low = 0, high = bin->bins - 1; /* the answer lies in [low, high] */
    while (low < high) {
        uint32_t middle = (low + high) >> 1;
        if (bin->limits[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

GB_HD uint32_t mp_bin(mp_function_kind kind, const mp_bin_data *bin, uint32_t key)
{
    switch (kind) {
    case MP_RANGE:
        return mp_bin_range(bin, key);
    case MP_MODULO:
        return mp_bin_modulo(bin, key);
    case MP_HASH:
        return mp_bin_hash(bin, key);
    case MP_SPLITTERS:
        return mp_bin_splitters(bin, key);
    }
    return 0;
}

#ifdef __cplusplus
/* A compile-time bin function: kernels take it by value and call it. */
template <mp_function_kind KIND> struct mp_bin_of {
    mp_bin_data data;
    GB_HD_MEMBER uint32_t operator()(uint32_t key) const { return mp_bin(KIND, &data, key); }
};
#endif
#endif
