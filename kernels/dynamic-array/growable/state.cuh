/* A growable array as the variants have it. */
#ifndef GB_DYNAMIC_ARRAY_GROWABLE_STATE_CUH
#define GB_DYNAMIC_ARRAY_GROWABLE_STATE_CUH

#include "common/cuda/device.cuh"
#include "kernels/dynamic-array/growable/growable_bulk.cuh"
#include "kernels/dynamic-array/variants.cuh"

typedef struct da_growable_state {
    da_state state;
    gb_growable_pool *pool;
    gb_growable *array;
    uint64_t most_bytes; /* of the pool */
    void *scratch;       /* device: of growable-ordered */
} da_growable_state;

/* Bytes of a granule. */
static inline uint64_t da_granule_bytes(const da_shape *shape)
{
    return shape->granule ? shape->granule : (uint64_t)gb_growable_granule_bytes();
}

/* Makes pool and array; memory behind all of the pool if it is to be `mapped`. */
gb_status da_growable_prepare(gb_job *job, bool mapped);
/* What most variants have for prepare: all of the pool mapped. */
gb_status da_growable_prepare_mapped(gb_job *job);
/* Empties the array, then holds what it is to hold; the pool must have memory for it. */
gb_status da_growable_reset(gb_job *job, gb_stream stream);
void da_growable_cleanup(gb_job *job);

#endif
