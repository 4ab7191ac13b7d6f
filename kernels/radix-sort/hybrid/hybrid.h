/* The unstable sort of this folder as a piece for others: hybrid.cu. */
#ifndef GB_RADIX_SORT_HYBRID_H
#define GB_RADIX_SORT_HYBRID_H

#include "kernels/radix-sort/onesweep/onesweep.h"

/* Whether it can sort elements of this shape on the device. -0 counts as less than +0. */
bool hy_sorts(const rs_shape *shape, const gb_device *device);

/* Elements that lie apart from others and are sorted with them: in device memory aligned to 16
 * bytes; payload NULL without. Their payloads have 4 bytes at most. */
typedef struct hy_apart {
    const void *keys;
    const uint32_t *payload;
    uint64_t n; /* of all that are sorted */
} hy_apart;

/* Queues a copy of them to behind the others of shape->n elements, for a sort that does not know of
 * them. */
gb_status hy_join(const rs_shape *shape, const os_sort_data *data, const hy_apart *apart,
                  cudaStream_t stream, gb_error *error);

/* Bytes of scratch that hy_sort_elements needs; apart: whether some of the elements may lie apart.
 */
uint64_t hy_scratch_bytes(const rs_shape *shape, const gb_device *device, bool apart);

/* Queues a sort of shape->n elements, in device memory aligned to 16 bytes; does not wait. Input
 * and output do not overlap, the input stays as it is; what scratch, of hy_scratch_bytes, holds is
 * of no interest. data->only_if is NULL.
 * apart: NULL, or where the last apart->n of the elements lie; data's arrays have room for them
 * behind the others, to which they are copied if they are not sorted in stages after all. */
gb_status hy_sort_elements(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                           const hy_apart *apart, cudaStream_t stream, gb_error *error);

#endif
