/* Variant cpu-lsd1: the paper's baseline, "a function of sequential sorting with the identical
 * logic" on one core. For each bit from the least significant one: a predicate an element (1 where
 * the bit is 0), its exclusive scan f, and the move: a 0 to f[i], a 1 to totalFalses + i - f[i].
 * As on the GPU, predicates and places are arrays in memory: for 32-bit keys a pass reads 4 and
 * writes 1 byte, reads 1 and writes 4, reads 9 and writes 4. */
#include "common/worker/cpu_pool.h"
#include "kernels/radix-sort/keys.h"
#include "kernels/radix-sort/variants.h"

#include <stdlib.h>

typedef struct state {
    void *keys; /* n: the passes go to and fro between here and the output */
    uint32_t *payload, *place;
    uint8_t *predicate; /* as in lsd1, the narrowest element that an array can have */
} state;

/* type is a constant at every call. */
__attribute__((always_inline)) static inline void predicate_of(rs_type type, const rs_shape *shape,
                                                               const void *keys, unsigned bit,
                                                               uint8_t *predicate)
{
    const uint32_t zero = shape->descending ? 0 : 1;
    for (uint64_t i = 0; i < shape->n; i++) {
        const uint64_t key = rs_load_key(type, keys, i);
        predicate[i] = (uint8_t)((uint32_t)(rs_image(type, key) >> bit & 1) ^ zero);
    }
}

static void find_predicate(const rs_shape *shape, const void *keys, unsigned bit,
                           uint8_t *predicate)
{
    switch (shape->type) {
    case RS_U32:
        predicate_of(RS_U32, shape, keys, bit, predicate);
        return;
    case RS_U64:
        predicate_of(RS_U64, shape, keys, bit, predicate);
        return;
    case RS_I32:
        predicate_of(RS_I32, shape, keys, bit, predicate);
        return;
    case RS_F32:
        predicate_of(RS_F32, shape, keys, bit, predicate);
        return;
    case RS_I64:
        predicate_of(RS_I64, shape, keys, bit, predicate);
        return;
    case RS_F64:
        predicate_of(RS_F64, shape, keys, bit, predicate);
        return;
    }
}

/* Returns totalFalses. */
static uint32_t scan(uint64_t n, const uint8_t *predicate, uint32_t *place)
{
    uint32_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        place[i] = sum;
        sum += predicate[i];
    }
    return sum;
}

/* type is a constant at every call; only its width counts. */
__attribute__((always_inline)) static inline void
scatter_keys(rs_type type, uint64_t n, const void *from, const uint32_t *payload_from,
             const state *me, uint32_t falses, void *to, uint32_t *payload_to)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t f = me->place[i];
        const uint32_t to_ones = falses + (uint32_t)i - f;
        /* Without a branch: which way the next bit goes cannot be foreseen. */
        const uint32_t place = to_ones ^ ((to_ones ^ f) & (0u - me->predicate[i]));
        rs_store_key(type, to, place, rs_load_key(type, from, i));
        if (payload_to) payload_to[place] = payload_from[i];
    }
}

static gb_status prepare(gb_job *job)
{
    const rs_shape *shape = &job->problem->shape;
    const size_t n = shape->n;
    gb_status status = rs_problem_host(job);
    if (status != GB_OK) return status;
    state *me = job->state = calloc(1, sizeof *me);
    if (!me) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-lsd1: no host memory");
    me->keys = gb_pool_allocate(n * rs_key_bytes(shape->type));
    me->payload = gb_pool_allocate((shape->payload ? n : 0) * sizeof *me->payload);
    me->predicate = gb_pool_allocate(n * sizeof *me->predicate);
    me->place = gb_pool_allocate(n * sizeof *me->place);
    if (!me->keys || !me->payload || !me->predicate || !me->place)
        return gb_fail(&job->error, GB_OUT_OF_MEMORY,
                       "cpu-lsd1: no host memory for %.3f GB besides input and output",
                       1e-9 * (double)n * (double)(rs_element_bytes(shape) + 5));
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const state *me = job->state;
    struct gb_problem *p = job->problem;
    const rs_shape *shape = &p->shape;
    const void *from = p->host_keys_in;
    const uint32_t *payload_from = p->host_payload_in;
    (void)stream;
    for (unsigned bit = shape->begin_bit; bit < shape->end_bit; bit++) {
        const bool last = (shape->end_bit - bit) % 2 == 1; /* or an even number before it */
        void *to = last ? p->host_keys_out : me->keys;
        uint32_t *payload_to = !shape->payload ? NULL : last ? p->host_payload_out : me->payload;
        find_predicate(shape, from, bit, me->predicate);
        const uint32_t falses = scan(shape->n, me->predicate, me->place);
        if (rs_is_wide(shape->type))
            scatter_keys(RS_U64, shape->n, from, payload_from, me, falses, to, payload_to);
        else
            scatter_keys(RS_U32, shape->n, from, payload_from, me, falses, to, payload_to);
        from = to;
        payload_from = payload_to;
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
    free(me->place);
    free(me);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return params->value[RS_N].size > UINT32_MAX
               ? "its predicates and places are 32-bit numbers: at most 4294967295 keys"
               : rs_no_wide_payload(params, device);
}

const gb_variant rs_cpu_lsd1 = {
    .name = "cpu-lsd1",
    .summary = "the paper's baseline on one core: a bit a pass by predicate, scan, scatter",
    .origin = "radix sort paper, model and its sequential function",
    .flags = GB_STABLE | GB_HOST,
    .unsupported = unsupported,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
    .differs = "it is C, where the paper has Python; predicates are bytes, and a place is computed "
               "as its element moves",
};
