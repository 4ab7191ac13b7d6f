/* Regions: a sample of each one's bodies, which lie together by now, is sorted into trees below the
 * slots of the top, a block a region; bodies walk them, are counted by their slots, and go to the
 * region's buckets. Blocks take tiles that follow each other, so that a region's trees are fetched
 * by few of them. */
#ifndef GB_OCTREE_MORTON_REGIONS_CUH
#define GB_OCTREE_MORTON_REGIONS_CUH

#include "kernels/octree/morton/keys.cuh"
#include "kernels/octree/morton/mend.cuh"
#include "kernels/octree/morton/move.cuh"

enum {
    MO_MOST_REGIONS = 2048,
    MO_REGION_BUCKETS = 256, /* at most */
    MO_REGION_CELLS = 3 * MO_REGION_BUCKETS / 2 + 8,
    MO_REGION_SAMPLE = 12 * MO_REGION_BUCKETS,
    MO_PLANT_THREADS = 512,
    MO_PLANT_EACH = MO_REGION_SAMPLE / MO_PLANT_THREADS,
    MO_TILES_THREADS = 1024,
    MO_COUNT_THREADS = 512,
    MO_SPREAD_THREADS = 512,
    MO_SPREAD_ITEMS = 8,
    MO_SPREAD_BLOCKS = 2, /* a multiprocessor */
    MO_SPREAD_TILE = MO_SPREAD_THREADS * MO_SPREAD_ITEMS
};
#define MO_BRANCH 0x80000000u /* | a cell of the region */

/* ---- the trees ------------------------------------------------------------------------------- */

/* What a block keeps in shared memory; sizes: mo_plant_bytes. */
struct mo_plant_block {
    /* 8 * cells, and behind them a word for each of the region's slots of the top: samples in it,
     * or MO_BRANCH | the cell that it became */
    uint32_t *holds;
    uint32_t *size;   /* cells: of each one's subtree */
    uint32_t *first;  /* cells: the number of the first slot below it */
    uint32_t *parent; /* cells: which of `holds` it is in */
    uint32_t *depth;  /* cells */
    unsigned roots;   /* where the region's slots begin in holds */

    __device__ __forceinline__ mo_plant_block(const mo_regions &g, unsigned char *memory)
        : holds(reinterpret_cast<uint32_t *>(memory) + 4 * g.cells), size(holds - 4 * g.cells),
          first(size + g.cells), parent(first + g.cells), depth(parent + g.cells),
          roots(8 * g.cells)
    {
    }
};

static inline size_t mo_plant_bytes(unsigned cells, unsigned coarse)
{
    return 4 * ((8 + 4) * (size_t)cells + 7 * (size_t)coarse + 1);
}

/* A key's slot of the top, and its next ten digits, the first one on top; its lower bits are known
 * from the 15th on only if low is. */
static __device__ __forceinline__ unsigned mo_key_slot(unsigned high)
{
    return high >> (MO_SUB - MO_LOW);
}
static __device__ __forceinline__ unsigned mo_key_word(unsigned high, unsigned low)
{
    return high << (32 - (MO_SUB - MO_LOW)) | low >> 1;
}

/* Cuts one of `holds`, if it has too many samples: a cell of some depth comes there. */
static __device__ __forceinline__ void mo_branch(const mo_regions &g, const mo_plant_block &s,
                                                 unsigned at, unsigned depth, unsigned *cells)
{
    if (s.holds[at] <= g.split || depth >= MO_DEEPEST) return;
    const unsigned cell = atomicAdd(cells, 1u);
    if (cell >= g.cells) return;
    for (int k = 0; k < OC_SLOTS; k++)
        s.holds[8 * cell + k] = 0;
    s.size[cell] = 1;
    s.parent[cell] = at;
    s.depth[cell] = depth;
    s.holds[at] = MO_BRANCH | cell;
}

/* A thread's samples: their next ten digits, and which of `holds` they are in, or MO_BRANCH. */
struct mo_drawn {
    unsigned word[MO_PLANT_EACH], where[MO_PLANT_EACH];

