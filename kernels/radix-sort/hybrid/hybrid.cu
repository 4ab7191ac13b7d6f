/* Variant hybrid: the launches, scratch, and when the keys are left to onesweep. */
#include "kernels/radix-sort/hybrid/buckets.cuh"

#include "common/cuda/scan.cuh"
#include "kernels/radix-sort/hybrid/hybrid.h"
#include "kernels/radix-sort/onesweep/gather.cuh"
#include "kernels/radix-sort/onesweep/onesweep.h"
#include "kernels/radix-sort/passes.cuh"

#include <stdlib.h>

/* ---- scratch --------------------------------------------------------------------------------- */

/* What a sort needs besides hy_sort. */
typedef struct plan {
    hy_sort sort;
    void *scan;             /* scratch */
    unsigned char *cleared; /* the part that is cleared first: up to cleared_bytes */
    uint64_t cleared_bytes;
    void *fallback; /* onesweep's scratch: its cleared part, then where the pages were */
    uint64_t bytes;
} plan;

/* Whether the stages, two of which move all keys, spare onesweep a pass and have enough to do. */
static bool serves(const rs_shape *shape, const gb_device *device)
{
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    if (rs_passes(shape, OS_BITS) <= 2) return false;
    /* Images of -0 and +0 are neighbours by all bits, by which keys are sorted that are to be by
     * the upper ones; without the topmost -0 would be anywhere. */
    if (rs_is_float(shape->type) && shape->end_bit < 8 * rs_key_bytes(shape->type)) return false;
    return shape->n >= HY_LEAST * sms && shape->n <= HY_MOST;
}

/* Calls go(kind) with the kind of elements of a shape (kinds.cuh). */
template <class Go> static auto with_kind(const rs_shape *shape, Go &&go)
{
    if (rs_key_bytes(shape->type) == 4) return shape->payload ? go(hy_pairs32()) : go(hy_keys32());
    return shape->payload ? go(hy_pairs64()) : go(hy_keys64());
}

/* Bytes of an element. */
static size_t element_bytes(const rs_shape *shape)
{
    return with_kind(shape, [](auto kind) { return sizeof(typename decltype(kind)::element); });
}

/* Bytes of shared memory of a partition's block. */
template <class Kind> static constexpr size_t partition_bytes()
{
    constexpr int tile = gb_partition_shape<typename Kind::element, HY_THREADS,
                                            hy_sizes<Kind>::ITEMS, HY_BINS>::BYTES;
    constexpr int by_place = hy_cell_tile_bytes<Kind> + (HY_CELLS + 1) * (int)sizeof(unsigned);
    return tile > by_place ? tile : by_place;
}

/* And of a block that sorts buckets by count, whatever their groups are. */
template <class Kind> static size_t rest_bytes()
{
    return hy_bucket<Kind, hy_next_bits<HY_LOCAL_BITS>>::bytes();
}

/* How many bits the two partitions take together: 8 to 16. */
static unsigned bits_for(uint64_t n)
{
    unsigned bits = 8;
    while (bits < 16 && n >> bits > 4096)
        bits++;
    return bits;
}

/* Keys that each of so many blocks takes of n. */
static unsigned chunk_of(uint64_t n, unsigned blocks)
{
    return (unsigned)((n + blocks - 1) / blocks + 31) / 32 * 32;
}

/* The blocks of the first partition are shared out to two arrays. Those of the smaller one are
 * rounded up: those of the other one have no more than n / (blocks - 2) keys. */
static void share_blocks(hy_sort *s, const hy_apart *apart)
{
    const uint64_t more = apart ? apart->n : 0, less = more < s->n - more ? more : s->n - more;
    const unsigned few = (unsigned)((less * s->blocks + s->n - 1) / s->n);
    const unsigned many = s->blocks - few, chunk = chunk_of(s->n - less, many);
    s->n_in = s->n - (unsigned)more;
    s->blocks_in = less == more ? many : few;
    s->chunk = few && chunk_of(less, few) > chunk ? chunk_of(less, few) : chunk;
    if (!apart) return;
    s->more_keys = apart->keys;
    s->more_payload = apart->payload;
}

/* bits: bits_for(n); tests try others from 2 on. apart: as hybrid.h has it; without keys, any part
 * of the elements may lie there. */
