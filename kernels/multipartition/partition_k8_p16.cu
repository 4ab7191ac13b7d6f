/* Partitions of 64-bit keys with 16 bytes of payload. */
#include "kernels/multipartition/partition.cuh"

MP_PARTITION_OF(mp_partition_k8_p16, uint64_t, 4)
