/* A stable sort of pairs on the device for this folder: that of kernels/radix-sort/. */
#ifndef GB_OCTREE_SORT_H
#define GB_OCTREE_SORT_H

#include "common/cuda/device.cuh"

/* Bytes of scratch for oc_sort_pairs of up to n pairs; all of it must be 0 before the first sort,
 * and every sort leaves it ready for the next. */
uint64_t oc_sort_bytes(uint64_t n, const gb_device *device);

/* Queues a stable sort of n pairs by bits [0, bits) of their keys, which have key_bytes (4 or 8).
 * Arrays are device memory aligned to 256 bytes and do not overlap; the input stays as it is. */
gb_status oc_sort_pairs(uint64_t n, unsigned key_bytes, unsigned bits, const gb_device *device,
                        const void *keys_in, const uint32_t *values_in, void *keys_out,
                        uint32_t *values_out, void *scratch, cudaStream_t stream, gb_error *error);

#endif
