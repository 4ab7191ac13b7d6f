/* Baseline for any bin function: label each key with its bin, then CUB's radix sort of the labels,
 * in the narrowest type and on their bits only. Reduced-bit sort on today's best public sort. Bins
 * among limits are looked up in a table, as our own partitions do (tables.cuh). The values that
 * follow the labels are keys that are alone, 32-bit keys with their 32-bit payloads packed beside
 * them, or, where elements are wider, indexes by which they are gathered at the end.
 */
#include "common/cuda/cub_sort.cuh"
#include "kernels/multipartition/boundaries.cuh"
#include "kernels/multipartition/multisplit/multisplit.cuh"
#include "kernels/multipartition/tables.cuh"

static bool packs(const mp_shape *shape)
{
    return shape->key_bytes == 4 && shape->payload_bytes == 4;
}

static bool gathers(const mp_shape *shape)
{
    return shape->payload_bytes && !packs(shape);
}

static const char *unsupported(const gb_params *params, const gb_device *device)
{
    const mp_shape shape = mp_shape_of(params);
    const char *refusal = gb_cub_refuses(device, shape.n);
    if (refusal) return refusal;
    if (gathers(&shape) && shape.n > UINT32_MAX)
        return "with payload at most 2^32 - 1 keys, unless both are of 32 bits: the sorted values "
               "are 32-bit indexes";
    return NULL;
}

#if GB_HAS_CUB

/* Neither labels nor values are the caller's where elements are packed or gathered; keys that are
 * values themselves would have to be copied. The count is what there is to choose everywhere. */
static const char *instance(const gb_params *params, unsigned i)
{
    gb_cub_way way;
    return gb_cub_way_of(mp_shape_of(params).n, false, i, &way) ? gb_cub_way_name(&way) : NULL;
}

enum { MP_LABEL_THREADS = 256 };

typedef struct label_sort {
    gb_cub_sort cub;
    unsigned char *memory;
    void *labels_in, *labels_out;       /* n of 1, 2 or 4 bytes */
    uint64_t *packed_in, *packed_out;   /* payload << 32 | key; NULL unless packed */
    uint32_t *indexes_in, *indexes_out; /* NULL unless gathered */
    mp_tables tables;                   /* none unless bins are among limits */
} label_sort;

/* How a block finds the labels of its keys: by a function, each of them. */
template <class Function> struct mp_label_each {
    enum { THREADS = MP_LABEL_THREADS };
    Function function;
    __device__ __forceinline__ void prepare() const {}
    template <int ITEMS, class Key>
    __device__ __forceinline__ void operator()(const Key (&key)[ITEMS],
                                               unsigned (&label)[ITEMS]) const
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            label[i] = function(key[i]);
    }
};

/* By the limits' table, of which large blocks have a copy in shared memory; else where it is. */
template <bool COPIED> struct mp_label_by_table {
    enum { THREADS = COPIED ? 1024 : MP_LABEL_THREADS };
    mp_bin_data bin;
    mp_search search;
    __device__ __forceinline__ void prepare() const
    {
        if (!COPIED) return;
        mp_copy_table(search, 0);
        __syncthreads();
    }
    template <int ITEMS, class Key>
    __device__ __forceinline__ void operator()(const Key (&key)[ITEMS],
                                               unsigned (&label)[ITEMS]) const
    {
        mp_look_up(COPIED ? mp_copy_of(search) : search.table, bin, key, label);
    }
};

template <class T> struct alignas(4 * sizeof(T)) mp_four {
    T of[4];
};

