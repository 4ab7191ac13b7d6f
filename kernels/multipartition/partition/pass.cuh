/* Which kernel a pass takes on a device: how large a tile is, and how shared memory is cut. */
#ifndef GB_MULTIPARTITION_PASS_CUH
#define GB_MULTIPARTITION_PASS_CUH

#include "kernels/multipartition/partition/ahead.cuh"
#include "kernels/multipartition/partition/counted.cuh"
#include "kernels/multipartition/partition/foresee.cuh"
#include "kernels/multipartition/partition/in_turn.cuh"
#include "kernels/multipartition/partition/limits_digit.cuh"
#include "kernels/multipartition/partition/mend.cuh"
#include "kernels/multipartition/partition/ordered.cuh"
#include "kernels/multipartition/partition/resident.cuh"
#include "kernels/multipartition/partition/tiles.cuh"

#include <math.h>
#include <type_traits>

/* A kernel's launch: blocks of `threads` that take tiles of threads x items elements. */
typedef struct mp_launch {
    unsigned threads, items, per_sm; /* blocks on a multiprocessor */
    mp_cut cut;
    size_t shared;   /* dynamic, bytes, */
    size_t table;    /* of which so many, the last ones, are for the copy of the digit's table */
    unsigned twins;  /* of a digit with a crowd, in an unordered pass */
    unsigned spread; /* words of a digit there */
} mp_launch;

/* The digit as a kernel has it that is launched so. */
template <class Digit> static inline Digit mp_launched(const Digit &digit, const mp_launch &launch)
{
    return mp_copied(digit, launch.table > 0, launch.shared - launch.table);
}

/* What a pass needs of shared memory: buffers for so many digits, so many bytes for the copy of
 * their table (mp_copy_bytes; 0: without one), and counters, of whole bins, if it counts those. */
typedef struct mp_need {
    unsigned digits;
    size_t table;
    unsigned counters;
} mp_need;

/* Bytes of dynamic shared memory for one of per_sm blocks. A seventh is left to the L1, where
 * both are one memory: all loads come through it, and tiles of 32 keys a thread wait for room
 * there. */
static inline size_t mp_shared_budget(const gb_device *device, unsigned per_sm)
{
    enum { RESERVED = 1024, STATIC = 2048 }; /* the runtime's and the kernels' own, a block */
    const bool one_memory = device->shared_per_sm > 64 * 1024; /* for shared memory and L1 */
    size_t most = (one_memory ? device->shared_per_sm / 7 * 6 : device->shared_per_sm) / per_sm;
    if (most > device->shared_optin - RESERVED) most = device->shared_optin - RESERVED;
    return most > STATIC ? most - STATIC : 0;
}

/* Elements of a digit that leave by a team of lanes while others of the warp write other digits:
 * somewhat more than most digits have in a tile, or, where there are more teams than digits, the
 * least that has to be gone before what is left may move. */
static inline unsigned mp_by_team(const mp_launch &launch, unsigned digits, unsigned group)
{
    const unsigned teams = 4 * GB_WARP / group, warps = launch.threads / GB_WARP;
    const unsigned least = group > MP_LEAST_MOVED ? group : (unsigned)MP_LEAST_MOVED;
    if (digits < warps * teams) return least;
    const unsigned mean = launch.threads * launch.items / digits;
    return (unsigned)mp_ceil_div(2 * mean, group) * group + least;
}

/* Cuts shared memory into buffers for the digits, with the largest groups that leave room for the
 * spread of their sizes. false: there is no room. fixed: bytes for other things. */
