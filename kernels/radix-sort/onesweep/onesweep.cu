/* Variant onesweep: the launches, and which tile a device and a size get. */
#include "kernels/radix-sort/onesweep/gather.cuh"
#include "kernels/radix-sort/onesweep/onesweep.cuh"
#include "kernels/radix-sort/onesweep/onesweep.h"
#include "kernels/radix-sort/passes.cuh"
#include "kernels/radix-sort/small/small.h"

#include <math.h>
#include <stdlib.h>

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Calls go(kernel, threads, items, resident, bytes) for one tile shape; so many blocks can be
 * resident on a multiprocessor, if its shared memory allows. */
template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS, int BLOCKS, int DIGIT,
          class Go>
static gb_status with_tile(Go &&go)
{
    return go(os_pass<Key, PAYLOAD, Position, THREADS, ITEMS, BLOCKS, DIGIT>, THREADS, ITEMS,
              BLOCKS, (size_t)os_tile<Key, PAYLOAD, Position, THREADS, ITEMS>::BYTES);
}

/* Whether the blocks of a shape have room on a multiprocessor, and each may have as much. */
template <class Key, bool PAYLOAD, class Position, int THREADS, int ITEMS, int BLOCKS>
static bool has_room(const gb_device *device)
{
    const uint64_t bytes = os_tile<Key, PAYLOAD, Position, THREADS, ITEMS>::BYTES;
    return bytes <= device->shared_optin && BLOCKS * (bytes + 2048) <= device->shared_per_sm;
}

/* 32-bit keys alone. A small input wants many small tiles, so that all multiprocessors have work.
 */
template <class Position, int DIGIT, class Go>
static gb_status with_keys32(const rs_shape *shape, const gb_device *device, Go &&go)
{
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    if (shape->n <= sms * 3 * 256 * 20)
        return with_tile<unsigned, false, Position, 256, 16, 3, DIGIT>(go);
    return with_tile<unsigned, false, Position, 256, 32, 3, DIGIT>(go);
}

template <class Position, int DIGIT, class Go>
static gb_status with_pairs32(const rs_shape *shape, const gb_device *device, Go &&go)
{
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    /* with more, the digits of floats do not fit their registers */
    constexpr int items = DIGIT & OS_EQUAL_ZEROS ? 22 : 26;
    if (shape->n > sms * 3 * 256 * 20 && has_room<unsigned, true, Position, 448, items, 2>(device))
        return with_tile<unsigned, true, Position, 448, items, 2, DIGIT>(go);
    return with_tile<unsigned, true, Position, 256, 16, 2, DIGIT>(go);
}

/* Threads, keys a thread and blocks a multiprocessor for 64-bit keys where there are many, alone
 * and with payload. */
#if !defined(OS_LONG_KEYS_THREADS)
#define OS_LONG_KEYS_THREADS 384
#define OS_LONG_KEYS_ITEMS 16
#define OS_LONG_KEYS_BLOCKS 3
#endif
#if !defined(OS_LONG_PAIRS_THREADS)
#define OS_LONG_PAIRS_THREADS 512
#define OS_LONG_PAIRS_ITEMS 12
#define OS_LONG_PAIRS_BLOCKS 2
#endif
#define OS_LONG_KEYS_TILE OS_LONG_KEYS_THREADS, OS_LONG_KEYS_ITEMS, OS_LONG_KEYS_BLOCKS
#define OS_LONG_PAIRS_TILE OS_LONG_PAIRS_THREADS, OS_LONG_PAIRS_ITEMS, OS_LONG_PAIRS_BLOCKS

