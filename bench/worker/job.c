/* Requests about jobs: building them, and not believing the answers before they are checked. */
#include "bench/worker/job.h"

#include "bench/util/child.h"
#include "bench/util/clock.h"
#include "common/protocol/conditions.h"
#include "common/text/json.h"
#include "common/text/text.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cJSON *new_request(const char *cmd)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", cmd);
    return request;
}

static cJSON *params_json(const gb_catalogue_primitive *primitive, const gb_params *params)
{
    cJSON *object = cJSON_CreateObject();
    for (unsigned i = 0; i < primitive->axis_count; i++)
        cJSON_AddStringToObject(object, primitive->axes[i].name, params->value[i].text);
    return object;
}

static gb_status lied(gb_link *link, gb_error *error, const char *what)
{
    gb_worker_kill(link->session->worker);
    return gb_fail(error, GB_CRASHED, "the worker's answer makes no sense: %s", what);
}

/* A member that is a number, or 0 if there is none. A lie if it is anything else, not finite or
 * below least. */
static gb_status read_number(gb_link *link, const cJSON *answer, const char *name, double least,
                             double *value, gb_error *error)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(answer, name);
    char what[96];
    *value = 0;
    if (!item) return GB_OK;
    if (cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble >= least) {
        *value = item->valuedouble;
        return GB_OK;
    }
    snprintf(what, sizeof what, "its \"%s\" is no number that it could be", name);
    return lied(link, error, what);
}

/* The same for a count. */
static gb_status read_whole(gb_link *link, const cJSON *answer, const char *name, uint64_t *count,
                            gb_error *error)
{
    double value;
    gb_status status = read_number(link, answer, name, 0, &value, error);
    if (status == GB_OK && value <= GB_JSON_EXACT && floor(value) == value) {
        *count = (uint64_t)value;
        return GB_OK;
    }
    char what[96];
    snprintf(what, sizeof what, "its \"%s\" is no count", name);
    return status == GB_OK ? lied(link, error, what) : status;
}

static uint64_t whole(double value)
{
    return value > 0 && value <= GB_JSON_EXACT ? (uint64_t)value : 0;
}

/* No part of a request takes longer than the whole; the clocks may differ a little. */
static bool longer_than_request(const gb_link *link, double seconds)
{
    return seconds > 1.1 * link->wall_s + 1e-3;
}

/* The reason in an answer; what stands for it if there is none. */
static const char *reason_of(const cJSON *answer, const char *otherwise)
{
    const cJSON *reason = cJSON_GetObjectItemCaseSensitive(answer, "reason");
    return cJSON_IsString(reason) && *reason->valuestring ? reason->valuestring : otherwise;
}

/* The status and reason of an answer with "ok":false. */
static gb_status refusal(const cJSON *answer, gb_error *error)
{
    const cJSON *status = cJSON_GetObjectItemCaseSensitive(answer, "status");
    const char *why = reason_of(answer, "the worker gave no reason");
    const char *name = cJSON_IsString(status) ? status->valuestring : "";
    gb_status found;
    if (!gb_status_parse(name, &found) || found == GB_OK)
        return gb_fail(error, GB_CRASHED, "the worker refused (status '%.40s'): %s", name, why);
    return gb_fail(error, found, "%s", why);
}

/* Asks and deletes the request. On GB_OK *answer is the caller's to delete. */
static gb_status ask(gb_link *link, cJSON *request, double limit_s, cJSON **answer, gb_error *error)
{
    *error = (gb_error){GB_OK, ""};
    double begun = gb_now(), busy_s;
    *answer = gb_worker_ask(link->session->worker, request, limit_s, error);
    link->wall_s = gb_now() - begun;
    cJSON_Delete(request);
    if (!*answer) return error->status;
    const cJSON *job = cJSON_GetObjectItemCaseSensitive(*answer, "job");
    if (cJSON_IsNumber(job) && job->valuedouble >= 0 && job->valuedouble <= UINT_MAX)
        link->last_job = (unsigned)job->valuedouble;
    gb_status status = read_number(link, *answer, "busy_s", 0, &busy_s, error);
    if (status == GB_OK && longer_than_request(link, busy_s))
        status = lied(link, error, "it was busy for longer than the request took");
    if (status == GB_OK) link->busy_s += busy_s;
    if (status == GB_OK && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(*answer, "ok")))
        return GB_OK;
    if (status == GB_OK) status = refusal(*answer, error);
    cJSON_Delete(*answer);
    *answer = NULL;
    return status;
}

