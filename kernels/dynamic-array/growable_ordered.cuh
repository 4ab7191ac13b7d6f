/* Pushing in bulk in the order of the input.
 *
 * A tile's places follow from how many elements all tiles before it keep. Tiles publish their
 * counts and look back over those of others (Merrill, Garland 2016, "Single-pass parallel prefix
 * scan with decoupled look-back"), here on two levels: 32 tiles are a group, whose counts add up in
 * one word that also counts its tiles. A warp that looks back reads the words of its own group and
 * those of 32 groups before at the same time, so that a thousand tiles are one trip to the L2.
 *
 * Tiles are numbered in the order in which blocks begin, so that whoever is waited for is running
 * already, whatever order blocks are started in. */
#ifndef GB_GROWABLE_ORDERED_CUH
#define GB_GROWABLE_ORDERED_CUH

#include "growable_bulk.cuh"

/* Threads that a multiprocessor should hold: with 48 registers for each a few go to local memory,
 * but there are more tiles to hide that one waits for those before it. */
enum { GB_ORDERED_RESIDENT = 1280 };
enum { GB_ORDERED_THREADS = 256, GB_ORDERED_VECTORS = 8, GB_ORDER_GROUP = 32 };

/* What tiles tell each other, for two calls in turn: while one uses a half, it clears the other.
 * Device memory, all 0 before the first call; every call leaves it ready for the next. */
struct gb_order_scratch {
    unsigned long long ticket; /* tiles that have been begun */
    unsigned long long fill0[15];
    unsigned long long dirty[2]; /* tiles that a half was used for last */
    unsigned long long half;     /* that the next call uses */
    unsigned long long fill1[13];
};

/* A half of the scratch: a word a tile (1 << 62 | elements it keeps), then a word a group: how many
 * of its tiles have published << 56 | elements that these keep; at last GB_ORDER_PREFIX | elements
 * that it and all groups before it keep. Both are added, for the tile that knows the second may be
 * faster than another one's first; what is neither 32 nor 255 says nothing yet. */
struct gb_order_half {
    unsigned long long *tile, *group;
};

static inline __host__ __device__ unsigned long long gb_order_groups(unsigned long long tiles)
{
    return (tiles + GB_ORDER_GROUP - 1) / GB_ORDER_GROUP;
}

/* Bytes of scratch for calls of up to so many tiles. */
static inline unsigned long long gb_order_scratch_bytes(unsigned long long most_tiles)
{
    const unsigned long long groups = gb_order_groups(most_tiles);
    return sizeof(gb_order_scratch) +
           2 * groups * (GB_ORDER_GROUP + 1) * sizeof(unsigned long long);
}

static __device__ __forceinline__ gb_order_half gb_order_half_of(gb_order_scratch *scratch,
                                                                 unsigned long long most_tiles,
                                                                 unsigned half)
{
    const unsigned long long groups = gb_order_groups(most_tiles), words = groups * GB_ORDER_GROUP;
    unsigned long long *first =
        reinterpret_cast<unsigned long long *>(scratch + 1) + half * (words + groups);
    gb_order_half result;
    result.tile = first;
    result.group = first + words;
    return result;
}

static const unsigned long long GB_ORDER_SET = 1ull << 62, GB_ORDER_TILE = 1ull << 56,
                                GB_ORDER_PREFIX = 255ull << 56;

static __device__ __forceinline__ bool gb_order_says(unsigned long long group)
{
    return group >> 56 == GB_ORDER_GROUP || group >= GB_ORDER_PREFIX;
}

/* How many elements a tile keeps, for others to see. One thread. */
static __device__ __forceinline__ void gb_order_publish(const gb_order_half &half,
                                                        unsigned long long tile, unsigned total)
{
    gb_now_set(&half.tile[tile], GB_ORDER_SET | total);
    atomicAdd(&half.group[tile / GB_ORDER_GROUP], GB_ORDER_TILE | total);
}

static __device__ __forceinline__ unsigned long long gb_order_sum(unsigned long long value)
{
#pragma unroll
    for (int d = 16; d; d /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, d);
    return value;
}

/* Elements that all tiles before `tile` keep; by one full warp. The last of a group tells it what
 * all groups before keep. Lanes look again only at what was not there yet: all tiles that run look
 * at the same few lines. */