    __device__ __forceinline__ mo_drawn(const mo_regions &g, const mo_region &r,
                                        const mo_plant_block &s)
    {
        const unsigned samples = r.count < g.sample ? r.count : g.sample;
#pragma unroll
        for (int k = 0; k < MO_PLANT_EACH; k++) {
            const unsigned j = threadIdx.x + k * MO_PLANT_THREADS;
            where[k] = MO_BRANCH;
            if (j >= samples) continue;
            const unsigned i = r.begin + (unsigned)oc_sampled(r.count, samples, j),
                           high = g.keys[i];
            word[k] = mo_key_word(high, g.lows[i]);
            where[k] = s.roots + mo_key_slot(high) - r.slot0;
        }
    }
    __device__ __forceinline__ void add(const mo_plant_block &s) const
    {
#pragma unroll
        for (int k = 0; k < MO_PLANT_EACH; k++)
            if (where[k] != MO_BRANCH) atomicAdd(&s.holds[where[k]], 1u);
    }
    /* Who is in a slot that was cut goes down; the others are done. */
    __device__ __forceinline__ void descend(const mo_plant_block &s)
    {
#pragma unroll
        for (int k = 0; k < MO_PLANT_EACH; k++) {
            if (where[k] == MO_BRANCH) continue;
            const unsigned holds = s.holds[where[k]];
            where[k] = holds & MO_BRANCH ? 8 * (holds & ~MO_BRANCH) + (word[k] >> 29) : MO_BRANCH;
            word[k] <<= 3;
        }
    }
};

/* Cuts level by level; gives the number of levels. level: where each one's cells begin. */
static __device__ __forceinline__ int mo_grow(const mo_build &b, const mo_region &r,
                                              const mo_plant_block &s, unsigned *cells,
                                              unsigned *level)
{
    const mo_regions &g = b.regions;
    mo_drawn mine(g, r, s);
    mine.add(s);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < r.slots; k += MO_PLANT_THREADS)
        mo_branch(g, s, s.roots + k, g.top_slots[r.slot0 + k].depth, cells);
    for (int l = 0;; l++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            if (*cells > g.cells) *cells = g.cells;
            level[l + 1] = *cells;
        }
        __syncthreads();
        if (level[l + 1] == level[l] || l == MO_FOREST_LEVELS) return l;
        mine.descend(s);
        __syncthreads(); /* a branch is none of the counts */
        mine.add(s);
        __syncthreads();
        for (unsigned at = 8 * level[l] + threadIdx.x; at < 8 * level[l + 1];
             at += MO_PLANT_THREADS)
            if (l + 1 < MO_FOREST_LEVELS) mo_branch(g, s, at, s.depth[at / 8] + 1, cells);
    }
}

static __device__ __forceinline__ unsigned mo_width(const mo_plant_block &s, unsigned holds)
{
    return holds & MO_BRANCH ? 7 * s.size[holds & ~MO_BRANCH] + 1 : 1;
}

/* Numbers what the region's slots of the top have become, and notes it. By a block. */
static __device__ __forceinline__ void mo_number_roots(const mo_build &b, const mo_region &r,
                                                       const mo_plant_block &s, uint32_t cell0,
                                                       unsigned *sums)
{
    const mo_regions &g = b.regions;
    const unsigned each = (r.slots + MO_PLANT_THREADS - 1) / MO_PLANT_THREADS;
    const unsigned begin = threadIdx.x * each < r.slots ? threadIdx.x * each : r.slots;
    const unsigned end = begin + each < r.slots ? begin + each : r.slots;
    unsigned number = 0, total;
    for (unsigned k = begin; k < end; k++)
        number += mo_width(s, s.holds[s.roots + k]);
    number = gb_block_exclusive_sum<MO_PLANT_THREADS>(number, sums, &total);
    for (unsigned k = begin; k < end; k++) {
        const unsigned holds = s.holds[s.roots + k], cell = holds & ~MO_BRANCH;
        const mo_slot top = g.top_slots[r.slot0 + k];
        if (holds & MO_BRANCH) {
            s.first[cell] = number;
            g.root[r.slot0 + k] = (uint16_t)cell;
            b.slot[top.at] = OC_CELL | (cell0 + cell);
        } else {
            g.root[r.slot0 + k] = (uint16_t)(MO_CELLS + number);
            b.slots[r.base + number] = top;
        }
        number += mo_width(s, holds);
    }
}

