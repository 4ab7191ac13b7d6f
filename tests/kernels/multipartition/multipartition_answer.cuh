/* A right multipartition on the host, to be handed to the checker as it is or spoilt. */
#ifndef GB_TESTS_KERNELS_MULTIPARTITION_MULTIPARTITION_ANSWER_CUH
#define GB_TESTS_KERNELS_MULTIPARTITION_MULTIPARTITION_ANSWER_CUH

#include "common/cuda/device.cuh"
#include "common/text/kept.h"
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include <cmocka.h>
}

enum { SEEDS = 3 };

/* One size that is compared with the oracle, one that is judged by fingerprints alone. */
static const uint64_t sizes[] = {5000, MP_EXACT_LIMIT + 1001};

static gb_device device;
static gb_variant stable_variant, free_variant, host_variant;

/* A right answer, on the host, to be spoilt and handed in. */
typedef struct answer {
    gb_problem *problem;
    gb_params params;
    void *keys;        /* n */
    uint32_t *payload; /* n of words() each, or NULL */
    uint64_t *offsets; /* bins + 1 */
} answer;

static void *room(size_t bytes)
{
    void *memory = calloc(1, bytes + 16);
    assert_non_null(memory);
    return memory;
}

static void copy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    if (bytes) assert_int_equal(cudaMemcpy(to, from, bytes, kind), cudaSuccess);
}

static void set(gb_params *params, int axis, uint64_t size, const char *text)
{
    params->value[axis].size = size;
    params->value[axis].text = gb_text_kept(text);
}

static answer open_answer(uint64_t n, uint32_t bins, const char *dist, const char *function,
                          const char *type, const char *payload, uint64_t seed)
{
    answer a;
    gb_error error;
    memset(&a, 0, sizeof a);
    set(&a.params, MP_N, n, "");
    set(&a.params, MP_BINS, bins, "");
    set(&a.params, MP_DIST, 0, dist);
    set(&a.params, MP_FUNCTION, 0, function);
    set(&a.params, MP_PAYLOAD, 0, payload);
    set(&a.params, MP_TYPE, 0, type);
    if (mp_open(&a.params, seed, &device, &a.problem, &error) != GB_OK) fail_msg("%s", error.text);

    const mp_shape *shape = &a.problem->shape;
    const size_t keys = mp_keys_size(shape), payloads = mp_payload_size(shape);
    void *keys_in = room(keys), *payload_in = room(payloads);
    a.keys = room(keys);
    a.payload = payloads ? (uint32_t *)room(payloads) : NULL;
    a.offsets = (uint64_t *)room((bins + 1) * sizeof(uint64_t));
    copy(keys_in, a.problem->keys_in, keys, cudaMemcpyDeviceToHost);
    copy(payload_in, a.problem->payload_in, payloads, cudaMemcpyDeviceToHost);
    mp_oracle(shape, &a.problem->host_bin, keys_in, payload_in, a.keys, a.payload, a.offsets);
    free(keys_in);
    free(payload_in);
    return a;
}

static void close_answer(answer *a)
{
    mp_close(a->problem);
    free(a->keys);
    free(a->payload);
    free(a->offsets);
}

static gb_job job_of(answer *a, const gb_variant *variant, gb_scope scope)
{
    gb_job job;
    memset(&job, 0, sizeof job);
    job.variant = variant;
    job.params = &a->params;
    job.device = &device;
    job.problem = a->problem;
    job.scope = scope;
    return job;
}

static void hand_in(answer *a)
{
    gb_problem *p = a->problem;
    copy(p->keys_out, a->keys, mp_keys_size(&p->shape), cudaMemcpyHostToDevice);
    copy(p->payload_out, a->payload, mp_payload_size(&p->shape), cudaMemcpyHostToDevice);
    copy(p->offsets, a->offsets, (p->shape.bins + 1) * sizeof(uint64_t), cudaMemcpyHostToDevice);
}

static void judge(answer *a, const gb_variant *variant, gb_status expected, const char *words)
{
    gb_job job = job_of(a, variant, GB_SCOPE_DEVICE);
    gb_status status = mp_check(&job, NULL);
    if (status != expected)
        fail_msg("%s, not %s: %s", gb_status_name(status), gb_status_name(expected),
                 status == GB_OK ? words : job.error.text);
    if (expected == GB_OK) return;
    assert_int_equal(job.error.status, GB_WRONG);
    if (!strstr(job.error.text, words))
        fail_msg("the reason '%s' does not say '%s'", job.error.text, words);
}

static void passes(answer *a, const gb_variant *variant)
{
    hand_in(a);
    judge(a, variant, GB_OK, "passed");
}

static void fails(answer *a, const gb_variant *variant, const char *words)
{
    hand_in(a);
    judge(a, variant, GB_WRONG, words);
}

/* ---- elements of the answer ------------------------------------------------------------------ */

static uint64_t key_at(const answer *a, uint64_t i)
{
    return mp_load_key(&a->problem->shape, a->keys, i);
}

static void put_key(answer *a, uint64_t i, uint64_t key)
{
    memcpy((char *)a->keys + i * a->problem->shape.key_bytes, &key, a->problem->shape.key_bytes);
}

static void swap_keys(answer *a, uint64_t i, uint64_t j)
{
    const uint64_t kept = key_at(a, i);
    put_key(a, i, key_at(a, j));
    put_key(a, j, kept);
}

/* Words of a payload. */
static unsigned words(const answer *a)
{
    return a->problem->shape.payload_bytes / 4;
}

static void swap_payload_words(answer *a, uint64_t i, uint64_t j, unsigned w)
{
    uint32_t *left = &a->payload[i * words(a) + w], *right = &a->payload[j * words(a) + w];
    const uint32_t kept = *left;
    *left = *right;
    *right = kept;
}

static void swap_payloads(answer *a, uint64_t i, uint64_t j)
{
    for (unsigned w = 0; w < words(a); w++)
        swap_payload_words(a, i, j, w);
}

/* A bin with at least count keys, at or after the seed's own place; the first index in it. */
static uint64_t roomy_bin(const answer *a, uint64_t seed, uint64_t count, uint32_t *bin)
{
    const uint32_t bins = a->problem->shape.bins;
    for (uint32_t step = 0; step < bins; step++) {
        *bin = (uint32_t)((seed * 7 + step) % bins);
        if (a->offsets[*bin + 1] - a->offsets[*bin] >= count) return a->offsets[*bin];
    }
    fail_msg("no bin has %llu keys", (unsigned long long)count);
    return 0;
}

/* Calls body for every function, size and seed (one for the last function), with an answer that is
 * right on entry. */
static void for_each(const char *dist, const char *type, const char *payload,
                     void (*body)(answer *, uint64_t seed))
{
    static const char *const functions[] = {"range", "modulo", "hash", "splitters", "max"};
    for (int f = 0; f < 5; f++)
        for (int s = 0; s < 2; s++)
            for (uint64_t seed = 1; seed <= (f < 4 ? SEEDS : 1); seed++) {
                answer a = open_answer(sizes[s], seed == 2 ? 361 : 40, dist, functions[f], type,
                                       payload, seed);
                passes(&a, &stable_variant);
                body(&a, seed);
                passes(&a, &free_variant);
                close_answer(&a);
            }
}

#endif
