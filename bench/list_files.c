/* `gpubench list configs` and `gpubench list published`: what lies in the folders. */
#include "bench/columns.h"
#include "bench/config.h"
#include "bench/list.h"
#include "common/csv.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A folder that comes with gpubench: here, beside the program (a bundle), above it (a build) or
 * where `make install` puts it. */
static bool find_folder(const char *name, char *path, size_t capacity)
{
    snprintf(path, capacity, "%s", name);
    if (is_folder(path)) return true;
    char program[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0) return false;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash) *slash = '\0';
    static const char *const places[] = {"", "/..", "/../share/gpubench"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int used = snprintf(path, capacity, "%s%s/%s", program, places[i], name);
        if (used > 0 && (size_t)used < capacity && is_folder(path)) return true;
    }
    return false;
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);
    return *name != '.' && length > tail && strcmp(name + length - tail, ending) == 0;
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
    char where[PATH_SIZE];
    struct dirent **entries = NULL;
    if (!find_folder(folder, where, sizeof where)) {
        printf("no folder %s here or with the program\n", folder);
        return;
    }
    int count = scandir(where, &entries, filter, alphasort);
    if (count <= 0) printf("none in %s\n", where);
    gb_columns *columns = gb_columns_new(headers);
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE + 300];
        snprintf(path, sizeof path, "%s/%s", where, entries[i]->d_name);
        show(path, context, columns);
        free(entries[i]);
    }
    free(entries);
    if (count > 0) gb_columns_print(stdout, columns, 0);
    gb_columns_free(columns);
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

static void show_config(const char *path, const void *context, gb_columns *columns)
{
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
    gb_csv *csv = gb_csv_read(path, &error);
    char rows[32] = "";
    if (csv) snprintf(rows, sizeof rows, "%zu", csv->row_count);
    const char *primitive = "", *device = "", *locator = csv ? "empty" : error.text;
    if (csv && csv->row_count > 0) {
        primitive = gb_csv_field(csv, 0, "primitive");
        device = gb_csv_field(csv, 0, "device");
        locator = gb_csv_field(csv, 0, "locator");
    }
    gb_columns_add(columns, (const char *[]){path, rows, primitive, device, locator});
    gb_csv_free(csv);
}

void gb_list_published(void)
{
    static const char *const headers[] = {"PUBLISHED", "ROWS",          "PRIMITIVE",
                                          "DEVICE",    "FIRST LOCATOR", NULL};
    each_file("results/published", is_csv, show_published, NULL, headers);
}
