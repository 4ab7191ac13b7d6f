/* The part of the CUDA runtime that runs on the host: memory.cpp, stream.cpp, device.cpp, heap.cpp
 * and launch.cpp. Every call has completed when it returns, but between simt::begin_queues and
 * simt::end_queues. */
#ifndef GB_SIMT_HOST_H
#define GB_SIMT_HOST_H

#include "common/simt/errors.h"
#include "common/simt/machine.h"

#include <functional>

/* ---- memory --------------------------------------------------------------------------------- */

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaMemAttachGlobal = 1
};
typedef struct CUstream_st *cudaStream_t;

/* An allocation remembers where it was made, for reports of what kernels did around it. */
cudaError_t cudaMalloc(void **out, size_t bytes, SIMT_PLACE);
cudaError_t cudaFree(void *at);
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags, SIMT_PLACE);
cudaError_t cudaMallocHost(void **out, size_t bytes, unsigned flags = cudaHostAllocDefault,
                           SIMT_PLACE);
cudaError_t cudaFreeHost(void *at);
cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags);
cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              SIMT_PLACE);
cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream, SIMT_PLACE);
cudaError_t cudaFreeAsync(void *at, cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
/* Copies and fills check that a device range lies within one allocation. */
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = NULL);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream = NULL);
cudaError_t cudaMemset(void *at, int byte, size_t bytes);
cudaError_t cudaMemsetAsync(void *at, int byte, size_t bytes, cudaStream_t stream = NULL);

template <class T> cudaError_t cudaMalloc(T **out, size_t bytes, SIMT_PLACE)
{
    return cudaMalloc(reinterpret_cast<void **>(out), bytes, file, line);
}
template <class T> cudaError_t cudaHostAlloc(T **out, size_t bytes, unsigned flags, SIMT_PLACE)
{
    return cudaHostAlloc(reinterpret_cast<void **>(out), bytes, flags, file, line);
}
template <class T>
cudaError_t cudaMallocHost(T **out, size_t bytes, unsigned flags = cudaHostAllocDefault, SIMT_PLACE)
{
    return cudaMallocHost(reinterpret_cast<void **>(out), bytes, flags, file, line);
}
template <class T>
cudaError_t cudaMallocManaged(T **out, size_t bytes, unsigned flags = cudaMemAttachGlobal,
                              SIMT_PLACE)
{
    return cudaMallocManaged(reinterpret_cast<void **>(out), bytes, flags, file, line);
}
template <class T>
cudaError_t cudaMallocAsync(T **out, size_t bytes, cudaStream_t stream, SIMT_PLACE)
{
    return cudaMallocAsync(reinterpret_cast<void **>(out), bytes, stream, file, line);
}

namespace simt
{
/* Makes a __device__ or __constant__ variable known to the checks of copies and fills. */
cudaError_t register_symbol(const void *at, size_t bytes);
} // namespace simt

template <class T> cudaError_t cudaGetSymbolAddress(void **out, const T &symbol)
{
    *out = const_cast<void *>(static_cast<const void *>(&symbol));
    return simt::register_symbol(&symbol, sizeof symbol);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    void *at;
    const cudaError_t code = cudaGetSymbolAddress(&at, symbol);
    if (code != cudaSuccess) return code;
    return cudaMemcpy(static_cast<char *>(at) + offset, from, bytes, kind);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    void *at;
    const cudaError_t code = cudaGetSymbolAddress(&at, symbol);
    if (code != cudaSuccess) return code;
    return cudaMemcpy(to, static_cast<char *>(at) + offset, bytes, kind);
}

/* ---- streams and events --------------------------------------------------------------------- */

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
cudaError_t cudaStreamCreate(cudaStream_t *out);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);

typedef struct CUevent_st *cudaEvent_t;
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
cudaError_t cudaEventCreate(cudaEvent_t *out);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = NULL);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);

namespace simt
{
/* Between the two calls what is queued on a stream waits there: launches, asynchronous copies and
 * fills, events. The queues are worked off, in an order that the seed draws as far as events leave
 * it open, by whatever waits (a stream's or a device's synchronization, a synchronous copy or fill,
 * freeing memory), and at the end. One host thread, which made the streams. end_queues returns the
 * first error of what ran, and cudaErrorNotReady if a stream had work left when all of `stream` had
 * ended: a program would go on too early. NULL: that is all the same. */
void begin_queues();
cudaError_t end_queues(cudaStream_t stream);
/* The next queues draw as a process's first ones. */
void restart_queues();
/* Whether that is so; not while a queued operation runs. */
bool queueing();
/* Whether one does. */
bool runs_queued();
/* Puts an operation behind those of a stream. */
cudaError_t queue(cudaStream_t stream, std::function<cudaError_t()> operation);
/* Works off queues until that of the stream is empty; NULL: all. */
cudaError_t drain(cudaStream_t stream);
/* An error if a stream belongs to another device than the current one. */
cudaError_t check_stream(cudaStream_t stream, const char *what);
} // namespace simt