static plan plan_of(const gb_problem *problem, const hy_apart *apart, const gb_device *device,
                    unsigned bits, void *scratch)
{
    const rs_shape *shape = &problem->shape;
    plan p = {};
    hy_sort *s = &p.sort;
    s->keys_in = problem->keys_in;
    s->keys_out = problem->keys_out;
    s->payload_in = problem->payload_in;
    s->payload_out = problem->payload_out;
    s->n = (unsigned)shape->n;
    s->bits1 = bits / 2;
    s->bits2 = bits - s->bits1;
    s->blocks = HY_BLOCKS * (unsigned)(device->sms > 0 ? device->sms : 1);
    share_blocks(s, apart);
    s->page_shift = bits >= 14 ? 8 : 7;
    s->width = HY_ROW_KEYS >> s->page_shift;
    s->codec.codec = rs_codec_of(shape);
    s->codec.turn = 8 * (unsigned)rs_key_bytes(shape->type) - shape->end_bit;
    s->encode = !s->codec.codec.identity || s->codec.turn;
    /* some 32 keys a bucket: enough to see the unevenness that matters, few enough to cost nothing
     */
    s->sample_bits = bits < HY_SAMPLE_BITS ? bits : (unsigned)HY_SAMPLE_BITS;
    s->lines = 1u << s->sample_bits;
    if (s->lines > shape->n / GB_WARP) s->lines = (unsigned)(shape->n / GB_WARP);
    s->salt = (unsigned)problem->seed * 2654435761u;

    /* bits that as many values set which nearly fill a table, and some fewer for those that the
     * sample has not met: 120 of 128, and some 3900 of 4096 */
    s->seen_few = hy_few_small::MOST * 15 / 16;
    s->seen_many = 3500;
    s->may_place = shape->n >> bits <= HY_LOCAL_KEYS / 6 * 5; /* a sixth for what is not foreseen */

    const uint64_t buckets = 1u << bits;
    hy_sort largest = *s;
    if (apart) largest.chunk = chunk_of(shape->n, s->blocks > 3 ? s->blocks - 2 : 1);
    const uint64_t pages1 = (uint64_t)hy_region1(largest) * s->blocks;
    const uint64_t pages2 = pages1 + (uint64_t)HY_BINS * (s->blocks + HY_BINS);
    rs_scratch from = {(unsigned char *)scratch, 0};
    p.cleared = from.memory;
    s->state = rs_part<hy_state>(&from, 1);
    s->in_bin1 = rs_part<unsigned>(&from, 2 * HY_BINS);
    s->row_lengths = rs_part<unsigned>(&from, buckets);
    s->begins = rs_part<unsigned>(&from, buckets);
    s->rest = rs_part<unsigned>(&from, buckets + 1);
    p.scan = rs_part<unsigned char>(&from, gb_scan_scratch(buckets));
    s->sampled = rs_part<unsigned>(&from, (1u << s->sample_bits) + 5);
    s->seen = rs_part<unsigned>(&from, HY_SEEN_BITS / 32);
    s->few.values = rs_part<unsigned>(&from, hy_few_large::SLOTS);
    s->few.counts = rs_part<unsigned>(&from, hy_few_large::SLOTS);
    s->few.taken = rs_part<unsigned>(&from, 1);
    s->cells.counts = rs_part<unsigned>(&from, HY_CELLS);
    p.fallback = rs_part<unsigned char>(&from, os_cleared_bytes(shape));
    p.cleared_bytes = from.bytes;
    s->few.list = rs_part<unsigned>(&from, hy_few_large::MOST);
    s->cells.places = rs_part<unsigned>(&from, HY_CELLS + 1);
    s->cells.lows = rs_part<unsigned>(&from, buckets + 1);
    s->shares1 = rs_part<hy_share>(&from, (uint64_t)s->blocks * HY_BINS);
    s->notes1 = rs_part<unsigned>(&from, pages1);
    s->list1 = rs_part<unsigned>(&from, pages1);
    s->rows = rs_part<unsigned>(&from, buckets * s->width);
    const uint64_t page_bytes = element_bytes(shape) << s->page_shift;
    s->pages1 = rs_part<unsigned char>(&from, pages1 * page_bytes);
    s->pages2 = rs_part<unsigned char>(&from, pages2 * page_bytes);
    const uint64_t other =
        p.cleared_bytes - os_cleared_bytes(shape) + os_scratch_bytes(shape, device);
    p.bytes = from.bytes > other ? from.bytes : other;
    return p;
}

/* ---- the sort -------------------------------------------------------------------------------- */

static const char *refusal(const rs_shape *shape, const gb_device *device)
{
    const uint64_t shared = 8192 + with_kind(shape, [](auto kind) {
                                const size_t partition = partition_bytes<decltype(kind)>();
                                const size_t racks = hy_racks<decltype(kind)>::bytes();
                                const size_t rest = rest_bytes<decltype(kind)>();
                                const size_t local = racks > rest ? racks : rest;
                                return partition > local ? partition : local;
                            });
    if (device->shared_optin < shared)
        return gb_reason("its stages take %u bytes of shared memory a block, this device gives %u",
                         (unsigned)shared, (unsigned)device->shared_optin);
    return NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const rs_shape shape = rs_shape_of(params);
    return refusal(&shape, device);
}

