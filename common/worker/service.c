/* The worker as a service: reads a request, finds who answers it, and answers the small ones. */
#include "common/worker/service.h"

#include "common/protocol/protocol.h"
#include "common/text/json.h"
#include "common/text/text.h"
#include "common/worker/describe.h"
#include "common/worker/dump.h"
#include "common/worker/jobs.h"
#include "common/worker/limit.h"
#include "common/worker/links.h"
#include "common/worker/measure.h"
#include "common/worker/params.h"
#include "common/worker/provide.h"
#include "common/worker/request.h"
#include "common/worker/team.h"
#include "common/worker/telemetry.h"

#include <inttypes.h>
#include <string.h>

/* ---- select ---------------------------------------------------------------------------------- */

static void add_if_measured(cJSON *object, const char *name, double value)
{
    if (value > 0) cJSON_AddNumberToObject(object, name, value);
}

/* What of a device a request leaves; 0: all. */
typedef struct device_limits {
    uint64_t multiprocessors, shared_kib;
} device_limits;

/* A limit of a request; 0: it has none. False after a refusal. */
static bool read_limit(const cJSON *request, const char *name, uint64_t *limit, cJSON *answer)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, name);
    *limit = 0;
    if (!item || (gb_request_whole(item, limit) && *limit >= 1 && *limit <= INT32_MAX)) return true;
    gb_refuse(answer, "protocol", "\"%s\" must be a number from 1 on", name);
    return false;
}

/* The limits of a request, which are those of one device; `together`: how many there are. False
 * after a refusal. */
static bool read_limits(const cJSON *request, unsigned together, device_limits *limits,
                        cJSON *answer)
{
    if (!read_limit(request, "multiprocessors", &limits->multiprocessors, answer) ||
        !read_limit(request, "shared_kib", &limits->shared_kib, answer))
        return false;
    if (together < 2 || (!limits->multiprocessors && !limits->shared_kib)) return true;
    gb_refuse(answer, "unsupported", "a part of the %s is that of one device, and these are %u",
              limits->multiprocessors ? "multiprocessors" : "shared memory", together);
    return false;
}

/* Describes the device that is to be opened, as far as the limits leave it; afterwards
 * limits->multiprocessors is how many it is cut to. */
static gb_status choose_device(gb_service *service, int index, device_limits *limits,
                               gb_error *error)
{
    unsigned granted = 0;
    gb_status status = gb_backend_device_info(index, &service->device, error);
    if (status == GB_OK && !service->device.usable)
        return gb_fail(error, GB_UNSUPPORTED, "%s", service->device.reason);
    if (status == GB_OK)
        status = gb_backend_limit(index, (unsigned)limits->multiprocessors, &granted, error);
    if (status == GB_OK) status = gb_backend_limit_shared(index, limits->shared_kib << 10, error);
    if (status != GB_OK) return status;
    limits->multiprocessors = granted;
    return gb_backend_device_info(index, &service->device, error);
}

/* The devices of a request, the first of which is `device`; without a list that one alone. False
 * after a refusal. */
static bool read_set(const cJSON *request, uint64_t device, int devices[GB_MOST_DEVICES],
                     unsigned *count, cJSON *answer)
{
    const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(request, "devices");
    bool good = !list || (cJSON_IsArray(list) && cJSON_GetArraySize(list) >= 1 &&
                          cJSON_GetArraySize(list) <= GB_MOST_DEVICES);
    *count = 0;
    if (!list) devices[(*count)++] = (int)device;
    for (item = good && list ? list->child : NULL; item && good; item = item->next) {
        uint64_t index;
        good = gb_request_whole(item, &index) && index <= INT32_MAX;
        if (good) devices[(*count)++] = (int)index;
    }
    if (good && devices[0] == (int)device) return true;
    gb_refuse(answer, "protocol",
              "\"devices\" must be a list of 1 to %d indexes of devices, the first of them "
              "\"device\"",
              GB_MOST_DEVICES);
    return false;
}

