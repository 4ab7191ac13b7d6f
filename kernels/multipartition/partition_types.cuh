/* The partitions of each type of keys and payload: bytes of a key, bytes of a payload. */
#ifndef GB_MULTIPARTITION_PARTITION_TYPES_CUH
#define GB_MULTIPARTITION_PARTITION_TYPES_CUH

#include "common/cuda/device.cuh"
#include "kernels/multipartition/partition.h"

/* A partition of one type, queued; or, without scratch, only measured. *used: bytes of scratch. */
typedef gb_status mp_partition_of(const mp_request *request, const gb_device *device, void *scratch,
                                  cudaStream_t stream, uint64_t *used, gb_error *error);

extern mp_partition_of mp_partition_k4_p0, mp_partition_k4_p4, mp_partition_k4_p8,
    mp_partition_k4_p16, mp_partition_k8_p0, mp_partition_k8_p4, mp_partition_k8_p8,
    mp_partition_k8_p16;

#endif