/* Elements that lie apart join the others, where these are read by what takes one array. */
template <class Kind>
static gb_status gather(const hy_sort *s, bool last, cudaStream_t stream, gb_error *error)
{
    if (s->n_in == s->n) return GB_OK;
    GB_TRY(launch(hy_gather<Kind>, dim3(s->blocks), dim3(HY_THREADS), 0, stream, *s, last), error);
    return GB_OK;
}

template <class Kind>
static gb_status run_stages_of(const plan *p, cudaStream_t stream, gb_error *error)
{
    const hy_sort *s = &p->sort;
    const size_t partition = partition_bytes<Kind>(), racks = hy_racks<Kind>::bytes();
    const size_t rest = rest_bytes<Kind>();
    static_assert(!hy_counts_values<Kind> || (hy_few_small::WORDS * 4 <= partition_bytes<Kind>() &&
                                              hy_few_large::WORDS * 4 <= partition_bytes<Kind>()),
                  "values are counted in a partition's shared memory");
    const unsigned buckets = 1u << (s->bits1 + s->bits2);
    gb_status status = gb_allow_shared(hy_partition1<Kind>, partition, error);
    if (status == GB_OK) status = gb_allow_shared(hy_partition2<Kind>, partition, error);
    if (status == GB_OK) status = gb_allow_shared(hy_local<Kind>, racks, error);
    if (status == GB_OK) status = gb_allow_shared(hy_local_rest<Kind>, rest, error);
    if (status == GB_OK) status = gb_allow_shared(hy_local_by_place<Kind>, rest, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(p->cleared, 0, p->cleared_bytes, stream), error);
    GB_TRY(launch(hy_sample<Kind>,
                  dim3((s->lines + 31) / 32 < s->blocks ? (s->lines + 31) / 32 : s->blocks),
                  dim3(HY_SAMPLE_THREADS), 0, stream, *s),
           error);
    status = gather<Kind>(s, false, stream, error);
    if (status != GB_OK) return status;
    GB_TRY(
        launch(hy_partition1<Kind>, dim3(2 * s->blocks), dim3(HY_THREADS), partition, stream, *s),
        error);
    GB_TRY(launch(hy_index, dim3(s->blocks), dim3(HY_THREADS), 0, stream, *s), error);
    GB_TRY(launch(hy_partition2<Kind>, dim3(s->blocks), dim3(HY_THREADS), partition, stream, *s),
           error);
    GB_TRY(gb_scan_exclusive_cleared(s->begins, buckets, p->scan, stream), error);
    GB_TRY(launch(hy_local<Kind>, dim3(buckets), dim3(hy_racks<Kind>::THREADS), racks, stream, *s),
           error);
    const dim3 at_once(s->blocks / HY_BLOCKS * hy_sizes<Kind>::REST_BLOCKS);
    GB_TRY(
        launch(hy_local_rest<Kind>, at_once, dim3(hy_sizes<Kind>::REST_THREADS), rest, stream, *s),
        error);
    GB_TRY(launch(hy_local_by_place<Kind>, at_once, dim3(hy_sizes<Kind>::REST_THREADS), rest,
                  stream, *s),
           error);
    return gather<Kind>(s, true, stream, error);
}

static gb_status run_stages(const plan *p, const rs_shape *shape, cudaStream_t stream,
                            gb_error *error)
{
    return with_kind(shape,
                     [&](auto kind) { return run_stages_of<decltype(kind)>(p, stream, error); });
}

/* The stages, and onesweep where their verdict is not 0. */
static gb_status run_plan(const gb_problem *problem, const gb_device *device, const plan *p,
                          cudaStream_t stream, gb_error *error)
{
    const os_sort_data data = {problem->keys_in,     problem->payload_in, problem->keys_out,
                               problem->payload_out, p->fallback,         &p->sort.state->verdict};
    gb_status status = run_stages(p, &problem->shape, stream, error);
    if (status != GB_OK) return status;
    return os_sweep(&problem->shape, device, &data, stream, error);
}

/* Where the sorted indexes of a wide payload lie: behind the scratch of a sort with indexes. */
static uint64_t indexes_at(const gb_problem *problem, const gb_device *device)
{
    gb_problem narrow = *problem;
    narrow.shape = os_with_indexes(&problem->shape);
    return plan_of(&narrow, NULL, device, bits_for(narrow.shape.n), NULL).bytes;
}

static uint64_t scratch_bytes(const gb_problem *problem, const hy_apart *apart,
                              const gb_device *device)
{
    const rs_shape *shape = &problem->shape;
    if (!serves(shape, device)) return os_scratch_bytes(shape, device);
    if (shape->payload > sizeof(uint32_t))
        return indexes_at(problem, device) + shape->n * sizeof(uint32_t) + 16;
    return plan_of(problem, apart, device, bits_for(shape->n), NULL).bytes;
}

