/* Variant cpu-parallel: a stable counting sort on all cores, as strong as a CPU gets at this.
 *
 * Each thread owns a contiguous slice of the input. (1) It counts its slice by bin. (2) A scan over
 * bins, and inside a bin over threads, gives every thread its place in every bin. (3) It moves its
 * slice. Up to MAX_COMBINED_BINS bins a thread gathers 64 bytes a bin in its cache and writes them
 * as one full line that bypasses the cache (software write-combining; Balkesen, Teubner, Alonso,
 * Oezsu 2013, "Main-memory hash joins on multi-core CPUs"; Wassenberg, Sanders 2011, "Engineering a
 * multi-core radix sort"): scattered 4-byte stores would fetch and evict a line each. */
#include "kernels/multipartition/bins.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    LINE = 16,                 /* 32-bit words in a cache line */
    MAX_COMBINED_BINS = 16384, /* 64 bytes each: 1 MiB, which a server core's L2 holds */
    LEAST_SLICE = 4096         /* keys below which one more thread costs more than it gains */
};

typedef struct lane {
    struct pool *pool;
    pthread_t thread;
    unsigned index;
    uint64_t *place; /* bins: first counts, then where the next element of the bin goes */
    uint64_t *start; /* bins: where this thread's part of the bin begins */
    uint32_t *lines; /* LINE words a bin, twice with a payload; NULL: write straight */
    uint64_t total;  /* elements in this thread's share of the bins, for the scan */
} lane;

typedef struct pool {
    unsigned count; /* threads, the caller included */
    unsigned started;
    bool have_barrier;
    lane *lanes;
    struct gb_problem *problem;
    pthread_barrier_t phase; /* between the phases of a run */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    unsigned long run; /* how many runs have been asked for */
    bool quit;
} pool;

