/* The data of a point, its complete check, and the variants that compute: one right, one wrong. */
#include "tests/worker/primitives/faults/faults.cuh"

#include "common/random.h"

#include <stdlib.h>

static const unsigned block_threads = 256;

static gb_status make_data(gb_problem *problem, gb_error *error)
{
    const uint64_t n = problem->n, bytes = n * sizeof(unsigned);
    gb_status status =
        gb_cuda_malloc(reinterpret_cast<void **>(&problem->in), bytes, "the input", error);
    if (status == GB_OK)
        status =
            gb_cuda_malloc(reinterpret_cast<void **>(&problem->out), bytes, "the output", error);
    if (status != GB_OK) return status;
    for (uint64_t i = 0; i < n; i++)
        problem->host[i] = gb_random(problem->seed, 0, i).word[0];
    GB_TRY(cudaMemcpy(problem->in, problem->host, bytes, cudaMemcpyHostToDevice), error);
    return GB_OK;
}

gb_status faults_open(const gb_params *params, uint64_t seed, const gb_device *, gb_problem **out,
                      gb_error *error)
{
    *out = NULL;
    gb_problem *problem = static_cast<gb_problem *>(calloc(1, sizeof *problem));
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
    problem->n = params->value[0].size;
    problem->seed = seed;
    problem->host = static_cast<unsigned *>(malloc(problem->n * sizeof(unsigned)));
    gb_status status = problem->host ? make_data(problem, error)
                                     : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
    if (status == GB_OK)
        *out = problem;
    else
        faults_close(problem);
    return status;
}

void faults_close(gb_problem *problem)
{
    (void)cudaFree(problem->in);
    (void)cudaFree(problem->out);
    free(problem->host);
    free(problem);
}

gb_status faults_poison(gb_job *job, gb_stream stream)
{
    GB_TRY(cudaMemsetAsync(job->problem->out, 0xA5, job->problem->n * sizeof(unsigned),
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

gb_status faults_check(gb_job *job, gb_stream stream)
{
    gb_problem *problem = job->problem;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    GB_TRY(cudaMemcpy(problem->host, problem->out, problem->n * sizeof(unsigned),
                      cudaMemcpyDeviceToHost),
           &job->error);
    for (uint64_t i = 0; i < problem->n; i++) {
        const unsigned expected = 2 * gb_random(problem->seed, 0, i).word[0] + 1;
        if (problem->host[i] != expected)
            return gb_fail(&job->error, GB_WRONG, "element %llu is %u, not %u",
                           (unsigned long long)i, problem->host[i], expected);
    }
    return GB_OK;
}

__global__ void faults_kernel(uint64_t n, const unsigned *in, unsigned *out)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i] + 1;
}

gb_status faults_compute(gb_job *job, gb_stream stream, bool wrong)
{
    const gb_problem *problem = job->problem;
    const uint64_t n = problem->n - (wrong ? 1 : 0);
    GB_TRY(launch(faults_kernel, dim3((unsigned)(n / block_threads + 1)), dim3(block_threads), 0,
                  gb_cuda_stream(stream), n, problem->in, problem->out),
           &job->error);
    return GB_OK;
}

static gb_status run_good(gb_job *job, gb_stream stream)
{
    return faults_compute(job, stream, false);
}

static gb_status run_wrong(gb_job *job, gb_stream stream)
{
    return faults_compute(job, stream, true);
}

extern "C" const gb_variant faults_good = {
    "good", "computes what it should", "gpubench", 0, NULL, NULL, NULL, run_good, NULL,
};
extern "C" const gb_variant faults_wrong = {
    "wrong", "leaves the last element unwritten", "gpubench", 0, NULL, NULL, NULL, run_wrong, NULL,
};
