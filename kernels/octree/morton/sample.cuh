/* The sample's tree: some thousand bodies, found by their number, are sorted into octants level by
 * level by one block; octants with more than a few of them are cut again. A tree of c cells has
 * 7 c + 1 slots that are no cells, so slots are numbered along the curve from the sizes of subtrees
 * alone. */
#ifndef GB_OCTREE_MORTON_SAMPLE_CUH
#define GB_OCTREE_MORTON_SAMPLE_CUH

#include "common/cuda/grid.cuh"
#include "common/cuda/warp.cuh"
#include "kernels/octree/morton/choose.cuh"

enum {
    MO_SAMPLE_THREADS = 1024,
    MO_SAMPLE_EACH = MO_SAMPLE / MO_SAMPLE_THREADS, /* samples a thread, at most */
    MO_FEW_EACH = 8,
    MO_DIGITS = 10, /* in a word */
    MO_TOP = 4,     /* levels that are cut at once */
    MO_TOPS = ((1 << 3 * (MO_TOP + 1)) - 1) / 7,
    MO_SETTLED = 0xFFFF,
    MO_IS_CELL = 0x8000
};

/* Clears what the stages count in, and fetches the sample, if it is not lent. Without one, the
 * bodies are sorted by whole keys; without bodies, the tree is an empty root. */
static __global__ void mo_start(mo_build b, uint64_t n)
{
    if (gb_first() == 0) {
        mo_words words = {};
        words.cells = n ? 0 : 1;
        *b.words = words;
    }
    if (gb_first() < OC_SLOTS && n == 0) b.slot[gb_first()] = OC_EMPTY;
    for (uint64_t i = gb_first(); i < (n + 31) / 32; i += gb_stride())
        b.first[i] = 0;
    if (!b.sample) return;
    for (uint64_t i = gb_first(); i <= MO_SLOTS; i += gb_stride())
        b.counts[i] = 0;
    for (uint64_t j = gb_first(); j < b.sample && !b.told; j += gb_stride())
        b.codes[j] = oc_code(mo_place(b, b.bodies[mo_sampled(b, (unsigned)j)]));
}

/* What the block keeps in shared memory; sizes: mo_sample_bytes. */
struct mo_sample_block {
    uint32_t *size;   /* coarse: cells of each subtree */
    uint32_t *count;  /* 4 * coarse: 16 bits a slot: samples in it, or MO_IS_CELL | its cell */
    uint16_t *parent; /* coarse: the slot that a cell is in */
    uint16_t *first;  /* coarse: the number of the first slot below it */
    uint16_t *path;   /* coarse: the digits down to a cell, of the first MO_TOP levels */
    uint32_t *tops;   /* MO_TOPS: samples below each cell that these levels could have, level by
                         level from the root down; of the last level later the cell itself */

    __device__ __forceinline__ explicit mo_sample_block(const mo_build &b, unsigned char *memory)
    {
        size = reinterpret_cast<uint32_t *>(memory);
        count = size + b.coarse;
        tops = count + 4 * b.coarse;
        parent = reinterpret_cast<uint16_t *>(tops + MO_TOPS);
        first = parent + b.coarse;
        path = first + b.coarse;
    }
    __device__ __forceinline__ uint16_t *slots() const
    {
        return reinterpret_cast<uint16_t *>(count);
    }
    /* The counts of the cells of a depth from 0 to MO_TOP. */
    __device__ __forceinline__ uint32_t *tops_of(int depth) const
    {
        return tops + ((1u << 3 * depth) - 1) / 7;
    }
};

static __host__ __device__ __forceinline__ size_t mo_sample_bytes(unsigned coarse)
{
    return (size_t)coarse * (4 + 16 + 2 + 2 + 2) + 4 * (size_t)MO_TOPS;
}

