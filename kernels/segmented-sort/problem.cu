/* A point's data: radix sort's, and where the segments begin. */
#include "common/cuda/device.cuh"
#include "kernels/radix-sort/problem.h"
#include "kernels/segmented-sort/segmented_sort.h"

#include <stdlib.h>

static uint64_t offset_bytes(const sg_problem *problem)
{
    return ((uint64_t)problem->segments + 1) * sizeof(uint32_t);
}

static gb_status make_offsets(sg_problem *problem, gb_error *error)
{
    void *offsets = NULL;
    if (!sg_make_offsets(&problem->shape, problem->sort.seed, &problem->host_offsets,
                         &problem->segments))
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for where the segments begin");
    gb_status status =
        gb_cuda_malloc(&offsets, offset_bytes(problem), "where the segments begin", error);
    problem->offsets = static_cast<uint32_t *>(offsets);
    if (status != GB_OK) return status;
    GB_TRY(
        cudaMemcpy(offsets, problem->host_offsets, offset_bytes(problem), cudaMemcpyHostToDevice),
        error);
    return GB_OK;
}

gb_status sg_open(const gb_params *params, uint64_t seed, const gb_device *device, gb_problem **out,
                  gb_error *error)
{
    *out = NULL;
    sg_problem *problem = (sg_problem *)calloc(1, sizeof *problem);
    if (!problem) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a problem");
    problem->shape = sg_shape_of(params);
    problem->sort.shape = problem->shape.sort;
    problem->sort.seed = seed;
    problem->sort.device = device;
    problem->sort.dist = params->value[SG_DIST].text;
    gb_status status = make_offsets(problem, error);
    if (status == GB_OK) status = sg_checker_open(problem, error);
    if (status != GB_OK) {
        sg_close(&problem->sort);
        return status;
    }
    *out = &problem->sort;
    return GB_OK;
}

void sg_close(gb_problem *sort)
{
    if (!sort) return;
    sg_problem *problem = sg_problem_of(sort);
    sg_checker_close(problem);
    (void)cudaFree(problem->offsets);
    free(problem->host_offsets);
    rs_close(sort); /* frees all of the problem: this is where it begins */
}

gb_status sg_problem_device(gb_job *job)
{
    gb_status status =
        gb_job_charge(job, offset_bytes(sg_problem_of(job->problem)), "where the segments begin");
    return status == GB_OK ? rs_problem_device(job) : status;
}

gb_status sg_poison(gb_job *job, gb_stream stream)
{
    return rs_poison(job, stream);
}
