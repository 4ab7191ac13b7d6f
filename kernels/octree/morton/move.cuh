/* Bodies go to their buckets: a tile is ordered by bucket in shared memory, so that what goes to
 * the same bucket is written together. The order inside a bucket is whatever it happens to be.
 * Blocks stay, for each keeps the table of slots' buckets, and fetch the next tile's keys while
 * they write one. */
#ifndef GB_OCTREE_MORTON_MOVE_CUH
#define GB_OCTREE_MORTON_MOVE_CUH

#include "kernels/octree/morton/sample.cuh"

enum {
    MO_MOVE_THREADS = 1024,
    MO_MOVE_ITEMS = 10,
    MO_MOVE_TILE = MO_MOVE_THREADS * MO_MOVE_ITEMS,
    MO_MOVE_EACH = 5, /* buckets a thread */
    MO_MOST_BUCKETS = MO_MOVE_EACH * MO_MOVE_THREADS
};

/* A block's memory; the table takes what a tree of so many cells needs. */
struct mo_move_block {
    mo_record *staged;   /* MO_MOVE_TILE */
    unsigned *count;     /* buckets: bodies of the tile; then where they begin in it */
    unsigned *next;      /* buckets: 0, to count the next tile in */
    unsigned *to;        /* buckets: where they go, less where they begin */
    uint16_t *slot0;     /* buckets: their first slots */
    uint16_t *target;    /* MO_MOVE_TILE: the bucket of what is staged */
    uint16_t *bucket_of; /* slots */

    __device__ __forceinline__ mo_move_block(const mo_build &b, unsigned char *memory)
    {
        staged = reinterpret_cast<mo_record *>(memory);
        count = reinterpret_cast<unsigned *>(staged + MO_MOVE_TILE);
        next = count + b.buckets;
        to = next + b.buckets;
        slot0 = reinterpret_cast<uint16_t *>(to + b.buckets);
        target = slot0 + b.buckets;
        bucket_of = target + MO_MOVE_TILE;
    }
};

static inline size_t mo_move_bytes(unsigned buckets, unsigned coarse)
{
    return 10 * (size_t)MO_MOVE_TILE + 14 * (size_t)buckets + 2 * (7 * (size_t)coarse + 1);
}

struct mo_tile {
    unsigned key[MO_MOVE_ITEMS];
    uint16_t low[MO_MOVE_ITEMS];
};

static __device__ __forceinline__ void mo_load_tile(const mo_build &b, unsigned first,
                                                    mo_tile *tile)
{
#pragma unroll
    for (int k = 0; k < MO_MOVE_ITEMS; k++) {
        const unsigned i = first + threadIdx.x + k * MO_MOVE_THREADS;
        tile->key[k] = i < b.n ? __ldcs(&b.keys[i]) : 0;
        tile->low[k] = i < b.n ? __ldcs(&b.lows[i]) : (uint16_t)0;
    }
}

/* Counts become where the buckets begin in the tile, and places are taken for them. All threads. */
static __device__ __forceinline__ void mo_take_places(const mo_build &b, const mo_move_block &block,
                                                      unsigned *sums)
{
    const unsigned first = threadIdx.x * MO_MOVE_EACH;
    unsigned count[MO_MOVE_EACH], to[MO_MOVE_EACH], sum = 0, total;
#pragma unroll
    for (int k = 0; k < MO_MOVE_EACH; k++) {
        /* neighbours in memory by neighbours, so that their additions travel together */
        const unsigned bucket = threadIdx.x + k * MO_MOVE_THREADS;
        const unsigned mine = bucket < b.buckets ? block.count[bucket] : 0;
        to[k] = mine ? atomicAdd(&b.bucket_fill[bucket], mine) : 0;
    }
#pragma unroll
    for (int k = 0; k < MO_MOVE_EACH; k++) {
        count[k] = first + k < b.buckets ? block.count[first + k] : 0;
        sum += count[k];
    }
    sum = gb_block_exclusive_sum<MO_MOVE_THREADS>(sum, sums, &total);
#pragma unroll
    for (int k = 0; k < MO_MOVE_EACH; k++) {
        if (first + k < b.buckets) block.count[first + k] = sum;
        sum += count[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < MO_MOVE_EACH; k++) {
        const unsigned bucket = threadIdx.x + k * MO_MOVE_THREADS;
        if (bucket < b.buckets) block.to[bucket] = to[k] - block.count[bucket];
    }
}

static __global__ void __launch_bounds__(MO_MOVE_THREADS, 1) mo_move(mo_build b)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    mo_move_block block(b, gb_shared_memory);
    b.n = mo_told(b.told, b.n);
    if (mo_is_ordered(b)) return;
    const unsigned slots = 7 * b.words->coarse + 1;
    for (unsigned g = threadIdx.x; g < slots; g += MO_MOVE_THREADS)
        block.bucket_of[g] = b.bucket_of[g];
    for (unsigned k = threadIdx.x; k < b.buckets; k += MO_MOVE_THREADS) {
        block.slot0[k] = (uint16_t)b.bucket_slot[k];
        block.count[k] = 0;
    }
    unsigned first = blockIdx.x * MO_MOVE_TILE;
    mo_tile tile;
    unsigned place[MO_MOVE_ITEMS]; /* bucket << 16 | rank */
    if (first < b.n) mo_load_tile(b, first, &tile);
    __syncthreads();
    while (first < b.n) {
        const unsigned valid = b.n - first < MO_MOVE_TILE ? b.n - first : (unsigned)MO_MOVE_TILE;
#pragma unroll
        for (int k = 0; k < MO_MOVE_ITEMS; k++) {
            if (threadIdx.x + k * MO_MOVE_THREADS >= valid) break;
            const unsigned bucket = block.bucket_of[tile.key[k] >> (MO_SUB - MO_LOW)];
            place[k] = bucket << 16 | atomicAdd(&block.count[bucket], 1u);
        }
        __syncthreads();
        mo_take_places(b, block, sums);
#pragma unroll
        for (int k = 0; k < MO_MOVE_ITEMS; k++) {
            const unsigned i = threadIdx.x + k * MO_MOVE_THREADS, bucket = place[k] >> 16;
            if (i >= valid) break;
            const unsigned at = block.count[bucket] + (place[k] & 0xFFFFu);
            const unsigned high =
                tile.key[k] - ((unsigned)block.slot0[bucket] << (MO_SUB - MO_LOW));
            block.staged[at] = mo_record_of(high, tile.low[k], first + i, b.levels);
            block.target[at] = (uint16_t)bucket;
        }
        first += gridDim.x * MO_MOVE_TILE;
        if (first < b.n) mo_load_tile(b, first, &tile);
        for (unsigned k = threadIdx.x; k < b.buckets; k += MO_MOVE_THREADS)
            block.next[k] = 0;
        __syncthreads();
        unsigned *counted = block.count;
        block.count = block.next;
        block.next = counted;
#pragma unroll
        for (int k = 0; k < MO_MOVE_ITEMS; k++) {
            const unsigned i = threadIdx.x + k * MO_MOVE_THREADS;
            if (i >= valid) break;
            b.records[block.to[block.target[i]] + i] = block.staged[i];
        }
        /* no barrier: who is done counts the next tile, and what is staged stays until all have */
    }
}

#endif
