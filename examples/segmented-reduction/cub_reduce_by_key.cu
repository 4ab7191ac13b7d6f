/* Baseline: cub::DeviceReduce::ReduceByKey over values whose key is the number of their segment, as
 * who has coordinates in place of offsets would. It reads 4 bytes more an element, which are made
 * beforehand, and offsets not at all. Empty segments have no key: where there are any, sums go to
 * an array of CUB's results and from there to their places, of which all others are cleared before.
 */
#include "cub.cuh"

#if GB_HAS_CUB

#include "common/cuda/grid.cuh"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/discard_iterator.h>

enum { KEYS, RUNS, FOUND }; /* FOUND: keys that there are, then their sums */

struct add {
    template <class T> __host__ __device__ __forceinline__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

static const char *instance(const gb_params *params, unsigned i)
{
    gb_cub_way way;
    return gb_cub_way_of(sr_shape_of(params).n, false, i, &way) ? gb_cub_way_name(&way) : NULL;
}

template <class T> static T *sums_found(const sr_cub *c)
{
    return static_cast<T *>(c->own[FOUND]);
}
template <class T> static uint32_t *keys_found(const sr_cub *c)
{
    return reinterpret_cast<uint32_t *>(sums_found<T>(c) + c->problem->shape.segments);
}

template <class T, class Count> static cudaError_t reduce(sr_cub *c, Count n, cudaStream_t stream)
{
    const gb_problem *p = c->problem;
    const uint32_t *keys = static_cast<const uint32_t *>(c->own[KEYS]);
    const T *values = static_cast<const T *>(p->values);
    unsigned *runs = static_cast<unsigned *>(c->own[RUNS]);
    if (c->own[FOUND])
        return cub::DeviceReduce::ReduceByKey(c->memory, c->bytes, keys, keys_found<T>(c), values,
                                              sums_found<T>(c), runs, add(), n, stream);
    return cub::DeviceReduce::ReduceByKey(c->memory, c->bytes, keys,
                                          thrust::make_discard_iterator(), values,
                                          static_cast<T *>(p->sums), runs, add(), n, stream);
}

template <class T>
static __global__ void put(const uint32_t *keys, const T *found, const unsigned *runs, T *sums)
{
    for (uint64_t i = gb_first(); i < *runs; i += gb_stride())
        sums[keys[i]] = found[i];
}

template <class T> static cudaError_t sum(sr_cub *c, cudaStream_t stream)
{
    const sr_shape *shape = &c->problem->shape;
    gb_cub_way way;
    (void)gb_cub_way_of(shape->n, false, c->instance, &way);
    T *sums = static_cast<T *>(c->problem->sums);
    cudaError_t code = cudaSuccess;
    if (c->memory && c->own[FOUND])
        code = cudaMemsetAsync(sums, 0, shape->segments * sizeof(T), stream);
    if (c->memory && shape->n == 0) return code;
    if (code == cudaSuccess)
        code = way.wide ? reduce<T>(c, (int64_t)shape->n, stream)
                        : reduce<T>(c, (int)shape->n, stream);
    if (code != cudaSuccess || !c->memory || !c->own[FOUND]) return code;
    const uint64_t most = shape->n < shape->segments ? shape->n : shape->segments;
    return launch(put<T>, dim3((unsigned)(most / GB_GRID_THREADS + 1)), dim3(GB_GRID_THREADS), 0,
                  stream, keys_found<T>(c), sums_found<T>(c),
                  static_cast<const unsigned *>(c->own[RUNS]), sums);
}

static __global__ void make_keys(const uint32_t *offsets, uint32_t segments, uint32_t n,
                                 uint32_t *keys)
{
    for (uint64_t i = gb_first(); i < n; i += gb_stride()) {
        uint32_t low = 0, high = segments; /* the last segment that begins at i or before */
        while (high - low > 1) {
            const uint32_t middle = low + (high - low) / 2;
            if (offsets[middle] <= i)
                low = middle;
            else
                high = middle;
        }
        keys[i] = low;
    }
}

static bool has_empty(const gb_problem *p)
{
    for (uint32_t s = 0; s < p->shape.segments; s++)
        if (p->host_offsets[s] == p->host_offsets[s + 1]) return true;
    return false;
}

static gb_status prepare(gb_job *job)
{
    sr_cub *c = sr_cub_new(job);
    if (!c) return GB_OUT_OF_MEMORY;
    const gb_problem *p = job->problem;
    const sr_shape *shape = &p->shape;
    c->call = shape->type == SR_U64   ? sum<uint64_t>
              : shape->type == SR_F32 ? sum<float>
                                      : sum<uint32_t>;
    gb_status status =
        gb_job_malloc(job, &c->own[KEYS], (shape->n + 1) * sizeof(uint32_t), "the keys");
    if (status == GB_OK)
        status = gb_job_malloc(job, &c->own[RUNS], sizeof(unsigned), "the number of runs");
    if (status == GB_OK && has_empty(p))
        status = gb_job_malloc(job, &c->own[FOUND],
                               shape->segments * (sr_element_bytes(shape->type) + 4ull),
                               "the sums that are not empty");
    if (status == GB_OK && shape->n)
        status = gb_cuda_status(launch(make_keys, gb_grid(job->device, shape->n),
                                       dim3(GB_GRID_THREADS), 0, 0, p->offsets, shape->segments,
                                       shape->n, static_cast<uint32_t *>(c->own[KEYS])),
                                "making the keys", &job->error);
    if (status == GB_OK)
        status = gb_cuda_status(cudaDeviceSynchronize(), "making the keys", &job->error);
    return status == GB_OK ? sr_cub_allocate(job, c) : status;
}

#endif

#if defined(GB_CUB_LATEST)
#define VARIANT sr_cub_reduce_by_key_latest
#define NAME "cub-reduce-by-key-latest"
#else
#define VARIANT sr_cub_reduce_by_key
#define NAME "cub-reduce-by-key"
#endif

extern "C" const gb_variant VARIANT = {
    NAME,          "cub::DeviceReduce::ReduceByKey, keys (4 bytes more an element) made beforehand",
    GB_CUB_ORIGIN, GB_CUDA_ONLY,
    unsupported,   prepare,
    NULL,          run,
    cleanup,       NULL,
    instance,
};
