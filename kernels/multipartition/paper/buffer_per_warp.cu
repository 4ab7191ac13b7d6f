/* Multipartition, version "buffer-per-warp" (the paper's section 2): every bin has a buffer of 32
 * keys in shared memory; when one is full, a whole warp writes it out coalesced.
 *
 * A block owns a range of the input and goes through it in rounds. In a round each thread draws a
 * ticket from the bin's counter for each of its keys; tickets below 32 are places in the buffer,
 * higher ones wait until the buffer has been written out, which takes 32 off every ticket.
 *
 * A buffer's first write stops at the next multiple of 32 keys (its first places count as taken
 * from the start), so that all later writes are whole aligned lines.
 *
 * Least bytes: 4 (count) + 4 (read) + 4 (write) a key, twice the last two with payload. */
#include "kernels/multipartition/paper/buffer_per_warp.cuh"

/* A counter word: keys in the buffer (with the dead first places) below, dead places above. */
enum { MP_DEAD_SHIFT = 24, MP_FILL_MASK = (1 << MP_DEAD_SHIFT) - 1 };

/* Instead of a key's place: it lies in its buffer, or there is no key. */
#define MP_PLACED 0xffffffffu

struct mp_buffers {
    uint32_t *keys;    /* bins x 32 */
    uint32_t *payload; /* bins x 32, or unused */
    unsigned *fill;    /* the counter words */
    unsigned *line;    /* where the buffer goes: output index / 32 */
};

/* A warp writes one buffer: the places [dead, end) of it. */
template <bool PAYLOAD>
__device__ __forceinline__ void mp_write_buffer(const mp_buffers &buffers, unsigned bin,
                                                unsigned dead, unsigned end, uint32_t *keys_out,
                                                uint32_t *payload_out)
{
    const unsigned lane = gb_lane();
    if (lane < dead || lane >= end) return;
    const uint64_t to = (uint64_t)buffers.line[bin] * MP_BUFFER + lane;
    keys_out[to] = buffers.keys[bin * MP_BUFFER + lane];
    if (PAYLOAD) payload_out[to] = buffers.payload[bin * MP_BUFFER + lane];
}

/* Draws a key's ticket from its bin's counter: bin << 16 | ticket, both below 2^16. */
__device__ __forceinline__ unsigned mp_draw_ticket(const mp_buffers &buffers, unsigned bin)
{
    return bin << 16 | (atomicAdd(&buffers.fill[bin], 1u) & MP_FILL_MASK);
}

/* Writes out the full buffers. Each warp looks after `share` neighbouring bins. */
template <bool PAYLOAD>
__device__ __forceinline__ void mp_write_full(const mp_buffers &buffers, unsigned bins,
                                              unsigned share, uint32_t *keys_out,
                                              uint32_t *payload_out)
{
    const unsigned lane = gb_lane(), first = threadIdx.x / GB_WARP * share;
    const unsigned end = first + share < bins ? first + share : bins;
    for (unsigned base = first; base < end; base += GB_WARP) {
        const unsigned own = base + lane;
        const unsigned word = own < end ? buffers.fill[own] : 0;
        unsigned full = __ballot_sync(GB_FULL_MASK, (word & MP_FILL_MASK) >= MP_BUFFER);
        while (full) {
            const int from = __ffs(full) - 1;
            full &= full - 1;
            const unsigned dead = __shfl_sync(GB_FULL_MASK, word, from) >> MP_DEAD_SHIFT;
            mp_write_buffer<PAYLOAD>(buffers, base + from, dead, MP_BUFFER, keys_out, payload_out);
        }
        __syncwarp();
        if ((word & MP_FILL_MASK) >= MP_BUFFER) {
            buffers.fill[own] = (word & MP_FILL_MASK) - MP_BUFFER;
            buffers.line[own]++;
        }
    }
}

