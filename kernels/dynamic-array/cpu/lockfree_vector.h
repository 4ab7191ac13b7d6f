/* The lock-free vector of Dechev, Pirkelbauer, Stroustrup 2006 ("Lock-free dynamically resizable
 * arrays", OPODIS) for push_back, on C11 atomics.
 *
 * A vector is a list of buckets, each twice the last, and a descriptor: its size and the write that
 * its last push has yet to make. A push completes that write for whoever began it, makes the bucket
 * it needs if there is none, and replaces the descriptor by one of its own with a compare-and-swap;
 * where that fails another push has succeeded. Descriptors are known by number and version, so that
 * one which was read while it was given a new meaning is noticed, and never freed. Every thread has
 * two: when it fills one the other may still be the vector's. */
#ifndef GB_LOCKFREE_VECTOR_H
#define GB_LOCKFREE_VECTOR_H

#include "kernels/dynamic-array/dynamic_array.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What a place holds before its element is written; no element is so large. */
#define LV_EMPTY UINT32_MAX

typedef struct lv_descriptor {
    _Alignas(64) _Atomic uint64_t size;
    _Atomic uint32_t value; /* of the element at size - 1, which may not be there yet */
} lv_descriptor;

typedef struct lv_vector {
    _Alignas(64) _Atomic uint64_t current; /* version << 16 | descriptor */
    _Alignas(64) _Atomic(_Atomic uint32_t *) bucket[DA_BUCKETS];
    _Atomic uint64_t allocations;
    lv_descriptor *descriptors; /* 1 and 2 of thread 0, 3 and 4 of thread 1, ...; 0: size 0 */
} lv_vector;

/* Elements of a bucket; where an element lies. */
static inline uint64_t lv_room(unsigned bucket)
{
    return (uint64_t)DA_FIRST_BUCKET << bucket;
}
static inline unsigned lv_bucket_of(uint64_t index)
{
    return 63 - (unsigned)__builtin_clzll(index + DA_FIRST_BUCKET) - 5;
}
static inline uint64_t lv_begin_of(unsigned bucket)
{
    return lv_room(bucket) - DA_FIRST_BUCKET;
}

/* Makes the bucket unless somebody else has; false: no memory. */
static inline bool lv_need_bucket(lv_vector *v, unsigned bucket)
{
    if (atomic_load_explicit(&v->bucket[bucket], memory_order_acquire)) return true;
    _Atomic uint32_t *fresh = malloc(lv_room(bucket) * sizeof *fresh), *none = NULL;
    if (!fresh) return atomic_load(&v->bucket[bucket]) != NULL;
    memset((void *)fresh, 0xff, lv_room(bucket) * sizeof *fresh); /* LV_EMPTY */
    if (atomic_compare_exchange_strong(&v->bucket[bucket], &none, fresh))
        atomic_fetch_add_explicit(&v->allocations, 1, memory_order_relaxed);
    else
        free((void *)fresh);
    return true;
}

/* Writes an element that a push has announced; one of those that try succeeds. */
static inline void lv_complete(lv_vector *v, uint64_t size, uint32_t value)
{
    if (size == 0) return;
    const unsigned bucket = lv_bucket_of(size - 1);
    _Atomic uint32_t *at = atomic_load_explicit(&v->bucket[bucket], memory_order_acquire);
    uint32_t empty = LV_EMPTY;
    atomic_compare_exchange_strong_explicit(&at[size - 1 - lv_begin_of(bucket)], &empty, value,
                                            memory_order_release, memory_order_relaxed);
}

/* One thread's pushes. */
typedef struct lv_pusher {
    unsigned own; /* its first descriptor */
    unsigned turn;
} lv_pusher;

/* False: there is no memory for its bucket, and nothing was pushed. */
static inline bool lv_push_back(lv_vector *v, lv_pusher *pusher, uint32_t value)
{
    for (;;) {
        uint64_t current = atomic_load_explicit(&v->current, memory_order_acquire);
        lv_descriptor *old = &v->descriptors[current & 0xffff];
        const uint64_t size = atomic_load_explicit(&old->size, memory_order_acquire);
        const uint32_t last = atomic_load_explicit(&old->value, memory_order_acquire);
        if (atomic_load(&v->current) != current) continue; /* it may mean something else by now */
        lv_complete(v, size, last);
        if (!lv_need_bucket(v, lv_bucket_of(size))) return false;
        const unsigned mine = pusher->own + pusher->turn;
        atomic_store_explicit(&v->descriptors[mine].size, size + 1, memory_order_release);
        atomic_store_explicit(&v->descriptors[mine].value, value, memory_order_release);
        if (!atomic_compare_exchange_strong(&v->current, &current,
                                            ((current >> 16) + 1) << 16 | mine))
            continue;
        pusher->turn ^= 1;
        lv_complete(v, size + 1, value);
        return true;
    }
}

#endif
