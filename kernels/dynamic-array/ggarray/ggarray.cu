/* Variant ggarray: the future work that the paper names, as Meneses, Navarro, Ferrada describe it
 * (2022, "GGArray: a dynamically growable GPU array"): many independent vectors of doubling
 * buckets, each with threads of its own, so that pushes meet on one counter only inside a vector,
 * and a prefix sum over their sizes by which an index finds its vector.
 *
 * Here a block pushes onto the vector of its number; buckets come from a pool that was reserved
 * beforehand (they take theirs from the device's heap); places are reserved by a prefix sum over
 * the block, as their fastest insertion has it. */
#include "kernels/dynamic-array/growable/tile.cuh"
#include "kernels/dynamic-array/static/static.cuh"
#include "kernels/dynamic-array/variants.cuh"

#include <stdlib.h>

enum {
    PARTS = 512,
    FIRST = 4096, /* elements of a vector's first bucket */
    FIRST_LOG2 = 12,
    BUCKETS = 20,
    BUCKETS_MOST = 32, /* that a shift can make */
    THREADS = 256,
    VECTORS = 4
};

/* All parts, in device memory. */
typedef struct gg_parts {
    uint32_t **bucket;             /* PARTS x BUCKETS */
    unsigned long long *size;      /* PARTS */
    unsigned long long *begin;     /* PARTS + 1: where a part begins in the array */
    unsigned long long *allocated; /* elements taken from the pool; then: buckets taken */
    uint32_t *pool;
    unsigned long long pool_room; /* elements */
    unsigned count;               /* of parts that are used */
} gg_parts;

typedef struct array {
    da_state state;
    gg_parts parts;
} array;

static __host__ __device__ unsigned long long room_of(unsigned bucket)
{
    return (unsigned long long)FIRST << bucket % BUCKETS_MOST;
}

static __device__ unsigned bucket_of(unsigned long long index)
{
    const unsigned log2 = 63u - (unsigned)__clzll((long long)(index + FIRST));
    return log2 > FIRST_LOG2 ? log2 - FIRST_LOG2 : 0u;
}

/* Sees to the buckets of part `p` for elements [from, to). One thread of the block whose it is. */
static __device__ void need_buckets(const gg_parts &all, unsigned p, unsigned long long from,
                                    unsigned long long to)
{
    for (unsigned b = bucket_of(from); from < to && b <= bucket_of(to - 1); b++) {
        uint32_t **at = &all.bucket[p * BUCKETS + b];
        if (*at) continue;
        const unsigned long long begin = atomicAdd(&all.allocated[0], room_of(b));
        atomicAdd(&all.allocated[1], 1ull);
        *at = all.pool + begin;
    }
}

typedef gb_tile<uint32_t, THREADS, VECTORS> tile_type;

static __global__ void __launch_bounds__(THREADS)
    push_parts(const uint32_t *__restrict__ in, uint64_t n, uint64_t tiles, da_below keep,
               gg_parts all)
{
    __shared__ tile_type::shared shared;
    __shared__ uint32_t *bucket[BUCKETS];
    const unsigned p = blockIdx.x;
    if (p >= tiles) return;
    unsigned long long size = all.size[p];
    if (threadIdx.x < BUCKETS) bucket[threadIdx.x] = all.bucket[p * BUCKETS + threadIdx.x];
    tile_type tile;
    tile.load(in, n, (uint64_t)p * tile_type::SIZE);
    for (uint64_t t = p; t < tiles; t += all.count) {
        __syncthreads();
        tile.count(&shared, keep);
        const unsigned total = tile.total;
        const unsigned long long end = size + total;
        if (threadIdx.x == 0 && total) {
            need_buckets(all, p, size, end);
            for (unsigned b = bucket_of(size); b <= bucket_of(end - 1); b++)
                bucket[b] = all.bucket[p * BUCKETS + b];
        }
        tile.pack(&shared);
        __syncthreads();
        tile.load(in, n, (t + all.count) * tile_type::SIZE);
        for (unsigned from = 0; from < total;) {
            const unsigned b = bucket_of(size + from);
            const unsigned long long within = size + from - (room_of(b) - FIRST),
                                     left = room_of(b) - within;
            const unsigned to = left < total - from ? from + (unsigned)left : total;
            tile_type::store(&shared, from, to, bucket[b] + within);
            from = to;
        }
        size = end;
    }
    if (threadIdx.x == 0) all.size[p] = size;
}

/* The index: where every part begins. One block of PARTS threads. */
static __global__ void __launch_bounds__(PARTS) index_parts(gg_parts all)
{
    __shared__ unsigned long long sums[PARTS];
    const unsigned p = threadIdx.x;
    const unsigned long long own = p < all.count ? all.size[p] : 0;
    sums[p] = own;
    for (unsigned d = 1; d < PARTS; d *= 2) {
        __syncthreads();
        const unsigned long long below = p >= d ? sums[p - d] : 0;
        __syncthreads();
        sums[p] += below;
    }
    all.begin[p] = sums[p] - own;
    if (p == PARTS - 1) all.begin[PARTS] = sums[p];
}

static __global__ void empty_parts(gg_parts all)
{
    for (unsigned i = threadIdx.x; i < PARTS * BUCKETS; i += blockDim.x)
        all.bucket[i] = NULL;
    for (unsigned p = threadIdx.x; p < PARTS; p += blockDim.x)
        all.size[p] = 0;
    if (threadIdx.x < 2) all.allocated[threadIdx.x] = 0;
}

