/* The device's properties, and its kernels' attributes. */
#include "common/simt/device.h"

#include "common/simt/environment.h"
#include "common/simt/host.h"
#include "common/simt/runtime.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <sched.h>
#include <time.h>
#include <unistd.h>

namespace simt
{
/* Shared memory by generation: per multiprocessor, and what one block may opt in to (CUDA C++
 * Programming Guide, "Technical Specifications per Compute Capability"). */
struct generation {
    int arch;
    unsigned per_multiprocessor_kib, optin_kib;
};
static const generation generations[] = {
    {300, 48, 48},  {370, 112, 48},  {500, 64, 48},  {520, 96, 48},   {530, 64, 48},
    {610, 96, 48},  {620, 64, 48},   {700, 96, 96},  {750, 64, 64},   {800, 164, 163},
    {860, 100, 99}, {870, 164, 163}, {890, 100, 99}, {900, 228, 227}, {1200, 100, 99},
};
static const size_t shared_without_optin = 48 * 1024;
static const unsigned most_workers_by_default = 16;

static const generation *current_generation()
{
    const generation *found = &generations[0];
    for (const generation &g : generations)
        if (g.arch <= GB_ARCH) found = &g;
    return found;
}

unsigned worker_count()
{
    if (config.resident) return config.resident;
    if (config.workers) return config.workers;
    cpu_set_t set;
    CPU_ZERO(&set);
    (void)sched_getaffinity(0, sizeof set, &set);
    const unsigned cores = (unsigned)CPU_COUNT(&set);
    if (cores == 0) return 1;
    return cores < most_workers_by_default ? cores : most_workers_by_default;
}

/* ---- kernels --------------------------------------------------------------------------------- */

struct shared_limits {
    std::mutex mutex;
    std::map<kernel_address, size_t> raised;
};
static shared_limits *const limits = new shared_limits();

static size_t held; /* to so many bytes; 0: to none */

void hold_shared(size_t bytes)
{
    held = bytes;
}

size_t shared_optin()
{
    const size_t all = current_generation()->optin_kib * (size_t)1024;
    return held && held < all ? held : all;
}

size_t shared_limit(kernel_address kernel)
{
    const std::lock_guard<std::mutex> lock(limits->mutex);
    const auto found = limits->raised.find(kernel);
    if (found == limits->raised.end()) return shared_without_optin;
    return std::min(found->second, shared_optin()); /* which may be held since */
}

cudaError_t set_attribute(kernel_address kernel, cudaFuncAttribute attribute, int value)
{
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) return cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return set_error(cudaErrorInvalidValue, "cudaFuncSetAttribute: attribute %d is unknown",
                         (int)attribute);
    if (value < 0 || (size_t)value > shared_optin())
        return set_error(cudaErrorInvalidValue,
                         "cudaFuncSetAttribute: %d bytes of shared memory, but a block of this "
                         "generation (GB_ARCH=%d) may have at most %zu",
                         value, GB_ARCH, shared_optin());
    const std::lock_guard<std::mutex> lock(limits->mutex);
    try {
        limits->raised[kernel] = (size_t)value;
    } catch (const std::bad_alloc &) {
        return lacks_memory("a kernel's attributes");
    }
    return cudaSuccess;
}

cudaError_t get_attributes(cudaFuncAttributes *attributes, kernel_address kernel)
{
    *attributes = cudaFuncAttributes();
    attributes->maxThreadsPerBlock = max_threads;
    attributes->ptxVersion = attributes->binaryVersion = GB_ARCH / 10;
    attributes->maxDynamicSharedSizeBytes = (int)shared_limit(kernel);
    return cudaSuccess;
}

cudaError_t occupancy(int *blocks, int block_threads, size_t shared_bytes)
{
    *blocks = 0;
    if (block_threads <= 0) return set_error(cudaErrorInvalidValue, "a block needs threads");
    *blocks = block_threads <= max_threads && shared_bytes <= shared_optin();
    return cudaSuccess;
}

static cudaError_t check_device(int device)
{
    if (device >= 0 && (unsigned)device < config.devices) return check_environment();
    return set_error(cudaErrorInvalidDevice,
                     "device %d: there are %u simulated ones, from number 0 on (SIMT_DEVICES)",
                     device, config.devices);
}

