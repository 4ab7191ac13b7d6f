/* The unstable sort of this folder as a piece for others: hybrid.cu. */
#ifndef GB_RADIX_SORT_HYBRID_H
#define GB_RADIX_SORT_HYBRID_H

#include "kernels/radix-sort/onesweep/onesweep.h"

/* Whether it can sort elements of this shape on the device. -0 counts as less than +0. */
bool hy_sorts(const rs_shape *shape, const gb_device *device);

/* Bytes of scratch that hy_sort_elements needs. */
uint64_t hy_scratch_bytes(const rs_shape *shape, const gb_device *device);

/* Queues a sort of shape->n elements, in device memory aligned to 16 bytes; does not wait. Input
 * and output do not overlap, the input stays as it is; what scratch, of hy_scratch_bytes, holds is
 * of no interest. data->only_if is NULL. */
gb_status hy_sort_elements(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                           cudaStream_t stream, gb_error *error);

#endif
