/* Growable arrays: the functions of growable.h. */
#include "host.cuh"

#include <stdlib.h>

struct gb_growable {
    gb_growable_pool *pool;
    gb_growable_view view;
};

static cudaError_t open_array(gb_growable *array, uint64_t most_elements, unsigned most_tiles)
{
    gb_growable_view *v = &array->view;
    const uint64_t room = (uint64_t)1 << v->granule_log2,
                   granules = (most_elements + room - 1) / room + 1;
    if (granules >= 0xffffffffu) return cudaErrorInvalidValue;
    v->granules = (unsigned)granules;
    v->pending_room = most_tiles;
    cudaError_t code = gb_growable_zeroed(&v->control, sizeof *v->control);
    if (code == cudaSuccess) code = gb_growable_zeroed(&v->table, sizeof *v->table * granules);
    if (code == cudaSuccess)
        code = gb_growable_zeroed(&v->pending, sizeof *v->pending * (size_t)most_tiles);
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
    array->view.granule_log2 = pool->granule_log2 - gb_growable_log2(element_bytes);
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
        reserve_elements, 1, GB_GROWABLE_THREADS, stream, array->view, elements);
}

static cudaError_t resize(const gb_growable *array, uint64_t elements, uint64_t granules,
                          cudaStream_t stream)
{
    return gb_growable_launch<gb_growable_view, unsigned long long, unsigned long long>(
        resize_to, 1, GB_GROWABLE_THREADS, stream, array->view, elements, granules);
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
