/* An array in device memory that grows while kernels push onto it: the device's side (growable.h
 * says what it is and makes one).
 *
 * A pointer to a granule goes from 0 to its value once while kernels run. So an ordinary load,
 * which the L1 may answer, is good for a value that is not 0, and costs next to nothing; only 0 is
 * looked at again, past the L1. Nothing here uses what came after Kepler, and no lane waits for
 * another one: a missing granule is taken by whoever misses it. */
#ifndef GB_GROWABLE_CUH
#define GB_GROWABLE_CUH

#include "growable.h"

/* ---- what lies in device memory -------------------------------------------------------------- */

/* Each word that many threads change has a line of its own. */
struct gb_growable_control {
    unsigned long long size; /* places reserved */
    unsigned long long fill0[15];
    unsigned long long unplaced; /* of these reserved without memory and not written yet */
    unsigned pending;            /* tiles noted in gb_growable_view.pending */
    unsigned pending_left;       /* of these not written yet */
    unsigned long long fill1[14];
    unsigned long long full; /* leading granules that are wholly stored (gb_growable_readable) */
    unsigned long long fill2[15];
};

/* Granules in the order in which they are handed out: order[0, next) are taken (or in the stack of
 * those that were taken in vain), order[next, limit) are free. */
struct gb_growable_pool_control {
    unsigned long long base; /* the first granule's address */
    unsigned granule_log2;   /* bytes, as a power of two */
    unsigned fill0[29];
    unsigned long long next;
    unsigned long long limit; /* granules with memory behind them */
    unsigned long long spare; /* changes << 32 | 1 + the last granule that was taken in vain */
    unsigned long long fill1[13];
};

/* A tile that has places without memory: those from its element `from` on. */
struct gb_growable_pending {
    unsigned long long tile, place, from;
};
static const unsigned long long GB_PENDING_DONE =
    ~0ull; /* the tile of one that was written since */

/* A granule of an array: a sector of the L1 each, so that what a thread remembers of one says
 * nothing of another. */
struct __align__(32) gb_growable_granule
{
    unsigned long long at;     /* its address; 0: not taken, GB_CLAIMED: somebody is taking it */
    unsigned long long stored; /* elements stored by pushes that are read while others push */
    unsigned long long fill[2];
};
static const unsigned long long GB_CLAIMED = 1;

/* How often a thread looks for a granule that is missing, half a microsecond apart, before it takes
 * one itself: longer than taking lasts. */
enum { GB_LOOKS = 64 };
/* How often a thread asks a pool that has none before it believes it. */
enum { GB_TRIES = 16 };

/* ---- granules -------------------------------------------------------------------------------- */

/* A word as it is now, not as the L1 remembers it. */
template <class W> static __device__ __forceinline__ W gb_now_at(const W *at)
{
#if defined(__CUDACC__)
    return *static_cast<const volatile W *>(at);
#else
    return __atomic_load_n(at, __ATOMIC_RELAXED);
#endif
}

/* Sets a word that others look at meanwhile. */
template <class W> static __device__ __forceinline__ void gb_now_set(W *at, W word)
{
#if defined(__CUDACC__)
    *static_cast<volatile W *>(at) = word;
#else
    __atomic_store_n(at, word, __ATOMIC_RELAXED);
#endif
}

/* A word that may be old. */
static __device__ __forceinline__ unsigned long long gb_maybe_at(const unsigned long long *at)
{
#if defined(__CUDACC__)
    unsigned long long value;
    asm("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(at));
    return value;
#else
    return __atomic_load_n(at, __ATOMIC_RELAXED);
#endif
}

/* Half a microsecond, where the generation can wait; a while, where it cannot. */
static __device__ __forceinline__ void gb_pause()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
    for (long long until = clock64() + 500; clock64() < until;) {
    }
#elif defined(__CUDACC__) || GB_ARCH >= 700
    __nanosleep(500);
#endif
}