/* Writes a cell down, and numbers the slots in it. */
static __device__ __forceinline__ void mo_write_plant(const mo_build &b, const mo_region &r,
                                                      const mo_plant_block &s, unsigned cell,
                                                      uint32_t cell0)
{
    const mo_regions &g = b.regions;
    uint16_t *tree = g.tree + 8ull * g.cells * blockIdx.x;
    const uint64_t own = (uint64_t)g.cells * blockIdx.x + cell;
    const unsigned parent = s.parent[cell];
    unsigned number = s.first[cell];
    b.spans[own] = mo_span{r.base + number, 7 * s.size[cell] + 1};
    b.parent[own] =
        parent < s.roots ? 8 * cell0 + parent : g.top_slots[r.slot0 + parent - s.roots].at;
    for (unsigned octant = 0; octant < OC_SLOTS; octant++) {
        const unsigned holds = s.holds[8 * cell + octant], below = holds & ~MO_BRANCH;
        const uint32_t at = 8 * (cell0 + cell) + octant;
        if (holds & MO_BRANCH) {
            s.first[below] = number;
            tree[8 * cell + octant] = (uint16_t)below;
            b.slot[at] = OC_CELL | (cell0 + below);
        } else {
            tree[8 * cell + octant] = (uint16_t)(MO_CELLS + number);
            b.slot[at] = OC_EMPTY;
            b.slots[r.base + number] = mo_slot{at, s.depth[cell] + 1};
        }
        number += mo_width(s, holds);
    }
}

