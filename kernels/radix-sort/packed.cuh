/* Sorted keys packed into records (runs.h) and out of them, on the device. */
#ifndef GB_RADIX_SORT_PACKED_CUH
#define GB_RADIX_SORT_PACKED_CUH

#include "common/cuda/grid.cuh"
#include "kernels/radix-sort/problem.h"
#include "kernels/radix-sort/runs.h"

/* Keys of one run that a piece takes, as sheets of records. The device reads them where they lie,
 * page-locked in host memory, in lines of 128 bytes: a run begins at such a line, so that each of
 * its sheets does. */
enum { RS_SHEET = 32 /* records: 33 lines */, RS_SHEET_WORDS = RS_SHEET * RS_RECORD_WORDS };
typedef struct rs_segment {
    const uint32_t *records, *wide; /* of the first sheet; wide is NULL where 16 bits suffice */
    uint64_t sheet;                 /* how many sheets the segments before it have */
    uint64_t skip, count; /* keys of the first sheet that are not wanted; those that are */
    uint64_t place;       /* of the first wanted key in the output */
} rs_segment;

/* Sheets that hold the first so many keys of a run. */
static inline uint64_t rs_sheets(uint64_t keys)
{
    return (keys + RS_SHEET * RS_RECORD - 1) / (RS_SHEET * RS_RECORD);
}

/* Packs count sorted keys; wide may be NULL. wide_groups and its twin in page-locked host memory
 * (one a group, zeroed before) are set where a record needs its upper halves: a copy to the host
 * would have to wait until the bus is done with others. */
cudaError_t rs_launch_pack(const gb_device *device, const rs_shape *shape, uint64_t count,
                           const uint32_t *keys, uint32_t *records, uint32_t *wide,
                           uint32_t *wide_groups, uint32_t *host_wide_groups, cudaStream_t stream);
/* Brings the segments (device memory), which have `sheets` in all, into keys. Whole sheets are
 * read: the memory of a run ends with one. */
cudaError_t rs_launch_unpack(const gb_device *device, const rs_shape *shape,
                             const rs_segment *segments, unsigned segment_count, uint64_t sheets,
                             uint32_t *keys, cudaStream_t stream);

#endif