/* ---- the device ----------------------------------------------------------------------------- */

typedef struct cudaUUID {
    char bytes[16];
} cudaUUID_t;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor;
    size_t totalConstMem;
    int major, minor, multiProcessorCount, warpSize;
    int maxThreadsPerBlock, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor;
    int maxThreadsDim[3], maxGridSize[3];
    int regsPerBlock, regsPerMultiprocessor, l2CacheSize, memoryBusWidth;
    int pciBusID, pciDeviceID, pciDomainID;
    int concurrentKernels, integrated, canMapHostMemory, unifiedAddressing, managedMemory;
    int cooperativeLaunch, ECCEnabled;
};

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrClockRate = 13,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceGetPCIBusId(char *out, int capacity, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
/* All simulated devices can reach each other's memory, unless SIMT_PEERS=0. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaDriverGetVersion(int *version);

/* cudaLimitMallocHeapSize alone: the bytes that kernels can have at once (simt::heap_malloc). */
enum cudaLimit { cudaLimitMallocHeapSize = 2 };
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);

namespace simt
{
/* malloc and free of kernels, which must not call the host's: a thread may be left while it holds
 * its lock. NULL when the heap is exhausted. What is never freed is lost to the process, as on a
 * GPU to the context. */
void *heap_malloc(size_t bytes);
void heap_free(void *at);
} // namespace simt

/* ---- kernels -------------------------------------------------------------------------------- */

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};

namespace simt
{
cudaError_t set_attribute(kernel_address kernel, cudaFuncAttribute attribute, int value);
cudaError_t get_attributes(cudaFuncAttributes *attributes, kernel_address kernel);
cudaError_t occupancy(int *blocks, int block_threads, size_t shared_bytes);
/* Has blocks ask for so many bytes of shared memory at most; 0: for what their generation has. */
void hold_shared(size_t bytes);
/* What a launch is refused for. */
cudaError_t check_launch(kernel_address kernel, dim3 grid, dim3 block, size_t shared_bytes);
/* Calls body(arguments) once for each thread of the grid; returns when all have ended. */
cudaError_t run(kernel_address kernel, void (*body)(void *), void *arguments, dim3 grid, dim3 block,
                size_t shared_bytes);

/* Makes the next launches and queues those of a fresh process with SIMT_SEED=seed. */
void reseed(uint64_t seed);

/* Sums over all launches. */
struct statistics {
    uint64_t launches, blocks, switches, preemptions;
};
extern statistics totals;
} // namespace simt

template <class... P>
cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value)
{
    return simt::set_attribute(reinterpret_cast<simt::kernel_address>(kernel), attribute, value);
}
template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...))
{
    return simt::get_attributes(attributes, reinterpret_cast<simt::kernel_address>(kernel));
}
/* One: a block has an OS thread, and that is a multiprocessor, to itself. */
template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*)(P...),
                                                          int block_threads, size_t shared_bytes)
{
    return simt::occupancy(blocks, block_threads, shared_bytes);
}

/* kernel<<<grid, block, shared_bytes, stream>>>(arguments...), with the launch's own error. */
template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
                   cudaStream_t stream, A... arguments)
{
    cudaError_t code = simt::check_stream(stream, "a launch");
    if (code == cudaSuccess && simt::queueing())
        code = simt::check_launch(reinterpret_cast<simt::kernel_address>(kernel), grid, block,
                                  shared_bytes);
    if (code != cudaSuccess) return code;
    if (simt::queueing())
        return simt::queue(stream, [=] {
            return launch(kernel, grid, block, shared_bytes, stream, arguments...);
        });
    auto call = [&] { kernel(static_cast<P>(arguments)...); };
    auto body = [](void *closure) { (*static_cast<decltype(call) *>(closure))(); };
    return simt::run(reinterpret_cast<simt::kernel_address>(kernel), body, &call, grid, block,
                     shared_bytes);
}

#endif
