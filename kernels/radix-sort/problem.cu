/* A point's data: made on the device from the seed, kept on device or host as jobs ask, freed. */
#include "common/cuda/grid.cuh"
#include "kernels/radix-sort/problem.h"

#include <stdlib.h>

/* ---- generation ------------------------------------------------------------------------------ */

static __global__ void make_elements(gb_dist dist, rs_type type, unsigned words, uint64_t begin,
                                     uint64_t count, void *keys, uint32_t *payload)
{
    for (uint64_t i = gb_first(); i < count; i += gb_stride()) {
        rs_store_key(type, keys, i, rs_make_key(&dist, type, begin + i));
        for (unsigned w = 0; payload && w < words; w++)
            payload[i * words + w] = rs_payload_word((uint32_t)(begin + i), w);
    }
}

gb_status rs_generate(const gb_problem *problem, uint64_t begin, uint64_t count, void *keys,
                      uint32_t *payload, gb_error *error)
{
    gb_dist dist;
    char why[160];
    if (!gb_dist_of(problem->dist, problem->seed, problem->shape.n, &dist, why))
        return gb_fail(error, GB_UNSUPPORTED, "%s", why);
    if (count == 0) return GB_OK;
    GB_TRY(launch(make_elements, gb_grid(problem->device, count), dim3(GB_GRID_THREADS), 0, 0, dist,
                  problem->shape.type, rs_payload_words(&problem->shape), begin, count, keys,
                  payload),
           error);
    GB_TRY(cudaDeviceSynchronize(), error);
    return GB_OK;
}

/* ---- device memory --------------------------------------------------------------------------- */

/* Room for n elements of so many bytes and 16 bytes of slack, so that kernels may move aligned
 * groups of 16 bytes at an array's end, and an empty array has an address. The job is charged for
 * it, the array made if no other job of the point has done so. */
template <class T>
static gb_status device_array(gb_job *job, T **array, size_t element, const char *what)
{
    const uint64_t bytes = job->problem->shape.n * element + 16;
    gb_status status = gb_job_charge(job, bytes, what);
    if (status != GB_OK || *array) return status;
    void *memory = NULL;
    status = gb_cuda_malloc(&memory, bytes, what, &job->error);
    *array = static_cast<T *>(memory);
    return status;
}

gb_status rs_problem_device(gb_job *job)
{
    gb_problem *p = job->problem;
    const size_t key = rs_key_bytes(p->shape.type);
    const bool fresh = !p->keys_in;
    gb_status status = device_array(job, &p->keys_in, key, "the input");
    if (status == GB_OK) status = device_array(job, &p->keys_out, key, "the output");
    if (status == GB_OK && p->shape.payload)
        status = device_array(job, &p->payload_in, p->shape.payload, "the input's payload");
    if (status == GB_OK && p->shape.payload)
        status = device_array(job, &p->payload_out, p->shape.payload, "the output's payload");
    if (status == GB_OK && fresh && !p->brought)
        status = rs_generate(p, 0, p->shape.n, p->keys_in, p->payload_in, &job->error);
    if (status == GB_OK || !fresh) return status;
    (void)cudaFree(p->keys_in);
    (void)cudaFree(p->keys_out);
    (void)cudaFree(p->payload_in);
    (void)cudaFree(p->payload_out);
    p->keys_in = p->keys_out = NULL;
    p->payload_in = p->payload_out = NULL;
    return status;
}

/* ---- host memory ----------------------------------------------------------------------------- */

template <class T>
static gb_status host_array(T **array, uint64_t bytes, const char *what, gb_error *error)
{
    if (*array) return GB_OK;
    void *memory = NULL;
    gb_status status = gb_cuda_malloc_host(&memory, bytes + 16, what, error);
    *array = static_cast<T *>(memory);
    return status;
}

template <class T> static void host_free(T **array)
{
    if (*array) (void)cudaFreeHost(*array);
    *array = NULL;
}

