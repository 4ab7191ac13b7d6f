/* The bins' offsets of an output that is already grouped: each bin's start is searched by one warp,
 * 32 probes at a time, so five steps reach the place in 2^25 keys and almost no bytes move. */
#ifndef GB_MULTIPARTITION_BOUNDARIES_CUH
#define GB_MULTIPARTITION_BOUNDARIES_CUH

#include "common/cuda/warp.cuh"
#include "kernels/multipartition/dispatch.cuh"

enum { MP_BOUNDARY_THREADS = 128 };

template <class Key, class Function>
__global__ void __launch_bounds__(MP_BOUNDARY_THREADS)
    mp_find_boundaries(const Key *__restrict__ keys, uint64_t n, Function function,
                       unsigned long long *offsets)
{
    const unsigned bins = function.data.bins, lane = gb_lane();
    const unsigned bin = (blockIdx.x * MP_BOUNDARY_THREADS + threadIdx.x) / GB_WARP;
    if (bin > bins) return;
    uint64_t low = bin == bins ? n : 0, high = n; /* the first key of a bin >= ours: [low, high] */
    while (low < high) {
        const uint64_t step = (high - low + GB_WARP - 1) / GB_WARP;
        const uint64_t probe = low + lane * step + step - 1;
        const bool reached = probe >= high || function(keys[probe]) >= bin;
        const unsigned lanes = __ballot_sync(GB_FULL_MASK, reached);
        if (!lanes) {
            low = high;
            break;
        }
        const unsigned first = __ffs(lanes) - 1;
        const uint64_t at = low + first * step;
        low = at < high ? at : high;
        if (at + step - 1 < high) high = at + step - 1;
    }
    if (lane == 0) offsets[bin] = low;
}

/* Queues the search: offsets (bins + 1 of them) of n grouped keys. */
template <class Key, class Function>
static cudaError_t mp_queue_boundaries(const Key *keys, uint64_t n, Function function,
                                       uint64_t *offsets, cudaStream_t stream)
{
    const unsigned warps = MP_BOUNDARY_THREADS / GB_WARP, bins = function.data.bins;
    return launch(mp_find_boundaries<Key, Function>, dim3((bins + warps) / warps),
                  dim3(MP_BOUNDARY_THREADS), 0, stream, keys, n, function,
                  (unsigned long long *)offsets);
}

/* The same of a problem's output. */
template <class Key = uint32_t, class Function>
static gb_status mp_write_boundaries(gb_problem *problem, Function function, cudaStream_t stream,
                                     gb_error *error)
{
    return gb_cuda_status(mp_queue_boundaries(reinterpret_cast<const Key *>(problem->keys_out),
                                              problem->shape.n, function, problem->offsets, stream),
                          "bin boundaries", error);
}

#endif
