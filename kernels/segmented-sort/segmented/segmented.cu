/* Variant segmented: which classes of lengths there are for what is sorted, scratch, and launches.
 */
#include "kernels/radix-sort/passes.cuh"
#include "kernels/segmented-sort/segmented/block.cuh"
#include "kernels/segmented-sort/segmented/large.cuh"
#include "kernels/segmented-sort/segmented/segmented.h"
#include "kernels/segmented-sort/variants.h"

/* ---- what runs for which keys ---------------------------------------------------------------- */

/* The longest segments that warps sort, as a list: what is compared must fit a thread's registers.
 * The tile of large segments. */
template <class Key, bool PAYLOAD> struct sg_tuning;
template <> struct sg_tuning<unsigned, false> {
    static const unsigned BY_WARPS = SG_UP_TO_1024;
    static const unsigned BY_TWO_WARPS = SG_UP_TO_2048;
    static const unsigned BY_BLOCKS = SG_UP_TO_8192;
    static const int TILE_THREADS = 256, TILE_ITEMS = 32, TILE_BLOCKS = 3;
};
template <> struct sg_tuning<unsigned, true> {
    static const unsigned BY_WARPS = SG_UP_TO_512;
    static const unsigned BY_TWO_WARPS = SG_LISTS;
    static const unsigned BY_BLOCKS = SG_UP_TO_4096;
    static const int TILE_THREADS = 256, TILE_ITEMS = 16, TILE_BLOCKS = 3;
};
template <> struct sg_tuning<unsigned long long, false> {
    static const unsigned BY_WARPS = SG_UP_TO_512;
    static const unsigned BY_TWO_WARPS = SG_UP_TO_1024;
    static const unsigned BY_BLOCKS = SG_UP_TO_8192;
    static const int TILE_THREADS = 256, TILE_ITEMS = 16, TILE_BLOCKS = 3;
};
template <> struct sg_tuning<unsigned long long, true> {
    static const unsigned BY_WARPS = SG_UP_TO_256;
    static const unsigned BY_TWO_WARPS = SG_LISTS;
    static const unsigned BY_BLOCKS = SG_UP_TO_4096;
    static const int TILE_THREADS = 256, TILE_ITEMS = 12, TILE_BLOCKS = 3;
};

/* The shape of the blocks that sort a list of segments, and how many are resident. */
template <class Key, bool PAYLOAD, unsigned LIST> struct sg_blocks {
    static const int THREADS =
        LIST == SG_UP_TO_8192 || (PAYLOAD && LIST == SG_UP_TO_4096) ? 512 : 256;
    static const int ITEMS = (SG_FIRST_LIMIT << LIST) / THREADS;
    static const int BLOCKS = THREADS == 512     ? 2
                              : ITEMS > 8        ? 4
                              : !PAYLOAD         ? 6
                              : sizeof(Key) == 8 ? 4
                                                 : 5;
    typedef sg_block_shape<Key, PAYLOAD, THREADS, ITEMS> shape;
};

/* Whether a block's memory holds such a segment on this device. */
static bool holds(const gb_device *device, size_t bytes)
{
    const uint64_t most = device->shared_optin > device->shared_per_block
                              ? device->shared_optin
                              : device->shared_per_block;
    return bytes + 1024 <= most;
}

/* The lists in use, a bit each. */
template <class Key, bool PAYLOAD> static unsigned lists_used(const gb_device *device)
{
    typedef sg_tuning<Key, PAYLOAD> tuning;
    unsigned used = (2u << tuning::BY_WARPS) - 1;
    if (tuning::BY_TWO_WARPS < SG_LISTS) used |= 1u << tuning::BY_TWO_WARPS;
    if (holds(device, sg_blocks<Key, PAYLOAD, SG_UP_TO_2048>::shape::BYTES))
        used |= 1u << SG_UP_TO_2048;
    if (holds(device, sg_blocks<Key, PAYLOAD, SG_UP_TO_4096>::shape::BYTES))
        used |= 1u << SG_UP_TO_4096;
    if (tuning::BY_BLOCKS >= SG_UP_TO_8192 &&
        holds(device, sg_blocks<Key, PAYLOAD, SG_UP_TO_8192>::shape::BYTES))
        used |= 1u << SG_UP_TO_8192;
    return used;
}

