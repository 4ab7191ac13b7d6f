/* The meta file: the config and everything else that a number in the CSV depends on. */
#include "bench/record/meta.h"

#include "bench/config/other_worker.h"
#include "bench/record/host.h"
#include "bench/record/totals.h"
#include "bench/util/clock.h"
#include "bench/util/replace.h"
#include "bench/util/version.h"
#include "common/text/file.h"
#include "common/text/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The build says how this program was made; an analyser that compiles this file alone does not. */
#ifndef GB_COMPILER
#define GB_COMPILER ""
#define GB_FLAGS ""
#endif

enum { META_SCHEMA = 1, MOST_BYTES = 64 << 20 };

/* Whether a word of the command line is a worker's command or a device's UUID, which an anonymous
 * meta file lacks. Options may be abbreviated, and their values may follow in the same word. */
static bool names_machine(const char *before, const char *word)
{
    if (!gb_anonymous()) return false;
    bool worker = strncmp(before, "--w", 3) == 0 && !strchr(before, '=');
    bool device = strncmp(before, "--de", 4) == 0 && strstr(word, "GPU-"); /* or of a list */
    return worker || device || (strncmp(word, "--w", 3) == 0 && strchr(word, '=')) ||
           (strncmp(word, "--de", 4) == 0 && strstr(word, "GPU-"));
}

void gb_meta_start(gb_meta *meta, int argc, char *const *argv)
{
    *meta = (gb_meta){
        .host = gb_host_json(), .git = gb_git_json(), .environment = gb_environment_json()};
    meta->command_line = cJSON_CreateArray();
    for (int i = 0; i < argc; i++) {
        const char *before = i > 0 ? argv[i - 1] : "";
        cJSON_AddItemToArray(meta->command_line,
                             cJSON_CreateString(names_machine(before, argv[i]) ? "..." : argv[i]));
    }
}

void gb_meta_free(gb_meta *meta)
{
    cJSON_Delete(meta->host);
    cJSON_Delete(meta->git);
    cJSON_Delete(meta->sources);
    cJSON_Delete(meta->environment);
    cJSON_Delete(meta->command_line);
    cJSON_Delete(meta->previous);
    *meta = (gb_meta){0};
}

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

/* The meta file of the run that is resumed; NULL if there is none, or after an *error. */
static cJSON *read_last(const char *path, gb_error *error)
{
    size_t length;
    if (access(path, F_OK) != 0) return NULL;
    char *text = gb_file_read(path, "a meta file", MOST_BYTES, &length, GB_CRASHED, error);
    const char *at, *why = NULL;
    cJSON *last = text ? gb_json_parse(text, length, &at, &why) : NULL;
    free(text);
    if (text && !cJSON_IsObject(last)) {
        cJSON_Delete(last);
        last = NULL;
        gb_fail(error, GB_CRASHED,
                "%s: found %s, so the history of this experiment cannot be read: move the file "
                "away to resume without it",
                path, why ? why : "no JSON object");
    }
    return last;
}

/* Of a config, and with it perhaps a primitive, that is somebody's own: the state of that
 * repository. */
static cJSON *sources_of(const char *config, const cJSON *program)
{
    cJSON *git = gb_git_of_file(config);
    if (git && strcmp(text_of(git, "commit"), text_of(program, "commit")) != 0) return git;
    cJSON_Delete(git);
    return NULL;
}

bool gb_meta_begin(gb_meta *meta, const char *path, const char *config, bool resume,
                   gb_error *error)
{
    cJSON_Delete(meta->sources);
    meta->sources = sources_of(config, meta->git);
    meta->begun = gb_now();
    gb_utc_now(meta->started_utc);
    cJSON_Delete(meta->previous);
    meta->previous = NULL;
    *error = (gb_error){GB_OK, ""};
    cJSON *last = resume ? read_last(path, error) : NULL;
    if (!last) return error->status == GB_OK;
    meta->previous = cJSON_DetachItemFromObjectCaseSensitive(last, "previous");
    if (!cJSON_IsArray(meta->previous)) {
        cJSON_Delete(meta->previous);
        meta->previous = cJSON_CreateArray();
    }
    cJSON_AddItemToArray(meta->previous, last);
    return true;
}

static const char *text_at(const cJSON *object, const char *group, const char *name)
{
    return text_of(cJSON_GetObjectItemCaseSensitive(object, group), name);
}

/* Of a set the first device that is another one now. */
static bool find_other(const cJSON *last, const gb_device_set *set, const char **was,
                       const char **is)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(last, "devices");
    for (unsigned i = 0; i < set->size; i++) {
        *was = text_of(cJSON_GetArrayItem(list, (int)i), "uuid");
        *is = set->device[i]->uuid;
        if (**was && **is && strcmp(*was, *is) != 0) return true;
    }
    return false;
}

