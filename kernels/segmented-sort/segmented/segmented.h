/* The stable segmented sort of this folder as a piece for others: segmented.cu. */
#ifndef GB_SEGMENTED_SORT_SEGMENTED_SEGMENTED_H
#define GB_SEGMENTED_SORT_SEGMENTED_SEGMENTED_H

#include "common/cuda/device.cuh"
#include "kernels/radix-sort/radix_sort.h"

/* Why this sort cannot do so many keys; NULL if it can. */
const char *sg_refuses(uint64_t n);

/* Bytes of scratch for shape->n elements in so many segments, which need not be cleared. */
uint64_t sg_scratch_bytes(const rs_shape *shape, uint32_t segments, const gb_device *device);

/* What a sort works on: device memory, arrays aligned as their elements, scratch to 256 bytes.
 * Input and output do not overlap; input and offsets stay as they are. */
typedef struct sg_sort_data {
    const void *keys_in;
    const uint32_t *payload_in; /* NULL without, as is payload_out */
    void *keys_out;
    uint32_t *payload_out;
    const uint32_t *offsets; /* segments + 1, ascending, from 0 to n */
    uint32_t segments;
    void *scratch;
} sg_sort_data;

/* Queues a stable sort of each segment by all bits of its keys. Allocates nothing and does not
 * wait, so that a graph can capture it. */
gb_status sg_sort(const rs_shape *shape, const gb_device *device, const sg_sort_data *data,
                  cudaStream_t stream, gb_error *error);

#endif
