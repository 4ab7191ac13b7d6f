/* Asking workers what they are: each is started, answers, and is kept for whoever takes it. */
#include "bench/worker/asking.h"

#include "common/text/limits.h"

#include <stdlib.h>
#include <string.h>

cJSON *gb_worker_ask_ok(gb_worker *worker, const cJSON *request, gb_error *error)
{
    cJSON *answer = gb_worker_ask(worker, request, gb_worker_limit_s(), error);
    if (!answer || cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "ok"))) return answer;
    const cJSON *reason = cJSON_GetObjectItemCaseSensitive(answer, "reason");
    gb_fail(error, GB_CRASHED, "%s: %s", gb_worker_command(worker),
            cJSON_IsString(reason) ? reason->valuestring : "it refused without a reason");
    cJSON_Delete(answer);
    return NULL;
}

gb_catalogue *gb_worker_describe(const char *command, gb_worker **worker, gb_error *error)
{
    if (worker) *worker = NULL;
    gb_worker *started = gb_worker_start(command, error);
    if (!started) return NULL;
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "describe");
    cJSON *answer = gb_worker_ask_ok(started, request, error);
    cJSON_Delete(request);
    gb_catalogue *catalogue = answer ? gb_catalogue_parse(answer, error) : NULL;
    cJSON_Delete(answer);
    if (worker && catalogue)
        *worker = started;
    else
        gb_worker_stop(started);
    return catalogue;
}

static gb_described *add(gb_asked *asked)
{
    if (asked->count == asked->capacity) {
        asked->capacity = 2 * asked->capacity + 4;
        asked->list = realloc(asked->list, asked->capacity * sizeof *asked->list);
        if (!asked->list) gb_memory_gone("gpubench", asked->capacity * sizeof *asked->list);
    }
    gb_described *last = &asked->list[asked->count++];
    *last = (gb_described){0};
    return last;
}

/* Rows of old code must say so, and no others may. */
static void hold_to_code(gb_described *worker, const char *code)
{
    const char *has = worker->catalogue ? worker->catalogue->code : code;
    if (strcmp(has, code) == 0) return;
    if (*has && *code)
        gb_fail(&worker->error, GB_UNSUPPORTED, "it has the code of %s, and --code says %s", has,
                code);
    else if (*has)
        gb_fail(&worker->error, GB_UNSUPPORTED,
                "it has the code of %s alone: --code %s says that on purpose", has, has);
    else
        gb_fail(&worker->error, GB_UNSUPPORTED, "it has no old code, and --code says %s", code);
    gb_catalogue_free(worker->catalogue);
    gb_worker_stop(worker->running);
    worker->catalogue = NULL;
    worker->running = NULL;
}

size_t gb_asked_index(gb_asked *asked, const gb_executable *executable)
{
    for (size_t i = 0; i < asked->count; i++) {
        if (strcmp(asked->list[i].command, executable->command) != 0) continue;
        asked->list[i].home = executable->home;
        return i;
    }
    gb_described *worker = add(asked);
    worker->command = strdup(executable->command);
    if (!worker->command) gb_memory_gone("gpubench", strlen(executable->command) + 1);
    worker->home = executable->home;
    worker->catalogue = gb_worker_describe(worker->command, &worker->running, &worker->error);
    hold_to_code(worker, asked->under.code);
    return asked->count - 1;
}

void gb_asked_rest(gb_asked *asked)
{
    for (size_t i = 0; i < asked->count; i++) {
        gb_worker_stop(asked->list[i].running);
        asked->list[i].running = NULL;
    }
}

void gb_asked_free(gb_asked *asked)
{
    gb_asked_rest(asked);
    for (size_t i = 0; i < asked->count; i++) {
        free(asked->list[i].command);
        gb_catalogue_free(asked->list[i].catalogue);
    }
    free(asked->list);
    *asked = (gb_asked){0};
}

bool gb_asked_all(gb_asked *asked, const char *named, const gb_under *under, gb_error *error)
{
    gb_executables found;
    *asked = (gb_asked){.under = under ? *under : (gb_under){.code = ""}};
    const bool good = gb_executables_find(&found, named, NULL, asked->under.code, error);
    for (size_t i = 0; good && i < found.count; i++) {
        const size_t at = gb_asked_index(asked, &found.list[i]);
        gb_worker_stop(asked->list[at].running);
        asked->list[at].running = NULL;
    }
    gb_executables_free(&found);
    return asked->count > 0 || (good && gb_worker_refuse_none(named, asked->under.code, error));
}
