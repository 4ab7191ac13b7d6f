/* Baseline: CUB's radix sort on just the bits that are the bin, where the bin function is a field
 * of bits: range with a power of two of bins (the top bits), modulo likewise (the low bits). */
#include "common/cuda/cub_sort.cuh"
#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/multisplit.cuh"

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

#if defined(__CUDACC__)

typedef struct field {
    int begin, end; /* the key's bits that are the bin */
} field;

static field field_of(const mp_shape *shape)
{
    const int bits = (int)ms_bits(shape->bins);
    const int width = 8 * (int)shape->key_bytes;
    if (shape->function == MP_RANGE) return field{width - bits, width};
    return field{0, bits};
}

template <class Key, class Value>
static cudaError_t sort_pairs(gb_cub_scratch *scratch, const gb_problem *problem,
                              cudaStream_t stream)
{
    const field bits = field_of(&problem->shape);
    return gb_cub_sort_pairs(scratch, reinterpret_cast<const Key *>(problem->keys_in),
                             reinterpret_cast<Key *>(problem->keys_out),
                             reinterpret_cast<const Value *>(problem->payload_in),
                             reinterpret_cast<Value *>(problem->payload_out), problem->shape.n,
                             bits.begin, bits.end, stream);
}

template <class Key>
static cudaError_t sort_by(gb_cub_scratch *scratch, const gb_problem *problem, cudaStream_t stream)
{
    const field bits = field_of(&problem->shape);
    switch (problem->shape.payload_bytes) {
    case 4:
        return sort_pairs<Key, uint32_t>(scratch, problem, stream);
    case 8:
        return sort_pairs<Key, uint64_t>(scratch, problem, stream);
    case 16:
        return sort_pairs<Key, uint4>(scratch, problem, stream);
    default:
        return gb_cub_sort_keys(scratch, reinterpret_cast<const Key *>(problem->keys_in),
                                reinterpret_cast<Key *>(problem->keys_out), problem->shape.n,
                                bits.begin, bits.end, stream);
    }
}

static cudaError_t sort(gb_cub_scratch *scratch, const gb_problem *problem, cudaStream_t stream)
{
    return problem->shape.key_bytes == 8 ? sort_by<uint64_t>(scratch, problem, stream)
                                         : sort_by<uint32_t>(scratch, problem, stream);
}

static gb_status prepare(gb_job *job)
{
    gb_cub_scratch *scratch = mp_new_state<gb_cub_scratch>(job);
    if (!scratch) return GB_OUT_OF_MEMORY;
    GB_TRY(sort(scratch, job->problem, NULL), &job->error);
    GB_TRY(cudaMalloc(&scratch->memory, scratch->bytes + 1), &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    GB_TRY(sort(static_cast<gb_cub_scratch *>(job->state), problem, stream), &job->error);
    return mp_with_function(problem, [&](auto function) {
        return problem->shape.key_bytes == 8
                   ? mp_write_boundaries<uint64_t>(problem, function, stream, &job->error)
                   : mp_write_boundaries<uint32_t>(problem, function, stream, &job->error);
    });
}

static void cleanup(gb_job *job)
{
    gb_cub_scratch *scratch = static_cast<gb_cub_scratch *>(job->state);
    if (!scratch) return;
    if (scratch->memory) cudaFree(scratch->memory);
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

extern "C" const gb_variant mp_cub_radix_sort = {
    "cub-radix-sort",
    "CUB's DeviceRadixSort on the bits that are the bin",
    "NVIDIA CUB (CUDA Toolkit)",
    GB_STABLE | GB_CUDA_ONLY,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