/* Takes a granule: its number + 1, or 0 if there is none. The next one in order; then those that
 * were given back, a stack whose top counts changes so that it never looks the same again. Three
 * words are read as one trip, and the granule's number while the place in the order is taken. */
static __device__ inline unsigned long long gb_pool_take(const gb_growable_view &v)
{
    for (;;) {
        const unsigned long long next = gb_now_at(&v.pool->next), limit = gb_now_at(&v.pool->limit);
        const unsigned long long top = gb_now_at(&v.pool->spare);
        if (next < limit) {
            const unsigned number = v.order[next];
            if (atomicCAS(&v.pool->next, next, next + 1) == next) return number + 1ull;
        } else if (!(unsigned)top) {
            return 0;
        } else {
            const unsigned below = gb_now_at(&v.links[(unsigned)top - 1]);
            if (atomicCAS(&v.pool->spare, top, ((top >> 32) + 1) << 32 | below) == top)
                return (unsigned)top;
        }
    }
}

/* Gives a granule back that was taken in vain. */
static __device__ inline void gb_pool_give(const gb_growable_view &v,
                                           unsigned long long number_and_1)
{
    for (;;) {
        const unsigned long long top = gb_now_at(&v.pool->spare);
        gb_now_set(&v.links[number_and_1 - 1], (unsigned)top);
        __threadfence();
        if (atomicCAS(&v.pool->spare, top, ((top >> 32) + 1) << 32 | number_and_1) == top) return;
    }
}

/* The address in a granule's word, or 0. */
static __device__ __forceinline__ unsigned long long gb_taken(unsigned long long word)
{
    return word == GB_CLAIMED ? 0 : word;
}

static __device__ __forceinline__ unsigned long long
gb_granule_address(const gb_growable_view &v, unsigned long long number_and_1)
{
    return v.pool->base + ((number_and_1 - 1) << v.pool->granule_log2);
}

/* Puts a granule of the pool in the place of granule g, which is missing and, where that is not 0,
 * claimed. What is there then; 0: the pool has none. */
static __device__ inline unsigned long long
gb_growable_fill(const gb_growable_view &v, unsigned long long g, unsigned long long missing)
{
    const unsigned long long taken = gb_pool_take(v);
    if (!taken) return gb_taken(gb_now_at(&v.table[g].at));
    const unsigned long long at = gb_granule_address(v, taken);
    unsigned long long other = atomicCAS(&v.table[g].at, missing, at);
    if (other == missing) return at;
    /* whoever had claimed it has given up, or has come to claim it */
    while (other <= GB_CLAIMED) {
        missing = other;
        other = atomicCAS(&v.table[g].at, missing, at);
        if (other == missing) return at;
    }
    gb_pool_give(v, taken);
    return other;
}

/* Sees to granule g, which is in the table. Where nobody takes one, this thread says that it does;
 * where somebody does, it looks for a while, then takes one as well, for that thread may have been
 * stopped. Whichever comes first stays. */
static __device__ inline unsigned long long gb_growable_see_to(const gb_growable_view &v,
                                                               unsigned long long g)
{
    unsigned long long at = atomicCAS(&v.table[g].at, 0ull, GB_CLAIMED);
    if (!at) {
        at = gb_growable_fill(v, g, GB_CLAIMED);
        if (!at) at = gb_taken(atomicCAS(&v.table[g].at, GB_CLAIMED, 0ull));
        return at;
    }
    for (int look = 0; look < GB_LOOKS && at == GB_CLAIMED; look++) {
        gb_pause();
        at = gb_now_at(&v.table[g].at);
    }
    return at == GB_CLAIMED ? gb_growable_fill(v, g, GB_CLAIMED) : at;
}

/* Sees to granule g of the array; its address, or 0 if the pool has none or g is beyond the array.
 * Granules before it come first: what the pool has is never spent on places beyond a gap. */
