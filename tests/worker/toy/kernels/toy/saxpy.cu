/* The toy's data, its check and its one variant. */
#include "kernels/toy/toy.h"

#include "common/cuda/device.cuh"
#include "common/random.h"

#include <stdlib.h>

struct gb_problem {
    uint64_t n;
    float *x, *y, *out; /* device memory, n each */
    float *host;        /* n: x, then y, then the output, in turn */
    float *expected;    /* n */
};

void toy_close(gb_problem *problem)
{
    if (!problem) return;
    cudaFree(problem->x);
    cudaFree(problem->y);
    cudaFree(problem->out);
    free(problem->host);
    free(problem->expected);
    free(problem);
}

static gb_status fill(gb_problem *problem, uint64_t seed, gb_error *error)
{
    const uint64_t n = problem->n, bytes = n * sizeof(float);
    GB_TRY(cudaMalloc(&problem->x, bytes + 1), error);
    GB_TRY(cudaMalloc(&problem->y, bytes + 1), error);
    GB_TRY(cudaMalloc(&problem->out, bytes + 1), error);
    for (unsigned array = 0; array < 2; array++) {
        for (uint64_t i = 0; i < n; i++) {
            problem->host[i] = (float)(gb_random(seed, array, i).word[0] >> 16);
            problem->expected[i] += (array ? 1.0f : 2.0f) * problem->host[i];
        }
        GB_TRY(cudaMemcpy(array ? problem->y : problem->x, problem->host, bytes,
                          cudaMemcpyHostToDevice),
               error);
    }
    return GB_OK;
}

gb_status toy_open(const gb_params *params, uint64_t seed, const gb_device *, gb_problem **out,
                   gb_error *error)
{
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    *out = NULL;
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
    problem->n = params->value[0].size;
    problem->host = (float *)calloc(problem->n + 1, sizeof(float));
    problem->expected = (float *)calloc(problem->n + 1, sizeof(float));
    gb_status status = problem->host && problem->expected
                           ? fill(problem, seed, error)
                           : gb_fail(error, GB_OUT_OF_MEMORY, "no host memory");
    if (status != GB_OK) {
        toy_close(problem);
        return status;
    }
    *out = problem;
    return GB_OK;
}

gb_status toy_poison(gb_job *job, gb_stream stream)
{
    GB_TRY(cudaMemsetAsync(job->problem->out, 0xff, job->problem->n * sizeof(float),
                           gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

gb_status toy_check(gb_job *job, gb_stream stream)
{
    gb_problem *problem = job->problem;
    GB_TRY(cudaStreamSynchronize(gb_cuda_stream(stream)), &job->error);
    GB_TRY(
        cudaMemcpy(problem->host, problem->out, problem->n * sizeof(float), cudaMemcpyDeviceToHost),
        &job->error);
    for (uint64_t i = 0; i < problem->n; i++)
        if (!(problem->host[i] == problem->expected[i]))
            return gb_fail(&job->error, GB_WRONG, "element %llu is %g, not %g",
                           (unsigned long long)i, problem->host[i], problem->expected[i]);
    return GB_OK;
}

__global__ void toy_kernel(uint64_t n, float a, const float *x, const float *y, float *out)
{
    const uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * x[i] + y[i];
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *problem = job->problem;
    if (!problem->n) return GB_OK;
    return gb_cuda_status(launch(toy_kernel, dim3((unsigned)((problem->n + 127) / 128)), dim3(128),
                                 0, gb_cuda_stream(stream), problem->n, 2.0f, problem->x,
                                 problem->y, problem->out),
                          "saxpy", &job->error);
}

extern "C" const gb_variant toy_saxpy = {
    "saxpy", "one thread an element", "gpubench", 0, NULL, NULL, NULL, run, NULL,
};
