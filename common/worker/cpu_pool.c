/* Threads for variants that run on all cores. */
#include "common/worker/cpu_pool.h"

#include "common/text/limits.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct member {
    gb_pool *pool;
    pthread_t thread;
    unsigned index;
} member;

struct gb_pool {
    gb_pool_work *work;
    void *context;
    member *members;
    unsigned count, started; /* started: threads besides the caller's */
    bool have_barrier;
    pthread_barrier_t phase;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    unsigned long run; /* how many runs have been asked for */
    bool quit;
};

unsigned gb_pool_cores(void)
{
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0) online = CPU_COUNT(&set);
    return online > 1 ? (unsigned)online : 1;
}

static void *serve(void *argument)
{
    const member *me = argument;
    gb_pool *pool = me->pool;
    for (unsigned long seen = 0;;) {
        pthread_mutex_lock(&pool->lock);
        while (pool->run == seen && !pool->quit)
            pthread_cond_wait(&pool->wake, &pool->lock);
        bool quit = pool->quit;
        seen = pool->run;
        pthread_mutex_unlock(&pool->lock);
        if (quit) return NULL;
        pool->work(pool->context, me->index);
    }
}

gb_status gb_pool_open(unsigned count, gb_pool_work *work, void *context, gb_pool **out,
                       gb_error *error)
{
    gb_pool *pool = *out = calloc(1, sizeof *pool);
    if (!pool) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for threads");
    pool->work = work;
    pool->context = context;
    pool->count = count;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pool->members = calloc(count, sizeof *pool->members);
    if (!pool->members)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for %u threads", count);
    if (pthread_barrier_init(&pool->phase, NULL, count) != 0)
        return gb_fail(error, GB_CRASHED, "no barrier for %u threads", count);
    pool->have_barrier = true;
    for (unsigned t = 1; t < count; t++) {
        pool->members[t] = (member){.pool = pool, .index = t};
        int code = pthread_create(&pool->members[t].thread, NULL, serve, &pool->members[t]);
        if (code != 0) {
            char what[48];
            snprintf(what, sizeof what, "thread %u of %u", t + 1, count);
            return gb_thread_refused(code, what, error);
        }
        pool->started++;
    }
    return GB_OK;
}

void gb_pool_run(gb_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->run++;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    pool->work(pool->context, 0);
}

void gb_pool_barrier(gb_pool *pool)
{
    pthread_barrier_wait(&pool->phase);
}

void gb_pool_close(gb_pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->quit = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned t = 1; t <= pool->started; t++)
        pthread_join(pool->members[t].thread, NULL);
    if (pool->have_barrier) pthread_barrier_destroy(&pool->phase);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool->members);
    free(pool);
}

/* Bins are shared out among the threads, each sums its own; one scans the sums; each turns its
 * bins' counts into places. */
void gb_pool_places(gb_pool *pool, unsigned thread, gb_pool_bins *const *threads, uint32_t bins,
                    uint64_t base, uint64_t *bounds)
{
    const unsigned count = pool->count;
    const uint32_t from = (uint32_t)gb_pool_share(bins, thread, count);
    const uint32_t to = (uint32_t)gb_pool_share(bins, thread + 1, count);
    uint64_t sum = 0;

    gb_pool_barrier(pool);
    for (unsigned t = 0; t < count; t++)
        for (uint32_t b = from; b < to; b++)
            sum += threads[t]->place[b];
    threads[thread]->total = sum;
    gb_pool_barrier(pool);
    if (thread == 0) {
        for (unsigned t = 0; t < count; t++) {
            const uint64_t mine = threads[t]->total;
            threads[t]->total = base;
            base += mine;
        }
        bounds[bins] = base;
    }
    gb_pool_barrier(pool);
    sum = threads[thread]->total;
    for (uint32_t b = from; b < to; b++) {
        bounds[b] = sum;
        for (unsigned t = 0; t < count; t++) {
            const uint64_t mine = threads[t]->place[b];
            threads[t]->place[b] = threads[t]->start[b] = sum;
            sum += mine;
        }
    }
    gb_pool_barrier(pool);
}

void *gb_pool_allocate(size_t bytes)
{
    const size_t large = (size_t)2 << 20;
    const size_t unit = bytes < large / 4 ? GB_LINE : large;
    const size_t whole = (bytes / unit + 1) * unit;
    void *memory = aligned_alloc(unit, whole);
    if (!memory) return NULL;
    if (unit == large) (void)madvise(memory, whole, MADV_HUGEPAGE); /* advice: it may be refused */
    return memset(memory, 0, whole); /* the pages are there before anything is timed */
}
