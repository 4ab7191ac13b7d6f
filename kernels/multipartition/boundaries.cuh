/* The bins' offsets of an output that is already grouped: each bin's start is searched by a warp,
 * 32 probes at a time, so five steps reach the place in 2^25 keys and almost no bytes move; or, of
 * many bins, by four lanes, for probes are sectors, and fewer of them are needed then. */
#ifndef GB_MULTIPARTITION_BOUNDARIES_CUH
#define GB_MULTIPARTITION_BOUNDARIES_CUH

#include "common/cuda/warp.cuh"
#include "kernels/multipartition/dispatch.cuh"

enum { MP_BOUNDARY_THREADS = 128 };

template <int LANES, class Key, class Function>
__global__ void __launch_bounds__(MP_BOUNDARY_THREADS)
    mp_find_boundaries(const Key *__restrict__ keys, uint64_t n, Function function,
                       unsigned long long *offsets)
{
    const unsigned bins = function.data.bins, lane = gb_lane() % LANES;
    const unsigned bin = (blockIdx.x * MP_BOUNDARY_THREADS + threadIdx.x) / LANES;
    uint64_t low = bin >= bins ? n : 0, high = n; /* the first key of a bin >= ours: [low, high] */
    while (__any_sync(GB_FULL_MASK, low < high)) {
        const bool searches = low < high;
        const uint64_t step = (high - low + LANES - 1) / LANES;
        const uint64_t probe = low + lane * step + step - 1;
        const bool reached = searches && (probe >= high || function(keys[probe]) >= bin);
        const unsigned all = __ballot_sync(GB_FULL_MASK, reached);
        const unsigned lanes = all >> (gb_lane() - lane) & (~0u >> (GB_WARP - LANES));
        if (!searches) continue;
        if (!lanes) {
            low = high;
            continue;
        }
        const unsigned first = __ffs(lanes) - 1;
        const uint64_t at = low + first * step;
        low = at < high ? at : high;
        if (at + step - 1 < high) high = at + step - 1;
    }
    if (lane == 0 && bin <= bins) offsets[bin] = low;
}

template <int LANES, class Key, class Function>
static cudaError_t mp_queue_boundaries_by(const Key *keys, uint64_t n, Function function,
                                          uint64_t *offsets, cudaStream_t stream)
{
    const unsigned each = MP_BOUNDARY_THREADS / LANES, bins = function.data.bins;
    return launch(mp_find_boundaries<LANES, Key, Function>, dim3((bins + each) / each),
                  dim3(MP_BOUNDARY_THREADS), 0, stream, keys, n, function,
                  (unsigned long long *)offsets);
}

/* Queues the search: offsets (bins + 1 of them) of n grouped keys. */
template <class Key, class Function>
static cudaError_t mp_queue_boundaries(const Key *keys, uint64_t n, Function function,
                                       uint64_t *offsets, cudaStream_t stream)
{
    enum { MANY = 2048 }; /* that fill the GPU */
    return function.data.bins > MANY
               ? mp_queue_boundaries_by<4>(keys, n, function, offsets, stream)
               : mp_queue_boundaries_by<GB_WARP>(keys, n, function, offsets, stream);
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
