/* Ranks and places in a block, which 16 bits hold, as the sorts of this folder keep them in
 * registers. */
#ifndef GB_RADIX_SORT_HALVES_CUH
#define GB_RADIX_SORT_HALVES_CUH

#include "common/cuda/device.cuh"

/* 16-bit numbers, two a register; set in order. */
template <int ITEMS> struct rs_halves {
    unsigned both[(ITEMS + 1) / 2];
    __device__ __forceinline__ void set(int i, unsigned value)
    {
        both[i / 2] = i % 2 ? both[i / 2] | value << 16 : value;
    }
    /* The other half is kept. */
    __device__ __forceinline__ void replace(int i, unsigned value)
    {
        both[i / 2] =
            i % 2 ? (both[i / 2] & 0xffffu) | value << 16 : (both[i / 2] & 0xffff0000u) | value;
    }
    __device__ __forceinline__ unsigned get(int i) const
    {
        return i % 2 ? both[i / 2] >> 16 : both[i / 2] & 0xffffu;
    }
};

#endif