/* From here on variants go by what their code has, where that is less than the device could. */
static void go_by_code(gb_backend_device *device)
{
    if (device->ptx && device->ptx < device->info.arch) device->info.arch = device->ptx;
}

static void handle_select(gb_service *service, const cJSON *request, cJSON *answer)
{
    uint64_t index;
    if (!gb_request_whole(cJSON_GetObjectItemCaseSensitive(request, "device"), &index)) {
        gb_refuse(answer, "protocol", "\"device\" must be the index of a device");
        return;
    }
    int devices[GB_MOST_DEVICES];
    unsigned device_count;
    gb_team_request team;
    if (!read_set(request, index, devices, &device_count, answer) ||
        !gb_team_read(request, &team, answer))
        return;
    device_limits limits;
    if (!read_limits(request, team.size ? team.size : device_count, &limits, answer)) return;
    if (service->jobs) {
        gb_refuse(answer, "protocol", "close all jobs before another select");
        return;
    }
    gb_error error = {GB_OK, ""};
    int count = gb_backend_device_count(&error);
    if (index >= (uint64_t)count) {
        if (count == 0)
            gb_refuse(answer, "unsupported", "%s", error.text);
        else
            gb_refuse(answer, "unsupported", "there is no device %" PRIu64 "; there are 0 to %d",
                      index, count - 1);
        return;
    }
    gb_backend_close(service->backend);
    service->backend = NULL;
    gb_status status = choose_device(service, (int)index, &limits, &error);
    if (status == GB_OK) status = gb_backend_use_set(devices, device_count, &error);
    /* A worker that replaces another on the same device need not measure it again. */
    bool measure = !cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(request, "ceilings"));
    gb_ceilings ceilings = {0};
    if (status == GB_OK) status = gb_backend_open(&service->device, &service->backend, &error);
    go_by_code(&service->device);
    if (status == GB_OK) status = gb_team_join(service, &team, &error);
    if (status == GB_OK && measure)
        status = gb_backend_measure_ceilings(service->backend, &ceilings, &error);
    if (status != GB_OK) {
        gb_refuse_failure(service, answer, status, &error);
        if (service->fatal) return; /* and the process ends */
        gb_backend_close(service->backend);
        service->backend = NULL;
        return;
    }
    cJSON *object = cJSON_AddObjectToObject(answer, "ceilings");
    add_if_measured(object, "copy_bytes_per_s", ceilings.copy_bytes_per_s);
    add_if_measured(object, "read_bytes_per_s", ceilings.read_bytes_per_s);
    add_if_measured(object, "write_bytes_per_s", ceilings.write_bytes_per_s);
    add_if_measured(object, "launch_s", ceilings.launch_s);
    add_if_measured(object, "timer_s", ceilings.timer_s);
    add_if_measured(object, "blocks_per_s", ceilings.blocks_per_s);
    if (limits.multiprocessors)
        cJSON_AddNumberToObject(answer, "multiprocessors", (double)limits.multiprocessors);
    if (limits.shared_kib) cJSON_AddNumberToObject(answer, "shared_kib", (double)limits.shared_kib);
    if (cJSON_HasObjectItem(request, "devices"))
        cJSON_AddItemToObject(answer, "devices", cJSON_CreateIntArray(devices, (int)device_count));
    gb_add_free_memory(service, answer);
}

/* ---- tuning ---------------------------------------------------------------------------------- */

