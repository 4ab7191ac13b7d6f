/* Bodies go to the ranks in whose ranges they lie, in one pass: a block orders a tile by owner in
 * shared memory, takes a place for each owner's run, and writes the runs, wherever the owners'
 * memory lies. The order of tiles is whatever it happens to be. */
#ifndef GB_OCTREE_MULTI_MOVE_CUH
#define GB_OCTREE_MULTI_MOVE_CUH

#include "common/cuda/warp.cuh"
#include "kernels/octree-multi/borders.cuh"

enum {
    OM_MOVE_THREADS = 512,
    OM_MOVE_ITEMS = 8,
    OM_MOVE_TILE = OM_MOVE_THREADS * OM_MOVE_ITEMS,
    OM_MOVE_BYTES = OM_MOVE_TILE * (16 + 1), /* of shared memory */
    OM_MOVE_BLOCKS = 2                       /* of a multiprocessor */
};

/* Adds to a number to which other GPUs add as well. */
static __device__ __forceinline__ unsigned om_add_among_all(unsigned *at, unsigned value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
    return atomicAdd_system(at, value);
#else
    return atomicAdd(at, value);
#endif
}

/* The codes of the borders, in a block's shared memory; all threads. A barrier must follow. */
static __device__ __forceinline__ void om_load_borders(const om_bounds *bounds, unsigned ranks,
                                                       om_code *border)
{
    for (unsigned k = threadIdx.x; k < ranks; k += blockDim.x)
        border[k] = k ? om_border(bounds[k]) : 0;
}

