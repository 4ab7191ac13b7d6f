/* Partitions of 32-bit keys with 16 bytes of payload. */
#include "kernels/multipartition/partition.cuh"

MP_PARTITION_OF(mp_partition_k4_p16, unsigned, 4)