static void handle_tuning(gb_service *service, const cJSON *request, cJSON *answer)
{
    const gb_primitive *primitive = gb_find_primitive(service, request, answer);
    if (!primitive) return;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, "table"),
                *rate = cJSON_GetObjectItemCaseSensitive(request, "copy_bytes_per_s");
    const char *table = cJSON_GetStringValue(item);
    if (!service->backend) {
        gb_refuse(answer, "protocol", "select a device first");
        return;
    }
    if ((item && !table) || (rate && !(cJSON_IsNumber(rate) && rate->valuedouble > 0))) {
        gb_refuse(answer, "protocol",
                  "\"table\" must be the text of a result file, \"copy_bytes_per_s\" a number "
                  "above 0; either may be absent");
        return;
    }
    if (service->jobs) {
        gb_refuse(answer, "protocol", "close all jobs before another table");
        return;
    }
    if (!primitive->tune) {
        gb_refuse(answer, "unsupported", "no variant of %s chooses by measurements",
                  primitive->name);
        return;
    }
    gb_error error = {GB_OK, ""};
    char by[GB_MAX_TEXT] = "";
    if (rate) service->device.info.copy_bytes_per_s = rate->valuedouble;
    gb_status status =
        primitive->tune(table, table ? strlen(table) : 0, &service->device.info, by, &error);
    if (status == GB_OK)
        cJSON_AddStringToObject(answer, "by", by);
    else
        gb_refuse_failure(service, answer, status, &error);
}

/* ---- schedule -------------------------------------------------------------------------------- */

static void handle_schedule(gb_service *service, const cJSON *request, cJSON *answer)
{
    if (!service->backend) {
        gb_refuse(answer, "protocol", "select a device first");
        return;
    }
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, "schedule");
    const char *text = cJSON_GetStringValue(item);
    gb_error error = {GB_OK, ""};
    gb_schedule schedule = {.resident = 0};
    if (item && !text) {
        gb_refuse(answer, "protocol", "\"schedule\" must be a text like policy=random,seed=1");
        return;
    }
    if (text && !gb_schedule_parse(text, &schedule, &error)) {
        gb_refuse(answer, "protocol", "\"schedule\": %s", error.text);
        return;
    }
    /* What is open was made for as many blocks as were resident then. */
    if (service->jobs && schedule.resident != service->resident) {
        gb_refuse(answer, "protocol", "close all jobs before another number of resident blocks");
        return;
    }
    gb_status status = gb_backend_schedule(service->backend, text ? &schedule : NULL, &error);
    if (status == GB_OK && !service->jobs)
        status = gb_backend_device_info(service->device.info.index, &service->device, &error);
    go_by_code(&service->device);
    if (status == GB_OK)
        service->resident = schedule.resident;
    else
        gb_refuse_failure(service, answer, status, &error);
}

/* ---- work ------------------------------------------------------------------------------------ */

static void handle_work(gb_service *service, const cJSON *request, cJSON *answer)
{
    const gb_primitive *primitive = gb_find_primitive(service, request, answer);
    if (!primitive) return;
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(request, "points");
    if (!cJSON_IsArray(points)) {
        gb_refuse(answer, "protocol", "\"points\" must be a list of params");
        return;
    }
    cJSON *list = cJSON_CreateArray();
    unsigned at = 0;
    for (const cJSON *item = points->child; item; item = item->next, at++) {
        gb_params params;
        gb_error error;
        if (!gb_params_parse(primitive, item, &params, &error)) {
            cJSON_Delete(list);
            gb_refuse(answer, "protocol", "point %u: %s", at, error.text);
            return;
        }
        const char *mistake = primitive->mistake ? primitive->mistake(&params) : NULL;
        if (mistake) {
            cJSON *object = cJSON_CreateObject();
            cJSON_AddStringToObject(object, "mistake", mistake);
            cJSON_AddItemToArray(list, object);
            continue;
        }
        const char *invalid = primitive->invalid ? primitive->invalid(&params) : NULL;
        if (invalid) {
            cJSON_AddItemToArray(list, cJSON_CreateString(invalid));
        } else {
            gb_work work = gb_work_at(primitive, &params);
            const double numbers[] = {(double)work.items, (double)work.bytes, (double)work.flops,
                                      (double)work.footprint};
            cJSON_AddItemToArray(list, cJSON_CreateDoubleArray(numbers, 4));
        }
    }
    cJSON_AddItemToObject(answer, "work", list);
}

