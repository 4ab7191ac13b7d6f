/* Digits with a crowd: so many lanes of a warp have them that their additions to one word in shared
 * memory would queue up. */
#ifndef GB_MULTIPARTITION_CROWD_CUH
#define GB_MULTIPARTITION_CROWD_CUH

#include "common/cuda/warp.cuh"

/* Whether a digit with `count` of `total` elements has one, among so many: a twelfth is three of 32
 * lanes. */
static __device__ __forceinline__ bool mp_is_crowd(uint64_t count, uint64_t total, unsigned digits)
{
    return count > total / 12 && count > 2 * (total / digits);
}

/* The two digits with the largest shares go to crowd[0] and [1], in shared memory, if that is much
 * (~0: none, and none of the second where there is none of the first), for one of so many. None has
 * a crowd where one has all: its tiles are of one digit alone. By all threads of a block, each with
 * `count` of `total` elements of a digit, or 0. */
static __device__ __forceinline__ void mp_find_crowd(uint64_t count, uint64_t total, unsigned digit,
                                                     unsigned digits, unsigned *crowd)
{
    const unsigned ALL = 0xfff0; /* of 2^16: a tile has no other digit */
    __shared__ unsigned most[2];
    const bool much = mp_is_crowd(count, total, digits);
    if (threadIdx.x < 2) {
        most[threadIdx.x] = 0;
        crowd[threadIdx.x] = ~0u;
    }
    if (!__syncthreads_or(much)) return;
    const unsigned mine = much ? (unsigned)((float)count / (float)total * 0xffff) << 16 | digit : 0;
    atomicMax(&most[0], mine);
    __syncthreads();
    if (mine != most[0]) atomicMax(&most[1], mine);
    __syncthreads();
    if (threadIdx.x < 2 && most[threadIdx.x] && most[0] >> 16 < ALL)
        crowd[threadIdx.x] = most[threadIdx.x] & 0xffff;
    __syncthreads();
}

#endif
