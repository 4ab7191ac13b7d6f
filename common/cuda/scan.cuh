/* Exclusive prefix sum over device memory in one pass: each tile publishes its sum, then its
 * prefix, and looks back over its predecessors (Merrill, Garland 2016, "Single-pass parallel prefix
 * scan with decoupled look-back"). Value and state share one 64-bit word, so no fence is needed. */
#ifndef GB_CUDA_SCAN_CUH
#define GB_CUDA_SCAN_CUH

#include "common/cuda/warp.cuh"

enum { GB_SCAN_THREADS = 256, GB_SCAN_ITEMS = 16, GB_SCAN_TILE = GB_SCAN_THREADS * GB_SCAN_ITEMS };

/* Bytes of scratch for `count` elements; 8-byte aligned, need not be cleared. */
static inline uint64_t gb_scan_scratch(uint64_t count)
{
    return 8 * ((count + GB_SCAN_TILE - 1) / GB_SCAN_TILE + 1);
}

/* A tile's word holds nothing yet (0), its own sum, or the sum of all up to and including it. */
static const unsigned long long GB_SCAN_SUM = 1ull << 62, GB_SCAN_PREFIX = 2ull << 62,
                                GB_SCAN_STATE = 3ull << 62;

/* The sum of all tiles before `tile`; called by one full warp. */
__device__ __forceinline__ unsigned long long gb_scan_look_back(volatile unsigned long long *state,
                                                                unsigned tile)
{
    unsigned long long sum = 0;
    for (int last = (int)tile - 1;; last -= GB_WARP) {
        const int at = last - (int)gb_lane(); /* lane 0 looks at the nearest */
        unsigned long long word = at < 0 ? GB_SCAN_PREFIX : 0ull;
        while (!__all_sync(GB_FULL_MASK, (word & GB_SCAN_STATE) != 0)) {
            if (at >= 0 && !(word & GB_SCAN_STATE)) word = state[at];
        }
        const unsigned done = __ballot_sync(GB_FULL_MASK, (word & GB_SCAN_STATE) == GB_SCAN_PREFIX);
        const unsigned nearest = done ? __ffs(done) - 1 : GB_WARP - 1;
        sum += gb_warp_sum(gb_lane() <= nearest ? word & ~GB_SCAN_STATE : 0ull);
        if (done) return sum;
    }
}

__device__ __forceinline__ unsigned gb_scan_slot(unsigned at)
{
    return at + at / 32;
}

/* data[0, count) is replaced by its exclusive prefix sum. state[0] is the ticket, the tiles' words
 * follow; all zero at the start. One block of GB_SCAN_THREADS a tile. */
template <class T>
__global__ void __launch_bounds__(GB_SCAN_THREADS)
    gb_scan_tiles(T *data, uint64_t count, unsigned long long *state)
{
    __shared__ T warp_sums[GB_WARP + 1];
    __shared__ unsigned long long shared_before;
    __shared__ unsigned shared_tile;
    /* one spare element in 32, so that lanes 16 elements apart fall into different banks */
    __shared__ T staged[GB_SCAN_TILE + GB_SCAN_TILE / 32];
    /* tickets make sure that a tile's predecessors are running, whatever the order of blocks */
    if (threadIdx.x == 0) shared_tile = (unsigned)atomicAdd(state, 1ull);
    __syncthreads();
    const unsigned tile = shared_tile;
    const uint64_t base = (uint64_t)tile * GB_SCAN_TILE;

#pragma unroll
    for (int i = 0; i < GB_SCAN_ITEMS; i++) {
        const unsigned at = threadIdx.x + i * GB_SCAN_THREADS;
        staged[gb_scan_slot(at)] = base + at < count ? data[base + at] : T(0);
    }
    __syncthreads();
    T item[GB_SCAN_ITEMS], sum = 0, total;
#pragma unroll
    for (int i = 0; i < GB_SCAN_ITEMS; i++) {
        item[i] = staged[gb_scan_slot(threadIdx.x * GB_SCAN_ITEMS + i)];
        sum += item[i];
    }
    T before = gb_block_exclusive_sum<GB_SCAN_THREADS>(sum, warp_sums, &total);
    if (threadIdx.x < GB_WARP) {
        volatile unsigned long long *words = state + 1;
        if (threadIdx.x == 0)
            words[tile] = (tile ? GB_SCAN_SUM : GB_SCAN_PREFIX) | (unsigned long long)total;
        if (tile) {
            const unsigned long long prefix = gb_scan_look_back(words, tile);
            if (threadIdx.x == 0) {
                words[tile] = GB_SCAN_PREFIX | (prefix + total);
                shared_before = prefix;
            }
        } else if (threadIdx.x == 0) {
            shared_before = 0;
        }
    }
    __syncthreads();
    before += (T)shared_before;
#pragma unroll
    for (int i = 0; i < GB_SCAN_ITEMS; i++) {
        staged[gb_scan_slot(threadIdx.x * GB_SCAN_ITEMS + i)] = before;
        before += item[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < GB_SCAN_ITEMS; i++) {
        const unsigned at = threadIdx.x + i * GB_SCAN_THREADS;
        if (base + at < count) data[base + at] = staged[gb_scan_slot(at)];
    }
}

/* Queues the scan of data[0, count) in place; scratch has gb_scan_scratch(count) bytes, all 0. Sums
 * must stay below 2^62. */
template <class T>
static inline cudaError_t gb_scan_exclusive_cleared(T *data, uint64_t count, void *scratch,
                                                    cudaStream_t stream)
{
    if (count == 0) return cudaSuccess;
    const unsigned tiles = (unsigned)((count + GB_SCAN_TILE - 1) / GB_SCAN_TILE);
    return launch(gb_scan_tiles<T>, dim3(tiles), dim3(GB_SCAN_THREADS), 0, stream, data, count,
                  (unsigned long long *)scratch);
}

/* The same with scratch that need not be cleared. */
template <class T>
static inline cudaError_t gb_scan_exclusive(T *data, uint64_t count, void *scratch,
                                            cudaStream_t stream)
{
    if (count == 0) return cudaSuccess;
    cudaError_t code = cudaMemsetAsync(scratch, 0, gb_scan_scratch(count), stream);
    if (code != cudaSuccess) return code;
    return gb_scan_exclusive_cleared(data, count, scratch, stream);
}

#endif
