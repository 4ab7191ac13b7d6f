/* Variant hybrid: the launches, scratch, and when the keys are left to onesweep. */
#include "kernels/radix-sort/hybrid/buckets.cuh"

#include "common/cuda/scan.cuh"
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
    return shape->n >= HY_LEAST * sms && shape->n <= HY_MOST;
}

/* How many bits the two partitions take together: 8 to 16. */
static unsigned bits_for(uint64_t n)
{
    unsigned bits = 8;
    while (bits < 16 && n >> bits > 4096)
        bits++;
    return bits;
}

/* bits: bits_for(n); tests try others from 2 on. */
static plan plan_of(const gb_problem *problem, const gb_device *device, unsigned bits,
                    void *scratch)
{
    const rs_shape *shape = &problem->shape;
    plan p = {};
    hy_sort *s = &p.sort;
    s->keys_in = (const unsigned *)problem->keys_in;
    s->keys_out = (unsigned *)problem->keys_out;
    s->n = (unsigned)shape->n;
    s->bits1 = bits / 2;
    s->bits2 = bits - s->bits1;
    s->blocks = 2 * (unsigned)(device->sms > 0 ? device->sms : 1);
    s->chunk = (unsigned)((shape->n + s->blocks - 1) / s->blocks + 31) / 32 * 32;
    s->page_shift = bits >= 14 ? 8 : 7;
    s->width = HY_ROW_KEYS >> s->page_shift;
    s->codec.codec = rs_codec_of(shape);
    s->codec.turn = (32 - shape->end_bit) % 32;
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
    const uint64_t pages1 = (uint64_t)hy_region1(*s) * s->blocks;
    const uint64_t pages2 = pages1 + (uint64_t)HY_BINS * (s->blocks + HY_BINS);
    rs_scratch from = {(unsigned char *)scratch, 0};
    p.cleared = from.memory;
    s->state = rs_part<hy_state>(&from, 1);
    s->in_bin1 = rs_part<unsigned>(&from, 2 * HY_BINS);
    s->row_lengths = rs_part<unsigned>(&from, buckets);
    s->begins = rs_part<unsigned>(&from, buckets);
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
    s->pages1 = rs_part<unsigned>(&from, pages1 << s->page_shift);
    s->pages2 = rs_part<unsigned>(&from, pages2 << s->page_shift);
    const uint64_t other =
        p.cleared_bytes - os_cleared_bytes(shape) + os_scratch_bytes(shape, device);
    p.bytes = from.bytes > other ? from.bytes : other;
    return p;
}

/* ---- the variant ----------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const uint64_t shared = gb_partition_shape<HY_THREADS, HY_ITEMS, HY_BINS>::BYTES + 8192;
    const rs_shape shape = rs_shape_of(params);
    if (shape.payload)
        return "it is not stable and moves keys alone: onesweep takes a payload along";
    if (shape.type == RS_U64) return "it sorts keys of 32 bits: onesweep sorts longer ones";
    if (device->shared_optin < shared)
        return gb_reason("its partitions take %u bytes of shared memory a block, this device gives "
                         "%u",
                         (unsigned)shared, (unsigned)device->shared_optin);
    return NULL;
}

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    const rs_shape *shape = &job->problem->shape;
    if (!serves(shape, job->device)) return os_open_scratch(job, &job->state);
    return gb_job_malloc(job, &job->state,
                         plan_of(job->problem, job->device, bits_for(shape->n), NULL).bytes,
                         "the sort's scratch");
}

static gb_status run_stages(const plan *p, cudaStream_t stream, gb_error *error)
{
    const hy_sort *s = &p->sort;
    constexpr size_t tile = gb_partition_shape<HY_THREADS, HY_ITEMS, HY_BINS>::BYTES;
    constexpr size_t by_place =
        gb_partition_shape<HY_THREADS, HY_CELL_ITEMS, HY_BINS>::BYTES + (HY_CELLS + 1) * 4;
    constexpr size_t partition = tile > by_place ? tile : by_place;
    static_assert(hy_few_small::WORDS * 4 <= partition && hy_few_large::WORDS * 4 <= partition,
                  "values are counted in a partition's shared memory");
    const size_t local = ((1 << HY_LOCAL_BITS) + hy_slot(HY_LOCAL_KEYS + 32)) * 4;
    const unsigned buckets = 1u << (s->bits1 + s->bits2);
    gb_status status = gb_allow_shared(hy_partition1, partition, error);
    if (status == GB_OK) status = gb_allow_shared(hy_partition2, partition, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(p->cleared, 0, p->cleared_bytes, stream), error);
    GB_TRY(launch(hy_sample,
                  dim3((s->lines + 31) / 32 < s->blocks ? (s->lines + 31) / 32 : s->blocks),
                  dim3(HY_SAMPLE_THREADS), 0, stream, *s),
           error);
    GB_TRY(launch(hy_partition1, dim3(2 * s->blocks), dim3(HY_THREADS), partition, stream, *s),
           error);
    GB_TRY(launch(hy_index, dim3(s->blocks), dim3(HY_THREADS), 0, stream, *s), error);
    GB_TRY(launch(hy_partition2, dim3(s->blocks), dim3(HY_THREADS), partition, stream, *s), error);
    GB_TRY(gb_scan_exclusive_cleared(s->begins, buckets, p->scan, stream), error);
    GB_TRY(launch(hy_local, dim3(buckets), dim3(HY_LOCAL_THREADS), local, stream, *s), error);
    return GB_OK;
}

/* The stages, and onesweep where their verdict is not 0. */
static gb_status run_plan(gb_job *job, const plan *p, cudaStream_t stream)
{
    const gb_problem *problem = job->problem;
    const os_sort_data data = {problem->keys_in,       NULL, problem->keys_out, NULL, p->fallback,
                               &p->sort.state->verdict};
    gb_status status = run_stages(p, stream, &job->error);
    if (status != GB_OK) return status;
    return os_sort(&problem->shape, job->device, &data, stream, &job->error);
}

static gb_status run(gb_job *job, gb_stream opaque)
{
    const gb_problem *problem = job->problem;
    const rs_shape *shape = &problem->shape;
    cudaStream_t stream = gb_cuda_stream(opaque);
    const os_sort_data data = {problem->keys_in, NULL, problem->keys_out, NULL, job->state, NULL};
    if (!serves(shape, job->device)) return os_sort(shape, job->device, &data, stream, &job->error);
    const plan p = plan_of(problem, job->device, bits_for(shape->n), job->state);
    return run_plan(job, &p, stream);
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