/* A thread labels four neighbouring keys at a time. packed and indexes may be NULL. */
template <class Label, class Key, class Labels>
static __global__ void __launch_bounds__(Labels::THREADS)
    mp_label(const Key *__restrict__ keys, const uint32_t *__restrict__ payload, uint64_t n,
             Labels labels_of, Label *__restrict__ labels, uint64_t *__restrict__ packed,
             uint32_t *__restrict__ indexes)
{
    const uint64_t step = gb_stride(), fours = n / 4, thread = gb_first();
    labels_of.prepare();
    for (uint64_t i = thread; i < fours; i += step) {
        const mp_four<Key> key = reinterpret_cast<const mp_four<Key> *>(keys)[i];
        unsigned label[4];
        labels_of(key.of, label);
        reinterpret_cast<mp_four<Label> *>(labels)[i] =
            mp_four<Label>{{(Label)label[0], (Label)label[1], (Label)label[2], (Label)label[3]}};
        const uint32_t at = (uint32_t)(4 * i);
        if (indexes) reinterpret_cast<uint4 *>(indexes)[i] = make_uint4(at, at + 1, at + 2, at + 3);
        if (!packed) continue;
        const uint4 with = reinterpret_cast<const uint4 *>(payload)[i];
        packed[4 * i] = (uint64_t)with.x << 32 | key.of[0];
        packed[4 * i + 1] = (uint64_t)with.y << 32 | key.of[1];
        packed[4 * i + 2] = (uint64_t)with.z << 32 | key.of[2];
        packed[4 * i + 3] = (uint64_t)with.w << 32 | key.of[3];
    }
    const uint64_t rest = 4 * fours + thread;
    if (rest >= n) return;
    const Key key[1] = {keys[rest]};
    unsigned label[1];
    labels_of(key, label);
    labels[rest] = (Label)label[0];
    if (indexes) indexes[rest] = (uint32_t)rest;
    if (packed) packed[rest] = (uint64_t)payload[rest] << 32 | keys[rest];
}

static __global__ void __launch_bounds__(MP_LABEL_THREADS)
    mp_unpack(const uint64_t *__restrict__ packed, uint64_t n, uint32_t *__restrict__ keys,
              uint32_t *__restrict__ payload)
{
    const uint64_t step = (uint64_t)gridDim.x * MP_LABEL_THREADS;
    for (uint64_t i = (uint64_t)blockIdx.x * MP_LABEL_THREADS + threadIdx.x; i < n; i += step) {
        keys[i] = (uint32_t)packed[i];
        payload[i] = (uint32_t)(packed[i] >> 32);
    }
}

template <class Key, class Payload>
static __global__ void __launch_bounds__(MP_LABEL_THREADS)
    mp_gather(const uint32_t *__restrict__ indexes, uint64_t n, const Key *__restrict__ keys_in,
              const Payload *__restrict__ payload_in, Key *__restrict__ keys_out,
              Payload *__restrict__ payload_out)
{
    const uint64_t step = (uint64_t)gridDim.x * MP_LABEL_THREADS;
    for (uint64_t i = (uint64_t)blockIdx.x * MP_LABEL_THREADS + threadIdx.x; i < n; i += step) {
        keys_out[i] = keys_in[indexes[i]];
        payload_out[i] = payload_in[indexes[i]];
    }
}

template <class Key, class Payload>
static cudaError_t gather_as(const label_sort *sort, const gb_problem *problem, dim3 grid,
                             cudaStream_t stream)
{
    return launch(mp_gather<Key, Payload>, grid, dim3(MP_LABEL_THREADS), 0, stream,
                  sort->indexes_out, problem->shape.n,
                  reinterpret_cast<const Key *>(problem->keys_in),
                  reinterpret_cast<const Payload *>(problem->payload_in),
                  reinterpret_cast<Key *>(problem->keys_out),
                  reinterpret_cast<Payload *>(problem->payload_out));
}

template <class Key>
static cudaError_t gather(const label_sort *sort, const gb_problem *problem, dim3 grid,
                          cudaStream_t stream)
{
    if (problem->shape.payload_bytes == 4)
        return gather_as<Key, uint32_t>(sort, problem, grid, stream);
    if (problem->shape.payload_bytes == 8)
        return gather_as<Key, uint64_t>(sort, problem, grid, stream);
    return gather_as<Key, uint4>(sort, problem, grid, stream);
}