static uint64_t share(uint64_t total, unsigned index, unsigned count)
{
    return total / count * index + (total % count < index ? total % count : index);
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* One line to memory, around the cache where to is aligned and the machine can. */
static inline void stream_line(uint32_t *to, const uint32_t *from)
{
#if defined(__SSE2__)
    if (((uintptr_t)to & 63) == 0) {
        for (int i = 0; i < 4; i++)
            _mm_stream_si128((__m128i *)(void *)to + i,
                             _mm_load_si128((const __m128i *)(const void *)from + i));
        return;
    }
#endif
    memcpy(to, from, LINE * sizeof *to);
}

/* The line of output that place lies in begins where keys_out is aligned: lead is the number of
 * words from the alignment below keys_out to keys_out. */
typedef struct combiner {
    uint32_t *keys_out, *payload_out;
    uint32_t *key_lines, *payload_lines;
    unsigned lead;
} combiner;

/* Writes words [from, to) of the output, all in one line, from the bin's buffer. */
static inline void flush(const combiner *c, uint32_t bin, uint64_t from, uint64_t to)
{
    size_t slot = (size_t)bin * LINE + (from + c->lead) % LINE;
    if (to - from == LINE) {
        stream_line(c->keys_out + from, c->key_lines + slot);
        if (c->payload_out) stream_line(c->payload_out + from, c->payload_lines + slot);
        return;
    }
    memcpy(c->keys_out + from, c->key_lines + slot, (to - from) * sizeof(uint32_t));
    if (c->payload_out)
        memcpy(c->payload_out + from, c->payload_lines + slot, (to - from) * sizeof(uint32_t));
}

/* Where the words that wait in the bin's buffer belong: from the line's begin, or from the thread's
 * part of the bin if that begins inside the line. */
static inline uint64_t waiting_from(const combiner *c, uint64_t end, uint64_t start)
{
    uint64_t used = (end - 1 + c->lead) % LINE + 1;
    return end - start < used ? start : end - used;
}

__attribute__((always_inline)) static inline void move_combined(mp_function_kind kind,
                                                                const struct gb_problem *p,
                                                                lane *me, uint64_t begin,
                                                                uint64_t end)
{
    const uint32_t bins = p->shape.bins;
    combiner c = {.keys_out = p->host_keys_out,
                  .payload_out = p->host_payload_out,
                  .key_lines = me->lines,
                  .payload_lines = me->lines + (size_t)bins * LINE,
                  .lead = (unsigned)((uintptr_t)p->host_keys_out / sizeof(uint32_t) % LINE)};
    for (uint64_t i = begin; i < end; i++) {
        uint32_t key = p->host_keys_in[i], b = mp_bin(kind, &p->host_bin, key);
        uint64_t place = me->place[b]++;
        unsigned word = (unsigned)((place + c.lead) % LINE);
        c.key_lines[(size_t)b * LINE + word] = key;
        if (c.payload_out) c.payload_lines[(size_t)b * LINE + word] = p->host_payload_in[i];
        if (word == LINE - 1) flush(&c, b, waiting_from(&c, place + 1, me->start[b]), place + 1);
    }
    for (uint32_t b = 0; b < bins; b++) {
        uint64_t place = me->place[b];
        if (place > me->start[b] && (place + c.lead) % LINE)
            flush(&c, b, waiting_from(&c, place, me->start[b]), place);
    }
#if defined(__SSE2__)
    _mm_sfence(); /* streamed lines are visible before the barrier, like all other stores */
#endif
}

__attribute__((always_inline)) static inline void move_straight(mp_function_kind kind,
                                                                const struct gb_problem *p,
                                                                lane *me, uint64_t begin,
                                                                uint64_t end)
{
    for (uint64_t i = begin; i < end; i++) {
        uint32_t key = p->host_keys_in[i];
        uint64_t place = me->place[mp_bin(kind, &p->host_bin, key)]++;
        p->host_keys_out[place] = key;
        if (p->host_payload_in) p->host_payload_out[place] = p->host_payload_in[i];
    }
}

/* ---- a run, as each thread sees it ----------------------------------------------------------- */

/* Counts become places: bins are shared out among the threads, each sums its own; one scans the
 * sums; each turns its bins' counts into places. */
static void scan(lane *me)
{
    pool *all = me->pool;
    const struct gb_problem *p = all->problem;
    uint32_t from = (uint32_t)share(p->shape.bins, me->index, all->count);
    uint32_t to = (uint32_t)share(p->shape.bins, me->index + 1, all->count);

    me->total = 0;
    for (unsigned t = 0; t < all->count; t++)
        for (uint32_t b = from; b < to; b++)
            me->total += all->lanes[t].place[b];
    pthread_barrier_wait(&all->phase);
    if (me->index == 0) {
        uint64_t sum = 0;
        for (unsigned t = 0; t < all->count; t++) {
            uint64_t mine = all->lanes[t].total;
            all->lanes[t].total = sum;
            sum += mine;
        }
        p->host_offsets[p->shape.bins] = sum;
    }
    pthread_barrier_wait(&all->phase);
    uint64_t sum = me->total;
    for (uint32_t b = from; b < to; b++) {
        p->host_offsets[b] = sum;
        for (unsigned t = 0; t < all->count; t++) {
            uint64_t mine = all->lanes[t].place[b];
            all->lanes[t].place[b] = all->lanes[t].start[b] = sum;
            sum += mine;
        }
    }
    pthread_barrier_wait(&all->phase);
}

/* kind is a constant at every call, so that the switch inside mp_bin disappears. */
__attribute__((always_inline)) static inline void partition_by(mp_function_kind kind, lane *me)
{
    const struct gb_problem *p = me->pool->problem;
    uint64_t begin = share(p->shape.n, me->index, me->pool->count);
    uint64_t end = share(p->shape.n, me->index + 1, me->pool->count);

    memset(me->place, 0, p->shape.bins * sizeof *me->place);
    for (uint64_t i = begin; i < end; i++)
        me->place[mp_bin(kind, &p->host_bin, p->host_keys_in[i])]++;
    pthread_barrier_wait(&me->pool->phase);
    scan(me);
    if (me->lines)
        move_combined(kind, p, me, begin, end);
    else
        move_straight(kind, p, me, begin, end);
    pthread_barrier_wait(&me->pool->phase);
}

static void partition(lane *me)
{
    switch (me->pool->problem->shape.function) {
    case MP_RANGE:
        partition_by(MP_RANGE, me);
        break;
    case MP_MODULO:
        partition_by(MP_MODULO, me);
        break;
    case MP_HASH:
        partition_by(MP_HASH, me);
        break;
    case MP_SPLITTERS:
        partition_by(MP_SPLITTERS, me);
        break;
    }
}

/* ---- the threads ----------------------------------------------------------------------------- */

static void *serve(void *argument)
{
    lane *me = argument;
    pool *all = me->pool;
    for (unsigned long seen = 0;;) {
        pthread_mutex_lock(&all->lock);
        while (all->run == seen && !all->quit)
            pthread_cond_wait(&all->wake, &all->lock);
        bool quit = all->quit;
        seen = all->run;
        pthread_mutex_unlock(&all->lock);
        if (quit) return NULL;
        partition(me);
    }
}

static unsigned threads_for(const mp_shape *shape)
{
    cpu_set_t set;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t cores = online > 0 ? (uint64_t)online : 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0) cores = (uint64_t)CPU_COUNT(&set);
    /* a thread's counters are worth their scan only if it has more keys than bins */
    uint64_t least = shape->bins > LEAST_SLICE ? shape->bins : LEAST_SLICE;
    uint64_t useful = shape->n / least;
    if (useful < cores) cores = useful;
    return cores > 1 ? (unsigned)cores : 1;
}