/* The work that the answer to `open` names. It is the point's, whichever variant was opened. */
static gb_status read_work(gb_link *link, const cJSON *answer, const gb_params *point,
                           gb_work *work, gb_error *error)
{
    static const char *const names[] = {"items", "bytes", "flops", "footprint"};
    uint64_t found[4];
    char what[128];
    for (int i = 0; i < 4; i++) {
        gb_status status = read_whole(link, answer, names[i], &found[i], error);
        if (status != GB_OK) return status;
    }
    *work = (gb_work){found[0], found[1], found[2], found[3]};
    if (link->point != point) {
        link->point = point;
        link->work = *work;
    }
    uint64_t known[] = {link->work.items, link->work.bytes, link->work.flops, link->work.footprint};
    for (int i = 0; i < 4; i++) {
        if (found[i] == known[i]) continue;
        snprintf(what, sizeof what, "\"%s\" of this point were %" PRIu64 " and are %" PRIu64 " now",
                 names[i], known[i], found[i]);
        return lied(link, error, what);
    }
    return GB_OK;
}

cJSON *gb_job_open_request(const gb_catalogue_primitive *primitive, const gb_job_request *open,
                           unsigned job)
{
    cJSON *request = new_request("open");
    cJSON_AddNumberToObject(request, "job", job);
    cJSON_AddStringToObject(request, "primitive", primitive->name);
    cJSON_AddStringToObject(request, "variant", open->variant);
    cJSON_AddItemToObject(request, "params", params_json(primitive, open->params));
    /* Numbers of JSON are doubles here: larger seeds travel as digits. */
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, open->seed);
    if ((double)open->seed < GB_JSON_EXACT)
        cJSON_AddNumberToObject(request, "seed", (double)open->seed);
    else
        cJSON_AddStringToObject(request, "seed", seed);
    cJSON_AddStringToObject(request, "cache", gb_cache_name(open->cold));
    cJSON_AddStringToObject(request, "scope", gb_scope_name(open->scope));
    char bytes[24];
    snprintf(bytes, sizeof bytes, "%" PRIu64, open->device_memory);
    if (open->device_memory) cJSON_AddStringToObject(request, "device_memory", bytes);
    return request;
}

void gb_job_told_free(gb_job_told *told)
{
    cJSON_Delete(told->instances);
    cJSON_Delete(told->kernels);
    *told = (gb_job_told){.instance = ""};
}

/* Takes a list of objects out of an answer, in the place of an earlier one. Texts in it are for the
 * meta file alone: nothing but their length counts. */
static void take_list(cJSON *answer, const char *name, cJSON **list)
{
    cJSON *found = cJSON_DetachItemFromObjectCaseSensitive(answer, name);
    const cJSON *item = NULL;
    bool good = cJSON_IsArray(found);
    cJSON_ArrayForEach(item, found)
    {
        good &= cJSON_IsObject(item) != 0;
    }
    if (!good) {
        cJSON_Delete(found);
        return;
    }
    cJSON_Delete(*list);
    *list = found;
}

gb_status gb_job_open(gb_link *link, const gb_job_request *open, double limit_s, unsigned *job,
                      gb_work *work, gb_job_told *told, gb_error *error)
{
    *job = ++link->next_job;
    *work = (gb_work){0};
    cJSON *answer;
    gb_status status =
        ask(link, gb_job_open_request(link->primitive, open, *job), limit_s, &answer, error);
    if (status != GB_OK) return status;
    status = read_work(link, answer, open->params, work, error);
    const cJSON *instance = cJSON_GetObjectItemCaseSensitive(answer, "instance");
    if (told && cJSON_IsString(instance)) {
        snprintf(told->instance, sizeof told->instance, "%s", instance->valuestring);
        gb_text_tame(told->instance);
    }
    if (told) take_list(answer, "instances", &told->instances);
    cJSON_Delete(answer);
    return status;
}

