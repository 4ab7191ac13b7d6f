/* A rank's own partition of its share: multipartition's, on a device that the caller knows. Its
 * library would ask the runtime about the device every time, for a part of a millisecond that all
 * that follows waits for. */
#ifndef GB_RADIX_SORT_MULTI_LOCAL_PARTITION_H
#define GB_RADIX_SORT_MULTI_LOCAL_PARTITION_H

#include "common/cuda/device.cuh"
#include "kernels/multipartition/multipartition.h"

/* Chooses the request's method for the device, which is the current one; *bytes: of scratch. */
gb_status ms_partition_choose(mp_request *request, const gb_device *device, uint64_t *bytes,
                              gb_error *error);

/* Queues the partition of a request that was chosen for; n is not 0, scratch is aligned to 256
 * bytes. */
gb_status ms_partition(const mp_request *request, const gb_device *device, void *scratch,
                       cudaStream_t stream, gb_error *error);

#endif
