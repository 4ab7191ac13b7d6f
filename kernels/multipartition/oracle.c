/* The truth that every other variant is held to: a sequential stable counting sort by bin. */
#include "kernels/multipartition/bins.h"

#include <string.h>

/* kind is a constant at every call, so that the switch inside mp_bin disappears. */
__attribute__((always_inline)) static inline void
sort_by(mp_function_kind kind, const mp_shape *shape, const mp_bin_data *bin,
        const uint32_t *keys_in, const uint32_t *payload_in, uint32_t *keys_out,
        uint32_t *payload_out, uint64_t *offsets)
{
    memset(offsets, 0, ((size_t)shape->bins + 1) * sizeof *offsets);
    for (uint64_t i = 0; i < shape->n; i++)
        offsets[mp_bin(kind, bin, keys_in[i]) + 1]++;
    for (uint32_t b = 0; b < shape->bins; b++)
        offsets[b + 1] += offsets[b];

    /* offsets[b] serves as bin b's cursor and ends where bin b + 1 begins */
    for (uint64_t i = 0; i < shape->n; i++) {
        uint64_t place = offsets[mp_bin(kind, bin, keys_in[i])]++;
        keys_out[place] = keys_in[i];
        if (payload_in) payload_out[place] = payload_in[i];
    }
    memmove(offsets + 1, offsets, shape->bins * sizeof *offsets);
    offsets[0] = 0;
}

void mp_oracle(const mp_shape *shape, const mp_bin_data *bin, const uint32_t *keys_in,
               const uint32_t *payload_in, uint32_t *keys_out, uint32_t *payload_out,
               uint64_t *offsets)
{
    switch (shape->function) {
    case MP_RANGE:
        sort_by(MP_RANGE, shape, bin, keys_in, payload_in, keys_out, payload_out, offsets);
        break;
    case MP_MODULO:
        sort_by(MP_MODULO, shape, bin, keys_in, payload_in, keys_out, payload_out, offsets);
        break;
    case MP_HASH:
        sort_by(MP_HASH, shape, bin, keys_in, payload_in, keys_out, payload_out, offsets);
        break;
    case MP_SPLITTERS:
        sort_by(MP_SPLITTERS, shape, bin, keys_in, payload_in, keys_out, payload_out, offsets);
        break;
    }
}