/* Whole cache lines, so that threads share none. */
static void *allocate(size_t words, size_t size)
{
    size_t bytes = (words * size + 63) / 64 * 64;
    return aligned_alloc(64, bytes ? bytes : 64);
}

static bool prepare_lane(lane *me, const mp_shape *shape)
{
    size_t bins = shape->bins;
    me->place = allocate(bins, sizeof *me->place);
    me->start = allocate(bins, sizeof *me->start);
    if (bins <= MAX_COMBINED_BINS) {
        me->lines = allocate(bins * LINE * (shape->payload ? 2 : 1), sizeof *me->lines);
        if (!me->lines) return false;
    }
    return me->place && me->start;
}

static gb_status prepare(gb_job *job)
{
    struct gb_problem *problem = job->problem;
    gb_status status = mp_problem_host(problem, &job->error);
    if (status != GB_OK) return status;

    pool *all = calloc(1, sizeof *all);
    if (!all) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-parallel: no host memory");
    job->state = all;
    all->problem = problem;
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->wake, NULL);
    unsigned count = threads_for(&problem->shape);
    all->lanes = calloc(count, sizeof *all->lanes);
    if (!all->lanes) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-parallel: no host memory");
    all->count = count;
    if (pthread_barrier_init(&all->phase, NULL, count) != 0)
        return gb_fail(&job->error, GB_CRASHED, "cpu-parallel: no barrier for %u threads", count);
    all->have_barrier = true;
    for (unsigned t = 0; t < count; t++) {
        all->lanes[t].pool = all;
        all->lanes[t].index = t;
        if (!prepare_lane(&all->lanes[t], &problem->shape))
            return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                           "cpu-parallel: no host memory for the counters of %u threads and %u "
                           "bins",
                           count, problem->shape.bins);
    }
    for (unsigned t = 1; t < count; t++) {
        int code = pthread_create(&all->lanes[t].thread, NULL, serve, &all->lanes[t]);
        if (code != 0)
            return gb_fail(&job->error, GB_CRASHED,
                           "cpu-parallel: thread %u of %u could not be started: %s (is a limit on "
                           "processes in force? see ulimit -u)",
                           t + 1, count, strerror(code));
        all->started++;
    }
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    pool *all = job->state;
    (void)stream;
    pthread_mutex_lock(&all->lock);
    all->run++;
    pthread_cond_broadcast(&all->wake);
    pthread_mutex_unlock(&all->lock);
    partition(&all->lanes[0]);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    pool *all = job->state;
    if (!all) return;
    pthread_mutex_lock(&all->lock);
    all->quit = true;
    pthread_cond_broadcast(&all->wake);
    pthread_mutex_unlock(&all->lock);
    for (unsigned t = 1; t <= all->started; t++)
        pthread_join(all->lanes[t].thread, NULL);
    for (unsigned t = 0; t < all->count; t++) {
        free(all->lanes[t].place);
        free(all->lanes[t].start);
        free(all->lanes[t].lines);
    }
    free(all->lanes);
    if (all->have_barrier) pthread_barrier_destroy(&all->phase);
    pthread_cond_destroy(&all->wake);
    pthread_mutex_destroy(&all->lock);
    free(all);
    job->state = NULL;
}

const gb_variant mp_cpu_parallel = {
    .name = "cpu-parallel",
    .summary = "stable counting sort on all cores, with software write-combining",
    .origin = "gpubench",
    .flags = GB_STABLE | GB_HOST,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