template <class Label> static void set_sort(label_sort *sort, const gb_problem *problem)
{
    gb_cub_sort *cub = &sort->cub;
    const bool wide =
        packs(&problem->shape) || (problem->shape.key_bytes == 8 && !gathers(&problem->shape));
    cub->keys_in = sort->labels_in;
    cub->keys_out = sort->labels_out;
    cub->values_in = sort->packed_in    ? (const void *)sort->packed_in
                     : sort->indexes_in ? (const void *)sort->indexes_in
                                        : problem->keys_in;
    cub->values_out = sort->packed_out    ? (void *)sort->packed_out
                      : sort->indexes_out ? (void *)sort->indexes_out
                                          : problem->keys_out;
    cub->n = problem->shape.n;
    cub->end_bit = (int)ms_bits(problem->shape.bins);
    cub->sort = wide ? gb_cub_sort_pairs<false, Label, uint64_t>
                     : gb_cub_sort_pairs<false, Label, uint32_t>;
}

/* Calls go(label) with a zero of the narrowest type that holds the labels. */
template <class Go> static auto with_label(uint32_t bins, Go &&go)
{
    if (bins <= 1u << 8) return go((unsigned char)0);
    if (bins <= 1u << 16) return go((unsigned short)0);
    return go(0u);
}

/* The largest table that a block may have a copy of, bytes: two blocks share a multiprocessor, or
 * the copy of one has most of its memory. */
static size_t most_copied(const gb_device *device)
{
    return device->shared_optin / 4 * 3;
}

static gb_status prepare(gb_job *job)
{
    const mp_shape *shape = &job->problem->shape;
    label_sort *sort = mp_new_state<label_sort>(job);
    if (!sort) return GB_OUT_OF_MEMORY;
    const size_t width = shape->bins <= 1u << 8 ? 1 : shape->bins <= 1u << 16 ? 2 : 4;
    const size_t labels = (shape->n * width + 255) / 256 * 256 + 256;
    const size_t value = packs(shape) ? sizeof(uint64_t) : gathers(shape) ? sizeof(uint32_t) : 0;
    const size_t values = (shape->n * value + 255) / 256 * 256;
    if (shape->function == MP_SPLITTERS)
        sort->tables = mp_table_of_all(shape->bins, most_copied(job->device) / 2);
    GB_TRY(cudaMalloc((void **)&sort->memory,
                      2 * labels + 2 * values + sizeof(unsigned) * sort->tables.words),
           &job->error);
    sort->tables.memory = reinterpret_cast<unsigned *>(sort->memory + 2 * labels + 2 * values);
    sort->labels_in = sort->memory;
    sort->labels_out = sort->memory + labels;
    unsigned char *values_in = sort->memory + 2 * labels;
    if (packs(shape)) {
        sort->packed_in = reinterpret_cast<uint64_t *>(values_in);
        sort->packed_out = reinterpret_cast<uint64_t *>(values_in + values);
    }
    if (gathers(shape)) {
        sort->indexes_in = reinterpret_cast<uint32_t *>(values_in);
        sort->indexes_out = reinterpret_cast<uint32_t *>(values_in + values);
    }
    with_label(shape->bins, [&](auto label) { set_sort<decltype(label)>(sort, job->problem); });
    (void)gb_cub_way_of(shape->n, false, job->instance, &sort->cub.way);
    return gb_cub_open(job, &sort->cub);
}

/* Queues the labelling of all keys; shared: bytes of dynamic shared memory. */
template <class Key, class Labels>
static gb_status queue_labels(gb_job *job, const Labels &labels_of, size_t shared,
                              cudaStream_t stream)
{
    const gb_problem *problem = job->problem;
    const label_sort *sort = static_cast<const label_sort *>(job->state);
    const unsigned blocks = job->device->sms * (2048 / Labels::THREADS);
    return with_label(problem->shape.bins, [&](auto label) {
        using Label = decltype(label);
        const auto kernel = mp_label<Label, Key, Labels>;
        const gb_status status = gb_allow_shared(kernel, shared, &job->error);
        if (status) return status;
        GB_TRY(launch(kernel, dim3(blocks), dim3(Labels::THREADS), shared, stream,
                      reinterpret_cast<const Key *>(problem->keys_in), problem->payload_in,
                      problem->shape.n, labels_of, static_cast<Label *>(sort->labels_in),
                      sort->packed_in, sort->indexes_in),
               &job->error);
        return GB_OK;
    });
}

