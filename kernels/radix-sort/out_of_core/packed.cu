/* Packing and unpacking sorted keys on the device: a warp takes a record at a time, a lane two
 * keys. Packing reads 4 bytes a key and writes those of its record; a run's upper planes, too, for
 * it is known last whether a group needs them: 8.06 bytes in all. Unpacking reads what came over
 * the bus and writes 4: less than one pass of the sort moves. */
#include "kernels/radix-sort/out_of_core/packed.cuh"

#include "common/cuda/search.cuh"
#include "common/cuda/warp.cuh"

static __device__ __forceinline__ uint32_t field_of(const rs_shape &shape, uint32_t key)
{
    const uint32_t image = rs_image32(shape.type, key);
    return shape.descending ? ~image : image;
}

/* The group of record r needs more than its records have; one lane says so. */
static __device__ __forceinline__ void flag_group(const rs_packed &to, uint64_t r)
{
    const uint64_t group = r / RS_GROUP_RECORDS;
    if (atomicOr(&to.wide_groups[group], 1u) == 0) to.host_wide_groups[group] = 1;
}

/* ---- slices ---------------------------------------------------------------------------------- */

static __global__ void pack_slices(rs_shape shape, uint64_t count, const uint32_t *keys,
                                   rs_packed to)
{
    const unsigned lane = gb_lane();
    for (uint64_t r = gb_first() / GB_WARP; r < rs_records(count); r += gb_stride() / GB_WARP) {
        const uint64_t i = r * RS_RECORD + 2 * lane;
        const uint32_t first = i < count ? field_of(shape, keys[i]) : 0;
        const uint32_t second = i + 1 < count ? field_of(shape, keys[i + 1]) : 0;
        const uint32_t base = __shfl_sync(GB_FULL_MASK, first, 0);
        const uint32_t a = i < count ? first - base : 0, b = i + 1 < count ? second - base : 0;
        if (lane == 0) to.records[r * RS_SLICE_WORDS] = base;
        to.records[r * RS_SLICE_WORDS + 1 + lane] = (a & 0xFFFFu) | b << 16;
        const bool exceeds = __ballot_sync(GB_FULL_MASK, ((a | b) >> 16) != 0) != 0;
        if (exceeds && lane == 0) flag_group(to, r);
    }
}

