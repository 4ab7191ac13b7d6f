/* The back-end's devices: what was built, what is here, and a device in use. */
#include "common/cuda/backend.cuh"
#include "common/cuda/current_device.cuh"
#include "common/cuda/limit.cuh"
#include "common/cuda/set.h"
#include "common/protocol/protocol.h"
#include "common/worker/registry.h"

#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The registry of kernels outside the tree says it of those. */
extern "C" __attribute__((weak))
const gb_built gb_built_as = {GB_COMPILER, GB_FLAGS, GB_CUDA_ARCHS, &GB_INTERFACE_SYMBOL};

/* The build of a worker of old code says of which generation (350); 0: it is no such worker. */
#if !defined(GB_OLD_CODE)
#define GB_OLD_CODE 0
#endif

#if GB_OLD_CODE
/* The driver compiles what is used when it is first used, and keeps it: all of it takes minutes,
 * and a toolkit of that time would have it all at every start. Before CUDA looks. */
__attribute__((constructor)) static void load_lazily()
{
    setenv("CUDA_MODULE_LOADING", "LAZY", 0);
    setenv("CUDA_CACHE_MAXSIZE", "4294967296", 0);
}
#endif

/* ---- what was built -------------------------------------------------------------------------- */

enum { MOST_ARCHITECTURES = 32 };

/* The generations that have machine code, ascending (350, 900); returns how many. The build names
 * them ("35,37"), since nvcc tells a file only of those that its front end had a pass for, and one
 * pass serves a family. */
static size_t compiled(int *architectures)
{
    size_t count = 0;
#if GB_OLD_CODE
    (void)architectures;
#elif defined(__CUDACC__)
    for (const char *at = gb_built_as.architectures; *at && count < MOST_ARCHITECTURES;) {
        char *end;
        architectures[count++] = 10 * (int)strtol(at, &end, 10);
        at = *end == ',' ? end + 1 : "";
    }
    if (count) return count;
    for (int architecture : {__CUDA_ARCH_LIST__})
        architectures[count++] = architecture;
#else
    architectures[count++] = GB_ARCH;
#endif
    return count;
}

#if defined(__CUDACC__)
static void version_text(int version, char *text, size_t capacity)
{
    snprintf(text, capacity, "%d.%d", version / 1000, version % 1000 / 10);
}
#endif

void gb_backend_describe(gb_backend_facts *facts)
{
    *facts = gb_backend_facts();
    facts->compiler = gb_built_as.compiler;
    facts->flags = gb_built_as.flags;
    static_assert(sizeof facts->architectures == MOST_ARCHITECTURES * sizeof(int),
                  "compiled() fills the list");
    facts->architecture_count = compiled(facts->architectures);
    facts->old_code = GB_OLD_CODE;
#if defined(__CUDACC__)
    facts->backend = "cuda";
    version_text(CUDART_VERSION, facts->toolkit, sizeof facts->toolkit);
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0)
        version_text(driver, facts->driver, sizeof facts->driver);
    else
        snprintf(facts->driver, sizeof facts->driver, "none");
#else
    facts->backend = "simt";
    facts->hooks = simt::hooked;
    snprintf(facts->toolkit, sizeof facts->toolkit, "none");
    snprintf(facts->driver, sizeof facts->driver, "none");
#endif
}

/* ---- devices --------------------------------------------------------------------------------- */

int gb_backend_device_count(gb_error *error)
{
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    (void)cudaGetLastError();
#if !defined(__CUDACC__)
    if (count > 1) count = 1; /* the simulated ones are one device to the driver, and a set */
#endif
    if (code == cudaSuccess && count > 0) return count;
#if defined(__CUDACC__)
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        gb_fail(error, GB_UNSUPPORTED,
                "no NVIDIA driver is installed here; install one, or use the simt device");
        return 0;
    }
    if (code == cudaErrorInsufficientDriver) {
        gb_fail(error, GB_UNSUPPORTED,
                "the driver supports CUDA %d.%d, older than the CUDA %d.%d that this worker was "
                "built with: update the driver, or build with an older CUDA Toolkit",
                driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                CUDART_VERSION % 1000 / 10);
        return 0;
    }