gb_status rs_make_slices(gb_problem *problem, gb_error *error)
{
    rs_checker *checker = static_cast<rs_checker *>(problem->checker);
    const uint64_t count = problem->shape.n < RS_SLICE ? problem->shape.n : (uint64_t)RS_SLICE;
    if (!checker->slice_keys)
        GB_TRY(cudaMalloc(&checker->slice_keys, count * rs_key_bytes(problem->shape.type) + 16),
               error);
    if (!checker->slice_payload && problem->shape.payload)
        GB_TRY(cudaMalloc((void **)&checker->slice_payload, count * problem->shape.payload + 16),
               error);
    return GB_OK;
}

/* The input on the host: made on the device in slices and copied. */
static gb_status fill_host(gb_problem *p, gb_error *error)
{
    const rs_checker *checker = static_cast<const rs_checker *>(p->checker);
    const size_t key = rs_key_bytes(p->shape.type);
    gb_status status = rs_make_slices(p, error);
    for (uint64_t begin = 0; status == GB_OK && begin < p->shape.n; begin += RS_SLICE) {
        uint64_t left = p->shape.n - begin;
        uint64_t count = left < RS_SLICE ? left : (uint64_t)RS_SLICE;
        status = rs_generate(p, begin, count, checker->slice_keys, checker->slice_payload, error);
        if (status != GB_OK) return status;
        GB_TRY(cudaMemcpy(static_cast<char *>(p->host_keys_in) + begin * key, checker->slice_keys,
                          count * key, cudaMemcpyDeviceToHost),
               error);
        if (p->host_payload_in)
            GB_TRY(cudaMemcpy(p->host_payload_in + begin * rs_payload_words(&p->shape),
                              checker->slice_payload, count * p->shape.payload,
                              cudaMemcpyDeviceToHost),
                   error);
    }
    return status;
}

static void free_host(gb_problem *problem)
{
    host_free(&problem->host_keys_in);
    host_free(&problem->host_keys_out);
    host_free(&problem->host_payload_in);
    host_free(&problem->host_payload_out);
}

gb_status rs_problem_host(gb_job *job)
{
    gb_problem *p = job->problem;
    const uint64_t bytes = p->shape.n * rs_key_bytes(p->shape.type);
    if (p->host_keys_in) return GB_OK;
    gb_status status = host_array(&p->host_keys_in, bytes, "the input", &job->error);
    if (status == GB_OK) status = host_array(&p->host_keys_out, bytes, "the output", &job->error);
    if (status == GB_OK && p->shape.payload)
        status = host_array(&p->host_payload_in, p->shape.n * p->shape.payload, "the payload",
                            &job->error);
    if (status == GB_OK && p->shape.payload)
        status = host_array(&p->host_payload_out, p->shape.n * p->shape.payload, "the payload",
                            &job->error);
    if (status == GB_OK) status = fill_host(p, &job->error);
    if (status != GB_OK) free_host(p);
    return status;
}

/* ---- life ------------------------------------------------------------------------------------ */

gb_status rs_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    problem->shape = rs_shape_of(params);
    problem->seed = seed;
    problem->device = device;
    problem->dist = params->value[RS_DIST].text;
    gb_status status = rs_checker_open(problem, error);
    if (status != GB_OK) {
        rs_close(problem);
        return status;
    }
    *out = problem;
    return GB_OK;
}

void rs_close(gb_problem *problem)
{
    if (!problem) return;
    rs_checker_close(problem);
    free_host(problem);
    (void)cudaFree(problem->keys_in);
    (void)cudaFree(problem->keys_out);
    (void)cudaFree(problem->payload_in);
    (void)cudaFree(problem->payload_out);
    free(problem);
}

/* ---- scope host-to-host ---------------------------------------------------------------------- */

/* Both copies need both sides' arrays; the first call makes what is missing, in the untimed run
 * that precedes every sample. */
