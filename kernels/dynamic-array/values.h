/* The elements of a point: a permutation of 0 ... n - 1, so that every element is found again by
 * its value alone. Those below `kept` are pushed.
 *
 * The paper draws integers from 0 to 99 and pushes those below 90; here element i stands for 100
 * i'/n of such a draw. The permutation is a Feistel network over the next power of four, walked
 * until it falls below n (Black, Rogaway 2002, "Ciphers with arbitrary finite domains"); it depends
 * on the seed and i alone and can be inverted, which shows whether an array kept the order of the
 * input. */
#ifndef GB_DYNAMIC_ARRAY_VALUES_H
#define GB_DYNAMIC_ARRAY_VALUES_H

#include "common/random.h"

#include <stdbool.h>

/* The axes that say which are pushed, on one GPU and on several. */
#define DA_KEEP_AXIS                                                                               \
    {                                                                                              \
        .name = "keep", .type = GB_AXIS_SIZE, .help = "how many of a hundred elements are pushed", \
        .fallback = "90", .min = 0, .max = 100,                                                    \
        .nasty = (const char *const[]){"90", "0", "1", "50", "99", "100", NULL},                   \
    }
#define DA_DIST_AXIS                                                                       \
    {                                                                                      \
        .name = "dist", .type = GB_AXIS_NAME,                                              \
        .help = "where the elements that are pushed lie in the input: anywhere, or first", \
        .fallback = "uniform", .names = (const char *const[]){"uniform", "sorted", NULL},  \
        .nasty = (const char *const[]){"uniform", "sorted", NULL},                         \
    }

enum { DA_ROUNDS = 4 };

typedef struct da_values {
    uint64_t n, kept;
    bool sorted;        /* element i is i */
    unsigned half;      /* bits of half a value: 4^half >= n */
    uint32_t half_mask; /* that many ones */
    uint32_t key[DA_ROUNDS];
} da_values;

static inline da_values da_values_of(uint64_t n, uint64_t kept, bool sorted, uint64_t seed)
{
    da_values values = {n, kept, sorted, 0, 0, {0}};
    const gb_random4 keys = gb_random(seed, 0, 0);
    while ((uint64_t)1 << 2 * values.half < n)
        values.half++;
    values.half_mask = (uint32_t)(((uint64_t)1 << values.half) - 1);
    for (int r = 0; r < DA_ROUNDS; r++)
        values.key[r] = keys.word[r];
    return values;
}

GB_RANDOM_FN uint32_t da_scramble(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* The value of element i < n. */
GB_RANDOM_FN uint32_t da_value(const da_values *values, uint64_t i)
{
    if (values->sorted) return (uint32_t)i;
    do {
        uint32_t left = (uint32_t)(i >> values->half), right = (uint32_t)i & values->half_mask;
        for (int r = 0; r < DA_ROUNDS; r++) {
            const uint32_t next = left ^ (da_scramble(right + values->key[r]) & values->half_mask);
            left = right;
            right = next;
        }
        i = (uint64_t)left << values->half | right;
    } while (i >= values->n);
    return (uint32_t)i;
}

/* Which element has a value below n. */
GB_RANDOM_FN uint64_t da_place(const da_values *values, uint32_t value)
{
    uint64_t i = value;
    if (values->sorted) return i;
    do {
        uint32_t left = (uint32_t)(i >> values->half), right = (uint32_t)i & values->half_mask;
        for (int r = DA_ROUNDS - 1; r >= 0; r--) {
            const uint32_t before =
                right ^ (da_scramble(left + values->key[r]) & values->half_mask);
            right = left;
            left = before;
        }
        i = (uint64_t)left << values->half | right;
    } while (i >= values->n);
    return i;
}

/* What the array holds at j before the first push: values that no element of the input has. */
GB_RANDOM_FN uint32_t da_held_value(const da_values *values, uint64_t j)
{
    return (uint32_t)(values->n + j);
}

#endif
