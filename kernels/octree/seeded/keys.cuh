/* The tree of a few bodies by a block or a warp, in shared memory: their keys are sorted, and
 * neighbours tell where cells begin. Of the body at i, left is the depth of the smallest cell that
 * holds it and the one before (-1: there is none), reach that of the smallest one that holds it and
 * the one behind; if that is more, the body begins the cells of depths left + 1 to reach. Depths
 * are counted from the slot in which the tree is to hang. */
#ifndef GB_OCTREE_SEEDED_KEYS_CUH
#define GB_OCTREE_SEEDED_KEYS_CUH

#include "common/cuda/warp.cuh"
#include "kernels/octree/cells.h"

/* A key is OS_DIGITS digits, and in the lowest bits a number, so that no two are the same. Only the
 * digits part bodies. */
typedef unsigned long long os_key;
enum { OS_DIGITS = 18, OS_NUMBER_BITS = 10 };
static const os_key OS_NONE = ~0ull; /* behind all keys */

/* A number's lowest nine bits, two zeros between each two. */
static __device__ __forceinline__ uint32_t os_spread9(uint32_t x)
{
    x = (x | x << 16) & 0x010000FFu; /* bit 8 goes to 24 */
    x = (x | x << 8) & 0x0100F00Fu;
    x = (x | x << 4) & 0x010C30C3u;
    return (x | x << 2) & 0x01249249u;
}

/* The key of a place: its digits of that depth and on. */
static __device__ __forceinline__ os_key os_key_of(oc_place place, int depth, unsigned number)
{
    enum { HALF = OS_DIGITS / 2, MASK = (1 << HALF) - 1 };
    const int high = OC_DEPTH - HALF - depth;
    const auto half = [&](uint32_t x, int part) {
        const int shift = high - part * HALF;
        return os_spread9((shift >= 0 ? x >> shift : x << -shift) & MASK);
    };
    const auto halves = [&](int part) {
        return half(place.x, part) << 2 | half(place.y, part) << 1 | half(place.z, part);
    };
    return (os_key)halves(0) << (3 * HALF + OS_NUMBER_BITS) | (os_key)halves(1) << OS_NUMBER_BITS |
           number;
}

static __device__ __forceinline__ unsigned os_number(os_key key)
{
    return (unsigned)key & ((1u << OS_NUMBER_BITS) - 1);
}
static __device__ __forceinline__ uint32_t os_digit(os_key key, int depth)
{
    return (uint32_t)(key >> (3 * (OS_DIGITS - 1 - depth) + OS_NUMBER_BITS)) & 7u;
}

/* The depth of the smallest cell that holds both, of two keys; OS_DIGITS: their digits are the
 * same. */
static __device__ __forceinline__ int os_common(os_key a, os_key b)
{
    const int same = __clzll((long long)(a ^ b)) / 3;
    return same < OS_DIGITS ? same : (int)OS_DIGITS;
}

/* Not behind the first key in the cell of that depth in which the key lies. */
static __device__ __forceinline__ os_key os_first_of(os_key key, int depth)
{
    const int shift = 3 * (OS_DIGITS - depth) + OS_NUMBER_BITS;
    return depth > 0 ? key >> shift << shift : 0;
}

/* ---- who works together ---------------------------------------------------------------------- */

/* All threads of a group call each of these. */
template <unsigned SIZE> struct os_block {
    static constexpr unsigned THREADS = SIZE;
    static __device__ __forceinline__ unsigned thread() { return threadIdx.x; }
    static __device__ __forceinline__ void sync() { __syncthreads(); }
    /* A barrier must be before, and behind before the memory is used again. */
    static __device__ __forceinline__ unsigned sum_before(unsigned value, unsigned *memory,
                                                          unsigned *all)
    {
        return gb_block_exclusive_sum_once<SIZE>(value, memory, all);
    }
};
struct os_warp {
    static constexpr unsigned THREADS = GB_WARP;
    static __device__ __forceinline__ unsigned thread() { return gb_lane(); }
    static __device__ __forceinline__ void sync() { __syncwarp(); }
    static __device__ __forceinline__ unsigned sum_before(unsigned value, unsigned *, unsigned *all)
    {
        const unsigned upto = gb_warp_inclusive_sum(value);
        *all = __shfl_sync(GB_FULL_MASK, upto, GB_WARP - 1);
        return upto - value;
    }
};