/* A request about an open job. */
static cJSON *job_request(const char *cmd, unsigned job)
{
    cJSON *request = new_request(cmd);
    cJSON_AddNumberToObject(request, "job", job);
    return request;
}

/* The time of a run that was judged, where it may count. */
static gb_status read_sample(gb_link *link, const cJSON *answer, double *sample_s, gb_error *error)
{
    gb_status status = read_number(link, answer, "time_s", 0, sample_s, error);
    if (status == GB_OK && longer_than_request(link, *sample_s))
        status = lied(link, error, "the run that it judged took longer than the request");
    return status;
}

gb_status gb_job_verify(gb_link *link, unsigned job, double limit_s, double *sample_s,
                        gb_job_told *told, gb_error *error)
{
    cJSON *request = job_request("verify", job), *answer;
    if (sample_s) cJSON_AddTrueToObject(request, "sample");
    gb_status status = ask(link, request, limit_s, &answer, error);
    if (status != GB_OK) return status;
    const cJSON *verdict = cJSON_GetObjectItemCaseSensitive(answer, "verdict");
    const char *word = cJSON_IsString(verdict) ? verdict->valuestring : "";
    if (strcmp(word, "wrong") == 0) {
        status = gb_fail(error, GB_WRONG, "%s", reason_of(answer, "the output is wrong"));
    } else if (strcmp(word, "ok") != 0) {
        status = lied(link, error, "a verdict that is neither ok nor wrong");
    }
    if (sample_s && status == GB_OK) status = read_sample(link, answer, sample_s, error);
    if (told && status == GB_OK) {
        told->redone |= cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "redone")) != 0;
        take_list(answer, "kernels", &told->kernels);
        status = read_whole(link, answer, "blocks", &told->blocks, error);
    }
    cJSON_Delete(answer);
    return status;
}

gb_status gb_job_sample(gb_link *link, unsigned job, unsigned count, double limit_s, double *times,
                        gb_job_told *told, gb_error *error)
{
    cJSON *request = job_request("sample", job), *answer;
    cJSON_AddNumberToObject(request, "count", count);
    gb_status status = ask(link, request, limit_s, &answer, error);
    if (status != GB_OK) return status;
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(answer, "times_s"), *item;
    unsigned got = 0;
    double sum = 0;
    char what[128] = "";
    cJSON_ArrayForEach(item, list)
    {
        double time = cJSON_IsNumber(item) ? item->valuedouble : -1;
        if (got < count) times[got] = time;
        sum += time;
        if (!what[0] && !(isfinite(time) && time >= 0))
            snprintf(what, sizeof what, "sample %u is %.9g, which is no time", got + 1, time);
        got++;
    }
    if (!what[0] && got != count)
        snprintf(what, sizeof what, "%u times for %u samples", got, count);
    /* What a run told of itself may be of an earlier request; its worker has held it against that.
     */
    const bool earlier = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "told"));
    if (!what[0] && !earlier && longer_than_request(link, sum))
        snprintf(what, sizeof what, "times of %.3g s in a request of %.3g s", sum, link->wall_s);
    if (told)
        told->ungated |= cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "ungated")) != 0;
    cJSON_Delete(answer);
    return what[0] ? lied(link, error, what) : GB_OK;
}

gb_status gb_job_schedule(gb_link *link, const gb_schedule *schedule, double limit_s,
                          gb_error *error)
{
    cJSON *request = new_request("schedule"), *answer;
    char text[GB_SCHEDULE_TEXT];
    cJSON_AddStringToObject(request, "schedule", gb_schedule_format(schedule, text));
    gb_status status = ask(link, request, limit_s, &answer, error);
    cJSON_Delete(answer);
    return status;
}

gb_status gb_job_dump(gb_link *link, unsigned job, const char *what, double limit_s, char **columns,
                      char **rows, gb_error *error)
{
    cJSON *request = job_request("dump", job), *answer;
    cJSON_AddStringToObject(request, "what", what);
    *columns = *rows = NULL;
    gb_status status = ask(link, request, limit_s, &answer, error);
    if (status != GB_OK) return status;
    cJSON *const head = cJSON_GetObjectItemCaseSensitive(answer, "columns");
    cJSON *const body = cJSON_GetObjectItemCaseSensitive(answer, "rows");
    if (cJSON_IsString(head) && cJSON_IsString(body)) {
        *columns = strdup(head->valuestring);
        *rows = strdup(body->valuestring);
        if (!*columns || !*rows)
            status = gb_fail(error, GB_OUT_OF_MEMORY, "not enough memory for a dump");
    } else {
        status = lied(link, error, "a dump without columns and rows");
    }
    cJSON_Delete(answer);
    return status;
}

