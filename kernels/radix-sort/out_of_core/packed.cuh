/* Sorted keys packed into records (runs.h) and out of them, on the device. */
#ifndef GB_RADIX_SORT_PACKED_CUH
#define GB_RADIX_SORT_PACKED_CUH

#include "common/cuda/grid.cuh"
#include "kernels/radix-sort/out_of_core/runs.h"
#include "kernels/radix-sort/problem.h"

/* Keys of one run that a piece takes: they lie in records [record, record + rs_records(skip +
 * count)) of the piece, of which the first `skip` keys are not wanted. The places are in words of
 * the piece's buffer. */
typedef struct rs_segment {
    uint64_t record, skip, count;
    uint64_t words;      /* where its records are */
    uint64_t wide_words; /* ... and their upper planes, if they came with it; else 0 */
    uint64_t place;      /* of the first wanted key in the output */
    uint64_t bits;       /* the run's */
} rs_segment;

/* What keys are packed into. wide_groups and its twin in page-locked host memory (one a group,
 * zeroed before) are set where a record needs more than it has bits: a copy to the host would have
 * to wait until the bus is done with others. */
typedef struct rs_packed {
    uint32_t *records;
    uint32_t *wide; /* the upper planes of a run's records */
    uint32_t *wide_groups, *host_wide_groups;
} rs_packed;

/* Packs count sorted keys as a run of so many bits. */
cudaError_t rs_launch_pack_run(const gb_device *device, const rs_shape *shape, uint64_t count,
                               const uint32_t *keys, unsigned bits, const rs_packed *to,
                               cudaStream_t stream);
/* Packs count sorted keys as slices; groups that are flagged are not to be unpacked. */
cudaError_t rs_launch_pack_slices(const gb_device *device, const rs_shape *shape, uint64_t count,
                                  const uint32_t *keys, const rs_packed *to, cudaStream_t stream);
/* Unpacks the segments of runs (device memory), which have record_count records in all, into keys.
 */
cudaError_t rs_launch_unpack(const gb_device *device, const rs_shape *shape,
                             const rs_segment *segments, unsigned segment_count,
                             uint64_t record_count, const uint32_t *words, uint32_t *keys,
                             cudaStream_t stream);

#endif
