/* Shares that are in order already: found, and cut into cells where they lie. */
#ifndef GB_RADIX_SORT_MULTI_ORDERED_CUH
#define GB_RADIX_SORT_MULTI_ORDERED_CUH

#include "common/cuda/device.cuh"
#include "common/cuda/grid.cuh"

/* Sets *descends if any of n keys is above the next one. keys: aligned to 16 bytes. unless: if it
 * is set nothing is read and *descends is set, too; may be NULL. */
template <class Key>
static __global__ void ms_find_descent(const Key *keys, uint64_t n, const unsigned *unless,
                                       unsigned *descends)
{
    enum { VECTOR = 16 / sizeof(Key) };
    struct __align__(16) vector
    {
        Key key[VECTOR];
    };
    if (unless && *unless) {
        if (gb_first() == 0) *descends = 1;
        return;
    }
    const vector *vectors = reinterpret_cast<const vector *>(keys);
    bool found = false;
    for (uint64_t v = gb_first(); v < n / VECTOR; v += gb_stride()) {
        const vector some = vectors[v];
        const uint64_t next = (v + 1) * VECTOR;
#pragma unroll
        for (int k = 0; k + 1 < VECTOR; k++)
            found |= some.key[k] > some.key[k + 1];
        found |= next < n && some.key[VECTOR - 1] > keys[next];
    }
    for (uint64_t i = n / VECTOR * VECTOR + gb_first(); i + 1 < n; i += gb_stride())
        found |= keys[i] > keys[i + 1];
    if (found) *descends = 1;
}

/* Where cells begin in n keys that ascend: offsets[0] is 0, offsets[cells] n; cell c begins at the
 * first key that is not below splitters[c - 1]. */
template <class Key>
static __global__ void ms_find_cells(const Key *keys, uint64_t n, const Key *splitters,
                                     unsigned cells, uint64_t *offsets)
{
    for (unsigned c = (unsigned)gb_first(); c <= cells; c += (unsigned)gb_stride()) {
        uint64_t low = 0, high = c == 0 ? 0 : n;
        if (c == cells) low = n;
        while (low < high) {
            const uint64_t middle = low + (high - low) / 2;
            if (keys[middle] < splitters[c - 1])
                low = middle + 1;
            else
                high = middle;
        }
        offsets[c] = high;
    }
}

#endif
