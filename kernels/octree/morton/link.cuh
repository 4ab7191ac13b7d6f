/* Cells from bodies in curve order. Of body p, left is the depth that it shares with the one before
 * it, and reach the depth that it shares with the one `leaf` places on: where that is more, p is
 * the first body of the cells in between, and they are numbered in that order. Every body then
 * writes itself, or the first of its cells, into the slot of the cell above, whose first body is
 * the last one before it with a smaller left. */
#ifndef GB_OCTREE_MORTON_LINK_CUH
#define GB_OCTREE_MORTON_LINK_CUH

#include "kernels/octree/morton/heads.cuh"

/* How deep bodies p and q go together, or -1 where one is none. */
template <class Codec, class Room>
static __device__ __forceinline__ int mo_shared(const Codec &codec, const Room &room, unsigned p,
                                                unsigned q, unsigned count)
{
    return q < count ? codec.common(room.body[p], room.body[q]) : -1;
}

/* Finds left of all bodies. Whether the thread met bodies that digits do not part. */
template <class Room>
static __device__ __forceinline__ bool mo_find_left(const mo_codec &codec, const Room &room,
                                                    unsigned count)
{
    bool same = false;
#pragma unroll 2
    for (unsigned p = threadIdx.x; p <= count; p += Room::THREADS) {
        room.left[p] = (int8_t)(p ? mo_shared(codec, room, p - 1, p, count) : -1);
        same = same || (p && p < count && codec.same_digits(room.body[p - 1], room.body[p]));
    }
    return same;
}

/* Whether the thread met bodies of the same digits that do not coincide: they may be out of order.
 * Those that do are ordered by their numbers, as records are. */
template <class Room>
static __device__ __forceinline__ bool mo_out_of_order(const mo_codec &codec, const Room &room,
                                                       unsigned count)
{
    bool out = false;
    for (unsigned p = threadIdx.x + 1; p < count; p += Room::THREADS)
        out = out || (room.left[p] != MO_SAME && codec.same_digits(room.body[p - 1], room.body[p]));
    return out;
}

/* Finds left and reach of all bodies; where they are not `settled`, those of the same digits may
 * have to change places before. Of bodies that coincide, the first one's cells end above the next
 * that does not. ONE: a leaf has one body. */
template <bool ONE, class Room>
static __device__ __forceinline__ void mo_compare(const mo_codec &codec, Room &room, unsigned count,
                                                  bool settled)
{
    const unsigned leaf = ONE ? 1 : codec.b.leaf;
    const bool same = __syncthreads_or(mo_find_left(codec, room, count)) != 0;
    if (same && !settled && __syncthreads_or(mo_out_of_order(codec, room, count))) {
        mo_settle(codec, room, count);
        mo_find_left(codec, room, count);
        __syncthreads();
    }
    if (ONE && !same) {
        room.reach = room.left + 1;
        return;
    }
#pragma unroll 2
    for (unsigned p = threadIdx.x; p < count; p += Room::THREADS) {
        unsigned q = p + leaf;
        int reach = ONE ? room.left[q] : mo_shared(codec, room, p, q, count);
        if (reach == MO_SAME && room.left[p] == MO_SAME) {
            reach = -1;
        } else if (reach == MO_SAME) {
            while (q < count && room.left[q] == MO_SAME)
                q++;
            reach = mo_shared(codec, room, p, q, count);
        }
        room.reach[p] = (int8_t)reach;
    }
    __syncthreads();
}

/* How many cells a body begins. */
static __device__ __forceinline__ unsigned mo_begins(int left, int reach)
{
    return reach > left ? (unsigned)(reach - left) : 0u;
}

/* Numbers the cells; gives how many there are. */
template <class Room, class Heads>
static __device__ __forceinline__ unsigned mo_number_cells(const Room &room, const Heads &heads,
                                                           unsigned *sums)
{
    const unsigned each =
        Heads::ALL ? Room::ITEMS : (heads.count + Room::THREADS - 1) / Room::THREADS;
    const unsigned from = threadIdx.x * each;
    unsigned sum = 0, total;
#pragma unroll
    for (unsigned i = 0; i < (unsigned)Room::ITEMS; i++) {
        if (i >= each || from + i >= heads.count) break;
        const unsigned p = heads.place(from + i);
        sum += mo_begins(room.left[p], room.reach[p]);
    }
    sum = gb_block_exclusive_sum<Room::THREADS>(sum, sums, &total);
#pragma unroll
    for (unsigned i = 0; i < (unsigned)Room::ITEMS; i++) {
        if (i >= each || from + i >= heads.count) break;
        const unsigned p = heads.place(from + i);
        room.cell[p] = (uint16_t)sum;
        sum += mo_begins(room.left[p], room.reach[p]);
    }
    return total;
}

/* Where the lanes' bodies with a left below each level are: bit l of word d says that lane l's is
 * below d. */
template <class Room> struct mo_below {
    unsigned word[Room::LEVELS];

    __device__ __forceinline__ explicit mo_below(int left)
    {
#pragma unroll
        for (int d = 0; d < Room::LEVELS; d++)
            word[d] = __ballot_sync(GB_FULL_MASK, left < d);
    }
    __device__ __forceinline__ unsigned of(int depth) const
    {
        unsigned bits = 0;
#pragma unroll
        for (int d = 0; d < Room::LEVELS; d++)
            if (d == depth) bits = word[d];
        return bits;
    }
};

/* For every level and every 32 heads: 1 + the last head before them with a left below that level,
 * 0 where there is none. */