static inline bool mp_cut_shared(const gb_device *device, const mp_need &need,
                                 unsigned element_bytes, size_t fixed, bool ordered,
                                 mp_launch *launch)
{
    const unsigned digits = need.digits;
    size_t budget = mp_shared_budget(device, launch->per_sm);
    budget -= budget < need.table ? budget : need.table;
    if (budget <= fixed) return false;
    size_t slots = (budget - fixed) / element_bytes;
    const double tile = (double)launch->threads * launch->items;
    const size_t most = 65535 - launch->threads * launch->items; /* that half a word numbers */
    if (slots > most) slots = most;
    for (unsigned log = 5; log >= 3; log--) {
        const double least = log == 3 ? 1 : 3.5; /* standard deviations */
        /* less than a group is left of a digit, and room comes in groups; elements that have no
         * place in a region that is full, up to 15, wait for the end */
        const unsigned spare = log == 3 && !ordered ? 24 : 2u << log;
        const double left = (double)slots - tile - (double)digits * spare;
        const double spread = left / sqrt(tile * digits);
        if (spread < least) continue;
        launch->cut.slots = (unsigned)slots & ~31u;
        launch->cut.group_log = log;
        launch->cut.by_team = mp_by_team(*launch, digits, 1u << log);
        launch->cut.spare = spare;
        launch->cut.spread = (float)(0.99 * spread);
        launch->table = need.table;
        launch->shared = (size_t)launch->cut.slots * element_bytes + fixed + need.table;
        return true;
    }
    return false;
}

template <class Key, int WORDS, class Digit>
using mp_unordered_kernel = void (*)(mp_elements<Key, WORDS>, mp_elements<Key, WORDS>,
                                     mp_elements<Key, WORDS>, mp_elements<Key, WORDS>, uint64_t,
                                     Digit, mp_cut, mp_regions, mp_runs<Key, WORDS, Digit>);
template <class Key, int WORDS, class Digit>
using mp_ordered_kernel = void (*)(mp_elements<Key, WORDS>, mp_elements<Key, WORDS>, uint64_t,
                                   Digit, mp_cut, mp_parts);
template <class Key, int WORDS, class Digit>
using mp_in_turn_kernel = void (*)(mp_elements<Key, WORDS>, mp_elements<Key, WORDS>, uint64_t,
                                   Digit, mp_cut, mp_parts, unsigned *);

/* Of several tile shapes the first whose buffers fit. */
template <class Key, int WORDS, int THREADS, int MOST, int BLOCKS, mp_kind KIND = MP_PLAIN,
          class Digit>
static bool mp_try_unordered(const gb_device *device, const mp_need &need, mp_launch *launch,
                             mp_unordered_kernel<Key, WORDS, Digit> *kernel)
{
    constexpr int ITEMS = mp_items_of<Digit, MOST>::value;
    typedef mp_unordered<Key, WORDS, THREADS, ITEMS, KIND, Digit> block_of;
    *launch = mp_launch{THREADS, ITEMS, BLOCKS, {}, 0, 0, block_of::TWINS, block_of::SPREAD};
    *kernel = mp_move_unordered<Key, WORDS, THREADS, ITEMS, BLOCKS, KIND, Digit>;
    const unsigned all = block_of::words_for(need.digits);
    return all <= THREADS &&
           mp_cut_shared(device, mp_need{all, need.table, 0}, sizeof(Key) + 4 * WORDS,
                         sizeof(mp_unordered_shared<Key, WORDS, Digit>) +
                             all * (sizeof(mp_route<WORDS>) + sizeof(unsigned)) +
                             need.counters * sizeof(unsigned),
                         false, launch);
}

/* n: elements, or UINT64_MAX where small inputs are not told apart. stretch: elements that a block
 * has of a segment. crowd: a digit may have much more than others. */
