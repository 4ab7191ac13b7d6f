/* The threads that unpack. A slice takes the bus a fraction of a millisecond, so while a sort is
 * under way they do not sleep, and they share a slice without a lock: waking threads and waiting
 * for locks cost more than the unpacking. */
#include "kernels/radix-sort/out_of_core/unpackers.h"

#include "common/text/limits.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    MOST_THREADS = 256,
    PART = 2 * RS_GROUP, /* keys that a thread unpacks at a time */
    SPINS = 20000,       /* looks before a thread gives way to others */
    PATIENCE = 64        /* times that it does before it sleeps */
};

/* A seat. left is the number of its slice and, in the lower half, the parts that nobody has taken:
 * who takes one finds the slice as it was handed over, for it is not replaced before all parts are
 * done. */
typedef struct seat {
    _Atomic uint64_t left;
    _Atomic uint32_t undone; /* parts; 0: the seat is free */
    rs_slice slice;
} seat;

struct rs_unpackers {
    rs_shape shape;
    volatile uint32_t *arrived;
    unsigned seats;
    seat *at;
    _Atomic uint32_t added; /* slices of this sort */
    _Atomic uint32_t sort;  /* counts up */
    _Atomic bool given_up;
    pthread_mutex_t lock;
    pthread_cond_t work;
    unsigned sleeping; /* threads; under the lock */
    _Atomic bool quit;
    unsigned thread_count;
    pthread_t threads[MOST_THREADS];
};

/* ---- waiting --------------------------------------------------------------------------------- */

/* One look in a loop of them; true every so often, when others had their turn. */
static bool pause_a_little(unsigned *looks)
{
#if defined(__SSE2__)
    _mm_pause();
#endif
    if (++*looks % SPINS) return false;
    sched_yield();
    return true;
}

/* Until a sort has more slices than `seen`, or another one has begun. */
static void await_slice(rs_unpackers *u, uint32_t sort, uint32_t seen)
{
    unsigned looks = 0, turns = 0;
    while (u->sort == sort && u->added == seen && !u->quit) {
        if (!pause_a_little(&looks) || ++turns < PATIENCE) continue;
        pthread_mutex_lock(&u->lock);
        u->sleeping++;
        while (u->sort == sort && u->added == seen && !u->quit)
            pthread_cond_wait(&u->work, &u->lock);
        u->sleeping--;
        pthread_mutex_unlock(&u->lock);
    }
}

/* False: they never will be there. */
static bool await_records(const rs_unpackers *u, unsigned place, uint32_t number)
{
    unsigned looks = 0;
    while (u->arrived[place] != number) {
        if (u->given_up) return u->arrived[place] == number;
        (void)pause_a_little(&looks);
    }
    atomic_thread_fence(memory_order_acquire);
    return true;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

static uint32_t parts_of(const rs_slice *slice)
{
    return (uint32_t)((slice->count + PART - 1) / PART);
}

/* Takes parts of whatever slice is in the seat until none is left. */
static void share(rs_unpackers *u, unsigned place)
{
    seat *at = &u->at[place];
    uint64_t left = at->left;
    while ((uint32_t)left > 0) {
        if (!atomic_compare_exchange_weak(&at->left, &left, left - 1)) continue;
        const rs_slice slice = at->slice;
        const uint64_t begin = ((uint32_t)left - 1) * (uint64_t)PART;
        const uint64_t count = slice.count - begin < PART ? slice.count - begin : (uint64_t)PART;
        if (await_records(u, place, (uint32_t)(left >> 32)))
            rs_unpack(&u->shape, slice.records + begin / RS_RECORD * RS_SLICE_WORDS, count,
                      slice.keys + begin);
        at->undone--;
        left = at->left;
    }
}

static void *unpack_slices(void *argument)
{
    rs_unpackers *u = argument;
    uint32_t sort = u->sort, seen = 0;
    while (!u->quit) {
        await_slice(u, sort, seen);
        if (u->sort != sort) {
            sort = u->sort;
            seen = 0;
            continue;
        }
        for (const uint32_t added = u->added; seen < added; seen++)
            share(u, seen % u->seats);
    }
    return NULL;
}

/* ---- the caller's side ----------------------------------------------------------------------- */

static void wake_all(rs_unpackers *u)
{
    pthread_mutex_lock(&u->lock);
    if (u->sleeping > 0) pthread_cond_broadcast(&u->work);
    pthread_mutex_unlock(&u->lock);
}

void rs_unpackers_begin(rs_unpackers *u)
{
    for (unsigned s = 0; s < u->seats; s++)
        u->arrived[s] = 0;
    u->given_up = false;
    u->added = 0;
    u->sort++;
}

uint32_t rs_unpackers_next(const rs_unpackers *u)
{
    return u->at[u->added % u->seats].undone ? 0 : u->added + 1;
}

void rs_unpackers_add(rs_unpackers *u, const rs_slice *slice)
{
    seat *at = &u->at[u->added % u->seats];
    const uint32_t parts = parts_of(slice);
    at->slice = *slice;
    at->undone = parts;
    at->left = (uint64_t)(u->added + 1) << 32 | parts;
    u->added++;
    wake_all(u);
}

void rs_unpackers_drain(rs_unpackers *u, bool arrived)
{
    unsigned looks = 0;
    if (!arrived) u->given_up = true;
    for (unsigned s = 0; s < u->seats; s++)
        while (u->at[s].undone)
            (void)pause_a_little(&looks);
}

static unsigned wanted_threads(void)
{
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (cores > MOST_THREADS) cores = MOST_THREADS;
    return cores > 1 ? (unsigned)cores - 1 : 1;
}

gb_status rs_unpackers_start(const rs_shape *shape, unsigned seats, volatile uint32_t *arrived,
                             rs_unpackers **out, gb_error *error)
{
    rs_unpackers *u = calloc(1, sizeof *u);
    *out = NULL;
    if (!u) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the unpacking threads");
    u->shape = *shape;
    u->arrived = arrived;
    u->seats = seats;
    pthread_mutex_init(&u->lock, NULL);
    pthread_cond_init(&u->work, NULL);
    u->at = calloc(seats, sizeof *u->at);
    if (!u->at) {
        rs_unpackers_stop(u);
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the unpacking threads");
    }
    for (unsigned wanted = wanted_threads(); u->thread_count < wanted; u->thread_count++) {
        int code = pthread_create(&u->threads[u->thread_count], NULL, unpack_slices, u);
        if (code == 0) continue;
        rs_unpackers_stop(u);
        return gb_thread_refused(code, "a thread that unpacks", error);
    }
    *out = u;
    return GB_OK;
}

void rs_unpackers_stop(rs_unpackers *u)
{
    if (!u) return;
    u->given_up = true;
    u->quit = true;
    wake_all(u);
    for (unsigned i = 0; i < u->thread_count; i++)
        pthread_join(u->threads[i], NULL);
    pthread_cond_destroy(&u->work);
    pthread_mutex_destroy(&u->lock);
    free(u->at);
    free(u);
}
