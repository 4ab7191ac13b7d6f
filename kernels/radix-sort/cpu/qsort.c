/* Variant cpu-qsort: the C library's qsort, the sort that a C program reaches for first. Keys
 * become unsigned numbers, turned so that the bits that count are the highest, and are compared
 * whole: which of two equal keys comes first is decided by the bits that do not count. */
#include "kernels/radix-sort/cpu/ends.h"

#include <stdlib.h>

#define RS_BODY "kernels/radix-sort/cpu/qsort_sort.h"
#include "kernels/radix-sort/cpu/kinds.h"

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_host(job);
    if (status != GB_OK) return status;
    const rs_shape *shape = &job->problem->shape;
    const size_t bytes = shape->n * rs_cpu_element_bytes(shape);
    job->state = gb_pool_allocate(bytes);
    if (job->state) return GB_OK;
    return gb_fail(&job->error, GB_OUT_OF_MEMORY, "cpu-qsort: no host memory for %.3f GB",
                   1e-9 * (double)bytes);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const rs_shape *shape = &job->problem->shape;
    const rs_cpu_ends ends = rs_cpu_ends_of(job->problem);
    (void)stream;
    rs_for_kind(shape, sort, &ends, shape->n, job->state);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    free(job->state);
    job->state = NULL;
}

const gb_variant rs_cpu_qsort = {
    .name = "cpu-qsort",
    .summary = "qsort of the C library on one core",
    .origin = "the C library",
    .flags = GB_HOST,
    .unsupported = rs_no_wide_payload,
    .prepare = prepare,
    .run = run,
    .cleanup = cleanup,
};