cudaError_t rs_launch_pack_slices(const gb_device *device, const rs_shape *shape, uint64_t count,
                                  const uint32_t *keys, const rs_packed *to, cudaStream_t stream)
{
    if (count == 0) return cudaSuccess;
    return launch(pack_slices, gb_grid(device, rs_records(count) * GB_WARP), dim3(GB_GRID_THREADS),
                  0, stream, *shape, count, keys, *to);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Lane l has keys l and l + 32 of a record, and plane l of its gaps: bits l of keys 0 to 31, and of
 * keys 32 to 63. */
typedef struct both {
    uint32_t low, high;
} both;

/* What the fields exceed the ones before them by; the first one nothing. */
static __device__ __forceinline__ both gaps_of(both field)
{
    const unsigned lane = gb_lane();
    both before = {__shfl_up_sync(GB_FULL_MASK, field.low, 1),
                   __shfl_up_sync(GB_FULL_MASK, field.high, 1)};
    const uint32_t key31 = __shfl_sync(GB_FULL_MASK, field.low, GB_WARP - 1);
    if (lane == 0) before.high = key31; /* low's is the field itself */
    return both{field.low - before.low, field.high - before.high};
}

/* The lane's plane of the gaps, of which only so many have ones. */
static __device__ __forceinline__ both planes_of(both gap, unsigned planes)
{
    both plane = {0, 0};
    for (unsigned j = 0; j < planes; j++) {
        const uint32_t low = __ballot_sync(GB_FULL_MASK, gap.low >> j & 1);
        const uint32_t high = __ballot_sync(GB_FULL_MASK, gap.high >> j & 1);
        if (gb_lane() == j) plane = both{low, high};
    }
    return plane;
}

static __global__ void pack_run(rs_shape shape, uint64_t count, const uint32_t *keys, unsigned bits,
                                rs_packed to)
{
    const unsigned lane = gb_lane();
    for (uint64_t r = gb_first() / GB_WARP; r < rs_records(count); r += gb_stride() / GB_WARP) {
        const uint64_t i = r * RS_RECORD + lane;
        const both field = {i < count ? field_of(shape, keys[i]) : 0,
                            i + GB_WARP < count ? field_of(shape, keys[i + GB_WARP]) : 0};
        both gap = gaps_of(field);
        if (i >= count) gap.low = 0;
        if (i + GB_WARP >= count) gap.high = 0;
        const bool exceeds = __any_sync(GB_FULL_MASK, (gap.low | gap.high) >> bits != 0);
        const both plane = planes_of(gap, exceeds ? (unsigned)RS_PLANES : bits);
        uint32_t *record = to.records + r * rs_run_words(bits);
        uint32_t *words = lane < bits
                              ? record + 1 + lane * RS_PLANE_WORDS
                              : to.wide + r * rs_wide_words(bits) + (lane - bits) * RS_PLANE_WORDS;
        words[0] = plane.low;
        words[1] = plane.high;
        if (lane == 0) record[0] = field.low;
        if (exceeds && lane == 0) flag_group(to, r);
    }
}

cudaError_t rs_launch_pack_run(const gb_device *device, const rs_shape *shape, uint64_t count,
                               const uint32_t *keys, unsigned bits, const rs_packed *to,
                               cudaStream_t stream)
{
    if (count == 0) return cudaSuccess;
    return launch(pack_run, gb_grid(device, rs_records(count) * GB_WARP), dim3(GB_GRID_THREADS), 0,
                  stream, *shape, count, keys, bits, *to);
}

/* Where segments begin, in records. */
struct record_begins {
    const rs_segment *segments;
    __host__ __device__ uint64_t operator[](unsigned i) const { return segments[i].record; }
};

/* The segment that a record belongs to. Segments are in the order of their records and none is
 * empty. */
static __device__ __forceinline__ rs_segment segment_of(const rs_segment *segments, unsigned count,
                                                        uint64_t record)
{
    return segments[gb_stretch_holding(record_begins{segments}, count, record)];
}

/* The lane's plane of record r of a segment; none where it came without upper planes. */
static __device__ __forceinline__ both load_plane(const rs_segment &segment, const uint32_t *words,
                                                  uint64_t r)
{
    const unsigned lane = gb_lane(), bits = (unsigned)segment.bits;
    const uint32_t *plane = words + segment.words + r * rs_run_words(bits) + 1;
    if (lane >= bits) {
        if (!segment.wide_words) return both{0, 0};
        plane = words + segment.wide_words + r * rs_wide_words(bits) - bits * RS_PLANE_WORDS;
    }
    return both{plane[lane * RS_PLANE_WORDS], plane[lane * RS_PLANE_WORDS + 1]};
}

/* The sums of the gaps up to the lane's two keys. */
static __device__ __forceinline__ both sums_of(both plane, unsigned planes)
{
    const uint32_t up_to = gb_lanes_below() << 1 | 1;
    both sum = {0, 0};
#pragma unroll 4
    for (unsigned j = 0; j < planes; j++) {
        const uint32_t low = __shfl_sync(GB_FULL_MASK, plane.low, (int)j);
        const uint32_t high = __shfl_sync(GB_FULL_MASK, plane.high, (int)j);
        sum.low += (uint32_t)__popc(low & up_to) << j;
        sum.high += (uint32_t)__popc(high & up_to) << j;
    }
    sum.high += __shfl_sync(GB_FULL_MASK, sum.low, GB_WARP - 1);
    return sum;
}

/* Key `at` of a segment's records goes to its place, if it is wanted. */
static __device__ __forceinline__ void store_key(const rs_shape &shape, const rs_segment &segment,
                                                 uint64_t at, uint32_t field, uint32_t *keys)
{
    /* below skip the difference wraps around, beyond any count */
    if (at - segment.skip >= segment.count) return;
    keys[segment.place + at - segment.skip] =
        rs_key_of_image32(shape.type, shape.descending ? ~field : field);
}

static __global__ void unpack(rs_shape shape, const rs_segment *segments, unsigned segment_count,
                              uint64_t record_count, const uint32_t *words, uint32_t *keys)
{
    for (uint64_t i = gb_first() / GB_WARP; i < record_count; i += gb_stride() / GB_WARP) {
        const rs_segment segment = segment_of(segments, segment_count, i);
        const unsigned bits = (unsigned)segment.bits;
        const uint64_t r = i - segment.record, at = r * RS_RECORD + gb_lane();
        const uint32_t base = words[segment.words + r * rs_run_words(bits)];
        const both sum =
            sums_of(load_plane(segment, words, r), segment.wide_words ? (unsigned)RS_PLANES : bits);
        store_key(shape, segment, at, base + sum.low, keys);
        store_key(shape, segment, at + GB_WARP, base + sum.high, keys);
    }
}

cudaError_t rs_launch_unpack(const gb_device *device, const rs_shape *shape,
                             const rs_segment *segments, unsigned segment_count,
                             uint64_t record_count, const uint32_t *words, uint32_t *keys,
                             cudaStream_t stream)
{
    if (record_count == 0) return cudaSuccess;
    return launch(unpack, gb_grid(device, record_count * GB_WARP), dim3(GB_GRID_THREADS), 0, stream,
                  *shape, segments, segment_count, record_count, words, keys);
}
