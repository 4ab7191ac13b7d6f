/* Multipartition, version "large" (the paper's section 2): each key is categorised and written
 * straight to its place; shared memory serves only the histograms of stage 1, so 48 KiB allow 12288
 * bins. The cursors, one a range and bin, lie in global memory and are drawn from by atomics.
 *
 * Few ranges keep the number of places that are being written to (ranges x bins) small enough for
 * the L2 to merge the 4-byte writes into sectors; so a range is worked on by several blocks. */
#include "kernels/multipartition/paper/buffer_per_warp.cuh"

enum {
    MP_LARGE_THREADS = 256,
    MP_LARGE_ITEMS = 8, /* keys, and so independent atomics, a thread has in flight */
    MP_LARGE_BLOCKS_PER_SM = 4,
    MP_LARGE_STREAMS = 1 << 16 /* places written to at once, at most (2 MiB of sectors) */
};

template <class Function, class Position, bool PAYLOAD>
__global__ void __launch_bounds__(MP_LARGE_THREADS)
    mp_large_kernel(const uint32_t *__restrict__ keys_in, const uint32_t *__restrict__ payload_in,
                    uint64_t n, uint64_t keys_per_range, unsigned parts, Function function,
                    Position *cursors, const unsigned long long *__restrict__ offsets,
                    uint32_t *__restrict__ keys_out, uint32_t *__restrict__ payload_out)
{
    const unsigned bins = function.data.bins, range = blockIdx.x / parts, part = blockIdx.x % parts;
    Position *cursor = cursors + (size_t)range * bins;
    const uint64_t first = range * keys_per_range;
    const uint64_t last = n - first < keys_per_range ? n : first + keys_per_range;
    const uint64_t step = (uint64_t)MP_LARGE_THREADS * MP_LARGE_ITEMS * parts;

    for (uint64_t base = first + (uint64_t)part * MP_LARGE_THREADS * MP_LARGE_ITEMS + threadIdx.x;
         base < last; base += step) {
        uint32_t key[MP_LARGE_ITEMS];
        uint64_t to[MP_LARGE_ITEMS];
#pragma unroll
        for (int i = 0; i < MP_LARGE_ITEMS; i++) {
            const uint64_t at = base + i * MP_LARGE_THREADS;
            key[i] = at < last ? keys_in[at] : 0;
        }
#pragma unroll
        for (int i = 0; i < MP_LARGE_ITEMS; i++) {
            const unsigned bin = function(key[i]);
            if (base + i * MP_LARGE_THREADS < last)
                to[i] = __ldg(&offsets[bin]) + atomicAdd(&cursor[bin], (Position)1);
        }
#pragma unroll
        for (int i = 0; i < MP_LARGE_ITEMS; i++) {
            const uint64_t at = base + i * MP_LARGE_THREADS;
            if (at >= last) continue;
            keys_out[to[i]] = key[i];
            if (PAYLOAD) payload_out[to[i]] = payload_in[at];
        }
    }
}

gb_status mp_large_prepare(gb_job *job)
{
    const mp_shape *shape = &job->problem->shape;
    mp_ranges *cut = mp_new_state<mp_ranges>(job);
    if (!cut) return GB_OUT_OF_MEMORY;
    const uint32_t blocks = job->device->sms * MP_LARGE_BLOCKS_PER_SM;
    uint32_t ranges = MP_LARGE_STREAMS / shape->bins;
    if (ranges > blocks) ranges = blocks;
    if (ranges < 1) ranges = 1;
    return mp_ranges_open(cut, shape->n, shape->bins, ranges, (uint32_t)mp_ceil_div(blocks, ranges),
                          &job->error);
}

gb_status mp_large_run(gb_job *job, gb_stream opaque)
{
    const gb_problem *problem = job->problem;
    const mp_shape *shape = &problem->shape;
    return mp_ranges_run(
        job, opaque, [&](auto function, auto position, const mp_ranges *cut, cudaStream_t stream) {
            using Function = decltype(function);
            using Cursor = decltype(position);
            auto kernel = shape->payload_bytes ? mp_large_kernel<Function, Cursor, true>
                                               : mp_large_kernel<Function, Cursor, false>;
            return gb_cuda_status(
                launch(kernel, dim3(cut->ranges * cut->blocks_per_range), dim3(MP_LARGE_THREADS), 0,
                       stream, problem->keys_in, problem->payload_in, shape->n, cut->keys_per_range,
                       cut->blocks_per_range, function, static_cast<Cursor *>(cut->prefix),
                       (const unsigned long long *)problem->offsets, problem->keys_out,
                       problem->payload_out),
                "large", &job->error);
        });
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const mp_shape shape = mp_shape_of(params);
    const char *narrow = mp_narrow_only(params);
    if (narrow) return narrow;
    const uint32_t most = mp_large_max_bins(device->shared_per_block);
    if (shape.bins <= most) return NULL;
    return gb_reason("at most %u bins: the histogram takes %u bytes a bin of the %u that a block "
                     "has in shared memory",
                     most, (unsigned)MP_LARGE_COUNTER_BYTES, (unsigned)device->shared_per_block);
}

extern "C" const gb_variant mp_large = {
    "large",
    "each key is written straight to its place, drawn from cursors in global memory",
    "Multipartition, section 2, second version",
    0,
    unsupported,
    mp_large_prepare,
    NULL,
    mp_large_run,
    mp_ranges_cleanup,
    "the text has no code: cursors in global memory, few ranges with several blocks each and "
    "eight keys a thread are ours; its bin function is read as floor(x B / (max + 1))",
    NULL,
};
