/* What `gpubench run` does before anything runs: configs are read, workers found, plans made. */
#include "bench/commands/run.h"

#include "bench/config/find.h"
#include "bench/config/other_worker.h"
#include "bench/config/provided.h"
#include "bench/util/exit_status.h"
#include "common/text/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(const char *text)
{
    fprintf(stderr, "gpubench run: %s\n", text);
    return false;
}

/* Workers beside a config count where it was named by its path; that of a name may have been found
 * in the current folder. */
static bool read_sources(gb_run_command *c, char **paths)
{
    for (size_t i = 0; i < c->count; i++) {
        gb_error error = {GB_OK, ""};
        const char *path = gb_config_find(&c->arena, paths[i], &error);
        if (!path || !gb_config_read(&c->items[i].source, path, &error)) return refuse(error.text);
        c->items[i].beside = path == paths[i];
    }
    return true;
}

static bool find_session(gb_run_command *c, gb_run_item *item, int *status)
{
    gb_error error = {GB_OK, ""};
    const bool on_host = item->description && gb_provided_on_host(item->description);
    const gb_wish wish = {.device = on_host && !c->device ? "host" : c->device,
                          .worker = c->worker,
                          .config = item->beside ? item->source.path : NULL,
                          .primitive = item->source.primitive,
                          .made = item->description != NULL,
                          .under = c->under};
    *status = GB_EXIT_USAGE;
    if (*c->under.code && item->description)
        return refuse("--code says nothing of a config of primitive call or command: what it calls "
                      "brings its own code");
    bool lacking;
    item->session = gb_run_session_for(&c->sessions, &wish, &lacking, &error);
    if (item->session) return true;
    *status = error.status == GB_WRONG ? GB_EXIT_USAGE : GB_EXIT_NO_DEVICE;
    if (lacking) gb_config_blame_primitive(&item->source, &error);
    return refuse(error.text);
}

static bool load_config(gb_run_command *c, gb_run_item *item)
{
    gb_error error = {GB_OK, ""};
    const gb_catalogue *catalogue = item->made ? item->made : item->session->catalogue;
    const bool simt = strcmp(item->session->catalogue->backend, "simt") == 0;
    const gb_config_options how = {
        .quick = c->quick || (simt && !c->full), .samples = c->samples, .filter = c->filter};
    item->config = gb_config_parse(item->source.path, gb_config_take_text(&item->source),
                                   item->source.length, catalogue, &how, &error);
    if (!item->config) return refuse(error.text);
    if (item->made && !gb_provided_check_amounts(item->description, item->config, &error))
        return refuse(error.text);
    if (*item->config->small && !c->dry_run && !c->requests)
        fprintf(stderr,
                "gpubench run: note: %s does not say how large: %s%s; --full runs it whole\n",
                item->config->path, item->config->small,
                c->quick ? "" : ", since the kernels run on the CPU");
    return true;
}

int gb_run_folder(const gb_run_command *c, const char *place, const gb_under *under, char *folder,
                  size_t size)
{
    char text[GB_UNDER_TEXT];
    const bool below = !c->out && !gb_under_none(under);
    return snprintf(folder, size, "%s%s%s%s%s", c->out ? c->out : "results", place ? "/" : "",
                    place ? place : "", below ? "/under/" : "",
                    below ? gb_under_folder(under, text) : "");
}

static bool choose_folder(const gb_run_command *c, gb_run_item *item)
{
    const char *place = c->place || c->out ? c->place : item->session->device->slug;
    const int length =
        gb_run_folder(c, place, &item->session->under, item->results, sizeof item->results);
    memcpy(item->folder, item->results, sizeof item->folder);
    if (length > 0 && (size_t)length < sizeof item->folder) return true;
    fprintf(stderr, "gpubench run: --out: a folder's name has 1 to %zu bytes, this one %d\n",
            sizeof item->folder - 1, length);
    return false;
}

/* No two configs may write the same files. */
static bool names_differ(const gb_run_command *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j < i; j++) {
            const gb_run_item *a = &c->items[j], *b = &c->items[i];
            if (strcmp(a->config->name, b->config->name) != 0 || strcmp(a->folder, b->folder) != 0)
                continue;
            fprintf(stderr,
                    "gpubench run: %s and %s are both named \"%s\" and would write the same "
                    "files: run them apart, with different --out\n",
                    a->config->path, b->config->path, b->config->name);
            return false;
        }
    return true;
}

/* Has the worker look at all points: of values that cannot be right (an argument that is none, a
 * file that cannot be read where the worker is) it knows alone. */
static bool estimate(gb_run_item *item, int *status)
{
    gb_error error = {GB_CRASHED, "out of memory"};
    *status = GB_EXIT_NO_DEVICE;
    if (!item->session->worker && !gb_session_restart(item->session, &error))
        return refuse(error.text);
    if (!gb_run_provide_again(item, &error)) return refuse(error.text);
    if (!gb_estimate_make(&item->estimate, item->session, item->config, &error))
        return refuse(error.text);
    *status = GB_EXIT_USAGE;
    if (item->estimate.mistaken == SIZE_MAX) return true;
    fprintf(stderr, "gpubench run: %s: %s\n", item->config->path,
            item->estimate.reasons[item->estimate.mistaken]);
    return false;
}

bool gb_run_load(gb_run_command *c, char **paths, size_t count, int *status)
{
    c->items = calloc(count, sizeof *c->items);
    if (!c->items) gb_memory_gone("gpubench run", count * sizeof *c->items);
    c->count = count;
    *status = GB_EXIT_USAGE;
    if (!read_sources(c, paths)) return false;
    for (size_t i = 0; i < count; i++)
        if (!gb_run_describe(c, &c->items[i])) return false;
    if (!gb_run_check_library(c)) return false;
    for (size_t i = 0; i < count; i++)
        if (!find_session(c, &c->items[i], status)) return false;
    gb_run_sessions_settle(&c->sessions);
    for (size_t i = 0; i < count; i++)
        if (!gb_run_provide(&c->items[i]) || !load_config(c, &c->items[i]) ||
            !choose_folder(c, &c->items[i]))
            return false;
    if (!names_differ(c)) return false;
    for (size_t i = 0; i < count; i++)
        if (!estimate(&c->items[i], status)) return false;
    return true;
}

void gb_run_find_others(gb_run_command *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const gb_run_item *item = &c->items[i];
        gb_session *session = item->session;
        if (!gb_other_wanted(item->config) || session->other || *session->no_other) continue;
        if (!c->worker) gb_other_find(session, item->beside ? item->source.path : NULL);
        if (*session->no_other)
            fprintf(stderr, "gpubench run: note: variants of other workers stay unsupported: %s\n",
                    session->no_other);
    }
}

void gb_run_free_items(gb_run_command *c)
{
    for (size_t i = 0; i < c->count; i++) {
        gb_estimate_free(&c->items[i].estimate);
        gb_config_free(c->items[i].config);
        gb_catalogue_free(c->items[i].made);
        cJSON_Delete(c->items[i].description);
        gb_config_source_free(&c->items[i].source);
    }
    free(c->items);
}
