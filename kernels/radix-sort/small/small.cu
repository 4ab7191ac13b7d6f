/* Variant small: which instance a device and a size get, the launch. */
#include "kernels/radix-sort/small/small.h"

#include "kernels/radix-sort/codec.cuh"
#include "kernels/radix-sort/passes.cuh"
#include "kernels/radix-sort/small/small.cuh"

#include <stdlib.h>

/* What a launch is cut into, by the number of elements; each can be given to the compiler. */
#if !defined(SM_ALONE)
#define SM_ALONE 2048 /* elements that one block sorts without others */
#endif
#if !defined(SM_CLUSTER)
#define SM_CLUSTER GB_MOST_CLUSTER /* blocks of a cluster, where a device can hold so many */
#endif
#if !defined(SM_CLUSTER_EACH)
#define SM_CLUSTER_EACH 1024 /* elements a block, up to which a cluster sorts */
#endif
#if !defined(SM_CLUSTER_THREADS)
#define SM_CLUSTER_THREADS 512 /* of its blocks */
#endif
#if !defined(SM_GRID_THREADS)
#define SM_GRID_THREADS 512 /* of a grid's smallest, and of one alone */
#endif
#if !defined(SM_WIDE_THREADS)
#define SM_WIDE_THREADS 512 /* of its larger ones, of pairs and of 64-bit keys */
#endif
#if !defined(SM_KEYS_THREADS)
#define SM_KEYS_THREADS 1024 /* of its larger ones, of 32-bit keys alone */
#endif
#if !defined(SM_LEAST)
#define SM_LEAST 1024 /* elements a block of a grid, before there is another block */
#endif
#if !defined(SM_FREE)
#define SM_FREE 16 /* a part in so many is left free where a sort of several launches is slower */
#endif

enum { SIZES = 3 }; /* of blocks, by the elements that they hold; a cluster's are of size 0 */

typedef struct sm_plan {
    unsigned part; /* elements that each block gets at first; the last one what is left */
    unsigned size;
    bool cluster; /* else a grid */
} sm_plan;

/* ---- instances ------------------------------------------------------------------------------- */

template <class Key> using kernel_of = void (*)(sm_sort_of<Key>);

/* Calls go(kernel, threads, elements, bytes) for blocks that hold KEYS elements or, where threads
 * would not have as many each, a few more. */
template <class Key, bool FLOAT, bool PAYLOAD, int THREADS, int KEYS,
          template <class, bool, int> class Team, class Go>
static auto with_team(Go &&go)
{
    const int ITEMS = (KEYS + THREADS - 1) / THREADS;
    const kernel_of<Key> kernel = sm_sort_kernel<Key, FLOAT, PAYLOAD, THREADS, ITEMS, Team>;
    const size_t bytes = sm_block<Key, FLOAT, PAYLOAD, THREADS, ITEMS>::BYTES +
                         Team<Key, PAYLOAD, THREADS * ITEMS>::BYTES;
    return go(kernel, (unsigned)THREADS, (unsigned)(THREADS * ITEMS), bytes);
}

/* Of 64-bit keys fewer fit the registers. With payloads that pass through them, larger blocks have
 * fewer threads, which have more registers. */
template <class Key, bool FLOAT, bool PAYLOAD, class Go>
static auto with_size(const sm_plan &plan, Go &&go)
{
    enum {
        LEAST = 4096,
        MOST = sizeof(Key) == 4 ? 16384 : 12288,
        THREADS = PAYLOAD || sizeof(Key) == 8 ? SM_WIDE_THREADS : SM_KEYS_THREADS
    };
    if (plan.cluster)
        return with_team<Key, FLOAT, PAYLOAD, SM_CLUSTER_THREADS, LEAST, sm_cluster>(go);
    if (plan.size == 0) return with_team<Key, FLOAT, PAYLOAD, SM_GRID_THREADS, LEAST, sm_grid>(go);
    if (plan.size == 1) return with_team<Key, FLOAT, PAYLOAD, THREADS, 2 * LEAST, sm_grid>(go);
    return with_team<Key, FLOAT, PAYLOAD, THREADS, MOST, sm_grid>(go);
}

template <class Key, bool FLOAT, class Go>
static auto with_payload(const rs_shape *shape, const sm_plan &plan, Go &&go)
{
    return shape->payload ? with_size<Key, FLOAT, true>(plan, go)
                          : with_size<Key, FLOAT, false>(plan, go);
}

