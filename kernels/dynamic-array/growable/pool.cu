/* Pools of growable arrays: the functions of growable.h. */
#include "host.cuh"

#include <stdlib.h>

static bool is_power_of_two(size_t x)
{
    return x && !(x & (x - 1));
}

static __global__ void in_order(unsigned *order, unsigned count)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        order[i] = i;
}

/* Nothing is mapped, nothing taken. */
static cudaError_t start_over(gb_growable_pool *pool)
{
    gb_growable_pool_control fresh = {};
    fresh.base = (unsigned long long)reinterpret_cast<uintptr_t>(gb_mapping_base(pool->memory));
    fresh.granule_log2 = pool->granule_log2;
    const cudaError_t code = gb_growable_launch<unsigned *, unsigned>(
        in_order, 1, GB_GROWABLE_THREADS, 0, pool->order, (unsigned)pool->granules);
    if (code != cudaSuccess) return code;
    return cudaMemcpy(pool->control, &fresh, sizeof fresh, cudaMemcpyHostToDevice);
}

/* lent: memory that there is already, of most_bytes; or NULL. */
static cudaError_t open_pool(gb_growable_pool *pool, void *lent, size_t most_bytes)
{
    const size_t granule = (size_t)1 << pool->granule_log2,
                 granules = lent ? most_bytes / granule : (most_bytes + granule - 1) / granule;
    pool->granules = granules;
    if (granules >= 0xffffffffu) return cudaErrorInvalidValue;
    cudaError_t code = lent ? gb_mapping_lend(&pool->memory, lent, granules * granule)
                            : gb_mapping_create(&pool->memory, granules * granule);
    if (code == cudaSuccess) code = gb_growable_zeroed(&pool->control, sizeof *pool->control);
    if (code == cudaSuccess) code = gb_growable_zeroed(&pool->links, 4 * granules);
    if (code == cudaSuccess) code = gb_growable_zeroed(&pool->order, 4 * granules);
    if (code == cudaSuccess) code = cudaStreamCreateWithFlags(&pool->stream, cudaStreamNonBlocking);
    return code == cudaSuccess ? start_over(pool) : code;
}

size_t gb_growable_granule_bytes(void)
{
    enum : size_t { LEAST = (size_t)2 << 20, MOST = (size_t)64 << 20, PART = 2048 };
    size_t left = 0, all = 0, bytes = LEAST;
    if (cudaMemGetInfo(&left, &all) != cudaSuccess) (void)cudaGetLastError();
    while (bytes < MOST && 2 * bytes <= all / PART)
        bytes *= 2;
    return bytes;
}

static cudaError_t create(gb_growable_pool **out, void *lent, size_t most_bytes,
                          size_t granule_bytes)
{
    *out = NULL;
    if (!granule_bytes) granule_bytes = gb_growable_granule_bytes();
    if (!is_power_of_two(granule_bytes) || granule_bytes < 1024) return cudaErrorInvalidValue;
    gb_growable_pool *pool = (gb_growable_pool *)calloc(1, sizeof *pool);
    if (!pool) return cudaErrorMemoryAllocation;
    pool->granule_log2 = gb_growable_log2(granule_bytes);
    const cudaError_t code = open_pool(pool, lent, most_bytes);
    if (code == cudaSuccess)
        *out = pool;
    else
        gb_growable_pool_destroy(pool);
    return code;
}

cudaError_t gb_growable_pool_create(gb_growable_pool **out, size_t most_bytes, size_t granule_bytes)
{
    return create(out, NULL, most_bytes, granule_bytes);
}

/* Tells kernels, those that run included, how much there is. */
static cudaError_t set_limit(gb_growable_pool *pool)
{
    unsigned long long limit = gb_mapping_mapped(pool->memory) >> pool->granule_log2;
    if (limit > pool->granules) limit = pool->granules;
    cudaError_t code = cudaMemcpyAsync(&pool->control->limit, &limit, sizeof limit,
                                       cudaMemcpyHostToDevice, pool->stream);
    return code == cudaSuccess ? cudaStreamSynchronize(pool->stream) : code;
}

cudaError_t gb_growable_pool_map(gb_growable_pool *pool, size_t bytes)
{
    const size_t granule = (size_t)1 << pool->granule_log2;
    if (bytes <= gb_mapping_mapped(pool->memory)) return cudaSuccess;
    const cudaError_t code =
        gb_mapping_extend(pool->memory, (bytes + granule - 1) / granule * granule);
    return code == cudaSuccess ? set_limit(pool) : code;
}

cudaError_t gb_growable_pool_taken(gb_growable_pool *pool, uint64_t *granules)
{
    gb_growable_pool_control control;
    cudaError_t code = cudaDeviceSynchronize();
    if (code == cudaSuccess)
        code = cudaMemcpy(&control, pool->control, sizeof control, cudaMemcpyDeviceToHost);
    if (code != cudaSuccess) return code;
    unsigned *links = (unsigned *)malloc(4 * pool->granules + 4);
    if (!links) return cudaErrorMemoryAllocation;
    code = cudaMemcpy(links, pool->links, 4 * pool->granules, cudaMemcpyDeviceToHost);
    *granules = control.next;
    for (unsigned top = (unsigned)control.spare; code == cudaSuccess && top; top = links[top - 1])
        --*granules;
    free(links);
    return code;
}

cudaError_t gb_growable_pool_over(gb_growable_pool **out, void *memory, size_t bytes,
                                  size_t granule_bytes)
{
    const cudaError_t code = create(out, memory, bytes, granule_bytes);
    if (code != cudaSuccess) return code;
    const cudaError_t mapped = gb_growable_pool_map(*out, gb_growable_pool_most(*out));
    if (mapped == cudaSuccess) return mapped;
    gb_growable_pool_destroy(*out);
    *out = NULL;
    return mapped;
}

cudaError_t gb_growable_pool_unmap(gb_growable_pool *pool)
{
    uint64_t taken;
    cudaError_t code = gb_growable_pool_taken(pool, &taken);
    if (code == cudaSuccess && taken) code = cudaErrorInvalidValue;
    if (code == cudaSuccess) code = gb_mapping_drop(pool->memory);
    return code == cudaSuccess ? start_over(pool) : code;
}

size_t gb_growable_pool_mapped(const gb_growable_pool *pool)
{
    return gb_mapping_mapped(pool->memory);
}
void *gb_growable_pool_base(const gb_growable_pool *pool)
{
    return gb_mapping_base(pool->memory);
}
size_t gb_growable_pool_most(const gb_growable_pool *pool)
{
    return pool->granules << pool->granule_log2;
}

void gb_growable_pool_destroy(gb_growable_pool *pool)
{
    if (!pool) return;
    gb_mapping_destroy(pool->memory);
    (void)cudaFree(pool->control);
    (void)cudaFree(pool->links);
    (void)cudaFree(pool->order);
    if (pool->stream) (void)cudaStreamDestroy(pool->stream);
    free(pool);
}