/* How many owners mo_has_copies may have in the same memory. */
static __device__ __forceinline__ unsigned mo_owners(unsigned coarse)
{
    unsigned owners = MO_MOST_OWNERS;
    while (owners * sizeof(unsigned) > mo_sample_bytes(coarse))
        owners /= 2;
    return owners;
}

static __device__ __forceinline__ unsigned mo_code_digit(unsigned long long code, int depth)
{
    return (unsigned)(code >> 3 * (OC_CODE_DIGITS - 1 - depth)) & 7u;
}

/* A body's digits of depths [first, first + MO_DIGITS), the first one on top. */
static __device__ __forceinline__ unsigned mo_digits(unsigned long long code, int first)
{
    return (unsigned)(code << (1 + 3 * first) >> 32);
}

/* Whether the thread's samples are not behind the next ones on the curve. */
template <int EACH> static __device__ __forceinline__ bool mo_in_order(const mo_build &b)
{
    bool order = true;
#pragma unroll 8
    for (int k = 0; k < EACH; k++) {
        const unsigned j = threadIdx.x + k * MO_SAMPLE_THREADS;
        if (j + 1 < b.sample) order = order && b.codes[j] <= b.codes[j + 1];
    }
    return order;
}

/* A thread's samples: MO_DIGITS digits of each, from a depth on; and the cells that they are in,
 * two to a word, or MO_SETTLED. */
template <int EACH> struct mo_samples {
    unsigned word[EACH], where[EACH / 2];

    __device__ __forceinline__ void load(const mo_build &b, int first)
    {
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const unsigned j = threadIdx.x + k * MO_SAMPLE_THREADS;
            word[k] = j < b.sample ? mo_digits(b.codes[j], first) : 0;
        }
    }
    __device__ __forceinline__ unsigned cell(int k) const
    {
        return k % 2 ? where[k / 2] >> 16 : where[k / 2] & 0xFFFFu;
    }
    __device__ __forceinline__ void set(int k, unsigned cell)
    {
        where[k / 2] =
            k % 2 ? (where[k / 2] & 0xFFFFu) | cell << 16 : (where[k / 2] & 0xFFFF0000u) | cell;
    }
};

/* Cuts the slots of a level's cells: those with too many samples become cells. All threads. */
static __device__ __forceinline__ void mo_cut_level(const mo_build &b, const mo_sample_block &s,
                                                    unsigned *cells, unsigned *level, int depth)
{
    uint16_t *slots = s.slots();
    for (unsigned at = 8 * level[depth] + threadIdx.x; at < 8 * level[depth + 1];
         at += MO_SAMPLE_THREADS) {
        unsigned count = slots[at];
        const unsigned path = 8u * s.path[at / 8] + at % 8;
        if (depth < MO_TOP) slots[at] = (uint16_t)(count = s.tops_of(depth + 1)[path]);
        if (count <= b.split || depth + 1 >= MO_DEEPEST) continue;
        const unsigned cell = atomicAdd(cells, 1u);
        if (cell >= b.coarse) continue;
        for (int k = 0; k < 4; k++)
            s.count[4 * cell + k] = 0;
        s.size[cell] = 1;
        s.parent[cell] = (uint16_t)at;
        s.path[cell] = (uint16_t)path;
        slots[at] = (uint16_t)(MO_IS_CELL | cell);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        if (*cells > b.coarse) *cells = b.coarse;
        level[depth + 2] = *cells;
    }
    __syncthreads();
}

/* The first levels at once: samples are counted by all their digits there, and summed upwards. Then
 * every sample is in its cell of depth MO_TOP, or settled. */