template <class Go> static auto with_plan(const rs_shape *shape, const sm_plan &plan, Go &&go)
{
    if (rs_key_bytes(shape->type) == 8)
        return rs_is_float(shape->type) ? with_payload<unsigned long long, true>(shape, plan, go)
                                        : with_payload<unsigned long long, false>(shape, plan, go);
    return rs_is_float(shape->type) ? with_payload<unsigned, true>(shape, plan, go)
                                    : with_payload<unsigned, false>(shape, plan, go);
}

/* ---- what a device can ----------------------------------------------------------------------- */

/* Blocks that can meet: kernels of Pascal and later can be all on the device together. */
static unsigned blocks_of(const gb_device *device)
{
    const int sms = device->arch >= 600 && device->sms > 0 ? device->sms : 1;
    return sms < SM_MOST_BLOCKS ? (unsigned)sms : (unsigned)SM_MOST_BLOCKS;
}

/* The elements that a block of a plan holds; 0: it does not fit the device. */
static unsigned elements_of(const rs_shape *shape, const sm_plan &plan, const gb_device *device)
{
    return with_plan(shape, plan, [&](auto, unsigned, unsigned elements, size_t bytes) -> unsigned {
        return bytes + sizeof(sm_desk) + 1024 <= device->shared_optin ? elements : 0;
    });
}

uint64_t sm_most(const rs_shape *shape, const gb_device *device)
{
    uint64_t most = 0;
    for (unsigned size = 0; size < SIZES; size++) {
        const uint64_t elements = elements_of(shape, sm_plan{0, size, false}, device);
        if (elements) most = elements * blocks_of(device);
    }
    return most;
}

/* SM_CLUSTER, or the portable size where the device does not hold as many blocks of the kernel that
 * takes most. */
static unsigned most_of_cluster(void)
{
    if (SM_CLUSTER <= GB_PORTABLE_CLUSTER) return SM_CLUSTER;
    const rs_shape widest = {1, RS_F64, 4, false, 0, 64};
    return with_plan(&widest, sm_plan{0, 0, true},
                     [](auto kernel, unsigned threads, unsigned, size_t bytes) {
                         return gb_holds_cluster(kernel, SM_CLUSTER, threads, bytes)
                                    ? (unsigned)SM_CLUSTER
                                    : (unsigned)GB_PORTABLE_CLUSTER;
                     });
}

/* Blocks of a cluster; 0 where there are none, or none that would help. */
static unsigned cluster_of(const rs_shape *shape, const gb_device *device)
{
    const unsigned all = blocks_of(device);
    if (!gb_has_clusters(device) || all == 1) return 0;
    const unsigned most = most_of_cluster();
    const unsigned blocks = all < most ? all : most;
    return elements_of(shape, sm_plan{0, 0, true}, device) ? blocks : 0;
}

/* The smallest blocks that have room for twice what they get at first, if others meet there and
 * there are such blocks. */
static unsigned size_for(const rs_shape *shape, const gb_device *device, unsigned part)
{
    const unsigned wanted = part < shape->n ? 2 * part : part;
    unsigned size = 0;
    while (size + 1 < SIZES && elements_of(shape, sm_plan{0, size, false}, device) < wanted &&
           elements_of(shape, sm_plan{0, size + 1, false}, device))
        size++;
    return size;
}

static unsigned ceil_part(uint64_t n, uint64_t blocks)
{
    return (unsigned)((n + blocks - 1) / blocks);
}

/* n is sm_most at most. */
static sm_plan plan_of(const rs_shape *shape, const gb_device *device)
{
    const uint64_t n = shape->n;
    const unsigned cluster = cluster_of(shape, device);
    /* the compiler may be given others: NOLINTNEXTLINE(misc-redundant-expression) */
    static_assert(SM_CLUSTER <= GB_MOST_CLUSTER && SM_CLUSTER_EACH <= 4096,
                  "a cluster's blocks hold what they get");
    if (n > SM_ALONE && n <= (uint64_t)cluster * SM_CLUSTER_EACH)
        return sm_plan{ceil_part(n, cluster), 0, true};
    uint64_t blocks = n <= SM_ALONE ? 1 : (n + SM_LEAST - 1) / SM_LEAST;
    if (blocks > blocks_of(device)) blocks = blocks_of(device);
    const unsigned part = ceil_part(n, blocks);
    return sm_plan{part, size_for(shape, device, part), false};
}