/* ---- dispatch -------------------------------------------------------------------------------- */

static void handle_quit(gb_service *service, const cJSON *request, cJSON *answer)
{
    (void)request;
    (void)answer;
    service->quit = true;
}

static const struct {
    const char *cmd;
    void (*handle)(gb_service *service, const cJSON *request, cJSON *answer);
} handlers[] = {
    {"describe", gb_handle_describe}, {"provide", gb_handle_provide},
    {"team", gb_handle_team},         {"select", handle_select},
    {"links", gb_handle_links},       {"work", handle_work},
    {"open", gb_handle_open},         {"verify", gb_handle_verify},
    {"sample", gb_handle_sample},     {"dump", gb_handle_dump},
    {"profile", gb_handle_profile},   {"telemetry", gb_handle_telemetry},
    {"close", gb_handle_close},       {"tuning", handle_tuning},
    {"schedule", handle_schedule},    {"quit", handle_quit},
};
enum { HANDLERS = sizeof handlers / sizeof *handlers };

static void dispatch(gb_service *service, const char *cmd, const cJSON *request, cJSON *answer)
{
    for (size_t i = 0; i < HANDLERS; i++) {
        if (strcmp(handlers[i].cmd, cmd) == 0) {
            handlers[i].handle(service, request, answer);
            return;
        }
    }
    const char *names[HANDLERS + 1] = {NULL};
    for (size_t i = 0; i < HANDLERS; i++)
        names[i] = handlers[i].cmd;
    char excerpt[GB_EXCERPT], known[256];
    gb_refuse(answer, "protocol", "unknown cmd \"%s\"; known: %s", gb_excerpt(cmd, excerpt),
              gb_join_names(known, sizeof known, names));
}

/* What is wrong with a line that is no JSON, or more of it than is read. */
static void refuse_line(cJSON *answer, const char *line, const char *at, const char *why)
{
    char excerpt[GB_EXCERPT];
    if (why)
        gb_refuse(answer, "protocol", "the line has %s, at byte %zu", why, (size_t)(at - line));
    else if (line[strspn(line, " \t\r")] == '\0')
        gb_refuse(answer, "protocol", "the line is empty; a request is one JSON object");
    else
        gb_refuse(answer, "protocol", "not JSON from byte %zu on: \"%s\"", (size_t)(at - line),
                  gb_excerpt(at, excerpt));
}

cJSON *gb_service_answer(gb_service *service, const char *line, size_t length)
{
    const char *at, *why;
    cJSON *request = gb_json_parse(line, length, &at, &why);
    const char *cmd = cJSON_IsObject(request) ? gb_request_text(request, "cmd") : NULL;
    cJSON *answer = cJSON_CreateObject();
    cJSON_AddStringToObject(answer, "cmd", cmd ? cmd : "");
    cJSON_AddTrueToObject(answer, "ok");
    const cJSON *job = cJSON_GetObjectItemCaseSensitive(request, "job");
    if (cJSON_IsNumber(job)) cJSON_AddNumberToObject(answer, "job", job->valuedouble);
    const cJSON *seq = cJSON_GetObjectItemCaseSensitive(request, "seq");
    if (cJSON_IsNumber(seq)) cJSON_AddNumberToObject(answer, "seq", seq->valuedouble);

    if (!request)
        refuse_line(answer, line, at, why);
    else if (!cJSON_IsObject(request))
        gb_refuse(answer, "protocol", "a request is one JSON object, like {\"cmd\":\"describe\"}");
    else if (!cmd)
        gb_refuse(answer, "protocol", "\"cmd\" must be the name of a request");
    else
        dispatch(service, cmd, request, answer);
    cJSON_Delete(request);
    return answer;
}

void gb_service_close(gb_service *service)
{
    while (service->jobs)
        gb_close_job(service, service->jobs);
    gb_backend_close(service->backend);
    service->backend = NULL;
    gb_nvml_close(service->nvml);
    service->nvml = NULL;
}
