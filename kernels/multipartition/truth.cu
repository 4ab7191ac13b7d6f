/* What is true of an input whatever computes its partition: how many keys each bin has, and the
 * fingerprint of its elements. Written for simplicity, sharing no code with any variant. */
#include "common/cuda/grid.cuh"
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/problem.h"

#include <stdlib.h>

/* 32-bit counters in the 48 KiB that every block gets. */
enum { MAX_SHARED_BINS = 12288 };

/* A launch counts at most this many keys, so that 32-bit counters cannot overflow. */
static const uint64_t SLICE = (uint64_t)1 << 31;

/* Adds the bins' sizes in keys [begin, begin + count) to counts. A thread adds up runs of equal
 * bins before it touches a counter, so that constant or sorted keys do not queue up at one address;
 * up to MAX_SHARED_BINS bins a block has its own counters (shared_bins = bins, else 0). */
static __global__ void count_bins(mp_shape shape, mp_bin_data bin, const uint32_t *keys,
                                  uint64_t begin, uint64_t count, uint32_t shared_bins,
                                  unsigned long long *counts)
{
    GB_DYNAMIC_SHARED();
    unsigned *local = reinterpret_cast<unsigned *>(gb_shared_memory);
    for (unsigned b = threadIdx.x; b < shared_bins; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    unsigned run_bin = 0, run = 0;
    for (uint64_t i = gb_first();; i += gb_stride()) {
        unsigned b = i < count ? mp_bin_at(&shape, &bin, keys, begin + i) : ~0u;
        if (b != run_bin && run) {
            if (shared_bins)
                atomicAdd(&local[run_bin], run);
            else
                atomicAdd(&counts[run_bin], (unsigned long long)run);
            run = 0;
        }
        if (i >= count) break;
        run_bin = b;
        run++;
    }
    __syncthreads();
    for (unsigned b = threadIdx.x; b < shared_bins; b += blockDim.x)
        if (local[b]) atomicAdd(&counts[b], (unsigned long long)local[b]);
}

static __global__ void fingerprint(mp_shape shape, const uint32_t *keys, const uint32_t *payload,
                                   mp_hash *sums)
{
    __shared__ unsigned long long part[3][GB_GRID_THREADS];
    mp_hash mine = {0, 0, 0};
    for (uint64_t i = gb_first(); i < shape.n; i += gb_stride()) {
        const mp_element element = mp_load_element(&shape, keys, payload, i);
        mp_hash_add(&mine, i, &element);
    }

    part[0][threadIdx.x] = mine.a;
    part[1][threadIdx.x] = mine.b;
    part[2][threadIdx.x] = mine.ordered;
    for (unsigned half = GB_GRID_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            for (int lane = 0; lane < 3; lane++)
                part[lane][threadIdx.x] += part[lane][threadIdx.x + half];
    }
    if (threadIdx.x == 0) {
        atomicAdd(reinterpret_cast<unsigned long long *>(&sums->a), part[0][0]);
        atomicAdd(reinterpret_cast<unsigned long long *>(&sums->b), part[1][0]);
        atomicAdd(reinterpret_cast<unsigned long long *>(&sums->ordered), part[2][0]);
    }
}

gb_status mp_fingerprint(const gb_problem *problem, const uint32_t *keys, const uint32_t *payload,
                         gb_stream stream, mp_hash *hash, gb_error *error)
{
    const mp_checker *checker = (const mp_checker *)problem->checker;
    cudaStream_t queue = gb_cuda_stream(stream);
    GB_TRY(cudaMemsetAsync(checker->sums, 0, sizeof *checker->sums, queue), error);
    GB_TRY(launch(fingerprint, gb_grid(problem->device, problem->shape.n), dim3(GB_GRID_THREADS), 0,
                  queue, problem->shape, keys, payload, checker->sums),
           error);
    GB_TRY(cudaMemcpyAsync(hash, checker->sums, sizeof *hash, cudaMemcpyDeviceToHost, queue),
           error);
    GB_TRY(cudaStreamSynchronize(queue), error);
    return GB_OK;
}

/* Where payloads wrap: input positions are multiples of 2^32 (0 excluded) this often. */
static uint64_t wraps_of(const mp_shape *shape)
{
    return shape->payload_bytes && shape->n ? (shape->n - 1) >> 32 : 0;
}

/* Adds the bins' sizes in keys [begin, end) to the counts in checker->offsets. */
static gb_status count(const gb_problem *problem, uint64_t begin, uint64_t end, gb_error *error)
{
    const mp_checker *checker = (const mp_checker *)problem->checker;
    const mp_shape *shape = &problem->shape;
    const uint32_t shared_bins = shape->bins <= MAX_SHARED_BINS ? shape->bins : 0;
    for (; begin < end; begin += SLICE) {
        uint64_t size = end - begin < SLICE ? end - begin : SLICE;
        GB_TRY(launch(count_bins, gb_grid(problem->device, size), dim3(GB_GRID_THREADS),
                      shared_bins * sizeof(unsigned), 0, *shape, problem->bin, problem->keys_in,
                      begin, size, shared_bins,
                      reinterpret_cast<unsigned long long *>(checker->offsets)),
               error);
    }
    return GB_OK;
}

/* True offsets, on device and host: counted on the device, scanned on the host. wraps: host, a row
 * of bins each, counts on the way and then places. */
static gb_status make_offsets(const gb_problem *problem, uint64_t *wraps, gb_error *error)
{
    const mp_checker *checker = (const mp_checker *)problem->checker;
    const mp_shape *shape = &problem->shape;
    const size_t bytes = ((size_t)shape->bins + 1) * sizeof(uint64_t);
    const size_t row = shape->bins, rows = wraps_of(shape);
    const uint64_t epoch = (uint64_t)1 << 32;
    gb_status status = GB_OK;

    GB_TRY(cudaMemset(checker->offsets, 0, bytes), error);
    for (uint64_t e = 0; e < rows && status == GB_OK; e++) {
        status = count(problem, e * epoch, (e + 1) * epoch, error);
        if (status == GB_OK)
            GB_TRY(cudaMemcpy(wraps + e * row, checker->offsets, row * sizeof *wraps,
                              cudaMemcpyDeviceToHost),
                   error);
    }
    if (status == GB_OK) status = count(problem, rows * epoch, shape->n, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(checker->host_offsets, checker->offsets, bytes, cudaMemcpyDeviceToHost),
           error);
    uint64_t sum = 0;
    for (uint32_t b = 0; b <= shape->bins; b++) {
        uint64_t size = checker->host_offsets[b];
        checker->host_offsets[b] = sum;
        for (size_t e = 0; e < rows && b < shape->bins; e++)
            wraps[e * row + b] += sum;
        sum += size;
    }
    if (checker->host_offsets[shape->bins] != shape->n)
        return gb_fail(error, GB_CRASHED, "counted %llu of %llu keys: the device cannot be trusted",
                       (unsigned long long)checker->host_offsets[shape->bins],
                       (unsigned long long)shape->n);
    GB_TRY(cudaMemcpy(checker->offsets, checker->host_offsets, bytes, cudaMemcpyHostToDevice),
           error);
    if (rows)
        GB_TRY(
            cudaMemcpy(checker->wraps, wraps, rows * row * sizeof *wraps, cudaMemcpyHostToDevice),
            error);
    return GB_OK;
}

/* Whether the device made the keys that the CPU makes. */
static gb_status compare_generators(const gb_problem *problem, gb_error *error)
{
    const mp_checker *checker = (const mp_checker *)problem->checker;
    gb_dist dist;
    mp_hash here = {0, 0, 0};
    if (!gb_dist_of(problem->dist, problem->seed, problem->shape.n, &dist, NULL))
        return gb_fail(error, GB_UNSUPPORTED, "dist '%.40s'", problem->dist);
    for (uint64_t i = 0; i < dist.n; i++) {
        const mp_element element = mp_make_element(&dist, &problem->shape, i);
        mp_hash_add(&here, i, &element);
    }
    if (here.a == checker->input.a && here.b == checker->input.b &&
        here.ordered == checker->input.ordered)
        return GB_OK;
    return gb_fail(error, GB_CRASHED,
                   "the device made other elements for dist %.40s, seed %llu than the CPU does: it "
                   "miscomputes, or was miscompiled for",
                   problem->dist, (unsigned long long)problem->seed);
}

gb_status mp_checker_open(gb_problem *problem, gb_error *error)
{
    mp_checker *checker = (mp_checker *)calloc(1, sizeof *checker);
    const size_t bins = problem->shape.bins;
    if (!checker) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");
    problem->checker = checker;
    checker->host_offsets = (uint64_t *)malloc((bins + 1) * sizeof(uint64_t));
    checker->found = (uint64_t *)malloc((bins + 1) * sizeof(uint64_t));
    if (!checker->host_offsets || !checker->found)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for %llu true offsets",
                       (unsigned long long)bins + 1);
    GB_TRY(cudaMalloc((void **)&checker->offsets, (bins + 1) * sizeof(uint64_t)), error);
    GB_TRY(cudaMalloc((void **)&checker->sums, sizeof *checker->sums), error);
    GB_TRY(cudaMalloc((void **)&checker->first_defect, sizeof *checker->first_defect), error);
    const size_t wrap_bytes = wraps_of(&problem->shape) * bins * sizeof(uint64_t);
    if (wrap_bytes) GB_TRY(cudaMalloc((void **)&checker->wraps, wrap_bytes), error);
    uint64_t *wraps = (uint64_t *)malloc(wrap_bytes + 1);
    if (!wraps) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the checker");

    gb_status status = make_offsets(problem, wraps, error);
    free(wraps);
    if (status == GB_OK)
        status = mp_fingerprint(problem, problem->keys_in, problem->payload_in, NULL,
                                &checker->input, error);
    if (status == GB_OK && problem->shape.n <= MP_EXACT_LIMIT) {
        status = compare_generators(problem, error);
        if (status == GB_OK && problem->shape.function == MP_MAX)
            status = mp_check_max(problem, error);
    }
    return status;
}

void mp_checker_close(gb_problem *problem)
{
    mp_checker *checker = (mp_checker *)problem->checker;
    if (!checker) return;
    (void)cudaFree(checker->offsets);
    (void)cudaFree(checker->sums);
    (void)cudaFree(checker->first_defect);
    (void)cudaFree(checker->wraps);
    free(checker->host_offsets);
    free(checker->found);
    free(checker);
    problem->checker = NULL;
}
