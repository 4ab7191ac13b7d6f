/* The truth that every other variant is held to: a sequential stable counting sort by bin. */
#include "kernels/multipartition/bins.h"

#include <string.h>

typedef struct arrays {
    const char *keys_in, *payload_in;
    char *keys_out, *payload_out;
} arrays;

/* The bin of key i. */
__attribute__((always_inline)) static inline uint32_t bin_of(mp_function_kind kind,
                                                             unsigned key_bytes,
                                                             const mp_bin_data *bin,
                                                             const char *keys, uint64_t i)
{
    uint32_t narrow;
    uint64_t wide;
    if (key_bytes == 4) {
        memcpy(&narrow, keys + i * 4, 4);
        return mp_bin(kind, bin, narrow);
    }
    memcpy(&wide, keys + i * 8, 8);
    return mp_bin64(kind, bin, wide);
}

/* kind and the widths are constants at every call, so that the switch inside mp_bin disappears and
 * elements move in registers. */
__attribute__((always_inline)) static inline void
sort_by(mp_function_kind kind, unsigned key_bytes, unsigned payload_bytes, const mp_shape *shape,
        const mp_bin_data *bin, const arrays *a, uint64_t *offsets)
{
    memset(offsets, 0, ((size_t)shape->bins + 1) * sizeof *offsets);
    for (uint64_t i = 0; i < shape->n; i++)
        offsets[bin_of(kind, key_bytes, bin, a->keys_in, i) + 1]++;
    for (uint32_t b = 0; b < shape->bins; b++)
        offsets[b + 1] += offsets[b];

    /* offsets[b] serves as bin b's cursor and ends where bin b + 1 begins */
    for (uint64_t i = 0; i < shape->n; i++) {
        uint64_t place = offsets[bin_of(kind, key_bytes, bin, a->keys_in, i)]++;
        memcpy(a->keys_out + place * key_bytes, a->keys_in + i * key_bytes, key_bytes);
        if (payload_bytes)
            memcpy(a->payload_out + place * payload_bytes, a->payload_in + i * payload_bytes,
                   payload_bytes);
    }
    memmove(offsets + 1, offsets, shape->bins * sizeof *offsets);
    offsets[0] = 0;
}

__attribute__((always_inline)) static inline void
sort_keys(mp_function_kind kind, unsigned key_bytes, const mp_shape *shape, const mp_bin_data *bin,
          const arrays *a, uint64_t *offsets)
{
    switch (shape->payload_bytes) {
    case 0:
        sort_by(kind, key_bytes, 0, shape, bin, a, offsets);
        break;
    case 4:
        sort_by(kind, key_bytes, 4, shape, bin, a, offsets);
        break;
    case 8:
        sort_by(kind, key_bytes, 8, shape, bin, a, offsets);
        break;
    default:
        sort_by(kind, key_bytes, 16, shape, bin, a, offsets);
    }
}

__attribute__((always_inline)) static inline void sort(mp_function_kind kind, const mp_shape *shape,
                                                       const mp_bin_data *bin, const arrays *a,
                                                       uint64_t *offsets)
{
    if (shape->key_bytes == 8)
        sort_keys(kind, 8, shape, bin, a, offsets);
    else
        sort_keys(kind, 4, shape, bin, a, offsets);
}

void mp_oracle(const mp_shape *shape, const mp_bin_data *bin, const void *keys_in,
               const void *payload_in, void *keys_out, void *payload_out, uint64_t *offsets)
{
    const arrays a = {keys_in, payload_in, keys_out, payload_out};
    switch (shape->function) {
    case MP_RANGE:
        sort(MP_RANGE, shape, bin, &a, offsets);
        break;
    case MP_MODULO:
        sort(MP_MODULO, shape, bin, &a, offsets);
        break;
    case MP_HASH:
        sort(MP_HASH, shape, bin, &a, offsets);
        break;
    case MP_SPLITTERS:
        sort(MP_SPLITTERS, shape, bin, &a, offsets);
        break;
    case MP_MAX:
        sort(MP_MAX, shape, bin, &a, offsets);
        break;
    }
}