/* As in CUDA each thread of the host has its own. */
static thread_local int current;

int current_device()
{
    return current;
}
} // namespace simt

/* ---- the device ------------------------------------------------------------------------------ */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = (int)simt::config.devices;
    return simt::check_environment();
}
cudaError_t cudaSetDevice(int device)
{
    const cudaError_t code = simt::check_device(device);
    if (code == cudaSuccess) simt::current = device;
    return code;
}
cudaError_t cudaGetDevice(int *device)
{
    *device = simt::current;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    cudaError_t code = simt::check_device(device);
    if (code == cudaSuccess) code = simt::check_device(peer);
    *can = code == cudaSuccess && device != peer && simt::config.peers;
    return code;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned)
{
    int can;
    const cudaError_t code = cudaDeviceCanAccessPeer(&can, simt::current, peer);
    if (code != cudaSuccess || can) return code;
    return simt::set_error(cudaErrorPeerAccessUnsupported,
                           "device %d has no access to the memory of device %d", simt::current,
                           peer);
}
cudaError_t cudaDeviceReset()
{
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    const cudaError_t code = simt::check_device(device);
    if (code != cudaSuccess) return code;
    const simt::generation *g = simt::current_generation();
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    cudaDeviceProp p = {};
    (void)snprintf(p.name, sizeof p.name, "simt");
    (void)snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "simt");
    p.totalGlobalMem = simt::config.memory;
    p.sharedMemPerBlock = simt::shared_without_optin;
    p.sharedMemPerBlockOptin = simt::shared_optin();
    p.sharedMemPerMultiprocessor = g->per_multiprocessor_kib * (size_t)1024;
    p.totalConstMem = 65536;
    p.major = GB_ARCH / 100;
    p.minor = GB_ARCH / 10 % 10;
    p.multiProcessorCount = (int)simt::worker_count();
    p.warpSize = simt::warp_size;
    p.maxThreadsPerBlock = p.maxThreadsPerMultiProcessor = simt::max_threads;
    p.maxBlocksPerMultiProcessor = 1;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 0x7fffffff;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.l2CacheSize = cache > 0 && cache < 0x7fffffff ? (int)cache : 1 << 20;
    p.integrated = p.canMapHostMemory = p.unifiedAddressing = p.managedMemory = 1;
    *properties = p;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device)
{
    cudaDeviceProp p;
    const cudaError_t code = cudaGetDeviceProperties(&p, device);
    if (code != cudaSuccess) return code;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
        *value = p.maxThreadsPerBlock;
        return cudaSuccess;
    case cudaDevAttrMaxGridDimX:
        *value = p.maxGridSize[0];
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        *value = (int)p.sharedMemPerBlock;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        *value = (int)p.sharedMemPerBlockOptin;
        return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
        *value = (int)p.sharedMemPerMultiprocessor;
        return cudaSuccess;
    case cudaDevAttrWarpSize:
        *value = p.warpSize;
        return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
        *value = p.multiProcessorCount;
        return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        *value = p.maxThreadsPerMultiProcessor;
        return cudaSuccess;
    case cudaDevAttrL2CacheSize:
        *value = p.l2CacheSize;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
        *value = p.major;
        return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
        *value = p.minor;
        return cudaSuccess;
    case cudaDevAttrClockRate: /* no clock, no bus, no cooperative launch */
    case cudaDevAttrMemoryClockRate:
    case cudaDevAttrGlobalMemoryBusWidth:
    case cudaDevAttrCooperativeLaunch:
        *value = 0;
        return cudaSuccess;
    }
    return simt::set_error(cudaErrorInvalidValue, "cudaDeviceGetAttribute: attribute %d is unknown",
                           (int)attribute);
}

cudaError_t cudaDeviceGetPCIBusId(char *out, int capacity, int device)
{
    const cudaError_t code = simt::check_device(device);
    if (code == cudaSuccess && capacity > 0) (void)snprintf(out, (size_t)capacity, "simt");
    return code;
}

/* Those of the CUDA whose runtime this stands in for. */
cudaError_t cudaRuntimeGetVersion(int *version)
{
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int *version)
{
    *version = 0; /* as where no driver is installed */
    return cudaSuccess;
}
