/* `gpubench list configs` and `gpubench list published`: what lies in the folders. */
#include "bench/commands/list.h"
#include "bench/config/config.h"
#include "bench/config/provided.h"
#include "bench/config/source.h"
#include "bench/rows/gpus.h"
#include "bench/rows/peers.h"
#include "bench/util/columns.h"
#include "bench/util/csv_load.h"
#include "bench/util/share.h"
#include "bench/util/wrap.h"
#include "common/text/csv.h"
#include "common/text/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *name, const char *ending)
{
    return *name != '.' && gb_text_ends(name, ending);
}

static int is_json(const struct dirent *entry)
{
    return ends_in(entry->d_name, ".json");
}
static int is_csv(const struct dirent *entry)
{
    return ends_in(entry->d_name, ".csv");
}

/* Calls show for each file of a folder that the filter takes, in alphabetical order. */
static void each_file(const char *folder, int (*filter)(const struct dirent *),
                      void (*show)(const char *path, const void *context, gb_columns *columns),
                      const void *context, const char *const *headers)
{
    gb_arena arena = {0};
    struct dirent **entries = NULL;
    const char *where = gb_share_find(&arena, folder);
    int count = where ? scandir(where, &entries, filter, alphasort) : 0;
    if (!where)
        gb_put_line(stdout, 0,
                    "no folder %s in any of: %s; GPUBENCH_SHARE names the folder that holds it",
                    folder, gb_share_places(&arena));
    else if (count < 0)
        printf("cannot read the folder %s: %s\n", where, strerror(errno));
    else if (count == 0)
        printf("none in %s\n", where);
    gb_columns *columns = gb_columns_new(headers);
    for (int i = 0; i < count; i++) {
        show(gb_arena_printf(&arena, "%s/%s", where, entries[i]->d_name), context, columns);
        free(entries[i]);
    }
    free(entries);
    if (count > 0) gb_columns_print(stdout, columns, 0);
    gb_columns_free(columns);
    gb_arena_free(&arena);
}

/* ---- configs -------------------------------------------------------------------------------- */

/* The config as the first catalogue that accepts it sees it; else the first one's complaint. */
static gb_config *load(const char *path, const gb_catalogues *catalogues, bool quick,
                       gb_error *error)
{
    const gb_config_options options = {.quick = quick};
    gb_error other;
    for (size_t i = 0; i < catalogues->count; i++) {
        gb_config *config =
            gb_config_load(path, catalogues->list[i], &options, i == 0 ? error : &other);
        if (config) return config;
    }
    return NULL;
}

static void count_runs(const gb_config *config, char text[48])
{
    snprintf(text, 48, "%zu x %u", config->point_count, config->variant_count);
}

/* One whose primitive is made when it is run, and which nobody can judge before. */
static bool show_made(const char *path, gb_columns *columns)
{
    gb_error unheard;
    gb_config_source source = {0};
    cJSON *description = NULL;
    if (gb_config_read(&source, path, &unheard))
        gb_provided_describe(path, source.text, source.length, NULL, &description, &unheard);
    const char *title =
        cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(description, "title"));
    if (description)
        gb_columns_add(columns, (const char *[]){path, source.primitive, "", "", "when run",
                                                 gb_text_unprintable(title) ? "" : title});
    const bool made = description != NULL;
    cJSON_Delete(description);
    gb_config_source_free(&source);
    return made;
}

static void show_config(const char *path, const void *context, gb_columns *columns)
{
    if (show_made(path, columns)) return;
    gb_error error = {.text = ""};
    gb_config *full = load(path, context, false, &error);
    gb_config *quick = full ? load(path, context, true, &error) : NULL;
    char runs[48] = "", quick_runs[48] = "";
    if (full) count_runs(full, runs);
    if (quick && quick->quick) count_runs(quick, quick_runs);
    const char *complaint = error.text;
    size_t length = strlen(path);
    if (strncmp(complaint, path, length) == 0) complaint += length + (complaint[length] == ':');
    while (*complaint == ' ')
        complaint++;
    gb_columns_add(columns,
                   (const char *[]){path, full ? full->primitive->name : "", runs, quick_runs,
                                    full ? "yes" : "no", full ? full->title : complaint});
    gb_config_free(full);
    gb_config_free(quick);
}

void gb_list_configs(const gb_catalogues *catalogues)
{
    static const char *const headers[] = {
        "CONFIG", "PRIMITIVE", "POINTS x VARIANTS", "QUICK", "VALID", "TITLE", NULL};
    each_file("configs", is_json, show_config, catalogues, headers);
}

/* ---- published numbers ---------------------------------------------------------------------- */

static void show_published(const char *path, const void *context, gb_columns *columns)
{
    (void)context;
    gb_error error = {.text = ""};
    gb_csv *csv = gb_csv_load(path, &error);
    char rows[32] = "";
    if (csv) snprintf(rows, sizeof rows, "%zu", csv->row_count);
    const char *primitive = "", *device = "", *locator = csv ? "empty" : error.text;
    if (csv && csv->row_count > 0) {
        primitive = gb_csv_field(csv, 0, "primitive");
        device = gb_csv_field(csv, 0, "device");
        locator = gb_is_gpus(csv) ? "(what data sheets say of GPUs)"
                                  : gb_csv_field(csv, 0, gb_is_peers(csv) ? "source" : "locator");
    }
    gb_columns_add(columns, (const char *[]){path, rows, primitive, device, locator});
    gb_csv_free(csv);
}

void gb_list_published(void)
{
    static const char *const headers[] = {"PUBLISHED", "ROWS",          "PRIMITIVE",
                                          "DEVICE",    "FIRST LOCATOR", NULL};
    static const char *const headers_elsewhere[] = {
        "PRINTED ELSEWHERE", "ROWS", "PRIMITIVE", "FIRST DEVICE", "FIRST LOCATOR", NULL};
    gb_arena arena = {0};
    each_file("results/published", is_csv, show_published, NULL, headers);
    if (gb_share_find(&arena, "results/published/elsewhere")) {
        putchar('\n');
        each_file("results/published/elsewhere", is_csv, show_published, NULL, headers_elsewhere);
    }
    gb_arena_free(&arena);
}