static __device__ __forceinline__ unsigned long long gb_order_look_back(const gb_order_half &half,
                                                                        unsigned long long tile)
{
    const unsigned lane = threadIdx.x & 31u, own = (unsigned)(tile % GB_ORDER_GROUP);
    const unsigned long long first = tile - own, low = GB_ORDER_TILE - 1;
    unsigned long long sum = 0, word = lane < own ? 0 : GB_ORDER_SET;
    for (long long last = (long long)(tile / GB_ORDER_GROUP) - 1;; last -= 32) {
        const long long g = last - lane; /* lane 0 looks at the nearest */
        unsigned long long group = g < 0 ? GB_ORDER_PREFIX : 0;
        do {
            if (!word) word = gb_now_at(&half.tile[first + lane]);
            if (!gb_order_says(group)) group = gb_now_at(&half.group[g]);
        } while (!__all_sync(0xffffffffu, word && gb_order_says(group)));
        const unsigned ends = __ballot_sync(0xffffffffu, group >= GB_ORDER_PREFIX);
        const unsigned nearest = ends ? (unsigned)__ffs((int)ends) - 1u : 32u;
        sum += gb_order_sum(lane <= nearest ? group & low : 0);
        if (ends) break;
    }
    if (own == GB_ORDER_GROUP - 1 && lane == 0)
        atomicAdd(&half.group[tile / GB_ORDER_GROUP],
                  GB_ORDER_PREFIX - GB_ORDER_GROUP * GB_ORDER_TILE + sum);
    return sum + gb_order_sum(word & low);
}

/* Clears what the call before has left in a half, `dirty` tiles; the tile's share. One thread. */
static __device__ __forceinline__ void gb_order_clear(const gb_order_half &half,
                                                      unsigned long long dirty,
                                                      unsigned long long tile,
                                                      unsigned long long tiles)
{
    for (unsigned long long t = tile; t < dirty; t += tiles) {
        half.tile[t] = 0;
        if (t % GB_ORDER_GROUP == 0) half.group[t / GB_ORDER_GROUP] = 0;
    }
}

/* Makes the scratch ready for the next call. By the last tile when it has looked back: all others
 * have read what is changed here before they published their counts. One thread. */
static __device__ __forceinline__ void gb_order_turn(gb_order_scratch *scratch, unsigned half,
                                                     unsigned long long tiles)
{
    scratch->ticket = 0;
    gb_now_set(&scratch->dirty[half], tiles);
    gb_now_set(&scratch->dirty[1 - half], 0ull);
    gb_now_set(&scratch->half, 1ull - half);
}

/* What a block knows of its tile; in shared memory. */
struct gb_order_tile {
    unsigned long long number, base, dirty; /* base: the array's size before the call */
    unsigned half;
};

/* Pushes those of in[0, n) that pass, in their order, behind what the array holds. One block a
 * tile. Nobody else may push meanwhile. */
template <class E, int THREADS, int VECTORS, class Keep>
static __global__ void __launch_bounds__(THREADS, GB_ORDERED_RESIDENT / THREADS)
    gb_push_kept_in_order(gb_growable_view v, const E *__restrict__ in, unsigned long long n,
                          unsigned long long tiles, Keep keep, gb_order_scratch *scratch,
                          unsigned long long most_tiles)
{
    typedef gb_tile<E, THREADS, VECTORS> tile_type;
    __shared__ typename tile_type::shared shared;
    __shared__ gb_tile_places places;
    __shared__ gb_order_tile mine;
    if (threadIdx.x == 0) mine.number = atomicAdd(&scratch->ticket, 1ull);
    if (threadIdx.x == 32) { /* they change when all have read them: the L1 may answer */
        const unsigned long long half = gb_maybe_at(&scratch->half);
        mine.dirty = gb_maybe_at(&scratch->dirty[half ? 0 : 1]);
        mine.base = gb_maybe_at(&v.control->size);
        mine.half = (unsigned)half;
    }
    __syncthreads();
    const unsigned long long number = mine.number;
    const gb_order_half half = gb_order_half_of(scratch, most_tiles, mine.half);
    tile_type tile;
    tile.load(in, n, number * tile_type::SIZE);
    tile.count(&shared, keep);
    const unsigned total = tile.total;
    if (threadIdx.x == 0) gb_order_publish(half, number, total);
    tile.pack(&shared);
    if (threadIdx.x < 32) {
        const unsigned long long before = gb_order_look_back(half, number);
        if (threadIdx.x == 0) {
            const unsigned long long place = mine.base + before;
            places.place = place;
            places.granule = gb_granule_remembered(v, place >> v.granule_log2);
            if (number + 1 == tiles) {
                gb_now_set(&v.control->size, place + total);
                gb_order_turn(scratch, mine.half, tiles);
            }
        }
    }
    __syncthreads();
    if (total) (void)gb_place_tile<E, THREADS, VECTORS>(v, &shared, total, &places, number);
    if (threadIdx.x == 0)
        gb_order_clear(gb_order_half_of(scratch, most_tiles, 1 - mine.half), mine.dirty, number,
                       tiles);
}

#endif
