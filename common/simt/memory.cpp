/* Device memory: the host's, with a limit, filled with garbage, and with checked copies. */
#include "common/simt/runtime.h"

#include <map>
#include <mutex>
#include <new>
#include <stdlib.h>

namespace simt
{
static const size_t alignment = 256; /* what cudaMalloc promises */
static const int garbage = 0xCB;

enum kind { device_memory, host_memory, symbol };
static const char *const kind_names[] = {"device memory", "pinned host memory", "a symbol"};

struct allocation {
    size_t bytes;
    simt::kind kind;
};
struct registry {
    std::mutex mutex;
    std::map<uintptr_t, allocation> known; /* by address */
    uint64_t used;                         /* device bytes */
};
/* Never destroyed: other destructors may free device memory. */
static registry *const memory = new registry();

static cudaError_t allocate(void **out, size_t bytes, simt::kind kind, const char *what)
{
    if (!out) return set_error(cudaErrorInvalidValue, "%s: nowhere to put the address", what);
    *out = NULL;
    cudaError_t code = check_environment();
    if (code != cudaSuccess || bytes == 0) return code;
    const std::lock_guard<std::mutex> lock(memory->mutex);
    const bool counted = kind == device_memory;
    const uint64_t left = config.memory > memory->used ? config.memory - memory->used : 0;
    if ((counted && bytes > left) || bytes > SIZE_MAX - alignment)
        return set_error(cudaErrorMemoryAllocation,
                         "out of memory: %s of %zu bytes, but %llu of %llu are free (SIMT_MEMORY)",
                         what, bytes, (unsigned long long)left, (unsigned long long)config.memory);
    void *at = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!at)
        return set_error(cudaErrorMemoryAllocation,
                         "out of memory: %s of %zu bytes, which the host does not have", what,
                         bytes);
    if (config.poison) memset(at, garbage, bytes);
    memory->known[reinterpret_cast<uintptr_t>(at)] = {bytes, kind};
    if (counted) memory->used += bytes;
    *out = at;
    return cudaSuccess;
}

static cudaError_t release(void *at, simt::kind kind, const char *what)
{
    if (!at) return cudaSuccess;
    const std::lock_guard<std::mutex> lock(memory->mutex);
    const auto found = memory->known.find(reinterpret_cast<uintptr_t>(at));
    if (found == memory->known.end() || found->second.kind != kind)
        return set_error(cudaErrorInvalidValue, "%s: %p is no address of %s%s", what, at,
                         kind_names[kind], found == memory->known.end() ? ", or freed before" : "");
    if (kind == device_memory) memory->used -= found->second.bytes;
    memory->known.erase(found);
    free(at);
    return cudaSuccess;
}

/* The range must lie within one allocation, if it begins in one; if it is said to be on the device
 * it must begin in one. */
static cudaError_t check_range(const void *at, size_t bytes, bool on_device, const char *what)
{
    const std::lock_guard<std::mutex> lock(memory->mutex);
    const uintptr_t begin = reinterpret_cast<uintptr_t>(at);
    auto next = memory->known.upper_bound(begin);
    if (next != memory->known.begin()) {
        const auto &[base, found] = *--next;
        const size_t offset = begin - base;
        if (offset < found.bytes) {
            if (bytes <= found.bytes - offset) return cudaSuccess;
            return set_error(cudaErrorInvalidValue,
                             "%s: %zu bytes from byte %zu of an allocation of %zu bytes", what,
                             bytes, offset, found.bytes);
        }
    }
    if (!on_device) return cudaSuccess;
    return set_error(cudaErrorInvalidValue, "%s: %p is not in device memory", what, at);
}

void register_symbol(const void *at, size_t bytes)
{
    const std::lock_guard<std::mutex> lock(memory->mutex);
    memory->known[reinterpret_cast<uintptr_t>(at)] = {bytes, symbol};
}
} // namespace simt

using simt::device_memory;
using simt::host_memory;

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    return simt::allocate(out, bytes, device_memory, "cudaMalloc");
}
cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t)
{
    return simt::allocate(out, bytes, device_memory, "cudaMallocAsync");
}
cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned)
{
    return simt::allocate(out, bytes, device_memory, "cudaMallocManaged");
}
cudaError_t cudaFree(void *at)
{
    return simt::release(at, device_memory, "cudaFree");
}
cudaError_t cudaFreeAsync(void *at, cudaStream_t)
{
    return simt::release(at, device_memory, "cudaFreeAsync");
}
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned)
{
    return simt::allocate(out, bytes, host_memory, "cudaHostAlloc");
}
cudaError_t cudaMallocHost(void **out, size_t bytes, unsigned)
{
    return simt::allocate(out, bytes, host_memory, "cudaMallocHost");
}
cudaError_t cudaFreeHost(void *at)
{
    return simt::release(at, host_memory, "cudaFreeHost");
}

cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned)
{
    const cudaError_t code = simt::check_range(host, 1, true, "cudaHostGetDevicePointer");
    *out = code == cudaSuccess ? host : NULL;
    return code;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes)
{
    const std::lock_guard<std::mutex> lock(simt::memory->mutex);
    const uint64_t total = simt::config.memory, used = simt::memory->used;
    *free_bytes = total > used ? total - used : 0;
    *total_bytes = total;
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return simt::set_error(cudaErrorInvalidMemcpyDirection, "cudaMemcpy: direction %d",
                               (int)kind);
    if (bytes == 0) return cudaSuccess;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    cudaError_t code = simt::check_range(to, bytes, to_device, "cudaMemcpy's target");
    if (code == cudaSuccess)
        code = simt::check_range(from, bytes, from_device, "cudaMemcpy's source");
    if (code != cudaSuccess) return code;
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t)
{
    return cudaMemcpy(to, from, bytes, kind);
}

cudaError_t cudaMemset(void *at, int byte, size_t bytes)
{
    if (bytes == 0) return cudaSuccess;
    const cudaError_t code = simt::check_range(at, bytes, true, "cudaMemset");
    if (code == cudaSuccess) memset(at, byte, bytes);
    return code;
}

cudaError_t cudaMemsetAsync(void *at, int byte, size_t bytes, cudaStream_t)
{
    return cudaMemset(at, byte, bytes);
}
