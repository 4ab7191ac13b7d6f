/* A point's data: made on the device from the seed, copied to the host, where what is right is
 * found out; poisoned, and judged. */
#include "segmented_reduction.h"

#include "common/cuda/grid.cuh"
#include "common/cuda/scan.cuh"
#include "common/distributions.h"

#include <stdlib.h>
#include <string.h>

/* ---- generation ------------------------------------------------------------------------------ */

/* The weight of a segment: its length over all of them is its weight over that of all. */
static __device__ uint64_t weight_of(sr_dist dist, uint64_t seed, uint32_t s, uint32_t segments,
                                     uint32_t chosen)
{
    const uint32_t random = gb_random(seed, GB_STREAM_LIMITS, s).word[0];
    switch (dist) {
    case SR_UNIFORM:
        return random >> 16;
    case SR_POWER_LAW:
        return ((uint64_t)1 << 32) / ((uint64_t)random + 1);
    case SR_GIANT:
        return s == chosen ? 15 * (uint64_t)segments : 1;
    case SR_MOSTLY_EMPTY:
        return random % 10 == 0 ? 1 + (random >> 16) : 0;
    case SR_ONE_FULL:
        return s == chosen;
    default:
        return 1;
    }
}

static __global__ void make_weights(sr_dist dist, uint64_t seed, uint32_t segments, uint32_t chosen,
                                    uint64_t *weights)
{
    for (uint64_t s = gb_first(); s <= segments; s += gb_stride())
        weights[s] = s < segments ? weight_of(dist, seed, (uint32_t)s, segments, chosen) : 0;
}

/* before: the weights of all segments before each; the last one of all. */
static __global__ void make_offsets(uint32_t n, uint32_t segments, const uint64_t *before,
                                    uint32_t *offsets)
{
    const uint64_t all = before[segments];
    for (uint64_t s = gb_first(); s <= segments; s += gb_stride())
        offsets[s] = s == segments ? n
                     : all         ? (uint32_t)((unsigned __int128)before[s] * n / all)
                                   : 0;
}

/* Floats are whole numbers from 1 to 64 with either sign. Of at most 2^28 of them no partial sum,
 * whichever they are that a variant adds first, reaches 2^24, but for a chance of 2 e^-128 each
 * (Hoeffding 1963): any order of adding is exact, and who loses one is found. */
static __global__ void make_values(sr_type type, uint64_t seed, uint32_t n, void *values)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        const gb_random4 random = gb_random(seed, GB_STREAM_KEYS, i);
        const uint32_t word = random.word[0];
        if (type == SR_U64)
            static_cast<uint64_t *>(values)[i] = (uint64_t)random.word[1] << 32 | word;
        else if (type == SR_U32)
            static_cast<uint32_t *>(values)[i] = word;
        else
            static_cast<float *>(values)[i] = (float)(1 + word % 64) * (word >> 31 ? -1.0f : 1.0f);
    }
}

static cudaError_t queue_input(const gb_problem *p, const gb_device *device, uint64_t *weights,
                               void *scratch)
{
    const sr_shape *shape = &p->shape;
    const uint64_t count = (uint64_t)shape->segments + 1;
    const uint32_t chosen =
        shape->segments ? gb_random(p->seed, GB_STREAM_SALT, 0).word[0] % shape->segments : 0;
    const dim3 block(GB_GRID_THREADS), grid = gb_grid(device, count);
    cudaError_t code = launch(make_weights, grid, block, 0, 0, shape->dist, p->seed,
                              shape->segments, chosen, weights);
    if (code == cudaSuccess) code = gb_scan_exclusive(weights, count, scratch, 0);
    if (code == cudaSuccess)
        code =
            launch(make_offsets, grid, block, 0, 0, shape->n, shape->segments, weights, p->offsets);
    if (code == cudaSuccess && shape->n)
        code = launch(make_values, gb_grid(device, shape->n), block, 0, 0, shape->type, p->seed,
                      shape->n, p->values);
    return code == cudaSuccess ? cudaDeviceSynchronize() : code;
}

static gb_status make_input(gb_problem *p, const gb_device *device, gb_error *error)
{
    const uint64_t count = (uint64_t)p->shape.segments + 1;
    void *weights = NULL, *scratch = NULL;
    gb_status status = gb_cuda_malloc(&weights, count * sizeof(uint64_t), "the weights", error);
    if (status == GB_OK)
        status = gb_cuda_malloc(&scratch, gb_scan_scratch(count), "the scan's scratch", error);
    if (status == GB_OK)
        status = gb_cuda_status(queue_input(p, device, static_cast<uint64_t *>(weights), scratch),
                                "making the input", error);
    (void)cudaFree(weights);
    (void)cudaFree(scratch);
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static uint64_t values_bytes(const sr_shape *shape)
{
    return shape->n * (uint64_t)sr_element_bytes(shape->type);
}
static uint64_t offsets_bytes(const sr_shape *shape)
{
    return ((uint64_t)shape->segments + 1) * sizeof(uint32_t);
}
/* With the one behind the last, which nobody may write. */
static uint64_t sums_bytes(const sr_shape *shape)
{
    return ((uint64_t)shape->segments + 1) * sr_element_bytes(shape->type);
}

static gb_status make_arrays(gb_problem *p, gb_error *error)
{
    const sr_shape *shape = &p->shape;
    const uint64_t values = values_bytes(shape) + 1, offsets = offsets_bytes(shape);
    const uint64_t sums = sums_bytes(shape);
    void *words = NULL, *host_words = NULL;
    gb_status status = gb_cuda_malloc(&p->values, values, "the values", error);
    if (status == GB_OK) status = gb_cuda_malloc(&words, offsets, "the offsets", error);
    p->offsets = static_cast<uint32_t *>(words);
    if (status == GB_OK) status = gb_cuda_malloc(&p->sums, sums, "the sums", error);
    if (status == GB_OK) status = gb_cuda_malloc_host(&p->host_values, values, "the values", error);
    if (status == GB_OK) status = gb_cuda_malloc_host(&host_words, offsets, "the offsets", error);
    p->host_offsets = static_cast<uint32_t *>(host_words);
    if (status == GB_OK) status = gb_cuda_malloc_host(&p->host_sums, sums, "the sums", error);
    if (status != GB_OK) return status;
    p->expected = malloc(sums);
    return p->expected ? GB_OK : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the sums");
}

/* The input on both sides, and what is right. */
static gb_status fill(gb_problem *p, const gb_device *device, gb_error *error)
{
    gb_status status = make_input(p, device, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(p->host_values, p->values, values_bytes(&p->shape), cudaMemcpyDeviceToHost),
           error);
    GB_TRY(
        cudaMemcpy(p->host_offsets, p->offsets, offsets_bytes(&p->shape), cudaMemcpyDeviceToHost),
        error);
    sr_expect(p);
    p->fingerprint = sr_fingerprint(p);
    return GB_OK;
}

gb_status sr_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_problem *p = static_cast<gb_problem *>(calloc(1, sizeof *p));
    if (!p) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    p->shape = sr_shape_of(params);
    p->seed = seed;
    gb_status status = make_arrays(p, error);
    if (status == GB_OK) status = fill(p, device, error);
    if (status != GB_OK) {
        sr_close(p);
        return status;
    }
    *out = p;
    return GB_OK;
}

