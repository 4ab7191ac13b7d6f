/* Variant cpu-parallel: a stable radix sort on all cores, laid out by the bytes that cross the
 * memory bus.
 *
 * All threads part the input by its most significant digit of 8 to 11 bits (each counts a slice, a
 * scan gives every thread its places in every bucket, each moves its slice, in whole lines around
 * the cache), so that buckets fit into a core's L2. Then each thread takes buckets one by one,
 * sorts them in its own scratch, which never leaves its cache, and writes them to the output in
 * whole lines. 32-bit keys: 4 bytes read to count, 8 moved, 8 sorted: 20 a key, where four passes
 * from the least significant digit would take 36. After Wassenberg, Sanders 2011, "Engineering a
 * multi-core radix sort", without their virtual memory.
 *
 * Skewed keys: a bucket beyond its thread's share is parted once more by all threads, one beyond
 * the scratch by its own thread; a digit that all keys of a bucket share costs one read. */
#include "kernels/radix-sort/cpu/ends.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    LEAST_WIDTH = 8,
    MOST_WIDTH = 11, /* 2048 lines of 64 bytes: 128 KiB of a core's L2 */
    MOST_WIDTH_PAIRED = 10,
    LOCAL_BYTES = 512 << 10, /* of each of the two arrays of a thread's scratch */
    LSD_BITS = 24,           /* three digits from the bottom; more: from the top */
    LSD_BITS_OF_MANY = 32,
    MANY = 4096,            /* elements, whose fourth digit costs less than parting them would */
    INSERTION_AT_MOST = 32, /* elements */
    LEAST_SLICE = 32768,    /* elements below which one more thread does not pay */
    AROUND_CACHE_FROM = 4 << 20, /* bytes of output from which they bypass the cache */
    SHARES = 4                   /* a bucket is huge above 1/SHARES of a thread's part of all */
};

typedef enum array { INPUT, ARRAY_A, ARRAY_B } array;

/* Elements [begin, end) of an array, which agree above the bit high. */
typedef struct range {
    array where;
    uint64_t begin, end; /* end == 0: no range */
    unsigned high;
    uint32_t bins; /* into which it was parted */
} range;

struct shared;

typedef struct lane {
    struct shared *all;
    unsigned thread;
    gb_pool_bins bins;
    uint64_t *counts; /* RS_DIGIT_BINS a digit, of a sort in scratch */
    void *lines;      /* a group a bin; NULL: write at once */
    void *scratch;    /* two arrays of most_local elements */
} lane;

typedef struct shared {
    rs_shape shape;
    uint64_t n;
    rs_cpu_ends ends;
    void *a, *b; /* n elements each; keys alone: b is the output */
    void *own_b;
    uint64_t most_local; /* elements that a thread's scratch holds */
    uint64_t most_alone; /* elements that one thread sorts alone */
    unsigned most_width;
    bool around_cache;

    unsigned threads;
    gb_pool *pool;
    lane *lanes;
    gb_pool_bins **bins; /* those of the lanes */
    uint64_t *bounds;    /* of the buckets of the current range */
    range current;
    range *waiting; /* huge buckets; they share no element, so there are few at a time */
    size_t waiting_count;
    _Atomic uint32_t next; /* bucket to be taken: twice round, large ones first */
} shared;

/* Bits of a digit such that buckets of uniform keys fit into a thread's scratch, if they can. */
static unsigned width_for(const shared *all, uint64_t count, unsigned high)
{
    unsigned width = LEAST_WIDTH;
    while (width < all->most_width && count >> width > all->most_local / 4)
        width++;
    return width < high - all->ends.low ? width : high - all->ends.low;
}

/* Whether so many elements are better sorted by so many bits from the least significant digit. */
static inline bool from_the_bottom(uint64_t count, unsigned bits)
{
    return bits <= (count >= MANY ? LSD_BITS_OF_MANY : LSD_BITS);
}

/* The next bucket to look at; large: for those beyond a thread's scratch, else for the others. At
 * least `bins`: there is none left. */
static uint32_t next_bin(shared *all, uint32_t bins, bool *large)
{
    const uint32_t turn = atomic_fetch_add(&all->next, 1);
    *large = turn < bins;
    return turn < bins ? turn : turn - bins;
}

/* Buckets of a parted range that all threads are to part again. */
static void set_aside_huge(shared *all, const range *parted)
{
    for (uint32_t bin = 0; bin < parted->bins; bin++) {
        const uint64_t begin = all->bounds[bin], end = all->bounds[bin + 1];
        if (end - begin > all->most_alone)
            all->waiting[all->waiting_count++] =
                (range){.where = parted->where, .begin = begin, .end = end, .high = parted->high};
    }
}

