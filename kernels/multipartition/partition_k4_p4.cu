/* Partitions of 32-bit keys with 4 bytes of payload. */
#include "kernels/multipartition/partition.cuh"

MP_PARTITION_OF(mp_partition_k4_p4, unsigned, 1)
