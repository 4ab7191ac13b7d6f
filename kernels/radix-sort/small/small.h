/* A stable sort of inputs that the multiprocessors hold, in one launch, as a piece for others:
 * small.cu. */
#ifndef GB_RADIX_SORT_SMALL_H
#define GB_RADIX_SORT_SMALL_H

#include "common/cuda/device.cuh"
#include "kernels/radix-sort/radix_sort.h"

/* So much of the scratch must be 0 before the first sort, wherever `cleared` points. Every sort,
 * of whatever size, leaves it so. */
enum { SM_CLEARED_BYTES = 512 };

/* Bytes of the rest of the scratch, for shape->n elements. */
uint64_t sm_counts_bytes(const rs_shape *shape, const gb_device *device);

/* The most elements of the shape's type that sm_sort sorts on the device; 0: it cannot sort any. */
uint64_t sm_most(const rs_shape *shape, const gb_device *device);

/* Whether it sorts the shape, and faster than a sort that takes several launches: where the
 * multiprocessors are so full that their shares cannot differ, it does not. */
bool sm_wins(const rs_shape *shape, const gb_device *device);

/* What a sort works on: device memory aligned to 256 bytes. Input and output do not overlap; the
 * input stays as it is. Payloads are NULL without. */
typedef struct sm_sort_data {
    const void *keys_in;
    const uint32_t *payload_in;
    void *keys_out;
    uint32_t *payload_out;
    void *cleared; /* SM_CLEARED_BYTES of 0 */
    void *counts;  /* sm_counts_bytes; NULL where they are 0 */
    /* NULL, or a word that is 0 when the sort is not to be done after all */
    const unsigned *only_if;
} sm_sort_data;

/* Queues a stable sort of shape->n elements, sm_most of them at most: one kernel, which can be
 * captured. Does not wait. */
gb_status sm_sort(const rs_shape *shape, const gb_device *device, const sm_sort_data *data,
                  cudaStream_t stream, gb_error *error);

#endif
