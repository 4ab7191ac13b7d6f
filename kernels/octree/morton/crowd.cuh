/* Buckets that no block has room for, or whose slots are more than a record can number: ordered and
 * built by a block in device memory, whatever their size. Where a sample represents its bodies
 * there are none. */
#ifndef GB_OCTREE_MORTON_CROWD_CUH
#define GB_OCTREE_MORTON_CROWD_CUH

#include "kernels/octree/morton/buckets.cuh"

enum { MO_CROWD_THREADS = 1024 };

/* What mo_codec tells, of bodies whose records tell nothing but their numbers. */
struct mo_body_codec {
    const mo_build &b;

    __device__ __forceinline__ unsigned id(mo_record r) const
    {
        return (unsigned)r & ((1u << b.id_bits) - 1);
    }
    __device__ __forceinline__ unsigned slot(mo_record r) const
    {
        const oc_place place = mo_place(b, b.bodies[id(r)]);
        const mo_regions &g = b.regions;
        unsigned holds = 0;
        int depth = 0;
        while (holds < MO_CELLS)
            holds = b.tree[8 * holds + oc_digit(place, depth++)];
        if (!g.count) return holds - MO_CELLS;
        const unsigned top = holds - MO_CELLS, region = g.of[top];
        const uint16_t *tree = g.tree + 8ull * g.cells * region;
        holds = g.root[top];
        while (holds < MO_CELLS)
            holds = tree[8 * holds + oc_digit(place, depth++)];
        return (unsigned)mo_slots_before(g, region, g.slot[region]) + holds - MO_CELLS;
    }
    __device__ __forceinline__ int common(mo_record one, mo_record other) const
    {
        const int depth = mo_common_of_bodies(b.bodies, b.box, id(one), id(other));
        const int top = (int)b.slots[slot(one)].depth;
        return depth < top ? -1 : depth == OC_DEPTH ? (int)MO_SAME : depth - top;
    }
    __device__ __forceinline__ bool before(mo_record one, mo_record other) const
    {
        return mo_before_of_bodies(b.bodies, b.box, id(one), id(other));
    }
    __device__ __forceinline__ unsigned digit(mo_record r, int depth) const
    {
        return mo_digit_of_body(b.bodies, b.box, id(r), depth + (int)b.slots[slot(r)].depth);
    }
    __device__ __forceinline__ mo_record of(unsigned i) const { return i; }
};

/* A bucket in device memory. What is known of a body lies in scratch (left + 1 below, reach + 1
 * above) and in keys (the first cell that it begins), whose keys are in the records by now. */
template <class Codec> struct mo_crowd_room {
    const mo_build &b;
    mo_bucket k;
    Codec codec;
    mo_record *body;

    __device__ __forceinline__ int left_of(unsigned p) const
    {
        return (int)(b.scratch[k.begin + p] & 0xFFu) - 1;
    }
    __device__ __forceinline__ int reach_of(unsigned p) const
    {
        return (int)(b.scratch[k.begin + p] >> 8) - 1;
    }
    __device__ __forceinline__ unsigned cell_of(unsigned p) const { return b.keys[k.begin + p]; }
};

/* The first body from `low` to `high`, which are ordered by it, that no longer shares so many
 * digits with body p; with `until`, that shares them for the first time. */