gb_status gb_job_close(gb_link *link, unsigned job, double limit_s, gb_error *error)
{
    cJSON *answer;
    gb_status status = ask(link, job_request("close", job), limit_s, &answer, error);
    if (status != GB_OK) {
        gb_worker_kill(link->session->worker);
        return status;
    }
    status = read_number(link, answer, "memory_free_bytes", 0, &link->memory_free_bytes, error);
    cJSON_Delete(answer);
    return status;
}

gb_status gb_job_telemetry(gb_link *link, double limit_s, gb_reading *reading, gb_error *error)
{
    cJSON *answer;
    *reading = (gb_reading){0};
    gb_status status = ask(link, new_request("telemetry"), limit_s, &answer, error);
    if (status != GB_OK) return status;
    const struct {
        const char *name;
        double *value, least;
    } numbers[] = {{"sm_clock_mhz", &reading->sm_clock_mhz, 0},
                   {"mem_clock_mhz", &reading->mem_clock_mhz, 0},
                   {"temperature_c", &reading->temperature_c, -274},
                   {"power_w", &reading->power_w, 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == GB_OK; i++)
        status =
            read_number(link, answer, numbers[i].name, numbers[i].least, numbers[i].value, error);
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(answer, "throttle"), *item;
    cJSON_ArrayForEach(item, list)
    {
        size_t used = strlen(reading->throttle);
        if (cJSON_IsString(item))
            snprintf(reading->throttle + used, sizeof reading->throttle - used, "%s%s",
                     used ? ", " : "", item->valuestring);
    }
    gb_text_tame(reading->throttle);
    cJSON_Delete(answer);
    return status;
}

/* One element of the answer to `work`: four numbers, the reason why the point is invalid, or, in an
 * object, the mistake that it is. */
static bool read_work_of(const cJSON *item, gb_work *work, char **reason, bool *mistake)
{
    *work = (gb_work){0};
    *reason = NULL;
    *mistake = cJSON_IsObject(item) != 0;
    if (*mistake) item = cJSON_GetObjectItemCaseSensitive(item, "mistake");
    if (cJSON_IsString(item)) {
        *reason = strdup(item->valuestring);
        if (*reason) gb_text_tame(*reason);
        return *reason != NULL;
    }
    uint64_t *fields[] = {&work->items, &work->bytes, &work->flops, &work->footprint};
    if (*mistake || !cJSON_IsArray(item) || cJSON_GetArraySize(item) != 4) return false;
    for (int i = 0; i < 4; i++) {
        const cJSON *field = cJSON_GetArrayItem(item, i);
        if (!cJSON_IsNumber(field)) return false;
        *fields[i] = whole(field->valuedouble);
    }
    return true;
}

gb_status gb_job_work(gb_link *link, const gb_params *points, size_t count, double limit_s,
                      gb_work *work, char **reasons, size_t *mistaken, gb_error *error)
{
    bool mistake = false;
    *mistaken = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        reasons[i] = NULL;
    cJSON *request = new_request("work"), *answer;
    cJSON_AddStringToObject(request, "primitive", link->primitive->name);
    cJSON *list = cJSON_AddArrayToObject(request, "points");
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, params_json(link->primitive, &points[i]));
    gb_status status = ask(link, request, limit_s, &answer, error);
    if (status != GB_OK) return status;
    const cJSON *works = cJSON_GetObjectItemCaseSensitive(answer, "work");
    const cJSON *item = works ? works->child : NULL;
    for (size_t i = 0; i < count && status == GB_OK; i++) {
        if (!item || !read_work_of(item, &work[i], &reasons[i], &mistake))
            status = lied(link, error, "the list of works is short or malformed");
        else
            item = item->next;
        if (mistake && *mistaken == SIZE_MAX) *mistaken = i;
    }
    cJSON_Delete(answer);
    return status;
}
