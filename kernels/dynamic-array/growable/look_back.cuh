/* What tiles tell each other whose elements keep the order of the input.
 *
 * A tile's places follow from how many elements all tiles before it keep. Tiles publish their
 * counts and look back over those of others (Merrill, Garland 2016, "Single-pass parallel prefix
 * scan with decoupled look-back"), here on two levels: 32 tiles are a group, whose counts add up in
 * one word that also counts its tiles. A warp that looks back reads the words of its own group and
 * those of 32 groups before at the same time, so that a thousand tiles are one trip to the L2.
 *
 * Tiles are numbered in the order in which blocks draw them, so that whoever is waited for is
 * running already, whatever order blocks are started in. */
#ifndef GB_LOOK_BACK_CUH
#define GB_LOOK_BACK_CUH

#include "growable.cuh"

enum { GB_ORDER_GROUP = 32 };

/* What tiles tell each other, for two calls in turn: while one uses a half, it clears the other.
 * Device memory, all 0 before the first call; every call leaves it ready for the next. */
struct gb_order_scratch {
    unsigned long long ticket; /* tiles that have been begun */
    unsigned long long fill0[15];
    unsigned long long dirty[2]; /* tiles that a half was used for last */
    unsigned long long half;     /* that the next call uses */
    unsigned long long fill1[13];
};

/* A half of what follows the scratch. A word a group: how many of its tiles have published << 56 |
 * elements that these keep; at last GB_ORDER_PREFIX | elements that it and all groups before it
 * keep. Both are added, for the tile that knows the second may be faster than another one's first;
 * what is neither 32 nor 255 says nothing yet. A word a tile: GB_ORDER_SET | elements it keeps. */
struct gb_order_half {
    unsigned long long *group;
    unsigned *tile;
};

static inline __host__ __device__ unsigned long long gb_order_groups(unsigned long long tiles)
{
    return (tiles + GB_ORDER_GROUP - 1) / GB_ORDER_GROUP;
}

/* Bytes of scratch for calls of up to so many tiles. */
static inline unsigned long long gb_order_scratch_bytes(unsigned long long most_tiles)
{
    return sizeof(gb_order_scratch) +
           2 * gb_order_groups(most_tiles) *
               (sizeof(unsigned long long) + GB_ORDER_GROUP * sizeof(unsigned));
}

/* The half whose first group is `first` of the 2 * groups that there are. */
static __device__ __forceinline__ gb_order_half gb_order_half_at(gb_order_scratch *scratch,
                                                                 unsigned groups, unsigned first)
{
    unsigned long long *all = reinterpret_cast<unsigned long long *>(scratch + 1);
    gb_order_half half;
    half.group = all + first;
    half.tile = reinterpret_cast<unsigned *>(all + 2ull * groups) + GB_ORDER_GROUP * (size_t)first;
    return half;
}

static const unsigned long long GB_ORDER_TILE = 1ull << 56, GB_ORDER_PREFIX = 255ull << 56;
static const unsigned GB_ORDER_SET = 1u << 31;

static __device__ __forceinline__ bool gb_order_says(unsigned long long group)
{
    return group >> 56 == GB_ORDER_GROUP || group >= GB_ORDER_PREFIX;
}

/* How many elements a tile keeps, for others to see. One thread. */
static __device__ __forceinline__ void gb_order_publish(const gb_order_half &half, unsigned tile,
                                                        unsigned total)
{
    gb_now_set(&half.tile[tile], GB_ORDER_SET | total);
    atomicAdd(&half.group[tile / GB_ORDER_GROUP], GB_ORDER_TILE | total);
}

/* The sum over a full warp. */
static __device__ __forceinline__ unsigned gb_order_sum(unsigned value)
{
#if defined(__CUDACC__) ? (defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800) : GB_ARCH >= 800
    return __reduce_add_sync(0xffffffffu, value);
#else
#pragma unroll
    for (int d = 16; d; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    return value;
#endif
}

/* Elements that all tiles before `tile` keep; by one full warp. The last of a group tells it what
 * all groups before keep. Lanes look again only at what was not there yet: all tiles that run look
 * at the same few lines. What less than 32 groups keep fits 32 bits. */
static __device__ __forceinline__ unsigned long long gb_order_look_back(const gb_order_half &half,
                                                                        unsigned tile)
{
    const unsigned lane = threadIdx.x & 31u, own = tile % GB_ORDER_GROUP;
    unsigned word = lane < own ? 0 : GB_ORDER_SET;
    unsigned long long sum = 0;
    for (int last = (int)(tile / GB_ORDER_GROUP) - 1;; last -= 32) {
        const int g = last - (int)lane; /* lane 0 looks at the nearest */
        unsigned long long group = g < 0 ? GB_ORDER_PREFIX : 0;
        do {
            if (!word) word = gb_now_at(&half.tile[tile - own + lane]);
            if (!gb_order_says(group)) group = gb_now_at(&half.group[g]);
        } while (!__all_sync(0xffffffffu, word && gb_order_says(group)));
        const unsigned ends = __ballot_sync(0xffffffffu, group >= GB_ORDER_PREFIX);
        const unsigned nearest = ends ? (unsigned)__ffs((int)ends) - 1u : 32u;
        sum += gb_order_sum(lane < nearest ? (unsigned)group : 0);
        if (!ends) continue;
        sum += __shfl_sync(0xffffffffu, group, (int)nearest) & (GB_ORDER_TILE - 1);
        break;
    }
    if (own == GB_ORDER_GROUP - 1 && lane == 0)
        atomicAdd(&half.group[tile / GB_ORDER_GROUP],
                  GB_ORDER_PREFIX - GB_ORDER_GROUP * GB_ORDER_TILE + sum);
    return sum + gb_order_sum(word & ~GB_ORDER_SET);
}

/* Clears what the call before has left in a half, `dirty` tiles; the tile's share. One thread. */
static __device__ __forceinline__ void gb_order_clear(const gb_order_half &half, unsigned dirty,
                                                      unsigned tile, unsigned tiles)
{
    for (unsigned long long t = tile; t < dirty; t += tiles) {
        half.tile[t] = 0;
        if (t % GB_ORDER_GROUP == 0) half.group[t / GB_ORDER_GROUP] = 0;
    }
}

/* Makes the scratch ready for the next call, but for the ticket. By the last tile when it has
 * looked back: all others have read what is changed here before they published their counts. One
 * thread. */
static __device__ __forceinline__ void gb_order_turn(gb_order_scratch *scratch, unsigned half,
                                                     unsigned tiles)
{
    gb_now_set(&scratch->dirty[half], (unsigned long long)tiles);
    gb_now_set(&scratch->dirty[1 - half], 0ull);
    gb_now_set(&scratch->half, 1ull - half);
}

/* The next tile's number. `draws` are all draws of the call: the last one makes the ticket ready
 * for the next call. One thread. */
static __device__ __forceinline__ unsigned gb_order_draw(gb_order_scratch *scratch, unsigned draws)
{
    const unsigned number = (unsigned)atomicAdd(&scratch->ticket, 1ull);
    if (number == draws - 1) gb_now_set(&scratch->ticket, 0ull);
    return number;
}

#endif