static gb_status need_both_sides(gb_job *job)
{
    gb_status status = rs_problem_host(job);
    return status == GB_OK && !job->problem->keys_in ? rs_problem_device(job) : status;
}

gb_status rs_upload(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    cudaStream_t queue = gb_cuda_stream(stream);
    gb_status status = need_both_sides(job);
    if (status != GB_OK || p->shape.n == 0) return status;
    GB_TRY(cudaMemcpyAsync(p->keys_in, p->host_keys_in, p->shape.n * rs_key_bytes(p->shape.type),
                           cudaMemcpyHostToDevice, queue),
           &job->error);
    if (p->payload_in)
        GB_TRY(cudaMemcpyAsync(p->payload_in, p->host_payload_in, p->shape.n * p->shape.payload,
                               cudaMemcpyHostToDevice, queue),
               &job->error);
    return GB_OK;
}

gb_status rs_download(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    cudaStream_t queue = gb_cuda_stream(stream);
    if (p->shape.n == 0) return GB_OK;
    GB_TRY(cudaMemcpyAsync(p->host_keys_out, p->keys_out, p->shape.n * rs_key_bytes(p->shape.type),
                           cudaMemcpyDeviceToHost, queue),
           &job->error);
    if (p->payload_out)
        GB_TRY(cudaMemcpyAsync(p->host_payload_out, p->payload_out, p->shape.n * p->shape.payload,
                               cudaMemcpyDeviceToHost, queue),
               &job->error);
    return GB_OK;
}

/* ---- poison ---------------------------------------------------------------------------------- */

bool rs_output_on_host(const gb_job *job)
{
    return (job->variant->flags & GB_HOST) || job->scope == GB_SCOPE_HOST_TO_HOST;
}

enum { GARBAGE = 0xA5 };

/* Garbage into an array on the host, count elements of so many bytes: copied from the device, which
 * is quicker than one core's writing. */
static gb_status poison_host(void *array, uint64_t count, size_t element, void *slice,
                             cudaStream_t queue, gb_error *error)
{
    const uint64_t most = count < RS_SLICE ? count : (uint64_t)RS_SLICE;
    GB_TRY(cudaMemsetAsync(slice, GARBAGE, most * element, queue), error);
    for (uint64_t begin = 0; begin < count; begin += RS_SLICE) {
        const uint64_t left = count - begin;
        GB_TRY(cudaMemcpyAsync(static_cast<char *>(array) + begin * element, slice,
                               (left < most ? left : most) * element, cudaMemcpyDeviceToHost,
                               queue),
               error);
    }
    return GB_OK;
}

static gb_status poison_host_side(gb_job *job, cudaStream_t queue)
{
    const gb_problem *p = job->problem;
    const rs_checker *checker = static_cast<const rs_checker *>(p->checker);
    gb_status status = rs_problem_host(job);
    if (status == GB_OK) status = rs_make_slices(job->problem, &job->error);
    if (status == GB_OK)
        status = poison_host(p->host_keys_out, p->shape.n, rs_key_bytes(p->shape.type),
                             checker->slice_keys, queue, &job->error);
    if (status == GB_OK && p->host_payload_out)
        status = poison_host(p->host_payload_out, p->shape.n, p->shape.payload,
                             checker->slice_payload, queue, &job->error);
    return status;
}

gb_status rs_poison(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    const uint64_t bytes = p->shape.n * rs_key_bytes(p->shape.type);
    cudaStream_t queue = gb_cuda_stream(stream);
    if (rs_output_on_host(job)) {
        gb_status status = poison_host_side(job, queue);
        if (status != GB_OK) return status;
    }
    if (p->keys_out) GB_TRY(cudaMemsetAsync(p->keys_out, GARBAGE, bytes, queue), &job->error);
    if (p->payload_out)
        GB_TRY(cudaMemsetAsync(p->payload_out, GARBAGE, p->shape.n * p->shape.payload, queue),
               &job->error);
    return GB_OK;
}
