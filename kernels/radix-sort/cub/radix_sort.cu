/* Baseline: CUB's radix sort, the fastest public one that comes with the toolkit, of the keys as
 * what they are (floats as floats), on the bits that count; called in whichever way is the fastest.
 */
#include "common/cuda/cub_sort.cuh"
#include "kernels/radix-sort/variants.h"

#include <stdlib.h>
#include <string.h>

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    return gb_cub_refuses(device, rs_shape_of(params).n);
}

#if GB_HAS_CUB

static const char *instance(const gb_params *params, unsigned i)
{
    gb_cub_way way;
    return gb_cub_way_of(rs_shape_of(params).n, true, i, &way) ? gb_cub_way_name(&way) : NULL;
}

typedef cudaError_t (*typed_sort)(gb_cub_sort *, cudaStream_t);

template <class Key, class Value> static typed_sort sort_of_pairs(const rs_shape *shape)
{
    return shape->descending ? gb_cub_sort_pairs<true, Key, Value>
                             : gb_cub_sort_pairs<false, Key, Value>;
}

template <class Key> static typed_sort sort_of_type(const rs_shape *shape)
{
    switch (shape->payload) {
    case 0:
        return shape->descending ? gb_cub_sort_keys<true, Key> : gb_cub_sort_keys<false, Key>;
    case 4:
        return sort_of_pairs<Key, uint32_t>(shape);
    case 8:
        return sort_of_pairs<Key, uint64_t>(shape);
    default:
        return sort_of_pairs<Key, uint4>(shape);
    }
}

static typed_sort sort_of(const rs_shape *shape)
{
    switch (shape->type) {
    case RS_U64:
        return sort_of_type<uint64_t>(shape);
    case RS_I32:
        return sort_of_type<int32_t>(shape);
    case RS_F32:
        return sort_of_type<float>(shape);
    case RS_I64:
        return sort_of_type<int64_t>(shape);
    case RS_F64:
        return sort_of_type<double>(shape);
    default:
        return sort_of_type<uint32_t>(shape);
    }
}

static gb_status prepare(gb_job *job)
{
    gb_status status = rs_problem_device(job);
    if (status != GB_OK) return status;
    gb_cub_sort *sort = (gb_cub_sort *)calloc(1, sizeof *sort);
    job->state = sort;
    if (!sort) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for the job");
    const gb_problem *p = job->problem;
    const rs_shape *shape = &p->shape;
    sort->keys_in = p->keys_in;
    sort->keys_out = p->keys_out;
    sort->values_in = p->payload_in;
    sort->values_out = p->payload_out;
    sort->key_bytes = rs_key_bytes(shape->type);
    sort->value_bytes = shape->payload;
    sort->n = shape->n;
    sort->begin_bit = (int)shape->begin_bit;
    sort->end_bit = (int)shape->end_bit;
    sort->sort = sort_of(shape);
    (void)gb_cub_way_of(shape->n, true, job->instance, &sort->way);
    return gb_cub_open(job, sort);
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    GB_TRY(gb_cub_restore(static_cast<gb_cub_sort *>(job->state), gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    gb_cub_sort *sort = static_cast<gb_cub_sort *>(job->state);
    if (sort->n == 0) return GB_OK;
    GB_TRY(sort->sort(sort, gb_cuda_stream(stream)), &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    gb_cub_sort *sort = static_cast<gb_cub_sort *>(job->state);
    if (!sort) return;
    gb_cub_close(sort);
    free(sort);
    job->state = NULL;
}

#else

static gb_status run(gb_job *job, gb_stream)
{
    return gb_fail(&job->error, GB_UNSUPPORTED, GB_NEEDS_CUB);
}
static gb_status (*const prepare)(gb_job *) = NULL;
static gb_status (*const reset)(gb_job *, gb_stream) = NULL;
static void (*const cleanup)(gb_job *) = NULL;
static const char *(*const instance)(const gb_params *, unsigned) = NULL;

#endif

#if defined(GB_CUB_LATEST)
#define VARIANT rs_cub_radix_sort_latest
#define NAME "cub-radix-sort-latest"
#else
#define VARIANT rs_cub_radix_sort
#define NAME "cub-radix-sort"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,          "CUB's DeviceRadixSort on the bits that count, the fastest of its instances",
    GB_CUB_ORIGIN, GB_STABLE | GB_CUDA_ONLY,
    unsupported,   prepare,
    reset,         run,
    cleanup,       NULL,
    instance,
};