template <class Room, class Heads>
static __device__ __forceinline__ void mo_find_last(const Room &room, const Heads &heads)
{
    const unsigned warp = threadIdx.x / GB_WARP, lane = gb_lane();
    const unsigned chunks = (heads.count + GB_WARP - 1) / GB_WARP;
    for (unsigned c = warp; c < chunks; c += Room::THREADS / GB_WARP) {
        const unsigned r = c * GB_WARP + lane;
        const mo_below<Room> below(r < heads.count ? room.left[heads.place(r)] : (int)MO_SAME);
        const unsigned mine = below.of((int)lane);
        if (lane < Room::LEVELS)
            room.last[lane * Room::CHUNKS + c] =
                (uint16_t)(mine ? c * GB_WARP + 32 - (unsigned)__clz((int)mine) : 0);
    }
    __syncthreads();
    if (warp < Room::LEVELS) {
        enum { EACH = (Room::CHUNKS + GB_WARP - 1) / GB_WARP };
        uint16_t *last = room.last + warp * Room::CHUNKS;
        unsigned most = 0;
        for (unsigned c = lane * EACH; c < (lane + 1) * EACH; c++)
            if (c < chunks && last[c] > most) most = last[c];
#pragma unroll
        for (int d = 1; d < GB_WARP; d <<= 1) {
            const unsigned other = __shfl_up_sync(GB_FULL_MASK, most, d);
            if ((int)lane >= d && other > most) most = other;
        }
        most = __shfl_up_sync(GB_FULL_MASK, most, 1);
        if (lane == 0) most = 0;
        for (unsigned c = lane * EACH; c < (lane + 1) * EACH && c < chunks; c++) {
            const unsigned mine = last[c];
            last[c] = (uint16_t)most;
            if (mine > most) most = mine;
        }
    }
    __syncthreads();
}

/* All that body p writes into the tree: itself, or the first of its cells, into the cell above,
 * whose first body is `above` (or into its slot of the sample's tree), and its own cells. Whether p
 * is the first body of a leaf. */
template <class Codec, class Room>
static __device__ __forceinline__ bool mo_link(const Codec &codec, const Room &room, unsigned p,
                                               int left, unsigned above, unsigned base,
                                               unsigned begin)
{
    if (left == MO_SAME) return false;
    const mo_build &b = codec.b;
    const mo_record body = room.body[p];
    const int reach = room.reach_of(p);
    const uint32_t own = base + room.cell_of(p);
    const uint32_t holds = reach > left ? OC_CELL | own : begin + p;
    if (left < 0) {
        b.slot[b.slots[codec.slot(body)].at] = holds;
    } else {
        if (room.reach_of(above) < left) return false; /* too few for a cell: inside a leaf */
        const uint64_t cell =
            base + room.cell_of(above) + (unsigned)(left - room.left_of(above) - 1);
        b.slot[8 * cell + codec.digit(body, left)] = holds;
    }
    for (int d = left + 1; d <= reach; d++) {
        const uint64_t cell = own + (unsigned)(d - left - 1);
        b.slot[8 * cell + codec.digit(body, d)] =
            d < reach ? OC_CELL | (uint32_t)(cell + 1) : begin + p;
    }
    return true;
}

/* Empties cells from `base` on; by a block of THREADS. A barrier must follow. */
template <int THREADS>
static __device__ __forceinline__ void mo_empty_cells(const mo_build &b, unsigned base,
                                                      unsigned cells)
{
    const uint4 empty = make_uint4(OC_EMPTY, OC_EMPTY, OC_EMPTY, OC_EMPTY);
    uint4 *to = reinterpret_cast<uint4 *>(b.slot + 8ull * base);
    for (unsigned w = threadIdx.x; w < 2 * cells; w += THREADS)
        to[w] = empty;
}

/* The head before the lane's one, r, of chunk c with a smaller left. */
template <class Room, class Heads>
static __device__ __forceinline__ unsigned mo_above(const Room &room, const Heads &heads,
                                                    const mo_below<Room> &below, unsigned c,
                                                    unsigned r, int left)
{
    if (left < Room::LEVELS) {
        const unsigned near = below.of(left) & gb_lanes_below();
        return near ? c * GB_WARP + 31 - (unsigned)__clz((int)near)
                    : room.last[left * Room::CHUNKS + c] - 1u;
    }
    unsigned above = r - 1;
    while (room.left[heads.place(above)] >= left)
        above--;
    return above;
}

/* Writes the cells, which begin with `base`; and, where all bodies are heads, their order and which
 * are first. */
template <class Room, class Heads>
static __device__ __forceinline__ void mo_write_cells(const mo_codec &codec, const Room &room,
                                                      const mo_bucket &k, const Heads &heads,
                                                      unsigned base, unsigned cells)
{
    const mo_build &b = codec.b;
    mo_empty_cells<Room::THREADS>(b, base, cells);
    mo_find_last(room, heads); /* and a barrier: cells are empty before they are filled */
    const unsigned chunks = (heads.count + GB_WARP - 1) / GB_WARP;
    for (unsigned c = threadIdx.x / GB_WARP; c < chunks; c += Room::THREADS / GB_WARP) {
        const unsigned r = c * GB_WARP + gb_lane();
        const bool ok = r < heads.count;
        const unsigned p = ok ? heads.place(r) : 0;
        const int left = ok ? room.left[p] : (int)MO_SAME;
        const mo_below<Room> below(left);
        bool first = false;
        if (ok) {
            unsigned above = 0;
            if (left >= 0 && left != MO_SAME)
                above = heads.place(mo_above(room, heads, below, c, r, left));
            first = mo_link(codec, room, p, left, above, base, k.begin);
            if (Heads::ALL) b.order[k.begin + p] = codec.id(room.body[p]);
        }
        if (!Heads::ALL) continue;
        const unsigned firsts = __ballot_sync(GB_FULL_MASK, first);
        if (gb_lane() == 0) mo_mark(b, k.begin + c * GB_WARP, firsts);
    }
}

#endif
