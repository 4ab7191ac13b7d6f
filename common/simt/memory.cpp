/* Device memory: the host's, with a limit, filled with garbage, with checked copies, and between
 * red zones that show what a kernel has written out of bounds. */
#include "common/simt/memory.h"

#include "common/simt/environment.h"
#include "common/simt/host.h"
#include "common/simt/runtime.h"
#include "common/simt/sanitizers.h"
#include "common/text/limits.h"

#include <errno.h>
#include <map>
#include <mutex>
#include <new>
#include <stdlib.h>

namespace simt
{
static const size_t alignment = 256; /* what cudaMalloc promises */
static const int garbage = 0xCB;
/* Before and behind each allocation; AddressSanitizer has its own. */
#if defined(GB_SIMT_ASAN)
static const size_t red_bytes = 0;
#else
static const size_t red_bytes = 256;
#endif

enum kind { device_memory, host_memory, symbol, own_shared, others_shared };
static const char *const kind_names[] = {"device memory", "pinned host memory", "a symbol",
                                         "memory that other processes have, too",
                                         "another process's memory"};

struct allocation {
    size_t bytes;
    simt::kind kind;
    const char *file; /* where it was made */
    int line;
};
struct registry {
    std::mutex mutex;
    std::map<uintptr_t, allocation> known; /* by address */
    uint64_t used;                         /* device bytes */
};
/* Never destroyed: other destructors may free device memory. */
static registry *const memory = new registry();

/* ---- red zones ------------------------------------------------------------------------------- */

/* The bytes from an allocation's begin to the end of the red zone behind it. */
static size_t padded(size_t bytes)
{
    return (bytes + alignment - 1) / alignment * alignment + red_bytes;
}

static void fill_red_zones(uintptr_t at, size_t bytes)
{
    memset(reinterpret_cast<void *>(at - red_bytes), garbage, red_bytes);
    memset(reinterpret_cast<void *>(at + bytes), garbage, red_bytes ? padded(bytes) - bytes : 0);
}

/* The first byte of `count` that is not garbage, or count. */
static size_t first_changed(const unsigned char *bytes, size_t count)
{
    size_t i = 0;
    while (i < count && bytes[i] == garbage)
        i++;
    return i;
}

/* Says in text what was written around an allocation; false: nothing. */
static bool describe_damage(uintptr_t at, const allocation &a, char *text, size_t capacity)
{
    const unsigned char *before = reinterpret_cast<unsigned char *>(at - red_bytes);
    const unsigned char *behind = reinterpret_cast<unsigned char *>(at + a.bytes);
    const size_t room = red_bytes ? padded(a.bytes) - a.bytes : 0;
    const size_t first = first_changed(before, red_bytes), next = first_changed(behind, room);
    if (first == red_bytes && next == room) return false;
    const long long byte =
        next < room ? (long long)(a.bytes + next) : (long long)first - (long long)red_bytes;
    (void)snprintf(text, capacity,
                   "store out of bounds: byte %lld of %zu bytes of %s, allocated at %s:%d", byte,
                   a.bytes, kind_names[a.kind], a.file, a.line);
    return true;
}

bool find_damage(char *text, size_t capacity)
{
    bool found = false;
    const std::lock_guard<std::mutex> lock(memory->mutex);
    for (const auto &[at, a] : memory->known) {
        char ignored[1];
        if (a.kind >= symbol) continue;
        if (!describe_damage(at, a, found ? ignored : text, found ? sizeof ignored : capacity))
            continue;
        fill_red_zones(at, a.bytes); /* told once */
        found = true;
    }
    return found;
}

std::vector<memory_range> device_ranges()
{
    std::vector<memory_range> ranges;
    const std::lock_guard<std::mutex> lock(memory->mutex);
    for (const auto &[at, a] : memory->known)
        ranges.push_back({at, at + a.bytes});
    return ranges;
}

/* ---- allocations ----------------------------------------------------------------------------- */

static cudaError_t allocate(void **out, size_t bytes, simt::kind kind, const char *what,
                            const char *file, int line)
{
    if (!out) return set_error(cudaErrorInvalidValue, "%s: nowhere to put the address", what);
    *out = NULL;
    cudaError_t code = check_environment();
    if (code != cudaSuccess || bytes == 0) return code;
    const std::lock_guard<std::mutex> lock(memory->mutex);
    const bool counted = kind == device_memory;
    const uint64_t left = config.memory > memory->used ? config.memory - memory->used : 0;
    if ((counted && bytes > left) || bytes > SIZE_MAX - 2 * red_bytes - alignment)
        return set_error(cudaErrorMemoryAllocation,
                         "out of memory: %s of %zu bytes, but %llu of %llu are free (SIMT_MEMORY)",
                         what, bytes, (unsigned long long)left, (unsigned long long)config.memory);
    char *base = static_cast<char *>(aligned_alloc(alignment, red_bytes + padded(bytes)));
    if (!base) {
        char limit[GB_LIMIT_TEXT];
        return set_error(cudaErrorMemoryAllocation,
                         "out of memory: %s of %zu bytes, which the host does not give%s", what,
                         bytes, gb_limit_behind(ENOMEM, limit));
    }
    const uintptr_t at = reinterpret_cast<uintptr_t>(base + red_bytes);
    if (config.poison) memset(base + red_bytes, garbage, bytes);
    fill_red_zones(at, bytes);
    try {
        memory->known[at] = {bytes, kind, file, line};
    } catch (const std::bad_alloc &) {
        free(base);
        return lacks_memory("the list of allocations");
    }
    if (counted) memory->used += bytes;
    *out = base + red_bytes;
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
    char damage[512];
    const bool damaged = describe_damage(found->first, found->second, damage, sizeof damage);
    if (kind == device_memory) memory->used -= found->second.bytes;
    memory->known.erase(found);
    free(static_cast<char *>(at) - red_bytes);
    if (!damaged) return cudaSuccess;
    return set_error(cudaErrorIllegalAddress, "%s: %s, by the host's code", what, damage);
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

cudaError_t register_symbol(const void *at, size_t bytes)
try {
    const std::lock_guard<std::mutex> lock(memory->mutex);
    memory->known[reinterpret_cast<uintptr_t>(at)] = {bytes, symbol, NULL, 0};
    return cudaSuccess;
} catch (const std::bad_alloc &) {
    return lacks_memory("the list of allocations");
}

cudaError_t adopt_memory(void *at, size_t bytes, bool counted)
try {
    const std::lock_guard<std::mutex> lock(memory->mutex);
    const uint64_t left = config.memory > memory->used ? config.memory - memory->used : 0;
    if (counted && bytes > left)
        return set_error(cudaErrorMemoryAllocation,
                         "out of memory: %zu bytes for several processes, but %llu of %llu are "
                         "free (SIMT_MEMORY)",
                         bytes, (unsigned long long)left, (unsigned long long)config.memory);
    if (counted && config.poison) memset(at, garbage, bytes);
    memory->known[reinterpret_cast<uintptr_t>(at)] = {bytes, counted ? own_shared : others_shared,
                                                      NULL, 0};
    if (counted) memory->used += bytes;
    return cudaSuccess;
} catch (const std::bad_alloc &) {
    return lacks_memory("the list of allocations");
}

void disown_memory(void *at)
{
    const std::lock_guard<std::mutex> lock(memory->mutex);
    const auto found = memory->known.find(reinterpret_cast<uintptr_t>(at));
    if (found == memory->known.end()) return;
    if (found->second.kind == own_shared) memory->used -= found->second.bytes;
    memory->known.erase(found);
}

/* What waits for the device first. */
static cudaError_t settled()
{
    return queueing() ? drain(NULL) : cudaSuccess;
}
} // namespace simt

using simt::device_memory;
using simt::host_memory;

cudaError_t cudaMalloc(void **out, size_t bytes, const char *file, int line)
{
    return simt::allocate(out, bytes, device_memory, "cudaMalloc", file, line);
}
cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t, const char *file, int line)
{
    return simt::allocate(out, bytes, device_memory, "cudaMallocAsync", file, line);
}
cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned, const char *file, int line)
{
    return simt::allocate(out, bytes, device_memory, "cudaMallocManaged", file, line);
}
cudaError_t cudaFree(void *at)
{
    const cudaError_t code = simt::settled();
    return code != cudaSuccess ? code : simt::release(at, device_memory, "cudaFree");
}
cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    if (!simt::queueing()) return simt::release(at, device_memory, "cudaFreeAsync");
    return simt::queue(stream, [=] { return simt::release(at, device_memory, "cudaFreeAsync"); });
}
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned, const char *file, int line)
{
    return simt::allocate(out, bytes, host_memory, "cudaHostAlloc", file, line);
}
cudaError_t cudaMallocHost(void **out, size_t bytes, unsigned, const char *file, int line)
{
    return simt::allocate(out, bytes, host_memory, "cudaMallocHost", file, line);
}
cudaError_t cudaFreeHost(void *at)
{
    const cudaError_t code = simt::settled();
    return code != cudaSuccess ? code : simt::release(at, host_memory, "cudaFreeHost");
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

namespace simt
{
static cudaError_t copy_now(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
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

static cudaError_t set_now(void *at, int byte, size_t bytes)
{
    if (bytes == 0) return cudaSuccess;
    const cudaError_t code = check_range(at, bytes, true, "cudaMemset");
    if (code == cudaSuccess) memset(at, byte, bytes);
    return code;
}
} // namespace simt

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    const cudaError_t code = simt::settled();
    return code == cudaSuccess ? simt::copy_now(to, from, bytes, kind) : code;
}

/* Memory of the program's own, which a copy from or to it does not leave to later: CUDA takes it
 * along first, or waits. */
static bool is_pageable(const void *at)
{
    const std::lock_guard<std::mutex> lock(simt::memory->mutex);
    const uintptr_t begin = reinterpret_cast<uintptr_t>(at);
    auto next = simt::memory->known.upper_bound(begin);
    if (next == simt::memory->known.begin()) return true;
    --next;
    return begin - next->first >= next->second.bytes;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    if (!simt::queueing()) return simt::copy_now(to, from, bytes, kind);
    if (bytes == 0) return cudaSuccess;
    if (is_pageable(to)) {
        const cudaError_t code = simt::drain(stream);
        return code == cudaSuccess ? simt::copy_now(to, from, bytes, kind) : code;
    }
    if (!is_pageable(from))
        return simt::queue(stream, [=] { return simt::copy_now(to, from, bytes, kind); });
    try {
        const char *begin = static_cast<const char *>(from);
        std::vector<char> taken(begin, begin + bytes);
        return simt::queue(stream, [=] { return simt::copy_now(to, taken.data(), bytes, kind); });
    } catch (const std::bad_alloc &) {
        return simt::lacks_memory("a copy that waits in a stream");
    }
}

cudaError_t cudaMemcpyPeerAsync(void *to, int, const void *from, int, size_t bytes,
                                cudaStream_t stream)
{
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemset(void *at, int byte, size_t bytes)
{
    const cudaError_t code = simt::settled();
    return code == cudaSuccess ? simt::set_now(at, byte, bytes) : code;
}

cudaError_t cudaMemsetAsync(void *at, int byte, size_t bytes, cudaStream_t stream)
{
    if (!simt::queueing()) return simt::set_now(at, byte, bytes);
    return simt::queue(stream, [=] { return simt::set_now(at, byte, bytes); });
}
