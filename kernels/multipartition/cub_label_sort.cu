/* Baseline for any bin function: label each key with its bin, then CUB's radix sort of the labels,
 * in the narrowest type and on their bits only, with the key (and payload, packed beside it) as
 * value. Reduced-bit sort on today's best public sort. */
#include "common/cuda/cub_sort.cuh"
#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/multisplit.cuh"

static const char *unsupported(const gb_params *, const gb_device *device)
{
    if (strcmp(device->backend, "cuda") != 0) return GB_NEEDS_CUB;
    return NULL;
}

#if defined(__CUDACC__)

enum { MP_LABEL_THREADS = 256 };

typedef struct label_sort {
    gb_cub_scratch scratch;
    unsigned char *memory;
    void *labels_in, *labels_out;               /* n of 1, 2 or 4 bytes */
    unsigned long long *packed_in, *packed_out; /* payload << 32 | key; NULL without payload */
} label_sort;

template <class Label> struct alignas(4 * sizeof(Label)) four_labels {
    Label label[4];
};

/* A thread labels four neighbouring keys at a time. packed may be NULL. */
template <class Label, class Function>
__global__ void __launch_bounds__(MP_LABEL_THREADS)
    mp_label(const uint32_t *__restrict__ keys, const uint32_t *__restrict__ payload, uint64_t n,
             Function function, Label *__restrict__ labels, unsigned long long *__restrict__ packed)
{
    const uint64_t step = (uint64_t)gridDim.x * MP_LABEL_THREADS, fours = n / 4;
    const uint64_t thread = (uint64_t)blockIdx.x * MP_LABEL_THREADS + threadIdx.x;
    for (uint64_t i = thread; i < fours; i += step) {
        const uint4 key = reinterpret_cast<const uint4 *>(keys)[i];
        reinterpret_cast<four_labels<Label> *>(labels)[i] =
            four_labels<Label>{{(Label)function(key.x), (Label)function(key.y),
                                (Label)function(key.z), (Label)function(key.w)}};
        if (!packed) continue;
        const uint4 with = reinterpret_cast<const uint4 *>(payload)[i];
        packed[4 * i] = (unsigned long long)with.x << 32 | key.x;
        packed[4 * i + 1] = (unsigned long long)with.y << 32 | key.y;
        packed[4 * i + 2] = (unsigned long long)with.z << 32 | key.z;
        packed[4 * i + 3] = (unsigned long long)with.w << 32 | key.w;
    }
    const uint64_t rest = 4 * fours + thread;
    if (rest >= n) return;
    labels[rest] = (Label)function(keys[rest]);
    if (packed) packed[rest] = (unsigned long long)payload[rest] << 32 | keys[rest];
}

__global__ void __launch_bounds__(MP_LABEL_THREADS)
    mp_unpack(const unsigned long long *__restrict__ packed, uint64_t n,
              uint32_t *__restrict__ keys, uint32_t *__restrict__ payload)
{
    const uint64_t step = (uint64_t)gridDim.x * MP_LABEL_THREADS;
    for (uint64_t i = (uint64_t)blockIdx.x * MP_LABEL_THREADS + threadIdx.x; i < n; i += step) {
        keys[i] = (uint32_t)packed[i];
        payload[i] = (uint32_t)(packed[i] >> 32);
    }
}

template <class Label>
static cudaError_t sort_labels(label_sort *sort, const gb_problem *problem, cudaStream_t stream)
{
    const Label *in = static_cast<const Label *>(sort->labels_in);
    Label *out = static_cast<Label *>(sort->labels_out);
    const int bits = (int)ms_bits(problem->shape.bins);
    if (problem->shape.payload)
        return gb_cub_sort_pairs(&sort->scratch, in, out, sort->packed_in, sort->packed_out,
                                 problem->shape.n, 0, bits, stream);
    return gb_cub_sort_pairs(&sort->scratch, in, out, problem->keys_in, problem->keys_out,
                             problem->shape.n, 0, bits, stream);
}

/* Calls go(label) with a zero of the narrowest type that holds the labels. */
template <class Go> static auto with_label(uint32_t bins, Go &&go)
{
    if (bins <= 1u << 8) return go((unsigned char)0);
    if (bins <= 1u << 16) return go((unsigned short)0);
    return go(0u);
}

static gb_status prepare(gb_job *job)
{
    const mp_shape *shape = &job->problem->shape;
    label_sort *sort = mp_new_state<label_sort>(job);
    if (!sort) return GB_OUT_OF_MEMORY;
    const size_t width = shape->bins <= 1u << 8 ? 1 : shape->bins <= 1u << 16 ? 2 : 4;
    const size_t labels = (shape->n * width + 255) / 256 * 256 + 256;
    const size_t packed = shape->payload ? shape->n * 8 + 256 : 0;
    GB_TRY(cudaMalloc((void **)&sort->memory, 2 * labels + 2 * packed), &job->error);
    sort->labels_in = sort->memory;
    sort->labels_out = sort->memory + labels;
    if (packed) {
        sort->packed_in = reinterpret_cast<unsigned long long *>(sort->memory + 2 * labels);
        sort->packed_out = sort->packed_in + shape->n;
    }
    GB_TRY(with_label(
               shape->bins,
               [&](auto label) { return sort_labels<decltype(label)>(sort, job->problem, NULL); }),
           &job->error);
    GB_TRY(cudaMalloc(&sort->scratch.memory, sort->scratch.bytes + 1), &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    label_sort *sort = static_cast<label_sort *>(job->state);
    const mp_shape *shape = &problem->shape;
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    const dim3 grid(job->device->sms * 8), block(MP_LABEL_THREADS);
    return mp_with_function(problem, [&](auto function) {
        GB_TRY(with_label(shape->bins,
                          [&](auto label) {
                              using Label = decltype(label);
                              cudaError_t code = launch(
                                  mp_label<Label, decltype(function)>, grid, block, 0, stream,
                                  problem->keys_in, problem->payload_in, shape->n, function,
                                  static_cast<Label *>(sort->labels_in), sort->packed_in);
                              if (code != cudaSuccess) return code;
                              return sort_labels<Label>(sort, problem, stream);
                          }),
               &job->error);
        if (shape->payload)
            GB_TRY(launch(mp_unpack, grid, block, 0, stream, sort->packed_out, shape->n,
                          problem->keys_out, problem->payload_out),
                   &job->error);
        return mp_write_boundaries(problem, function, stream, &job->error);
    });
}

static void cleanup(gb_job *job)
{
    label_sort *sort = static_cast<label_sort *>(job->state);
    if (!sort) return;
    if (sort->memory) cudaFree(sort->memory);
    if (sort->scratch.memory) cudaFree(sort->scratch.memory);
    free(sort);
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

extern "C" const gb_variant mp_cub_label_sort = {
    "cub-label-sort",
    "keys labelled by bin, CUB's DeviceRadixSort of (label, key) on the labels' bits",
    "NVIDIA CUB (CUDA Toolkit)",
    GB_STABLE | GB_CUDA_ONLY,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
};