uint64_t sm_counts_bytes(const rs_shape *shape, const gb_device *device)
{
    if (shape->n == 0) return 0;
    const sm_plan plan = plan_of(shape, device);
    const uint64_t blocks = ceil_part(shape->n, plan.part);
    return blocks == 1 || plan.cluster ? 0 : 2 * blocks * SM_WORDS * 4;
}

bool sm_wins(const rs_shape *shape, const gb_device *device)
{
    if (shape->payload > sizeof(uint32_t)) return false;
    return shape->n <= sm_most(shape, device) / SM_FREE * (SM_FREE - 1);
}

/* ---- the sort -------------------------------------------------------------------------------- */

template <class Key>
static gb_status sort_with(kernel_of<Key> kernel, unsigned threads, size_t bytes,
                           const sm_plan &plan, const rs_shape *shape, const sm_sort_data *data,
                           cudaStream_t stream, gb_error *error)
{
    sm_sort_of<Key> sort;
    sort.keys_in = (const Key *)data->keys_in;
    sort.payload_in = data->payload_in;
    sort.keys_out = (Key *)data->keys_out;
    sort.payload_out = data->payload_out;
    sort.n = (unsigned)shape->n;
    sort.part = plan.part;
    const rs_digit<Key> digit = rs_digit_of<Key>(shape, 0, SM_BITS);
    sort.flip = digit.flip;
    sort.flip_negative = digit.flip_negative;
    const rs_codec codec = rs_codec_of(shape);
    sort.minus_zero = (Key)codec.minus_zero;
    sort.begin_bit = shape->begin_bit;
    sort.end_bit = shape->end_bit;
    sort.only_if = data->only_if;
    sort.meeting = (sm_meeting *)data->cleared;
    sort.counts = (unsigned *)data->counts;
    const dim3 blocks(ceil_part(sort.n, sort.part)), block(threads);
    gb_status status = gb_allow_shared(kernel, bytes, error);
    if (status != GB_OK) return status;
    if (plan.cluster)
        GB_TRY(launch_cluster(kernel, blocks, block, bytes, stream, sort), error);
    else if (blocks.x > 1)
        GB_TRY(launch_together(kernel, blocks, block, bytes, stream, sort), error);
    else
        GB_TRY(launch(kernel, blocks, block, bytes, stream, sort), error);
    return GB_OK;
}

gb_status sm_sort(const rs_shape *shape, const gb_device *device, const sm_sort_data *data,
                  cudaStream_t stream, gb_error *error)
{
    static_assert(sizeof(sm_meeting) <= SM_CLEARED_BYTES, "the meeting is what is cleared");
    if (shape->n == 0) return GB_OK;
    const sm_plan plan = plan_of(shape, device);
    return with_plan(shape, plan, [&](auto kernel, unsigned threads, unsigned, size_t bytes) {
        return sort_with(kernel, threads, bytes, plan, shape, data, stream, error);
    });
}

/* ---- the variant ----------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const rs_shape shape = rs_shape_of(params);
    const uint64_t most = sm_most(&shape, device);
    if (shape.payload > sizeof(uint32_t))
        return "it moves payloads of 4 bytes: onesweep fetches wider ones";
    if (most == 0)
        return gb_reason("its smallest blocks do not fit the %llu bytes of shared memory that this "
                         "device gives a block",
                         (unsigned long long)device->shared_optin);
    if (shape.n <= most) return NULL;
    return gb_reason("%llu keys are not on the chip at once: at most %llu of them are; onesweep "
                     "sorts more",
                     (unsigned long long)shape.n, (unsigned long long)most);
}

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status == GB_OK)
        status = gb_job_malloc(
            job, &job->state, SM_CLEARED_BYTES + sm_counts_bytes(&job->problem->shape, job->device),
            "the sort's scratch");
    if (status != GB_OK) return status;
    GB_TRY(cudaMemset(job->state, 0, SM_CLEARED_BYTES), &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    unsigned char *scratch = static_cast<unsigned char *>(job->state);
    const sm_sort_data data = {
        p->keys_in, p->payload_in, p->keys_out, p->payload_out, scratch, scratch + SM_CLEARED_BYTES,
        NULL};
    return sm_sort(&p->shape, job->device, &data, gb_cuda_stream(stream), &job->error);
}

static void cleanup(gb_job *job)
{
    (void)cudaFree(job->state);
    job->state = NULL;
}

extern "C" const gb_variant rs_small = {
    "small",
    "one launch: parted by the top digit, then sorted on the chip; uneven keys by their digits "
    "from the lowest on",
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
