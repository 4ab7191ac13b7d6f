/* Partitions of 32-bit keys alone. */
#include "kernels/multipartition/partition.cuh"

MP_PARTITION_OF(mp_partition_k4_p0, unsigned, 0)
