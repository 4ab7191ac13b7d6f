/* Block-level multisplit (Ashkiani et al. 2017):
 * up to 256 bins; a warp counts ceil(m / 32) bins a lane, a block merges its warps' histograms and
 * reorders its tile in shared memory, so that runs are a block's tile long, not a warp's.
 *
 * Least bytes: as warp-level; the matrix has a column a block only. */
#ifndef GB_MULTIPARTITION_MULTISPLIT_BLOCK_CUH
#define GB_MULTIPARTITION_MULTISPLIT_BLOCK_CUH

#include "kernels/multipartition/multisplit/multisplit.cuh"

enum {
    MS_THREADS = 256,
    MS_ITEMS = 16, /* keys a thread: windows of 32 that a warp takes */
    MS_TILE = MS_THREADS * MS_ITEMS,
    MS_BLOCK_WARPS = MS_THREADS / GB_WARP
};

/* Prescan. A lane keeps the counts of the bins lane, lane + 32, ... in registers: the ballots of
 * the low five bits select the lane's bins, those of the high bits tell them apart. */
template <class Function, class Position, int BITS>
__global__ void __launch_bounds__(MS_THREADS, 4)
    ms_block_prescan(const uint32_t *__restrict__ keys, uint64_t n, Function function,
                     uint64_t columns, Position *__restrict__ cells)
{
    enum { ROWS = 1 << (BITS - 5) }; /* bins a lane */
    __shared__ unsigned histogram[1 << BITS];
    const unsigned lane = gb_lane(), bins = function.data.bins;
    const uint64_t base = (uint64_t)blockIdx.x * MS_TILE;
    const unsigned first = threadIdx.x / GB_WARP * (GB_WARP * MS_ITEMS) + lane;
    const unsigned tile_keys = n - base < MS_TILE ? (unsigned)(n - base) : (unsigned)MS_TILE;
    keys += base;

    for (unsigned bin = threadIdx.x; bin < (1u << BITS); bin += MS_THREADS)
        histogram[bin] = 0;
    uint32_t key[MS_ITEMS];
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++)
        key[i] = first + i * GB_WARP < tile_keys ? keys[first + i * GB_WARP] : 0;
    unsigned count[ROWS] = {0};
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++) {
        const gb_ballots<BITS> ballots =
            gb_ballot_bits<BITS>(function(key[i]), first + i * GB_WARP < tile_keys);
        /* the lanes with one of the lane's bins, then which of them */
        const unsigned column = gb_lanes_with<0, 5>(ballots, lane, ballots.valid);
#pragma unroll
        for (int row = 0; row < ROWS; row++)
            count[row] += __popc(gb_lanes_with<5, BITS>(ballots, row * GB_WARP, column));
    }
    __syncthreads();
#pragma unroll
    for (int row = 0; row < ROWS; row++)
        atomicAdd(&histogram[row * GB_WARP + lane], count[row]);
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < bins; bin += MS_THREADS)
        cells[bin * columns + blockIdx.x] = histogram[bin];
}

/* Postscan. keys_out may be NULL: then only the payload is written (the labels of a last pass are
 * not wanted). offsets may be NULL. */