/* The fewest keys of a segment in a list, or of a large one. */
static uint64_t fewest_keys(unsigned used, unsigned list)
{
    while (list > 0)
        if (used >> --list & 1) return sg_most_keys(list) + 1;
    return 1;
}

/* ---- scratch --------------------------------------------------------------------------------- */

/* Offsets into the scratch, which begins with the counts. */
typedef struct sg_layout {
    unsigned used;
    uint64_t large, tiles; /* at most */
    uint64_t list[SG_LISTS], segment, first_tile, segment_of, digits, active, words, keys, payload;
    uint64_t bytes;
} sg_layout;

template <class Key, bool PAYLOAD>
static sg_layout lay_out(uint64_t n, uint32_t segments, const gb_device *device)
{
    typedef sg_tuning<Key, PAYLOAD> tuning;
    sg_layout l;
    rs_scratch scratch = {NULL, 0};
    l.used = lists_used<Key, PAYLOAD>(device);
    l.large = n / fewest_keys(l.used, SG_LARGE);
    if (l.large > segments) l.large = segments;
    rs_lay_out(&scratch, sizeof(sg_counts));
    for (unsigned list = 0; list < SG_LISTS; list++) {
        const uint64_t most = n / fewest_keys(l.used, list);
        const uint64_t all =
            segments + OS_DIGITS * l.large; /* with what large ones are parted to */
        l.list[list] = rs_lay_out(&scratch, (l.used >> list & 1) * (most < all ? most : all) *
                                                sizeof(sg_segment));
    }
    l.tiles = l.large ? n / (tuning::TILE_THREADS * tuning::TILE_ITEMS) + l.large : 0;
    l.segment = rs_lay_out(&scratch, l.large * sizeof(sg_segment));
    l.first_tile = rs_lay_out(&scratch, l.large * 4);
    l.segment_of = rs_lay_out(&scratch, l.tiles * 4);
    l.digits = rs_lay_out(&scratch, l.large * sizeof(Key) * OS_DIGITS * 4);
    l.active = rs_lay_out(&scratch, l.large * 4);
    l.words = rs_lay_out(&scratch, 2 * l.tiles * OS_DIGITS * 4);
    l.keys = rs_lay_out(&scratch, l.large ? n * sizeof(Key) : 0);
    l.payload = rs_lay_out(&scratch, l.large && PAYLOAD ? n * 4 : 0);
    l.bytes = scratch.bytes;
    return l;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* A sort on its way. */
template <class Key> struct sg_launches {
    const gb_device *device;
    cudaStream_t stream;
    gb_error *error;
    uint64_t n;
    sg_layout layout;
    sg_arrays<Key> arrays;
    sg_lists lists;

    /* As many blocks as are resident, or as there can be work for. */
    dim3 grid(unsigned resident, uint64_t most) const
    {
        const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
        const uint64_t blocks = sms * resident;
        return dim3((unsigned)(most < blocks ? most ? most : 1 : blocks));
    }
    /* Segments that a list can have. */
    uint64_t most(unsigned list) const { return n / fewest_keys(layout.used, list); }
    const unsigned *listed(unsigned list) const { return &lists.counts->listed[list]; }
};

template <bool PAYLOAD, unsigned LIST, int BLOCKS, class Key>
static gb_status sort_by_warps(const sg_launches<Key> &go)
{
    enum { K = (SG_FIRST_LIMIT << LIST) / GB_WARP };
    if constexpr (LIST <= sg_tuning<Key, PAYLOAD>::BY_WARPS) {
        if (go.most(LIST) == 0) return GB_OK;
        GB_TRY(launch(sg_sort_by_warps<Key, PAYLOAD, K, BLOCKS>,
                      go.grid(BLOCKS, (go.most(LIST) + SG_WARPS - 1) / SG_WARPS),
                      dim3(SG_WARP_THREADS), 0, go.stream, go.arrays, go.lists.list[LIST],
                      go.listed(LIST)),
               go.error);
    }
    return GB_OK;
}

/* Of the list that two warps sort together, if there is one. */
template <bool PAYLOAD, class Key> static gb_status sort_by_two_warps(const sg_launches<Key> &go)
{
    /* of u32 more would spill */
    enum { LIST = sg_tuning<Key, PAYLOAD>::BY_TWO_WARPS, BLOCKS = sizeof(Key) == 4 ? 8 : 12 };
    if constexpr ((int)LIST < SG_LISTS) {
        if (go.most(LIST) == 0) return GB_OK;
        GB_TRY(launch(sg_sort_by_two_warps<Key, (SG_FIRST_LIMIT << LIST) / SG_PAIR_THREADS, BLOCKS>,
                      go.grid(BLOCKS, go.most(LIST)), dim3(SG_PAIR_THREADS), 0, go.stream,
                      go.arrays, go.lists.list[LIST], go.listed(LIST)),
               go.error);
    }
    return GB_OK;
}

template <bool PAYLOAD, unsigned LIST, class Key>
static gb_status sort_by_blocks(const sg_launches<Key> &go)
{
    typedef sg_blocks<Key, PAYLOAD, LIST> blocks;
    if (!(go.layout.used >> LIST & 1) || go.most(LIST) == 0) return GB_OK;
    if constexpr (LIST <= sg_tuning<Key, PAYLOAD>::BY_BLOCKS &&
                  LIST != sg_tuning<Key, PAYLOAD>::BY_TWO_WARPS) {
        const auto kernel =
            sg_sort_by_blocks<Key, PAYLOAD, blocks::THREADS, blocks::ITEMS, blocks::BLOCKS>;
        gb_status status = gb_allow_shared(kernel, blocks::shape::BYTES, go.error);
        if (status != GB_OK) return status;
        GB_TRY(launch(kernel, go.grid(blocks::BLOCKS, go.most(LIST)), dim3(blocks::THREADS),
                      blocks::shape::BYTES, go.stream, go.arrays, go.lists.list[LIST],
                      go.listed(LIST)),
               go.error);
    }
    return GB_OK;
}

/* Counts the digits of the large segments and plans their passes. */
template <class Key>
static gb_status count_large(const sg_launches<Key> &go, const sg_large &large, unsigned tile)
{
    enum { PASSES = sizeof(Key), TILES_A_BLOCK = SG_LARGE_THREADS / GB_WARP };
    const unsigned most = (unsigned)fewest_keys(go.layout.used, SG_LARGE) - 1;
    const size_t bytes = (size_t)OS_WORD_DIGITS * OS_DIGITS * 4 << SG_LOG_COPIES;
    GB_TRY(launch(sg_list_tiles, go.grid(8, (large.most_tiles + TILES_A_BLOCK - 1) / TILES_A_BLOCK),
                  dim3(SG_LARGE_THREADS), 0, go.stream, large, PASSES),
           go.error);
    for (unsigned first = 0; first < PASSES; first += OS_WORD_DIGITS)
        GB_TRY(launch(sg_count<Key>,
                      go.grid(6, (large.most_tiles + SG_COUNT_TILES - 1) / SG_COUNT_TILES),
                      dim3(SG_LARGE_THREADS), bytes, go.stream, go.arrays, large, tile, first,
                      PASSES),
               go.error);
    GB_TRY(launch(sg_plan, go.grid(8, go.layout.large), dim3(OS_DIGITS), 0, go.stream, large,
                  go.lists, go.layout.used, most, PASSES),
           go.error);
    return GB_OK;
}

template <bool PAYLOAD, class Key>
static gb_status sort_large(const sg_launches<Key> &go, unsigned char *scratch)
{
    typedef sg_tuning<Key, PAYLOAD> tuning;
    enum { PASSES = sizeof(Key) };
    typedef os_tile<Key, PAYLOAD, unsigned, tuning::TILE_THREADS, tuning::TILE_ITEMS> tile;
    const sg_layout &l = go.layout;
    if (l.large == 0) return GB_OK;
    const sg_large large = {go.lists.counts,
                            go.lists.large,
                            go.lists.first_tile,
                            (unsigned *)(scratch + l.segment_of),
                            (unsigned *)(scratch + l.digits),
                            (unsigned *)(scratch + l.active),
                            (unsigned *)(scratch + l.words),
                            l.tiles};
    const os_buffers<Key> buffers = {const_cast<Key *>(go.arrays.keys_in), /* never written */
                                     (Key *)(scratch + l.keys),
                                     go.arrays.keys_out,
                                     const_cast<uint32_t *>(go.arrays.payload_in),
                                     (uint32_t *)(scratch + l.payload),
                                     go.arrays.payload_out};
    const auto kernel =
        sg_pass<Key, PAYLOAD, tuning::TILE_THREADS, tuning::TILE_ITEMS, tuning::TILE_BLOCKS>;
    gb_status status = count_large(go, large, tile::KEYS);
    if (status == GB_OK) status = gb_allow_shared(kernel, tile::BYTES, go.error);
    for (unsigned pass = 0; status == GB_OK && pass < PASSES; pass++)
        GB_TRY(launch(kernel, go.grid(tuning::TILE_BLOCKS, l.tiles), dim3(tuning::TILE_THREADS),
                      tile::BYTES, go.stream, buffers, go.arrays.codec, large, pass, PASSES),
               go.error);
    return status;
}

template <class Key, bool PAYLOAD>
static gb_status sort_as(const rs_shape *shape, const gb_device *device, const sg_sort_data *data,
                         cudaStream_t stream, gb_error *error)
{
    typedef sg_tuning<Key, PAYLOAD> tuning;
    unsigned char *scratch = static_cast<unsigned char *>(data->scratch);
    sg_launches<Key> go;
    go.device = device;
    go.stream = stream;
    go.error = error;
    go.n = shape->n;
    go.layout = lay_out<Key, PAYLOAD>(shape->n, data->segments, device);
    go.arrays = {static_cast<const Key *>(data->keys_in),
                 static_cast<Key *>(data->keys_out),
                 data->payload_in,
                 data->payload_out,
                 rs_codec_of(shape),
                 reinterpret_cast<const Key *>(scratch + go.layout.keys),
                 reinterpret_cast<const uint32_t *>(scratch + go.layout.payload)};
    go.lists.counts = reinterpret_cast<sg_counts *>(scratch);
    for (unsigned list = 0; list < SG_LISTS; list++)
        go.lists.list[list] = reinterpret_cast<sg_segment *>(scratch + go.layout.list[list]);
    go.lists.large = reinterpret_cast<sg_segment *>(scratch + go.layout.segment);
    go.lists.first_tile = reinterpret_cast<unsigned *>(scratch + go.layout.first_tile);

    enum { WARPS_OF_8 = PAYLOAD ? 4 : 5 /* blocks that are resident */ };
    enum { AT_ONCE = SG_CLASSIFY_THREADS * SG_CLASSIFY_EACH };
    GB_TRY(cudaMemsetAsync(scratch, 0, sizeof(sg_counts), stream), error);
    GB_TRY(launch(sg_classify, go.grid(8, (data->segments + AT_ONCE - 1) / AT_ONCE),
                  dim3(SG_CLASSIFY_THREADS), 0, stream, data->offsets, data->segments,
                  go.layout.used, (unsigned)(tuning::TILE_THREADS * tuning::TILE_ITEMS), go.lists),
           error);
    gb_status status = sort_large<PAYLOAD>(go, scratch);
    if (status == GB_OK) status = sort_by_blocks<PAYLOAD, SG_UP_TO_8192>(go);
    if (status == GB_OK) status = sort_by_blocks<PAYLOAD, SG_UP_TO_4096>(go);
    if (status == GB_OK) status = sort_by_blocks<PAYLOAD, SG_UP_TO_2048>(go);
    if (status == GB_OK) status = sort_by_two_warps<PAYLOAD>(go);
    if (status == GB_OK) status = sort_by_warps<PAYLOAD, SG_UP_TO_1024, 3>(go);
    if (status == GB_OK) status = sort_by_warps<PAYLOAD, SG_UP_TO_512, 4>(go);
    if (status == GB_OK) status = sort_by_warps<PAYLOAD, SG_UP_TO_256, WARPS_OF_8>(go);
    if (status == GB_OK) status = sort_by_warps<PAYLOAD, SG_UP_TO_128, 6>(go);
    if (status != GB_OK) return status;
    GB_TRY(launch(sg_sort_few<Key, PAYLOAD>, go.grid(8, (data->segments + SG_WARPS - 1) / SG_WARPS),
                  dim3(SG_WARP_THREADS), 0, stream, go.arrays, go.lists),
           error);
    return GB_OK;
}

/* ---- for others ------------------------------------------------------------------------------ */

const char *sg_refuses(uint64_t n)
{
    return n < (uint64_t)1 << 30 ? NULL
                                 : "at most 2^30 - 1 keys: a tile's word has 30 bits of them";
}

uint64_t sg_scratch_bytes(const rs_shape *shape, uint32_t segments, const gb_device *device)
{
    if (rs_key_bytes(shape->type) == 8)
        return shape->payload
                   ? lay_out<unsigned long long, true>(shape->n, segments, device).bytes
                   : lay_out<unsigned long long, false>(shape->n, segments, device).bytes;
    return shape->payload ? lay_out<unsigned, true>(shape->n, segments, device).bytes
                          : lay_out<unsigned, false>(shape->n, segments, device).bytes;
}

gb_status sg_sort(const rs_shape *shape, const gb_device *device, const sg_sort_data *data,
                  cudaStream_t stream, gb_error *error)
{
    if (shape->n == 0 || data->segments == 0) return GB_OK;
    if (rs_key_bytes(shape->type) == 8)
        return shape->payload
                   ? sort_as<unsigned long long, true>(shape, device, data, stream, error)
                   : sort_as<unsigned long long, false>(shape, device, data, stream, error);
    return shape->payload ? sort_as<unsigned, true>(shape, device, data, stream, error)
                          : sort_as<unsigned, false>(shape, device, data, stream, error);
}

/* ---- the variant ----------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return sg_refuses(sg_shape_of(params).sort.n);
}

static gb_status prepare(gb_job *job)
{
    gb_status status = sg_problem_device(job);
    if (status != GB_OK) return status;
    const sg_problem *p = sg_problem_of(job->problem);
    return gb_job_malloc(job, &job->state,
                         sg_scratch_bytes(&p->shape.sort, p->segments, job->device),
                         "the sort's scratch");
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const sg_problem *p = sg_problem_of(job->problem);
    const sg_sort_data data = {p->sort.keys_in,     p->sort.payload_in, p->sort.keys_out,
                               p->sort.payload_out, p->offsets,         p->segments,
                               job->state};
    return sg_sort(&p->shape.sort, job->device, &data, gb_cuda_stream(stream), &job->error);
}

static void cleanup(gb_job *job)
{
    (void)cudaFree(job->state);
    job->state = NULL;
}

extern "C" const gb_variant sg_segmented = {
    "segmented",
    "segments listed by length on the device; sorted by lanes, warps, blocks, or tile by tile",
    "gpubench",
    GB_STABLE,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
    NULL,
    NULL,
};