template <class Key, int WORDS, class Digit>
static bool mp_choose_unordered(const gb_device *device, const mp_need &need, uint64_t n,
                                uint64_t stretch, bool crowd, mp_launch *launch,
                                mp_unordered_kernel<Key, WORDS, Digit> *kernel)
{
    if constexpr (sizeof(Key) == 4 && WORDS == 0) {
        const unsigned digits = need.digits;
        const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
        const bool large = n > sms * 2 * 256 * 32;
        /* one large block does not hide its beginnings and ends; two do */
        const unsigned most_by_two = stretch < 12 * 512 * 32 ? 256 : 100;
        if (digits <= 2 &&
            mp_try_unordered<Key, WORDS, 256, 24, 2, MP_OF_TWO>(device, need, launch, kernel))
            return true;
        if (!crowd && large && digits <= 4 &&
            mp_try_unordered<Key, WORDS, 256, 32, 2, MP_OF_FOUR>(device, need, launch, kernel))
            return true;
        if (!crowd && large && digits <= MP_FEW &&
            mp_try_unordered<Key, WORDS, 256, 32, 2, MP_OF_FEW>(device, need, launch, kernel))
            return true;
        if (crowd && large && digits <= 100 &&
            mp_try_unordered<Key, WORDS, 256, 32, 2, MP_FOR_CROWDS>(device, need, launch, kernel))
            return true;
        if (crowd && large &&
            mp_try_unordered<Key, WORDS, 512, 32, 1, MP_FOR_CROWDS>(device, need, launch, kernel))
            return true;
        if (crowd && large && digits > 512 &&
            mp_try_unordered<Key, WORDS, 1024, 12, 1, MP_FOR_CROWDS>(device, need, launch, kernel))
            return true;
        if (large && digits <= most_by_two &&
            mp_try_unordered<Key, WORDS, 256, 32, 2>(device, need, launch, kernel))
            return true;
        if (large && digits <= 512 &&
            mp_try_unordered<Key, WORDS, 512, 32, 1>(device, need, launch, kernel))
            return true;
        return (digits > 256 &&
                mp_try_unordered<Key, WORDS, 1024, 12, 1>(device, need, launch, kernel)) ||
               mp_try_unordered<Key, WORDS, 256, 16, 2>(device, need, launch, kernel) ||
               mp_try_unordered<Key, WORDS, 256, 8, 1>(device, need, launch, kernel);
    } else {
        (void)crowd, (void)n, (void)stretch;
        return mp_try_unordered<Key, WORDS, 256, 16, 2>(device, need, launch, kernel) ||
               mp_try_unordered<Key, WORDS, 1024, 4, 1>(device, need, launch, kernel) ||
               mp_try_unordered<Key, WORDS, 256, 4, 1>(device, need, launch, kernel);
    }
}

/* One that counts whole bins in passing. */
template <class Key, int WORDS, class Digit>
static bool mp_choose_counting(const gb_device *device, const mp_need &need, mp_launch *launch,
                               mp_unordered_kernel<Key, WORDS, Digit> *kernel)
{
    if constexpr (sizeof(Key) == 4 && WORDS == 0)
        return mp_try_unordered<Key, WORDS, 256, 32, 2, MP_COUNTING>(device, need, launch,
                                                                     kernel) ||
               mp_try_unordered<Key, WORDS, 512, 32, 1, MP_COUNTING>(device, need, launch,
                                                                     kernel) ||
               mp_try_unordered<Key, WORDS, 256, 8, 1, MP_COUNTING>(device, need, launch, kernel);
    else
        return mp_try_unordered<Key, WORDS, 256, 16, 2, MP_COUNTING>(device, need, launch,
                                                                     kernel) ||
               mp_try_unordered<Key, WORDS, 256, 4, 1, MP_COUNTING>(device, need, launch, kernel);
}

template <class Key, int WORDS, int THREADS, int MOST, int BLOCKS, int BITS, bool PIECES,
          bool CROWD = false, class Digit>
static bool mp_try_ordered(const gb_device *device, const mp_need &need, mp_launch *launch,
                           mp_ordered_kernel<Key, WORDS, Digit> *kernel)
{
    constexpr int ITEMS = mp_items_of<Digit, MOST>::value;
    *launch = mp_launch{THREADS, ITEMS, BLOCKS, {}, 0, 0, 0, 1};
    *kernel = mp_move_ordered<Key, WORDS, THREADS, ITEMS, BLOCKS, BITS, CROWD, PIECES, Digit>;
    const unsigned most = 1u << BITS < THREADS ? 1u << BITS : THREADS;
    return need.digits <= most &&
           mp_cut_shared(device, need, sizeof(Key) + 4 * WORDS,
                         mp_ordered_tables<THREADS, BITS, CROWD>(need.digits), true, launch);
}

