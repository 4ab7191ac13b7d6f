/* A part of a device's multiprocessors: a green context of the driver's (CUDA 12.4), in which all
 * that the worker does then happens; on simt so many OS threads. A part of the shared memory: what
 * variants go by, and launches (launches.cu) are held to; on simt the device has no more. */
#include "common/cuda/limit.cuh"
#include "common/worker/limit.h"

#include <stdio.h>
#include <string.h>

#if defined(__CUDACC__) && CUDART_VERSION >= 12040
#include <cuda.h>
#define GB_HAS_PARTS 1
#else
#define GB_HAS_PARTS 0
#endif

static unsigned limit;      /* one at a time */
static size_t shared_limit; /* bytes; 0: none */

uint64_t gb_backend_limited_shared(void)
{
    return shared_limit;
}

static void hold_shared(size_t bytes)
{
    shared_limit = bytes;
#if !defined(__CUDACC__)
    simt::hold_shared(bytes);
#endif
}

gb_status gb_backend_limit_shared(int index, uint64_t bytes, gb_error *error)
{
    int all = 0, unasked = 0;
    hold_shared(0);
    if (!bytes) return GB_OK;
    GB_TRY(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerBlockOptin, index), error);
    GB_TRY(cudaDeviceGetAttribute(&unasked, cudaDevAttrMaxSharedMemoryPerBlock, index), error);
    if (bytes < (uint64_t)unasked || bytes > (uint64_t)all)
        return gb_fail(error, GB_UNSUPPORTED,
                       "blocks cannot be held to %llu KiB of shared memory: they have %d without "
                       "asking for it, and %d at most on this device",
                       (unsigned long long)bytes >> 10, unasked >> 10, all >> 10);
    hold_shared((size_t)bytes);
    return GB_OK;
}

size_t gb_shared_optin(size_t all)
{
    return shared_limit && shared_limit < all ? shared_limit : all;
}

unsigned gb_backend_limited(void)
{
    return limit;
}

#if GB_HAS_PARTS || !defined(__CUDACC__)

enum { MOST_VALUES = 1024 };

/* So many values from the first on lie as far apart as the first two. */
static size_t run_of(const unsigned *values, size_t count)
{
    size_t i = 2;
    while (i < count && values[i] - values[i - 1] == values[1] - values[0])
        i++;
    return count < 2 ? count : i;
}

/* "8 to 128 in steps of 8, 132": what can be had, ascending, for messages. Returns text. */
static const char *listed(const unsigned *values, size_t count, char text[256])
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < count && used < 256;) {
        const size_t run = run_of(values + i, count - i);
        const char *between = i ? ", " : "";
        const unsigned last = values[i + run - 1], step = run > 1 ? values[i + 1] - values[i] : 0;
        if (run < 3)
            used += (size_t)snprintf(text + used, 256 - used, "%s%u", between, values[i]);
        else if (step == 1)
            used +=
                (size_t)snprintf(text + used, 256 - used, "%s%u to %u", between, values[i], last);
        else
            used += (size_t)snprintf(text + used, 256 - used, "%s%u to %u in steps of %u", between,
                                     values[i], last, step);
        i += run < 3 ? 1 : run;
    }
    return text;
}

static gb_status refuse_number(unsigned wanted, unsigned all, const unsigned *values, size_t count,
                               gb_error *error)
{
    char text[256];
    return gb_fail(error, GB_UNSUPPORTED,
                   "the device cannot be cut to %u multiprocessors: of its %u these can be had: %s",
                   wanted, all, listed(values, count, text));
}

#endif
#if GB_HAS_PARTS

static int limited_index;

int gb_multiprocessors(int index, int all)
{
    return limit && index == limited_index ? (int)limit : all;
}

/* ---- the driver's functions, found at run time so that nothing links against libcuda -----------
 */

typedef struct functions {
    decltype(&cuDeviceGet) device;
    decltype(&cuDeviceGetDevResource) resource_of_device;
    decltype(&cuDevSmResourceSplitByCount) split;
    decltype(&cuDevResourceGenerateDesc) describe;
    decltype(&cuGreenCtxCreate) create;
    decltype(&cuGreenCtxDestroy) destroy;
    decltype(&cuCtxFromGreenCtx) context_of;
    decltype(&cuCtxGetDevResource) resource_of_context;
    decltype(&cuCtxSetCurrent) set_current;
    decltype(&cuGetErrorName) name_of_error;
} functions;

static bool find(const char *name, void *function)
{
    void **found = static_cast<void **>(function);
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    const cudaError_t code =
        cudaGetDriverEntryPointByVersion(name, found, 12040, cudaEnableDefault, &result);
#else
    const cudaError_t code = cudaGetDriverEntryPoint(name, found, cudaEnableDefault, &result);
#endif
    if (code == cudaSuccess && result == cudaDriverEntryPointSuccess && *found) return true;
    (void)cudaGetLastError();
    return false;
}

/* NULL: the driver has not all of them. */
static const functions *driver()
{
    static functions f;
    static const bool all =
        find("cuDeviceGet", &f.device) && find("cuDeviceGetDevResource", &f.resource_of_device) &&
        find("cuDevSmResourceSplitByCount", &f.split) &&
        find("cuDevResourceGenerateDesc", &f.describe) && find("cuGreenCtxCreate", &f.create) &&
        find("cuGreenCtxDestroy", &f.destroy) && find("cuCtxFromGreenCtx", &f.context_of) &&
        find("cuCtxGetDevResource", &f.resource_of_context) &&
        find("cuCtxSetCurrent", &f.set_current) && find("cuGetErrorName", &f.name_of_error);
    return all ? &f : NULL;
}

/* ---- the part -------------------------------------------------------------------------------- */