template <class Position, int DIGIT, class Go>
static gb_status with_keys64(const rs_shape *shape, const gb_device *device, Go &&go)
{
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    const bool many = shape->n > sms * 3 * 256 * 20;
    if (!shape->payload) {
        if (many && has_room<unsigned long long, false, Position, OS_LONG_KEYS_TILE>(device))
            return with_tile<unsigned long long, false, Position, OS_LONG_KEYS_TILE, DIGIT>(go);
        return with_tile<unsigned long long, false, Position, 256, 16, 3, DIGIT>(go);
    }
    if (many && has_room<unsigned long long, true, Position, OS_LONG_PAIRS_TILE>(device))
        return with_tile<unsigned long long, true, Position, OS_LONG_PAIRS_TILE, DIGIT>(go);
    return with_tile<unsigned long long, true, Position, 256, 12, 3, DIGIT>(go);
}

template <class Position, int DIGIT, class Go>
static gb_status with_shape(const rs_shape *shape, const gb_device *device, Go &&go)
{
    if (rs_key_bytes(shape->type) == 8) return with_keys64<Position, DIGIT>(shape, device, go);
    return shape->payload ? with_pairs32<Position, DIGIT>(shape, device, go)
                          : with_keys32<Position, DIGIT>(shape, device, go);
}

/* Counts of 30 bits share a word with their state; digits that are the key's bytes, and those of
 * floats, have code of their own: of ZEROS OS_EQUAL_ZEROS or 0. */
template <int ZEROS, class Go>
static gb_status with_kernel(const rs_shape *shape, const gb_device *device, Go &&go)
{
    const bool bytes = shape->begin_bit % 8 == 0 && shape->end_bit % 8 == 0;
    if (shape->n >= (uint64_t)1 << 30)
        return with_shape<unsigned long long, ZEROS>(shape, device, go);
    return bytes ? with_shape<unsigned, ZEROS | OS_AS_BYTE>(shape, device, go)
                 : with_shape<unsigned, ZEROS>(shape, device, go);
}

/* ---- scratch --------------------------------------------------------------------------------- */

typedef struct layout {
    size_t position; /* bytes of a count */
    uint64_t tiles;
    uint64_t counts, small, begins, words, keys, payload, bytes; /* offsets; the plan is at 0 */
} layout;

static layout lay_out(const rs_shape *shape, uint64_t tile)
{
    layout l;
    const uint64_t line = OS_DIGITS;
    l.position = shape->n >= (uint64_t)1 << 30 ? 8 : 4;
    l.tiles = (shape->n + tile - 1) / tile;
    rs_scratch scratch = {NULL, 0};
    rs_lay_out(&scratch, sizeof(os_plan));
    /* what sorts of any size expect to be 0 and leave so lies at the same place for all of them */
    l.counts = rs_lay_out(&scratch, OS_MAX_PASSES * line * 8);
    l.small = rs_lay_out(&scratch, SM_CLEARED_BYTES);
    l.begins = rs_lay_out(&scratch, OS_MAX_PASSES * line * l.position);
    l.words = rs_lay_out(&scratch, 2 * l.tiles * line * l.position);
    l.keys = rs_lay_out(&scratch, shape->n * rs_key_bytes(shape->type) + 16);
    l.payload = rs_lay_out(&scratch, shape->payload ? shape->n * 4 + 16 : 0);
    l.bytes = scratch.bytes;
    return l;
}

uint64_t os_scratch_bytes(const rs_shape *shape, const gb_device *device)
{
    if (shape->payload > sizeof(uint32_t)) { /* the sorted indexes lie behind the sort's */
        const rs_shape narrow = os_with_indexes(shape);
        return os_scratch_bytes(&narrow, device) + shape->n * sizeof(uint32_t) + 16;
    }
    /* fewer elements can have smaller tiles: room for the words of the smallest */
    return lay_out(shape, 256 * 12).bytes;
}

uint64_t os_cleared_bytes(const rs_shape *shape)
{
    return lay_out(shape, 1 << 20).begins;
}

gb_status os_open_scratch(gb_job *job, void **scratch)
{
    const rs_shape *shape = &job->problem->shape;
    gb_status status =
        gb_job_malloc(job, scratch, os_scratch_bytes(shape, job->device), "the sort's scratch");
    if (status != GB_OK) return status;
    GB_TRY(cudaMemset(*scratch, 0, os_cleared_bytes(shape)), &job->error);
    return GB_OK;
}