/* ---- the job --------------------------------------------------------------------------------- */

static gb_status cut(const gg_parts *all, uint32_t *const *bucket, const unsigned long long *begin,
                     da_view *view, gb_error *error)
{
    gb_status status = da_view_reserve(view, PARTS * BUCKETS, error);
    if (status != GB_OK) return status;
    view->size = begin[PARTS];
    for (unsigned p = 0; p < all->count; p++)
        for (unsigned b = 0; b < BUCKETS; b++) {
            const uint64_t first = room_of(b) - FIRST, size = begin[p + 1] - begin[p],
                           left = size > first ? size - first : 0;
            const uint64_t held = left < room_of(b) ? left : room_of(b);
            uint32_t *at = bucket[p * BUCKETS + b];
            if (at) view->buckets++;
            /* what is behind a part's last element has no place of its own in the array */
            if (at || held) view->segments[view->count++] = {at, begin[p] + first, held, held};
        }
    return GB_OK;
}

static gb_status view(gb_job *job, da_view *view)
{
    const array *a = static_cast<const array *>(job->state);
    unsigned long long begin[PARTS + 1] = {}, allocated[2] = {};
    uint32_t **bucket = (uint32_t **)malloc(PARTS * BUCKETS * sizeof *bucket);
    if (!bucket) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory to check");
    cudaError_t code = cudaMemcpy(bucket, a->parts.bucket, PARTS * BUCKETS * sizeof *bucket,
                                  cudaMemcpyDeviceToHost);
    if (code == cudaSuccess)
        code = cudaMemcpy(begin, a->parts.begin, sizeof begin, cudaMemcpyDeviceToHost);
    if (code == cudaSuccess)
        code = cudaMemcpy(allocated, a->parts.allocated, sizeof allocated, cudaMemcpyDeviceToHost);
    gb_status status = gb_cuda_status(code, "reading the parts", &job->error);
    if (status == GB_OK) status = cut(&a->parts, bucket, begin, view, &job->error);
    view->allocations = allocated[1];
    view->arena = a->parts.pool;
    view->arena_bytes = a->parts.pool_room * 4;
    free(bucket);
    return status;
}

/* Parts are as many as there are blocks; the pool has room for all of them, full or not. */
static gb_status prepare(gb_job *job)
{
    const da_shape *shape = &job->problem->shape;
    array *a = (array *)calloc(1, sizeof *a);
    if (!a) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for an array");
    gg_parts *all = &a->parts;
    job->state = a;
    a->state.view = view;
    all->count = shape->blocks && shape->blocks < PARTS ? shape->blocks : (unsigned)PARTS;
    const uint64_t tiles = tile_type::tiles_of(shape->n),
                   most = (tiles + all->count - 1) / all->count * tile_type::SIZE;
    unsigned buckets = 1;
    while (room_of(buckets) - FIRST < most)
        buckets++;
    all->pool_room = all->count * (room_of(buckets) - FIRST);
    gb_status status =
        gb_cuda_malloc((void **)&all->pool, all->pool_room * 4, "the pool", &job->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMalloc(&all->bucket, PARTS * BUCKETS * sizeof *all->bucket), &job->error);
    GB_TRY(cudaMalloc(&all->size, PARTS * sizeof *all->size), &job->error);
    GB_TRY(cudaMalloc(&all->begin, (PARTS + 1) * sizeof *all->begin), &job->error);
    GB_TRY(cudaMalloc(&all->allocated, 2 * sizeof *all->allocated), &job->error);
    return GB_OK;
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    const array *a = static_cast<const array *>(job->state);
    GB_TRY(launch(empty_parts, dim3(1), dim3(1024), 0, gb_cuda_stream(stream), a->parts),
           &job->error);
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    const gb_problem *p = job->problem;
    const array *a = static_cast<const array *>(job->state);
    const uint64_t tiles = tile_type::tiles_of(p->shape.n);
    GB_TRY(launch(push_parts, dim3(a->parts.count), dim3(THREADS), 0, gb_cuda_stream(stream), p->in,
                  p->shape.n, tiles, da_test_of(p), a->parts),
           &job->error);
    GB_TRY(launch(index_parts, dim3(1), dim3(PARTS), 0, gb_cuda_stream(stream), a->parts),
           &job->error);
    return GB_OK;
}

static void cleanup(gb_job *job)
{
    array *a = static_cast<array *>(job->state);
    if (!a) return;
    (void)cudaFree(a->parts.pool);
    (void)cudaFree(a->parts.bucket);
    (void)cudaFree(a->parts.size);
    (void)cudaFree(a->parts.begin);
    (void)cudaFree(a->parts.allocated);
    free(a);
    job->state = NULL;
}

static const char *unsupported(const gb_params *params, const gb_device *)
{
    return da_starts_empty(params);
}

extern "C" {
const gb_variant da_ggarray = {
    "ggarray",
    "a vector of doubling buckets a block, and a prefix sum over their sizes",
    "Meneses, Navarro, Ferrada 2022",
    0,
    unsupported,
    prepare,
    reset,
    run,
    cleanup,
    "it is written from the description: buckets come from a pool reserved beforehand, where "
    "theirs come from the device's heap",
    NULL,
};
}