template <class Function, class Position, bool PAYLOAD>
__global__ void __launch_bounds__(MP_BPW_THREADS, MP_BPW_BLOCKS_PER_SM)
    mp_buffer_kernel(const uint32_t *__restrict__ keys_in, const uint32_t *__restrict__ payload_in,
                     uint64_t n, uint64_t keys_per_range, Function function,
                     const Position *__restrict__ prefix,
                     const unsigned long long *__restrict__ offsets,
                     uint32_t *__restrict__ keys_out, uint32_t *__restrict__ payload_out)
{
    GB_DYNAMIC_SHARED();
    enum { ITEMS = PAYLOAD ? MP_BPW_ITEMS / 2 : MP_BPW_ITEMS };
    const unsigned bins = function.data.bins;
    mp_buffers buffers;
    buffers.keys = reinterpret_cast<uint32_t *>(gb_shared_memory);
    buffers.payload = buffers.keys + bins * MP_BUFFER;
    buffers.fill =
        reinterpret_cast<unsigned *>(buffers.keys + bins * MP_BUFFER * (PAYLOAD ? 2 : 1));
    buffers.line = buffers.fill + bins;

    for (unsigned bin = threadIdx.x; bin < bins; bin += MP_BPW_THREADS) {
        const uint64_t start = offsets[bin] + prefix[(size_t)blockIdx.x * bins + bin];
        const unsigned dead = start % MP_BUFFER;
        buffers.fill[bin] = dead << MP_DEAD_SHIFT | dead;
        buffers.line[bin] = (unsigned)(start / MP_BUFFER);
    }
    const unsigned share = (bins + MP_BPW_THREADS / GB_WARP - 1) / (MP_BPW_THREADS / GB_WARP);
    const uint64_t first = blockIdx.x * keys_per_range;
    const unsigned count = (unsigned)(n - first < keys_per_range ? n - first : keys_per_range);
    keys_in += first;
    if (PAYLOAD) payload_in += first;

    /* the next round's keys are loaded before this round's are placed */
    uint32_t next[ITEMS], next_payload[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned at = threadIdx.x + i * MP_BPW_THREADS;
        next[i] = at < count ? keys_in[at] : 0;
        if (PAYLOAD) next_payload[i] = at < count ? payload_in[at] : 0;
    }
    __syncthreads();
    for (unsigned round = 0; round < count; round += MP_BPW_THREADS * ITEMS) {
        uint32_t key[ITEMS], payload[ITEMS];
        unsigned place[ITEMS];
        /* whole rounds, all but a range's last two, need no look at the range's end */
        if (round + 2 * MP_BPW_THREADS * ITEMS <= count) {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                const unsigned ahead = round + threadIdx.x + (ITEMS + i) * MP_BPW_THREADS;
                key[i] = next[i];
                next[i] = keys_in[ahead];
                if (PAYLOAD) {
                    payload[i] = next_payload[i];
                    next_payload[i] = payload_in[ahead];
                }
                place[i] = mp_draw_ticket(buffers, function(key[i]));
            }
        } else {
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                const unsigned at = round + threadIdx.x + i * MP_BPW_THREADS;
                const unsigned ahead = at + ITEMS * MP_BPW_THREADS;
                key[i] = next[i];
                next[i] = ahead < count ? keys_in[ahead] : 0;
                if (PAYLOAD) {
                    payload[i] = next_payload[i];
                    next_payload[i] = ahead < count ? payload_in[ahead] : 0;
                }
                place[i] = at < count ? mp_draw_ticket(buffers, function(key[i])) : MP_PLACED;
            }
        }
        bool waiting;
        do {
            waiting = false;
#pragma unroll
            for (int i = 0; i < ITEMS; i++) {
                const unsigned ticket = place[i] & 0xffffu;
                if (ticket < MP_BUFFER) {
                    const unsigned slot = (place[i] >> 16) * MP_BUFFER + ticket;
                    buffers.keys[slot] = key[i];
                    if (PAYLOAD) buffers.payload[slot] = payload[i];
                    place[i] = MP_PLACED;
                } else if (place[i] != MP_PLACED) {
                    place[i] -= MP_BUFFER;
                    waiting = true;
                }
            }
            waiting = __syncthreads_or(waiting);
            mp_write_full<PAYLOAD>(buffers, bins, share, keys_out, payload_out);
            __syncthreads();
        } while (waiting);
    }
    for (unsigned bin = threadIdx.x / GB_WARP; bin < bins; bin += MP_BPW_THREADS / GB_WARP) {
        const unsigned word = buffers.fill[bin];
        mp_write_buffer<PAYLOAD>(buffers, bin, word >> MP_DEAD_SHIFT, word & MP_FILL_MASK, keys_out,
                                 payload_out);
    }
}

