/* The truth that every variant is held to: each segment sorted by itself, by a stable merge sort.
 */
#include "kernels/segmented-sort/segmented_sort.h"

void sg_oracle(const sg_shape *shape, const uint32_t *offsets, uint32_t segments, void *keys,
               uint32_t *payload, void *scratch)
{
    const size_t key = rs_key_bytes(shape->sort.type);
    for (uint32_t s = 0; s < segments; s++) {
        rs_shape one = shape->sort;
        one.n = offsets[s + 1] - offsets[s];
        rs_oracle(&one, (char *)keys + offsets[s] * key, payload ? payload + offsets[s] : NULL,
                  scratch);
    }
}
