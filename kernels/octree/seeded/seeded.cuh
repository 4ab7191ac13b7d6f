/* The tree of up to some hundred thousand bodies without anybody waiting for anybody, in four
 * launches:
 *
 *   sow   one block makes the tree of some of the bodies, the seeds: each of its cells is one of
 *         the tree that is built
 *   fill  every body goes to the slot of that tree in which it lies
 *   grow  a block a slot makes the tree of those, which hangs there
 *   late  what found no room in its slot, or is parted by the last digits alone, is inserted
 *
 * A slot has room for OS_ROOM bodies, ten times and more what it has on average; how many lie there
 * is decided by chance alone, unless they coincide. The seeds also tell whether an insertion of all
 * bodies would be faster: if so, there is nothing to do for fill and grow. */
#ifndef GB_OCTREE_SEEDED_SEEDED_CUH
#define GB_OCTREE_SEEDED_SEEDED_CUH

#include "kernels/octree/insert/warp.cuh"
#include "kernels/octree/sampled.h"
#include "kernels/octree/seeded/keys.cuh"

enum {
    OS_ROOM = 512, /* bodies that a slot has room for, */
    OS_FEW = 64,   /* and that are a warp's work */
    OS_MOST_SEEDS = 1024,
    OS_FILL_THREADS = 256,
    OS_GROW_THREADS = 256,
    OS_GROW_BLOCKS = 5,  /* a multiprocessor; */
    OS_FOR_CROWDED = 2,  /* of so many one is for slots with more than OS_FEW bodies */
    OS_CLEAR_BLOCKS = 8, /* of those that sow */
    OS_APART = 8         /* words from a counter to the next one: a sector each */
};
/* Where a sample asks for an insertion: of a line there are 1.5 cells a seed, of what fills a plane
 * or space or clusters there up to 0.8, and 1.04 of clusters of clusters. */
enum { OS_THIN_EIGHTHS = 10, OS_MOST_COPIES = 2 };

/* Cells of the tree of so many seeds, at most: as many seeds are taken as have no more. */
static __host__ __device__ constexpr unsigned os_cells(unsigned seeds)
{
    return seeds / 8 * 7;
}

typedef struct os_words {
    unsigned cells;   /* of the seeds' tree */
    unsigned crowded; /* slots with more than OS_FEW bodies */
    unsigned yields;  /* whether all bodies are inserted */
    unsigned fill[29];
} os_words;

/* Device memory beside the tree; cells: os_cells(seeds). */
typedef struct os_build {
    oc_insert tree;
    unsigned seeds;   /* 256, 512 or OS_MOST_SEEDS */
    bool thin_yields; /* whether bodies on a line are inserted */
    os_words *words;
    unsigned *depth;   /* cells: of each of them */
    unsigned *count;   /* 8 cells * OS_APART: bodies that came to each slot */
    uint32_t *crowded; /* 8 cells: the slots with more than OS_FEW bodies */
    uint32_t *body;    /* 8 cells * OS_ROOM: the first bodies of each */
    uint32_t *late;    /* a bit a body */
} os_build;

/* Threads of a warp ask in the order of their bodies. */
static __device__ __forceinline__ bool os_is_behind(os_key key)
{
    const os_key before = __shfl_up_sync(GB_FULL_MASK, key, 1);
    return gb_lane() && key < before;
}

