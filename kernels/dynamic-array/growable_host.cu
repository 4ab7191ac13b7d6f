/* Growable arrays: the functions of growable.h. */
#include "growable.h"

#include "growable_bulk.cuh"
#include "growable_memory.h"

#include <stdlib.h>

struct gb_growable_pool {
    gb_mapping *memory;
    gb_growable_pool_control *control; /* device */
    unsigned *order, *links;           /* device: a word a granule each */
    unsigned granule_log2;             /* bytes */
    size_t granules;
    cudaStream_t stream; /* for what must not wait for the caller's kernels */
};

struct gb_growable {
    gb_growable_pool *pool;
    gb_growable_view view;
};

static bool is_power_of_two(size_t x)
{
    return x && !(x & (x - 1));
}

static unsigned log2_of(size_t power)
{
    unsigned log2 = 0;
    while ((size_t)1 << log2 < power)
        log2++;
    return log2;
}

/* Device memory, zeroed. */
static cudaError_t zeroed(void **out, size_t bytes)
{
    cudaError_t code = cudaMalloc(out, bytes ? bytes : 1);
    return code == cudaSuccess ? cudaMemset(*out, 0, bytes) : code;
}

enum { RESIZE_THREADS = 256 };

/* ---- pools ----------------------------------------------------------------------------------- */

static __global__ void in_order(unsigned *order, unsigned count)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        order[i] = i;
}

