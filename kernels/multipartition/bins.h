/* The bin functions, evaluated alike by host and device: one functor a function, so that kernels
 * are compiled for each. */
#ifndef GB_MULTIPARTITION_BINS_H
#define GB_MULTIPARTITION_BINS_H

#include "common/random.h"
#include "kernels/multipartition/experiment.h"

#if defined(__CUDACC__)
#define GB_HD __host__ __device__ __forceinline__
#define GB_HD_MEMBER __host__ __device__ __forceinline__
#else
#define GB_HD static inline
#define GB_HD_MEMBER inline
#endif

/* A bin function's data; limits, of the keys' width (kept, not copied), is used by MP_SPLITTERS
 * alone. */
static inline mp_bin_data mp_make_bin_data(mp_function_kind function, uint32_t bins,
                                           unsigned key_bytes, const void *limits)
{
    mp_bin_data data;
    const int splits = function == MP_SPLITTERS;
    data.bins = bins;
    data.word = 0;
    data.magic_low = 0;
    /* ceil(2^64 / bins), which wraps to 0 for one bin: that gives bin 0 as it should */
    data.magic = function == MP_MODULO ? UINT64_MAX / bins + 1 : 0;
    data.limits = splits && key_bytes == 4 ? (const uint32_t *)limits : NULL;
    data.limits64 = splits && key_bytes == 8 ? (const uint64_t *)limits : NULL;
    return data;
}

/* floor(a * b / 2^64) without 128-bit types on the device. */
GB_HD uint64_t mp_mulhi64(uint64_t a, uint64_t b)
{
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
#endif
}

/* floor(key * bins / 2^32): mp_bin_max with max = 2^32 - 1. */
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

/* floor(key * bins / (max + 1)), max being the largest key: the paper's categorisation. What it
 * multiplies by is less than 2^-64 more than bins / (max + 1), so that the product is less than
 * 2^-32 too much: too little to reach the next integer, for it is at least 1 / (max + 1) away
 * (Granlund, Montgomery 1994, "Division by invariant integers using multiplication"). For a key
 * above max, which the input has none of, it may be no bin at all. (By __umulhi the lower product
 * takes multisplit-block 90 bytes of spilled registers; so it is 4.) */
GB_HD uint32_t mp_bin_max(const mp_bin_data *bin, uint32_t key)
{
    const uint64_t low = (uint64_t)bin->word * key;
    return (uint32_t)((bin->magic * key + (low >> 32)) >> 32);
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

/* The bin of a 32-bit key. */
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
    case MP_MAX:
        return mp_bin_max(bin, key);
    }
    return 0;
}

/* ---- 64-bit keys ----------------------------------------------------------------------------- */

/* floor(key * bins / 2^64). */
GB_HD uint32_t mp_bin_range64(const mp_bin_data *bin, uint64_t key)
{
    return (uint32_t)mp_mulhi64(key, bin->bins);
}

/* key mod bins. magic - 1 is floor((2^64 - 1) / bins), so that the quotient taken with it is right
 * or one too small. */
GB_HD uint32_t mp_bin_modulo64(const mp_bin_data *bin, uint64_t key)
{
    const uint64_t quotient = mp_mulhi64(key, bin->magic - 1);
    const uint32_t rest = (uint32_t)(key - quotient * bin->bins);
    return rest >= bin->bins ? rest - bin->bins : rest;
}

/* A 64-bit mixer, then a range: the upper bits of the mix. */
GB_HD uint32_t mp_bin_hash64(const mp_bin_data *bin, uint64_t key)
{
    return mp_bin_range64(bin, gb_mix64(key));
}

/* floor(key * bins / (max + 1)), as mp_bin_max, by a product that is less than 2^-64 too much. */
GB_HD uint32_t mp_bin_max64(const mp_bin_data *bin, uint64_t key)
{
    const uint64_t low = bin->magic * key, sum = low + mp_mulhi64(bin->magic_low, key);
    return (uint32_t)(bin->word * key + mp_mulhi64(bin->magic, key) + (sum < low));
}

/* The number of limits <= key, by binary search. */
GB_HD uint32_t mp_bin_splitters64(const mp_bin_data *bin, uint64_t key)
{
    uint32_t low = 0, high = bin->bins - 1; /* the answer lies in [low, high] */
    while (low < high) {
        uint32_t middle = (low + high) >> 1;
        if (bin->limits64[middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The bin of a 64-bit key. */
GB_HD uint32_t mp_bin64(mp_function_kind kind, const mp_bin_data *bin, uint64_t key)
{
    switch (kind) {
    case MP_RANGE:
        return mp_bin_range64(bin, key);
    case MP_MODULO:
        return mp_bin_modulo64(bin, key);
    case MP_HASH:
        return mp_bin_hash64(bin, key);
    case MP_SPLITTERS:
        return mp_bin_splitters64(bin, key);
    case MP_MAX:
        return mp_bin_max64(bin, key);
    }
    return 0;
}

/* The bin of a key of so many bytes; the last one, too, for keys that have none. */
GB_HD uint32_t mp_bin_wide(mp_function_kind kind, const mp_bin_data *bin, unsigned key_bytes,
                           uint64_t key)
{
    const uint32_t b = key_bytes == 8 ? mp_bin64(kind, bin, key) : mp_bin(kind, bin, (uint32_t)key);
    return b < bin->bins ? b : bin->bins - 1;
}

#ifdef __cplusplus
/* A compile-time bin function, of keys of either width: kernels take it by value and call it. */
template <mp_function_kind KIND> struct mp_bin_of {
    mp_bin_data data;
    GB_HD_MEMBER uint32_t operator()(uint32_t key) const { return mp_bin(KIND, &data, key); }
    GB_HD_MEMBER uint32_t operator()(uint64_t key) const { return mp_bin64(KIND, &data, key); }
};

/* One that is chosen at run time. */
struct mp_bin_any {
    mp_bin_data data;
    mp_function_kind kind;
    GB_HD_MEMBER uint32_t operator()(uint32_t key) const { return mp_bin(kind, &data, key); }
    GB_HD_MEMBER uint32_t operator()(uint64_t key) const { return mp_bin64(kind, &data, key); }
};
#endif
#endif
