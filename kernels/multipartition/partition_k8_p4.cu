/* Partitions of 64-bit keys with 4 bytes of payload. */
#include "kernels/multipartition/partition.cuh"

MP_PARTITION_OF(mp_partition_k8_p4, uint64_t, 1)
