/* The OpenCL back-end: what was built, a device in use, schedules (which it has none of). */
#include "common/opencl/backend.h"
#include "common/worker/limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The build passes both as strings; compiled by hand, the flags are not known. */
#if !defined(GB_FLAGS)
#define GB_FLAGS ""
#endif
#if !defined(GB_COMPILER)
#define GB_COMPILER __VERSION__
#endif

/* ---- what was built -------------------------------------------------------------------------- */

/* Copies the first words of a version, as many as fit and up to a comma or a gap: platforms add a
 * list of what they were built with. */
static void first_words(const char *version, char *text, size_t capacity)
{
    size_t kept = 0;
    for (size_t at = 0; at < capacity; at++) {
        const char c = version[at];
        if (c != '\0' && c != ',' && c != ' ') continue;
        kept = at;
        if (c != ' ' || version[at + 1] == ' ') break;
    }
    snprintf(text, capacity, "%.*s", (int)kept, version);
}

void gb_backend_describe(gb_backend_facts *facts)
{
    gb_opencl_entry entries[GB_OPENCL_MAX_DEVICES];
    char text[256];
    *facts = (gb_backend_facts){.backend = "opencl", .compiler = GB_COMPILER, .flags = GB_FLAGS};
    snprintf(facts->toolkit, sizeof facts->toolkit, "none");
    snprintf(facts->driver, sizeof facts->driver, "none");
    if (gb_opencl_list(entries, NULL) == 0) return;
    gb_opencl_platform_text(entries[0].platform, CL_PLATFORM_VERSION, text, sizeof text);
    first_words(text, facts->toolkit, sizeof facts->toolkit);
    gb_opencl_device_text(entries[0].device, CL_DRIVER_VERSION, text, sizeof text);
    first_words(text, facts->driver, sizeof facts->driver);
}

/* ---- a device in use ------------------------------------------------------------------------- */

/* What the platform has to say about errors, beyond their codes. */
static void CL_CALLBACK log_trouble(const char *text, const void *data, size_t size, void *context)
{
    (void)data;
    (void)size;
    (void)context;
    fprintf(stderr, "gpubench worker: OpenCL says: %s\n", text);
}

static gb_status open_parts(gb_backend *backend, const gb_opencl_entry *entry, gb_error *error)
{
    gb_opencl *cl = &backend->cl;
    const cl_context_properties on[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)entry->platform,
                                        0};
    cl_device_type type = 0;
    cl_int code;
    cl->device = entry->device;
    GB_CL_TRY(clGetDeviceInfo(cl->device, CL_DEVICE_TYPE, sizeof type, &type, NULL), error);
    cl->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    cl->context = clCreateContext(on, 1, &cl->device, log_trouble, NULL, &code);
    if (!cl->context) return gb_opencl_status(code, "clCreateContext", error);
    cl->queue = clCreateCommandQueue(cl->context, cl->device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (!cl->queue) return gb_opencl_status(code, "clCreateCommandQueue", error);
    return GB_OK;
}

gb_status gb_backend_open_bare(int index, gb_backend **out, gb_error *error)
{
    gb_opencl_entry entries[GB_OPENCL_MAX_DEVICES];
    *out = NULL;
    const unsigned count = gb_opencl_list(entries, error);
    if (index < 0 || (unsigned)index >= count)
        return gb_fail(error, GB_UNSUPPORTED, "OpenCL device %d is gone", index);
    gb_backend *backend = calloc(1, sizeof *backend);
    if (!backend) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the device's state");
    gb_opencl_select(&backend->cl);
    gb_status status = open_parts(backend, &entries[index], error);
    if (status == GB_OK)
        *out = backend;
    else
        gb_backend_close(backend);
    return status;
}

gb_status gb_backend_open(const gb_backend_device *device, gb_backend **out, gb_error *error)
{
    gb_backend *backend;
    gb_status status = gb_backend_open_bare(device->info.index, &backend, error);
    *out = NULL;
    if (!backend) return status;
    backend->cl.info = device->info;
    status = gb_timing_open(backend, error);
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
    gb_sweeps_close(backend);
    if (backend->cl.queue) (void)clReleaseCommandQueue(backend->cl.queue);
    if (backend->cl.context) (void)clReleaseContext(backend->cl.context);
    if (gb_opencl_selected() == &backend->cl) gb_opencl_select(NULL);
    free(backend);
}

gb_stream gb_backend_stream(const gb_backend *backend)
{
    return gb_opencl_stream(&backend->cl);
}

gb_status gb_backend_sync(gb_backend *backend, gb_error *error)
{
    GB_CL_TRY(clFinish(backend->cl.queue), error);
    return GB_OK;
}

/* OpenCL tells how much memory a device has, not how much of it is free. */
void gb_backend_memory(const gb_backend *backend, uint64_t *free_bytes, uint64_t *total_bytes)
{
    (void)backend;
    *free_bytes = *total_bytes = 0;
}

/* Failures are known by their sentence alone, and none stays behind. */
void gb_backend_log_failure(void) {}
void gb_backend_clear_error(void) {}

/* ---- schedules ------------------------------------------------------------------------------- */

gb_status gb_backend_schedule(gb_backend *backend, const gb_schedule *schedule, gb_error *error)
{
    (void)backend;
    if (!schedule) return GB_OK;
    return gb_fail(error, GB_UNSUPPORTED,
                   "an OpenCL device schedules as it likes: only the simt device takes a schedule");
}

void gb_backend_begin_schedule(gb_backend *backend)
{
    (void)backend;
}

void gb_backend_end_schedule(gb_backend *backend)
{
    (void)backend;
}

/* ---- launches: OpenCL tells nothing of machine code ---------------------------------------------
 */

void gb_backend_record_launches(gb_backend *backend, bool on)
{
    (void)backend;
    (void)on;
}

size_t gb_backend_launched(gb_backend *backend, gb_kernel *kernels, size_t most)
{
    (void)backend;
    (void)kernels;
    (void)most;
    return 0;
}

/* ---- a part of the device: there is none ----------------------------------------------------- */

gb_status gb_backend_limit(int index, unsigned multiprocessors, unsigned *granted, gb_error *error)
{
    (void)index;
    *granted = 0;
    if (!multiprocessors) return GB_OK;
    return gb_fail(
        error, GB_UNSUPPORTED,
        "OpenCL has no way to use a part of a device's multiprocessors; CUDA and simt have");
}

unsigned gb_backend_limited(void)
{
    return 0;
}

uint64_t gb_backend_limited_shared(void)
{
    return 0;
}

gb_status gb_backend_limit_shared(int index, uint64_t bytes, gb_error *error)
{
    (void)index;
    if (!bytes) return GB_OK;
    return gb_fail(
        error, GB_UNSUPPORTED, "%s",
        "OpenCL's kernels are not told of less local memory; those of CUDA and simt are");
}

/* ---- several devices ------------------------------------------------------------------------- */

#define GB_ONE_AT_A_TIME \
    "our OpenCL kernels run on one device at a time; CUDA's devices work together"
#include "common/worker/one_at_a_time.h"
