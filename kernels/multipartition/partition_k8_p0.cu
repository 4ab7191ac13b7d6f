/* Partitions of 64-bit keys alone. */
#include "kernels/multipartition/partition.cuh"

MP_PARTITION_OF(mp_partition_k8_p0, uint64_t, 0)
