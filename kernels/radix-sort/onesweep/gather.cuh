/* Wide payloads: their indexes are sorted with the keys, and each payload is fetched once at the
 * end. Least bytes an element beside the sort of (key, index): 4 to write the indexes at first, 4
 * to read them at last, the payload read and written; what is read lies anywhere, so that a payload
 * of 8 or 16 bytes costs a sector of 32. */
#ifndef GB_RADIX_SORT_ONESWEEP_GATHER_CUH
#define GB_RADIX_SORT_ONESWEEP_GATHER_CUH

#include "common/cuda/device.cuh"

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

#endif
