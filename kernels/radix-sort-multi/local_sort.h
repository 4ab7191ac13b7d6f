/* A rank's own sort of what it holds: radix sort's hybrid, unstable; for the baselines CUB's. */
#ifndef GB_RADIX_SORT_MULTI_LOCAL_SORT_H
#define GB_RADIX_SORT_MULTI_LOCAL_SORT_H

#include "kernels/radix-sort/hybrid/hybrid.h"

/* Bytes of scratch that ms_sort needs for any number of elements up to `most`, by any bits; apart:
 * whether some may lie apart. */
uint64_t ms_sort_scratch(const rs_shape *shape, const gb_device *device, uint64_t most, bool apart);

/* Queues a sort of shape->n elements on the device, which is the current one: by hybrid, else by
 * onesweep. Arrays are aligned to 16 bytes and scratch to 256, data->only_if is NULL; apart: as
 * hybrid.h has it, or NULL. It asks the
 * runtime nothing about the device, as the library does: that takes the host a part of a
 * millisecond, which jobs would wait for. */
gb_status ms_sort(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                  const hy_apart *apart, cudaStream_t stream, gb_error *error);

/* The same by onesweep alone, for values that many keys have, which hybrid would refuse after it
 * had looked at them. */
gb_status ms_sort_common(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                         cudaStream_t stream, gb_error *error);

/* The sort of a program that is built on CUB: DeviceRadixSort with a 64-bit count, which is the
 * fastest of its instances; on simt, where there is none, ours. Scratch as above, and
 * input and output do not overlap. */
gb_status ms_cub_scratch(const rs_shape *shape, uint64_t most, uint64_t *bytes, gb_error *error);
gb_status ms_cub_sort(const rs_shape *shape, const void *keys_in, const uint32_t *payload_in,
                      void *keys_out, uint32_t *payload_out, uint64_t n, void *scratch,
                      uint64_t bytes, cudaStream_t stream, gb_error *error);
/* What it is, for the row: "CUB 3.0.1, 64-bit count". */
const char *ms_cub_name(void);
/* Why it cannot sort up to n elements; NULL: it can. */
const char *ms_cub_refuses(const gb_device *device, uint64_t n);

#endif