/* The kernel for a point. */
template <class Function, class Position> static auto kernel_for(const mp_shape *shape)
{
    return shape->payload_bytes ? mp_buffer_kernel<Function, Position, true>
                                : mp_buffer_kernel<Function, Position, false>;
}

gb_status mp_bpw_prepare(gb_job *job)
{
    const gb_problem *problem = job->problem;
    const mp_shape *shape = &problem->shape;
    mp_ranges *cut = mp_new_state<mp_ranges>(job);
    if (!cut) return GB_OUT_OF_MEMORY;
    /* one resident wave of blocks, each with one range: the fewer the ranges, the fewer buffers
       are written half empty at their ends */
    int per_sm = 1;
    gb_status status = mp_with_types(problem, [&](auto function, auto position) {
        return gb_cuda_status(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &per_sm, kernel_for<decltype(function), decltype(position)>(shape), MP_BPW_THREADS,
                shape->bins * mp_bpw_bytes_per_bin(shape->payload_bytes)),
            "occupancy", &job->error);
    });
    if (status != GB_OK) return status;
    if (per_sm > MP_BPW_BLOCKS_PER_SM) per_sm = MP_BPW_BLOCKS_PER_SM;
    if (per_sm < 1) per_sm = 1;
    uint64_t ranges = (uint64_t)job->device->sms * per_sm;
    const uint64_t most = mp_ceil_div(shape->n, MP_BPW_LEAST_KEYS);
    if (ranges > most) ranges = most ? most : 1;
    status = mp_ranges_open(cut, shape->n, shape->bins, (uint32_t)ranges, 1, &job->error);
    if (status == GB_OK && cut->keys_per_range > UINT32_MAX / 2)
        return gb_fail(&job->error, GB_UNSUPPORTED, "ranges of more than 2^31 keys");
    return status;
}

gb_status mp_bpw_run(gb_job *job, gb_stream opaque)
{
    const gb_problem *problem = job->problem;
    const mp_shape *shape = &problem->shape;
    return mp_ranges_run(
        job, opaque, [&](auto function, auto position, const mp_ranges *cut, cudaStream_t stream) {
            using Function = decltype(function);
            using Position = decltype(position);
            return gb_cuda_status(launch(kernel_for<Function, Position>(shape), dim3(cut->ranges),
                                         dim3(MP_BPW_THREADS),
                                         shape->bins * mp_bpw_bytes_per_bin(shape->payload_bytes),
                                         stream, problem->keys_in, problem->payload_in, shape->n,
                                         cut->keys_per_range, function,
                                         static_cast<const Position *>(cut->prefix),
                                         (const unsigned long long *)problem->offsets,
                                         problem->keys_out, problem->payload_out),
                                  "buffer-per-warp", &job->error);
        });
}

void mp_ranges_cleanup(gb_job *job)
{
    if (!job->state) return;
    mp_ranges_close(static_cast<mp_ranges *>(job->state));
    free(job->state);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const mp_shape shape = mp_shape_of(params);
    const char *narrow = mp_narrow_only(params);
    if (narrow) return narrow;
    const uint32_t most = mp_bpw_max_bins(device->shared_per_block, shape.payload_bytes);
    if (shape.bins <= most) return NULL;
    return gb_reason("at most %u bins: each takes %u bytes of the %u that a block has in shared "
                     "memory",
                     most, (unsigned)mp_bpw_bytes_per_bin(shape.payload_bytes),
                     (unsigned)device->shared_per_block);
}

extern "C" const gb_variant mp_buffer_per_warp = {
    "buffer-per-warp",
    "a buffer of 32 keys a bin in shared memory, written out by a whole warp when full",
    "Multipartition, section 2, first version",
    0,
    unsupported,
    mp_bpw_prepare,
    NULL,
    mp_bpw_run,
    mp_ranges_cleanup,
    "the text has no code: launch, rounds after which full buffers are written, first writes that "
    "end at a whole line, and keys read a round ahead are ours; its bin function is read as "
    "floor(x B / (max + 1))",
    NULL,
};
