/* What problem.cu, truth.cu, check.cu and exact.c share: the checker's memory, multiset hashes. */
#ifndef GB_MULTIPARTITION_PROBLEM_H
#define GB_MULTIPARTITION_PROBLEM_H

#include "common/distributions.h"
#include "kernels/multipartition/multipartition.h"

/* Up to this many keys the output is also compared with the CPU oracle's, element by element. */
enum { MP_EXACT_LIMIT = 1 << 17 };

/* Fingerprints of an array of elements: a and b (independent) do not depend on the order and agree
 * for two arrays that are not permutations of each other with probability 2^-128 or so; ordered
 * sees the order as well. */
typedef struct mp_hash {
    uint64_t a, b, ordered;
} mp_hash;

GB_RANDOM_FN void mp_hash_add(mp_hash *hash, uint64_t i, uint32_t key, uint32_t payload)
{
    uint64_t element = (uint64_t)payload << 32 | key;
    uint64_t mixed = gb_mix64(element + 0x9E3779B97F4A7C15ull);
    hash->a += mixed;
    hash->b += gb_mix64(mixed ^ 0xD1B54A32D192ED03ull);
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

/* Counts the input's bins, fingerprints it, and keeps both in problem->checker. Up to
 * MP_EXACT_LIMIT keys the fingerprint is compared with that of the same input made on the CPU. */
gb_status mp_checker_open(struct gb_problem *problem, gb_error *error);
void mp_checker_close(struct gb_problem *problem);

/* The fingerprint of n elements in device memory; payload may be NULL. */
gb_status mp_fingerprint(const struct gb_problem *problem, const uint32_t *keys,
                         const uint32_t *payload, gb_stream stream, mp_hash *hash, gb_error *error);

/* Compares an output on the host (keys, payload or NULL) of at most MP_EXACT_LIMIT keys with the
 * oracle's on input made by the CPU: as sequences if stable, else bin by bin as multisets. The
 * offsets are known to be right. GB_WRONG with the first defect. */
gb_status mp_compare_exactly(const struct gb_problem *problem, bool stable, uint32_t *keys,
                             uint32_t *payload, gb_error *error);

/* Whether the job leaves its output in host memory. */
bool mp_output_on_host(const gb_job *job);

#ifdef __cplusplus
}
#endif
#endif