/* The first block has the seeds, the others clear what is counted in, and the bodies' lists. */
template <unsigned SEEDS> static __global__ void __launch_bounds__(SEEDS) os_sow(os_build b)
{
    constexpr unsigned MOST = os_cells(SEEDS);
    __shared__ os_bed<SEEDS> bed;
    const oc_insert &t = b.tree;
    const unsigned i = threadIdx.x;
    gb_begin_next();
    if (blockIdx.x) {
        const unsigned from = (blockIdx.x - 1) * SEEDS + i, stride = (gridDim.x - 1) * SEEDS;
        for (unsigned k = from; k < MOST * OC_SLOTS; k += stride)
            b.count[k * OS_APART] = 0;
        for (unsigned k = from; k < (t.n + 3) / 4; k += stride)
            reinterpret_cast<uint4 *>(t.next)[k] =
                make_uint4(OC_EMPTY, OC_EMPTY, OC_EMPTY, OC_EMPTY);
        return;
    }
    os_tree<os_block<SEEDS>, SEEDS> seeds(bed, t.n < SEEDS ? t.n : SEEDS);
    os_key key = OS_NONE;
    if (i < seeds.count) {
        const uint64_t body = t.n < SEEDS ? i : oc_sampled(t.n, SEEDS, i);
        key = os_key_of(oc_place_of(t, __ldg(&t.bodies[body])), 0, i);
    }
    bool yields = !__syncthreads_or(os_is_behind(key));
    if (yields)
        seeds.count = 0; /* bodies in order are inserted faster */
    else
        seeds.sort([&](unsigned) { return key; });
    const unsigned asked = seeds.count;
    const auto left_out = [](unsigned, unsigned) {};
    unsigned cells = seeds.number(left_out);
    yields = yields || OS_MOST_COPIES * seeds.count < asked ||
             (b.thin_yields && 8 * cells > OS_THIN_EIGHTHS * seeds.count);
    if (cells > MOST) {
        bool fits = false;
        if (i < seeds.count) {
            const os_body mine = seeds.body(i);
            fits = seeds.origin()[i] + 1 + max(mine.left, mine.reach) <= (int)MOST;
        }
        seeds.count = (unsigned)__syncthreads_count(fits);
        cells = seeds.number(left_out);
    }
    const auto told = [&](unsigned cell, int depth) { b.depth[cell] = (unsigned)depth; };
    seeds.plant(cells, 0, t.slot, told, [](unsigned) { return OC_EMPTY; });
    if (!cells) { /* the root, which is always there */
        if (i < OC_SLOTS) t.slot[i] = OC_EMPTY;
        if (i == 0) told(0, 0);
        cells = 1;
    }
    if (i == 0) {
        b.words->cells = cells;
        b.words->crowded = 0;
        b.words->yields = yields;
        t.words->cells = cells;
        t.words->trouble = 0;
    }
}

/* Threads of a warp have bodies that lie side by side. */
static __global__ void __launch_bounds__(OS_FILL_THREADS) os_fill(os_build b)
{
    __shared__ uint4 top[2 * os_cells(OS_MOST_SEEDS)];
    const oc_insert &t = b.tree;
    const unsigned lane = gb_lane();
    const uint4 *in = reinterpret_cast<const uint4 *>(t.slot);
    uint64_t i = gb_first();
    oc_place place = {0, 0, 0};
    if (i < t.n) place = oc_place_of(t, __ldg(&t.bodies[i]));
    gb_wait_for_previous();
    const unsigned words = 2 * b.words->cells;
    if (b.words->yields) return;
    for (unsigned k = threadIdx.x; k < 2 * OS_FILL_THREADS; k += OS_FILL_THREADS)
        top[k] = in[k]; /* while it is asked how many there are */
    for (unsigned k = threadIdx.x + 2 * OS_FILL_THREADS; k < words; k += OS_FILL_THREADS)
        top[k] = in[k];
    __syncthreads();
    const uint32_t *slot = reinterpret_cast<const uint32_t *>(top);
    while (i - lane < t.n) {
        bool late = false;
        if (i < t.n) {
            unsigned at = oc_digit(place, 0);
            for (int depth = 1; oc_is_cell(slot[at]); depth++)
                at = (slot[at] & ~OC_CELL) * OC_SLOTS + oc_digit(place, depth);
            const unsigned rank = atomicAdd(&b.count[at * OS_APART], 1u);
            late = rank >= OS_ROOM;
            if (!late) b.body[(uint64_t)at * OS_ROOM + rank] = (uint32_t)i;
            if (rank == OS_FEW) b.crowded[atomicAdd(&b.words->crowded, 1u)] = at;
        }
        const unsigned all = __ballot_sync(GB_FULL_MASK, late);
        if (lane == 0) b.late[i / GB_WARP] = all;
        i += gb_stride();
        if (i < t.n) place = oc_place_of(t, __ldg(&t.bodies[i]));
    }
}

