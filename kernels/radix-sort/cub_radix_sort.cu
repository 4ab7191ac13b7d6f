/* Baseline: CUB's radix sort, the fastest public one, of the keys as what they are (floats as
 * floats), on the bits that count. */
#include "common/cuda/cub_sort.cuh"
#include "kernels/radix-sort/variants.h"

#include <stdlib.h>
#include <string.h>

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return gb_cub_refuses(device, rs_shape_of(params).n);
}

#if defined(__CUDACC__)

template <bool DESCENDING, class Key>
static cudaError_t sort_as(gb_cub_scratch *scratch, const gb_problem *p, cudaStream_t stream)
{
    const rs_shape *shape = &p->shape;
    const int begin = (int)shape->begin_bit, end = (int)shape->end_bit;
    const Key *in = static_cast<const Key *>(p->keys_in);
    Key *out = static_cast<Key *>(p->keys_out);
    if (shape->payload)
        return gb_cub_sort_pairs<DESCENDING>(scratch, in, out, p->payload_in, p->payload_out,
                                             shape->n, begin, end, stream);
    return gb_cub_sort_keys<DESCENDING>(scratch, in, out, shape->n, begin, end, stream);
}

template <class Key>
static cudaError_t sort_type(gb_cub_scratch *scratch, const gb_problem *p, cudaStream_t stream)
{
    return p->shape.descending ? sort_as<true, Key>(scratch, p, stream)
                               : sort_as<false, Key>(scratch, p, stream);
}

static cudaError_t sort(gb_cub_scratch *scratch, const gb_problem *p, cudaStream_t stream)
{
    switch (p->shape.type) {
    case RS_U32:
        return sort_type<uint32_t>(scratch, p, stream);
    case RS_U64:
        return sort_type<uint64_t>(scratch, p, stream);
    case RS_I32:
        return sort_type<int32_t>(scratch, p, stream);
    case RS_F32:
        return sort_type<float>(scratch, p, stream);
    }
    return cudaErrorInvalidValue;
}

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    gb_cub_scratch *scratch = (gb_cub_scratch *)calloc(1, sizeof *scratch);
    job->state = scratch;
    if (!scratch) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    GB_TRY(sort(scratch, job->problem, NULL), &job->error);
    /* not 0 bytes: without memory CUB would be asked for the size again, not for the work */
    return gb_job_malloc(job, &scratch->memory, scratch->bytes + 1, "the sort's scratch");
}

static gb_status run(gb_job *job, gb_stream stream)
{
    gb_cub_scratch *scratch = static_cast<gb_cub_scratch *>(job->state);
    if (job->problem->shape.n == 0) return GB_OK;
    GB_TRY(sort(scratch, job->problem, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    gb_cub_scratch *scratch = static_cast<gb_cub_scratch *>(job->state);
    if (!scratch) return;
    (void)cudaFree(scratch->memory);
    free(scratch);
    job->state = NULL;
}

#else

static gb_status run(gb_job *job, gb_stream)
{
    return gb_fail(&job->error, GB_UNSUPPORTED, GB_NEEDS_CUB);
}
static gb_status (*const prepare)(gb_job *) = NULL;
static void (*const cleanup)(gb_job *) = NULL;

#endif

extern "C" const gb_variant rs_cub_radix_sort = {
    "cub-radix-sort",
    "CUB's DeviceRadixSort on the bits that count",
    "NVIDIA CUB (CUDA Toolkit)",
    GB_STABLE | GB_CUDA_ONLY,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
