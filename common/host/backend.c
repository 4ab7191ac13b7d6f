/* The host back-end: the CPU, its clock and its caches. */
#include "common/worker/backend.h"

#include "common/text/file.h"
#include "common/text/text.h"
#include "common/worker/clock.h"
#include "common/worker/host_cache.h"
#include "common/worker/limit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The build passes both as strings; compiled by hand, the flags are not known. */
#if !defined(GB_FLAGS)
#define GB_FLAGS ""
#endif
#if !defined(GB_COMPILER)
#define GB_COMPILER __VERSION__
#endif

struct gb_backend {
    gb_device device;
};

/* ---- what was built, and what is here -------------------------------------------------------- */

void gb_backend_describe(gb_backend_facts *facts)
{
    *facts = (gb_backend_facts){.backend = "host", .compiler = GB_COMPILER, .flags = GB_FLAGS};
    snprintf(facts->toolkit, sizeof facts->toolkit, "none");
    snprintf(facts->driver, sizeof facts->driver, "none");
}

int gb_backend_device_count(gb_error *error)
{
    (void)error;
    return 1;
}

/* The CPU as Linux calls it; where it gives no name (ARM), the machine. */
static void name_cpu(char *name, size_t capacity)
{
    struct utsname names;
    if (!gb_file_find_line("/proc/cpuinfo", "model name", ':', name, capacity) || !*name)
        snprintf(name, capacity, "%.60s CPU", uname(&names) == 0 ? names.machine : "some");
    gb_text_tame(name);
}

gb_status gb_backend_device_info(int index, gb_backend_device *device, gb_error *error)
{
    (void)error;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES);
    *device = (gb_backend_device){.usable = true};
    gb_device *info = &device->info;
    name_cpu(info->name, sizeof info->name);
    snprintf(info->backend, sizeof info->backend, "host");
    snprintf(device->uuid, sizeof device->uuid, "host");
    info->index = index;
    info->sms = cores > 0 ? (int)cores : 1;
    info->l2_bytes = gb_host_cache_bytes();
    if (pages > 0) info->memory_bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return GB_OK;
}

/* ---- in use ---------------------------------------------------------------------------------- */

gb_status gb_backend_open(const gb_backend_device *device, gb_backend **out, gb_error *error)
{
    *out = malloc(sizeof **out);
    if (!*out) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for the device's state");
    (*out)->device = device->info;
    return GB_OK;
}

gb_status gb_backend_open_bare(int index, gb_backend **out, gb_error *error)
{
    gb_backend_device device;
    gb_status status = gb_backend_device_info(index, &device, error);
    return status == GB_OK ? gb_backend_open(&device, out, error) : status;
}

void gb_backend_close(gb_backend *backend)
{
    if (backend) gb_host_cache_free();
    free(backend);
}

gb_stream gb_backend_stream(const gb_backend *backend)
{
    (void)backend;
    return NULL;
}

gb_status gb_backend_sync(gb_backend *backend, gb_error *error)
{
    (void)backend;
    (void)error;
    return GB_OK;
}

void gb_backend_memory(const gb_backend *backend, uint64_t *free_bytes, uint64_t *total_bytes)
{
    (void)backend;
    *free_bytes = *total_bytes = 0;
}

/* Failures are known by their sentence alone, and none stays behind. */
void gb_backend_log_failure(void) {}
void gb_backend_clear_error(void) {}

/* ---- schedules and launches: there are none ----------------------------------------------------
 */

gb_status gb_backend_schedule(gb_backend *backend, const gb_schedule *schedule, gb_error *error)
{
    (void)backend;
    if (!schedule) return GB_OK;
    return gb_fail(error, GB_UNSUPPORTED,
                   "a CPU schedules as it likes: only the simt device takes a schedule");
}

void gb_backend_begin_schedule(gb_backend *backend)
{
    (void)backend;
}

void gb_backend_end_schedule(gb_backend *backend)
{
    (void)backend;
}

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

/* ---- timing ---------------------------------------------------------------------------------- */

gb_status gb_backend_time(gb_backend *backend, gb_clock clock, gb_region region, void *context,
                          double *seconds, bool *expired, gb_error *error)
{
    (void)clock;
    (void)error;
    *expired = false;
    const double start = gb_clock_s();
    const gb_status status = region(context, gb_backend_stream(backend));
    *seconds = gb_clock_s() - start;
    return status;
}

gb_status gb_backend_profile(gb_backend *backend, gb_region region, void *context, gb_error *error)
{
    (void)backend;
    (void)region;
    (void)context;
    return gb_fail(error, GB_UNSUPPORTED, "no profiler of kernels looks at a CPU");
}

gb_status gb_backend_prepare_evict(gb_backend *backend, gb_error *error)
{
    (void)backend;
    return gb_host_cache_prepare(error);
}

gb_status gb_backend_evict(gb_backend *backend, gb_error *error)
{
    (void)backend;
    (void)error;
    gb_host_cache_evict();
    return GB_OK;
}

gb_status gb_backend_measure_ceilings(gb_backend *backend, gb_ceilings *ceilings, gb_error *error)
{
    enum { LOOKS = 1000 };
    (void)backend;
    (void)error;
    *ceilings = (gb_ceilings){.launch_s = 0};
    double before = gb_clock_s();
    for (int i = 0; i < LOOKS; i++) {
        const double now = gb_clock_s(), step = now - before;
        if (step > 0 && (ceilings->timer_s == 0 || step < ceilings->timer_s))
            ceilings->timer_s = step;
        before = now;
    }
    return GB_OK;
}

/* ---- a part of the device: there is none ----------------------------------------------------- */

gb_status gb_backend_limit(int index, unsigned multiprocessors, unsigned *granted, gb_error *error)
{
    (void)index;
    *granted = 0;
    if (!multiprocessors) return GB_OK;
    return gb_fail(error, GB_UNSUPPORTED,
                   "the host is a CPU and has no multiprocessors; CUDA's devices and simt have");
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
        "the host is a CPU and has no shared memory of blocks; CUDA's devices and simt have");
}

/* ---- several devices ------------------------------------------------------------------------- */

#define GB_ONE_AT_A_TIME \
    "the host is one device, which no other works together with; CUDA's devices do"
#include "common/worker/one_at_a_time.h"
