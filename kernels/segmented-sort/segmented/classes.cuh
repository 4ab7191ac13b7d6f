/* Which segments are sorted how: one pass over the offsets makes a list for each class of lengths,
 * on the device, where alone it is known how long they are. */
#ifndef GB_SEGMENTED_SORT_SEGMENTED_CLASSES_CUH
#define GB_SEGMENTED_SORT_SEGMENTED_CLASSES_CUH

#include "common/cuda/warp.cuh"

/* Segments of up to 8, 16 and 32 keys are sorted by a few lanes; up to 1024 by a warp; up to 8192
 * by a block; longer ones by the device, tile by tile. */
enum {
    SG_UP_TO_8,
    SG_UP_TO_16,
    SG_UP_TO_32,
    SG_UP_TO_64,
    SG_UP_TO_128,
    SG_UP_TO_256,
    SG_UP_TO_512,
    SG_UP_TO_1024,
    SG_UP_TO_2048,
    SG_UP_TO_4096,
    SG_UP_TO_8192,
    SG_LISTS, /* with a list */
    SG_LARGE = SG_LISTS,
    SG_FIRST_LIMIT = 8,
    SG_MAX_PASSES = 8
};

/* The most keys that a segment of a class has. Some classes may be left out: then their segments
 * are the next one's (sg_borders). */
static __host__ __device__ __forceinline__ unsigned sg_most_keys(unsigned list)
{
    return (unsigned)SG_FIRST_LIMIT << list;
}

/* A segment: `count` keys from `begin` on. */
struct alignas(8) sg_segment {
    unsigned begin, count;
};

/* In device memory; all 0 before a sort. */
struct sg_counts {
    unsigned listed[SG_LISTS]; /* segments in each list */
    unsigned long long large;  /* large segments, above 32 bits with the tiles that they have */
    unsigned ticket[SG_MAX_PASSES]; /* the next tile of each pass over these */
};

/* The lists, in any order. */
struct sg_lists {
    sg_counts *counts;
    sg_segment *list[SG_LISTS];
    sg_segment *large;    /* in the order of their tiles */
    unsigned *first_tile; /* of each large segment */
};

/* The class of a segment that is not empty. used: a bit for each class with a list. */
__device__ __forceinline__ unsigned sg_class_of(unsigned count, unsigned used)
{
    const unsigned at_least = count <= SG_FIRST_LIMIT ? 0u : GB_WARP - 3 - __clz(count - 1);
    const unsigned usable = at_least < SG_LISTS ? used >> at_least : 0u;
    return usable ? at_least + __ffs(usable) - 1 : (unsigned)SG_LARGE;
}

enum { SG_CLASSIFY_THREADS = 256, SG_CLASSIFY_EACH = 4 };

/* Each block takes SG_CLASSIFY_EACH segments a thread at a time, and room in the lists for all of
 * them together. tile: keys in a tile of large segments. */
static __global__ void __launch_bounds__(SG_CLASSIFY_THREADS)
    sg_classify(const uint32_t *__restrict__ offsets, unsigned segments, unsigned used,
                unsigned tile, sg_lists lists)
{
    enum { GROUP = SG_CLASSIFY_THREADS * SG_CLASSIFY_EACH };
    __shared__ unsigned listed[SG_LISTS];
    __shared__ sg_segment *to[SG_LISTS]; /* where the block's begin */
    sg_segment *own_list = NULL;
#pragma unroll
    for (unsigned l = 0; l < SG_LISTS; l++)
        if (threadIdx.x == l) own_list = lists.list[l];
    for (uint64_t first = (uint64_t)blockIdx.x * GROUP; first < segments;
         first += (uint64_t)gridDim.x * GROUP) {
        sg_segment segment[SG_CLASSIFY_EACH];
        unsigned list[SG_CLASSIFY_EACH], rank[SG_CLASSIFY_EACH];
        if (threadIdx.x < SG_LISTS) listed[threadIdx.x] = 0;
#pragma unroll
        for (int i = 0; i < SG_CLASSIFY_EACH; i++) {
            const uint64_t s = first + threadIdx.x + i * SG_CLASSIFY_THREADS;
            segment[i].begin = s < segments ? offsets[s] : 0;
            segment[i].count = s < segments ? offsets[s + 1] - segment[i].begin : 0;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SG_CLASSIFY_EACH; i++) {
            list[i] = segment[i].count ? sg_class_of(segment[i].count, used) : SG_LARGE + 1u;
            rank[i] = list[i] < SG_LISTS ? atomicAdd(&listed[list[i]], 1u) : 0u;
        }
        __syncthreads();
        if (threadIdx.x < SG_LISTS && listed[threadIdx.x])
            to[threadIdx.x] =
                own_list + atomicAdd(&lists.counts->listed[threadIdx.x], listed[threadIdx.x]);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < SG_CLASSIFY_EACH; i++) {
            if (list[i] < SG_LISTS) to[list[i]][rank[i]] = segment[i];
            if (list[i] != SG_LARGE) continue;
            const unsigned tiles = (segment[i].count - 1) / tile + 1;
            const unsigned long long before = atomicAdd(&lists.counts->large, 1ull << 32 | tiles);
            lists.large[before >> 32] = segment[i];
            lists.first_tile[before >> 32] = (unsigned)before;
        }
        __syncthreads();
    }
}

#endif
