/* Answers `open` and `close`: jobs, and the points' data that jobs share. */
#include "common/worker/jobs.h"

#include "common/protocol/conditions.h"
#include "common/worker/clock.h"
#include "common/worker/host_cache.h"
#include "common/worker/instances.h"
#include "common/worker/params.h"
#include "common/worker/request.h"
#include "common/worker/team.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What an open request asks for. */
typedef struct open_request {
    uint64_t id, seed;
    const gb_primitive *primitive;
    const gb_variant *variant;
    gb_params params;
    bool cold;
    gb_scope scope;
    uint64_t device_memory; /* 0: no limit was asked for */
} open_request;

/* ---- reading the request --------------------------------------------------------------------- */

static const gb_variant *find_variant(const gb_primitive *primitive, const cJSON *request,
                                      cJSON *answer)
{
    const char *name = gb_request_text(request, "variant");
    char excerpt[GB_EXCERPT];
    if (!name) {
        gb_refuse(answer, "protocol", "\"variant\" must be the name of a variant");
        return NULL;
    }
    for (const gb_variant *const *variant = primitive->variants; *variant; variant++) {
        if (strcmp((*variant)->name, name) == 0) return *variant;
    }
    gb_refuse(answer, "protocol", "%s has no variant \"%s\"; the answer to describe lists them",
              primitive->name, gb_excerpt(name, excerpt));
    return NULL;
}

/* Reads what the job is measured in. */
static bool read_conditions(const cJSON *request, open_request *wanted, cJSON *answer)
{
    static const char must[] = "\"%s\" must be \"%s\" or \"%s\"";
    if (!gb_cache_parse(gb_request_text(request, "cache"), &wanted->cold)) {
        gb_refuse(answer, "protocol", must, "cache", gb_cache_name(false), gb_cache_name(true));
        return false;
    }
    if (!gb_scope_parse(gb_request_text(request, "scope"), &wanted->scope)) {
        gb_refuse(answer, "protocol", must, "scope", gb_scope_name(GB_SCOPE_DEVICE),
                  gb_scope_name(GB_SCOPE_HOST_TO_HOST));
        return false;
    }
    return true;
}

/* Reads the limit on the job's device memory, which need not be there. */
static bool read_device_memory(const cJSON *request, uint64_t *bytes, cJSON *answer)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, "device_memory");
    *bytes = 0;
    if (!item || (gb_request_whole(item, bytes) && *bytes > 0)) return true;
    gb_refuse(answer, "protocol",
              "\"device_memory\" must be a whole number of bytes from 1 to 2^53, or decimal digits "
              "as a string; leave it out for no limit");
    return false;
}

static bool read_open(gb_service *service, const cJSON *request, open_request *wanted,
                      cJSON *answer)
{
    if (!service->backend) {
        gb_refuse(answer, "protocol", "select a device first");
        return false;
    }
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(request, "job");
    if (!cJSON_IsNumber(id) || !gb_request_whole(id, &wanted->id)) {
        gb_refuse(answer, "protocol", "\"job\" must be a whole number of the caller's choice");
        return false;
    }
    for (gb_open_job *job = service->jobs; job; job = job->next) {
        if (job->id == wanted->id) {
            gb_refuse(answer, "protocol", "job %" PRIu64 " is open already", wanted->id);
            return false;
        }
    }
    wanted->primitive = gb_find_primitive(service, request, answer);
    if (!wanted->primitive) return false;
    wanted->variant = find_variant(wanted->primitive, request, answer);
    if (!wanted->variant) return false;
    gb_error error;
    if (!gb_params_parse(wanted->primitive, cJSON_GetObjectItemCaseSensitive(request, "params"),
                         &wanted->params, &error)) {
        gb_refuse(answer, "protocol", "%s", error.text);
        return false;
    }
    if (!gb_request_whole(cJSON_GetObjectItemCaseSensitive(request, "seed"), &wanted->seed)) {
        gb_refuse(answer, "protocol",
                  "\"seed\" must be a whole number up to 2^53, or decimal digits as a string");
        return false;
    }
    return read_conditions(request, wanted, answer) &&
           read_device_memory(request, &wanted->device_memory, answer);
}

/* ---- points ---------------------------------------------------------------------------------- */

/* Finds the point or makes it, and counts one user more. NULL with *status and *error on failure.
 */
static gb_point *acquire_point(gb_service *service, const open_request *wanted, gb_status *status,
                               gb_error *error)
{
    for (gb_point *point = service->points; point; point = point->next) {
        if (point->primitive == wanted->primitive && point->seed == wanted->seed &&
            gb_params_equal(point->primitive, &point->params, &wanted->params)) {
            point->users++;
            return point;
        }
    }
    gb_point *point = calloc(1, sizeof *point);
    if (!point) {
        *status = gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a point");
        return NULL;
    }
    point->primitive = wanted->primitive;
    point->params = wanted->params;
    point->seed = wanted->seed;
    *status = point->primitive->open(&point->params, point->seed, &service->device.info,
                                     &point->problem, error);
    if (*status != GB_OK) {
        free(point);
        return NULL;
    }
    point->users = 1;
    point->next = service->points;
    service->points = point;
    return point;
}

