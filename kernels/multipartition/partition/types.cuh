/* The partitions of each type of keys and payload: bytes of a key, bytes of a payload. */
#ifndef GB_MULTIPARTITION_PARTITION_TYPES_CUH
#define GB_MULTIPARTITION_PARTITION_TYPES_CUH

#include "common/cuda/device.cuh"
#include "kernels/multipartition/partition/partition.h"

/* What a pass that did not do the work says of it, in a word of device memory. */
enum {
    MP_FAILED = 1,   /* the input has to be partitioned anew, and is */
    MP_IN_RUNS = 2,  /* neighbours share bins: one pass does what else takes two (runs.cuh) */
    MP_CROWDED = 3,  /* a digit has so much that votes are faster than drawing in turn */
    MP_UNCOUNTED = 4 /* neighbours share bins, which are to be counted therefore before any moves */
};

/* What a partition has in its scratch. */
typedef struct mp_scratch_map {
    uint64_t used; /* bytes */
    /* where words lie that are MP_FAILED if a pass was done anew, and how many passes have one */
    uint64_t failed_at[3];
    unsigned failures;
} mp_scratch_map;

/* A partition of one type, queued; or, without scratch, only measured. */
typedef gb_status mp_partition_of(const mp_request *request, const gb_device *device, void *scratch,
                                  cudaStream_t stream, mp_scratch_map *map, gb_error *error);

extern mp_partition_of mp_partition_k4_p0, mp_partition_k4_p4, mp_partition_k4_p8,
    mp_partition_k4_p16, mp_partition_k8_p0, mp_partition_k8_p4, mp_partition_k8_p8,
    mp_partition_k8_p16;

/* Defines one that this build does without: it refuses. */
#define MP_NO_PARTITION_OF(key_bytes, payload_bytes)                                               \
    gb_status mp_partition_k##key_bytes##_p##payload_bytes(const mp_request *, const gb_device *,  \
                                                           void *, cudaStream_t, mp_scratch_map *, \
                                                           gb_error *error)                        \
    {                                                                                              \
        return gb_fail(error, GB_UNSUPPORTED,                                                      \
                       "this worker was built without partitions of " #key_bytes                   \
                       "-byte keys with " #payload_bytes " bytes each (make PARTITION_TYPES=)");   \
    }

#endif
