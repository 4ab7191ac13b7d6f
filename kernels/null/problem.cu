/* A point's data: something to copy, a place for the copy, a place for what a spin says of itself.
 */
#include "common/cuda/device.cuh"
#include "kernels/null/null.h"

#include <stdlib.h>
#include <string.h>

static __global__ void make_input(uint64_t seed, uint64_t units, uint4 *source)
{
    const uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t u = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; u < units; u += stride) {
        const gb_random4 four = null_unit(seed, u);
        source[u] = make_uint4(four.word[0], four.word[1], four.word[2], four.word[3]);
    }
}

void null_close(gb_problem *problem)
{
    if (!problem) return;
    (void)cudaFree(problem->source);
    (void)cudaFree(problem->target);
    (void)cudaFree(problem->record);
    (void)cudaFree(problem->first_defect);
    free(problem);
}

static gb_status buffer(unsigned char **out, uint64_t bytes, const char *what, gb_error *error)
{
    cudaError_t code = cudaMalloc(out, bytes);
    if (code == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return gb_fail(error, GB_OUT_OF_MEMORY,
                       "%s takes %.3f GB, which the device cannot give; copy fewer bytes", what,
                       1e-9 * (double)bytes);
    }
    return gb_cuda_status(code, what, error);
}

static gb_status fill(gb_problem *p, gb_error *error)
{
    const uint64_t units = (p->bytes + sizeof(uint4) - 1) / sizeof(uint4);
    gb_status status = buffer(&p->target, p->bytes + NULL_GUARD_BYTES, "the copy's target", error);
    if (status == GB_OK)
        status = buffer(&p->source, (units + 1) * sizeof(uint4), "the copy's source", error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMalloc(&p->record, sizeof *p->record), error);
    GB_TRY(cudaMalloc(&p->first_defect, sizeof *p->first_defect), error);
    if (units)
        GB_TRY(launch(make_input, dim3((unsigned)(units < 262144 ? (units + 255) / 256 : 1024)),
                      dim3(256), 0, 0, p->seed, units, reinterpret_cast<uint4 *>(p->source)),
               error);
    GB_TRY(cudaDeviceSynchronize(), error);
    return p->bytes ? GB_OK : null_calibrate(&p->clocks, error);
}

gb_status null_open(const gb_params *params, uint64_t seed, const gb_device *device,
                    gb_problem **out, gb_error *error)
{
    *out = NULL;
    gb_problem *problem = (gb_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the problem");
    problem->ns = params->value[NULL_NS].size;
    problem->bytes = params->value[NULL_BYTES].size;
    problem->seed = seed;
    problem->gpu = strcmp(device->backend, "simt") != 0;
    gb_status status = fill(problem, error);
    if (status == GB_OK)
        *out = problem;
    else
        null_close(problem);
    return status;
}

gb_status null_poison(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    if (null_round_trips(job->variant)) null_round_trip_poison(job);
    GB_TRY(cudaMemsetAsync(p->target, NULL_POISON, p->bytes + NULL_GUARD_BYTES,
                           gb_cuda_stream(stream)),
           &job->error);
    GB_TRY(cudaMemsetAsync(p->record, NULL_POISON, sizeof *p->record, gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}