static void release_point(gb_service *service, gb_point *point)
{
    if (--point->users > 0) return;
    gb_point **link = &service->points;
    while (*link != point)
        link = &(*link)->next;
    *link = point->next;
    point->primitive->close(point->problem);
    free(point);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Why the point cannot be measured with this variant; NULL if it can. */
static const char *refusal_of(const gb_service *service, const open_request *wanted)
{
    const gb_primitive *primitive = wanted->primitive;
    const char *reason = primitive->invalid ? primitive->invalid(&wanted->params) : NULL;
    if (!reason && wanted->variant->unsupported)
        reason = wanted->variant->unsupported(&wanted->params, &service->device.info);
    if (!reason && wanted->scope == GB_SCOPE_HOST_TO_HOST &&
        !(wanted->variant->flags & GB_OWN_TRANSFERS) &&
        (!primitive->upload || !primitive->download))
        reason = gb_reason("%s has no host-to-host scope: use scope device", primitive->name);
    if (!reason && wanted->scope == GB_SCOPE_DEVICE && (wanted->variant->flags & GB_OWN_TRANSFERS))
        reason = gb_reason("%s has its data in host memory and moves them itself: use scope "
                           "host-to-host",
                           wanted->variant->name);
    if (!reason && wanted->device_memory && !primitive->honours_memory_limit)
        reason = gb_reason("%s does not count its device memory: leave out measure.device_memory",
                           primitive->name);
    return reason;
}

/* Makes the point's data, the cache evictor's buffer and the variant's scratch. */
static gb_status prepare_job(gb_service *service, const open_request *wanted, gb_open_job *open,
                             cJSON *tried, gb_error *error)
{
    gb_status status = GB_OK;
    open->members = gb_team_members(service, wanted->primitive, &wanted->params);
    gb_backend_team_at_work(open->members);
    open->point = acquire_point(service, wanted, &status, error);
    if (!open->point) return status;
    gb_job *job = &open->job;
    job->primitive = wanted->primitive;
    job->variant = wanted->variant;
    job->params = &open->point->params;
    job->device = &service->device.info;
    job->problem = open->point->problem;
    job->scope = wanted->scope;
    job->memory_limit = wanted->device_memory;
    job->stream = gb_backend_stream(service->backend);
    open->id = wanted->id;
    open->cold = wanted->cold;
    open->footprint = gb_work_at(wanted->primitive, &wanted->params).footprint;
    if (wanted->cold) {
        status = job->variant->flags & GB_HOST ? gb_host_cache_prepare(error)
                                               : gb_backend_prepare_evict(service->backend, error);
    }
    if (status == GB_OK) status = gb_prepare_instance(service, open, tried, error);
    if (status == GB_OK) status = gb_backend_sync(service->backend, error);
    return status;
}

void gb_close_job(gb_service *service, gb_open_job *open)
{
    if (service->warm == open) service->warm = NULL;
    gb_open_job **link = &service->jobs;
    while (*link && *link != open)
        link = &(*link)->next;
    if (*link) *link = open->next;
    if (open->point) {
        if (open->job.variant->cleanup) open->job.variant->cleanup(&open->job);
        release_point(service, open->point);
    }
    free(open);
}

void gb_handle_open(gb_service *service, const cJSON *request, cJSON *answer)
{
    open_request wanted = {0};
    if (!read_open(service, request, &wanted, answer)) return;
    const char *reason = refusal_of(service, &wanted);
    if (reason) {
        gb_refuse(answer, "unsupported", "%s", reason);
        return;
    }
    gb_open_job *open = calloc(1, sizeof *open);
    if (!open) {
        gb_refuse(answer, "out_of_memory", "no host memory for a job");
        return;
    }
    gb_error error = {GB_OK, ""};
    double start = gb_clock_s();
    cJSON *tried = cJSON_CreateArray();
    gb_status status = prepare_job(service, &wanted, open, tried, &error);
    double busy_s = gb_clock_s() - start;
    if (status != GB_OK) {
        cJSON_Delete(tried);
        gb_refuse_failure(service, answer, status, &error);
        if (service->fatal)
            free(open); /* whatever is on the device is lost with it */
        else
            gb_close_job(service, open);
        return;
    }
    open->next = service->jobs;
    service->jobs = open;
    gb_work work = gb_work_at(wanted.primitive, &wanted.params);
    cJSON_AddNumberToObject(answer, "items", (double)work.items);
    cJSON_AddNumberToObject(answer, "bytes", (double)work.bytes);
    cJSON_AddNumberToObject(answer, "flops", (double)work.flops);
    cJSON_AddNumberToObject(answer, "footprint", (double)work.footprint);
    if (open->job.instance_name[0])
        cJSON_AddStringToObject(answer, "instance", open->job.instance_name);
    if (cJSON_GetArraySize(tried))
        cJSON_AddItemToObject(answer, "instances", tried);
    else
        cJSON_Delete(tried);
    cJSON_AddNumberToObject(answer, "busy_s", busy_s);
}

void gb_handle_close(gb_service *service, const cJSON *request, cJSON *answer)
{
    gb_open_job *open = gb_find_job(service, request, answer);
    if (!open) return;
    double start = gb_clock_s();
    gb_close_job(service, open);
    gb_error error = {GB_OK, ""};
    gb_status status = gb_backend_sync(service->backend, &error);
    double busy_s = gb_clock_s() - start;
    if (status != GB_OK) {
        gb_refuse_failure(service, answer, status, &error);
        return;
    }
    cJSON_AddNumberToObject(answer, "busy_s", busy_s);
    gb_add_free_memory(service, answer);
}
