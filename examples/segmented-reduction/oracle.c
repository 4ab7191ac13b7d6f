/* What is right: sums by a loop over each segment, and how found ones differ from them. */
#include "segmented_reduction.h"

#include "common/random.h"

#include <string.h>

/* The sum of values [begin, end) into element s of `sums`. Whole numbers, floats too, are exact. */
static void sum_segment(sr_type type, const void *values, uint32_t begin, uint32_t end, void *sums,
                        uint32_t s)
{
    uint64_t whole = 0;
    double floating = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (type == SR_U64)
            whole += ((const uint64_t *)values)[i];
        else if (type == SR_U32)
            whole += ((const uint32_t *)values)[i];
        else
            floating += (double)((const float *)values)[i];
    }
    if (type == SR_U64)
        ((uint64_t *)sums)[s] = whole;
    else if (type == SR_U32)
        ((uint32_t *)sums)[s] = (uint32_t)whole;
    else
        ((float *)sums)[s] = (float)floating;
}

void sr_expect(struct gb_problem *problem)
{
    const uint32_t *offsets = problem->host_offsets;
    for (uint32_t s = 0; s < problem->shape.segments; s++)
        sum_segment(problem->shape.type, problem->host_values, offsets[s], offsets[s + 1],
                    problem->expected, s);
}

/* Element s of an array of sums, as a number; u64 beyond 2^53 are rounded, for people. */
static double number_at(sr_type type, const void *sums, uint32_t s)
{
    if (type == SR_U64) return (double)((const uint64_t *)sums)[s];
    if (type == SR_U32) return ((const uint32_t *)sums)[s];
    return (double)((const float *)sums)[s];
}

static bool equal_at(sr_type type, const void *a, const void *b, uint32_t s)
{
    if (type == SR_U64) return ((const uint64_t *)a)[s] == ((const uint64_t *)b)[s];
    if (type == SR_U32) return ((const uint32_t *)a)[s] == ((const uint32_t *)b)[s];
    return ((const float *)a)[s] == ((const float *)b)[s];
}

static bool is_poison(const void *at, size_t bytes)
{
    const unsigned char *byte = at;
    for (size_t i = 0; i < bytes; i++)
        if (byte[i] != SR_POISON) return false;
    return true;
}

gb_status sr_compare(const struct gb_problem *problem, const void *found, gb_error *error)
{
    const sr_shape *shape = &problem->shape;
    const size_t element = sr_element_bytes(shape->type);
    for (uint32_t s = 0; s < shape->segments; s++) {
        if (equal_at(shape->type, found, problem->expected, s)) continue;
        const char *at = (const char *)found + s * element;
        return gb_fail(
            error, GB_WRONG, "the sum of segment %u (elements %u to %u) %s%.17g, not %.17g", s,
            problem->host_offsets[s], problem->host_offsets[s + 1],
            is_poison(at, element) ? "was not written: " : "is ", number_at(shape->type, found, s),
            number_at(shape->type, problem->expected, s));
    }
    if (!is_poison((const char *)found + shape->segments * element, element))
        return gb_fail(error, GB_WRONG, "something was written behind the sums of all %u segments",
                       shape->segments);
    return GB_OK;
}

static uint64_t fingerprint_words(const void *array, uint64_t words, uint64_t salt)
{
    const uint32_t *word = array;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < words; i++)
        sum += gb_mix64((salt + i) << 32 | word[i]);
    return sum;
}

uint64_t sr_fingerprint(const struct gb_problem *problem)
{
    const sr_shape *shape = &problem->shape;
    return fingerprint_words(problem->host_values, shape->n * sr_element_bytes(shape->type) / 4,
                             0) +
           fingerprint_words(problem->host_offsets, (uint64_t)shape->segments + 1, SR_SALT);
}