/* ---- the sort -------------------------------------------------------------------------------- */

uint64_t os_shortened_from = (uint64_t)1 << 22;

/* Whether digits may be left out: of long keys, where there are more bits than are needed to part
 * the keys. */
static bool may_leave_out(const rs_shape *shape)
{
    if (rs_key_bytes(shape->type) < 8 || shape->n < os_shortened_from) return false;
    return (double)(shape->end_bit - shape->begin_bit) - OS_BITS >= log2((double)shape->n);
}

/* Copies of the counters, as a power of two: as many as a block has room for, and no more than pay
 * for clearing and adding them up. */
static unsigned log_copies_for(const gb_device *device, uint64_t n, uint64_t counters)
{
    unsigned log_copies = n < (uint64_t)4 << 20 ? 3 : 5;
    while (log_copies > 0 && counters << log_copies > device->shared_optin)
        log_copies--;
    return log_copies;
}

template <class Key, class Position>
static gb_status count(const rs_shape *shape, const gb_device *device, const layout *l,
                       const Key *keys, unsigned char *scratch, const unsigned *only_if,
                       cudaStream_t stream, gb_error *error)
{
    const unsigned passes = rs_passes(shape, OS_BITS);
    const size_t counters = sizeof(Key) * OS_DIGITS * 4; /* bytes; a digit is a byte */
    const unsigned log_copies = log_copies_for(device, shape->n, counters);
    const size_t bytes = counters << log_copies;
    auto kernel = os_count<Key, Position>;
    gb_status status = gb_allow_shared(kernel, bytes, error);
    if (status != GB_OK) return status;
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    uint64_t blocks = sms * (2 * bytes <= device->shared_per_sm ? 2 : 1);
    const uint64_t most = shape->n / (OS_COUNT_THREADS * 4) + 1;
    if (blocks > most) blocks = most;
    GB_TRY(launch(kernel, dim3((unsigned)blocks), dim3(OS_COUNT_THREADS), bytes, stream, keys,
                  shape->n, rs_codec_of(shape), shape->begin_bit, shape->end_bit, passes,
                  log_copies, may_leave_out(shape), only_if, (Position *)(scratch + l->counts),
                  (Position *)(scratch + l->begins), (os_plan *)scratch,
                  (Position *)(scratch + l->words), l->tiles * OS_DIGITS),
           error);
    return GB_OK;
}

/* Blocks that draw tiles, as many as are resident at once; or one a tile. */
static uint64_t blocks_for(const rs_shape *shape, const gb_device *device, uint64_t tiles,
                           unsigned resident, size_t shared)
{
    if (!os_draws(rs_key_bytes(shape->type), shape->payload)) return tiles;
    const uint64_t sms = device->sms > 0 ? (uint64_t)device->sms : 1;
    const uint64_t fit = device->shared_per_sm / (shared + 1024);
    const uint64_t blocks = sms * (fit > resident ? resident : fit > 0 ? fit : 1);
    return tiles < blocks ? tiles : blocks;
}

/* os_pass of any tile shape. */
template <class Key, class Position>
using os_kernel = void (*)(os_buffers<Key>, uint64_t, rs_codec, unsigned, unsigned, unsigned,
                           unsigned, const unsigned *, const Position *, os_plan *, Position *,
                           unsigned);

/* What the launches of a sort share. */
template <class Key, class Position> struct sorting {
    const rs_shape *shape;
    const gb_device *device;
    const os_sort_data *data;
    os_buffers<Key> buffers;
    layout parts;
    cudaStream_t stream;
    gb_error *error;
};