/* ---- keys in order --------------------------------------------------------------------------- */

/* Brings the lanes' keys into their order: a bitonic network (Batcher 1968). */
static __device__ __forceinline__ os_key os_sorted(os_key key)
{
    const unsigned lane = gb_lane();
#pragma unroll
    for (unsigned size = 2; size <= GB_WARP; size *= 2)
#pragma unroll
        for (unsigned step = size / 2; step; step /= 2) {
            const os_key other = __shfl_xor_sync(GB_FULL_MASK, key, (int)step);
            const bool low = !(lane & step) == (size == GB_WARP || !(lane & size));
            if ((other < key) == low) key = other;
        }
    return key;
}

/* How many of `of` keys in order, a power of two and the last no less, are less. */
static __device__ __forceinline__ unsigned os_less(const os_key *key, unsigned of, os_key than)
{
    unsigned rank = 0;
    for (unsigned step = of / 2; step; step /= 2)
        if (key[rank + step - 1] < than) rank += step;
    return rank;
}

/* What a body begins, and where. */
struct os_body {
    os_key key;
    int left, reach;
    __device__ __forceinline__ unsigned begins() const
    {
        return reach > left ? (unsigned)(reach - left) : 0;
    }
};

/* Shared memory of a group that has up to ROOM keys: a power of two, 32 at least. */
template <unsigned ROOM> struct os_bed {
    os_key key[2][ROOM];
    unsigned sums[GB_WARP], word;
};

