/* Threads for variants that run on all cores: started once, asleep between runs, and what a
 * counting sort by several threads shares: slices, places, whole lines around the cache. */
#ifndef GB_CPU_POOL_H
#define GB_CPU_POOL_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_pool gb_pool;

/* What each thread does in a run: thread is 0 (the caller of gb_pool_run) to count - 1. */
typedef void gb_pool_work(void *context, unsigned thread);

/* The cores that this process may use: at least 1. */
unsigned gb_pool_cores(void);
/* Starts count - 1 threads that wait. *pool is to be closed also after a failure. */
gb_status gb_pool_open(unsigned count, gb_pool_work *work, void *context, gb_pool **pool,
                       gb_error *error);
/* Calls work on every thread, the caller's included, and returns when the caller's has returned:
 * work ends with a barrier. Nothing is allocated. */
void gb_pool_run(gb_pool *pool);
/* Inside work: waits until every thread is here. */
void gb_pool_barrier(gb_pool *pool);
/* Ends the threads and frees the pool, which may be NULL. */
void gb_pool_close(gb_pool *pool);

/* Where thread `index` of `count` begins in `total` items; index == count: total. */
static inline uint64_t gb_pool_share(uint64_t total, unsigned index, unsigned count)
{
    return total / count * index + (total % count < index ? total % count : index);
}

/* A stable counting sort by several threads: how many elements of each bin a thread has, then where
 * they go. */
typedef struct gb_pool_bins {
    uint64_t *place; /* bins: counts; after gb_pool_places where the thread's next one goes */
    uint64_t *start; /* bins: where the thread's part of the bin begins */
    uint64_t total;  /* of the thread's share of the bins, inside gb_pool_places */
} gb_pool_bins;

/* Inside work, by every thread: counts become places. Elements are ordered by bin and inside a bin
 * by thread; the first goes to `base`. bounds: bins + 1 words that all threads see. Begins and ends
 * with a barrier. */
void gb_pool_places(gb_pool *pool, unsigned thread, gb_pool_bins *const *threads, uint32_t bins,
                    uint64_t base, uint64_t *bounds);

/* Bytes of zeroed memory that begin at a cache line, so that threads share none; in large pages
 * where the system has them to give. NULL: there is none. free() frees. */
void *gb_pool_allocate(size_t bytes);

enum { GB_LINE = 64 }; /* bytes of a cache line */

/* One line to memory, around the cache where `to` is aligned and the machine can; `from` is aligned
 * to 16 bytes. gb_stream_end makes such lines visible to other threads. */
static inline void gb_stream_line(void *to, const void *from)
{
#if defined(__SSE2__)
    if (((uintptr_t)to & (GB_LINE - 1)) == 0) {
        for (int i = 0; i < 4; i++)
            _mm_stream_si128((__m128i *)to + i, _mm_load_si128((const __m128i *)from + i));
        return;
    }
#endif
    memcpy(to, from, GB_LINE);
}

static inline void gb_stream_end(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#ifdef __cplusplus
}
#endif
#endif