bool gb_meta_moved(const gb_meta *meta, const gb_session *session, char *text, size_t capacity)
{
    int runs = cJSON_GetArraySize(meta->previous);
    const cJSON *last = runs ? cJSON_GetArrayItem(meta->previous, runs - 1) : NULL;
    const char *uuid = text_at(last, "device", "uuid"), *host = text_at(last, "worker", "host");
    const char *new_uuid = session->device->uuid, *new_host = session->catalogue->host;
    bool other = *uuid && *new_uuid && strcmp(uuid, new_uuid) != 0;
    if (!other) other = find_other(last, &session->set, &uuid, &new_uuid);
    bool elsewhere = *host && *new_host && strcmp(host, new_host) != 0;
    if (!other && !elsewhere) return false;
    snprintf(text, capacity, "%.100s%s%.100s is not %.100s%s%.100s", new_host,
             *new_host && other ? ", " : "", other ? new_uuid : "", host,
             *host && other ? ", " : "", other ? uuid : "");
    return true;
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text && *text) cJSON_AddStringToObject(object, name, text);
}

static void add_copy(cJSON *meta, const char *name, const cJSON *item)
{
    if (item) cJSON_AddItemToObject(meta, name, cJSON_Duplicate(item, true));
}

static void add_config(cJSON *meta, const gb_config *config, const cJSON *sources)
{
    char hash[40];
    cJSON *object = cJSON_AddObjectToObject(meta, "config");
    snprintf(hash, sizeof hash, "fnv1a64:%016" PRIx64,
             gb_fnv1a64(config->text, strlen(config->text)));
    cJSON_AddStringToObject(object, "path", config->path);
    cJSON_AddStringToObject(object, "hash", hash);
    add_copy(object, "git", sources);
    cJSON *content = cJSON_Parse(config->text);
    if (content) cJSON_AddItemToObject(object, "content", content);
    const gb_measure *m = &config->measure;
    cJSON *measure = cJSON_AddObjectToObject(meta, "measure");
    cJSON_AddNumberToObject(measure, "samples", m->samples);
    cJSON_AddBoolToObject(measure, "automatic", m->automatic);
    if (m->automatic) cJSON_AddNumberToObject(measure, "max_samples", m->max_samples);
    cJSON_AddNumberToObject(measure, "warmup", m->warmup);
    cJSON_AddStringToObject(measure, "scope", gb_scopes_name(m));
    if (config->override_count)
        cJSON_AddNumberToObject(measure, "overrides", (double)config->override_count);
    cJSON_AddStringToObject(measure, "order",
                            m->order == GB_ORDER_SEQUENTIAL ? "sequential" : "interleaved");
    cJSON_AddNumberToObject(measure, "time_limit_s", m->time_limit_s);
    if (m->rest > 0) cJSON_AddNumberToObject(measure, "rest", m->rest);
    cJSON_AddNumberToObject(measure, "max_rel_ci", m->max_rel_ci);
}

static void add_device(cJSON *meta, const gb_catalogue_device *device)
{
    cJSON *object = cJSON_AddObjectToObject(meta, "device");
    add_text(object, "name", device->name);
    add_text(object, "slug", device->slug);
    if (!gb_anonymous()) add_text(object, "uuid", device->uuid);
    cJSON_AddNumberToObject(object, "index", device->index);
    gb_device_add_facts(object, device);
}

/* Those that work together, in the order of their ranks. */
static void add_set(cJSON *meta, const gb_device_set *set)
{
    cJSON *list = set->size ? cJSON_AddArrayToObject(meta, "devices") : NULL;
    for (unsigned i = 0; i < set->size; i++) {
        cJSON *object = cJSON_CreateObject();
        if (!gb_anonymous()) add_text(object, "uuid", set->device[i]->uuid);
        cJSON_AddNumberToObject(object, "index", set->device[i]->index);
        cJSON_AddItemToArray(list, object);
    }
}

static cJSON *add_worker(cJSON *meta, const char *name, const gb_session *session)
{
    const gb_catalogue *catalogue = session->catalogue;
    cJSON *worker = cJSON_AddObjectToObject(meta, name);
    char folder[GB_WORKER_FOLDER], program[256];
    /* A command through ssh names a machine. */
    if (*gb_worker_folder_of(session->command, folder, sizeof folder))
        add_text(worker, "name", gb_worker_short_name(session->command, program, sizeof program));
    add_text(worker, "version", catalogue->version);
    if (!gb_anonymous()) {
        add_text(worker, "command", session->command);
        add_text(worker, "host", catalogue->host);
    }
    add_text(worker, "backend", catalogue->backend);
    add_text(worker, "toolkit", catalogue->toolkit);
    add_text(worker, "driver", catalogue->driver);
    add_text(worker, "compiler", catalogue->compiler);
    add_text(worker, "flags", catalogue->flags);
    cJSON_AddNumberToObject(worker, "protocol", catalogue->protocol);
    cJSON *list = cJSON_AddArrayToObject(worker, "architectures");
    for (unsigned i = 0; i < catalogue->architecture_count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(catalogue->architectures[i]));
    return worker;
}