#endif
    gb_fail(error, GB_UNSUPPORTED, "no device: %s",
            code == cudaSuccess ? "the driver counts none" : cudaGetErrorString(code));
    return 0;
}

#if defined(__CUDACC__)

/* What to do about a device for which there is no code: toolkits give up old generations. */
static void advise(int arch, char *text, size_t capacity)
{
    const int oldest = CUDART_VERSION >= 13000 ? 750 : CUDART_VERSION >= 12000 ? 500 : 350;
    if (arch < oldest)
        snprintf(text, capacity,
                 "CUDA %d has given it up: get CUDA 11.8 by scripts/setup.sh --cuda11, run make",
                 CUDART_VERSION / 1000);
    else
        snprintf(text, capacity, "rebuild with make CUDA_ARCHS=%d", arch / 10);
}

static void explain_unusable(gb_backend_device *device, const char *cause)
{
    int architectures[MOST_ARCHITECTURES];
    const size_t count = compiled(architectures);
    char built[128] = "", advice[128];
    size_t length = 0;
    for (size_t i = 0; i < count && length < sizeof built - 16; i++) {
        length += (size_t)snprintf(built + length, sizeof built - length, "%ssm_%d", i ? ", " : "",
                                   architectures[i] / 10);
    }
    advise(device->info.arch, advice, sizeof advice);
    if (GB_OLD_CODE) {
        snprintf(built, sizeof built, "the PTX of sm_%d alone", GB_OLD_CODE / 10);
        snprintf(advice, sizeof advice, "newer devices take it, by a driver that knows it still");
    }
    snprintf(device->reason, sizeof device->reason,
             "no code for sm_%d (this worker is built for %s%s%s); %s", device->info.arch / 10,
             built, cause[0] ? ": " : "", cause, advice);
}

/* The PTX, if the build has it and the driver takes it: asking settles that. */
static void try_ptx(gb_backend_device *device)
{
    cudaError_t code = gb_enter_device(device->info.index);
    if (code == cudaSuccess) code = gb_probe_code();
    device->usable = code == cudaSuccess;
    if (device->usable)
        device->ptx = gb_probe_generation();
    else
        explain_unusable(device, cudaGetErrorString(code));
    (void)cudaGetLastError();
}

/* Code compiled for a device of the same major version and no newer minor one runs there. A newer
 * generation can only take the PTX. */
static void judge_code(gb_backend_device *device)
{
    int architectures[MOST_ARCHITECTURES];
    const size_t count = compiled(architectures);
    const int arch = device->info.arch;
    bool older = GB_OLD_CODE && GB_OLD_CODE <= arch;
    for (size_t i = 0; i < count; i++) {
        if (architectures[i] / 100 == arch / 100 && architectures[i] <= arch)
            device->code = architectures[i];
        if (architectures[i] < arch) older = true;
    }
    device->usable = device->code != 0;
    if (device->usable) return;
    if (older)
        try_ptx(device);
    else
        explain_unusable(device, "");
}

#endif

gb_status gb_backend_device_info(int index, gb_backend_device *device, gb_error *error)
{
    *device = gb_backend_device();
    cudaDeviceProp properties;
    GB_TRY(cudaGetDeviceProperties(&properties, index), error);
    gb_device *info = &device->info;
    snprintf(info->name, sizeof info->name, "%.*s", (int)sizeof info->name - 1, properties.name);
    info->index = index;
    info->arch = properties.major * 100 + properties.minor * 10;
    info->sms = gb_multiprocessors(index, properties.multiProcessorCount);
    info->threads_per_sm = properties.maxThreadsPerMultiProcessor;
    info->shared_per_block = properties.sharedMemPerBlock;
    info->shared_optin = gb_shared_optin(properties.sharedMemPerBlockOptin);
    info->shared_per_sm = properties.sharedMemPerMultiprocessor;
    info->l2_bytes = (uint64_t)properties.l2CacheSize;
    info->memory_bytes = properties.totalGlobalMem;
    info->copy_bytes_per_s = gb_likely_copy_rate(index);
#if defined(__CUDACC__)
    snprintf(info->backend, sizeof info->backend, "cuda");
    gb_format_uuid(&properties.uuid, device->uuid, sizeof device->uuid);
    GB_TRY(cudaDeviceGetPCIBusId(device->pci_bus_id, (int)sizeof device->pci_bus_id, index), error);
    judge_code(device);
#else
    snprintf(info->backend, sizeof info->backend, "simt");
    snprintf(device->uuid, sizeof device->uuid, "simt");
    device->usable = true;
#endif
    return GB_OK;
}

