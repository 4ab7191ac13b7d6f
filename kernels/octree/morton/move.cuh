/* Bodies go to their buckets: a tile is ordered by bucket in shared memory, so that what goes to
 * the same bucket is written together. The order inside a bucket is whatever it happens to be.
 * Blocks stay, for each keeps the table of slots' buckets, and fetch the next tile's keys while
 * they write one. */
#ifndef GB_OCTREE_MORTON_MOVE_CUH
#define GB_OCTREE_MORTON_MOVE_CUH

#include "kernels/octree/morton/sample.cuh"

enum {
    MO_MOVE_THREADS = 1024,
    MO_MOVE_ITEMS = 10, /* at most: fewer where a block has less memory */
    MO_MOVE_EACH = 5,   /* buckets a thread */
    MO_MOST_BUCKETS = MO_MOVE_EACH * MO_MOVE_THREADS
};

/* What a block of THREADS keeps in shared memory of its buckets, at most THREADS * EACH. */
template <int BLOCK_THREADS, int EACH_BUCKETS> struct mo_places {
    static const int THREADS = BLOCK_THREADS, EACH = EACH_BUCKETS;

    unsigned buckets;
    unsigned *count; /* buckets: bodies of the tile; then where they begin in it */
    unsigned *next;  /* buckets: 0, to count the next tile in */
    unsigned *to;    /* buckets: where they go, less where they begin */

    __device__ __forceinline__ mo_places(unsigned buckets_, unsigned char *memory)
        : buckets(buckets_), count(reinterpret_cast<unsigned *>(memory)), next(count + buckets_),
          to(next + buckets_)
    {
    }
    static size_t bytes(unsigned buckets) { return 12 * (size_t)buckets; }

    /* Counts become where the buckets begin in the tile, and places are taken for them from fill.
     * All threads. */
    __device__ __forceinline__ void take(unsigned *fill, unsigned *sums) const
    {
        const unsigned first = threadIdx.x * EACH;
        unsigned own[EACH], at[EACH], sum = 0, total;
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            /* neighbours in memory by neighbours, so that their additions travel together */
            const unsigned bucket = threadIdx.x + k * THREADS;
            const unsigned mine = bucket < buckets ? count[bucket] : 0;
            at[k] = mine ? atomicAdd(&fill[bucket], mine) : 0;
        }
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            own[k] = first + k < buckets ? count[first + k] : 0;
            sum += own[k];
        }
        sum = gb_block_exclusive_sum<THREADS>(sum, sums, &total);
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            if (first + k < buckets) count[first + k] = sum;
            sum += own[k];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const unsigned bucket = threadIdx.x + k * THREADS;
            if (bucket < buckets) to[bucket] = at[k] - count[bucket];
        }
    }
    /* Nothing is counted of the next tile yet; a barrier, and swap, must follow. */
    __device__ __forceinline__ void clear_next() const
    {
        for (unsigned k = threadIdx.x; k < buckets; k += THREADS)
            next[k] = 0;
    }
    __device__ __forceinline__ void swap()
    {
        unsigned *counted = count;
        count = next;
        next = counted;
    }
};

typedef mo_places<MO_MOVE_THREADS, MO_MOVE_EACH> mo_move_places;

/* A block's memory; the table takes what a tree of so many cells needs. */
struct mo_move_block {
    mo_record *staged; /* a tile */
    mo_move_places places;
    uint16_t *slot0;     /* buckets: their first slots */
    uint16_t *target;    /* a tile: the bucket of what is staged */
    uint16_t *bucket_of; /* slots */

    __device__ __forceinline__ mo_move_block(const mo_build &b, unsigned tile,
                                             unsigned char *memory)
        : staged(reinterpret_cast<mo_record *>(memory)),
          places(b.buckets, memory + sizeof(mo_record) * tile),
          slot0(reinterpret_cast<uint16_t *>(places.to + b.buckets)), target(slot0 + b.buckets),
          bucket_of(target + tile)
    {
    }
};

static inline size_t mo_move_bytes(unsigned items, unsigned buckets, unsigned coarse)
{
    return 10 * (size_t)MO_MOVE_THREADS * items + mo_move_places::bytes(buckets) +
           2 * (size_t)buckets + 2 * (7 * (size_t)coarse + 1);
}

template <int ITEMS> struct mo_tile {
    unsigned key[ITEMS];
    uint16_t low[ITEMS];

    __device__ __forceinline__ void load(const mo_build &b, unsigned first)
    {
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const unsigned i = first + threadIdx.x + k * MO_MOVE_THREADS;
            key[k] = i < b.n ? __ldcs(&b.keys[i]) : 0;
            low[k] = i < b.n ? __ldcs(&b.lows[i]) : (uint16_t)0;
        }
    }
};

