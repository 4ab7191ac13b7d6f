/* Stage 1 of Multipartition: the input is cut into ranges; each gets a histogram by bin, all
 * together a global one; exclusive scans turn them into places in the output.
 *
 * After mp_count_ranges, prefix[range * bins + bin] is the number of the bin's keys in earlier
 * ranges and offsets[bin] the bin's start, so that the range's first key of the bin goes to
 * offsets[bin] + prefix[range * bins + bin].
 *
 * Bytes: the keys are read once (4n); the tables are ranges x bins entries, written, scanned and
 * read again: 0.4 MB at 361 bins and 264 ranges, noise beside the keys. */
#ifndef GB_MULTIPARTITION_RANGES_CUH
#define GB_MULTIPARTITION_RANGES_CUH

#include "kernels/multipartition/counts.cuh"
#include "kernels/multipartition/dispatch.cuh"

enum {
    MP_COUNT_THREADS = 512,
    MP_SCAN_BINS = 32, /* bins a block of mp_scan_ranges takes, one a lane */
    MP_SCAN_ROWS = 32  /* threads that share a bin's ranges */
};

typedef struct mp_ranges {
    uint32_t ranges;
    uint32_t blocks_per_range; /* blocks that count one range together */
    uint64_t keys_per_range;   /* mp_part_keys: whole lines */
    void *prefix;              /* ranges x bins positions */
    unsigned *done;            /* blocks of the scan that have finished; 0 between runs */
} mp_ranges;

/* Calls visit(index, key) for every key of [first, last): aligned 16-byte loads, four in flight, by
 * all threads of the block (block-strided by `part` of `parts`). first is a multiple of 4. */
template <class Visit>
__device__ __forceinline__ void mp_for_keys(const uint32_t *keys, uint64_t first, uint64_t last,
                                            unsigned part, unsigned parts, Visit visit)
{
    const uint4 *vectors = reinterpret_cast<const uint4 *>(keys + first);
    const uint64_t count = (last - first) / 4, step = (uint64_t)blockDim.x * parts;
    uint64_t i = (uint64_t)part * blockDim.x + threadIdx.x;
    for (; i + 3 * step < count; i += 4 * step) {
        uint4 four[4];
#pragma unroll
        for (int j = 0; j < 4; j++)
            four[j] = vectors[i + j * step];
#pragma unroll
        for (int j = 0; j < 4; j++) {
            visit(four[j].x);
            visit(four[j].y);
            visit(four[j].z);
            visit(four[j].w);
        }
    }
    for (; i < count; i += step) {
        const uint4 four = vectors[i];
        visit(four.x);
        visit(four.y);
        visit(four.z);
        visit(four.w);
    }
    const uint64_t rest = first + 4 * count + threadIdx.x;
    if (part == 0 && rest < last) visit(keys[rest]);
}

/* Local histograms. Block b counts part b % parts of range b / parts; `copies` (a power of two)
 * counters a bin lie side by side, a lane's own at lane % copies, so that equal keys in a warp do
 * not queue for one counter. Shared memory: bins * copies * 4 bytes. */
template <class Function, class Position>
__global__ void __launch_bounds__(MP_COUNT_THREADS)
    mp_count(const uint32_t *__restrict__ keys, uint64_t n, uint64_t keys_per_range, unsigned parts,
             unsigned copies, Function function, Position *__restrict__ prefix)
{
    GB_DYNAMIC_SHARED();
    unsigned *counters = reinterpret_cast<unsigned *>(gb_shared_memory);
    const unsigned bins = function.data.bins, mine = threadIdx.x & (copies - 1);
    const unsigned range = blockIdx.x / parts, part = blockIdx.x % parts;

    mp_clear_counters<MP_COUNT_THREADS>(counters, copies, bins);
    const uint64_t first = (uint64_t)range * keys_per_range;
    const uint64_t last = n - first < keys_per_range ? n : first + keys_per_range;
    mp_for_keys(keys, first, last, part, parts,
                [&](uint32_t key) { atomicAdd(&counters[function(key) * copies + mine], 1u); });
    __syncthreads();
    Position *row = prefix + (size_t)range * bins;
    for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) {
        const unsigned sum = mp_sum_copies(counters, copies, bin);
        if (parts == 1)
            row[bin] = sum;
        else if (sum)
            atomicAdd(&row[bin], (Position)sum);
    }
}

/* The histograms' scans: each bin's counts along the ranges (in place), then, by the block that
 * finishes last, the global histogram along the bins. Block: 32 bins x 32 shares of the ranges. */
