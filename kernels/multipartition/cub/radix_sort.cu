/* Baseline: CUB's radix sort on just the bits that are the bin, where the bin function is a field
 * of bits: range with a power of two of bins (the top bits), modulo likewise (the low bits); called
 * in whichever way is the fastest. */
#include "common/cuda/cub_sort.cuh"
#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/multisplit/multisplit.cuh"

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const mp_shape shape = mp_shape_of(params);
    const char *refusal = gb_cub_refuses(device, shape.n);
    if (refusal) return refusal;
    if (shape.function != MP_RANGE && shape.function != MP_MODULO)
        return "the bin is no field of the key's bits: only range and modulo can be";
    if (shape.bins & (shape.bins - 1))
        return "the bin is no field of the key's bits: only powers of two give one";
    return NULL;
}

#if GB_HAS_CUB

static const char *instance(const gb_params *params, unsigned i)
{
    gb_cub_way way;
    return gb_cub_way_of(mp_shape_of(params).n, true, i, &way) ? gb_cub_way_name(&way) : NULL;
}

typedef cudaError_t (*typed_sort)(gb_cub_sort *, cudaStream_t);

template <class Key> static typed_sort sort_of_key(unsigned payload_bytes)
{
    switch (payload_bytes) {
    case 4:
        return gb_cub_sort_pairs<false, Key, uint32_t>;
    case 8:
        return gb_cub_sort_pairs<false, Key, uint64_t>;
    case 16:
        return gb_cub_sort_pairs<false, Key, uint4>;
    default:
        return gb_cub_sort_keys<false, Key>;
    }
}

static gb_status prepare(gb_job *job)
{
    gb_cub_sort *sort = mp_new_state<gb_cub_sort>(job);
    if (!sort) return GB_OUT_OF_MEMORY;
    const gb_problem *p = job->problem;
    const mp_shape *shape = &p->shape;
    const int bits = (int)ms_bits(shape->bins), width = 8 * (int)shape->key_bytes;
    sort->keys_in = p->keys_in;
    sort->keys_out = p->keys_out;
    sort->values_in = p->payload_in;
    sort->values_out = p->payload_out;
    sort->key_bytes = shape->key_bytes;
    sort->value_bytes = shape->payload_bytes;
    sort->n = shape->n;
    sort->begin_bit = shape->function == MP_RANGE ? width - bits : 0;
    sort->end_bit = shape->function == MP_RANGE ? width : bits;
    sort->sort = shape->key_bytes == 8 ? sort_of_key<uint64_t>(shape->payload_bytes)
                                       : sort_of_key<uint32_t>(shape->payload_bytes);
    (void)gb_cub_way_of(shape->n, true, job->instance, &sort->way);
    return gb_cub_open(job, sort);
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    GB_TRY(gb_cub_restore(static_cast<gb_cub_sort *>(job->state), gb_cuda_stream(stream)),
           &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    gb_cub_sort *sort = static_cast<gb_cub_sort *>(job->state);
    GB_TRY(sort->sort(sort, stream), &job->error);
    return mp_with_function(problem, [&](auto function) {
        return problem->shape.key_bytes == 8
                   ? mp_write_boundaries<uint64_t>(problem, function, stream, &job->error)
                   : mp_write_boundaries<uint32_t>(problem, function, stream, &job->error);
    });
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
#define VARIANT mp_cub_radix_sort_latest
#define NAME "cub-radix-sort-latest"
#else
#define VARIANT mp_cub_radix_sort
#define NAME "cub-radix-sort"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,
    "CUB's DeviceRadixSort on the bits that are the bin, the fastest of its instances",
    GB_CUB_ORIGIN,
    GB_STABLE | GB_CUDA_ONLY,
    unsupported,
    prepare,
    reset,
    run,
    cleanup,
    NULL,
    instance,
};
