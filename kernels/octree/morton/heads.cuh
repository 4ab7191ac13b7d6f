/* Where leaves hold more than one body, few bodies begin one: these, the heads, are found first,
 * and cells are made of them alone. Body p is a head if the cell of depth left[p] around it and the
 * one before has more than `leaf` bodies: then one of the `leaf` bodies before p reaches as deep.
 * So heads are where left is not above the most of the last `leaf` reaches, which is found by
 * doubling, four bodies to a word. */
#ifndef GB_OCTREE_MORTON_HEADS_CUH
#define GB_OCTREE_MORTON_HEADS_CUH

#include "kernels/octree/morton/room.cuh"

/* Every body, where each begins a leaf or is in the list of one. */
struct mo_each {
    static const bool ALL = true;
    unsigned count;

    __device__ __forceinline__ unsigned place(unsigned r) const { return r; }
};

/* Heads alone. */
struct mo_heads {
    static const bool ALL = false;
    unsigned count;
    const uint16_t *at; /* count: their places */

    __device__ __forceinline__ unsigned place(unsigned r) const { return at[r]; }
};

/* ---- four numbers from 0 to 127 in a word ---------------------------------------------------- */

/* Numbers from -1 to 126, each made one more. */
static __device__ __forceinline__ unsigned mo_four_up(unsigned four)
{
    return ((four & 0x7F7F7F7Fu) + 0x01010101u) ^ (four & 0x80808080u);
}

/* The top bit of each byte: whether a number of one is no less than that of the other. */
static __device__ __forceinline__ unsigned mo_four_no_less(unsigned one, unsigned other)
{
    return ((one | 0x80808080u) - other) & 0x80808080u;
}

static __device__ __forceinline__ unsigned mo_four_most(unsigned one, unsigned other)
{
    const unsigned mask = (mo_four_no_less(one, other) >> 7) * 255u;
    return (one & mask) | (other & ~mask);
}

/* The numbers `by` places before, of four numbers a lane. */
static __device__ __forceinline__ unsigned mo_four_before(unsigned four, unsigned by)
{
    const unsigned bits = by % 4 * 8;
    const unsigned near = __shfl_up_sync(GB_FULL_MASK, four, by / 4);
    if (!bits) return near;
    return near << bits | __shfl_up_sync(GB_FULL_MASK, four, by / 4 + 1) >> (32 - bits);
}

/* ---- finding heads --------------------------------------------------------------------------- */

/* A bit for every body of the bucket, from its left and reach. The first 8 lanes of a warp have the
 * bodies before those of the others, for leaves have 32 at most. */
template <class Room>
static __device__ __forceinline__ void mo_find_heads(const Room &room, unsigned count,
                                                     unsigned leaf)
{
    enum { BEFORE = 8, A_WARP = (GB_WARP - BEFORE) / 8 }; /* lanes; chunks of 32 bodies */
    const uint32_t *left = reinterpret_cast<const uint32_t *>(room.left);
    const uint32_t *reach = reinterpret_cast<const uint32_t *>(room.reach);
    const unsigned chunks = (count + GB_WARP - 1) / GB_WARP, lane = gb_lane();
    for (unsigned c = threadIdx.x / GB_WARP * A_WARP; c < chunks;
         c += Room::THREADS / GB_WARP * A_WARP) {
        const unsigned word = 8 * c + lane - BEFORE; /* wraps where there are none before */
        const bool ok = word < (count + 3) / 4;
        unsigned most = ok ? mo_four_up(reach[word]) : 0, size = 1;
        for (; 2 * size <= leaf; size *= 2)
            most = mo_four_most(most, mo_four_before(most, size));
        most = mo_four_most(mo_four_before(most, 1), mo_four_before(most, leaf - size + 1));
        unsigned heads = ok ? mo_four_no_less(most, mo_four_up(left[word])) >> 7 : 0;
        heads = heads * 0x01020408u >> 24 << lane % 8 * 4; /* a bit a byte becomes four bits */
#pragma unroll
        for (int d = 1; d < 8; d <<= 1)
            heads |= __shfl_xor_sync(GB_FULL_MASK, heads, d);
        const unsigned chunk = c + lane / 8 - 1, rest = count - chunk * GB_WARP;
        if (lane % 8 == 0 && lane >= BEFORE && chunk < chunks)
            room.heads[chunk] = rest < GB_WARP ? heads & ((1u << rest) - 1) : heads;
    }
    __syncthreads();
}

/* Marks heads, which are the first of their leaves, in 32 bodies from place `at` on. */
static __device__ __forceinline__ void mo_mark(const mo_build &b, unsigned at, unsigned heads)
{
    const unsigned shift = at % 32;
    if (heads) atomicOr(&b.first[at / 32], heads << shift);
    if (shift && heads >> (32 - shift)) atomicOr(&b.first[at / 32 + 1], heads >> (32 - shift));
}

/* Finds, marks and lists the heads of a bucket, whose order is final. */
template <class Room>
static __device__ __forceinline__ mo_heads mo_list_heads(const mo_codec &codec, const Room &room,
                                                         const mo_bucket &k, unsigned *sums)
{
    static_assert(Room::CHUNKS <= Room::THREADS, "a thread has a chunk");
    const mo_build &b = codec.b;
    mo_find_heads(room, k.count, b.leaf);
    const unsigned from = threadIdx.x * GB_WARP;
    unsigned heads = from < k.count ? room.heads[threadIdx.x] : 0, total;
    unsigned at = gb_block_exclusive_sum<Room::THREADS>((unsigned)__popc(heads), sums, &total);
    mo_mark(b, k.begin + from, heads);
    for (; heads; heads &= heads - 1)
        room.place[at++] = (uint16_t)(from + (unsigned)__ffs((int)heads) - 1);
    for (unsigned p = threadIdx.x; p < k.count; p += Room::THREADS)
        b.order[k.begin + p] = codec.id(room.body[p]);
    __syncthreads();
    return mo_heads{total, room.place};
}

#endif