template <int EACH>
static __device__ __forceinline__ void mo_cut_top(const mo_build &b, const mo_sample_block &s,
                                                  mo_samples<EACH> &mine, unsigned *cells,
                                                  unsigned *level)
{
    for (unsigned k = threadIdx.x; k < MO_TOPS; k += MO_SAMPLE_THREADS)
        s.tops[k] = 0;
    __syncthreads();
    uint32_t *last = s.tops_of(MO_TOP);
#pragma unroll
    for (int k = 0; k < EACH; k++)
        if (threadIdx.x + k * MO_SAMPLE_THREADS < b.sample)
            atomicAdd(&last[mine.word[k] >> (32 - 3 * MO_TOP)], 1u);
    __syncthreads();
    for (int depth = MO_TOP - 1; depth >= 0; depth--) {
        const uint32_t *below = s.tops_of(depth + 1);
        for (unsigned k = threadIdx.x; k < 1u << 3 * depth; k += MO_SAMPLE_THREADS)
            for (unsigned octant = 0; octant < OC_SLOTS; octant++)
                s.tops_of(depth)[k] += below[8 * k + octant];
        __syncthreads();
    }
    for (int depth = 0; depth < MO_TOP; depth++)
        mo_cut_level(b, s, cells, level, depth);
    for (unsigned k = threadIdx.x; k < 1u << 3 * MO_TOP; k += MO_SAMPLE_THREADS)
        last[k] = MO_SETTLED;
    __syncthreads();
    for (unsigned c = level[MO_TOP] + threadIdx.x; c < level[MO_TOP + 1]; c += MO_SAMPLE_THREADS)
        last[s.path[c]] = c;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        const bool ok = threadIdx.x + k * MO_SAMPLE_THREADS < b.sample;
        mine.set(k, ok ? last[mine.word[k] >> (32 - 3 * MO_TOP)] : (unsigned)MO_SETTLED);
        mine.word[k] <<= 3 * MO_TOP;
    }
}

/* Counts the samples by their octants of this depth, in the cells where they are; where those are
 * of the depth above, they go down first. */
template <int EACH>
static __device__ __forceinline__ void mo_descend(const mo_sample_block &s, mo_samples<EACH> &mine,
                                                  bool down)
{
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        unsigned cell = mine.cell(k);
        if (cell == MO_SETTLED) continue;
        if (down) {
            const unsigned holds = s.slots()[8 * cell + (mine.word[k] >> 29)];
            cell = holds & MO_IS_CELL ? holds & ~MO_IS_CELL : (unsigned)MO_SETTLED;
            mine.set(k, cell);
            mine.word[k] <<= 3;
            if (cell == MO_SETTLED) continue;
        }
        const unsigned at = 8 * cell + (mine.word[k] >> 29);
        atomicAdd(&s.count[at / 2], 1u << 16 * (at % 2));
    }
}

/* Cuts level by level; gives the number of levels, and where each one's cells begin. */
template <int EACH>
static __device__ __forceinline__ int mo_cut(const mo_build &b, const mo_sample_block &s,
                                             unsigned *cells, unsigned *level)
{
    mo_samples<EACH> mine;
    mine.load(b, 0);
    mo_cut_top(b, s, mine, cells, level);
    int depth = 0;
    while (depth < MO_TOP && level[depth + 2] != level[depth + 1])
        depth++;
    if (depth < MO_TOP) return depth + 1;
    for (; level[depth + 1] != level[depth]; depth++) {
        mo_descend(s, mine, depth > MO_TOP);
        /* the digit of this depth stays on top, the following are loaded with it */
        if (depth == MO_DIGITS - 1) mine.load(b, depth);
        __syncthreads();
        mo_cut_level(b, s, cells, level, depth);
    }
    return depth;
}

/* How many slots that are no cells lie in a slot. */
static __device__ __forceinline__ unsigned mo_slots_in(const mo_sample_block &s, unsigned holds)
{
    return holds & MO_IS_CELL ? 7 * s.size[holds & ~MO_IS_CELL] + 1 : 1;
}