template <class Group, unsigned ROOM> struct os_tree {
    os_bed<ROOM> &bed;
    os_key *now, *other;
    unsigned count;  /* keys */
    unsigned padded; /* to a power of two, 32 at least */

    __device__ __forceinline__ os_tree(os_bed<ROOM> &memory, unsigned keys)
        : bed(memory), now(memory.key[0]), other(memory.key[1]), count(keys), padded(GB_WARP)
    {
        while (padded < count)
            padded *= 2;
    }
    __device__ __forceinline__ void turn()
    {
        os_key *sorted = other;
        other = now;
        now = sorted;
        Group::sync();
    }

    /* Each key of a run of WIDTH finds its place in the run beside; and so on. */
    template <unsigned WIDTH> __device__ __forceinline__ void merge()
    {
        if (WIDTH >= padded) return;
        for (unsigned i = Group::thread(); i < padded; i += Group::THREADS) {
            const os_key key = now[i], *beside = &now[(i & ~(WIDTH - 1)) ^ WIDTH], *at = beside;
#pragma unroll
            for (unsigned step = WIDTH / 2; step; step /= 2)
                if (at[step - 1] < key) at += step;
            const unsigned rank = (unsigned)(at - beside) + (*at < key),
                           to = (i & ~(2 * WIDTH - 1)) + (i & (WIDTH - 1)) + rank;
            /* what is behind all keys stays behind */
            other[i < count || key != OS_NONE ? to : i] = key;
        }
        turn();
        if constexpr (2 * WIDTH < ROOM) merge<2 * WIDTH>();
    }

    /* Sorts what get(i) gives. */
    template <class Get> __device__ __forceinline__ void sort(Get &&get)
    {
        for (unsigned i = Group::thread(); i < padded; i += Group::THREADS)
            now[i] = os_sorted(i < count ? get(i) : OS_NONE);
        Group::sync();
        if (GB_WARP < ROOM) merge<GB_WARP>();
    }

    __device__ __forceinline__ os_body body(unsigned i) const
    {
        os_body made = {now[i], -1, -1};
        if (i) made.left = os_common(now[i - 1], made.key);
        if (i + 1 < count) made.reach = os_common(made.key, now[i + 1]);
        return made;
    }
    /* Of a body: number of a cell that it begins, less its depth. */
    __device__ __forceinline__ int *origin() const
    {
        return reinterpret_cast<int *>(other);
    }

    /* Leaves the first of keys with the same digits; of the others twin(number, the first's) is
     * told. */
    template <class Twin> __device__ __forceinline__ void part(Twin &&twin)
    {
        const os_key digits = ~0ull << OS_NUMBER_BITS;
        for (unsigned i = Group::thread(); i < count; i += Group::THREADS)
            if (i && os_common(now[i - 1], now[i]) == OS_DIGITS)
                twin(os_number(now[i]), os_number(now[os_less(now, padded, now[i] & digits)]));
        if (Group::thread() < GB_WARP) {
            unsigned left = 0;
            for (unsigned from = 0; from < padded; from += GB_WARP) {
                const unsigned i = from + gb_lane();
                const bool stays =
                    i < count && (i == 0 || os_common(now[i - 1], now[i]) != OS_DIGITS);
                const unsigned all = __ballot_sync(GB_FULL_MASK, stays);
                if (stays) other[left + __popc(all & gb_lanes_below())] = now[i];
                left += __popc(all);
            }
            for (unsigned i = left + gb_lane(); i < padded; i += GB_WARP)
                other[i] = OS_NONE;
            if (gb_lane() == 0) bed.word = left;
        }
        turn();
        count = bed.word;
    }

    /* Numbers the cells from 0 on, when of keys with the same digits only the first is left (part).
     * Returns how many there are: none for one key. */
    template <class Twin> __device__ __forceinline__ unsigned number(Twin &&twin)
    {
        enum { TWIN = 1 << 20 }; /* no tree here has so many cells */
        unsigned sum = 0;
        do {
            sum = 0;
            for (unsigned from = 0; from < count; from += Group::THREADS) {
                const unsigned i = from + Group::thread();
                os_body mine = {0, -1, -1};
                if (i < count) mine = body(i);
                unsigned all;
                const unsigned before = Group::sum_before(
                    mine.begins() + (mine.left == OS_DIGITS ? TWIN : 0), bed.sums, &all);
                if (i < count) origin()[i] = (int)(sum + before) - mine.left - 1;
                sum += all;
                Group::sync();
            }
            if (sum >= TWIN) part(twin);
        } while (sum >= TWIN);
        return sum;
    }

    /* Writes them, numbered from `first` on. told(cell, depth): of each of them; leaf(number): what
     * the slot of a body holds. */
    template <class Told, class Leaf>
    __device__ __forceinline__ void plant(unsigned cells, unsigned first, uint32_t *slot,
                                          Told &&told, Leaf &&leaf) const
    {
        uint4 *out = reinterpret_cast<uint4 *>(slot + (uint64_t)first * OC_SLOTS);
        for (unsigned k = Group::thread(); k < 2 * cells; k += Group::THREADS)
            out[k] = make_uint4(OC_EMPTY, OC_EMPTY, OC_EMPTY, OC_EMPTY);
        Group::sync();
        for (unsigned i = Group::thread(); i < count; i += Group::THREADS) {
            const os_body mine = body(i);
            const uint32_t holds = leaf(os_number(mine.key));
            uint32_t cell = first + (unsigned)(origin()[i] + mine.left + 1);
            if (mine.left >= 0) {
                const unsigned by = os_less(now, padded, os_first_of(mine.key, mine.left)),
                               above = first + (unsigned)(origin()[by] + mine.left);
                slot[(uint64_t)above * OC_SLOTS + os_digit(mine.key, mine.left)] =
                    mine.begins() ? OC_CELL | cell : holds;
            }
            for (int d = mine.left + 1; d <= mine.reach; d++, cell++) {
                told(cell, d);
                slot[(uint64_t)cell * OC_SLOTS + os_digit(mine.key, d)] =
                    d < mine.reach ? OC_CELL | (cell + 1) : holds;
            }
        }
    }
};

#endif
