/* A point's data: made on the device from the seed, copied to the host when asked for, freed. */
#include "common/cuda/grid.cuh"
#include "kernels/multipartition/problem.h"

#include <stdlib.h>
#include <string.h>

/* ---- generation ------------------------------------------------------------------------------ */

/* Four keys a step: one block of the generator's words serves all four. */
static __global__ void generate_uniform(gb_dist dist, uint32_t *keys)
{
    uint64_t groups = (dist.n + 3) / 4;
    for (uint64_t g = gb_first(); g < groups; g += gb_stride()) {
        gb_random4 four = gb_random(dist.seed, GB_STREAM_KEYS, g);
        for (unsigned j = 0; j < 4; j++)
            if (g * 4 + j < dist.n) keys[g * 4 + j] = four.word[j];
    }
}

static __global__ void generate_any(gb_dist dist, mp_shape shape, uint32_t *keys, uint32_t *payload)
{
    for (uint64_t i = gb_first(); i < shape.n; i += gb_stride()) {
        const mp_element element = mp_make_element(&dist, &shape, i);
        mp_store_element(&shape, keys, payload, i, &element);
    }
}

gb_status mp_generate(gb_problem *problem, gb_error *error)
{
    gb_dist dist;
    char why[160];
    if (!gb_dist_of(problem->dist, problem->seed, problem->shape.n, &dist, why))
        return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    if (dist.n == 0) return GB_OK;
    if (dist.kind == GB_DIST_UNIFORM &&
        problem->shape.key_bytes + problem->shape.payload_bytes == 4)
        GB_TRY(launch(generate_uniform, gb_grid(problem->device, (dist.n + 3) / 4),
                      dim3(GB_GRID_THREADS), 0, 0, dist, problem->keys_in),
               error);
    else
        GB_TRY(launch(generate_any, gb_grid(problem->device, dist.n), dim3(GB_GRID_THREADS), 0, 0,
                      dist, problem->shape, problem->keys_in, problem->payload_in),
               error);
    GB_TRY(cudaDeviceSynchronize(), error);
    return GB_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Room for so many bytes and 16 of slack, so that kernels may move aligned groups of four words at
 * an array's end, and an empty array has an address. */
template <class T>
static gb_status device_array(const gb_problem *problem, T **array, uint64_t bytes,
                              const char *what, gb_error *error)
{
    bytes += 16;
    void *memory = NULL;
    cudaError_t code = cudaMalloc(&memory, bytes);
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "%s takes %.3f GB, which the device (%.1f GB, some of it in use) cannot "
                       "give; choose a smaller n",
                       what, 1e-9 * (double)bytes, 1e-9 * (double)problem->device->memory_bytes);
    }
    GB_TRY(code, error);
    *array = (T *)memory;
    return GB_OK;
}

template <class T>
static gb_status host_array(T **array, uint64_t bytes, const char *what, gb_error *error)
{
    void *memory = NULL;
    gb_status status = gb_cuda_malloc_host(&memory, bytes + 16, what, error);
    *array = (T *)memory;
    return status;
}

template <class T> static void host_free(T **array)
{
    if (*array) (void)cudaFreeHost(*array);
    *array = NULL;
}

/* The largest key, for MP_MAX; *largest is 0 before. */
static __global__ void find_largest(mp_shape shape, const uint32_t *keys,
                                    unsigned long long *largest)
{
    unsigned long long mine = 0;
    for (uint64_t i = gb_first(); i < shape.n; i += gb_stride()) {
        const unsigned long long key = mp_load_key(&shape, keys, i);
        if (key > mine) mine = key;
    }
    if (mine) atomicMax(largest, mine);
}

/* The bin function's data for MP_MAX: the largest key is found on the device, in the offsets'
 * memory. Without keys it is 0: no key asks for its bin then. */
static gb_status make_max(gb_problem *problem, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    unsigned long long *largest = reinterpret_cast<unsigned long long *>(problem->offsets);
    uint64_t max;
    GB_TRY(cudaMemset(largest, 0, sizeof *largest), error);
    GB_TRY(launch(find_largest, gb_grid(problem->device, shape->n), dim3(GB_GRID_THREADS), 0, 0,
                  *shape, problem->keys_in, largest),
           error);
    GB_TRY(cudaMemcpy(&max, largest, sizeof max, cudaMemcpyDeviceToHost), error);
    problem->host_bin = problem->bin = mp_bin_data_by_max(shape, max);
    return GB_OK;
}