static cudaError_t open_pool(gb_growable_pool *pool, size_t most_bytes)
{
    const size_t granule = (size_t)1 << pool->granule_log2,
                 granules = (most_bytes + granule - 1) / granule;
    pool->granules = granules;
    if (granules >= 0xffffffffu) return cudaErrorInvalidValue;
    cudaError_t code = gb_mapping_create(&pool->memory, granules * granule);
    if (code == cudaSuccess)
        code = zeroed(reinterpret_cast<void **>(&pool->control), sizeof *pool->control);
    if (code == cudaSuccess) code = zeroed(reinterpret_cast<void **>(&pool->links), 4 * granules);
    if (code == cudaSuccess) code = zeroed(reinterpret_cast<void **>(&pool->order), 4 * granules);
    if (code == cudaSuccess)
        code = gb_growable_launch<unsigned *, unsigned>(in_order, 1, RESIZE_THREADS, 0, pool->order,
                                                        (unsigned)granules);
    if (code == cudaSuccess) code = cudaStreamCreateWithFlags(&pool->stream, cudaStreamNonBlocking);
    if (code != cudaSuccess) return code;
    gb_growable_pool_control fresh = {};
    fresh.base = (unsigned long long)reinterpret_cast<uintptr_t>(gb_mapping_base(pool->memory));
    fresh.granule_log2 = pool->granule_log2;
    return cudaMemcpy(pool->control, &fresh, sizeof fresh, cudaMemcpyHostToDevice);
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

cudaError_t gb_growable_pool_create(gb_growable_pool **out, size_t most_bytes, size_t granule_bytes)
{
    *out = NULL;
    if (!granule_bytes) granule_bytes = gb_growable_granule_bytes();
    if (!is_power_of_two(granule_bytes) || granule_bytes < 1024) return cudaErrorInvalidValue;
    gb_growable_pool *pool = (gb_growable_pool *)calloc(1, sizeof *pool);
    if (!pool) return cudaErrorMemoryAllocation;
    pool->granule_log2 = log2_of(granule_bytes);
    const cudaError_t code = open_pool(pool, most_bytes);
    if (code == cudaSuccess)
        *out = pool;
    else
        gb_growable_pool_destroy(pool);
    return code;
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

static cudaError_t read_control(const gb_growable_pool *pool, gb_growable_pool_control *control)
{
    const cudaError_t code = cudaDeviceSynchronize();
    return code == cudaSuccess
               ? cudaMemcpy(control, pool->control, sizeof *control, cudaMemcpyDeviceToHost)
               : code;
}

cudaError_t gb_growable_pool_taken(gb_growable_pool *pool, uint64_t *granules)
{
    gb_growable_pool_control control;
    cudaError_t code = read_control(pool, &control);
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

cudaError_t gb_growable_pool_unmap(gb_growable_pool *pool)
{
    uint64_t taken;
    gb_growable_pool_control control;
    cudaError_t code = gb_growable_pool_taken(pool, &taken);
    if (code == cudaSuccess && taken) code = cudaErrorInvalidValue;
    if (code == cudaSuccess) code = read_control(pool, &control);
    if (code == cudaSuccess) code = gb_mapping_drop(pool->memory);
    if (code != cudaSuccess) return code;
    control.limit = control.next = control.spare = 0;
    code = gb_growable_launch<unsigned *, unsigned>(in_order, 1, RESIZE_THREADS, 0, pool->order,
                                                    (unsigned)pool->granules);
    if (code != cudaSuccess) return code;
    return cudaMemcpy(pool->control, &control, sizeof control, cudaMemcpyHostToDevice);
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

/* ---- arrays ---------------------------------------------------------------------------------- */

static cudaError_t open_array(gb_growable *array, uint64_t most_elements, unsigned most_tiles)
{
    gb_growable_view *v = &array->view;
    const uint64_t room = (uint64_t)1 << v->granule_log2,
                   granules = (most_elements + room - 1) / room + 1;
    if (granules >= 0xffffffffu) return cudaErrorInvalidValue;
    v->granules = (unsigned)granules;
    v->pending_room = most_tiles;
    cudaError_t code = zeroed(reinterpret_cast<void **>(&v->control), sizeof *v->control);
    if (code == cudaSuccess)
        code = zeroed(reinterpret_cast<void **>(&v->table), sizeof *v->table * granules);
    if (code == cudaSuccess)
        code =
            zeroed(reinterpret_cast<void **>(&v->pending), sizeof *v->pending * (size_t)most_tiles);
    return code == cudaSuccess ? gb_growable_clear(array, 0) : code;
}

cudaError_t gb_growable_create(gb_growable **out, gb_growable_pool *pool, size_t element_bytes,
                               uint64_t most_elements, unsigned most_tiles)
{
    *out = NULL;
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
        return cudaErrorInvalidValue;
    gb_growable *array = (gb_growable *)calloc(1, sizeof *array);
    if (!array) return cudaErrorMemoryAllocation;
    array->pool = pool;
    array->view.pool = pool->control;
    array->view.links = pool->links;
    array->view.order = pool->order;
    array->view.element_bytes = (unsigned)element_bytes;
    array->view.granule_log2 = pool->granule_log2 - log2_of(element_bytes);
    const cudaError_t code = open_array(array, most_elements, most_tiles);
    if (code == cudaSuccess)
        *out = array;
    else
        gb_growable_destroy(array);
    return code;
}

gb_growable_view gb_growable_view_of(const gb_growable *array)
{
    return array->view;
}

/* ---- changing the size from the host --------------------------------------------------------- */

/* Granules from `keep` on go back to the pool, to be handed out next; one block, while nobody takes
 * any. */
static __device__ void give_back(const gb_growable_view &v, unsigned long long keep)
{
    for (unsigned long long g = keep + threadIdx.x; g < v.granules; g += blockDim.x) {
        const unsigned long long at = v.table[g].at;
        v.table[g].stored = v.table[g].at = 0;
        if (!at) continue;
        v.order[atomicAdd(&v.pool->next, ~0ull) - 1] =
            (unsigned)((at - v.pool->base) >> v.pool->granule_log2);
    }
    __syncthreads();
}

static __device__ void take(const gb_growable_view &v, unsigned long long granules)
{
    for (unsigned long long g = threadIdx.x; g < granules; g += blockDim.x)
        (void)gb_growable_need(v, g);
}

static __device__ unsigned long long granules_of(const gb_growable_view &v,
                                                 unsigned long long elements)
{
    return (elements + (1ull << v.granule_log2) - 1) >> v.granule_log2;
}

static __global__ void reserve_elements(gb_growable_view v, unsigned long long elements)
{
    take(v, granules_of(v, elements));
}

static __global__ void resize_to(gb_growable_view v, unsigned long long elements,
                                 unsigned long long granules)
{
    give_back(v, granules);
    take(v, granules);
    for (unsigned long long g = threadIdx.x; g < granules; g += blockDim.x) {
        const unsigned long long begin = g << v.granule_log2, room = 1ull << v.granule_log2;
        v.table[g].stored = elements - begin < room ? elements - begin
                            : elements < begin      ? 0
                                                    : room;
    }
    if (threadIdx.x) return;
    v.control->size = elements;
    v.control->full = 0;
    v.control->unplaced = 0;
    v.control->pending = v.control->pending_left = 0;
}

cudaError_t gb_growable_reserve(gb_growable *array, uint64_t elements, cudaStream_t stream)
{
    if (elements > (uint64_t)array->view.granules << array->view.granule_log2)
        return cudaErrorInvalidValue;
    return gb_growable_launch<gb_growable_view, unsigned long long>(
        reserve_elements, 1, RESIZE_THREADS, stream, array->view, elements);
}

static cudaError_t resize(const gb_growable *array, uint64_t elements, uint64_t granules,
                          cudaStream_t stream)
{
    return gb_growable_launch<gb_growable_view, unsigned long long, unsigned long long>(
        resize_to, 1, RESIZE_THREADS, stream, array->view, elements, granules);
}

cudaError_t gb_growable_resize(gb_growable *array, uint64_t elements, cudaStream_t stream)
{
    const gb_growable_view *v = &array->view;
    const uint64_t wanted = gb_growable_wanted(elements >> (v->granule_log2 - 4));
    if (elements > (uint64_t)v->granules << v->granule_log2) return cudaErrorInvalidValue;
    return resize(array, elements, wanted < v->granules ? wanted : v->granules, stream);
}

cudaError_t gb_growable_clear(gb_growable *array, cudaStream_t stream)
{
    return gb_growable_resize(array, 0, stream);
}

cudaError_t gb_growable_release(gb_growable *array, cudaStream_t stream)
{
    return resize(array, 0, 0, stream);
}

void gb_growable_destroy(gb_growable *array)
{
    if (!array) return;
    gb_growable_view *v = &array->view;
    if (v->control && v->table) {
        (void)gb_growable_release(array, 0);
        (void)cudaDeviceSynchronize();
    }
    (void)cudaFree(v->control);
    (void)cudaFree(v->table);
    (void)cudaFree(v->pending);
    free(array);
}

/* ---- looking from the host ------------------------------------------------------------------- */

static cudaError_t fetch(void *to, const void *from, size_t bytes, cudaStream_t stream)
{
    const cudaError_t code = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

cudaError_t gb_growable_size(gb_growable *array, cudaStream_t stream, uint64_t *size)
{
    return fetch(size, &array->view.control->size, sizeof *size, stream);
}

cudaError_t gb_growable_unplaced(gb_growable *array, cudaStream_t stream, uint64_t *places)
{
    return fetch(places, &array->view.control->unplaced, sizeof *places, stream);
}

/* The table of granules; malloc's. */
static cudaError_t fetch_table(const gb_growable *array, gb_growable_granule **table,
                               cudaStream_t stream)
{
    const size_t bytes = sizeof **table * (size_t)array->view.granules;
    *table = (gb_growable_granule *)malloc(bytes);
    if (!*table) return cudaErrorMemoryAllocation;
    return fetch(*table, array->view.table, bytes, stream);
}

cudaError_t gb_growable_capacity(gb_growable *array, cudaStream_t stream, uint64_t *elements)
{
    gb_growable_granule *table = NULL;
    const cudaError_t code = fetch_table(array, &table, stream);
    *elements = 0;
    for (unsigned g = 0; code == cudaSuccess && g < array->view.granules; g++)
        if (table[g].at) *elements += (uint64_t)1 << array->view.granule_log2;
    free(table);
    return code;
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Passes everything. */
struct keep_all {
    template <class E> __device__ bool operator()(const E &) const { return true; }
};

template <class E>
static cudaError_t append(const gb_growable *array, const void *from, uint64_t count,
                          cudaStream_t stream, bool again)
{
    const E *in = static_cast<const E *>(from);
    return gb_push_kept<E, GB_PUSH_ANY>(array->view, in, count, keep_all(), stream, again);
}

static cudaError_t append_any(const gb_growable *array, const void *from, uint64_t count,
                              cudaStream_t stream, bool again)
{
    if (reinterpret_cast<uintptr_t>(from) % 16) return cudaErrorInvalidValue;
    switch (array->view.element_bytes) {
    case 4:
        return append<uint32_t>(array, from, count, stream, again);
    case 8:
        return append<uint2>(array, from, count, stream, again);
    default:
        return append<uint4>(array, from, count, stream, again);
    }
}

cudaError_t gb_growable_append(gb_growable *array, const void *from, uint64_t count,
                               cudaStream_t stream)
{
    return append_any(array, from, count, stream, false);
}

cudaError_t gb_growable_append_again(gb_growable *array, const void *from, uint64_t count,
                                     cudaStream_t stream)
{
    return append_any(array, from, count, stream, true);
}

cudaError_t gb_growable_copy(gb_growable *array, uint64_t first, uint64_t count, void *to,
                             cudaStream_t stream)
{
    const gb_growable_view *v = &array->view;
    const uint64_t room = (uint64_t)1 << v->granule_log2;
    gb_growable_granule *table = NULL;
    uint64_t size = 0;
    cudaError_t code = gb_growable_size(array, stream, &size);
    if (code == cudaSuccess && (first > size || count > size - first)) code = cudaErrorInvalidValue;
    if (code == cudaSuccess) code = fetch_table(array, &table, stream);
    char *next = static_cast<char *>(to);
    while (code == cudaSuccess && count) {
        const uint64_t g = first >> v->granule_log2, left = room - (first & (room - 1)),
                       part = count < left ? count : left;
        if (!table[g].at) {
            code = cudaErrorInvalidValue;
            break;
        }
        const char *from = reinterpret_cast<const char *>((uintptr_t)table[g].at) +
                           (first & (room - 1)) * v->element_bytes;
        code = cudaMemcpyAsync(next, from, part * v->element_bytes, cudaMemcpyDefault, stream);
        next += part * v->element_bytes;
        first += part;
        count -= part;
    }
    free(table);
    return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}
