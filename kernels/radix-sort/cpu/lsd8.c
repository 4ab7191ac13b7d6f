/* Variant cpu-lsd8: what one core can do. Digits of 8 bits from the least significant one; one read
 * counts them all, a digit that all keys share is skipped, and where the arrays outgrow the caches
 * elements are gathered into whole lines that go around them. The first pass reads the input and
 * the last writes the output: 4 bytes read to count and 8 moved a pass, for 32-bit keys 36 bytes.
 */
#include "kernels/radix-sort/cpu/ends.h"

#include <stdlib.h>

typedef struct lsd8_state {
    uint64_t n;
    rs_cpu_ends ends;
    void *a, *b;      /* n elements each; keys alone: b is the output */
    uint64_t *counts; /* RS_DIGIT_BINS a digit */
    uint64_t *start;  /* RS_DIGIT_BINS */
    void *lines;      /* a group a bin, or NULL */
    void *own_b;
} lsd8_state;

#define RS_BODY "kernels/radix-sort/cpu/lsd8_sort.h"
#include "kernels/radix-sort/cpu/kinds.h"

enum {
    COMBINE_FROM = 32 << 20, /* bytes in both arrays from which gathering lines pays */
    MOST_GROUP_BYTES = 16 * 16
};

static gb_status prepare(gb_job *job)
{
    struct gb_problem *p = job->problem;
    gb_status status = rs_problem_host(job);
    if (status != GB_OK) return status;
    const size_t bytes = p->shape.n * rs_cpu_element_bytes(&p->shape);
    lsd8_state *me = job->state = calloc(1, sizeof *me);
    if (!me) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-lsd8: no host memory");
    *me = (lsd8_state){.n = p->shape.n, .ends = rs_cpu_ends_of(p)};
    me->a = gb_pool_allocate(bytes);
    me->own_b = gb_pool_allocate(p->shape.payload ? bytes : 0);
    me->b = p->shape.payload ? me->own_b : p->host_keys_out;
    me->counts = gb_pool_allocate(RS_MOST_DIGITS * RS_DIGIT_BINS * sizeof *me->counts);
    me->start = gb_pool_allocate(RS_DIGIT_BINS * sizeof *me->start);
    const bool combine = 2 * bytes >= COMBINE_FROM;
    if (combine) me->lines = gb_pool_allocate((size_t)RS_DIGIT_BINS * MOST_GROUP_BYTES);
    if ((combine && !me->lines) || !me->a || !me->own_b || !me->counts || !me->start)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "cpu-lsd8: no host memory for %.3f GB besides input and output",
                       1e-9 * (double)bytes * (p->shape.payload ? 2 : 1));
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    lsd8_state *me = job->state;
    (void)stream;
    if (me->n > 0) rs_for_kind(&job->problem->shape, lsd8, me);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    lsd8_state *me = job->state;
    if (!me) return;
    free(me->a);
    free(me->own_b);
    free(me->counts);
    free(me->start);
    free(me->lines);
    free(me);
    job->state = NULL;
}

const gb_variant rs_cpu_lsd8 = {
    .name = "cpu-lsd8",
    .summary = "LSD radix sort on one core: 8 bits a pass, constant digits skipped",
    .origin = "gpubench",
    .flags = GB_STABLE | GB_HOST,
    .unsupported = rs_no_wide_payload,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
