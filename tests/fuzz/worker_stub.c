/* A back-end and a primitive that do nothing, for the worker's side of the protocol. */
#include "common/worker/backend.h"
#include "common/worker/limit.h"

#include <stdio.h>
#include <stdlib.h>

/* Where a request asks for a million samples, so many are enough. */
enum { MOST_RUNS = 200 };

struct gb_backend {
    unsigned runs;
};

struct gb_problem {
    int unused;
};

/* ---- the back-end ---------------------------------------------------------------------------- */

void gb_backend_describe(gb_backend_facts *facts)
{
    *facts = (gb_backend_facts){.backend = "simt", .compiler = "", .flags = ""};
}

int gb_backend_device_count(gb_error *error)
{
    (void)error;
    return 1;
}

gb_status gb_backend_device_info(int index, gb_backend_device *device, gb_error *error)
{
    (void)error;
    *device = (gb_backend_device){.usable = true};
    device->info.index = index;
    snprintf(device->info.name, sizeof device->info.name, "nothing");
    snprintf(device->info.backend, sizeof device->info.backend, "simt");
    return GB_OK;
}

gb_status gb_backend_open(const gb_backend_device *device, gb_backend **out, gb_error *error)
{
    (void)device;
    *out = calloc(1, sizeof **out);
    return *out ? GB_OK : gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
}

void gb_backend_close(gb_backend *backend)
{
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
    *free_bytes = *total_bytes = 1 << 20;
}

void gb_backend_log_failure(void) {}

void gb_backend_clear_error(void) {}

gb_status gb_backend_limit(int index, unsigned multiprocessors, unsigned *granted, gb_error *error)
{
    (void)index;
    (void)error;
    *granted = multiprocessors;
    return GB_OK;
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
    (void)bytes;
    (void)error;
    return GB_OK;
}

gb_status gb_backend_schedule(gb_backend *backend, const gb_schedule *schedule, gb_error *error)
{
    (void)backend;
    (void)schedule;
    (void)error;
    return GB_OK;
}

void gb_backend_begin_schedule(gb_backend *backend)
{
    (void)backend;
}

void gb_backend_end_schedule(gb_backend *backend)
{
    (void)backend;
}

gb_status gb_backend_time(gb_backend *backend, gb_clock clock, gb_region region, void *context,
                          double *seconds, bool *expired, gb_error *error)
{
    (void)clock;
    if (++backend->runs > MOST_RUNS) return gb_fail(error, GB_TIMEOUT, "it takes too long");
    *seconds = 1e-6;
    *expired = false;
    return region(context, NULL);
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

gb_status gb_backend_profile(gb_backend *backend, gb_region region, void *context, gb_error *error)
{
    if (++backend->runs > MOST_RUNS) return gb_fail(error, GB_TIMEOUT, "it takes too long");
    return region(context, NULL);
}

gb_status gb_backend_prepare_evict(gb_backend *backend, gb_error *error)
{
    (void)backend;
    (void)error;
    return GB_OK;
}

gb_status gb_backend_evict(gb_backend *backend, gb_error *error)
{
    (void)backend;
    (void)error;
    return GB_OK;
}

gb_status gb_backend_measure_ceilings(gb_backend *backend, gb_ceilings *ceilings, gb_error *error)
{
    (void)backend;
    (void)error;
    *ceilings = (gb_ceilings){.copy_bytes_per_s = 1e9};
    return GB_OK;
}

gb_status gb_backend_use_set(const int *devices, unsigned count, gb_error *error)
{
    return devices[count - 1] == 0 ? GB_OK : gb_fail(error, GB_UNSUPPORTED, "there is no other");
}

gb_status gb_backend_measure_links(gb_backend *backend, gb_device_links *links, gb_error *error)
{
    (void)backend;
    *links = (gb_device_links){.size = 2, .nccl = "1.2.3"};
    links->list = calloc(2, sizeof *links->list);
    return links->list ? GB_OK : gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
}

gb_status gb_backend_team_id(char id[GB_TEAM_ID], gb_error *error)
{
    (void)error;
    snprintf(id, GB_TEAM_ID, "stub-1");
    return GB_OK;
}

gb_status gb_backend_join_team(const gb_team *team, gb_error *error)
{
    return !team || team->rank == 0 ? GB_OK : gb_fail(error, GB_CRASHED, "nobody is there");
}

void gb_backend_team_at_work(unsigned members)
{
    (void)members;
}

/* ---- the primitive --------------------------------------------------------------------------- */

static const char *invalid(const gb_params *params)
{
    return params->value[0].size == 13 ? gb_reason("13 is never valid\n  never") : NULL;
}

static gb_work work(const gb_params *params)
{
    uint64_t n = params->value[0].size;
    return (gb_work){.items = n, .bytes = 8 * n, .footprint = 8 * n};
}

static gb_status problem_open(const gb_params *params, uint64_t seed, const gb_device *device,
                              gb_problem **out, gb_error *error)
{
    (void)seed;
    (void)device;
    *out = NULL;
    if (params->value[0].size == 666) return gb_fail(error, GB_OUT_OF_MEMORY, "666 is too much");
    *out = calloc(1, sizeof **out);
    return *out ? GB_OK : gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
}

static void problem_close(gb_problem *problem)
{
    free(problem);
}

static gb_status nothing(gb_job *job, gb_stream stream)
{
    (void)job;
    (void)stream;
    return GB_OK;
}

static gb_status wrong(gb_job *job, gb_stream stream)
{
    (void)stream;
    return gb_fail(&job->error, GB_WRONG, "key 5\nis in bin \033[31m8");
}

static const char *const nasty[] = {NULL};
static const char *const kinds[] = {"plain", "distinct:", NULL};
static const gb_axis axes[] = {
    {"n", GB_AXIS_SIZE, "how many", "1", 0, 1000, NULL, nasty, NULL},
    {"kind", GB_AXIS_NAME, "which", "plain", 0, 0, kinds, nasty, NULL},
};
static const gb_variant right = {.name = "right", .summary = "s", .origin = "o", .run = nothing};
static const gb_variant waits = {
    .name = "waits", .summary = "s", .origin = "o", .flags = GB_WAITS | GB_STABLE, .run = nothing};
static const gb_variant fails = {.name = "fails", .summary = "s", .origin = "o", .run = wrong};
static const gb_variant *const variants[] = {&right, &waits, &fails, NULL};
static const gb_primitive primitive = {.name = "p",
                                       .title = "P",
                                       .unit = "things",
                                       .axes = axes,
                                       .axis_count = 2,
                                       .variants = variants,
                                       .invalid = invalid,
                                       .work = work,
                                       .open = problem_open,
                                       .close = problem_close,
                                       .upload = nothing,
                                       .download = nothing,
                                       .poison = nothing,
                                       .check = nothing};
const gb_primitive *const gb_registry[] = {&primitive, NULL};
