/* The heap that kernels allocate from: the host's, with the limit of a GPU's. */
#include "common/simt/host.h"

#include "common/simt/runtime.h"

#include <mutex>
#include <stdlib.h>

namespace simt
{
/* A block's size stands before it. */
static const size_t header_bytes = 16;

struct heap_state {
    std::mutex mutex;
    size_t limit, used;
};
/* CUDA's default limit. */
static heap_state *const heap = new heap_state{{}, (size_t)8 << 20, 0};

/* Enters the runtime unless the host asks: a thread that holds a lock is not left. */
struct section {
    const bool kernel;
    section() : kernel(here.thread && !here.inside)
    {
        if (kernel) enter();
    }
    ~section()
    {
        if (kernel) leave();
    }
};

void *heap_malloc(size_t bytes)
{
    const section inside;
    const std::lock_guard<std::mutex> lock(heap->mutex);
    if (bytes == 0 || bytes > heap->limit || heap->used > heap->limit - bytes) return NULL;
    char *at = static_cast<char *>(malloc(bytes + header_bytes));
    if (!at) return NULL;
    *reinterpret_cast<size_t *>(at) = bytes;
    heap->used += bytes;
    weak_heap_allocated(at + header_bytes, bytes);
    return at + header_bytes;
}

void heap_free(void *at)
{
    if (!at) return;
    const section inside;
    const std::lock_guard<std::mutex> lock(heap->mutex);
    char *begin = static_cast<char *>(at) - header_bytes;
    weak_heap_freed(at);
    heap->used -= *reinterpret_cast<size_t *>(begin);
    free(begin);
}
} // namespace simt

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    if (limit != cudaLimitMallocHeapSize)
        return simt::set_error(cudaErrorInvalidValue, "cudaDeviceSetLimit: limit %d is unknown",
                               (int)limit);
    const std::lock_guard<std::mutex> lock(simt::heap->mutex);
    simt::heap->limit = value;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (limit != cudaLimitMallocHeapSize)
        return simt::set_error(cudaErrorInvalidValue, "cudaDeviceGetLimit: limit %d is unknown",
                               (int)limit);
    const std::lock_guard<std::mutex> lock(simt::heap->mutex);
    *value = simt::heap->limit;
    return cudaSuccess;
}
