/* The stable sort of this folder as a piece for others: onesweep.cu. */
#ifndef GB_RADIX_SORT_ONESWEEP_H
#define GB_RADIX_SORT_ONESWEEP_H

#include "common/cuda/device.cuh"
#include "kernels/radix-sort/radix_sort.h"

enum { OS_BITS = 8 /* of a digit: so many a pass */ };

/* Bytes of scratch that os_sort needs for shape->n elements; it serves fewer, too. */
uint64_t os_scratch_bytes(const rs_shape *shape, const gb_device *device);

/* How much of its scratch must be 0, before the first sort. Every sort leaves it so. */
uint64_t os_cleared_bytes(const rs_shape *shape);

/* Device memory for os_sort of the job's point, as it must be before the first sort; cudaFree frees
 * it. */
gb_status os_open_scratch(gb_job *job, void **scratch);

/* What a sort works on: device memory aligned to 256 bytes. Input and output do not overlap; the
 * input stays as it is. Payloads are NULL without. */
typedef struct os_sort_data {
    const void *keys_in;
    const uint32_t *payload_in;
    void *keys_out;
    uint32_t *payload_out;
    void *scratch; /* os_scratch_bytes, of which the first os_cleared_bytes are 0 */
    /* NULL, or a word that is 0 when the sort is not to be done after all */
    const unsigned *only_if;
} os_sort_data;

/* From so many 64-bit keys on a sort may leave out digits (shorten.cuh), which takes launches of
 * its own. Tests lower it. */
extern uint64_t os_shortened_from;

/* Queues a stable sort of shape->n elements; does not wait. Few are sorted in one launch (small.h).
 */
gb_status os_sort(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                  cudaStream_t stream, gb_error *error);

/* The same, of however few elements, by onesweep's own kernels. */
gb_status os_sweep(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                   cudaStream_t stream, gb_error *error);

#endif
