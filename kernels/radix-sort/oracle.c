/* The truth that every variant is held to: a stable merge sort, bottom up, that compares fields and
 * shares nothing with any radix sort. */
#include "kernels/radix-sort/keys.h"

#include <string.h>

typedef struct element {
    uint64_t key;
    uint32_t payload;
} element;

_Static_assert(sizeof(element) == 16, "rs_oracle's scratch is 16 bytes an element and run");

/* Merges from[begin, middle) and from[middle, end) into to[begin, end). */
static void merge(const rs_shape *shape, const element *from, element *to, uint64_t begin,
                  uint64_t middle, uint64_t end)
{
    uint64_t left = begin, right = middle;
    for (uint64_t i = begin; i < end; i++) {
        bool take_left = right == end || (left < middle && rs_field(shape, from[left].key) <=
                                                               rs_field(shape, from[right].key));
        to[i] = take_left ? from[left++] : from[right++];
    }
}

void rs_oracle(const rs_shape *shape, void *keys, uint32_t *payload, void *scratch)
{
    const uint64_t n = shape->n;
    element *from = scratch, *to = from + n;
    for (uint64_t i = 0; i < n; i++) {
        from[i].key = rs_load_key(shape->type, keys, i);
        from[i].payload = payload ? payload[i] : 0;
    }
    for (uint64_t run = 1; run < n; run *= 2) {
        for (uint64_t begin = 0; begin < n; begin += 2 * run) {
            uint64_t middle = n - begin < run ? n : begin + run;
            uint64_t end = n - begin < 2 * run ? n : begin + 2 * run;
            merge(shape, from, to, begin, middle, end);
        }
        element *other = from;
        from = to;
        to = other;
    }
    for (uint64_t i = 0; i < n; i++) {
        rs_store_key(shape->type, keys, i, from[i].key);
        if (payload) payload[i] = from[i].payload;
    }
}
