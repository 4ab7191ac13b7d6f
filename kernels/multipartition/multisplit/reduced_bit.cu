/* Reduced-bit sort (Ashkiani et al. 2017): label each key with its bin, then sort the
 * labels, stably and on their ceil(log2 m) bits only, the keys following as values. For any number
 * of bins. The sort here is made of block-level multisplit passes over digits of the label, at most
 * 8 bits each; the same idea on CUB's radix sort is the variant cub-label-sort.
 *
 * With payload the values are indexes, and keys and payload are gathered at the end. */
#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/multisplit/block.cuh"

enum { MS_DIGIT_BITS = 8, MS_LABEL_THREADS = 256 };

/* One digit of a label, as a bin function. */
struct ms_digit {
    mp_bin_data data; /* bins: the digit's values */
    unsigned shift;
    __device__ __forceinline__ unsigned operator()(uint32_t label) const
    {
        return (label >> shift) & (data.bins - 1);
    }
};

typedef struct ms_sort {
    ms_matrix matrix;
    uint32_t *labels[2], *values[2]; /* n each; values[1] only where passes or payload need it */
    uint32_t *memory;
    unsigned passes, digit_bits;
} ms_sort;

template <class Function>
__global__ void __launch_bounds__(MS_LABEL_THREADS)
    ms_label(const uint32_t *__restrict__ keys, uint64_t n, Function function,
             uint32_t *__restrict__ labels, uint32_t *__restrict__ indexes)
{
    const uint64_t step = (uint64_t)gridDim.x * MS_LABEL_THREADS;
    for (uint64_t i = (uint64_t)blockIdx.x * MS_LABEL_THREADS + threadIdx.x; i < n; i += step) {
        labels[i] = function(keys[i]);
        if (indexes) indexes[i] = (uint32_t)i;
    }
}

__global__ void __launch_bounds__(MS_LABEL_THREADS)
    ms_gather(const uint32_t *__restrict__ indexes, uint64_t n,
              const uint32_t *__restrict__ keys_in, const uint32_t *__restrict__ payload_in,
              uint32_t *__restrict__ keys_out, uint32_t *__restrict__ payload_out)
{
    const uint64_t step = (uint64_t)gridDim.x * MS_LABEL_THREADS;
    for (uint64_t i = (uint64_t)blockIdx.x * MS_LABEL_THREADS + threadIdx.x; i < n; i += step) {
        keys_out[i] = keys_in[indexes[i]];
        payload_out[i] = payload_in[indexes[i]];
    }
}

static gb_status prepare(gb_job *job)
{
    const mp_shape *shape = &job->problem->shape;
    ms_sort *sort = mp_new_state<ms_sort>(job);
    if (!sort) return GB_OUT_OF_MEMORY;
    unsigned bits = ms_bits(shape->bins);
    if (bits == 0) bits = 1;
    sort->passes = (bits + MS_DIGIT_BITS - 1) / MS_DIGIT_BITS;
    sort->digit_bits = (bits + sort->passes - 1) / sort->passes;
    gb_status status =
        ms_matrix_open(&sort->matrix, shape->n, 1u << sort->digit_bits, MS_TILE, &job->error);
    if (status != GB_OK) return status;
    const uint64_t n = (shape->n + 3) / 4 * 4 + 4;
    GB_TRY(cudaMalloc((void **)&sort->memory, 4 * 4 * n), &job->error);
    for (int i = 0; i < 2; i++) {
        sort->labels[i] = sort->memory + i * n;
        sort->values[i] = sort->memory + (2 + i) * n;
    }
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    const ms_sort *sort = static_cast<ms_sort *>(job->state);
    const mp_shape *shape = &problem->shape;
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    const dim3 grid(job->device->sms * 8), block(MS_LABEL_THREADS);
    return mp_with_types(problem, [&](auto function, auto position) {
        GB_TRY(launch(ms_label<decltype(function)>, grid, block, 0, stream, problem->keys_in,
                      shape->n, function, sort->labels[0],
                      shape->payload_bytes ? sort->values[0] : nullptr),
               &job->error);
        ms_arrays arrays = {sort->labels[0],
                            shape->payload_bytes ? sort->values[0] : problem->keys_in,
                            sort->labels[1], sort->values[1], NULL};
        for (unsigned pass = 0; pass < sort->passes; pass++) {
            const bool last = pass + 1 == sort->passes;
            if (last) arrays.keys_out = NULL;
            if (last && !shape->payload_bytes) arrays.payload_out = problem->keys_out;
            const ms_digit digit = {{1u << sort->digit_bits, 0, 0, 0, NULL, NULL},
                                    pass * sort->digit_bits};
            gb_status status = ms_block_pass(&arrays, shape->n, &sort->matrix, digit, position,
                                             stream, &job->error);
            if (status != GB_OK) return status;
            /* what was written is the next pass's input; the other half is free */
            const unsigned now = (pass + 1) & 1;
            arrays.keys_in = sort->labels[now];
            arrays.payload_in = sort->values[now];
            arrays.keys_out = sort->labels[now ^ 1];
            arrays.payload_out = sort->values[now ^ 1];
        }
        if (shape->payload_bytes)
            GB_TRY(launch(ms_gather, grid, block, 0, stream, arrays.payload_in, shape->n,
                          problem->keys_in, problem->payload_in, problem->keys_out,
                          problem->payload_out),
                   &job->error);
        return mp_write_boundaries(problem, function, stream, &job->error);
    });
}

static void cleanup(gb_job *job)
{
    ms_sort *sort = static_cast<ms_sort *>(job->state);
    if (!sort) return;
    ms_matrix_close(&sort->matrix);
    if (sort->memory) cudaFree(sort->memory);
    free(sort);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    const mp_shape shape = mp_shape_of(params);
    if (shape.payload_bytes && shape.n > UINT32_MAX)
        return gb_reason(
            "with payload at most 2^32 - 1 keys: the sorted values are 32-bit indexes");
    return mp_narrow_only(params);
}

extern "C" const gb_variant mp_multisplit_reduced_bit = {
    "multisplit-reduced-bit",
    "reduced-bit sort: keys labelled by bin, sorted on the labels' bits by block-level passes",
    "Ashkiani et al. 2017",
    GB_STABLE,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
    "it is written from the authors' description, not from their code: labels are sorted by "
    "block-level passes of our own, where they call a library's radix sort",
    NULL,
};