/* All passes, of which the plan says which are needed. */
template <class Key, class Position>
static gb_status move(const sorting<Key, Position> *s, os_kernel<Key, Position> kernel,
                      unsigned threads, unsigned resident, size_t shared, const unsigned *only_if)
{
    const rs_shape *shape = s->shape;
    unsigned char *scratch = (unsigned char *)s->data->scratch;
    const unsigned passes = rs_passes(shape, OS_BITS);
    const uint64_t blocks = blocks_for(shape, s->device, s->parts.tiles, resident, shared);
    for (unsigned pass = 0; pass < passes; pass++)
        GB_TRY(launch(kernel, dim3((unsigned)blocks), dim3(threads), shared, s->stream, s->buffers,
                      shape->n, rs_codec_of(shape), shape->begin_bit, shape->end_bit, pass, passes,
                      only_if, (const Position *)(scratch + s->parts.begins), (os_plan *)scratch,
                      (Position *)(scratch + s->parts.words), (unsigned)s->parts.tiles),
               s->error);
    return GB_OK;
}

/* Where a run was too long to be mended: the plan of a sort by all digits, from the input. The
 * words of the pass that would have come next are clear, so its ordinal goes on. One thread. */
static __global__ void os_plan_again(unsigned passes, os_plan *plan)
{
    if (!plan->again) return;
    for (unsigned p = 0; p < passes; p++)
        plan->ticket[p] = 0;
    os_plan_steps(passes, plan->varying, plan->active, plan);
}

/* What is left to do where digits were left out. */
static gb_status mend(const rs_shape *shape, const os_sort_data *data, cudaStream_t stream,
                      gb_error *error)
{
    const uint64_t blocks = (shape->n + OS_MEND_KEYS - 1) / OS_MEND_KEYS;
    os_plan *plan = (os_plan *)data->scratch;
    GB_TRY(launch(shape->payload ? os_mend<true> : os_mend<false>, dim3((unsigned)blocks),
                  dim3(OS_MEND_THREADS), 0, stream, (unsigned long long *)data->keys_out,
                  data->payload_out, shape->n, rs_codec_of(shape), shape->begin_bit, shape->end_bit,
                  data->only_if, plan),
           error);
    GB_TRY(launch(os_plan_again, dim3(1), dim3(1), 0, stream, rs_passes(shape, OS_BITS), plan),
           error);
    return GB_OK;
}

template <class Key, class Position>
static gb_status sort_with(os_kernel<Key, Position> kernel, unsigned threads, unsigned items,
                           unsigned resident, size_t shared, const rs_shape *shape,
                           const gb_device *device, const os_sort_data *data, cudaStream_t stream,
                           gb_error *error)
{
    const layout l = lay_out(shape, (uint64_t)threads * items);
    unsigned char *scratch = (unsigned char *)data->scratch;
    os_buffers<Key> buffers;
    buffers.keys_in = (Key *)data->keys_in; /* never written */
    buffers.keys_scratch = (Key *)(scratch + l.keys);
    buffers.keys_out = (Key *)data->keys_out;
    buffers.payload_in = (uint32_t *)data->payload_in;
    buffers.payload_scratch = shape->payload ? (uint32_t *)(scratch + l.payload) : NULL;
    buffers.payload_out = data->payload_out;
    const sorting<Key, Position> s = {shape, device, data, buffers, l, stream, error};
    gb_status status = count<Key, Position>(shape, device, &l, buffers.keys_in, scratch,
                                            data->only_if, stream, error);
    if (status == GB_OK) status = gb_allow_shared(kernel, shared, error);
    if (status == GB_OK) status = move(&s, kernel, threads, resident, shared, data->only_if);
    if (status != GB_OK || !may_leave_out(shape)) return status;
    status = mend(shape, data, stream, error);
    if (status != GB_OK) return status;
    return move(&s, kernel, threads, resident, shared, &((const os_plan *)scratch)->again);
}

