/* A stable pass by a digit of BITS bits in the three classic steps: the histogram of every tile,
 * the exclusive scan of the digits x tiles matrix (common/cuda/scan.cuh), and the scatter, which
 * ranks by ballots and reorders a tile in shared memory, so that the keys of a digit are written as
 * one run. The technique is GPU multisplit's (Ashkiani, Davidson, Meyer and Owens 2017). */
#ifndef GB_RADIX_SORT_LSD_DIGITS_CUH
#define GB_RADIX_SORT_LSD_DIGITS_CUH

#include "common/cuda/scan.cuh"
#include "kernels/radix-sort/passes.cuh"

enum {
    LSD_THREADS = 512,
    LSD_WARPS = LSD_THREADS / GB_WARP,
    LSD_TILE_BYTES = 32 * 1024 /* the keys that a block takes */
};

template <class Key> struct lsd_tile {
    enum {
        KEYS = LSD_TILE_BYTES / sizeof(Key),
        ITEMS = KEYS / LSD_THREADS,
        WARP_KEYS = GB_WARP * ITEMS
    };
};

/* How many keys of the tile that begins at `base` there are. */
template <class Key>
static __device__ __forceinline__ unsigned lsd_tile_keys(uint64_t base, uint64_t n)
{
    return n - base < lsd_tile<Key>::KEYS ? (unsigned)(n - base) : (unsigned)lsd_tile<Key>::KEYS;
}

/* cells[d * columns + t] is how many keys of tile t have digit d. Reads a key. Few digits are
 * counted by ballots, a digit a lane; many by atomics on shared memory, counters for each warp, so
 * that equal keys of different warps do not meet. */
template <class Key, class Position, int BITS>
__global__ void __launch_bounds__(LSD_THREADS)
    lsd_count(const Key *__restrict__ keys, uint64_t n, rs_digit<Key> digit, uint64_t columns,
              Position *__restrict__ cells)
{
    typedef lsd_tile<Key> tile;
    enum { DIGITS = 1 << BITS };
    __shared__ unsigned counts[LSD_WARPS][DIGITS];
    const unsigned lane = gb_lane(), warp = threadIdx.x / GB_WARP;
    const uint64_t base = (uint64_t)blockIdx.x * tile::KEYS;
    const unsigned first = warp * tile::WARP_KEYS + lane, left = lsd_tile_keys<Key>(base, n);
    Key key[tile::ITEMS];
    keys += base;
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        key[i] = first + i * GB_WARP < left ? keys[first + i * GB_WARP] : 0;
    if (BITS <= 5) {
        unsigned count = 0;
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            count += __popc(gb_lanes_with(
                gb_ballot_bits<BITS>(digit(key[i]), first + i * GB_WARP < left), lane));
        if (lane < DIGITS) counts[warp][lane] = count;
    } else {
        for (unsigned d = lane; d < DIGITS; d += GB_WARP)
            counts[warp][d] = 0;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < tile::ITEMS; i++)
            if (first + i * GB_WARP < left) atomicAdd(&counts[warp][digit(key[i])], 1u);
    }
    __syncthreads();
    if (threadIdx.x > digit.mask) return;
    Position sum = 0;
#pragma unroll
    for (int w = 0; w < LSD_WARPS; w++)
        sum += counts[w][threadIdx.x];
    cells[threadIdx.x * columns + blockIdx.x] = sum;
}

/* cells[d * columns + t] is where the keys of tile t with digit d begin in the output. Reads an
 * element, writes an element. */
template <class Key, class Position, int BITS, bool PAYLOAD>
__global__ void __launch_bounds__(LSD_THREADS, 2)
    lsd_scatter(const Key *__restrict__ keys_in, const uint32_t *__restrict__ payload_in,
                uint64_t n, rs_digit<Key> digit, uint64_t columns,
                const Position *__restrict__ cells, Key *__restrict__ keys_out,
                uint32_t *__restrict__ payload_out)
{
    typedef lsd_tile<Key> tile;
    enum { DIGITS = 1 << BITS };
    __shared__ Key staged[tile::KEYS]; /* the tile, by digit; then its payload */
    /* how many keys of a digit the warp has met; then where in the tile the warp's begin */
    __shared__ unsigned short running[LSD_WARPS][DIGITS];
    __shared__ Position to[DIGITS]; /* index in the output less index in the tile */
    __shared__ unsigned sums[GB_WARP + 1];
    const unsigned lane = gb_lane(), warp = threadIdx.x / GB_WARP;
    const uint64_t base = (uint64_t)blockIdx.x * tile::KEYS;
    const unsigned first = warp * tile::WARP_KEYS + lane, left = lsd_tile_keys<Key>(base, n);

    Key key[tile::ITEMS];
    keys_in += base;
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        key[i] = first + i * GB_WARP < left ? keys_in[first + i * GB_WARP] : 0;
    for (unsigned d = lane; d < DIGITS; d += GB_WARP)
        running[warp][d] = 0;
    __syncwarp();
    /* 1. ranks within the warp's keys, 32 at a time */
    unsigned place[tile::ITEMS]; /* rank << 8 | digit; then the place in the tile */
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        const unsigned mine = digit(key[i]);
        place[i] = gb_warp_rank<BITS>(mine, first + i * GB_WARP < left, running[warp]) << 8 | mine;
    }
    __syncthreads();
    /* 2. where the keys of (digit, warp) begin in the tile: a thread a digit */
    unsigned total = 0, all;
    if (threadIdx.x < DIGITS) {
#pragma unroll
        for (int w = 0; w < LSD_WARPS; w++)
            total += running[w][threadIdx.x];
    }
    unsigned start = gb_block_exclusive_sum<LSD_THREADS>(total, sums, &all);
    if (threadIdx.x <= digit.mask)
        to[threadIdx.x] = cells[threadIdx.x * columns + blockIdx.x] - start;
    if (threadIdx.x < DIGITS) {
#pragma unroll
        for (int w = 0; w < LSD_WARPS; w++) {
            const unsigned own = running[w][threadIdx.x];
            running[w][threadIdx.x] = (unsigned short)start;
            start += own;
        }
    }
    __syncthreads();
    /* 3. reorder, 4. write: neighbouring threads write neighbouring keys of a digit */
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        place[i] = running[warp][place[i] & 255] + (place[i] >> 8);
        if (first + i * GB_WARP < left) staged[place[i]] = key[i];
    }
    __syncthreads();
    Position out[tile::ITEMS];
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        const unsigned at = i * LSD_THREADS + threadIdx.x;
        if (at >= left) continue;
        const Key mine = staged[at];
        out[i] = to[digit(mine)] + at;
        keys_out[out[i]] = mine;
    }
    if (!PAYLOAD) return;
    __syncthreads();
    payload_in += base;
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++)
        if (first + i * GB_WARP < left) staged[place[i]] = payload_in[first + i * GB_WARP];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < tile::ITEMS; i++) {
        const unsigned at = i * LSD_THREADS + threadIdx.x;
        if (at < left) payload_out[out[i]] = (uint32_t)staged[at];
    }
}

