/* Whether the bodies are such that an insertion (kernels/octree/insert) is faster than what goes by
 * their digits. That was measured for three kinds (README.md), and the sample tells them:
 *   copies    many bodies a position: their digits part nothing
 *   siblings  bodies that lie side by side in memory share a cell of the lowest full level, as
 *             those of a lattice do whose side is a power of two
 *   thin      few octants of a cell are not empty: 2.6 on a line, 3.4 where bodies cluster at every
 *             scale, but 3.9 and more of other clusters, discs, and what fills space */
#ifndef GB_OCTREE_MORTON_CHOOSE_CUH
#define GB_OCTREE_MORTON_CHOOSE_CUH

#include "kernels/octree/morton/morton.h"

enum {
    MO_MANY_COPIES = 6,        /* bodies a position, about, from which an insertion is faster */
    MO_LEAST_PAIRS = 8,        /* of samples that coincide, to judge by */
    MO_MOST_OWNERS = 16 << 10, /* a power of two */
    MO_PAIRS = 1024,           /* of neighbours in memory that are looked at */
    MO_THIN_EIGHTHS = 29       /* octants of a cell that are not empty, in eights: fewer are thin */
};

/* Two samples that coincide meet where a hash of their codes says; who comes later is found there,
 * if nobody else comes after: in three of five cases or so. owner: `owners` words of shared memory,
 * a power of two. All threads. */
static __device__ __forceinline__ bool mo_has_copies(const mo_build &b, unsigned *owner,
                                                     unsigned owners)
{
    const unsigned samples = b.sample < owners ? b.sample : owners;
    unsigned pairs = 0;
    for (unsigned j = threadIdx.x; j < samples; j += blockDim.x)
        atomicExch(&owner[mo_hash(b.codes[j]) & (owners - 1)], j);
    __syncthreads();
    for (unsigned j = threadIdx.x; j < samples; j += blockDim.x) {
        const unsigned long long code = b.codes[j];
        const unsigned met = owner[mo_hash(code) & (owners - 1)];
        pairs += met != j && b.codes[met] == code;
    }
    __syncthreads();
    if (threadIdx.x == 0) owner[0] = 0;
    __syncthreads();
    if (pairs) atomicAdd(&owner[0], pairs);
    __syncthreads();
    pairs = owner[0];
    __syncthreads();
    /* samples^2 / 2 * (copies - 1) / n pairs, of which 3 / 5 are seen */
    return pairs >= MO_LEAST_PAIRS &&
           10ull * pairs * b.n >= 3ull * (MO_MANY_COPIES - 1) * samples * samples;
}

/* Of a sample that is in order; otherwise bodies that are in order are sorted faster, whatever they
 * are. */
static __device__ __forceinline__ bool mo_is_one_place(const mo_build &b)
{
    return b.codes[0] == b.codes[b.sample - 1];
}

/* All threads. */
static __device__ __forceinline__ bool mo_has_siblings(const mo_build &b)
{
    const int level = (31 - __clz((int)b.n)) / 3 - 1; /* of cells with eight bodies or more */
    unsigned looked = 0, share = 0;
    for (unsigned j = threadIdx.x; j < MO_PAIRS && j < b.sample; j += blockDim.x) {
        const unsigned i = mo_sampled(b, j) & ~1u;
        if (i + 1 >= b.n) continue;
        looked++;
        share += oc_common_depth(mo_place(b, b.bodies[i]), mo_place(b, b.bodies[i + 1])) >= level;
    }
    /* a thread has one pair at most: blockDim.x is MO_PAIRS or more */
    const unsigned all = (unsigned)__syncthreads_count(looked),
                   sharing = (unsigned)__syncthreads_count(share);
    return all >= MO_PAIRS / 2 && sharing >= all - all / 20;
}

/* Whether the sample's tree is thin: of its cells those with one octant alone, which lead down to
 * where bodies cluster, do not count. slots: 8 * cells, 0 where an octant is empty; counts: 2
 * words. All threads. */
static __device__ __forceinline__ bool mo_is_thin(const uint16_t *slots, unsigned cells,
                                                  unsigned *counts)
{
    unsigned full = 0, forks = 0;
    for (unsigned cell = threadIdx.x; cell < cells; cell += blockDim.x) {
        unsigned octants = 0;
        for (unsigned d = 0; d < OC_SLOTS; d++)
            octants += slots[OC_SLOTS * cell + d] != 0;
        if (octants < 2) continue;
        forks++;
        full += octants;
    }
    if (threadIdx.x < 2) counts[threadIdx.x] = 0;
    __syncthreads();
    if (forks) {
        atomicAdd(&counts[0], full);
        atomicAdd(&counts[1], forks);
    }
    __syncthreads();
    return 8 * counts[0] < MO_THIN_EIGHTHS * counts[1];
}

#endif
