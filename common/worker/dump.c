/* Answers `dump`: a table of a job's output as CSV, for pictures. */
#include "common/worker/dump.h"

#include "common/protocol/protocol.h"
#include "common/worker/clock.h"
#include "common/worker/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gb_dump *find_dump(const gb_primitive *primitive, const cJSON *request, cJSON *answer)
{
    const char *what = gb_request_text(request, "what");
    for (const gb_dump *dump = primitive->dumps; what && dump && dump->name; dump++)
        if (strcmp(dump->name, what) == 0) return dump;
    if (!what)
        gb_refuse(answer, "protocol", "\"what\" must be the name of a dump");
    else
        gb_refuse(answer, "unsupported", "%s has no such dump; the answer to describe lists them",
                  primitive->name);
    return NULL;
}

/* What an answer can hold; a comma counts as a value there. */
static bool fits(const char *rows, size_t bytes)
{
    size_t values = 0;
    for (const char *at = rows; *at; at++)
        values += *at == ',';
    return bytes <= GB_MOST_DUMP_BYTES && values <= GB_MOST_DUMP_VALUES;
}

void gb_handle_dump(gb_service *service, const cJSON *request, cJSON *answer)
{
    gb_open_job *open = gb_find_job(service, request, answer);
    const gb_dump *dump = open ? find_dump(open->job.primitive, request, answer) : NULL;
    if (!dump) return;
    if (!open->has_run) {
        gb_refuse(answer, "protocol", "job has not run: ask for verify first");
        return;
    }
    gb_job *job = &open->job;
    char *rows = NULL;
    size_t bytes = 0;
    FILE *text = open_memstream(&rows, &bytes);
    if (!text) {
        gb_refuse(answer, "out_of_memory", "no host memory for a dump");
        return;
    }
    const double start = gb_clock_s();
    job->error = (gb_error){GB_OK, ""};
    gb_status status = dump->write(job, text);
    const bool whole = !ferror(text);
    if ((fclose(text) != 0 || !whole) && status == GB_OK)
        status = gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a dump");
    if (status == GB_OK && !fits(rows, bytes))
        status = gb_fail(&job->error, GB_UNSUPPORTED,
                         "%s would be %zu MiB of text, more than an answer takes: choose a smaller "
                         "point",
                         dump->name, bytes >> 20);
    if (status == GB_OK) {
        cJSON_AddStringToObject(answer, "columns", dump->columns);
        cJSON_AddStringToObject(answer, "rows", rows);
        cJSON_AddNumberToObject(answer, "busy_s", gb_clock_s() - start);
    } else {
        gb_refuse_failure(service, answer, status, &job->error);
    }
    free(rows);
}
