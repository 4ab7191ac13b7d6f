/* Small outputs against the oracle, element by element, on input that the CPU made for itself. */
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/problem.h"

#include <stdio.h>
#include <stdlib.h>

/* By key, then payload. */
static int ascending(const void *left, const void *right)
{
    const mp_element *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    for (unsigned w = 0; w < MP_PAYLOAD_WORDS; w++)
        if (a->payload[w] != b->payload[w]) return a->payload[w] < b->payload[w] ? -1 : 1;
    return 0;
}

enum { ELEMENT_TEXT = 96 };

/* "0x0000002a with payload 7"; a wider payload's words are hexadecimal, the first one first. */
static const char *element_text(const mp_shape *shape, const mp_element *element,
                                char text[ELEMENT_TEXT])
{
    int used = snprintf(text, ELEMENT_TEXT, "0x%0*llx", (int)(2 * shape->key_bytes),
                        (unsigned long long)element->key);
    if (shape->payload_bytes == 4)
        snprintf(text + used, ELEMENT_TEXT - (size_t)used, " with payload %u", element->payload[0]);
    for (unsigned w = 0; shape->payload_bytes > 4 && w < shape->payload_bytes / 4; w++)
        used += snprintf(text + used, ELEMENT_TEXT - (size_t)used, "%s%08x",
                         w ? " " : " with payload ", element->payload[w]);
    return text;
}

static gb_status differ_in_sequence(const mp_shape *shape, const mp_element *right,
                                    const mp_element *found, const uint64_t *offsets,
                                    gb_error *error)
{
    char found_text[ELEMENT_TEXT], right_text[ELEMENT_TEXT];
    for (uint32_t b = 0; b < shape->bins; b++)
        for (uint64_t i = offsets[b]; i < offsets[b + 1]; i++)
            if (ascending(&right[i], &found[i]) != 0)
                return gb_fail(error, GB_WRONG,
                               "keys_out[%llu] = %s, but a stable output has %s there (bin %u)",
                               (unsigned long long)i, element_text(shape, &found[i], found_text),
                               element_text(shape, &right[i], right_text), b);
    return GB_OK;
}

/* Sorted, both sides of a bin must be the same; the smaller of the first two that differ is missing
 * on the other side. */
static gb_status differ_in_elements(const mp_shape *shape, mp_element *right, mp_element *found,
                                    const uint64_t *offsets, gb_error *error)
{
    char text[ELEMENT_TEXT];
    for (uint32_t b = 0; b < shape->bins; b++) {
        size_t size = (size_t)(offsets[b + 1] - offsets[b]);
        if (size == 0) continue;
        qsort(right + offsets[b], size, sizeof *right, ascending);
        qsort(found + offsets[b], size, sizeof *found, ascending);
        for (uint64_t i = offsets[b]; i < offsets[b + 1]; i++) {
            const int order = ascending(&right[i], &found[i]);
            if (order == 0) continue;
            return gb_fail(error, GB_WRONG, "bin %u holds %s of it than the input: key %s", b,
                           order < 0 ? "fewer" : "more",
                           element_text(shape, order < 0 ? &right[i] : &found[i], text));
        }
    }
    return GB_OK;
}

/* What the oracle makes of the input that the CPU made. memory: room for input and output. */
static void make_right(const mp_shape *shape, const gb_dist *dist, const mp_bin_data *bin,
                       char *memory, mp_element *right, uint64_t *offsets)
{
    const size_t keys = mp_keys_size(shape), payload = mp_payload_size(shape);
    void *keys_in = memory, *keys_out = memory + keys;
    uint32_t *payload_in = (void *)(memory + 2 * keys);
    uint32_t *payload_out = (void *)(memory + 2 * keys + payload);
    for (uint64_t i = 0; i < shape->n; i++) {
        const mp_element element = mp_make_element(dist, shape, i);
        mp_store_element(shape, keys_in, payload_in, i, &element);
    }
    mp_oracle(shape, bin, keys_in, payload_in, keys_out, payload_out, offsets);
    for (uint64_t i = 0; i < shape->n; i++)
        right[i] = mp_load_element(shape, keys_out, payload_out, i);
}

gb_status mp_check_max(const struct gb_problem *problem, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    uint64_t max = 0;
    gb_dist dist;
    if (!gb_dist_of(problem->dist, problem->seed, shape->n, &dist, NULL))
        return gb_fail(error, GB_UNSUPPORTED, "dist '%.40s'", problem->dist);
    for (uint64_t i = 0; i < shape->n; i++) {
        const uint64_t key = mp_make_element(&dist, shape, i).key;
        if (key > max) max = key;
    }
    for (uint64_t i = 0; i < shape->n; i++) {
        const uint64_t key = mp_make_element(&dist, shape, i).key;
        const uint32_t found = mp_bin_wide(MP_MAX, &problem->host_bin, shape->key_bytes, key);
        const unsigned __int128 scaled = (unsigned __int128)key * shape->bins;
        const uint32_t right = (uint32_t)(scaled / ((unsigned __int128)max + 1));
        if (found == right) continue;
        return gb_fail(error, GB_CRASHED,
                       "function max: key %llu is in bin %u of %u by the largest key that the "
                       "device found, but in bin %u by the true one, %llu",
                       (unsigned long long)key, found, shape->bins, right, (unsigned long long)max);
    }
    return GB_OK;
}

gb_status mp_compare_exactly(const struct gb_problem *problem, bool stable, const void *keys,
                             const uint32_t *payload, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    const size_t n = (size_t)shape->n;
    gb_dist dist;
    if (!gb_dist_of(problem->dist, problem->seed, shape->n, &dist, NULL))
        return gb_fail(error, GB_UNSUPPORTED, "dist '%.40s'", problem->dist);

    gb_status status = GB_OUT_OF_MEMORY;
    char *memory = malloc(2 * (mp_keys_size(shape) + mp_payload_size(shape)) + 1);
    mp_element *right = calloc(2 * n + 1, sizeof *right);
    uint64_t *offsets = malloc(((size_t)shape->bins + 1) * sizeof *offsets);
    if (!memory || !right || !offsets) {
        gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to check %llu keys",
                (unsigned long long)n);
        goto done;
    }
    make_right(shape, &dist, &problem->host_bin, memory, right, offsets);
    mp_element *found = right + n;
    for (size_t i = 0; i < n; i++)
        found[i] = mp_load_element(shape, keys, payload, i);
    status = stable ? differ_in_sequence(shape, right, found, offsets, error)
                    : differ_in_elements(shape, right, found, offsets, error);
done:
    free(memory);
    free(right);
    free(offsets);
    return status;
}