template <class Key, class Function>
static gb_status label(gb_job *job, const Function &function, cudaStream_t stream)
{
    return queue_labels<Key>(job, mp_label_each<Function>{function}, 0, stream);
}

/* Among limits, whose table is made first. */
template <class Key>
static gb_status label(gb_job *job, const mp_bin_of<MP_SPLITTERS> &function, cudaStream_t stream)
{
    const mp_tables &tables = static_cast<const label_sort *>(job->state)->tables;
    const size_t bytes = sizeof(unsigned) * tables.words;
    GB_TRY(launch(mp_make_tables<Key>, gb_grid(job->device, (uint64_t)1 << tables.log),
                  dim3(GB_GRID_THREADS), 0, stream, tables, function.data),
           &job->error);
    if (bytes > most_copied(job->device))
        return queue_labels<Key>(
            job, mp_label_by_table<false>{function.data, {tables.memory, tables.words, 0}}, 0,
            stream);
    enum { BEHIND = 16 }; /* where a copy begins, which is not 0 */
    return queue_labels<Key>(
        job, mp_label_by_table<true>{function.data, {tables.memory, tables.words, BEHIND}},
        BEHIND + bytes, stream);
}

template <class Key, class Function>
static gb_status run_on(gb_job *job, Function function, cudaStream_t stream)
{
    gb_problem *problem = job->problem;
    label_sort *sort = static_cast<label_sort *>(job->state);
    const mp_shape *shape = &problem->shape;
    const dim3 grid(job->device->sms * 8), block(MP_LABEL_THREADS);
    const gb_status status = label<Key>(job, function, stream);
    if (status) return status;
    GB_TRY(sort->cub.sort(&sort->cub, stream), &job->error);
    if (packs(shape))
        GB_TRY(launch(mp_unpack, grid, block, 0, stream, sort->packed_out, shape->n,
                      problem->keys_out, problem->payload_out),
               &job->error);
    if (gathers(shape)) GB_TRY(gather<Key>(sort, problem, grid, stream), &job->error);
    return mp_write_boundaries<Key>(problem, function, stream, &job->error);
}

static gb_status run(gb_job *job, gb_stream opaque)
{
    cudaStream_t stream = gb_cuda_stream(opaque);
    gb_problem *problem = job->problem;
    if (mp_nothing_to_do(problem, stream)) return GB_OK;
    return mp_with_function(problem, [&](auto function) {
        return problem->shape.key_bytes == 8 ? run_on<uint64_t>(job, function, stream)
                                             : run_on<uint32_t>(job, function, stream);
    });
}

static void cleanup(gb_job *job)
{
    label_sort *sort = static_cast<label_sort *>(job->state);
    if (!sort) return;
    if (sort->memory) cudaFree(sort->memory);
    gb_cub_close(&sort->cub);
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
static const char *(*const instance)(const gb_params *, unsigned) = NULL;

#endif

#if defined(GB_CUB_LATEST)
#define VARIANT mp_cub_label_sort_latest
#define NAME "cub-label-sort-latest"
#else
#define VARIANT mp_cub_label_sort
#define NAME "cub-label-sort"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,
    "keys labelled by bin, CUB's DeviceRadixSort of (label, key) on the labels' bits, the fastest "
    "of "
    "its instances; wider elements gathered by sorted indexes",
    GB_CUB_ORIGIN,
    GB_STABLE | GB_CUDA_ONLY,
    unsupported,
    prepare,
    NULL,
    run,
    cleanup,
    NULL,
    instance,
};