/* A payload of more than 4 bytes: keys are sorted with their indexes, and it is fetched once. */
static gb_status sort_wide(const gb_problem *problem, const gb_device *device, void *scratch,
                           cudaStream_t stream, gb_error *error)
{
    const os_sort_data data = {problem->keys_in,  problem->payload_in,
                               problem->keys_out, problem->payload_out,
                               scratch,           NULL};
    uint32_t *indexes = reinterpret_cast<uint32_t *>(static_cast<unsigned char *>(scratch) +
                                                     indexes_at(problem, device));
    return os_sort_by_index(&problem->shape, &data, indexes, stream, error,
                            [&](const rs_shape *with, const os_sort_data *numbered) {
                                gb_problem narrow = *problem;
                                narrow.shape = *with;
                                narrow.payload_in = const_cast<uint32_t *>(numbered->payload_in);
                                narrow.payload_out = numbered->payload_out;
                                const plan p =
                                    plan_of(&narrow, NULL, device, bits_for(with->n), scratch);
                                return run_plan(&narrow, device, &p, stream, error);
                            });
}

gb_status hy_join(const rs_shape *shape, const os_sort_data *data, const hy_apart *apart,
                  cudaStream_t stream, gb_error *error)
{
    const size_t key = rs_key_bytes(shape->type);
    const uint64_t at = shape->n - apart->n;
    unsigned char *keys = static_cast<unsigned char *>(const_cast<void *>(data->keys_in));
    GB_TRY(cudaMemcpyAsync(keys + at * key, apart->keys, apart->n * key, cudaMemcpyDeviceToDevice,
                           stream),
           error);
    if (apart->payload)
        GB_TRY(cudaMemcpyAsync(const_cast<uint32_t *>(data->payload_in) + at, apart->payload,
                               apart->n * 4, cudaMemcpyDeviceToDevice, stream),
               error);
    return GB_OK;
}

static gb_status sort(const gb_problem *problem, const hy_apart *apart, const gb_device *device,
                      void *scratch, cudaStream_t stream, gb_error *error)
{
    const rs_shape *shape = &problem->shape;
    const os_sort_data data = {problem->keys_in,  problem->payload_in,
                               problem->keys_out, problem->payload_out,
                               scratch,           NULL};
    if (!serves(shape, device)) {
        const gb_status status = apart ? hy_join(shape, &data, apart, stream, error) : GB_OK;
        return status == GB_OK ? os_sort(shape, device, &data, stream, error) : status;
    }
    if (shape->payload > sizeof(uint32_t))
        return sort_wide(problem, device, scratch, stream, error);
    const plan p = plan_of(problem, apart, device, bits_for(shape->n), scratch);
    return run_plan(problem, device, &p, stream, error);
}

/* ---- the variant ----------------------------------------------------------------------------- */

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    const rs_shape *shape = &job->problem->shape;
    if (!serves(shape, job->device)) return os_open_scratch(job, &job->state);
    return gb_job_malloc(job, &job->state, scratch_bytes(job->problem, NULL, job->device),
                         "the sort's scratch");
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return sort(job->problem, NULL, job->device, job->state, gb_cuda_stream(stream), &job->error);
}

static void cleanup(gb_job *job)
{
    (void)cudaFree(job->state);
    job->state = NULL;
}

extern "C" const gb_variant rs_hybrid = {
    "hybrid",
    "from the top: two unstable partitions, then every bucket in shared memory; keys in order are "
    "copied, few values counted; where some values are common, keys are left to onesweep",
    "gpubench",
    0,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};

/* ---- for others ------------------------------------------------------------------------------ */

bool hy_sorts(const rs_shape *shape, const gb_device *device)
{
    return !refusal(shape, device);
}

uint64_t hy_scratch_bytes(const rs_shape *shape, const gb_device *device, bool apart)
{
    const hy_apart none = {};
    gb_problem problem = {};
    problem.shape = *shape;
    return scratch_bytes(&problem, apart ? &none : NULL, device);
}

gb_status hy_sort_elements(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                           const hy_apart *apart, cudaStream_t stream, gb_error *error)
{
    gb_problem problem = {};
    problem.shape = *shape;
    problem.keys_in = const_cast<void *>(data->keys_in); /* not written, but behind its end */
    problem.payload_in = const_cast<uint32_t *>(data->payload_in);
    problem.keys_out = data->keys_out;
    problem.payload_out = data->payload_out;
    if (!serves(shape, device)) /* else the stages clear what they need */
        GB_TRY(cudaMemsetAsync(data->scratch, 0, os_cleared_bytes(shape), stream), error);
    return sort(&problem, apart, device, data->scratch, stream, error);
}