/* Whether a device can be one of a set: it is there, it can be used, and is of the first one's
 * make.
 */
static gb_status join_set(int index, const gb_backend_device *first, gb_error *error)
{
    gb_backend_device device;
    int count = 0;
    GB_TRY(cudaGetDeviceCount(&count), error); /* on simt the simulated ones */
    if (index >= count)
        return gb_fail(error, GB_UNSUPPORTED, "there is no device %d; there are 0 to %d", index,
                       count - 1);
    gb_status status = gb_backend_device_info(index, &device, error);
    if (status != GB_OK) return status;
    if (!device.usable)
        return gb_fail(error, GB_UNSUPPORTED, "device %d: %s", index, device.reason);
    if (strcmp(device.info.name, first->info.name) == 0) return GB_OK;
    return gb_fail(error, GB_UNSUPPORTED,
                   "devices that work together are of one make: device %d is %s, device %d is %s",
                   first->info.index, first->info.name, index, device.info.name);
}

gb_status gb_backend_use_set(const int *devices, unsigned count, gb_error *error)
{
    static_assert(GB_MOST_DEVICES == (int)GB_MOST_RANKS, "whatever can be selected is a set");
    gb_backend_device first;
    gb_set_choose(NULL, 0);
    if (count == 1) return GB_OK;
    gb_status status = gb_backend_device_info(devices[0], &first, error);
    for (unsigned i = 1; i < count && status == GB_OK; i++)
        status = join_set(devices[i], &first, error);
    if (status == GB_OK) gb_set_choose(devices, count);
    return status;
}

/* ---- a device in use ------------------------------------------------------------------------- */

static gb_status open_parts(gb_backend *backend, gb_error *error)
{
    GB_TRY(gb_enter_device(backend->device.index), error);
    GB_TRY(gb_probe_code(), error);
    GB_TRY(cudaMalloc(reinterpret_cast<void **>(&backend->sink), sizeof(unsigned)), error);
    return gb_timing_open(backend, error);
}

gb_status gb_backend_open(const gb_backend_device *device, gb_backend **out, gb_error *error)
{
    *out = NULL;
    gb_backend *backend = new (std::nothrow) gb_backend();
    if (!backend) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the device's state");
    backend->device = device->info;
    gb_status status = open_parts(backend, error);
    if (status == GB_OK)
        *out = backend;
    else
        gb_backend_close(backend);
    return status;
}

static gb_status open_stream(gb_backend *backend, int index, gb_error *error)
{
    GB_TRY(gb_enter_device(index), error);
    GB_TRY(cudaStreamCreate(&backend->stream), error);
    return GB_OK;
}

gb_status gb_backend_open_bare(int index, gb_backend **out, gb_error *error)
{
    *out = NULL;
    gb_backend *backend = new (std::nothrow) gb_backend();
    if (!backend) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the device's state");
    gb_status status = open_stream(backend, index, error);
    if (status == GB_OK)
        *out = backend;
    else
        gb_backend_close(backend);
    return status;
}

void gb_backend_close(gb_backend *backend)
{
    if (!backend) return;
    gb_evict_close(backend);
    gb_timing_close(backend);
    (void)cudaFree(backend->sink);
    delete backend;
}

gb_stream gb_backend_stream(const gb_backend *backend)
{
    return gb_stream_of(backend);
}

gb_status gb_backend_sync(gb_backend *backend, gb_error *error)
{
    return gb_wait(backend, error);
}

void gb_backend_memory(const gb_backend *, uint64_t *free_bytes, uint64_t *total_bytes)
{
    size_t left = 0, all = 0;
    if (cudaMemGetInfo(&left, &all) != cudaSuccess) left = all = 0;
    *free_bytes = left;
    *total_bytes = all;
}

void gb_backend_log_failure(void)
{
#if !defined(__CUDACC__)
    cudaError_t code = cudaPeekAtLastError();
    if (code != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(code));
#endif
}

void gb_backend_clear_error(void)
{
    (void)cudaGetLastError();
}