void sr_close(gb_problem *p)
{
    if (!p) return;
    (void)cudaFree(p->values);
    (void)cudaFree(p->offsets);
    (void)cudaFree(p->sums);
    if (p->host_values) (void)cudaFreeHost(p->host_values);
    if (p->host_offsets) (void)cudaFreeHost(p->host_offsets);
    if (p->host_sums) (void)cudaFreeHost(p->host_sums);
    free(p->expected);
    free(p);
}

/* ---- scope host-to-host ---------------------------------------------------------------------- */

gb_status sr_upload(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    cudaStream_t queue = gb_cuda_stream(stream);
    GB_TRY(cudaMemcpyAsync(p->values, p->host_values, values_bytes(&p->shape),
                           cudaMemcpyHostToDevice, queue),
           &job->error);
    GB_TRY(cudaMemcpyAsync(p->offsets, p->host_offsets, offsets_bytes(&p->shape),
                           cudaMemcpyHostToDevice, queue),
           &job->error);
    return GB_OK;
}

gb_status sr_download(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    GB_TRY(cudaMemcpyAsync(p->host_sums, p->sums, sums_bytes(&p->shape), cudaMemcpyDeviceToHost,
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

/* ---- poison and verdict ---------------------------------------------------------------------- */

static bool output_on_host(const gb_job *job)
{
    return (job->variant->flags & GB_HOST) || job->scope == GB_SCOPE_HOST_TO_HOST;
}

gb_status sr_poison(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    if (output_on_host(job)) memset(p->host_sums, SR_POISON, sums_bytes(&p->shape));
    GB_TRY(cudaMemsetAsync(p->sums, SR_POISON, sums_bytes(&p->shape), gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static __global__ void fingerprint(const uint32_t *words, uint64_t count, uint64_t salt,
                                   unsigned long long *all)
{
    unsigned long long sum = 0;
    for (uint64_t i = gb_first(); i < count; i += gb_stride())
        sum += gb_mix64((salt + i) << 32 | words[i]);
    atomicAdd(all, sum);
}

/* That of the input on the device, into *found. */
static gb_status device_fingerprint(const gb_job *job, unsigned long long *sum,
                                    unsigned long long *found, gb_error *error)
{
    const gb_problem *p = job->problem;
    const uint64_t values = values_bytes(&p->shape) / 4, offsets = offsets_bytes(&p->shape) / 4;
    GB_TRY(cudaMemset(sum, 0, sizeof *sum), error);
    GB_TRY(launch(fingerprint, gb_grid(job->device, values), dim3(GB_GRID_THREADS), 0, 0,
                  static_cast<const uint32_t *>(p->values), values, 0, sum),
           error);
    GB_TRY(launch(fingerprint, gb_grid(job->device, offsets), dim3(GB_GRID_THREADS), 0, 0,
                  p->offsets, offsets, SR_SALT, sum),
           error);
    GB_TRY(cudaMemcpy(found, sum, sizeof *found, cudaMemcpyDeviceToHost), error);
    return GB_OK;
}

static gb_status check_input(gb_job *job)
{
    unsigned long long found = 0;
    void *sum = NULL;
    gb_status status = GB_OK;
    if (job->variant->flags & GB_HOST) {
        found = sr_fingerprint(job->problem);
    } else {
        status = gb_cuda_malloc(&sum, sizeof found, "the fingerprint", &job->error);
        if (status == GB_OK)
            status = device_fingerprint(job, static_cast<unsigned long long *>(sum), &found,
                                        &job->error);
        (void)cudaFree(sum);
    }
    if (status != GB_OK || found == job->problem->fingerprint) return status;
    return gb_fail(&job->error, GB_WRONG, "the input is not what it was: a variant wrote to it");
}

gb_status sr_check(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    gb_status status = check_input(job);
    if (status != GB_OK) return status;
    if (!output_on_host(job))
        GB_TRY(cudaMemcpy(p->host_sums, p->sums, sums_bytes(&p->shape), cudaMemcpyDeviceToHost),
               &job->error);
    return sr_compare(p, p->host_sums, &job->error);
}
