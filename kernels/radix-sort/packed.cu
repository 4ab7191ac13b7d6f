/* Packing and unpacking sorted keys on the device. Packing reads 4 bytes a key and writes 2.06
 * (4.06 with upper halves): less than half of what one pass of the sort moves. Unpacking reads them
 * from host memory over the bus: a copy for each of the many stretches that a piece has took longer
 * than its bytes. */
#include "kernels/radix-sort/packed.cuh"

#include "common/cuda/warp.cuh"

static __device__ __forceinline__ uint32_t field_of(const rs_shape &shape, uint32_t key)
{
    const uint32_t image = rs_image32(shape.type, key);
    return shape.descending ? ~image : image;
}

/* A warp takes a record at a time, a lane two keys. */
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

/* The segment that a sheet belongs to: the last one that begins at or before it. Segments are in
 * the order of their sheets and none is empty. */
static __device__ __forceinline__ rs_segment segment_of(const rs_segment *segments, unsigned count,
                                                        uint64_t sheet)
{
    unsigned low = 0, high = count;
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        if (segments[middle].sheet <= sheet)
            low = middle;
        else
            high = middle;
    }
    return segments[low];
}

enum { UNPACK_WARPS = 4 };

/* A warp brings a sheet at a time, all of its lines at once: enough of them are on the bus. */
static __global__ void __launch_bounds__(UNPACK_WARPS *GB_WARP)
    unpack(rs_shape shape, const rs_segment *segments, unsigned segment_count, uint64_t sheets,
           uint32_t *keys)
{
    __shared__ __align__(16) uint32_t words[UNPACK_WARPS][RS_SHEET_WORDS];
    enum { FOURS = RS_SHEET_WORDS / 4, ROUNDS = (FOURS + GB_WARP - 1) / GB_WARP };
    const unsigned lane = gb_lane(), warp = threadIdx.x / GB_WARP;
    const uint32_t *sheet_words = words[warp];
    uint4 *fours = reinterpret_cast<uint4 *>(words[warp]);
    for (uint64_t s = gb_first() / GB_WARP; s < sheets; s += gb_stride() / GB_WARP) {
        const rs_segment segment = segment_of(segments, segment_count, s);
        const uint64_t sheet = s - segment.sheet;
        const uint4 *from = reinterpret_cast<const uint4 *>(segment.records) + sheet * FOURS;
        uint4 some[ROUNDS];
#pragma unroll
        for (unsigned i = 0; i < ROUNDS; i++)
            if (i * GB_WARP + lane < FOURS) some[i] = from[i * GB_WARP + lane];
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < ROUNDS; i++)
            if (i * GB_WARP + lane < FOURS) fours[i * GB_WARP + lane] = some[i];
        __syncwarp();
        for (unsigned r = 0; r < RS_SHEET; r++) {
            const uint64_t record = sheet * RS_SHEET + r;
            const uint32_t base = sheet_words[r * RS_RECORD_WORDS];
            const uint32_t up = segment.wide ? segment.wide[record * RS_WIDE_WORDS + lane] : 0;
#pragma unroll
            for (unsigned k = 0; k < 2; k++) {
                const unsigned word = (k * GB_WARP + lane) / 2, shift = lane % 2 * 16;
                const uint32_t low = sheet_words[r * RS_RECORD_WORDS + 1 + word];
                const uint32_t high = __shfl_sync(GB_FULL_MASK, up, (int)word);
                const uint32_t field = base + (low >> shift & 0xFFFFu) + (high >> shift << 16);
                /* below skip the difference wraps around, beyond any count */
                const uint64_t at = record * RS_RECORD + k * GB_WARP + lane - segment.skip;
                if (at < segment.count)
                    keys[segment.place + at] =
                        rs_key_of_image32(shape.type, shape.descending ? ~field : field);
            }
        }
    }
}

cudaError_t rs_launch_unpack(const gb_device *device, const rs_shape *shape,
                             const rs_segment *segments, unsigned segment_count, uint64_t sheets,
                             uint32_t *keys, cudaStream_t stream)
{
    if (sheets == 0) return cudaSuccess;
    /* a block a multiprocessor asks for 2 MB at once, which the bus needs 40 us for; more would
       only take room from the sort */
    const uint64_t blocks = (sheets + UNPACK_WARPS - 1) / UNPACK_WARPS;
    const uint64_t most = device->sms > 0 ? (uint64_t)device->sms : 1;
    return launch(unpack, dim3((unsigned)(blocks < most ? blocks : most)),
                  dim3(UNPACK_WARPS * GB_WARP), 0, stream, *shape, segments, segment_count, sheets,
                  keys);
}
