/* Partitions of 32-bit keys with 8 bytes of payload. */
#include "kernels/multipartition/partition.cuh"

MP_PARTITION_OF(mp_partition_k4_p8, unsigned, 2)