template <class Position>
__global__ void __launch_bounds__(MP_SCAN_BINS *MP_SCAN_ROWS)
    mp_scan_ranges(Position *__restrict__ prefix, unsigned ranges, unsigned bins,
                   unsigned long long *totals, unsigned *done)
{
    __shared__ Position share_sum[MP_SCAN_ROWS][MP_SCAN_BINS + 1];
    const unsigned lane = threadIdx.x % MP_SCAN_BINS, share = threadIdx.x / MP_SCAN_BINS;
    const unsigned bin = blockIdx.x * MP_SCAN_BINS + lane;
    const unsigned rows = (ranges + MP_SCAN_ROWS - 1) / MP_SCAN_ROWS;
    const unsigned first = share * rows < ranges ? share * rows : ranges;
    const unsigned end = first + rows < ranges ? first + rows : ranges;

    Position sum = 0;
    if (bin < bins) {
#pragma unroll 4
        for (unsigned r = first; r < end; r++)
            sum += prefix[(size_t)r * bins + bin];
    }
    share_sum[share][lane] = sum;
    __syncthreads();
    /* warp w scans bin w's shares across its lanes */
    {
        const Position value = share_sum[lane][share];
        const Position inclusive = gb_warp_inclusive_sum(value);
        share_sum[lane][share] = inclusive - value;
        const unsigned scanned_bin = blockIdx.x * MP_SCAN_BINS + share;
        if (lane == GB_WARP - 1 && scanned_bin < bins) totals[scanned_bin] = inclusive;
    }
    __syncthreads();
    if (bin < bins) {
        Position before = share_sum[share][lane];
#pragma unroll 4
        for (unsigned r = first; r < end; r++) {
            Position *cell = &prefix[(size_t)r * bins + bin];
            const Position count = *cell;
            *cell = before;
            before += count;
        }
    }
    if (!gb_is_last_block(done)) return;
    mp_scan_bins<MP_SCAN_BINS * MP_SCAN_ROWS>(totals, bins);
    if (threadIdx.x == 0) *done = 0;
}

/* Bytes of the tables for so many ranges. */
static inline size_t mp_ranges_bytes(uint64_t n, uint32_t ranges, uint32_t bins)
{
    return (size_t)ranges * bins * (n <= UINT32_MAX ? 4 : 8) + 16;
}

/* Cuts n keys into at most `wanted` ranges, each of whole tiles, and allocates the tables. */
static inline gb_status mp_ranges_open(mp_ranges *cut, uint64_t n, uint32_t bins, uint32_t wanted,
                                       uint32_t blocks_per_range, gb_error *error)
{
    cut->keys_per_range = mp_part_keys(n ? n : 1, wanted);
    cut->ranges = (uint32_t)mp_ceil_div(n ? n : 1, cut->keys_per_range);
    cut->blocks_per_range = blocks_per_range;
    unsigned char *memory;
    const size_t bytes = mp_ranges_bytes(n, cut->ranges, bins);
    GB_TRY(cudaMalloc((void **)&memory, bytes), error);
    cut->done = reinterpret_cast<unsigned *>(memory);
    cut->prefix = memory + 16;
    GB_TRY(cudaMemset(cut->done, 0, 16), error);
    return GB_OK;
}

static inline void mp_ranges_close(mp_ranges *cut)
{
    if (cut->done) cudaFree(cut->done);
    cut->done = NULL;
}

/* Queues stage 1: fills cut->prefix and problem->offsets. */
template <class Function, class Position>
static gb_status mp_count_ranges(const gb_problem *problem, const mp_ranges *cut, Function function,
                                 Position, cudaStream_t stream, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    const unsigned copies = mp_copies_for(shape->bins, problem->device->shared_per_block);
    Position *prefix = static_cast<Position *>(cut->prefix);
    if (cut->blocks_per_range > 1)
        GB_TRY(cudaMemsetAsync(prefix, 0, sizeof(Position) * cut->ranges * shape->bins, stream),
               error);
    GB_TRY(launch(mp_count<Function, Position>, dim3(cut->ranges * cut->blocks_per_range),
                  dim3(MP_COUNT_THREADS), (size_t)shape->bins * copies * 4, stream,
                  problem->keys_in, shape->n, cut->keys_per_range, cut->blocks_per_range, copies,
                  function, prefix),
           error);
    GB_TRY(launch(mp_scan_ranges<Position>, dim3((shape->bins + MP_SCAN_BINS - 1) / MP_SCAN_BINS),
                  dim3(MP_SCAN_BINS * MP_SCAN_ROWS), 0, stream, prefix, cut->ranges, shape->bins,
                  (unsigned long long *)problem->offsets, cut->done),
           error);
    return GB_OK;
}

/* Both stages of a job whose state is an mp_ranges: counts, then calls
 * scatter(function, position, cut, stream), which queues the second stage. */
template <class Scatter>
static gb_status mp_ranges_run(gb_job *job, gb_stream opaque, Scatter &&scatter)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    const mp_ranges *cut = static_cast<mp_ranges *>(job->state);
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    return mp_with_types(problem, [&](auto function, auto position) {
        const gb_status status =
            mp_count_ranges(problem, cut, function, position, stream, &job->error);
        return status == GB_OK ? scatter(function, position, cut, stream) : status;
    });
}

#endif
