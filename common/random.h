/* Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random
 * numbers: as easy as 1, 2, 3"). Element i depends on the seed and i alone, so the CPU and the GPU
 * make identical data in parallel and any slice can be made again. */
#ifndef GB_RANDOM_H
#define GB_RANDOM_H

#include <stdint.h>

#if defined(__CUDACC__)
#define GB_RANDOM_FN static __host__ __device__ __forceinline__
#else
#define GB_RANDOM_FN static inline
#endif

typedef struct gb_random4 {
    uint32_t word[4];
} gb_random4;

/* Four independent words for (seed, stream, index). */
GB_RANDOM_FN gb_random4 gb_random(uint64_t seed, uint32_t stream, uint64_t index)
{
    uint32_t c0 = (uint32_t)index, c1 = (uint32_t)(index >> 32), c2 = stream, c3 = 0;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c0, p1 = (uint64_t)0xCD9E8D57u * c2;
        uint32_t h0 = (uint32_t)(p0 >> 32), h1 = (uint32_t)(p1 >> 32);
        c0 = h1 ^ c1 ^ k0;
        c2 = h0 ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    gb_random4 result = {{c0, c1, c2, c3}};
    return result;
}

/* A 64-bit mixer (SplitMix64's finaliser; Steele, Lea, Flood 2014) for multiset hashes. */
GB_RANDOM_FN uint64_t gb_mix64(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9ull;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

#endif