/* ---- the sort -------------------------------------------------------------------------------- */

typedef struct lsd_sort {
    rs_scratch scratch;
    rs_elements spare;
    size_t position_bytes;
    uint64_t columns; /* tiles */
    void *cells;      /* digits x columns positions, row by row */
    void *scan;       /* gb_scan_scratch bytes */
} lsd_sort;

/* Makes the state of a job whose positions have so many bytes (rs_position_bytes or more). */
static inline gb_status lsd_open(gb_job *job, unsigned digit_bits, size_t position_bytes)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    const rs_shape *shape = &job->problem->shape;
    const uint64_t tile_keys = LSD_TILE_BYTES / rs_key_bytes(shape->type);
    lsd_sort *sort = (lsd_sort *)calloc(1, sizeof *sort);
    job->state = sort;
    if (!sort) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    sort->position_bytes = position_bytes;
    sort->columns = (shape->n + tile_keys - 1) / tile_keys;
    const uint64_t cell_count = sort->columns << digit_bits;
    const rs_spare_layout spare =
        rs_lay_out_spare(&sort->scratch, shape, rs_passes(shape, digit_bits));
    const uint64_t cells = rs_lay_out(&sort->scratch, cell_count * position_bytes);
    const uint64_t scan = rs_lay_out(&sort->scratch, gb_scan_scratch(cell_count));
    status = rs_scratch_open(job, &sort->scratch);
    if (status != GB_OK) return status;
    sort->spare = rs_spare_of(&sort->scratch, shape, spare);
    sort->cells = sort->scratch.memory + cells;
    sort->scan = sort->scratch.memory + scan;
    return GB_OK;
}

static inline void lsd_close(gb_job *job)
{
    lsd_sort *sort = static_cast<lsd_sort *>(job->state);
    if (!sort) return;
    (void)cudaFree(sort->scratch.memory);
    free(sort);
    job->state = NULL;
}

/* Queues one pass. */
template <int BITS, class Key, class Position>
static gb_status lsd_pass(gb_job *job, rs_digit<Key> digit, Position, const rs_elements *source,
                          const rs_elements *target, cudaStream_t stream)
{
    const lsd_sort *sort = static_cast<const lsd_sort *>(job->state);
    const uint64_t n = job->problem->shape.n;
    const dim3 grid((unsigned)sort->columns), block(LSD_THREADS);
    const Key *keys = static_cast<const Key *>(source->keys);
    Position *cells = static_cast<Position *>(sort->cells);
    auto scatter = source->payload ? lsd_scatter<Key, Position, BITS, true>
                                   : lsd_scatter<Key, Position, BITS, false>;
    GB_TRY(launch(lsd_count<Key, Position, BITS>, grid, block, 0, stream, keys, n, digit,
                  sort->columns, cells),
           &job->error);
    GB_TRY(gb_scan_exclusive(cells, sort->columns * (digit.mask + 1), sort->scan, stream),
           &job->error);
    GB_TRY(launch(scatter, grid, block, 0, stream, keys, source->payload, n, digit, sort->columns,
                  cells, static_cast<Key *>(target->keys), target->payload),
           &job->error);
    return GB_OK;
}

template <int BITS> static gb_status lsd_run(gb_job *job, gb_stream stream)
{
    const lsd_sort *sort = static_cast<const lsd_sort *>(job->state);
    return rs_queue_passes(
        job->problem, &sort->spare, BITS, sort->position_bytes,
        [&](auto digit, auto position, const rs_elements *source, const rs_elements *target) {
            return lsd_pass<BITS>(job, digit, position, source, target, gb_cuda_stream(stream));
        });
}

#endif
