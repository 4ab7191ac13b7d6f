/* Wide payloads: their indexes are sorted with the keys, and each payload is fetched once at the
 * end. Least bytes an element beside the sort of (key, index): 4 to write the indexes at first, 4
 * to read them at last, the payload read and written; what is read lies anywhere, so that a payload
 * of 8 or 16 bytes costs a sector of 32. */
#ifndef GB_RADIX_SORT_ONESWEEP_GATHER_CUH
#define GB_RADIX_SORT_ONESWEEP_GATHER_CUH

#include "kernels/radix-sort/onesweep/onesweep.h"

enum {
    OS_GATHER_THREADS = 256,
    OS_GATHER_ITEMS = 4, /* a thread: so many fetches are under way */
    OS_GATHER_TILE = OS_GATHER_THREADS * OS_GATHER_ITEMS
};

/* indexes[i] = i; a block a tile. only_if: a word without which (0) nothing is done; or NULL. */
static __global__ void __launch_bounds__(OS_GATHER_THREADS)
    os_number(uint32_t *__restrict__ indexes, uint64_t n, const unsigned *only_if)
{
    if (only_if && !*only_if) return;
    const uint64_t first = (uint64_t)blockIdx.x * OS_GATHER_TILE + threadIdx.x;
#pragma unroll
    for (int i = 0; i < OS_GATHER_ITEMS; i++) {
        const uint64_t at = first + i * OS_GATHER_THREADS;
        if (at < n) indexes[at] = (uint32_t)at;
    }
}

/* to[i] = from[indexes[i]]; a block a tile. Neither side overlaps the other. */
template <class Payload>
__global__ void __launch_bounds__(OS_GATHER_THREADS)
    os_gather(const Payload *__restrict__ from, const uint32_t *__restrict__ indexes,
              Payload *__restrict__ to, uint64_t n, const unsigned *only_if)
{
    if (only_if && !*only_if) return;
    const uint64_t first = (uint64_t)blockIdx.x * OS_GATHER_TILE + threadIdx.x;
    uint32_t index[OS_GATHER_ITEMS];
    Payload payload[OS_GATHER_ITEMS];
#pragma unroll
    for (int i = 0; i < OS_GATHER_ITEMS; i++) {
        const uint64_t at = first + i * OS_GATHER_THREADS;
        index[i] = at < n ? indexes[at] : 0;
    }
#pragma unroll
    for (int i = 0; i < OS_GATHER_ITEMS; i++)
        payload[i] = from[index[i]];
#pragma unroll
    for (int i = 0; i < OS_GATHER_ITEMS; i++) {
        const uint64_t at = first + i * OS_GATHER_THREADS;
        if (at < n) to[at] = payload[i];
    }
}

/* The sort that a wide payload's indexes take part in. */
static inline rs_shape os_with_indexes(const rs_shape *shape)
{
    rs_shape narrow = *shape;
    narrow.payload = sizeof(uint32_t);
    return narrow;
}

/* Sorts elements with a payload of 8 or 16 bytes by sort(shape, data), which sorts keys with their
 * indexes; `indexes` is room for those that are sorted. The output's payload, written last, holds
 * the indexes of the input until then. */
template <class Sort>
static gb_status os_sort_by_index(const rs_shape *shape, const os_sort_data *data,
                                  uint32_t *indexes, cudaStream_t stream, gb_error *error,
                                  Sort &&sort)
{
    const rs_shape narrow = os_with_indexes(shape);
    const dim3 grid((unsigned)((shape->n + OS_GATHER_TILE - 1) / OS_GATHER_TILE));
    const dim3 block(OS_GATHER_THREADS);
    const os_sort_data with = {data->keys_in, data->payload_out, data->keys_out,
                               indexes,       data->scratch,     data->only_if};
    GB_TRY(launch(os_number, grid, block, 0, stream, data->payload_out, shape->n, data->only_if),
           error);
    gb_status status = sort(&narrow, &with);
    if (status != GB_OK) return status;
    auto gather = [&](auto one, auto *kernel) {
        typedef decltype(one) payload;
        return launch(kernel, grid, block, 0, stream, (const payload *)data->payload_in,
                      (const uint32_t *)indexes, (payload *)data->payload_out, shape->n,
                      data->only_if);
    };
    if (shape->payload == sizeof(uint2))
        GB_TRY(gather(uint2(), os_gather<uint2>), error);
    else
        GB_TRY(gather(uint4(), os_gather<uint4>), error);
    return GB_OK;
}

#endif