template <class Function, class Position, int BITS, bool PAYLOAD>
__global__ void __launch_bounds__(MS_THREADS, 4)
    ms_block_postscan(const uint32_t *__restrict__ keys_in, const uint32_t *__restrict__ payload_in,
                      uint64_t n, Function function, uint64_t columns,
                      const Position *__restrict__ cells, uint32_t *__restrict__ keys_out,
                      uint32_t *__restrict__ payload_out, unsigned long long *__restrict__ offsets)
{
    __shared__ uint32_t tile[MS_TILE];
    __shared__ unsigned running[MS_BLOCK_WARPS]
                               [1 << BITS]; /* then: the warp's places in the tile */
    __shared__ Position to[1 << BITS];      /* output index minus tile index */
    __shared__ unsigned sums[GB_WARP + 1];
    const unsigned lane = gb_lane(), warp = threadIdx.x / GB_WARP, bins = function.data.bins;
    const uint64_t base = (uint64_t)blockIdx.x * MS_TILE;
    const unsigned first = warp * (GB_WARP * MS_ITEMS) + lane;
    const unsigned tile_keys = n - base < MS_TILE ? (unsigned)(n - base) : (unsigned)MS_TILE;

    keys_in += base;
    if (PAYLOAD) payload_in += base;

    uint32_t key[MS_ITEMS];
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++)
        key[i] = first + i * GB_WARP < tile_keys ? keys_in[first + i * GB_WARP] : 0;
    for (unsigned bin = lane; bin < (1u << BITS); bin += GB_WARP)
        running[warp][bin] = 0;
    __syncwarp();
    /* 1. ranks within the warp's keys, window by window */
    unsigned place[MS_ITEMS]; /* rank << 8 | bin */
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++) {
        const bool ok = first + i * GB_WARP < tile_keys;
        const unsigned bin = function(key[i]);
        place[i] = gb_warp_rank<BITS>(bin, ok, running[warp]) << 8 | bin;
    }
    __syncthreads();
    /* 2. the places of (bin, warp) in the tile: a thread a bin */
    unsigned total = 0, all;
    if (threadIdx.x < (1u << BITS)) {
#pragma unroll
        for (int w = 0; w < MS_BLOCK_WARPS; w++) {
            const unsigned own = running[w][threadIdx.x];
            running[w][threadIdx.x] = total;
            total += own;
        }
    }
    const unsigned start = gb_block_exclusive_sum<MS_THREADS>(total, sums, &all);
    if (threadIdx.x < bins) {
        const Position global = cells[threadIdx.x * columns + blockIdx.x];
        to[threadIdx.x] = global - start;
        if (offsets && blockIdx.x == 0) offsets[threadIdx.x] = global;
    }
    if (offsets && blockIdx.x == 0 && threadIdx.x == 0) offsets[bins] = n;
    if (threadIdx.x < (1u << BITS)) {
#pragma unroll
        for (int w = 0; w < MS_BLOCK_WARPS; w++)
            running[w][threadIdx.x] += start;
    }
    __syncthreads();
    /* 3. reorder, 4. write: neighbouring threads write neighbouring keys of a bin */
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++) {
        place[i] = running[warp][place[i] & 255] + (place[i] >> 8);
        if (first + i * GB_WARP < tile_keys) tile[place[i]] = key[i];
    }
    __syncthreads();
    Position out[MS_ITEMS];
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++) {
        const unsigned at = i * MS_THREADS + threadIdx.x;
        if (at >= tile_keys) continue;
        const uint32_t mine = tile[at];
        out[i] = to[function(mine)] + at;
        if (!PAYLOAD || keys_out) keys_out[out[i]] = mine;
    }
    if (!PAYLOAD) return;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++)
        if (first + i * GB_WARP < tile_keys) tile[place[i]] = payload_in[first + i * GB_WARP];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < MS_ITEMS; i++) {
        const unsigned at = i * MS_THREADS + threadIdx.x;
        if (at < tile_keys) payload_out[out[i]] = tile[at];
    }
}

/* What one stable pass reads and writes: n keys, and a payload if the pointers are not NULL. */
typedef struct ms_arrays {
    const uint32_t *keys_in, *payload_in;
    uint32_t *keys_out, *payload_out;
    unsigned long long *offsets;
} ms_arrays;

template <int BITS, class Function, class Position>
static gb_status ms_block_pass_bits(const ms_arrays *arrays, uint64_t n, const ms_matrix *matrix,
                                    Function function, Position, cudaStream_t stream,
                                    gb_error *error)
{
    const dim3 grid((unsigned)matrix->columns), block(MS_THREADS);
    Position *cells = static_cast<Position *>(matrix->cells);
    GB_TRY(launch(ms_block_prescan<Function, Position, BITS>, grid, block, 0, stream,
                  arrays->keys_in, n, function, matrix->columns, cells),
           error);
    GB_TRY(gb_scan_exclusive(cells, matrix->columns * function.data.bins, matrix->scan, stream),
           error);
    auto kernel = arrays->payload_in ? ms_block_postscan<Function, Position, BITS, true>
                                     : ms_block_postscan<Function, Position, BITS, false>;
    GB_TRY(launch(kernel, grid, block, 0, stream, arrays->keys_in, arrays->payload_in, n, function,
                  matrix->columns, cells, arrays->keys_out, arrays->payload_out, arrays->offsets),
           error);
    return GB_OK;
}

/* Queues one stable pass by a function of at most 256 bins. */
template <class Function, class Position>
static gb_status ms_block_pass(const ms_arrays *arrays, uint64_t n, const ms_matrix *matrix,
                               Function function, Position position, cudaStream_t stream,
                               gb_error *error)
{
    const unsigned bits = ms_bits(function.data.bins);
    auto pass = bits <= 5   ? ms_block_pass_bits<5, Function, Position>
                : bits == 6 ? ms_block_pass_bits<6, Function, Position>
                : bits == 7 ? ms_block_pass_bits<7, Function, Position>
                            : ms_block_pass_bits<8, Function, Position>;
    return pass(arrays, n, matrix, function, position, stream, error);
}

#endif
