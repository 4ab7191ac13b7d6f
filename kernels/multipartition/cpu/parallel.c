/* Variant cpu-parallel: a stable counting sort on all cores, as strong as a CPU gets at this.
 *
 * Each thread owns a contiguous slice of the input. (1) It counts its slice by bin. (2) A scan over
 * bins, and inside a bin over threads, gives every thread its place in every bin. (3) It moves its
 * slice. Up to MAX_COMBINED_BINS bins a thread gathers 64 bytes a bin in its cache and writes them
 * as one full line that bypasses the cache (software write-combining; Balkesen, Teubner, Alonso,
 * Oezsu 2013, "Main-memory hash joins on multi-core CPUs"; Wassenberg, Sanders 2011, "Engineering a
 * multi-core radix sort"): scattered 4-byte stores would fetch and evict a line each. */
#include "common/worker/cpu_pool.h"
#include "kernels/multipartition/bins.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINE = GB_LINE / 4,        /* 32-bit words in a cache line */
    MAX_COMBINED_BINS = 16384, /* 64 bytes each: 1 MiB, which a server core's L2 holds */
    LEAST_SLICE = 4096         /* keys below which one more thread costs more than it gains */
};

typedef struct lane {
    gb_pool_bins bins;
    uint32_t *lines; /* LINE words a bin, twice with a payload; NULL: write straight */
} lane;

typedef struct state {
    gb_pool *pool;
    unsigned count; /* threads, the caller included */
    lane *lanes;
    gb_pool_bins **bins; /* those of the lanes */
    struct gb_problem *problem;
} state;

/* ---- moving ---------------------------------------------------------------------------------- */

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
        gb_stream_line(c->keys_out + from, c->key_lines + slot);
        if (c->payload_out) gb_stream_line(c->payload_out + from, c->payload_lines + slot);
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
        uint64_t place = me->bins.place[b]++;
        unsigned word = (unsigned)((place + c.lead) % LINE);
        c.key_lines[(size_t)b * LINE + word] = key;
        if (c.payload_out) c.payload_lines[(size_t)b * LINE + word] = p->host_payload_in[i];
        if (word == LINE - 1)
            flush(&c, b, waiting_from(&c, place + 1, me->bins.start[b]), place + 1);
    }
    for (uint32_t b = 0; b < bins; b++) {
        uint64_t place = me->bins.place[b];
        if (place > me->bins.start[b] && (place + c.lead) % LINE)
            flush(&c, b, waiting_from(&c, place, me->bins.start[b]), place);
    }
    gb_stream_end();
}

__attribute__((always_inline)) static inline void move_straight(mp_function_kind kind,
                                                                const struct gb_problem *p,
                                                                lane *me, uint64_t begin,
                                                                uint64_t end)
{
    for (uint64_t i = begin; i < end; i++) {
        uint32_t key = p->host_keys_in[i];
        uint64_t place = me->bins.place[mp_bin(kind, &p->host_bin, key)]++;
        p->host_keys_out[place] = key;
        if (p->host_payload_in) p->host_payload_out[place] = p->host_payload_in[i];
    }
}

/* ---- a run, as each thread sees it ----------------------------------------------------------- */

/* kind is a constant at every call, so that the switch inside mp_bin disappears. */
__attribute__((always_inline)) static inline void partition_by(mp_function_kind kind,
                                                               const state *all, unsigned thread)
{
    const struct gb_problem *p = all->problem;
    lane *me = &all->lanes[thread];
    uint64_t begin = gb_pool_share(p->shape.n, thread, all->count);
    uint64_t end = gb_pool_share(p->shape.n, thread + 1, all->count);

    memset(me->bins.place, 0, p->shape.bins * sizeof *me->bins.place);
    for (uint64_t i = begin; i < end; i++)
        me->bins.place[mp_bin(kind, &p->host_bin, p->host_keys_in[i])]++;
    gb_pool_places(all->pool, thread, all->bins, p->shape.bins, 0, p->host_offsets);
    if (me->lines)
        move_combined(kind, p, me, begin, end);
    else
        move_straight(kind, p, me, begin, end);
    gb_pool_barrier(all->pool);
}

static void partition(void *context, unsigned thread)
{
    const state *all = context;
    switch (all->problem->shape.function) {
    case MP_RANGE:
        partition_by(MP_RANGE, all, thread);
        break;
    case MP_MODULO:
        partition_by(MP_MODULO, all, thread);
        break;
    case MP_HASH:
        partition_by(MP_HASH, all, thread);
        break;
    case MP_SPLITTERS:
        partition_by(MP_SPLITTERS, all, thread);
        break;
    case MP_MAX:
        partition_by(MP_MAX, all, thread);
        break;
    }
}

/* ---- the job --------------------------------------------------------------------------------- */

static unsigned threads_for(const mp_shape *shape)
{
    const uint64_t cores = gb_pool_cores();
    /* a thread's counters are worth their scan only if it has more keys than bins */
    const uint64_t useful = shape->n / (shape->bins > LEAST_SLICE ? shape->bins : LEAST_SLICE);
    return useful < 1 ? 1 : (unsigned)(useful < cores ? useful : cores);
}

static bool prepare_lane(lane *me, const mp_shape *shape)
{
    const size_t bins = shape->bins;
    me->bins.place = gb_pool_allocate(bins * sizeof *me->bins.place);
    me->bins.start = gb_pool_allocate(bins * sizeof *me->bins.start);
    if (bins <= MAX_COMBINED_BINS) {
        me->lines = gb_pool_allocate(bins * GB_LINE * (shape->payload_bytes ? 2 : 1));
        if (!me->lines) return false;
    }
    return me->bins.place && me->bins.start;
}

static gb_status prepare(gb_job *job)
{
    struct gb_problem *problem = job->problem;
    gb_status status = mp_problem_host(problem, &job->error);
    if (status != GB_OK) return status;

    state *all = job->state = calloc(1, sizeof *all);
    if (!all) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-parallel: no host memory");
    all->problem = problem;
    all->count = threads_for(&problem->shape);
    all->lanes = calloc(all->count, sizeof *all->lanes);
    all->bins = calloc(all->count, sizeof *all->bins);
    if (!all->lanes || !all->bins)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-parallel: no host memory");
    for (unsigned t = 0; t < all->count; t++) {
        all->bins[t] = &all->lanes[t].bins;
        if (!prepare_lane(&all->lanes[t], &problem->shape))
            return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                           "cpu-parallel: no host memory for the counters of %u threads and %u "
                           "bins",
                           all->count, problem->shape.bins);
    }
    return gb_pool_open(all->count, partition, all, &all->pool, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const state *all = job->state;
    (void)stream;
    gb_pool_run(all->pool);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    state *all = job->state;
    if (!all) return;
    gb_pool_close(all->pool);
    for (unsigned t = 0; all->lanes && t < all->count; t++) {
        free(all->lanes[t].bins.place);
        free(all->lanes[t].bins.start);
        free(all->lanes[t].lines);
    }
    free(all->lanes);
    free(all->bins);
    free(all);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    (void)device;
    return mp_narrow_only(params);
}

const gb_variant mp_cpu_parallel = {
    .name = "cpu-parallel",
    .summary = "stable counting sort on all cores, with software write-combining",
    .origin = "gpubench",
    .flags = GB_STABLE | GB_HOST,
    .unsupported = unsupported,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