/* What goes to a bucket of slots: records. */
struct mo_to_buckets {
    __device__ __forceinline__ static mo_record stage(const mo_build &b, unsigned slot0,
                                                      unsigned key, unsigned low, unsigned first,
                                                      unsigned place)
    {
        return mo_record_of(key - (slot0 << (MO_SUB - MO_LOW)), low, first + place, b.levels);
    }
    __device__ __forceinline__ static void write(const mo_build &b, unsigned at, mo_record staged,
                                                 unsigned)
    {
        b.records[at] = staged;
    }
};

/* What goes to a region: keys as they are, and the numbers of the bodies. */
struct mo_to_regions {
    __device__ __forceinline__ static mo_record stage(const mo_build &, unsigned, unsigned key,
                                                      unsigned low, unsigned, unsigned place)
    {
        static_assert(MO_MOVE_THREADS * MO_MOVE_ITEMS <= 1 << 16, "a place has 16 bits");
        return (mo_record)key << 32 | low << 16 | place;
    }
    __device__ __forceinline__ static void write(const mo_build &b, unsigned at, mo_record staged,
                                                 unsigned first)
    {
        b.regions.keys[at] = (unsigned)(staged >> 32);
        b.regions.lows[at] = (uint16_t)(staged >> 16);
        b.regions.ids[at] = first + ((unsigned)staged & 0xFFFFu);
    }
};

/* Bodies that are in curve order stay where they are. */
static __device__ __forceinline__ void mo_copy_keys(const mo_build &b)
{
    for (unsigned i = (unsigned)gb_first(); i < b.n; i += (unsigned)gb_stride()) {
        b.regions.keys[i] = b.keys[i];
        b.regions.lows[i] = b.lows[i];
        b.regions.ids[i] = i;
    }
}

template <class To, int ITEMS>
static __global__ void __launch_bounds__(MO_MOVE_THREADS, 1) mo_move(mo_build b)
{
    if (mo_yields(b)) return;
    enum { TILE = MO_MOVE_THREADS * ITEMS };
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    mo_move_block block(b, TILE, gb_shared_memory);
    mo_move_places &places = block.places;
    b.n = mo_told(b.told, b.n);
    if (mo_is_ordered(b)) {
        if (b.regions.count) mo_copy_keys(b);
        return;
    }
    const unsigned slots = 7 * b.words->coarse + 1;
    for (unsigned g = threadIdx.x; g < slots; g += MO_MOVE_THREADS)
        block.bucket_of[g] = b.bucket_of[g];
    for (unsigned k = threadIdx.x; k < b.buckets; k += MO_MOVE_THREADS) {
        block.slot0[k] = (uint16_t)b.bucket_slot[k];
        places.count[k] = 0;
    }
    unsigned first = blockIdx.x * TILE;
    mo_tile<ITEMS> tile;
    unsigned place[ITEMS]; /* bucket << 16 | rank */
    if (first < b.n) tile.load(b, first);
    __syncthreads();
    while (first < b.n) {
        const unsigned from = first;
        const unsigned valid = b.n - first < TILE ? b.n - first : (unsigned)TILE;
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            if (threadIdx.x + k * MO_MOVE_THREADS >= valid) break;
            const unsigned bucket = block.bucket_of[tile.key[k] >> (MO_SUB - MO_LOW)];
            place[k] = bucket << 16 | atomicAdd(&places.count[bucket], 1u);
        }
        __syncthreads();
        places.take(b.bucket_fill, sums);
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const unsigned i = threadIdx.x + k * MO_MOVE_THREADS, bucket = place[k] >> 16;
            if (i >= valid) break;
            const unsigned at = places.count[bucket] + (place[k] & 0xFFFFu);
            block.staged[at] = To::stage(b, block.slot0[bucket], tile.key[k], tile.low[k], from, i);
            block.target[at] = (uint16_t)bucket;
        }
        first += gridDim.x * TILE;
        if (first < b.n) tile.load(b, first);
        places.clear_next();
        __syncthreads();
        places.swap();
#pragma unroll
        for (int k = 0; k < ITEMS; k++) {
            const unsigned i = threadIdx.x + k * MO_MOVE_THREADS;
            if (i >= valid) break;
            To::write(b, places.to[block.target[i]] + i, block.staged[i], from);
        }
        /* no barrier: who is done counts the next tile, and what is staged stays until all have */
    }
}

#endif
