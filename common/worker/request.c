/* Reads what requests have in common, and refuses those that cannot be answered. */
#include "common/worker/request.h"

#include "common/text/json.h"
#include "common/text/limits.h"
#include "common/text/text.h"
#include "common/worker/params.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- refusals -------------------------------------------------------------------------------- */

void gb_refuse(cJSON *answer, const char *status, const char *format, ...)
{
    char reason[640];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    gb_text_tame(reason); /* it ends up in a table's cell */
    cJSON_ReplaceItemInObjectCaseSensitive(answer, "ok", cJSON_CreateFalse());
    cJSON_AddStringToObject(answer, "status", status);
    cJSON_AddStringToObject(answer, "reason", reason);
}

void gb_refuse_failure(gb_service *service, cJSON *answer, gb_status status, const gb_error *error)
{
    char limit[GB_LIMIT_TEXT] = "";
    /* Nobody who lacks memory of this process need name what limits it. */
    if (status == GB_OUT_OF_MEMORY && !strstr(error->text, "ulimit") &&
        !strstr(error->text, "device memory"))
        gb_limit_on_memory(limit);
    gb_refuse(answer, gb_status_name(status), "%s%s",
              error->text[0] ? error->text : "it failed without giving a reason", limit);
    if (status == GB_CRASHED) {
        service->fatal = true;
        gb_backend_log_failure();
        cJSON_AddTrueToObject(answer, "fatal");
    }
    gb_backend_clear_error();
}

void gb_add_free_memory(const gb_service *service, cJSON *answer)
{
    uint64_t free_bytes = 0, total_bytes = 0;
    if (service->backend) gb_backend_memory(service->backend, &free_bytes, &total_bytes);
    if (total_bytes > 0) cJSON_AddNumberToObject(answer, "memory_free_bytes", (double)free_bytes);
}

/* ---- reading requests ------------------------------------------------------------------------ */

bool gb_request_whole(const cJSON *item, uint64_t *number)
{
    if (cJSON_IsNumber(item)) {
        double value = item->valuedouble;
        if (!(value >= 0 && value <= GB_JSON_EXACT)) return false;
        *number = (uint64_t)value;
        return (double)*number == value;
    }
    if (!cJSON_IsString(item) || !item->valuestring[0]) return false;
    uint64_t value = 0;
    for (const char *c = item->valuestring; *c; c++) {
        if (*c < '0' || *c > '9') return false;
        uint64_t digit = (uint64_t)(*c - '0');
        if (value > (UINT64_MAX - digit) / 10) return false;
        value = 10 * value + digit;
    }
    *number = value;
    return true;
}

const char *gb_request_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static const gb_primitive *find_primitive(const gb_service *service, const char *name)
{
    for (const gb_provided *made = service->provided; made; made = made->next)
        if (strcmp(made->primitive->name, name) == 0) return made->primitive;
    for (const gb_primitive *const *primitive = gb_registry; *primitive; primitive++)
        if (strcmp((*primitive)->name, name) == 0) return *primitive;
    return NULL;
}

const gb_primitive *gb_find_primitive(const gb_service *service, const cJSON *request,
                                      cJSON *answer)
{
    const char *name = gb_request_text(request, "primitive");
    char excerpt[GB_EXCERPT];
    if (!name) {
        gb_refuse(answer, "protocol", "\"primitive\" must be the name of a primitive");
        return NULL;
    }
    const gb_primitive *found = find_primitive(service, name);
    if (!found)
        gb_refuse(answer, "protocol",
                  "no primitive is called \"%s\"; the answer to describe lists them",
                  gb_excerpt(name, excerpt));
    else if (found->provide)
        gb_refuse(answer, "protocol", "%s is made from what a config says: provide it first", name);
    return found && !found->provide ? found : NULL;
}

gb_open_job *gb_find_job(gb_service *service, const cJSON *request, cJSON *answer)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, "job");
    uint64_t id;
    if (!cJSON_IsNumber(item) || !gb_request_whole(item, &id)) {
        gb_refuse(answer, "protocol", "\"job\" must be the number of an open job");
        return NULL;
    }
    for (gb_open_job *job = service->jobs; job; job = job->next) {
        if (job->id == id) return job;
    }
    gb_refuse(answer, "protocol", "no job %" PRIu64 " is open", id);
    return NULL;
}