/* A block a region: its trees, and nothing counted in their slots. */
static __global__ void __launch_bounds__(MO_PLANT_THREADS) mo_plant(mo_build b)
{
    if (mo_yields(b)) return;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned cells, cell0, level[MO_FOREST_LEVELS + 2], sums[GB_WARP + 1];
    const mo_regions &g = b.regions;
    const mo_region r = mo_region_of(g, blockIdx.x);
    const mo_plant_block s(g, gb_shared_memory);
    for (unsigned k = threadIdx.x; k < r.slots; k += MO_PLANT_THREADS)
        s.holds[s.roots + k] = 0;
    if (threadIdx.x == 0) cells = level[0] = 0;
    __syncthreads();
    const int levels = mo_grow(b, r, s, &cells, level);
    for (int l = levels - 1; l > 0; l--) {
        for (unsigned c = level[l] + threadIdx.x; c < level[l + 1]; c += MO_PLANT_THREADS)
            atomicAdd(&s.size[s.parent[c] / 8], s.size[c]);
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        cell0 = atomicAdd(&b.words->cells, cells);
        if ((uint64_t)cell0 + cells > b.pool) atomicOr(&b.words->trouble, (unsigned)OC_POOL_EMPTY);
        g.cell[blockIdx.x] = cell0;
        g.has[blockIdx.x] = cells;
    }
    for (uint64_t k = threadIdx.x; k <= r.slots + 7ull * cells; k += MO_PLANT_THREADS)
        b.counts[r.base + k] = 0;
    __syncthreads();
    const bool room = (uint64_t)cell0 + cells <= b.pool;
    mo_number_roots(b, r, s, room ? cell0 : 0, sums);
    for (int l = 0; l < levels; l++) {
        __syncthreads();
        for (unsigned c = level[l] + threadIdx.x; c < level[l + 1]; c += MO_PLANT_THREADS)
            mo_write_plant(b, r, s, c, room ? cell0 : 0);
    }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* One block: how many tiles all regions before have. */
static __global__ void __launch_bounds__(MO_TILES_THREADS) mo_count_tiles(mo_build b)
{
    if (mo_yields(b)) return;
    __shared__ unsigned sums[GB_WARP + 1];
    const mo_regions &g = b.regions;
    unsigned before = 0, total;
    for (unsigned from = 0; from < g.count; from += MO_TILES_THREADS) {
        const unsigned k = from + threadIdx.x;
        const unsigned bodies = k < g.count ? mo_region_of(g, k).count : 0;
        const unsigned mine = gb_block_exclusive_sum<MO_TILES_THREADS>(
            (bodies + MO_SPREAD_TILE - 1) / MO_SPREAD_TILE, sums, &total);
        if (k < g.count) g.tiles[k] = before + mine;
        before += total;
    }
    if (threadIdx.x == 0) g.tiles[g.count] = before;
}

/* The tiles of a block, [tile, end), and the region of the first one. */
struct mo_share {
    unsigned tile, end, region;

    __device__ __forceinline__ explicit mo_share(const mo_regions &g)
    {
        const uint64_t all = g.tiles[g.count];
        tile = (unsigned)(all * blockIdx.x / gridDim.x);
        end = (unsigned)(all * (blockIdx.x + 1) / gridDim.x);
        unsigned low = 0, high = g.count;
        while (high - low > 1) {
            const unsigned middle = low + (high - low) / 2;
            if (g.tiles[middle] <= tile)
                low = middle;
            else
                high = middle;
        }
        region = low;
    }
};

/* Where a key ends in its region's trees: the number of the slot, how many digits led there from
 * the top, and those behind. */
struct mo_path {
    unsigned slot, digits, rest;

    __device__ __forceinline__ mo_path(const mo_regions &g, const uint16_t *tree, unsigned high,
                                       unsigned low)
        : digits(0), rest(mo_key_word(high, low))
    {
        unsigned holds = g.root[mo_key_slot(high)];
        while (holds < MO_CELLS) {
            holds = tree[8 * holds + (rest >> 29)];
            rest <<= 3;
            digits++;
        }
        slot = holds - MO_CELLS;
    }
};

template <int THREADS>
static __device__ __forceinline__ void mo_fetch_tree(const mo_regions &g, unsigned region,
                                                     uint16_t *tree)
{
    const unsigned cells = g.has[region];
    const uint4 *from = reinterpret_cast<const uint4 *>(g.tree + 8ull * g.cells * region);
    for (unsigned k = threadIdx.x; k < cells; k += THREADS)
        reinterpret_cast<uint4 *>(tree)[k] = from[k];
}

static inline size_t mo_count_bytes(unsigned cells, unsigned coarse)
{
    return 16 * (size_t)cells + 4 * (7 * ((size_t)cells + coarse) + 1);
}

/* Counts bodies by their slots. */
static __global__ void __launch_bounds__(MO_COUNT_THREADS) mo_count(mo_build b)
{
    if (mo_yields(b)) return;
    GB_DYNAMIC_SHARED();
    const mo_regions &g = b.regions;
    uint16_t *tree = reinterpret_cast<uint16_t *>(gb_shared_memory);
    unsigned *counts = reinterpret_cast<unsigned *>(tree + 8 * (size_t)g.cells);
    mo_share share(g);
    for (; share.tile < share.end; share.region++) {
        const mo_region r = mo_region_of(g, share.region);
        const unsigned slots = r.slots + 7 * g.has[share.region], before = g.tiles[share.region],
                       last = g.tiles[share.region + 1];
        const unsigned end = last < share.end ? last : share.end;
        if (share.tile >= end) continue; /* an empty region */
        mo_fetch_tree<MO_COUNT_THREADS>(g, share.region, tree);
        for (unsigned k = threadIdx.x; k < slots; k += MO_COUNT_THREADS)
            counts[k] = 0;
        __syncthreads();
        unsigned to = (end - before) * MO_SPREAD_TILE;
        if (to > r.count) to = r.count;
        for (unsigned i = (share.tile - before) * MO_SPREAD_TILE + threadIdx.x; i < to;
             i += MO_COUNT_THREADS) {
            const unsigned high = __ldcs(&g.keys[r.begin + i]), low = __ldcs(&g.lows[r.begin + i]);
            atomicAdd(&counts[mo_path(g, tree, high, low).slot], 1u);
        }
        __syncthreads();
        for (unsigned k = threadIdx.x; k < slots; k += MO_COUNT_THREADS)
            if (counts[k]) atomicAdd(&b.counts[r.base + k], counts[k]);
        __syncthreads();
        share.tile = end;
    }
}

static inline size_t mo_group_region_bytes(unsigned cells, unsigned coarse)
{
    return 4 * (7 * ((size_t)cells + coarse) + 2);
}

/* A block a region: its slots become buckets. */
static __global__ void __launch_bounds__(MO_PLANT_THREADS) mo_group_region(mo_build b)
{
    if (mo_yields(b)) return;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    const mo_regions &g = b.regions;
    const mo_region r = mo_region_of(g, blockIdx.x);
    mo_grouping own;
    own.counts = b.counts + r.base;
    own.slots = r.slots + 7 * g.has[blockIdx.x];
    own.begin = r.begin;
    own.buckets = g.buckets;
    own.bucket_of = b.bucket_of + r.base;
    own.bucket_slot = b.bucket_slot + (g.buckets + 1ull) * blockIdx.x;
    own.slot0 = r.base;
    own.bucket_fill = b.bucket_fill + (uint64_t)g.buckets * blockIdx.x;
    mo_group_slots<MO_PLANT_THREADS>(own, reinterpret_cast<unsigned *>(gb_shared_memory), sums);
}

/* ---- to buckets ------------------------------------------------------------------------------ */

typedef mo_places<MO_SPREAD_THREADS, 1> mo_spread_places;
static_assert(MO_REGION_BUCKETS <= MO_SPREAD_THREADS && MO_REGION_BUCKETS <= 256,
              "a thread has a bucket, whose number has 8 bits");

/* What a block keeps in shared memory; sizes: mo_spread_bytes. */
struct mo_spread_block {
    mo_record *staged; /* MO_SPREAD_TILE */
    uint16_t *tree;    /* 8 * cells */
    mo_spread_places places;
    unsigned *slot0;    /* buckets: their first slots, counted from the region's first */
    uint8_t *target;    /* MO_SPREAD_TILE: the bucket of what is staged */
    uint8_t *bucket_of; /* the region's slots */

    __device__ __forceinline__ mo_spread_block(const mo_regions &g, unsigned char *memory)
        : staged(reinterpret_cast<mo_record *>(memory)),
          tree(reinterpret_cast<uint16_t *>(staged + MO_SPREAD_TILE)),
          places(g.buckets, reinterpret_cast<unsigned char *>(tree + 8 * (size_t)g.cells)),
          slot0(places.to + g.buckets), target(reinterpret_cast<uint8_t *>(slot0 + g.buckets)),
          bucket_of(target + MO_SPREAD_TILE)
    {
    }
};

static inline size_t mo_spread_bytes(unsigned buckets, unsigned cells, unsigned coarse)
{
    return 9 * (size_t)MO_SPREAD_TILE + 16 * (size_t)cells + mo_spread_places::bytes(buckets) +
           4 * (size_t)buckets + 7 * ((size_t)cells + coarse) + 1;
}

/* A tile's bodies as they lie in their region. */
struct mo_spread_tile {
    unsigned high[MO_SPREAD_ITEMS], low[MO_SPREAD_ITEMS], id[MO_SPREAD_ITEMS];

    __device__ __forceinline__ void load(const mo_regions &g, unsigned first, unsigned valid)
    {
#pragma unroll
        for (int k = 0; k < MO_SPREAD_ITEMS; k++) {
            const unsigned i = threadIdx.x + k * MO_SPREAD_THREADS, at = first + i;
            high[k] = i < valid ? __ldcs(&g.keys[at]) : 0;
            low[k] = i < valid ? __ldcs(&g.lows[at]) : 0;
            id[k] = i < valid ? __ldcs(&g.ids[at]) : 0;
        }
    }
};

/* The record of a body whose slot is at that place of its bucket. Where the key ends too soon the
 * body's place goes on. */
static __device__ __forceinline__ mo_record mo_region_record(const mo_build &b, const mo_path &path,
                                                             unsigned place, unsigned slot,
                                                             unsigned low, unsigned id)
{
    enum { BITS = 3 * MO_REGION_LEVELS, ENOUGH = MO_LEVELS - MO_REGION_LEVELS };
    unsigned word = path.rest;
    if (path.digits) word |= (low & 1u) << (3 * path.digits - 1); /* the 33rd bit of the key */
    if (path.digits > ENOUGH) {
        const oc_place at = mo_place(b, b.bodies[id]);
        const unsigned up = 32 - OC_DEPTH + b.slots[slot].depth;
        word = mo_word(at.x << up, at.y << up, at.z << up);
    }
    const mo_record above = (mo_record)place << BITS | word >> (32 - BITS);
    return above << (64 - MO_PLACE_BITS - BITS) | id;
}

static __global__ void __launch_bounds__(MO_SPREAD_THREADS, MO_SPREAD_BLOCKS) mo_spread(mo_build b)
{
    if (mo_yields(b)) return;
    GB_DYNAMIC_SHARED();
    __shared__ unsigned sums[GB_WARP + 1];
    const mo_regions &g = b.regions;
    mo_spread_block block(g, gb_shared_memory);
    mo_spread_places &places = block.places;
    const bool ordered = mo_is_ordered(b);
    mo_share share(g);
    for (; share.tile < share.end; share.region++) {
        const mo_region r = mo_region_of(g, share.region);
        const unsigned before = g.tiles[share.region], last = g.tiles[share.region + 1];
        const unsigned end = last < share.end ? last : share.end;
        if (share.tile >= end) continue; /* an empty region */
        __syncthreads(); /* of the region before, whose last tile is still written */
        mo_fetch_tree<MO_SPREAD_THREADS>(g, share.region, block.tree);
        const unsigned slots = r.slots + 7 * g.has[share.region];
        for (unsigned k = threadIdx.x; k < slots; k += MO_SPREAD_THREADS)
            block.bucket_of[k] = (uint8_t)b.bucket_of[r.base + k];
        for (unsigned k = threadIdx.x; k < g.buckets; k += MO_SPREAD_THREADS) {
            block.slot0[k] = b.bucket_slot[(g.buckets + 1ull) * share.region + k] - r.base;
            places.count[k] = 0;
        }
        __syncthreads();
        for (; share.tile < end; share.tile++) {
            const unsigned from = (share.tile - before) * MO_SPREAD_TILE;
            const unsigned rest = r.count - from,
                           valid = rest < MO_SPREAD_TILE ? rest : (unsigned)MO_SPREAD_TILE;
            mo_spread_tile tile;
            tile.load(g, r.begin + from, valid);
            mo_record record[MO_SPREAD_ITEMS];
            unsigned place[MO_SPREAD_ITEMS]; /* bucket << 16 | rank */
#pragma unroll
            for (int k = 0; k < MO_SPREAD_ITEMS; k++) {
                const unsigned i = threadIdx.x + k * MO_SPREAD_THREADS;
                if (i >= valid) break;
                const unsigned at = r.begin + from + i;
                const mo_path path(g, block.tree, tile.high[k], tile.low[k]);
                const unsigned slot = r.base + path.slot, bucket = block.bucket_of[path.slot];
                record[k] = mo_region_record(b, path, path.slot - block.slot0[bucket], slot,
                                             tile.low[k], tile.id[k]);
                if (ordered)
                    b.records[at] = record[k];
                else
                    place[k] = bucket << 16 | atomicAdd(&places.count[bucket], 1u);
            }
            if (ordered) continue;
            __syncthreads();
            places.take(b.bucket_fill + (uint64_t)g.buckets * share.region, sums);
#pragma unroll
            for (int k = 0; k < MO_SPREAD_ITEMS; k++) {
                if (threadIdx.x + k * MO_SPREAD_THREADS >= valid) break;
                const unsigned bucket = place[k] >> 16,
                               at = places.count[bucket] + (place[k] & 0xFFFFu);
                block.staged[at] = record[k];
                block.target[at] = (uint8_t)bucket;
            }
            places.clear_next();
            __syncthreads();
            places.swap();
#pragma unroll
            for (int k = 0; k < MO_SPREAD_ITEMS; k++) {
                const unsigned i = threadIdx.x + k * MO_SPREAD_THREADS;
                if (i >= valid) break;
                b.records[places.to[block.target[i]] + i] = block.staged[i];
            }
            /* no barrier: who is done counts the next tile, and what is staged stays until all
             * have */
        }
    }
}

/* ---- mending --------------------------------------------------------------------------------- */

/* Cells of regions' trees that are none, as in mo_mend; top: of the build that has the top's cells.
 */
static __global__ void __launch_bounds__(MO_MEND_THREADS) mo_mend_regions(mo_build top, mo_build b)
{
    if (mo_yields(b)) return;
    const mo_regions &g = b.regions;
    const uint64_t own = gb_first();
    const unsigned region = (unsigned)(own / g.cells), cell = (unsigned)(own % g.cells);
    if (region >= g.count || cell >= g.has[region] || b.words->trouble) return;
    if (!mo_is_none(b, own)) return;
    const uint32_t at = b.parent[own], above = at / 8;
    const bool inside = above >= g.cell[region] && above - g.cell[region] < g.has[region];
    if (inside ? mo_is_none(b, (uint64_t)g.cells * region + (above - g.cell[region]))
               : above != 0 && mo_is_none(top, above))
        return;
    mo_make_leaf(b, own, at);
}

#endif
