/* Which kernel a pass takes on a device: how large a tile is, and how shared memory is cut. */
#ifndef GB_MULTIPARTITION_PASS_CUH
#define GB_MULTIPARTITION_PASS_CUH

#include "kernels/multipartition/mend.cuh"
#include "kernels/multipartition/foresee.cuh"
#include "kernels/multipartition/ordered.cuh"

#include <math.h>

/* A kernel's launch: blocks of `threads` that take tiles of threads x items elements. */
typedef struct mp_launch {
    unsigned threads, items, per_sm; /* blocks on a multiprocessor */
    mp_cut cut;
    size_t shared; /* dynamic, bytes */
} mp_launch;

/* Bytes of shared memory for one of per_sm blocks, less what the runtime and static arrays take. */
static inline size_t mp_shared_budget(const gb_device *device, unsigned per_sm)
{
    size_t most = device->shared_per_sm / per_sm - 1024;
    if (most > device->shared_optin) most = device->shared_optin;
    return most > 1024 ? most - 1024 : 0;
}

/* Cuts shared memory into buffers for `digits`, with the largest groups that leave room for the
 * spread of their sizes. false: there is no room. fixed: bytes for other things. most: slots that
 * can be numbered. */
static inline bool mp_cut_shared(const gb_device *device, unsigned digits, unsigned element_bytes,
                                 size_t fixed, unsigned most, mp_launch *launch)
{
    const size_t budget = mp_shared_budget(device, launch->per_sm);
    if (budget <= fixed) return false;
    size_t slots = (budget - fixed) / element_bytes;
    if (slots > most) slots = most;
    const double tile = (double)launch->threads * launch->items;
    for (unsigned log = 5; log >= 3; log--) {
        const double least = log == 3 ? 1 : 4; /* standard deviations */
        const double left = (double)slots - tile - 2.0 * digits * (1u << log);
        const double spread = left / sqrt(tile * digits);
        if (spread < least) continue;
        launch->cut.slots = (unsigned)slots & ~31u;
        launch->cut.group_log = log;
        launch->cut.spread = (float)(0.99 * spread);
        launch->shared = (size_t)launch->cut.slots * element_bytes + fixed;
        return true;
    }
    return false;
}

template <class Key, int WORDS>
using mp_unordered_kernel = void (*)(mp_elements<Key, WORDS>, mp_elements<Key, WORDS>,
                                     mp_elements<Key, WORDS>, mp_elements<Key, WORDS>, uint64_t,
                                     mp_digit, mp_cut, mp_regions);
template <class Key, int WORDS>
using mp_ordered_kernel = void (*)(mp_elements<Key, WORDS>, mp_elements<Key, WORDS>, uint64_t,
                                   mp_digit, mp_cut, mp_parts);

/* Of several tile shapes the first whose buffers fit. */
template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, int FEW_BITS>
static bool mp_try_unordered(const gb_device *device, unsigned digits, mp_launch *launch,
                             mp_unordered_kernel<Key, WORDS> *kernel)
{
    *launch = mp_launch{THREADS, ITEMS, BLOCKS, {}, 0};
    *kernel = mp_move_unordered<Key, WORDS, THREADS, ITEMS, BLOCKS, FEW_BITS>;
    return digits <= THREADS &&
           mp_cut_shared(device, digits, sizeof(Key) + 4 * WORDS,
                         digits * (sizeof(mp_route) + sizeof(unsigned)), 65535, launch);
}

template <class Key, int WORDS>
static bool mp_choose_unordered(const gb_device *device, unsigned digits, uint64_t n,
                                mp_launch *launch, mp_unordered_kernel<Key, WORDS> *kernel)
{
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    if constexpr (sizeof(Key) == 4 && WORDS == 0) {
        if (digits <= 2) return mp_try_unordered<Key, WORDS, 512, 16, 2, 1>(device, digits, launch, kernel) ||
                   mp_try_unordered<Key, WORDS, 256, 8, 1, 1>(device, digits, launch, kernel);
        if (digits <= 16 &&
            mp_try_unordered<Key, WORDS, 512, 16, 2, 4>(device, digits, launch, kernel))
            return true;
        if (n > sms * 16384 || digits > 256) {
            if (digits <= 256 &&
                mp_try_unordered<Key, WORDS, 512, 16, 2, 0>(device, digits, launch, kernel))
                return true;
            if (digits <= 512 &&
                mp_try_unordered<Key, WORDS, 1024, 16, 1, 0>(device, digits, launch, kernel))
                return true;
            if (mp_try_unordered<Key, WORDS, 1024, 8, 1, 0>(device, digits, launch, kernel))
                return true;
        }
        return mp_try_unordered<Key, WORDS, 256, 8, 1, 0>(device, digits, launch, kernel);
    } else {
        if (mp_try_unordered<Key, WORDS, 512, 8, 2, 0>(device, digits, launch, kernel)) return true;
        return mp_try_unordered<Key, WORDS, 1024, 4, 1, 0>(device, digits, launch, kernel) ||
               mp_try_unordered<Key, WORDS, 256, 4, 1, 0>(device, digits, launch, kernel);
    }
}

template <class Key, int WORDS, int THREADS, int ITEMS, int BLOCKS, int BITS>
static bool mp_try_ordered(const gb_device *device, unsigned digits, mp_launch *launch,
                           mp_ordered_kernel<Key, WORDS> *kernel)
{
    *launch = mp_launch{THREADS, ITEMS, BLOCKS, {}, 0};
    *kernel = mp_move_ordered<Key, WORDS, THREADS, ITEMS, BLOCKS, BITS>;
    return digits <= THREADS && digits <= 1u << BITS &&
           mp_cut_shared(device, digits, sizeof(Key) + 4 * WORDS,
                         digits * sizeof(mp_stretch) +
                             THREADS / GB_WARP * ((digits + 1) & ~1u) * sizeof(unsigned short),
                         65535 - THREADS * ITEMS, launch);
}

template <class Key, int WORDS>
static bool mp_choose_ordered(const gb_device *device, unsigned digits, mp_launch *launch,
                              mp_ordered_kernel<Key, WORDS> *kernel)
{
    if constexpr (sizeof(Key) == 4 && WORDS == 0)
        return mp_try_ordered<Key, WORDS, 512, 16, 2, 1>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 512, 16, 2, 4>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 512, 16, 2, 6>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 512, 16, 2, 8>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 1024, 8, 1, 9>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 1024, 8, 1, 10>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 256, 8, 1, 8>(device, digits, launch, kernel);
    else
        return mp_try_ordered<Key, WORDS, 512, 8, 2, 8>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 1024, 4, 1, 10>(device, digits, launch, kernel) ||
               mp_try_ordered<Key, WORDS, 256, 4, 1, 8>(device, digits, launch, kernel);
}

#endif