/* Numbers the first slots of the cells in a cell. */
static __device__ __forceinline__ void mo_number(const mo_sample_block &s, unsigned cell)
{
    unsigned number = s.first[cell];
#pragma unroll
    for (unsigned octant = 0; octant < OC_SLOTS; octant++) {
        const unsigned holds = s.slots()[8 * cell + octant];
        if (holds & MO_IS_CELL) s.first[holds & ~MO_IS_CELL] = (uint16_t)number;
        number += mo_slots_in(s, holds);
    }
}

/* Writes the tree down, for bodies to walk and as the top of the one that is built. Eight lanes a
 * cell; by full warps. */
static __device__ __forceinline__ void mo_write_sample(const mo_build &b, const mo_sample_block &s,
                                                       unsigned cells, const unsigned *level)
{
    int depth = 0;
    for (unsigned from = 0; from < 8 * cells; from += MO_SAMPLE_THREADS) {
        const unsigned at = from + threadIdx.x, cell = at / 8, octant = at % 8;
        const bool ok = at < 8 * cells;
        const unsigned holds = ok ? s.slots()[at] : 0, width = ok ? mo_slots_in(s, holds) : 0;
        unsigned before = width;
#pragma unroll
        for (int d = 1; d < OC_SLOTS; d <<= 1) {
            const unsigned below = __shfl_up_sync(GB_FULL_MASK, before, d);
            if ((int)octant >= d) before += below;
        }
        if (!ok) continue;
        while (cell >= level[depth + 1])
            depth++;
        const unsigned number = s.first[cell] + before - width;
        const bool is_cell = (holds & MO_IS_CELL) != 0;
        b.tree[at] = (uint16_t)(is_cell ? holds & ~MO_IS_CELL : MO_CELLS + number);
        b.slot[at] = is_cell ? OC_CELL | (holds & ~MO_IS_CELL) : OC_EMPTY;
        if (!is_cell) b.slots[number] = mo_slot{at, (uint32_t)depth + 1};
        if (octant == 0) {
            b.spans[cell] = mo_span{s.first[cell], 7 * s.size[cell] + 1};
            b.parent[cell] = cell ? s.parent[cell] : 0;
        }
    }
}

/* One block, with EACH samples a thread or fewer. */
template <int EACH>
static __global__ void __launch_bounds__(MO_SAMPLE_THREADS) mo_sample(mo_build b)
{
    GB_DYNAMIC_SHARED();
    __shared__ unsigned cells, level[MO_DEEPEST + 3], full[2];
    if (b.told && b.words->lent < b.sample) b.sample = b.words->lent;
    const mo_sample_block s(b, gb_shared_memory);
    bool yields = false;
    if (b.chooses) {
        yields = mo_has_copies(b, s.size, mo_owners(b.coarse)) || mo_has_siblings(b);
        __syncthreads();
    }
    if (threadIdx.x < 8) s.slots()[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        cells = level[1] = 1;
        level[0] = 0;
        s.size[0] = 1;
        s.first[0] = s.path[0] = 0;
    }
    const bool ordered = __syncthreads_and(!b.told && mo_in_order<EACH>(b)) != 0;
    const int levels = mo_cut<EACH>(b, s, &cells, level);
    yields = yields || (b.chooses && mo_is_thin(s.slots(), cells, full));
    for (int l = levels - 1; l > 0; l--) {
        for (unsigned c = level[l] + threadIdx.x; c < level[l + 1]; c += MO_SAMPLE_THREADS)
            atomicAdd(&s.size[s.parent[c] / 8], s.size[c]);
        __syncthreads();
    }
    for (int l = 0; l + 1 < levels; l++) {
        for (unsigned c = level[l] + threadIdx.x; c < level[l + 1]; c += MO_SAMPLE_THREADS)
            mo_number(s, c);
        __syncthreads();
    }
    mo_write_sample(b, s, cells, level);
    if (threadIdx.x == 0) {
        b.words->coarse = b.words->cells = cells;
        b.words->ordered = ordered;
        b.words->yields = ordered ? b.chooses && mo_is_one_place(b) : yields;
    }
}

#endif
