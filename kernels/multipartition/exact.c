/* Small outputs against the oracle, element by element, on input that the CPU made for itself. */
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/problem.h"

#include <stdlib.h>

/* An element as one number, ordered by key, then payload. */
static uint64_t element(const uint32_t *keys, const uint32_t *payload, size_t i)
{
    return (uint64_t)keys[i] << 32 | (payload ? payload[i] : 0);
}

static int ascending(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static gb_status differ_in_sequence(const mp_shape *shape, const uint64_t *right,
                                    const uint64_t *found, const uint64_t *offsets, gb_error *error)
{
    for (uint32_t b = 0; b < shape->bins; b++)
        for (uint64_t i = offsets[b]; i < offsets[b + 1]; i++) {
            if (right[i] == found[i]) continue;
            if (shape->payload)
                return gb_fail(error, GB_WRONG,
                               "keys_out[%llu] = 0x%08x with payload %u, but a stable output has "
                               "0x%08x with payload %u there (bin %u)",
                               (unsigned long long)i, (uint32_t)(found[i] >> 32),
                               (uint32_t)found[i], (uint32_t)(right[i] >> 32), (uint32_t)right[i],
                               b);
            return gb_fail(error, GB_WRONG,
                           "keys_out[%llu] = 0x%08x, but a stable output has 0x%08x there (bin %u)",
                           (unsigned long long)i, (uint32_t)(found[i] >> 32),
                           (uint32_t)(right[i] >> 32), b);
        }
    return GB_OK;
}

/* Sorted, both sides of a bin must be the same; the smaller of the first two that differ is missing
 * on the other side. */
static gb_status differ_in_elements(const mp_shape *shape, uint64_t *right, uint64_t *found,
                                    const uint64_t *offsets, gb_error *error)
{
    for (uint32_t b = 0; b < shape->bins; b++) {
        size_t size = (size_t)(offsets[b + 1] - offsets[b]);
        if (size == 0) continue;
        qsort(right + offsets[b], size, sizeof *right, ascending);
        qsort(found + offsets[b], size, sizeof *found, ascending);
        for (uint64_t i = offsets[b]; i < offsets[b + 1]; i++) {
            if (right[i] == found[i]) continue;
            bool lost = right[i] < found[i];
            uint64_t odd = lost ? right[i] : found[i];
            const char *what =
                lost ? "holds fewer of it than the input" : "holds more of it than the input";
            if (shape->payload)
                return gb_fail(error, GB_WRONG, "bin %u %s: key 0x%08x with payload %u", b, what,
                               (uint32_t)(odd >> 32), (uint32_t)odd);
            return gb_fail(error, GB_WRONG, "bin %u %s: key 0x%08x", b, what,
                           (uint32_t)(odd >> 32));
        }
    }
    return GB_OK;
}

gb_status mp_compare_exactly(const struct gb_problem *problem, bool stable, uint32_t *keys,
                             uint32_t *payload, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    const size_t n = (size_t)shape->n;
    gb_dist dist;
    if (!gb_dist_of(problem->dist, problem->seed, shape->n, &dist, NULL))
        return gb_fail(error, GB_UNSUPPORTED, "dist '%.40s'", problem->dist);

    gb_status status = GB_OUT_OF_MEMORY;
    uint32_t *words = malloc((4 * n + 1) * sizeof *words);
    uint64_t *elements = malloc((2 * n + 1) * sizeof *elements);
    uint64_t *offsets = malloc(((size_t)shape->bins + 1) * sizeof *offsets);
    if (!words || !elements || !offsets) {
        gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to check %llu keys",
                (unsigned long long)n);
        goto done;
    }
    uint32_t *keys_in = words, *keys_right = words + n;
    uint32_t *payload_in = payload ? words + 2 * n : NULL;
    uint32_t *payload_right = payload ? words + 3 * n : NULL;
    for (size_t i = 0; i < n; i++) {
        keys_in[i] = gb_dist_key(&dist, i);
        if (payload_in) payload_in[i] = (uint32_t)i;
    }
    mp_oracle(shape, &problem->host_bin, keys_in, payload_in, keys_right, payload_right, offsets);
    uint64_t *right = elements, *found = elements + n;
    for (size_t i = 0; i < n; i++) {
        right[i] = element(keys_right, payload_right, i);
        found[i] = element(keys, payload, i);
    }
    status = stable ? differ_in_sequence(shape, right, found, offsets, error)
                    : differ_in_elements(shape, right, found, offsets, error);
done:
    free(words);
    free(elements);
    free(offsets);
    return status;
}