/* ---- grow ------------------------------------------------------------------------------------ */

/* The body has the key of another one, which is in the tree. */
static __device__ __forceinline__ void os_twin(const os_build &b, uint32_t body, uint32_t first)
{
    const oc_insert &t = b.tree;
    if (oc_common_depth(oc_place_of(t, __ldg(&t.bodies[body])),
                        oc_place_of(t, __ldg(&t.bodies[first]))) == OC_DEPTH)
        oc_join(t, first, body);
    else
        atomicOr(&b.late[body / 32], 1u << body % 32);
}

/* By one thread: cells for slot k, or its only body. Returns the first cell, or OC_EMPTY. */
static __device__ __forceinline__ unsigned os_take(const oc_insert &t, unsigned k, unsigned cells,
                                                   uint32_t body)
{
    const unsigned first = cells ? atomicAdd(&t.words->cells, cells) : 0;
    if (first + (uint64_t)cells > t.pool) {
        oc_pool_is_empty(t);
        return OC_EMPTY;
    }
    t.slot[k] = cells ? OC_CELL | first : body;
    return first;
}

/* The tree of what came to slot k. All threads of the group; what they do next in the same shared
 * memory is behind a barrier. */
template <class Group, unsigned ROOM>
static __device__ __forceinline__ void os_grow_slot(const os_build &b, os_bed<ROOM> &bed,
                                                    unsigned k, unsigned count)
{
    const oc_insert &t = b.tree;
    const int depth = (int)b.depth[k / OC_SLOTS] + 1;
    const uint32_t *body = &b.body[(uint64_t)k * OS_ROOM];
    os_tree<Group, ROOM> keys(bed, count < ROOM ? count : ROOM);
    keys.sort(
        [&](unsigned i) { return os_key_of(oc_place_of(t, __ldg(&t.bodies[body[i]])), depth, i); });
    const unsigned cells =
        keys.number([&](unsigned twin, unsigned first) { os_twin(b, body[twin], body[first]); });
    if (Group::thread() == 0) bed.word = os_take(t, k, cells, body[os_number(keys.now[0])]);
    Group::sync();
    if (cells && bed.word != OC_EMPTY)
        keys.plant(
            cells, bed.word, t.slot, [](unsigned, int) {}, [&](unsigned i) { return body[i]; });
    Group::sync();
}

/* Turing holds 1024 threads a multiprocessor. */
static __global__ void __launch_bounds__(OS_GROW_THREADS,
                                         GB_ARCH == 750 ? 1024 / OS_GROW_THREADS : OS_GROW_BLOCKS)
    os_grow(os_build b)
{
    __shared__ union {
        os_bed<OS_ROOM> block;
        os_bed<OS_FEW> warp[OS_GROW_THREADS / GB_WARP];
    } bed;
    gb_wait_for_previous();
    if (b.words->yields) return;
    const unsigned blocks = gridDim.x / OS_FOR_CROWDED, warps = OS_GROW_THREADS / GB_WARP;
    if (blockIdx.x < blocks) {
        const unsigned first = b.crowded[blockIdx.x]; /* while it is asked how many there are */
        const unsigned slots = b.words->crowded;
        for (unsigned j = blockIdx.x; j < slots; j += blocks) {
            const unsigned k = j == blockIdx.x ? first : b.crowded[j];
            os_grow_slot<os_block<OS_GROW_THREADS>>(b, bed.block, k, b.count[k * OS_APART]);
        }
        return;
    }
    const unsigned slots = b.words->cells * OC_SLOTS;
    for (unsigned k = (blockIdx.x - blocks) * warps + threadIdx.x / GB_WARP; k < slots;
         k += (gridDim.x - blocks) * warps) {
        const unsigned count = b.count[k * OS_APART];
        if (count && count <= OS_FEW)
            os_grow_slot<os_warp>(b, bed.warp[threadIdx.x / GB_WARP], k, count);
    }
}

#endif