static void add_programs(cJSON *meta, const gb_session *session, const gb_config *config)
{
    add_worker(meta, "worker", session);
    /* The device is the same, as this one calls it. */
    if (session->other && gb_other_wanted(config))
        add_device(add_worker(meta, "other_worker", session->other), session->other->device);
    cJSON *driver = cJSON_AddObjectToObject(meta, "gpubench");
    cJSON_AddStringToObject(driver, "version", GB_VERSION);
    cJSON_AddStringToObject(driver, "compiler", GB_COMPILER);
    cJSON_AddStringToObject(driver, "flags", GB_FLAGS);
    const cJSON *ceilings = cJSON_GetObjectItemCaseSensitive(session->ceilings, "ceilings");
    if (ceilings) cJSON_AddItemToObject(meta, "ceilings", cJSON_Duplicate(ceilings, true));
    add_copy(meta, "links", session->links);
}

static void add_totals(cJSON *meta, const gb_run_totals *totals, double wall_s)
{
    cJSON *rows = cJSON_AddObjectToObject(meta, "rows");
    for (int i = 0; i < GB_STATUS_COUNT; i++)
        cJSON_AddNumberToObject(rows, gb_status_name((gb_status)i), (double)totals->rows[i]);
    cJSON_AddNumberToObject(rows, "resumed", (double)totals->resumed);
    cJSON_AddNumberToObject(meta, "points", (double)totals->points);
    if (totals->left_out) cJSON_AddNumberToObject(meta, "left_out", (double)totals->left_out);
    cJSON *cost = cJSON_AddObjectToObject(meta, "cost");
    cJSON_AddNumberToObject(cost, "wall_s", wall_s);
    cJSON_AddNumberToObject(cost, "worker_busy_s", totals->busy_s);
    if (totals->rest_s > 0) cJSON_AddNumberToObject(cost, "rest_s", totals->rest_s);
    cJSON_AddNumberToObject(cost, "overhead_fraction",
                            wall_s > 0 ? 1 - (totals->busy_s + totals->rest_s) / wall_s : 0);
    if (totals->points)
        cJSON_AddNumberToObject(cost, "driver_s_per_point",
                                (wall_s - totals->wait_s - totals->rest_s - totals->sync_s) /
                                    (double)totals->points);
    cJSON_AddNumberToObject(cost, "disk_s", totals->sync_s);
    cJSON_AddNumberToObject(cost, "requests", (double)totals->requests);
    cJSON_AddNumberToObject(cost, "workers_replaced", (double)totals->replaced);
}

/* What the worker has made the primitive from: what options said in the config's place as well, and
 * what a process that ends at once takes. */
static void add_description(cJSON *meta, const cJSON *description, double process_s)
{
    if (process_s > 0) cJSON_AddNumberToObject(meta, "process_s", process_s);
    add_copy(meta, "provided", description);
    if (gb_anonymous())
        cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(meta, "provided"),
                                                "folder");
}

bool gb_meta_write(const gb_meta *about, const gb_output *output, const gb_session *session,
                   const gb_run_totals *totals, const char *state, gb_error *error)
{
    const gb_config *config = output->setup.config;
    cJSON *meta = cJSON_CreateObject();
    char now[24], under[GB_UNDER_TEXT];
    cJSON_AddNumberToObject(meta, "schema", META_SCHEMA);
    cJSON_AddStringToObject(meta, "run_id", output->setup.run_id);
    cJSON_AddStringToObject(meta, "state", state);
    cJSON_AddStringToObject(meta, "experiment", config->name);
    add_text(meta, "under", gb_under_format(&output->setup.under, under));
    /* Before the config, which has keys of these names too: resuming looks for the first ones. */
    cJSON_AddBoolToObject(meta, "quick", config->quick);
    cJSON_AddNumberToObject(meta, "device_memory", (double)config->measure.device_memory);
    cJSON_AddStringToObject(meta, "started_utc", about->started_utc);
    if (strcmp(state, "running") != 0) {
        gb_utc_now(now);
        cJSON_AddStringToObject(meta, "ended_utc", now);
        add_totals(meta, totals, gb_now() - about->begun);
    }
    add_copy(meta, "command_line", about->command_line);
    add_device(meta, session->device);
    add_set(meta, &session->set);
    add_programs(meta, session, config);
    add_config(meta, config, about->sources);
    add_description(meta, session->provided, config->primitive->process_s);
    add_copy(meta, "tuning",
             cJSON_GetObjectItemCaseSensitive(session->tuning, config->primitive->name));
    add_copy(meta, "git", about->git);
    add_copy(meta, "host", about->host);
    add_copy(meta, "environment", about->environment);
    add_copy(meta, "beside", about->beside);
    add_copy(meta, "medians", totals->medians);
    if (cJSON_GetArraySize(totals->kernels)) add_copy(meta, "kernels", totals->kernels);
    add_copy(meta, "previous", about->previous);
    char *text = cJSON_Print(meta), *line = NULL;
    cJSON_Delete(meta);
    int size = text ? asprintf(&line, "%s\n", text) : -1;
    bool good = size >= 0;
    if (good)
        good = gb_files_replace(output->files.meta, line, (size_t)size, error);
    else
        gb_fail(error, GB_CRASHED, "%s: out of memory", output->files.meta);
    cJSON_free(text);
    free(line);
    return good;
}
