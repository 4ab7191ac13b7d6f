/* Variant cpu-merge-path: every core walks an equal stretch of the merge path; what a stretch has
 * of a segment that it does not end is added by one thread afterwards, in order. */
#include "merge_path.h"
#include "segmented_reduction.h"

#include "common/worker/cpu_pool.h"

#include <stdlib.h>

/* The sum of elements that a thread's stretch leaves open, and the segment that they are of. */
typedef struct carry {
    uint32_t segment;
    union {
        uint32_t u32;
        float f32;
        uint64_t u64;
    } sum;
    char apart[GB_LINE - 16]; /* a cache line each */
} carry;

typedef struct state {
    const struct gb_problem *problem;
    gb_pool *pool;
    unsigned threads;
    carry *carries; /* threads */
} state;

enum { LEAST_STEPS = 16384 /* below which one more thread does not pay */ };

/* sum_TYPE: of elements [begin, end), in eight chains, as vector units have them. walk_TYPE: a
 * thread's stretch. close_TYPE: adds the carries. */
#define OF_TYPE(NAME, TYPE)                                                                        \
    static TYPE sum_##NAME(const TYPE *values, uint32_t begin, uint32_t end)                       \
    {                                                                                              \
        TYPE chain[8] = {0}, sum = 0;                                                              \
        uint32_t i = begin;                                                                        \
        for (; end - i >= 8; i += 8)                                                               \
            for (unsigned c = 0; c < 8; c++)                                                       \
                chain[c] += values[i + c];                                                         \
        for (; i < end; i++)                                                                       \
            sum += values[i];                                                                      \
        for (unsigned c = 0; c < 8; c++)                                                           \
            sum += chain[c];                                                                       \
        return sum;                                                                                \
    }                                                                                              \
    static void walk_##NAME(const struct gb_problem *p, uint32_t from, uint32_t to, carry *open)   \
    {                                                                                              \
        const sr_shape *shape = &p->shape;                                                         \
        const uint32_t *ends = p->host_offsets + 1;                                                \
        uint32_t s = sr_path_segment(ends, shape->segments, 0, shape->n, from);                    \
        const uint32_t last = sr_path_segment(ends, shape->segments, 0, shape->n, to);             \
        uint32_t x = from - s;                                                                     \
        for (; s < last; x = ends[s++])                                                            \
            ((TYPE *)p->host_sums)[s] = sum_##NAME(p->host_values, x, ends[s]);                    \
        open->segment = last;                                                                      \
        open->sum.NAME = sum_##NAME(p->host_values, x, to - last);                                 \
    }                                                                                              \
    static void close_##NAME(const struct gb_problem *p, const carry *c, unsigned left)            \
    {                                                                                              \
        for (; left--; c++)                                                                        \
            if (c->segment < p->shape.segments) ((TYPE *)p->host_sums)[c->segment] += c->sum.NAME; \
    }
OF_TYPE(u32, uint32_t)
OF_TYPE(f32, float)
OF_TYPE(u64, uint64_t)

static void work(void *context, unsigned thread)
{
    const state *a = context;
    const struct gb_problem *p = a->problem;
    const uint64_t steps = (uint64_t)p->shape.n + p->shape.segments;
    const uint32_t from = (uint32_t)gb_pool_share(steps, thread, a->threads);
    const uint32_t to = (uint32_t)gb_pool_share(steps, thread + 1, a->threads);
    carry *open = &a->carries[thread];
    (p->shape.type == SR_U64   ? walk_u64
     : p->shape.type == SR_F32 ? walk_f32
                               : walk_u32)(p, from, to, open);
    gb_pool_barrier(a->pool);
    if (thread == 0)
        (p->shape.type == SR_U64   ? close_u64
         : p->shape.type == SR_F32 ? close_f32
                                   : close_u32)(p, a->carries, a->threads);
}

static gb_status prepare(gb_job *job)
{
    const sr_shape *shape = &job->problem->shape;
    const uint64_t useful = ((uint64_t)shape->n + shape->segments) / LEAST_STEPS;
    const unsigned cores = gb_pool_cores();
    state *a = calloc(1, sizeof *a);
    job->state = a;
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    a->problem = job->problem;
    a->threads = useful < 1 ? 1 : useful < cores ? (unsigned)useful : cores;
    a->carries = gb_pool_allocate(a->threads * sizeof *a->carries);
    if (!a->carries) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for carries");
    return gb_pool_open(a->threads, work, a, &a->pool, &job->error);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    (void)stream;
    gb_pool_run(((state *)job->state)->pool);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    state *a = job->state;
    if (!a) return;
    gb_pool_close(a->pool);
    free(a->carries);
    free(a);
    job->state = NULL;
}

const gb_variant sr_cpu_merge_path = {
    .name = "cpu-merge-path",
    .summary = "all cores, equal stretches of the merge path each",
    .origin = "gpubench, after Merrill and Garland 2016",
    .flags = GB_HOST,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