template <class Room>
static __device__ __forceinline__ unsigned mo_crowd_edge(const Room &room, unsigned p, unsigned low,
                                                         unsigned high, int depth, bool until)
{
    while (low < high) {
        const unsigned middle = low + (high - low) / 2;
        const bool deep = room.codec.common(room.body[middle], room.body[p]) >= depth;
        if (deep != until)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* left and reach of all bodies. */
template <class Room> static __device__ __forceinline__ void mo_crowd_compare(const Room &room)
{
    const mo_build &b = room.b;
    const unsigned count = room.k.count;
    for (unsigned p = threadIdx.x; p < count; p += MO_CROWD_THREADS) {
        const int left = p ? mo_shared(room.codec, room, p - 1, p, count) : -1;
        unsigned q = p + b.leaf;
        int reach = mo_shared(room.codec, room, p, q, count);
        if (reach == MO_SAME && left == MO_SAME) {
            reach = -1;
        } else if (reach == MO_SAME) {
            q = mo_crowd_edge(room, p, q, count, MO_SAME, false);
            reach = mo_shared(room.codec, room, p, q, count);
        }
        b.scratch[room.k.begin + p] = (uint16_t)((unsigned)(reach + 1) << 8 | (unsigned)(left + 1));
    }
    __syncthreads();
}

/* Numbers the cells; gives how many there are. */
template <class Room>
static __device__ __forceinline__ unsigned mo_crowd_number(const Room &room, unsigned *sums)
{
    unsigned before = 0, total;
    for (unsigned from = 0; from < room.k.count; from += MO_CROWD_THREADS) {
        const unsigned p = from + threadIdx.x;
        const bool ok = p < room.k.count;
        const unsigned cells = ok ? mo_begins(room.left_of(p), room.reach_of(p)) : 0;
        const unsigned mine = gb_block_exclusive_sum<MO_CROWD_THREADS>(cells, sums, &total);
        if (ok) room.b.keys[room.k.begin + p] = before + mine;
        before += total;
    }
    return before;
}

template <class Room>
static __device__ __forceinline__ void mo_crowd_write(const Room &room, unsigned base,
                                                      unsigned cells)
{
    const mo_build &b = room.b;
    mo_empty_cells<MO_CROWD_THREADS>(b, base, cells);
    __syncthreads();
    for (unsigned from = 0; from < room.k.count; from += MO_CROWD_THREADS) {
        const unsigned p = from + threadIdx.x;
        bool first = false;
        if (p < room.k.count) {
            const int left = room.left_of(p);
            const bool inner = left >= 0 && left != MO_SAME;
            const unsigned above = inner ? mo_crowd_edge(room, p, 0, p, left, true) : 0;
            first = mo_link(room.codec, room, p, left, above, base, room.k.begin);
            b.order[room.k.begin + p] = room.codec.id(room.body[p]);
        }
        const unsigned firsts = __ballot_sync(GB_FULL_MASK, first);
        if (gb_lane() == 0) mo_mark(b, room.k.begin + p, firsts);
    }
}

/* One bucket by one block; sums: 34 words. */
template <class Codec>
static __device__ __forceinline__ void mo_build_crowd(const mo_build &b, const mo_bucket &k,
                                                      const Codec &codec, unsigned *sums)
{
    const mo_crowd_room<Codec> room = {b, k, codec, b.records + k.begin};
    const bool ordered = mo_is_ordered(b);
    for (unsigned p = threadIdx.x; p < k.count && ordered && !b.regions.count;
         p += MO_CROWD_THREADS)
        room.body[p] = codec.of(k.begin + p);
    __syncthreads();
    if (!ordered) mo_merge_sort<MO_CROWD_THREADS>(codec, room.body, k.count);
    mo_crowd_compare(room);
    const unsigned cells = mo_crowd_number(room, sums);
    __syncthreads();
    unsigned base;
    if (mo_take_cells(b, cells, sums + GB_WARP + 1, &base)) mo_crowd_write(room, base, cells);
    __syncthreads();
}

static __global__ void __launch_bounds__(MO_CROWD_THREADS) mo_crowd(mo_build b)
{
    if (mo_yields(b)) return;
    __shared__ unsigned sums[GB_WARP + 2];
    for (unsigned i = blockIdx.x; i < b.words->crowded; i += gridDim.x) {
        const mo_bucket k = mo_bucket_of(b, b.crowded[i]);
        if (k.slots <= MO_BUCKET_SLOTS)
            mo_build_crowd(b, k, mo_codec{b, k.slot}, sums);
        else
            mo_build_crowd(b, k, mo_body_codec{b}, sums);
    }
}

#endif