/* Whether votes do a pass in which digits have crowds faster than slots drawn in turn. */
template <class Key, int WORDS> static bool mp_votes_suit_crowds(unsigned digits)
{
    return sizeof(Key) == 4 && WORDS == 0 && digits <= 128;
}

/* n: elements. crowd: a digit may have most of a tile. To 64 digits blocks of four warps have few
 * counts of warps to add up, and are as many as where slots are drawn in turn, whose parts votes
 * may have to take over; of fewer elements than they have at once larger blocks are sooner through.
 */
template <bool PIECES, class Key, int WORDS, class Digit>
static bool mp_choose_ordered(const gb_device *device, const mp_need &need, uint64_t n, bool crowd,
                              mp_launch *launch, mp_ordered_kernel<Key, WORDS, Digit> *kernel)
{
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    const bool large = n > sms * 3 * 128 * 32;
    (void)crowd, (void)large;
    if constexpr (sizeof(Key) == 4 && WORDS == 0)
        return mp_try_ordered<Key, WORDS, 256, 16, 4, 1, PIECES>(device, need, launch, kernel) ||
               (large && need.digits > 4 &&
                mp_try_ordered<Key, WORDS, 128, 32, 4, 4, PIECES>(device, need, launch, kernel)) ||
               mp_try_ordered<Key, WORDS, 256, 20, 3, 4, PIECES>(device, need, launch, kernel) ||
               (crowd && mp_try_ordered<Key, WORDS, 256, 16, 3, 6, PIECES, true>(device, need,
                                                                                 launch, kernel)) ||
               (crowd && need.digits > 64 &&
                mp_try_ordered<Key, WORDS, 256, 24, 2, 7, PIECES, true>(device, need, launch,
                                                                        kernel)) ||
               (large &&
                mp_try_ordered<Key, WORDS, 128, 32, 4, 6, PIECES>(device, need, launch, kernel)) ||
               mp_try_ordered<Key, WORDS, 256, 16, 3, 6, PIECES>(device, need, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 256, 24, 2, 8, PIECES>(device, need, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 512, 20, 1, 9, PIECES>(device, need, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 1024, 4, 1, 10, PIECES>(device, need, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 256, 8, 1, 8, PIECES>(device, need, launch, kernel);
    else
        return mp_try_ordered<Key, WORDS, 256, 12, 2, 8, PIECES>(device, need, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 1024, 4, 1, 10, PIECES>(device, need, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 256, 4, 1, 8, PIECES>(device, need, launch, kernel);
}

template <class Key, int WORDS, int THREADS, int MOST, int BLOCKS, bool PIECES, bool CROWD = false,
          class Digit>
static bool mp_try_in_turn(const gb_device *device, const mp_need &need, mp_launch *launch,
                           mp_in_turn_kernel<Key, WORDS, Digit> *kernel)
{
    constexpr int ITEMS = mp_items_of<Digit, MOST>::value;
    *launch = mp_launch{THREADS, ITEMS, BLOCKS, {}, 0, 0, 0, 1};
    *kernel = mp_move_in_turn<Key, WORDS, THREADS, ITEMS, BLOCKS, CROWD, PIECES, Digit>;
    return need.digits <= THREADS &&
           mp_cut_shared(device, need, sizeof(Key) + 4 * WORDS,
                         mp_in_turn_tables<THREADS, CROWD>(need.digits), true, launch);
}

template <bool PIECES, class Key, int WORDS, class Digit>
static bool mp_choose_in_turn(const gb_device *device, const mp_need &need, bool crowd,
                              mp_launch *launch, mp_in_turn_kernel<Key, WORDS, Digit> *kernel)
{
    if constexpr (sizeof(Key) == 4 && WORDS == 0)
        return (crowd && mp_try_in_turn<Key, WORDS, 128, 24, 4, PIECES, true>(device, need, launch,
                                                                              kernel)) ||
               (crowd && mp_try_in_turn<Key, WORDS, 256, 24, 2, PIECES, true>(device, need, launch,
                                                                              kernel)) ||
               mp_try_in_turn<Key, WORDS, 128, 24, 4, PIECES>(device, need, launch, kernel) ||
               mp_try_in_turn<Key, WORDS, 256, 24, 2, PIECES>(device, need, launch, kernel) ||
               mp_try_in_turn<Key, WORDS, 512, 24, 1, PIECES>(device, need, launch, kernel) ||
               mp_try_in_turn<Key, WORDS, 1024, 8, 1, PIECES>(device, need, launch, kernel) ||
               mp_try_in_turn<Key, WORDS, 256, 8, 1, PIECES>(device, need, launch, kernel);
    else
        return mp_try_in_turn<Key, WORDS, 256, 12, 2, PIECES>(device, need, launch, kernel) ||
               mp_try_in_turn<Key, WORDS, 1024, 4, 1, PIECES>(device, need, launch, kernel) ||
               mp_try_in_turn<Key, WORDS, 256, 4, 1, PIECES>(device, need, launch, kernel);
}

template <class Key, int WORDS, class Digit>
using mp_tiles_in_order_kernel = void (*)(mp_elements<Key, WORDS>, mp_elements<Key, WORDS>,
                                          uint64_t, Digit, mp_parts);
template <class Key, int WORDS, class Digit>
using mp_tiles_kernel = void (*)(mp_elements<Key, WORDS>, mp_elements<Key, WORDS>,
                                 mp_elements<Key, WORDS>, uint64_t, Digit, mp_regions);

/* Bytes of dynamic shared memory for one of per_sm blocks whose loads do not wait in the L1. */
static inline size_t mp_tiles_budget(const gb_device *device, unsigned per_sm)
{
    enum { RESERVED = 1024, STATIC = 256 }; /* the runtime's and the kernels' own, a block */
    size_t most = device->shared_per_sm / per_sm;
    if (most > device->shared_optin + RESERVED) most = device->shared_optin + RESERVED;
    return most > RESERVED + STATIC ? most - (RESERVED + STATIC) : 0;
}

/* Kernel: one of both. */
template <class Key, int WORDS, int THREADS, int MOST, int BLOCKS, bool PIECES, class Digit,
          class Kernel>
static bool mp_try_tiles(const gb_device *device, const mp_need &need, mp_launch *launch,
                         Kernel *kernel)
{
    constexpr int ITEMS = mp_items_of<Digit, MOST>::value;
    constexpr bool IN_ORDER =
        std::is_same<Kernel, mp_tiles_in_order_kernel<Key, WORDS, Digit>>::value;
    *launch = mp_launch{THREADS, ITEMS, BLOCKS, {}, 0, need.table, 0, 1};
    if constexpr (IN_ORDER)
        *kernel = mp_move_tiles_in_order<Key, WORDS, THREADS, ITEMS, BLOCKS, PIECES, Digit>;
    else
        *kernel = mp_move_tiles<Key, WORDS, THREADS, ITEMS, BLOCKS, Digit>;
    launch->shared =
        mp_tiles<Key, WORDS, THREADS, ITEMS, IN_ORDER, Digit>::bytes(need.digits) + need.table;
    return need.digits <= THREADS && launch->shared <= mp_tiles_budget(device, BLOCKS);
}

/* The largest tile that 227 KiB have room for beside 256 digits: the threads' items, or, where 512
 * threads would have too few of the widest elements, of 448. */
template <class Key, int WORDS> struct mp_largest_tile {
    static const int BYTES = sizeof(Key) + 4 * WORDS + (WORDS > 0 ? 4 : 2);
    static const int THREADS = BYTES > 24 ? 448 : 512;
    static const int ITEMS = BYTES > 20 ? 16 : BYTES > 16 ? 20 : BYTES > 12 || WORDS == 0 ? 24 : 28;
};

/* One whose tiles are sorted in shared memory, in order or not. Of few digits two blocks hide each
 * other's barriers; of many, runs are to be long, and there is one, as where votes take their time
 * anyway. */
template <bool PIECES, class Key, int WORDS, class Digit, class Kernel>
static bool mp_choose_tiles(const gb_device *device, const mp_need &need, mp_launch *launch,
                            Kernel *kernel)
{
    if constexpr (std::is_same<Kernel, mp_tiles_kernel<Key, WORDS, Digit>>()) {
        typedef mp_largest_tile<Key, WORDS> largest;
        if (need.digits > 64 &&
            mp_try_tiles<Key, WORDS, largest::THREADS, largest::ITEMS, 1, PIECES, Digit>(
                device, need, launch, kernel))
            return true;
        if (mp_try_tiles<Key, WORDS, 384, 12, 2, PIECES, Digit>(device, need, launch, kernel))
            return true;
    } else if constexpr (sizeof(Key) == 8) { /* more would spill */
        constexpr int THREADS = WORDS == 2 ? 1024 : WORDS == 4 ? 448 : 512;
        constexpr int ITEMS = WORDS == 2 ? 8 : 16;
        if (mp_try_tiles<Key, WORDS, THREADS, ITEMS, 1, PIECES, Digit>(device, need, launch,
                                                                       kernel))
            return true;
    } else {
        typedef mp_largest_tile<Key, WORDS> largest;
        if (mp_try_tiles<Key, WORDS, largest::THREADS, largest::ITEMS, 1, PIECES, Digit>(
                device, need, launch, kernel))
            return true;
    }
    return mp_try_tiles<Key, WORDS, 512, 8, 2, PIECES, Digit>(device, need, launch, kernel) ||
           mp_try_tiles<Key, WORDS, 1024, 4, 1, PIECES, Digit>(device, need, launch, kernel) ||
           mp_try_tiles<Key, WORDS, 256, 8, 1, PIECES, Digit>(device, need, launch, kernel) ||
           mp_try_tiles<Key, WORDS, 128, 8, 1, PIECES, Digit>(device, need, launch, kernel);
}

/* The kernels of a first pass that takes heavy bins to their places. */
template <class Key, int WORDS, class Digit>
static bool mp_choose_heavy_ordered(const gb_device *device, const mp_need &need, mp_launch *launch,
                                    mp_ordered_kernel<Key, WORDS, mp_heavy_digit<Digit>> *kernel)
{
    if constexpr (sizeof(Key) == 4 && WORDS == 0)
        return mp_try_ordered<Key, WORDS, 256, 16, 3, 6, false, true>(device, need, launch,
                                                                      kernel) ||
               mp_try_ordered<Key, WORDS, 256, 24, 2, 7, false, true>(device, need, launch,
                                                                      kernel) ||
               mp_try_ordered<Key, WORDS, 256, 24, 2, 8, false, true>(device, need, launch, kernel);
    else
        return (void)device, (void)need, (void)launch, (void)kernel, false;
}

template <class Key, int WORDS, class Digit>
static bool mp_choose_heavy_in_turn(const gb_device *device, const mp_need &need, mp_launch *launch,
                                    mp_in_turn_kernel<Key, WORDS, mp_heavy_digit<Digit>> *kernel)
{
    if constexpr (sizeof(Key) == 4 && WORDS == 0)
        return mp_try_in_turn<Key, WORDS, 128, 24, 4, false, true>(device, need, launch, kernel) ||
               mp_try_in_turn<Key, WORDS, 256, 24, 2, false, true>(device, need, launch, kernel);
    else
        return (void)device, (void)need, (void)launch, (void)kernel, false;
}

#endif
