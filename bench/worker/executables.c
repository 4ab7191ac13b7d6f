/* The worker executables beside the driver, and asking one what it is. */
#include "bench/worker/devices.h"
#include "common/text/limits.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- executables ---------------------------------------------------------------------------- */

bool gb_worker_folder(char *folder, size_t capacity)
{
    const char *given = getenv("GPUBENCH_WORKER_PATH");
    if (given && *given) return snprintf(folder, capacity, "%s", given) < (int)capacity;
    ssize_t length = readlink("/proc/self/exe", folder, capacity - 1);
    if (length <= 0 || (size_t)length >= capacity - 1) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) *slash = '\0';
    return slash != NULL;
}

/* In the order in which workers are tried; -1: no worker. */
static int rank_of(const char *name)
{
    if (strncmp(name, "gpubench-cuda", 13) == 0) return 0;
    if (strcmp(name, "gpubench-simt") == 0) return 1;
    if (strncmp(name, "gpubench-opencl", 15) == 0) return 2;
    return -1;
}

static int is_worker(const struct dirent *entry)
{
    return rank_of(entry->d_name) >= 0;
}

static int by_rank(const struct dirent **a, const struct dirent **b)
{
    int x = rank_of((*a)->d_name), y = rank_of((*b)->d_name);
    return x != y ? x - y : strcmp((*a)->d_name, (*b)->d_name);
}

/* The path as a command: gb_worker_start splits at blanks. NULL if no quoting can express it. */
static char *as_command(const char *path)
{
    const char *quote = "";
    if (strpbrk(path, " \t\"")) quote = "'";
    if (strchr(path, '\'')) quote = "\"";
    if (*quote && strchr(path, *quote)) return NULL;
    size_t size = strlen(path) + 3;
    char *command = malloc(size);
    if (!command) gb_memory_gone("gpubench", size);
    snprintf(command, size, "%s%s%s", quote, path, quote);
    return command;
}

static bool is_executable_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char **gb_worker_commands(void)
{
    char folder[GB_WORKER_FOLDER], path[sizeof folder + 256 + 2];
    struct dirent **entries = NULL;
    int found =
        gb_worker_folder(folder, sizeof folder) ? scandir(folder, &entries, is_worker, by_rank) : 0;
    if (found < 0 && errno == ENOMEM) gb_memory_gone("gpubench", sizeof **entries);
    if (found < 0) found = 0;
    char **commands = calloc((size_t)found + 1, sizeof *commands);
    if (!commands) gb_memory_gone("gpubench", ((size_t)found + 1) * sizeof *commands);
    int count = 0;
    for (int i = 0; i < found; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (is_executable_file(path) && (commands[count] = as_command(path))) count++;
        free(entries[i]);
    }
    free(entries);
    return commands;
}

bool gb_worker_same_kind(const char *a, const char *b)
{
    char x[256], y[256];
    return rank_of(gb_worker_short_name(a, x, sizeof x)) ==
           rank_of(gb_worker_short_name(b, y, sizeof y));
}

char *gb_worker_command_named(const char *name)
{
    char folder[GB_WORKER_FOLDER], path[sizeof folder + 256 + 2];
    if (!gb_worker_folder(folder, sizeof folder)) return NULL;
    snprintf(path, sizeof path, "%s/%.256s", folder, name);
    return is_executable_file(path) ? as_command(path) : NULL;
}

void gb_worker_commands_free(char **commands)
{
    for (char **command = commands; command && *command; command++)
        free(*command);
    free(commands);
}

bool gb_worker_refuse_none(gb_error *error)
{
    char folder[GB_WORKER_FOLDER] = "?";
    gb_worker_folder(folder, sizeof folder);
    gb_fail(error, GB_UNSUPPORTED,
            "no worker (gpubench-cuda*, gpubench-simt) in %.200s: build them with `make`, name "
            "their folder in GPUBENCH_WORKER_PATH, or name one with --worker",
            folder);
    return false;
}

const char *gb_worker_short_name(const char *command, char *text, size_t capacity)
{
    const char *slash = strpbrk(command, " \t") && *command != '\'' && *command != '"'
                            ? NULL
                            : strrchr(command, '/');
    snprintf(text, capacity, "%s", slash ? slash + 1 : command);
    size_t length = strlen(text);
    if (slash && length > 0 && strchr("'\"", text[length - 1])) text[length - 1] = '\0';
    return text;
}

/* ---- asking --------------------------------------------------------------------------------- */

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

gb_described *gb_commands_describe(char *const *commands, size_t count)
{
    gb_described *workers = count ? calloc(count, sizeof *workers) : NULL;
    if (count && !workers) gb_memory_gone("gpubench", count * sizeof *workers);
    for (size_t i = 0; i < count; i++) {
        workers[i].command = strdup(commands[i]);
        if (!workers[i].command) gb_memory_gone("gpubench", strlen(commands[i]) + 1);
        workers[i].catalogue =
            gb_worker_describe(commands[i], &workers[i].running, &workers[i].error);
    }
    return workers;
}

gb_described *gb_workers_describe(const char *command, size_t *count, gb_error *error)
{
    char *named[] = {(char *)command, NULL};
    char **found = command ? NULL : gb_worker_commands();
    char **commands = command ? named : found;
    *count = 0;
    while (commands && commands[*count])
        ++*count;
    gb_described *workers = gb_commands_describe(commands, *count);
    for (size_t i = 0; workers && i < *count; i++) {
        gb_worker_stop(workers[i].running);
        workers[i].running = NULL;
    }
    gb_worker_commands_free(found);
    if (!workers) gb_worker_refuse_none(error);
    return workers;
}

void gb_described_free(gb_described *workers, size_t count)
{
    for (size_t i = 0; workers && i < count; i++) {
        gb_worker_stop(workers[i].running);
        free(workers[i].command);
        gb_catalogue_free(workers[i].catalogue);
    }
    free(workers);
}