static __device__ inline unsigned long long gb_growable_need(const gb_growable_view &v,
                                                             unsigned long long g)
{
    if (g >= v.granules) return 0;
    for (int tries = 1;; tries++) {
        unsigned long long first = g, at = 0;
        while (first && !gb_taken(gb_now_at(&v.table[first - 1].at)))
            first--;
        do
            at = gb_growable_see_to(v, first);
        while (at && first++ < g);
        if (at || tries == GB_TRIES) return at;
        gb_pause(); /* the last one may be on its way back from a thread that took it in vain */
    }
}

/* The address of granule g as the L1 remembers it; 0: ask gb_growable_need. */
static __device__ __forceinline__ unsigned long long
gb_granule_remembered(const gb_growable_view &v, unsigned long long g)
{
    return g < v.granules ? gb_taken(gb_maybe_at(&v.table[g].at)) : 0;
}

/* The address of granule g, taken if need be; 0: there is no memory for it. */
static __device__ __forceinline__ unsigned long long gb_granule(const gb_growable_view &v,
                                                                unsigned long long g)
{
    const unsigned long long at = gb_granule_remembered(v, g);
    return at ? at : gb_growable_need(v, g);
}

/* Where place i is; NULL: there is no memory for it. */
template <class E>
static __device__ __forceinline__ E *gb_place(const gb_growable_view &v, unsigned long long i)
{
    const unsigned long long granule = gb_granule(v, i >> v.granule_log2),
                             within = i & ((1ull << v.granule_log2) - 1);
    return granule ? reinterpret_cast<E *>(granule) + within : NULL;
}

/* ---- reserving ------------------------------------------------------------------------------- */

/* How many granules an array should have that uses so many sixteenths of a granule: as much again
 * as half of what it uses, so that growing keeps ahead of any number of threads, and one. */
static __host__ __device__ __forceinline__ unsigned long long
gb_growable_wanted(unsigned long long used)
{
    return 3 * used / 32 + 1;
}

/* Takes granule g before it is needed. The usual case is written without loops: three words that
 * come together, two compare-and-swaps, a microsecond. (In a loop nvcc yields to the warp's other
 * lanes, which under load has cost hundreds.) */
static __device__ __forceinline__ void gb_growable_take_ahead(const gb_growable_view &v,
                                                              unsigned long long g)
{
    const unsigned long long before = gb_now_at(&v.table[g - 1].at),
                             next = gb_now_at(&v.pool->next), limit = gb_now_at(&v.pool->limit);
    if (gb_taken(before) && next < limit) {
        const unsigned number = v.order[next];
        if (atomicCAS(&v.pool->next, next, next + 1) == next) {
            const unsigned long long at = gb_granule_address(v, number + 1ull);
            if (atomicCAS(&v.table[g].at, 0ull, at)) gb_pool_give(v, number + 1ull);
            return;
        }
    }
    (void)gb_growable_need(v, g);
}

/* Takes the granules that an array needs soon which has grown from one number of sixteenths to
 * another: of all reservations one has passed each threshold. */
static __device__ __forceinline__ void
gb_growable_grow(const gb_growable_view &v, unsigned long long from, unsigned long long to)
{
    const unsigned long long first = gb_growable_wanted(from), end = gb_growable_wanted(to);
    if (first < end && first < v.granules) gb_growable_take_ahead(v, first);
    for (unsigned long long g = first + 1; g < end; g++)
        (void)gb_growable_need(v, g);
}

/* Whether a reservation of `count` places from `place` on may pass a threshold. */
static __device__ __forceinline__ bool
gb_growable_passes(const gb_growable_view &v, unsigned long long place, unsigned long long count)
{
    const unsigned sixteenth = v.granule_log2 - 4;
    return place >> sixteenth != (place + count) >> sixteenth;
}

/* The granules that the array needs soon after a reservation of `count` places from `place` on. */
static __device__ __forceinline__ void
gb_growable_ahead(const gb_growable_view &v, unsigned long long place, unsigned long long count)
{
    const unsigned sixteenth = v.granule_log2 - 4;
    if (gb_growable_passes(v, place, count))
        gb_growable_grow(v, place >> sixteenth, (place + count) >> sixteenth);
}

