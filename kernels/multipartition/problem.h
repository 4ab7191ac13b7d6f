/* What problem.cu, truth.cu, check.cu and exact.c share: the checker's memory, multiset hashes. */
#ifndef GB_MULTIPARTITION_PROBLEM_H
#define GB_MULTIPARTITION_PROBLEM_H

#include "common/distributions.h"
#include "kernels/multipartition/bins.h"

/* Up to this many keys the output is also compared with the CPU oracle's, element by element. */
enum { MP_EXACT_LIMIT = 1 << 17 };

/* ---- elements of any width ------------------------------------------------------------------- */

enum { MP_PAYLOAD_WORDS = 4 }; /* of the widest payload */

typedef struct mp_element {
    uint64_t key;
    uint32_t payload[MP_PAYLOAD_WORDS]; /* 0 beyond the payload's width */
} mp_element;

/* Word w of payload i: the low 32 bits of i, then words that depend on all of i. */
GB_RANDOM_FN uint32_t mp_payload_word(uint64_t i, unsigned w)
{
    return w == 0 ? (uint32_t)i : (uint32_t)(gb_mix64(i << 2 | w) >> 32);
}

/* Element i of the input. */
GB_RANDOM_FN mp_element mp_make_element(const gb_dist *dist, const mp_shape *shape, uint64_t i)
{
    mp_element element = {0, {0, 0, 0, 0}};
    element.key =
        shape->key_bytes == 8 ? gb_dist_key64(dist, GB_STREAM_LOW_HALF, i) : gb_dist_key(dist, i);
    for (unsigned w = 0; w < MP_PAYLOAD_WORDS; w++)
        if (w < shape->payload_bytes / 4) element.payload[w] = mp_payload_word(i, w);
    return element;
}

GB_RANDOM_FN uint64_t mp_load_key(const mp_shape *shape, const void *keys, uint64_t i)
{
    return shape->key_bytes == 8 ? ((const uint64_t *)keys)[i] : ((const uint32_t *)keys)[i];
}

/* The bin of key i. */
GB_RANDOM_FN uint32_t mp_bin_at(const mp_shape *shape, const mp_bin_data *bin, const void *keys,
                                uint64_t i)
{
    return mp_bin_wide(shape->function, bin, shape->key_bytes, mp_load_key(shape, keys, i));
}

/* Element i of arrays; payload is not looked at where the shape has none. */
GB_RANDOM_FN mp_element mp_load_element(const mp_shape *shape, const void *keys,
                                        const uint32_t *payload, uint64_t i)
{
    const unsigned words = shape->payload_bytes / 4;
    mp_element element = {mp_load_key(shape, keys, i), {0, 0, 0, 0}};
    for (unsigned w = 0; w < MP_PAYLOAD_WORDS; w++)
        if (w < words) element.payload[w] = payload[i * words + w];
    return element;
}

GB_RANDOM_FN void mp_store_element(const mp_shape *shape, void *keys, uint32_t *payload, uint64_t i,
                                   const mp_element *element)
{
    const unsigned words = shape->payload_bytes / 4;
    if (shape->key_bytes == 8)
        ((uint64_t *)keys)[i] = element->key;
    else
        ((uint32_t *)keys)[i] = (uint32_t)element->key;
    for (unsigned w = 0; w < MP_PAYLOAD_WORDS; w++)
        if (w < words) payload[i * words + w] = element->payload[w];
}

/* Bytes of an array of keys, or of payloads: 0 if there are none. */
static inline size_t mp_keys_size(const mp_shape *shape)
{
    return (size_t)shape->n * shape->key_bytes;
}
static inline size_t mp_payload_size(const mp_shape *shape)
{
    return (size_t)shape->n * shape->payload_bytes;
}

/* ---- fingerprints ---------------------------------------------------------------------------- */

/* Fingerprints of an array of elements: a and b (independent) do not depend on the order and agree
 * for two arrays that are not permutations of each other with probability 2^-128 or so; ordered
 * sees the order as well. */
typedef struct mp_hash {
    uint64_t a, b, ordered;
} mp_hash;

/* Mixes all bits of an element. Where it is wider than a number, elements that agree for one salt
 * do not for another. */
GB_RANDOM_FN uint64_t mp_mix_element(const mp_element *element, uint64_t salt)
{
    const uint32_t *payload = element->payload;
    uint64_t mixed = gb_mix64(element->key + salt);
    mixed = gb_mix64(mixed + ((uint64_t)payload[1] << 32 | payload[0]) + salt);
    return gb_mix64(mixed + ((uint64_t)payload[3] << 32 | payload[2]) + salt);
}

GB_RANDOM_FN void mp_hash_add(mp_hash *hash, uint64_t i, const mp_element *element)
{
    const uint64_t mixed = mp_mix_element(element, 0x9E3779B97F4A7C15ull);
    hash->a += mixed;
    hash->b += mp_mix_element(element, 0xD1B54A32D192ED03ull);
    hash->ordered += gb_mix64(mixed + i * 0x9E3779B97F4A7C15ull);
}

/* What the checker knows of a problem's truth (gb_problem.checker). */
typedef struct mp_checker {
    uint64_t *offsets;      /* device: where each bin begins, bins + 1 */
    uint64_t *host_offsets; /* the same on the host */
    uint64_t *found;        /* host: room for a variant's offsets */
    mp_hash input;
    mp_hash *sums;          /* device: one fingerprint */
    uint64_t *first_defect; /* device: smallest index of a wrong element */
    /* device: where in bin b the elements begin whose input position is at least 2^32 (e + 1), at
     * [e * bins + b]; NULL unless payloads wrap (n > 2^32) */
    uint64_t *wraps;
} mp_checker;

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the input to device memory: keys_in and payload_in. */
gb_status mp_generate(struct gb_problem *problem, gb_error *error);

/* Copies the input to the host's arrays, if they are there. */
gb_status mp_fetch_input(struct gb_problem *problem, gb_error *error);

/* Counts the input's bins, fingerprints it, and keeps both in problem->checker. Up to
 * MP_EXACT_LIMIT keys the fingerprint is compared with that of the same input made on the CPU. */
gb_status mp_checker_open(struct gb_problem *problem, gb_error *error);
void mp_checker_close(struct gb_problem *problem);

/* The fingerprint of n elements in device memory. */
gb_status mp_fingerprint(const struct gb_problem *problem, const uint32_t *keys,
                         const uint32_t *payload, gb_stream stream, mp_hash *hash, gb_error *error);

/* Whether function max, as the problem has it, gives each of at most MP_EXACT_LIMIT keys, made by
 * the CPU, the bin that a division by the largest of them gives. Else GB_CRASHED with the first. */
gb_status mp_check_max(const struct gb_problem *problem, gb_error *error);

/* Compares an output on the host of at most MP_EXACT_LIMIT keys with the oracle's on input made by
 * the CPU: as sequences if stable, else bin by bin as multisets. The offsets are known to be right.
 * GB_WRONG with the first defect. */
gb_status mp_compare_exactly(const struct gb_problem *problem, bool stable, const void *keys,
                             const uint32_t *payload, gb_error *error);

/* Whether the job leaves its output in host memory. */
bool mp_output_on_host(const gb_job *job);

#ifdef __cplusplus
}
#endif
#endif
