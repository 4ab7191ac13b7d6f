/* Variant cpu-lsd1-operators: the paper's baseline as its text has the model, on one core. For each
 * bit from the least significant one every operator is a pass over whole arrays that leaves an
 * array behind: 1) the vector of predicates: 1 where the bit is 0, else 0; 2) its exclusive prefix
 * sums f, and totalFalses; 3) the addresses: f[i] for a 0, totalFalses + i - f[i] for a 1; 4) the
 * elements, moved to their addresses. Nothing is fused, as in a language of array operations; all
 * numbers are words of 32 bits. For 32-bit keys a pass reads 4 and writes 4 bytes, reads 4 and
 * writes 4, reads 8 and writes 4, reads 8 and writes 4. cpu-lsd1 is the same in fewer bytes. */
#include "common/worker/cpu_pool.h"
#include "kernels/radix-sort/cpu/ends.h"
#include "kernels/radix-sort/variants.h"

#include <stdlib.h>

typedef struct state {
    void *keys; /* n: the passes go to and fro between here and the output */
    uint32_t *payload;
    uint32_t *predicate, *f, *address; /* n each */
} state;

/* A bit of the keys' images (ends.h), which a descending order complements. */
static void find_predicates32(const rs_cpu_ends *ends, uint64_t n, const uint32_t *keys,
                              unsigned bit, uint32_t *predicate)
{
    const uint32_t flip = (uint32_t)ends->flip, negative = (uint32_t)ends->negative;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t sign = 0u - (keys[i] >> 31);
        predicate[i] = ~((keys[i] ^ flip ^ (sign & negative)) >> bit) & 1;
    }
}

static void find_predicates64(const rs_cpu_ends *ends, uint64_t n, const uint64_t *keys,
                              unsigned bit, uint32_t *predicate)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t sign = (uint64_t)0 - (keys[i] >> 63);
        predicate[i] = (uint32_t)(~((keys[i] ^ ends->flip ^ (sign & ends->negative)) >> bit) & 1);
    }
}

/* Returns totalFalses. */
static uint32_t scan(uint64_t n, const uint32_t *predicate, uint32_t *f)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        f[i] = sum;
        sum += predicate[i];
    }
    return sum;
}

static void find_addresses(uint64_t n, const uint32_t *predicate, const uint32_t *f,
                           uint32_t falses, uint32_t *address)
{
    for (uint64_t i = 0; i < n; i++)
        address[i] = predicate[i] ? f[i] : falses + (uint32_t)i - f[i];
}

static void scatter32(uint64_t n, const uint32_t *from, const uint32_t *address, uint32_t *to)
{
    for (uint64_t i = 0; i < n; i++)
        to[address[i]] = from[i];
}

static void scatter64(uint64_t n, const uint64_t *from, const uint32_t *address, uint64_t *to)
{
    for (uint64_t i = 0; i < n; i++)
        to[address[i]] = from[i];
}

/* Elements of a pass. */
typedef struct elements {
    void *keys;
    uint32_t *payload; /* or NULL */
} elements;

static void sort_by_bit(const state *me, const rs_shape *shape, const rs_cpu_ends *ends,
                        unsigned bit, const elements *from, const elements *to)
{
    const uint64_t n = shape->n;
    if (rs_key_bytes(shape->type) == 8)
        find_predicates64(ends, n, from->keys, bit, me->predicate);
    else
        find_predicates32(ends, n, from->keys, bit, me->predicate);
    const uint32_t falses = scan(n, me->predicate, me->f);
    find_addresses(n, me->predicate, me->f, falses, me->address);
    if (rs_key_bytes(shape->type) == 8)
        scatter64(n, from->keys, me->address, to->keys);
    else
        scatter32(n, from->keys, me->address, to->keys);
    if (from->payload && to->payload) scatter32(n, from->payload, me->address, to->payload);
}

static gb_status prepare(gb_job *job)
{
    const rs_shape *shape = &job->problem->shape;
    const size_t n = shape->n;
    gb_status status = rs_problem_host(job);
    if (status != GB_OK) return status;
    state *me = job->state = calloc(1, sizeof *me);
    if (!me) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-lsd1-operators: no host memory");
    me->keys = gb_pool_allocate(n * rs_key_bytes(shape->type));
    me->payload = gb_pool_allocate((shape->payload ? n : 0) * sizeof *me->payload);
    me->predicate = gb_pool_allocate(n * sizeof *me->predicate);
    me->f = gb_pool_allocate(n * sizeof *me->f);
    me->address = gb_pool_allocate(n * sizeof *me->address);
    if (!me->keys || !me->payload || !me->predicate || !me->f || !me->address)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "cpu-lsd1-operators: no host memory for %.3f GB besides input and output",
                       1e-9 * (double)n * (double)(rs_element_bytes(shape) + 12));
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const state *me = job->state;
    const struct gb_problem *p = job->problem;
    const rs_shape *shape = &p->shape;
    const rs_cpu_ends ends = rs_cpu_ends_of(p);
    const elements output = {p->host_keys_out, p->host_payload_out};
    const elements scratch = {me->keys, shape->payload ? me->payload : NULL};
    elements from = {p->host_keys_in, p->host_payload_in};
    (void)stream;
    for (unsigned bit = shape->begin_bit; bit < shape->end_bit; bit++) {
        const bool last = (shape->end_bit - bit) % 2 == 1; /* or an even number before it */
        const elements to = last ? output : scratch;
        sort_by_bit(me, shape, &ends, bit, &from, &to);
        from = to;
    }
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    state *me = job->state;
    if (!me) return;
    free(me->keys);
    free(me->payload);
    free(me->predicate);
    free(me->f);
    free(me->address);
    free(me);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return params->value[RS_N].size > UINT32_MAX
               ? "its predicates and addresses are 32-bit numbers: at most 4294967295 keys"
               : rs_no_wide_payload(params, device);
}

const gb_variant rs_cpu_lsd1_operators = {
    .name = "cpu-lsd1-operators",
    .summary = "the paper's baseline on one core, each operator a pass over whole arrays",
    .origin = "radix sort paper, model and its sequential function",
    .flags = GB_STABLE | GB_HOST,
    .unsupported = unsupported,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
    .differs = "C, where the paper has Python and does not say whether by array operations or by a "
               "loop over keys; words of 32 bits in every array, and two arrays of keys in turns, "
               "are a reading",
};