/* Reserves `count` places: the index of the first. One thread calls it for all. */
static __device__ __forceinline__ unsigned long long gb_reserve(const gb_growable_view &v,
                                                                unsigned long long count)
{
    const unsigned long long place = atomicAdd(&v.control->size, count);
    gb_growable_ahead(v, place, count);
    return place;
}

/* ---- single elements ------------------------------------------------------------------------- */

/* Pushes an element from any thread, whatever others of its warp do: its index. *stored (if not
 * NULL) says whether there was memory for it; if not, the place is the caller's, who keeps the
 * element and calls gb_put when there is. Lanes that call together reserve together. */
template <class E>
static __device__ __forceinline__ unsigned long long
gb_push_back(const gb_growable_view &v, const E &element, bool *stored = NULL)
{
    const unsigned together = __activemask(), lane = threadIdx.x & 31u;
    const unsigned leader = (unsigned)__ffs((int)together) - 1u;
    unsigned long long place = 0;
    if (lane == leader) place = gb_reserve(v, (unsigned long long)__popc(together));
    place = __shfl_sync(together, place, (int)leader) +
            (unsigned long long)__popc(together & ((1u << lane) - 1u));
    E *at = gb_place<E>(v, place);
    if (at)
        *at = element;
    else
        atomicAdd(&v.control->unplaced, 1ull);
    if (stored) *stored = at != NULL;
    return place;
}

/* Writes the element of a place that had no memory; false: it still has none. */
template <class E>
static __device__ __forceinline__ bool gb_put(const gb_growable_view &v, unsigned long long place,
                                              const E &element)
{
    E *at = gb_place<E>(v, place);
    if (!at) return false;
    *at = element;
    atomicAdd(&v.control->unplaced, ~0ull);
    return true;
}

/* Element i, which has been stored by a kernel before or by this thread. */
template <class E>
static __device__ __forceinline__ E &gb_at(const gb_growable_view &v, unsigned long long i)
{
    return *gb_place<E>(v, i);
}

static __device__ __forceinline__ unsigned long long gb_size(const gb_growable_view &v)
{
    return gb_now_at(&v.control->size);
}

/* ---- reading while others push --------------------------------------------------------------- */

/* size says what was reserved. What has been stored as well is counted by granule, by pushes that
 * end with gb_stored: then gb_readable() elements can be read by anybody with gb_read. */

/* This thread's block has stored `count` elements from `place` on, and everybody who did has passed
 * a barrier since (or it was this thread alone). */
static __device__ __forceinline__ void gb_stored(const gb_growable_view &v,
                                                 unsigned long long place, unsigned long long count)
{
    const unsigned long long room = 1ull << v.granule_log2;
    __threadfence();
    while (count) {
        const unsigned long long g = place >> v.granule_log2, left = room - (place & (room - 1)),
                                 part = count < left ? count : left;
        atomicAdd(&v.table[g].stored, part);
        place += part;
        count -= part;
    }
}

/* So many elements, from the first on, have been stored. Falls behind size while others push: by
 * the elements of the granules that are not full. */
static __device__ inline unsigned long long gb_readable(const gb_growable_view &v)
{
    const unsigned long long room = 1ull << v.granule_log2;
    unsigned long long full = gb_now_at(&v.control->full), stored = 0;
    while (full < v.granules && (stored = gb_now_at(&v.table[full].stored)) == room) {
        atomicCAS(&v.control->full, full, full + 1);
        full++;
        stored = 0;
    }
    __threadfence();
    /* read after `stored`: if all that was reserved by now has been stored by then, all is there */
    const unsigned long long size = gb_size(v), begin = full << v.granule_log2;
    __threadfence();
    return size == begin + stored ? size : begin;
}

/* Element i < gb_readable(), past the L1, which may remember the line from before. */
template <class E>
static __device__ __forceinline__ E gb_read(const gb_growable_view &v, unsigned long long i)
{
    const E *at = gb_place<E>(v, i);
    return __ldcg(at);
}

#endif
