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
    SG_EMPTY,
    SG_FIRST_LIMIT = 8,
    SG_MAX_PASSES = 8
};

/* The most keys that a segment of a class has. Some classes may be left out: then their segments
 * are the next one's (sg_borders). */
static __host__ __device__ __forceinline__ unsigned sg_most_keys(unsigned list)
{
    return (unsigned)SG_FIRST_LIMIT << list;
}

/* Some keys that lie together: those of a segment from `begin` on in the input; or those that a
 * large segment's parting has put there in the scratch, as images (large.cuh). */
struct alignas(8) sg_segment {
    unsigned begin, word;
    static const unsigned PARTED = 1u << 31;
    __device__ __forceinline__ unsigned count() const { return word & (PARTED - 1); }
    __device__ __forceinline__ bool parted() const { return word >= PARTED; }
};

/* In device memory; all 0 before a sort. */
struct sg_counts {
    unsigned listed[SG_LISTS]; /* segments in each list */
    unsigned long long large;  /* large segments, above 32 bits with the tiles that they have */
    unsigned ticket[SG_MAX_PASSES]; /* the next tile of each pass over these */
    unsigned moving[SG_MAX_PASSES]; /* how many tiles a pass moves */
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

/* What a block that adds to the lists needs. */
struct sg_adding {
    unsigned listed[SG_LISTS];
    sg_segment *to[SG_LISTS]; /* where the block's begin */
};

/* Adds a thread's segments, each to the list of that number if there is one. A block makes room for
 * all of its own together. All its threads call it. */
template <int EACH>
__device__ __forceinline__ void sg_add(const sg_lists &lists, const sg_segment (&segment)[EACH],
                                       const unsigned (&list)[EACH], sg_adding &shared)
{
    unsigned rank[EACH];
    sg_segment *own_list = NULL;
#pragma unroll
    for (unsigned l = 0; l < SG_LISTS; l++)
        if (threadIdx.x == l) own_list = lists.list[l];
    if (threadIdx.x < SG_LISTS) shared.listed[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++)
        rank[i] = list[i] < SG_LISTS ? atomicAdd(&shared.listed[list[i]], 1u) : 0u;
    __syncthreads();
    if (threadIdx.x < SG_LISTS && shared.listed[threadIdx.x])
        shared.to[threadIdx.x] =
            own_list + atomicAdd(&lists.counts->listed[threadIdx.x], shared.listed[threadIdx.x]);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++)
        if (list[i] < SG_LISTS) shared.to[list[i]][rank[i]] = segment[i];
    __syncthreads();
}

enum { SG_CLASSIFY_THREADS = 256, SG_CLASSIFY_EACH = 4 };

/* Each block takes SG_CLASSIFY_EACH segments a thread at a time. tile: keys in a tile of large
 * segments. */
static __global__ void __launch_bounds__(SG_CLASSIFY_THREADS)
    sg_classify(const uint32_t *__restrict__ offsets, unsigned segments, unsigned used,
                unsigned tile, sg_lists lists)
{
    enum { GROUP = SG_CLASSIFY_THREADS * SG_CLASSIFY_EACH };
    __shared__ sg_adding adding;
    for (uint64_t first = (uint64_t)blockIdx.x * GROUP; first < segments;
         first += (uint64_t)gridDim.x * GROUP) {
        sg_segment segment[SG_CLASSIFY_EACH];
        unsigned list[SG_CLASSIFY_EACH];
#pragma unroll
        for (int i = 0; i < SG_CLASSIFY_EACH; i++) {
            const uint64_t s = first + threadIdx.x + i * SG_CLASSIFY_THREADS;
            segment[i].begin = s < segments ? offsets[s] : 0;
            segment[i].word = s < segments ? offsets[s + 1] - segment[i].begin : 0;
            list[i] = segment[i].word ? sg_class_of(segment[i].word, used) : (unsigned)SG_EMPTY;
        }
        sg_add(lists, segment, list, adding);
#pragma unroll
        for (int i = 0; i < SG_CLASSIFY_EACH; i++) {
            if (list[i] != SG_LARGE) continue;
            const unsigned tiles = (segment[i].word - 1) / tile + 1;
            const unsigned long long before = atomicAdd(&lists.counts->large, 1ull << 32 | tiles);
            lists.large[before >> 32] = segment[i];
            lists.first_tile[before >> 32] = (unsigned)before;
        }
    }
}

#endif