/* The bin function's data, on host and device; the input is there. */
static gb_status make_bins(gb_problem *problem, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    if (shape->function == MP_MAX) return make_max(problem, error);
    problem->host_bin = problem->bin = mp_bin_data_of(shape, NULL);
    if (shape->function != MP_SPLITTERS) return GB_OK;
    const size_t bytes = (size_t)(shape->bins - 1) * shape->key_bytes;
    void *limits = malloc(bytes + 16), *device_limits = NULL;
    if (!limits) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the limits");
    problem->host_bin = mp_bin_data_of(shape, limits);
    if (shape->key_bytes == 8)
        mp_make_limits64(problem->seed, shape->bins, static_cast<uint64_t *>(limits));
    else
        mp_make_limits(problem->seed, shape->bins, static_cast<uint32_t *>(limits));
    gb_status status = device_array(problem, &device_limits, bytes, "the limits", error);
    if (status != GB_OK) return status;
    problem->bin = mp_bin_data_of(shape, device_limits);
    GB_TRY(cudaMemcpy(device_limits, limits, bytes, cudaMemcpyHostToDevice), error);
    return GB_OK;
}

/* The limits' memory, on the host or the device; NULL if there is none. */
static void *limits_of(const mp_bin_data *bin)
{
    if (bin->limits64) return const_cast<uint64_t *>(bin->limits64);
    return const_cast<uint32_t *>(bin->limits);
}

static size_t offsets_size(const gb_problem *problem)
{
    return ((size_t)problem->shape.bins + 1) * sizeof *problem->offsets;
}

static gb_status build(gb_problem *problem, gb_error *error)
{
    const size_t keys = mp_keys_size(&problem->shape), payload = mp_payload_size(&problem->shape);
    const bool with = problem->shape.payload_bytes != 0;
    gb_status status = device_array(problem, &problem->keys_in, keys, "the input", error);
    if (status == GB_OK)
        status = device_array(problem, &problem->keys_out, keys, "the output", error);
    if (status == GB_OK && with)
        status = device_array(problem, &problem->payload_in, payload, "the input's payload", error);
    if (status == GB_OK && with)
        status =
            device_array(problem, &problem->payload_out, payload, "the output's payload", error);
    if (status == GB_OK)
        status =
            device_array(problem, &problem->offsets, offsets_size(problem), "the offsets", error);
    if (status == GB_OK) status = mp_generate(problem, error);
    if (status == GB_OK) status = make_bins(problem, error);
    if (status == GB_OK) status = mp_checker_open(problem, error);
    return status;
}

gb_status mp_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    problem->shape = mp_shape_of(params);
    problem->seed = seed;
    problem->device = device;
    problem->dist = params->value[MP_DIST].text;
    gb_status status = build(problem, error);
    if (status != GB_OK) {
        mp_close(problem);
        return status;
    }
    *out = problem;
    return GB_OK;
}

static void free_host(gb_problem *problem)
{
    host_free(&problem->host_keys_in);
    host_free(&problem->host_keys_out);
    host_free(&problem->host_payload_in);
    host_free(&problem->host_payload_out);
    host_free(&problem->host_offsets);
}

void mp_close(gb_problem *problem)
{
    if (!problem) return;
    mp_checker_close(problem);
    free_host(problem);
    (void)cudaFree(problem->keys_in);
    (void)cudaFree(problem->keys_out);
    (void)cudaFree(problem->payload_in);
    (void)cudaFree(problem->payload_out);
    (void)cudaFree(problem->offsets);
    (void)cudaFree(limits_of(&problem->bin));
    free(limits_of(&problem->host_bin));
    free(problem);
}

/* ---- the host's copies ----------------------------------------------------------------------- */

gb_status mp_fetch_input(gb_problem *problem, gb_error *error)
{
    const mp_shape *shape = &problem->shape;
    if (!problem->host_keys_in || shape->n == 0) return GB_OK;
    GB_TRY(cudaMemcpy(problem->host_keys_in, problem->keys_in, mp_keys_size(shape),
                      cudaMemcpyDeviceToHost),
           error);
    if (shape->payload_bytes)
        GB_TRY(cudaMemcpy(problem->host_payload_in, problem->payload_in, mp_payload_size(shape),
                          cudaMemcpyDeviceToHost),
               error);
    return GB_OK;
}

