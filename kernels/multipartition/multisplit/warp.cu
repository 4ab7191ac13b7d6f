/* Warp-level multisplit (Ashkiani et al. 2017): up to 32 bins, each lane
 * keeps the count of one bin in a register, and a warp reorders its own tile in shared memory.
 *
 * Least bytes: 4 (prescan) + 4 + 4 (postscan) a key, and 4 a matrix cell written, scanned, read. */
#include "kernels/multipartition/multisplit/multisplit.cuh"

enum {
    MS_WARP_THREADS = 256,
    MS_WARP_ITEMS = 16, /* windows of 32 keys that a warp takes */
    MS_WARP_TILE = MS_WARP_ITEMS * GB_WARP,
    MS_WARPS = MS_WARP_THREADS / GB_WARP
};

/* Prescan: the lane's bin is counted by the population of its ballot mask. */
template <class Function, class Position, int BITS>
__global__ void __launch_bounds__(MS_WARP_THREADS)
    ms_warp_prescan(const uint32_t *__restrict__ keys, uint64_t n, Function function,
                    uint64_t columns, Position *__restrict__ cells)
{
    const unsigned lane = gb_lane();
    const uint64_t column = (uint64_t)blockIdx.x * MS_WARPS + threadIdx.x / GB_WARP;
    if (column >= columns) return;
    const uint64_t first = column * MS_WARP_TILE + lane;
    uint32_t key[MS_WARP_ITEMS];
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++)
        key[i] = first + i * GB_WARP < n ? keys[first + i * GB_WARP] : 0;
    unsigned count = 0;
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++) {
        const gb_ballots<BITS> ballots =
            gb_ballot_bits<BITS>(function(key[i]), first + i * GB_WARP < n);
        count += __popc(gb_lanes_with(ballots, lane));
    }
    if (lane < function.data.bins) cells[lane * columns + column] = count;
}

template <class Function, class Position, int BITS, bool PAYLOAD>
__global__ void __launch_bounds__(MS_WARP_THREADS)
    ms_warp_postscan(const uint32_t *__restrict__ keys_in, const uint32_t *__restrict__ payload_in,
                     uint64_t n, Function function, uint64_t columns,
                     const Position *__restrict__ cells, uint32_t *__restrict__ keys_out,
                     uint32_t *__restrict__ payload_out, unsigned long long *__restrict__ offsets)
{
    __shared__ uint32_t tiles[MS_WARPS][MS_WARP_TILE];
    const unsigned lane = gb_lane(), bins = function.data.bins;
    const uint64_t column = (uint64_t)blockIdx.x * MS_WARPS + threadIdx.x / GB_WARP;
    if (column >= columns) return;
    uint32_t *tile = tiles[threadIdx.x / GB_WARP];
    const uint64_t first = column * MS_WARP_TILE + lane;
    const unsigned count = n - column * MS_WARP_TILE < MS_WARP_TILE
                               ? (unsigned)(n - column * MS_WARP_TILE)
                               : (unsigned)MS_WARP_TILE;
    Position to = lane < bins ? cells[lane * columns + column] : 0;
    if (column == 0 && lane < bins) offsets[lane] = to;
    if (column == 0 && lane == 0) offsets[bins] = n;

    uint32_t key[MS_WARP_ITEMS];
    unsigned place[MS_WARP_ITEMS], running = 0;
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++)
        key[i] = first + i * GB_WARP < n ? keys_in[first + i * GB_WARP] : 0;
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++) {
        const unsigned bin = function(key[i]);
        const gb_ballots<BITS> ballots = gb_ballot_bits<BITS>(bin, first + i * GB_WARP < n);
        place[i] = __shfl_sync(GB_FULL_MASK, running, bin) +
                   __popc(gb_lanes_with(ballots, bin) & gb_lanes_below());
        running += __popc(gb_lanes_with(ballots, lane));
    }
    const unsigned start = gb_warp_inclusive_sum(running) - running;
    to -= start; /* output index minus index in the tile */
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++) {
        place[i] += __shfl_sync(GB_FULL_MASK, start, function(key[i]));
        if (first + i * GB_WARP < n) tile[place[i]] = key[i];
    }
    __syncwarp();
    Position out[MS_WARP_ITEMS];
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++) {
        const unsigned at = i * GB_WARP + lane;
        const uint32_t mine = at < count ? tile[at] : 0;
        out[i] = __shfl_sync(GB_FULL_MASK, to, function(mine)) + at;
        if (at < count) keys_out[out[i]] = mine;
    }
    if (!PAYLOAD) return;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++)
        if (first + i * GB_WARP < n) tile[place[i]] = payload_in[first + i * GB_WARP];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < MS_WARP_ITEMS; i++)
        if (i * GB_WARP + lane < count) payload_out[out[i]] = tile[i * GB_WARP + lane];
}

template <int BITS, class Function, class Position>
static gb_status run_bits(gb_problem *problem, const ms_matrix *matrix, Function function, Position,
                          cudaStream_t stream, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    const dim3 grid((unsigned)mp_ceil_div(matrix->columns, MS_WARPS)), block(MS_WARP_THREADS);
    Position *cells = static_cast<Position *>(matrix->cells);
    GB_TRY(launch(ms_warp_prescan<Function, Position, BITS>, grid, block, 0, stream,
                  problem->keys_in, shape->n, function, matrix->columns, cells),
           error);
    GB_TRY(gb_scan_exclusive(cells, matrix->columns * shape->bins, matrix->scan, stream), error);
    auto kernel = shape->payload_bytes ? ms_warp_postscan<Function, Position, BITS, true>
                                       : ms_warp_postscan<Function, Position, BITS, false>;
    GB_TRY(launch(kernel, grid, block, 0, stream, problem->keys_in, problem->payload_in, shape->n,
                  function, matrix->columns, cells, problem->keys_out, problem->payload_out,
                  (unsigned long long *)problem->offsets),
           error);
    return GB_OK;
}

gb_status ms_warp_prepare(gb_job *job)
{
    ms_matrix *matrix = mp_new_state<ms_matrix>(job);
    if (!matrix) return GB_OUT_OF_MEMORY;
    return ms_matrix_open(matrix, job->problem->shape.n, job->problem->shape.bins, MS_WARP_TILE,
                          &job->error);
}

gb_status ms_warp_run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    const ms_matrix *matrix = static_cast<ms_matrix *>(job->state);
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    return mp_with_types(problem, [&](auto function, auto position) {
        const unsigned bits = ms_bits(problem->shape.bins);
        auto run = bits <= 1   ? run_bits<1, decltype(function), decltype(position)>
                   : bits <= 3 ? run_bits<3, decltype(function), decltype(position)>
                               : run_bits<5, decltype(function), decltype(position)>;
        return run(problem, matrix, function, position, stream, &job->error);
    });
}

void ms_matrix_cleanup(gb_job *job)
{
    if (!job->state) return;
    ms_matrix_close(static_cast<ms_matrix *>(job->state));
    free(job->state);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    if (mp_shape_of(params).bins <= MS_WARP_BINS) return mp_narrow_only(params);
    return gb_reason("at most %d bins: each lane of a warp counts one", MS_WARP_BINS);
}

extern "C" const gb_variant mp_multisplit_warp = {
    "multisplit-warp",
    "warp-level multisplit: ballots, a bin a lane, reordering within a warp",
    "Ashkiani et al. 2017",
    GB_STABLE,
    unsupported,
    ms_warp_prepare,
    NULL,
    ms_warp_run,
    ms_matrix_cleanup,
    "it is written from the authors' description, not from their code: tiles, launch and the scan "
    "between both local steps are ours",
    NULL,
};
