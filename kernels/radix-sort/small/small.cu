/* Variant small: which instance a device and a size get, the launch. */
#include "kernels/radix-sort/small/small.h"

#include "kernels/radix-sort/passes.cuh"
#include "kernels/radix-sort/small/small.cuh"

#include <stdlib.h>

enum {
    SM_ALONE = 2048, /* elements that one block sorts without others */
    SM_LEAST = 1024, /* elements a block, before there is another one */
};

/* ---- instances ------------------------------------------------------------------------------- */

template <class Key> using kernel_of = void (*)(sm_sort_of<Key>);

/* Calls go(kernel, elements, bytes) for blocks that hold so many elements. */
template <class Key, bool PAYLOAD, int ITEMS, class Go> static auto with_items(Go &&go)
{
    typedef sm_block<Key, PAYLOAD, ITEMS> block;
    const kernel_of<Key> kernel = sm_sort_kernel<Key, PAYLOAD, ITEMS, sm_grid<Key, PAYLOAD>>;
    return go(kernel, (unsigned)block::KEYS, (size_t)block::BYTES);
}

/* The elements that blocks hold, from the fewest: size 0 to 2. Of 64-bit keys more do not fit the
 * registers. */
enum { SIZES = 3 };
template <class Key, bool PAYLOAD, class Go> static auto with_size(unsigned size, Go &&go)
{
    if (size == 0) return with_items<Key, PAYLOAD, 4>(go);
    if (size == 1) return with_items<Key, PAYLOAD, 8>(go);
    return with_items < Key, PAYLOAD, sizeof(Key) == 4 ? 16 : 12 > (go);
}

template <class Go> static auto with_instance(const rs_shape *shape, unsigned size, Go &&go)
{
    if (shape->type != RS_U64)
        return shape->payload ? with_size<unsigned, true>(size, go)
                              : with_size<unsigned, false>(size, go);
    return shape->payload ? with_size<unsigned long long, true>(size, go)
                          : with_size<unsigned long long, false>(size, go);
}

/* ---- what a device can ----------------------------------------------------------------------- */

/* Blocks that can meet: kernels of Pascal and later can be all on the device together. */
static unsigned blocks_of(const gb_device *device)
{
    const int sms = device->arch >= 600 && device->sms > 0 ? device->sms : 1;
    return sms < SM_MOST_BLOCKS ? (unsigned)sms : (unsigned)SM_MOST_BLOCKS;
}

/* The elements that a block of a size holds; 0: it does not fit the device. */
static unsigned elements_of(const rs_shape *shape, unsigned size, const gb_device *device)
{
    return with_instance(shape, size, [&](auto, unsigned elements, size_t bytes) -> unsigned {
        return bytes + sizeof(sm_desk) + 1024 <= device->shared_optin ? elements : 0;
    });
}

uint64_t sm_most(const rs_shape *shape, const gb_device *device)
{
    uint64_t most = 0;
    for (unsigned size = 0; size < SIZES; size++) {
        const uint64_t elements = elements_of(shape, size, device);
        if (elements) most = elements * blocks_of(device);
    }
    return most;
}

/* How many elements each block gets at first, so that those that have any have enough to do. */
static unsigned part_of(uint64_t n, const gb_device *device)
{
    if (n <= SM_ALONE) return (unsigned)n;
    uint64_t blocks = (n + SM_LEAST - 1) / SM_LEAST;
    if (blocks > blocks_of(device)) blocks = blocks_of(device);
    return (unsigned)((n + blocks - 1) / blocks);
}

/* The smallest blocks that hold what may be theirs: from the top up to SM_MOST_MISMATCH parts, if
 * others meet there, and there are such blocks. */
static unsigned size_for(const rs_shape *shape, const gb_device *device, unsigned part)
{
    const unsigned wanted = part < shape->n ? 2 * part : part;
    unsigned size = 0;
    while (size + 1 < SIZES && elements_of(shape, size, device) < wanted &&
           elements_of(shape, size + 1, device))
        size++;
    return size;
}

uint64_t sm_counts_bytes(const gb_device *device)
{
    return (uint64_t)2 * blocks_of(device) * SM_WORDS * 4;
}

/* ---- the sort -------------------------------------------------------------------------------- */

template <class Key>
static gb_status sort_with(kernel_of<Key> kernel, size_t bytes, unsigned part,
                           const rs_shape *shape, const sm_sort_data *data, cudaStream_t stream,
                           gb_error *error)
{
    sm_sort_of<Key> sort;
    sort.keys_in = (const Key *)data->keys_in;
    sort.payload_in = data->payload_in;
    sort.keys_out = (Key *)data->keys_out;
    sort.payload_out = data->payload_out;
    sort.n = (unsigned)shape->n;
    sort.part = part;
    const rs_digit<Key> digit = rs_digit_of<Key>(shape, 0, SM_BITS);
    sort.flip = digit.flip;
    sort.flip_negative = digit.flip_negative;
    sort.begin_bit = shape->begin_bit;
    sort.end_bit = shape->end_bit;
    sort.only_if = data->only_if;
    sort.meeting = (sm_meeting *)data->cleared;
    sort.counts = (unsigned *)data->counts;
    const dim3 blocks((sort.n + part - 1) / part);
    gb_status status = gb_allow_shared(kernel, bytes, error);
    if (status != GB_OK) return status;
    GB_TRY(launch_together(kernel, blocks, dim3(SM_THREADS), bytes, stream, sort), error);
    return GB_OK;
}

gb_status sm_sort(const rs_shape *shape, const gb_device *device, const sm_sort_data *data,
                  cudaStream_t stream, gb_error *error)
{
    static_assert(sizeof(sm_meeting) <= SM_CLEARED_BYTES, "the meeting is what is cleared");
    if (shape->n == 0) return GB_OK;
    const unsigned part = part_of(shape->n, device);
    return with_instance(shape, size_for(shape, device, part),
                         [&](auto kernel, unsigned, size_t bytes) {
                             return sort_with(kernel, bytes, part, shape, data, stream, error);
                         });
}

/* ---- the variant ----------------------------------------------------------------------------- */

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const rs_shape shape = rs_shape_of(params);
    const uint64_t most = sm_most(&shape, device);
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
        status = gb_job_malloc(job, &job->state, SM_CLEARED_BYTES + sm_counts_bytes(job->device),
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
