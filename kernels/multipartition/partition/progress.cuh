/* A block's way through the input of an unordered pass: all of it in turns with the others, or
 * parts of its own, segment by segment. */
#ifndef GB_MULTIPARTITION_PROGRESS_CUH
#define GB_MULTIPARTITION_PROGRESS_CUH

#include "common/cuda/search.cuh"
#include "kernels/multipartition/partition/regions.cuh"

/* Where a block is in its work. */
typedef struct mp_progress {
    uint64_t low, high;         /* of the segment's part that is at work */
    uint64_t first_region;      /* of the segment */
    unsigned tile, tiles, step; /* tile: where to begin, or to go on after place_over */
    unsigned whole_to;          /* the tiles from 1 to here lie within */
    uint64_t part;              /* with segments: the block's, of so many keys; then one that */
    uint64_t part_keys;         /*     is as many parts on as there are blocks */
} mp_progress;

enum {
    MP_MOST_PARTS = 4, /* a block's, where segments are uneven */
    MP_PART_TILES = 8  /* a smaller part is not worth its beginning and end */
};

/* Whether a segment has three times as many elements as others, but not nearly all: most of them
 * are then of one digit, its tiles take longer, and blocks would not end together if each had one
 * part. */
template <int THREADS>
static __device__ __forceinline__ bool mp_is_uneven(const mp_regions &regions, uint64_t n)
{
    bool uneven = false;
    for (unsigned i = threadIdx.x; i < regions.segment_count; i += THREADS) {
        const uint64_t size = regions.segments[i + 1] - regions.segments[i];
        uneven |= size / 3 > n / regions.segment_count && size < n / 8 * 7;
    }
    return __syncthreads_or(uneven);
}

/* A block's first part begins, or the only one. Returns the segment that it begins in. Here and in
 * the next s is mp_unordered_shared. */
template <int THREADS, int TILE, class Shared>
static __device__ __forceinline__ unsigned mp_first_segment(Shared *s, uint64_t n)
{
    const mp_regions &regions = s->regions;
    unsigned segment = 0;
    mp_progress progress = {};
    if (regions.segments) {
        uint64_t parts = n / ((uint64_t)gridDim.x * MP_PART_TILES * TILE);
        if (parts > MP_MOST_PARTS) parts = MP_MOST_PARTS;
        if (parts < 1 || !mp_is_uneven<THREADS>(regions, n)) parts = 1;
        progress.part = blockIdx.x;
        progress.part_keys = mp_part_keys(n, gridDim.x * parts);
        const uint64_t low = progress.part_keys * progress.part;
        progress.high = low < n ? low : n;
        if (low < n) segment = gb_stretch_holding(regions.segments, regions.segment_count, low);
    }
    if (threadIdx.x == 0) s->progress = progress;
    __syncthreads();
    return segment;
}

/* Goes to the next part of a segment that is not empty, from `segment` on: returns its number, or
 * ~0 where the block's last part ends. */
template <int TILE, class Shared>
static __device__ __forceinline__ unsigned mp_next_segment(Shared *s, uint64_t n, unsigned segment)
{
    const mp_regions &regions = s->regions;
    uint64_t part = s->progress.part, low = s->progress.high, high = n;
    if (regions.segments) {
        const uint64_t part_keys = s->progress.part_keys;
        if (low >= part_keys * (part + 1)) {
            part += gridDim.x;
            low = part_keys * part;
            if (low < n) segment = gb_stretch_holding(regions.segments, regions.segment_count, low);
        }
        if (low >= n) return ~0u;
        while (regions.segments[segment + 1] <= low)
            segment++;
        const uint64_t stop = part_keys * (part + 1);
        high = regions.segments[segment + 1];
        if (high > stop) high = stop;
    } else if (low >= n) {
        return ~0u;
    }
    __syncthreads(); /* all have read progress.high, and what was before is over */
    if (regions.segments) mp_prepare_segment(s->digit, segment);
    if (threadIdx.x == 0) {
        const uint64_t origin = low & ~(uint64_t)3;
        s->progress.part = part;
        s->progress.low = low;
        s->progress.high = high;
        s->progress.first_region = (uint64_t)segment * s->digit.digits;
        s->progress.tile = regions.segments ? 0 : blockIdx.x;
        s->progress.step = regions.segments ? 1 : gridDim.x;
        s->progress.tiles = (unsigned)((high - origin + TILE - 1) / TILE);
        s->watch.early = s->progress.tiles / 16;
        s->progress.whole_to = (unsigned)((high - origin) / TILE);
    }
    __syncthreads();
    return segment;
}

#endif