/* Keys, with indexes or other payloads of 32 bits or without. */
static gb_status sort_narrow(const rs_shape *shape, const gb_device *device,
                             const os_sort_data *data, cudaStream_t stream, gb_error *error)
{
    auto go = [&](auto kernel, int threads, int items, int resident, size_t shared) {
        return sort_with(kernel, threads, items, resident, shared, shape, device, data, stream,
                         error);
    };
    return rs_is_float(shape->type) ? with_kernel<OS_EQUAL_ZEROS>(shape, device, go)
                                    : with_kernel<0>(shape, device, go);
}

/* A wide payload: indexes that sort, os_sort or os_sweep, has sorted with the keys, and one gather.
 */
static gb_status sort_wide(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                           cudaStream_t stream, gb_error *error, decltype(os_sort) *sort)
{
    const rs_shape narrow = os_with_indexes(shape);
    uint32_t *indexes = reinterpret_cast<uint32_t *>(static_cast<unsigned char *>(data->scratch) +
                                                     os_scratch_bytes(&narrow, device));
    return os_sort_by_index(shape, data, indexes, stream, error,
                            [&](const rs_shape *with, const os_sort_data *numbered) {
                                return sort(with, device, numbered, stream, error);
                            });
}

/* Whether there are such elements. */
static gb_status check_shape(const rs_shape *shape, gb_error *error)
{
    const unsigned payload = shape->payload;
    if (payload != 0 && payload != 4 && payload != 8 && payload != 16)
        return gb_fail(error, GB_UNSUPPORTED, "a payload of %u bytes: it may have 0, 4, 8 or 16",
                       payload);
    if (payload && shape->n > (uint64_t)1 << 32)
        return gb_fail(error, GB_UNSUPPORTED, "%llu elements with a payload: at most 2^32 have one",
                       (unsigned long long)shape->n);
    return GB_OK;
}

gb_status os_sweep(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                   cudaStream_t stream, gb_error *error)
{
    const gb_status status = check_shape(shape, error);
    if (status != GB_OK || shape->n == 0) return status;
    return shape->payload > sizeof(uint32_t)
               ? sort_wide(shape, device, data, stream, error, os_sweep)
               : sort_narrow(shape, device, data, stream, error);
}

gb_status os_sort(const rs_shape *shape, const gb_device *device, const os_sort_data *data,
                  cudaStream_t stream, gb_error *error)
{
    const gb_status status = check_shape(shape, error);
    if (status != GB_OK || shape->n == 0) return status;
    if (shape->payload > sizeof(uint32_t))
        return sort_wide(shape, device, data, stream, error, os_sort);
    const layout l = lay_out(shape, 1 << 20);
    unsigned char *scratch = (unsigned char *)data->scratch;
    /* its counts lie where keys would */
    const uint64_t room = shape->n * rs_key_bytes(shape->type);
    if (!sm_wins(shape, device) || sm_counts_bytes(shape, device) > room)
        return sort_narrow(shape, device, data, stream, error);
    const sm_sort_data small = {data->keys_in,     data->payload_in,  data->keys_out,
                                data->payload_out, scratch + l.small, scratch + l.keys,
                                data->only_if};
    return sm_sort(shape, device, &small, stream, error);
}

/* ---- the variant ----------------------------------------------------------------------------- */

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    return os_open_scratch(job, &job->state);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const os_sort_data data = {p->keys_in,     p->payload_in, p->keys_out,
                               p->payload_out, job->state,    NULL};
    return os_sort(&p->shape, job->device, &data, gb_cuda_stream(stream), &job->error);
}

static void cleanup(gb_job *job)
{
    (void)cudaFree(job->state);
    job->state = NULL;
}

extern "C" const gb_variant rs_onesweep = {
    "onesweep",
    "8 bits a pass, all digits counted in one read, tiles placed by looking back",
    "gpubench, after Adinets and Merrill 2022",
    GB_STABLE,
    NULL,
    prepare,
    NULL,
    run,
    cleanup,
    "it is written from the description: tiles, how they follow each other in a block, and "
    "leaving out digits that are all the same are ours",
    NULL,
};