static gb_status build_host(gb_problem *problem, gb_error *error)
{
    const size_t keys = mp_keys_size(&problem->shape), payload = mp_payload_size(&problem->shape);
    const bool with = problem->shape.payload_bytes != 0;
    gb_status status = host_array(&problem->host_keys_in, keys, "the input", error);
    if (status == GB_OK) status = host_array(&problem->host_keys_out, keys, "the output", error);
    if (status == GB_OK && with)
        status = host_array(&problem->host_payload_in, payload, "the input's payload", error);
    if (status == GB_OK && with)
        status = host_array(&problem->host_payload_out, payload, "the output's payload", error);
    if (status == GB_OK)
        status = host_array(&problem->host_offsets, offsets_size(problem), "the offsets", error);
    return status == GB_OK ? mp_fetch_input(problem, error) : status;
}

gb_status mp_problem_host(gb_problem *problem, gb_error *error)
{
    if (problem->host_offsets) return GB_OK;
    gb_status status = build_host(problem, error);
    if (status != GB_OK) free_host(problem);
    return status;
}

bool mp_output_on_host(const gb_job *job)
{
    return (job->variant->flags & GB_HOST) || job->scope == GB_SCOPE_HOST_TO_HOST;
}

/* Variants on the CPU have their data where they work: nothing to copy in either direction. */
gb_status mp_upload(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    if (job->variant->flags & GB_HOST) return GB_OK;
    gb_status status = mp_problem_host(p, &job->error);
    if (status != GB_OK || p->shape.n == 0) return status;
    GB_TRY(cudaMemcpyAsync(p->keys_in, p->host_keys_in, mp_keys_size(&p->shape),
                           cudaMemcpyHostToDevice, gb_cuda_stream(stream)),
           &job->error);
    if (p->payload_in)
        GB_TRY(cudaMemcpyAsync(p->payload_in, p->host_payload_in, mp_payload_size(&p->shape),
                               cudaMemcpyHostToDevice, gb_cuda_stream(stream)),
               &job->error);
    return GB_OK;
}

gb_status mp_download(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    if (job->variant->flags & GB_HOST) return GB_OK;
    gb_status status = mp_problem_host(p, &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyAsync(p->host_offsets, p->offsets, offsets_size(p), cudaMemcpyDeviceToHost,
                           gb_cuda_stream(stream)),
           &job->error);
    if (p->shape.n == 0) return GB_OK;
    GB_TRY(cudaMemcpyAsync(p->host_keys_out, p->keys_out, mp_keys_size(&p->shape),
                           cudaMemcpyDeviceToHost, gb_cuda_stream(stream)),
           &job->error);
    if (p->payload_out)
        GB_TRY(cudaMemcpyAsync(p->host_payload_out, p->payload_out, mp_payload_size(&p->shape),
                               cudaMemcpyDeviceToHost, gb_cuda_stream(stream)),
               &job->error);
    return GB_OK;
}

/* GARBAGE in every byte: no offset, and a key or payload that the input holds at most by chance. */
gb_status mp_poison(gb_job *job, gb_stream stream)
{
    enum { GARBAGE = 0xA5 };
    gb_problem *p = job->problem;
    const size_t keys = mp_keys_size(&p->shape), payload = mp_payload_size(&p->shape);
    cudaStream_t queue = gb_cuda_stream(stream);
    GB_TRY(cudaMemsetAsync(p->offsets, GARBAGE, offsets_size(p), queue), &job->error);
    if (keys) GB_TRY(cudaMemsetAsync(p->keys_out, GARBAGE, keys, queue), &job->error);
    if (payload) GB_TRY(cudaMemsetAsync(p->payload_out, GARBAGE, payload, queue), &job->error);
    if (!mp_output_on_host(job)) return GB_OK;

    gb_status status = mp_problem_host(p, &job->error);
    if (status != GB_OK) return status;
    /* an earlier download may still be on its way into these buffers */
    GB_TRY(cudaStreamSynchronize(queue), &job->error);
    memset(p->host_offsets, GARBAGE, offsets_size(p));
    memset(p->host_keys_out, GARBAGE, keys);
    if (payload) memset(p->host_payload_out, GARBAGE, payload);
    return GB_OK;
}
