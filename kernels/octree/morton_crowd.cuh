/* Buckets that no block has room for: ordered and built by a block
 * in device memory, whatever their size. Where a sample represents its bodies there are none. */
#ifndef GB_OCTREE_MORTON_CROWD_CUH
#define GB_OCTREE_MORTON_CROWD_CUH

#include "kernels/octree/morton_buckets.cuh"

enum { MO_CROWD_THREADS = 1024 };

/* A bucket in device memory. What is known of a body lies in scratch (left + 1 below, reach + 1
 * above) and in keys (the first cell that it begins), whose keys are in the records by now. */
struct mo_crowd_room {
    const mo_build &b;
    mo_bucket k;
    mo_codec codec;
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

/* The first body from `low` to `high` for which shares(body) is no longer (or, with `until`, for
 * the first time) at least depth, where p is the other body. */
static __device__ __forceinline__ unsigned mo_crowd_edge(const mo_crowd_room &room, unsigned p,
                                                         unsigned low, unsigned high, int depth,
                                                         bool until)
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

/* left and reach of all bodies, and whether they are in order already. */
static __device__ __forceinline__ void mo_crowd_compare(const mo_crowd_room &room)
{
    const mo_build &b = room.b;
    const unsigned count = room.k.count;
    for (unsigned p = threadIdx.x; p < count; p += MO_CROWD_THREADS) {
        const int left = p ? mo_shared(room.codec, room, p - 1, p, count) : -1;
        unsigned q = p + b.leaf;
        int reach = mo_shared(room.codec, room, p, q, count);
        if (reach == MO_SAME) {
            q = mo_crowd_edge(room, p, q, count, MO_SAME, false);
            reach = left == MO_SAME ? -1 : mo_shared(room.codec, room, p, q, count);
        }
        b.scratch[room.k.begin + p] = (unsigned)(reach + 1) << 8 | (unsigned)(left + 1);
    }
    __syncthreads();
}

/* Numbers the cells; gives how many there are. */
static __device__ __forceinline__ unsigned mo_crowd_number(const mo_crowd_room &room,
                                                           unsigned *sums)
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

/* What mo_link asks for, of a body and the one whose cell is above it. */
struct mo_crowd_view {
    const mo_crowd_room &room;

    struct lefts {
        const mo_crowd_room &room;
        __device__ __forceinline__ int operator[](unsigned p) const { return room.left_of(p); }
    } left;
    struct reaches {
        const mo_crowd_room &room;
        __device__ __forceinline__ int operator[](unsigned p) const { return room.reach_of(p); }
    } reach;
    struct cells {
        const mo_crowd_room &room;
        __device__ __forceinline__ unsigned operator[](unsigned p) const { return room.cell_of(p); }
    } cell;
    mo_record *body;
};

static __device__ __forceinline__ void mo_crowd_write(const mo_crowd_room &room, unsigned base,
                                                      unsigned cells)
{
    const mo_build &b = room.b;
    const mo_crowd_view view = {room, {room}, {room}, {room}, room.body};
    for (unsigned w = threadIdx.x; w < cells; w += MO_CROWD_THREADS)
        for (unsigned octant = 0; octant < OC_SLOTS; octant++)
            b.slot[8ull * (base + w) + octant] = OC_EMPTY;
    __syncthreads();
    for (unsigned from = 0; from < room.k.count; from += MO_CROWD_THREADS) {
        const unsigned p = from + threadIdx.x;
        bool first = false;
        if (p < room.k.count) {
            const int left = room.left_of(p);
            const bool inner = left >= 0 && left != MO_SAME;
            const unsigned above = inner ? mo_crowd_edge(room, p, 0, p, left, true) : 0;
            first = mo_link(room.codec, view, p, left, above, base, room.k.begin);
            b.order[room.k.begin + p] = room.codec.id(room.body[p]);
        }
        mo_mark(b, room.k.begin + p - gb_lane(), __ballot_sync(GB_FULL_MASK, first));
    }
}

static __global__ void __launch_bounds__(MO_CROWD_THREADS) mo_crowd(mo_build b)
{
    __shared__ unsigned sums[GB_WARP + 2];
    for (unsigned i = blockIdx.x; i < b.words->crowded; i += gridDim.x) {
        const mo_bucket k = mo_bucket_of(b, b.crowded[i]);
        const mo_crowd_room room = {b, k, {b, k.slot}, b.records + k.begin};
        const bool ordered = b.words->ordered && !b.words->disorder;
        for (unsigned p = threadIdx.x; p < k.count && ordered; p += MO_CROWD_THREADS)
            room.body[p] = room.codec.of(k.begin + p);
        __syncthreads();
        if (!ordered) mo_merge_sort<MO_CROWD_THREADS>(room.codec, room.body, k.count);
        mo_crowd_compare(room);
        const unsigned cells = mo_crowd_number(room, sums);
        __syncthreads();
        unsigned base;
        if (mo_take_cells(b, cells, sums + GB_WARP + 1, &base)) mo_crowd_write(room, base, cells);
        __syncthreads();
    }
}

#endif
