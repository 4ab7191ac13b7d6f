/* In the place of the partitions that sanitized.mk leaves out: to ask for one is a crash. */
#include "kernels/multipartition/partition/types.cuh"

#include <stdio.h>
#include <stdlib.h>

#define LEFT_OUT(name)                                                                             \
    gb_status name(const mp_request *, const gb_device *, void *, cudaStream_t, mp_scratch_map *,  \
                   gb_error *)                                                                     \
    {                                                                                              \
        fputs(#name " is left out of this build: NOT_SANITIZED in tests/sanitized/sanitized.mk\n", \
              stderr);                                                                             \
        abort();                                                                                   \
    }

LEFT_OUT(mp_partition_k4_p4)
LEFT_OUT(mp_partition_k4_p8)
LEFT_OUT(mp_partition_k4_p16)
LEFT_OUT(mp_partition_k8_p0)
LEFT_OUT(mp_partition_k8_p4)
LEFT_OUT(mp_partition_k8_p8)