static CUgreenCtx green;
static CUcontext context;

static gb_status fail(gb_error *error, const char *call, CUresult code)
{
    const char *name = NULL;
    if (driver()->name_of_error(code, &name) != CUDA_SUCCESS || !name) name = "an unknown error";
    return gb_fail(error, code == CUDA_ERROR_OUT_OF_MEMORY ? GB_OUT_OF_MEMORY : GB_UNSUPPORTED,
                   "a part of the multiprocessors cannot be had: %s says %s", call, name);
}

/* So many of all, or more where the device has none so small; false: none. Kernels that need
 * clusters of blocks have them there as they do on the whole device (no flags). */
static bool split(const CUdevResource *all, unsigned count, CUdevResource *part)
{
    unsigned groups = 1;
    *part = *all;
    if (count == all->sm.smCount) return true;
    return driver()->split(part, &groups, all, NULL, 0, count) == CUDA_SUCCESS && groups == 1;
}

static gb_status refuse(const CUdevResource *all, unsigned wanted, gb_error *error)
{
    unsigned values[MOST_VALUES];
    size_t count = 0;
    CUdevResource part;
    for (unsigned n = 1; n <= all->sm.smCount && count < MOST_VALUES; n++)
        if (split(all, n, &part) && part.sm.smCount == n) values[count++] = n;
    return refuse_number(wanted, all->sm.smCount, values, count, error);
}

/* The context of so many, not yet current. */
static gb_status make(int index, unsigned multiprocessors, gb_error *error)
{
    const functions *f = driver();
    CUdevice device;
    CUdevResource all, part;
    CUdevResourceDesc description;
    CUresult code = f->device(&device, index);
    if (code != CUDA_SUCCESS) return fail(error, "cuDeviceGet", code);
    code = f->resource_of_device(device, &all, CU_DEV_RESOURCE_TYPE_SM);
    if (code != CUDA_SUCCESS) return fail(error, "cuDeviceGetDevResource", code);
    if (multiprocessors > all.sm.smCount || !split(&all, multiprocessors, &part) ||
        part.sm.smCount != multiprocessors)
        return refuse(&all, multiprocessors, error);
    code = f->describe(&description, &part, 1);
    if (code != CUDA_SUCCESS) return fail(error, "cuDevResourceGenerateDesc", code);
    code = f->create(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
    if (code != CUDA_SUCCESS) return fail(error, "cuGreenCtxCreate", code);
    code = f->context_of(&context, green);
    return code == CUDA_SUCCESS ? GB_OK : fail(error, "cuCtxFromGreenCtx", code);
}

static gb_status ask(unsigned *granted, gb_error *error)
{
    CUdevResource got;
    const CUresult code = driver()->resource_of_context(context, &got, CU_DEV_RESOURCE_TYPE_SM);
    if (code != CUDA_SUCCESS) return fail(error, "cuCtxGetDevResource", code);
    *granted = got.sm.smCount;
    return GB_OK;
}

/* The whole device is current again. */
static void leave()
{
    if (!green) return;
    (void)cudaSetDevice(limited_index);
    (void)driver()->destroy(green);
    green = NULL;
    context = NULL;
    limit = 0;
}

gb_status gb_backend_limit(int index, unsigned multiprocessors, unsigned *granted, gb_error *error)
{
    leave();
    *granted = 0;
    if (!multiprocessors) return GB_OK;
    /* The context of the whole device comes first: the part shares its memory and code. */
    GB_TRY(cudaSetDevice(index), error);
    if (!driver())
        return gb_fail(error, GB_UNSUPPORTED,
                       "this driver cannot cut a device into parts: that needs CUDA 12.4 or newer "
                       "(driver 550)");
    limited_index = index;
    gb_status status = make(index, multiprocessors, error);
    if (status == GB_OK) status = ask(granted, error);
    if (status == GB_OK)
        limit = multiprocessors;
    else
        leave();
    return status;
}

cudaError_t gb_enter_device(int index)
{
    if (!limit || index != limited_index) return cudaSetDevice(index);
    return driver()->set_current(context) == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidDevice;
}

#elif defined(__CUDACC__)

gb_status gb_backend_limit(int, unsigned multiprocessors, unsigned *granted, gb_error *error)
{
    *granted = 0;
    if (!multiprocessors) return GB_OK;
    return gb_fail(
        error, GB_UNSUPPORTED,
        "this worker was built by CUDA %d.%d, which cannot cut a device into parts: that "
        "needs CUDA 12.4 or newer",
        CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
}

#else

static gb_status refuse(unsigned wanted, unsigned all, gb_error *error)
{
    unsigned values[MOST_VALUES];
    size_t count = 0;
    while (count < all && count < MOST_VALUES) {
        values[count] = (unsigned)count + 1;
        count++;
    }
    return refuse_number(wanted, all, values, count, error);
}

gb_status gb_backend_limit(int index, unsigned multiprocessors, unsigned *granted, gb_error *error)
{
    int all = 0, now = 0;
    if (limit) gb_schedule_workers(0);
    limit = 0;
    *granted = 0;
    if (!multiprocessors) return GB_OK;
    GB_TRY(cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, index), error);
    if (multiprocessors > (unsigned)all) return refuse(multiprocessors, (unsigned)all, error);
    gb_schedule_workers(multiprocessors);
    limit = multiprocessors;
    GB_TRY(cudaDeviceGetAttribute(&now, cudaDevAttrMultiProcessorCount, index), error);
    *granted = (unsigned)now;
    return GB_OK;
}

#endif
#if !GB_HAS_PARTS

/* simt's own count has a limit in it. */
int gb_multiprocessors(int, int all)
{
    return all;
}

cudaError_t gb_enter_device(int index)
{
    return cudaSetDevice(index);
}

#endif
