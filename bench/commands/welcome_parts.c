/* What the first screen says of configs and results: how long the ones take, which of the others
 * there are. */
#include "bench/commands/welcome.h"

#include "bench/measure/estimate.h"
#include "bench/measure/runner.h"
#include "bench/rows/paths.h"
#include "bench/rows/run_facts.h"
#include "bench/util/share.h"
#include "common/text/text.h"

#include <dirent.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- results --------------------------------------------------------------------------------- */

static int is_shown(const struct dirent *entry)
{
    static const char *const others[] = {"published", "shown"};
    bool shown = entry->d_name[0] != '.' && !gb_name_mistake(entry->d_name);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        shown = shown && strcmp(entry->d_name, others[i]) != 0;
    return shown;
}

/* The folders below one, sorted. NULL-terminated. */
static char **folders_in(gb_arena *arena, const char *path)
{
    struct dirent **entries;
    const int count = path ? scandir(path, &entries, is_shown, alphasort) : -1;
    char **list = gb_arena_alloc(arena, (size_t)(count < 0 ? 1 : count + 1) * sizeof *list);
    for (int i = 0, folders = 0; i < count; i++) {
        struct stat info;
        char *below = gb_arena_printf(arena, "%s/%s", path, entries[i]->d_name);
        if (stat(below, &info) == 0 && S_ISDIR(info.st_mode)) list[folders++] = below;
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return list;
}

/* "results/x/NAME.meta.json" is of "results/x/NAME.csv". */
static char *csv_of(gb_arena *arena, const char *meta)
{
    return gb_arena_printf(arena, "%.*s.csv", (int)(strlen(meta) - strlen(".meta.json")), meta);
}

static void look_into(gb_arena *arena, const char *folder, gb_welcome_results *found)
{
    const char *name = strrchr(folder, '/') + 1;
    char **metas = gb_folder_list(arena, folder, "", ".meta.json");
    *found = (gb_welcome_results){.folder = folder, .simt = strcmp(name, "simt") == 0};
    for (; *metas; metas++) {
        const char *csv = csv_of(arena, *metas);
        if (gb_result_is_moved_aside(csv)) continue;
        const gb_run_facts run = gb_run_facts_read(arena, csv);
        const char *begins = strrchr(csv, '/') + 1;
        found->experiments++;
        if (!found->broken_off &&
            (strcmp(run.state, "interrupted") == 0 || strcmp(run.state, "broken") == 0))
            found->broken_off = gb_arena_strndup(arena, begins, strlen(begins) - 4);
    }
}

gb_welcome_results *gb_welcome_find_results(gb_arena *arena, size_t *count)
{
    size_t capacity = 0;
    gb_welcome_results *list = NULL;
    *count = 0;
    for (char **folder = folders_in(arena, "results"); *folder; folder++) {
        list = gb_arena_grow(arena, list, *count, &capacity, sizeof *list);
        look_into(arena, *folder, &list[*count]);
        *count += list[*count].experiments > 0;
    }
    return list;
}

/* ---- how long -------------------------------------------------------------------------------- */

/* What a run of all rows of a config took that a folder of results has; negative: none is there. */
static double recorded_in(gb_arena *arena, const char *folder, const gb_config *config)
{
    const char *csv = gb_arena_printf(arena, "%s/%s.csv", folder, config->name);
    const gb_run_facts run = gb_run_facts_read(arena, csv);
    const double rows = (double)gb_run_rows_left(config, NULL);
    const bool whole = strcmp(run.state, "complete") == 0 && run.quick == config->quick &&
                       run.rows >= rows && run.wall_s > 0;
    return whole ? run.wall_s : -1;
}

/* Of this device, else of the first GPU there is a record of, which *device then names. */
static double recorded(gb_arena *arena, const gb_offer *offer, const gb_config *config,
                       const char **device)
{
    const char *slug = offer->device->slug;
    const char *own = gb_share_find(arena, gb_arena_printf(arena, "results/%s", slug));
    double seconds = own ? recorded_in(arena, own, config) : -1;
    const bool gpu = strcmp(offer->catalogue->backend, "cuda") == 0;
    char **folder = folders_in(arena, gpu ? gb_share_find(arena, "results") : NULL);
    for (; *folder && seconds < 0; folder++) {
        const char *name = strrchr(*folder, '/') + 1;
        if (strcmp(name, "simt") == 0) continue;
        seconds = recorded_in(arena, *folder, config);
        if (seconds >= 0) *device = name;
    }
    return seconds;
}

/* The plan's guess, which needs a device whose bandwidth is known without measuring it: simt. */
static double guessed(const gb_offer *offer, gb_worker *worker, const gb_config *config)
{
    gb_session session = {
        .worker = worker, .catalogue = (gb_catalogue *)offer->catalogue, .device = offer->device};
    gb_estimate estimate = {0};
    gb_error error;
    if (!gb_estimate_is_known(&session)) return -1;
    if (!gb_estimate_make(&estimate, &session, config, &error)) return -1;
    const double rows = (double)gb_run_rows_left(config, NULL) / (double)config->point_count;
    double seconds = 0;
    for (size_t i = 0; i < config->point_count && estimate.mistaken == SIZE_MAX; i++)
        seconds += rows * gb_estimate_row_s(&estimate, config, i, &session);
    gb_estimate_free(&estimate);
    return seconds > 0 ? seconds : -1;
}

static int by_time(const void *a, const void *b)
{
    const gb_welcome_config *x = a, *y = b;
    const double of_x = x->seconds < 0 ? INFINITY : x->seconds,
                 of_y = y->seconds < 0 ? INFINITY : y->seconds;
    return of_x != of_y ? (of_x > of_y) - (of_x < of_y) : strcmp(x->name, y->name);
}

/* The instrument's own, which is for those who doubt it, is none to begin with, nor is what several
 * GPUs do together. */
static bool is_first_choice(const gb_config *config)
{
    return strcmp(config->name, config->primitive->name) == 0 &&
           strcmp(config->name, "null") != 0 &&
           gb_catalogue_axis_index(config->primitive, "gpus") < 0;
}

gb_welcome_config *gb_welcome_configs(gb_arena *arena, const gb_offer *offer, gb_worker *worker,
                                      size_t *count, size_t *others)
{
    const gb_config_options how = {.quick = strcmp(offer->catalogue->backend, "simt") == 0};
    char **path = gb_share_list(arena, "configs", "", ".json");
    size_t capacity = 0;
    gb_welcome_config *list = NULL;
    *count = *others = 0;
    for (; *path; path++) {
        gb_error error;
        gb_config *config = gb_config_load(*path, offer->catalogue, &how, &error);
        if (config && is_first_choice(config)) {
            list = gb_arena_grow(arena, list, *count, &capacity, sizeof *list);
            gb_welcome_config *item = &list[(*count)++];
            *item = (gb_welcome_config){.name = gb_arena_strdup(arena, config->name)};
            item->seconds = recorded(arena, offer, config, &item->device);
            if (item->seconds < 0) item->seconds = guessed(offer, worker, config);
        } else {
            *others += config != NULL;
        }
        gb_config_free(config);
    }
    if (list) qsort(list, *count, sizeof *list, by_time);
    return list;
}