#define RS_BODY "kernels/radix-sort/cpu/parallel_sort.h"
#include "kernels/radix-sort/cpu/kinds.h"

/* ---- the job --------------------------------------------------------------------------------- */

static bool prepare_lane(lane *me, size_t element)
{
    const shared *all = me->all;
    const size_t bins = (size_t)1 << all->most_width;
    me->bins.place = gb_pool_allocate(bins * sizeof *me->bins.place);
    me->bins.start = gb_pool_allocate(bins * sizeof *me->bins.start);
    me->counts = gb_pool_allocate(RS_MOST_DIGITS * RS_DIGIT_BINS * sizeof *me->counts);
    me->lines = gb_pool_allocate(bins * 16 * element);
    me->scratch = gb_pool_allocate(2 * all->most_local * element);
    return me->bins.place && me->bins.start && me->counts && me->lines && me->scratch;
}

static bool prepare_all(shared *all, const struct gb_problem *p)
{
    const size_t element = rs_cpu_element_bytes(&p->shape);
    const uint64_t cores = gb_pool_cores(), useful = all->n / LEAST_SLICE;
    all->threads = useful < 1 ? 1 : (unsigned)(useful < cores ? useful : cores);
    all->most_local = LOCAL_BYTES / element;
    all->most_alone = all->n / ((uint64_t)SHARES * all->threads);
    if (all->most_alone < all->most_local) all->most_alone = all->most_local;
    all->most_width = p->shape.payload ? MOST_WIDTH_PAIRED : MOST_WIDTH;
    all->around_cache = all->n * rs_element_bytes(&p->shape) >= AROUND_CACHE_FROM;
    all->a = gb_pool_allocate(all->n * element);
    all->own_b = gb_pool_allocate(p->shape.payload ? all->n * element : 0);
    all->b = p->shape.payload ? all->own_b : p->host_keys_out;
    all->bounds = gb_pool_allocate((((size_t)1 << all->most_width) + 1) * sizeof *all->bounds);
    all->waiting = calloc((size_t)SHARES * all->threads + 1, sizeof *all->waiting);
    all->lanes = calloc(all->threads, sizeof *all->lanes);
    all->bins = calloc(all->threads, sizeof *all->bins);
    bool good = all->a && all->own_b && all->bounds && all->waiting && all->lanes && all->bins;
    for (unsigned t = 0; good && t < all->threads; t++) {
        all->lanes[t].all = all;
        all->lanes[t].thread = t;
        all->bins[t] = &all->lanes[t].bins;
        good = prepare_lane(&all->lanes[t], element);
    }
    return good;
}

static void sort_kind(void *context, unsigned thread)
{
    const shared *all = context;
    rs_for_kind(&all->shape, sort_all, context, thread);
}

static gb_status prepare(gb_job *job)
{
    const struct gb_problem *p = job->problem;
    gb_status status = rs_problem_host(job);
    if (status != GB_OK) return status;
    shared *all = job->state = calloc(1, sizeof *all);
    if (!all) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-parallel: no host memory");
    all->n = p->shape.n;
    all->shape = p->shape;
    all->ends = rs_cpu_ends_of(p);
    if (!prepare_all(all, p))
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "cpu-parallel: no host memory for %.3f GB besides input and output, and the "
                       "scratch of %u threads",
                       1e-9 * (double)all->n * (double)rs_cpu_element_bytes(&p->shape) *
                           (p->shape.payload ? 2 : 1),
                       all->threads);
    return gb_pool_open(all->threads, sort_kind, all, &all->pool, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const shared *all = job->state;
    (void)stream;
    gb_pool_run(all->pool);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    shared *all = job->state;
    if (!all) return;
    gb_pool_close(all->pool);
    for (unsigned t = 0; all->lanes && t < all->threads; t++) {
        lane *me = &all->lanes[t];
        free(me->bins.place);
        free(me->bins.start);
        free(me->counts);
        free(me->lines);
        free(me->scratch);
    }
    free(all->a);
    free(all->own_b);
    free(all->bounds);
    free(all->waiting);
    free(all->lanes);
    free(all->bins);
    free(all);
    job->state = NULL;
}

const gb_variant rs_cpu_parallel = {
    .name = "cpu-parallel",
    .summary = "stable radix sort on all cores: parted from the top, buckets sorted in cache",
    .origin = "gpubench",
    .flags = GB_STABLE | GB_HOST,
    .unsupported = rs_no_wide_payload,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
