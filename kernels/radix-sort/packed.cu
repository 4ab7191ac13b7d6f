/* Packing and unpacking sorted keys on the device: a warp takes a record at a time, a lane two
 * keys. Packing reads 4 bytes a key and writes 2.06 (4.06 with upper halves), unpacking the
 * reverse: less than half of what one pass of the sort moves. */
#include "kernels/radix-sort/packed.cuh"

#include "common/cuda/warp.cuh"

static __device__ __forceinline__ uint32_t field_of(const rs_shape &shape, uint32_t key)
{
    const uint32_t image = rs_image32(shape.type, key);
    return shape.descending ? ~image : image;
}

static __global__ void pack(rs_shape shape, uint64_t count, const uint32_t *keys, uint32_t *records,
                            uint32_t *wide, uint32_t *wide_groups, uint32_t *host_wide_groups)
{
    const unsigned lane = gb_lane();
    for (uint64_t r = gb_first() / GB_WARP; r < rs_records(count); r += gb_stride() / GB_WARP) {
        const uint64_t i = r * RS_RECORD + 2 * lane;
        const uint32_t first = i < count ? field_of(shape, keys[i]) : 0;
        const uint32_t second = i + 1 < count ? field_of(shape, keys[i + 1]) : 0;
        const uint32_t base = __shfl_sync(GB_FULL_MASK, first, 0);
        const uint32_t a = i < count ? first - base : 0, b = i + 1 < count ? second - base : 0;
        if (lane == 0) records[r * RS_RECORD_WORDS] = base;
        records[r * RS_RECORD_WORDS + 1 + lane] = (a & 0xFFFFu) | b << 16;
        if (wide) wide[r * RS_WIDE_WORDS + lane] = a >> 16 | (b & 0xFFFF0000u);
        const bool exceeds = __ballot_sync(GB_FULL_MASK, ((a | b) >> 16) != 0) != 0;
        const uint64_t group = r / RS_GROUP_RECORDS;
        if (exceeds && lane == 0 && atomicOr(&wide_groups[group], 1u) == 0)
            host_wide_groups[group] = 1;
    }
}

cudaError_t rs_launch_pack(const gb_device *device, const rs_shape *shape, uint64_t count,
                           const uint32_t *keys, uint32_t *records, uint32_t *wide,
                           uint32_t *wide_groups, uint32_t *host_wide_groups, cudaStream_t stream)
{
    if (count == 0) return cudaSuccess;
    return launch(pack, gb_grid(device, rs_records(count) * GB_WARP), dim3(GB_GRID_THREADS), 0,
                  stream, *shape, count, keys, records, wide, wide_groups, host_wide_groups);
}

/* The segment that a record belongs to: the last one that begins at or before it. Segments are in
 * the order of their records and none is empty. */
static __device__ __forceinline__ rs_segment segment_of(const rs_segment *segments, unsigned count,
                                                        uint64_t record)
{
    unsigned low = 0, high = count;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (segments[middle].record <= record)
            low = middle;
        else
            high = middle;
    }
    return segments[low];
}

static __global__ void unpack(rs_shape shape, const rs_segment *segments, unsigned segment_count,
                              uint64_t record_count, const uint32_t *records, const uint32_t *wide,
                              uint32_t *keys)
{
    const unsigned lane = gb_lane();
    for (uint64_t r = gb_first() / GB_WARP; r < record_count; r += gb_stride() / GB_WARP) {
        const rs_segment segment = segment_of(segments, segment_count, r);
        const uint32_t base = records[r * RS_RECORD_WORDS];
        const uint32_t low = records[r * RS_RECORD_WORDS + 1 + lane];
        const uint32_t up = segment.wide ? wide[r * RS_WIDE_WORDS + lane] : 0;
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t field = base + (low >> 16 * k & 0xFFFFu) + ((up >> 16 * k) << 16);
            const uint64_t at = (r - segment.record) * RS_RECORD + 2 * lane + k;
            /* below skip the difference wraps around, beyond any count */
            if (at - segment.skip >= segment.count) continue;
            keys[segment.place + at - segment.skip] =
                rs_key_of_image32(shape.type, shape.descending ? ~field : field);
        }
    }
}

cudaError_t rs_launch_unpack(const gb_device *device, const rs_shape *shape,
                             const rs_segment *segments, unsigned segment_count,
                             uint64_t record_count, const uint32_t *records, const uint32_t *wide,
                             uint32_t *keys, cudaStream_t stream)
{
    if (record_count == 0) return cudaSuccess;
    return launch(unpack, gb_grid(device, record_count * GB_WARP), dim3(GB_GRID_THREADS), 0, stream,
                  *shape, segments, segment_count, record_count, records, wide, keys);
}
