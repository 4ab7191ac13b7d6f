/* Sorted keys packed into records (runs.h) and out of them, on the device. */
#ifndef GB_RADIX_SORT_PACKED_CUH
#define GB_RADIX_SORT_PACKED_CUH

#include "common/cuda/grid.cuh"
#include "kernels/radix-sort/problem.h"
#include "kernels/radix-sort/runs.h"

/* Keys of one run that a piece takes: they lie in records [record, record + rs_records(skip +
 * count)) of the piece's buffer, of which the first `skip` keys are not wanted. */
typedef struct rs_segment {
    uint64_t record, skip, count;
    uint64_t place; /* of the first wanted key in the output */
    uint64_t wide;  /* not 0: the records have upper halves */
} rs_segment;

/* Packs count sorted keys; wide may be NULL. wide_groups and its twin in page-locked host memory
 * (one a group, zeroed before) are set where a record needs its upper halves: a copy to the host
 * would have to wait until the bus is done with others. */
cudaError_t rs_launch_pack(const gb_device *device, const rs_shape *shape, uint64_t count,
                           const uint32_t *keys, uint32_t *records, uint32_t *wide,
                           uint32_t *wide_groups, uint32_t *host_wide_groups, cudaStream_t stream);
/* Unpacks the segments (device memory), whose records are `records` in all, into keys. */
cudaError_t rs_launch_unpack(const gb_device *device, const rs_shape *shape,
                             const rs_segment *segments, unsigned segment_count,
                             uint64_t record_count, const uint32_t *records, const uint32_t *wide,
                             uint32_t *keys, cudaStream_t stream);

#endif