/* In whose range a code lies. */
static __device__ __forceinline__ unsigned om_owner(const om_code *border, unsigned ranks,
                                                    om_code code)
{
    unsigned low = 0, high = ranks - 1; /* the last border that is not behind it */
    while (low < high) {
        const unsigned middle = high - (high - low) / 2;
        if (border[middle] <= code)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Counts the lanes by owner; gives a lane's rank among all that were counted. By a full warp;
 * count: of the block, in shared memory. */
template <int BITS>
static __device__ __forceinline__ unsigned om_count_lanes(unsigned owner, bool ok, unsigned *count)
{
    const unsigned peers = gb_lanes_with(gb_ballot_bits<BITS>(owner, ok), owner);
    const unsigned rank = (unsigned)__popc(peers & gb_lanes_below());
    unsigned before = 0;
    if (ok && rank == 0) before = atomicAdd(&count[owner], (unsigned)__popc(peers));
    const int leader = peers ? __ffs((int)peers) - 1 : 0;
    return __shfl_sync(GB_FULL_MASK, before, leader) + rank;
}

/* BITS: of a rank's number. bodies[0, n) are read; of owner r no more than room are written. */
template <int BITS>
static __global__ void __launch_bounds__(OM_MOVE_THREADS, OM_MOVE_BLOCKS)
    om_move(const float4 *bodies, unsigned n, oc_box box, const om_bounds *bounds, unsigned ranks,
            om_targets targets, unsigned room)
{
    GB_DYNAMIC_SHARED();
    __shared__ om_code border[GB_MOST_RANKS];
    __shared__ unsigned count[GB_MOST_RANKS]; /* bodies of the tile by owner */
    __shared__ unsigned begin[GB_MOST_RANKS]; /* where they begin in the tile */
    __shared__ unsigned to[GB_MOST_RANKS];    /* and at their owner's, less that */
    float4 *staged = reinterpret_cast<float4 *>(gb_shared_memory);
    uint8_t *owner_of = reinterpret_cast<uint8_t *>(staged + OM_MOVE_TILE);
    om_load_borders(bounds, ranks, border);
    for (uint64_t first = (uint64_t)blockIdx.x * OM_MOVE_TILE; first < n;
         first += (uint64_t)gridDim.x * OM_MOVE_TILE) {
        const unsigned valid =
            n - first < OM_MOVE_TILE ? (unsigned)(n - first) : (unsigned)OM_MOVE_TILE;
        float4 body[OM_MOVE_ITEMS];
        unsigned place[OM_MOVE_ITEMS]; /* owner << 16 | rank */
#pragma unroll
        for (int k = 0; k < OM_MOVE_ITEMS; k++) {
            const unsigned i = threadIdx.x + k * OM_MOVE_THREADS;
            body[k] = i < valid ? __ldcs(&bodies[first + i]) : make_float4(0, 0, 0, 0);
        }
        for (unsigned r = threadIdx.x; r < ranks; r += OM_MOVE_THREADS)
            count[r] = 0;
        __syncthreads(); /* and borders are there; what was staged before has been written */
#pragma unroll
        for (int k = 0; k < OM_MOVE_ITEMS; k++) {
            const bool ok = threadIdx.x + k * OM_MOVE_THREADS < valid;
            const unsigned owner = om_owner(border, ranks, om_code_of(box, body[k]));
            place[k] = owner << 16 | om_count_lanes<BITS>(owner, ok, count);
        }
        __syncthreads();
        if (threadIdx.x < ranks) {
            const unsigned mine = count[threadIdx.x];
            unsigned before = 0;
            for (unsigned r = 0; r < threadIdx.x; r++)
                before += count[r];
            begin[threadIdx.x] = before;
            if (mine) to[threadIdx.x] = om_add_among_all(targets.fill[threadIdx.x], mine) - before;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < OM_MOVE_ITEMS; k++) {
            if (threadIdx.x + k * OM_MOVE_THREADS >= valid) break;
            const unsigned owner = place[k] >> 16, at = begin[owner] + (place[k] & 0xFFFFu);
            staged[at] = body[k];
            owner_of[at] = (uint8_t)owner;
        }
        __syncthreads();
        for (unsigned i = threadIdx.x; i < valid; i += OM_MOVE_THREADS) {
            const unsigned owner = owner_of[i], at = to[owner] + i;
            if (at < room) targets.bodies[owner][at] = staged[i];
        }
    }
}

/* counts[r]: how many of the bodies are owner r's, added. */
template <int BITS>
static __global__ void __launch_bounds__(OM_MOVE_THREADS)
    om_count(const float4 *bodies, unsigned n, oc_box box, const om_bounds *bounds, unsigned ranks,
             unsigned *counts)
{
    __shared__ om_code border[GB_MOST_RANKS];
    __shared__ unsigned count[GB_MOST_RANKS];
    om_load_borders(bounds, ranks, border);
    for (unsigned r = threadIdx.x; r < ranks; r += OM_MOVE_THREADS)
        count[r] = 0;
    __syncthreads();
    for (uint64_t first = (uint64_t)blockIdx.x * OM_MOVE_TILE; first < n;
         first += (uint64_t)gridDim.x * OM_MOVE_TILE) {
        float4 body[OM_MOVE_ITEMS];
#pragma unroll
        for (int k = 0; k < OM_MOVE_ITEMS; k++) {
            const uint64_t i = first + threadIdx.x + k * OM_MOVE_THREADS;
            body[k] = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
        }
#pragma unroll
        for (int k = 0; k < OM_MOVE_ITEMS; k++) {
            const uint64_t i = first + threadIdx.x + k * OM_MOVE_THREADS;
            (void)om_count_lanes<BITS>(om_owner(border, ranks, om_code_of(box, body[k])), i < n,
                                       count);
        }
    }
    __syncthreads();
    for (unsigned r = threadIdx.x; r < ranks; r += OM_MOVE_THREADS)
        if (count[r]) atomicAdd(&counts[r], count[r]);
}

/* Where each owner's begin, of how many each has; one block of GB_MOST_RANKS threads. */
static __global__ void om_begin(const unsigned *counts, unsigned ranks, unsigned *begin)
{
    unsigned before = 0;
    if (threadIdx.x >= ranks) return;
    for (unsigned r = 0; r < threadIdx.x; r++)
        before += counts[r];
    begin[threadIdx.x] = before;
}

#endif
