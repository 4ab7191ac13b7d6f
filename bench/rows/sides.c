/* Loading what is compared. */
#include "bench/rows/sides.h"

#include "bench/util/share.h"
#include "common/text/file.h"
#include "common/text/json.h"
#include "common/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_META = 64 << 20 };

/* ---- sides ----------------------------------------------------------------------------------- */

static gb_side *side_of(gb_sides *sides, const gb_results *results, const char *path,
                        const char *device)
{
    for (size_t i = 0; i < sides->count; i++)
        if (sides->items[i].results == results && strcmp(sides->items[i].device, device) == 0)
            return &sides->items[i];
    sides->items = gb_arena_grow(&sides->arena, sides->items, sides->count, &sides->capacity,
                                 sizeof *sides->items);
    sides->items[sides->count] = (gb_side){
        .path = path, .device = device, .label = device, .results = results, .published = true};
    return &sides->items[sides->count++];
}

/* Sides of one device are told apart by their paths. */
static void label_sides(gb_sides *sides)
{
    for (size_t i = 0; i < sides->count; i++) {
        gb_side *side = &sides->items[i];
        for (size_t j = 0; j < sides->count; j++)
            if (j != i && strcmp(side->device, sides->items[j].device) == 0)
                side->label = gb_arena_printf(&sides->arena, "%s (%s)", side->device, side->path);
    }
}

bool gb_sides_load(gb_sides *sides, char **paths, size_t count, gb_error *error)
{
    sides->operands = calloc(count, sizeof *sides->operands);
    if (!sides->operands) {
        gb_fail(error, GB_CRASHED, "out of memory");
        return false;
    }
    gb_error no_gpus;
    if (!gb_gpus_load(&sides->arena, "gpus.csv", &sides->gpus, &no_gpus))
        sides->gpus = (gb_gpus){0}; /* needed for some views alone, which say so */
    for (size_t i = 0; i < count; i++) {
        gb_results *results = &sides->operands[sides->operand_count++];
        const char *path = paths[i];
        if (strcmp(path, "published") == 0 && access(path, F_OK) != 0)
            path = gb_share_find(&sides->arena, "results/published");
        if (!path) {
            gb_fail(error, GB_WRONG, "there is no results/published in any of: %s",
                    gb_share_places(&sides->arena));
            return false;
        }
        if (!gb_results_add(results, path, error)) return false;
        for (size_t s = 0; s < results->set_count; s++) {
            const gb_result_set *set = &results->sets[s];
            for (size_t r = 0; !set->profile && r < set->row_count; r++) {
                gb_side *side = side_of(sides, results, paths[i], set->rows[r].device);
                side->published &= set->published;
            }
        }
    }
    label_sides(sides);
    return true;
}

void gb_sides_free(gb_sides *sides)
{
    for (size_t i = 0; i < sides->run_count; i++)
        gb_samples_file_free(sides->runs[i].samples);
    for (size_t i = 0; i < sides->operand_count; i++)
        gb_results_free(&sides->operands[i]);
    free(sides->operands);
    gb_arena_free(&sides->arena);
    *sides = (gb_sides){0};
}

/* ---- runs ------------------------------------------------------------------------------------ */

static const char *text_in(gb_arena *arena, const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? gb_arena_strdup(arena, item->valuestring) : "";
}

static double number_in(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && item->valuedouble > 0 ? item->valuedouble : 0;
}

/* NAME.csv -> NAME and another ending. */
static char *beside(gb_arena *arena, const char *csv, const char *ending)
{
    const size_t length = strlen(csv);
    const size_t stem = length > 4 && gb_text_ends(csv, ".csv") ? length - 4 : length;
    return gb_arena_printf(arena, "%.*s%s", (int)stem, csv, ending);
}

/* A meta file that is missing or damaged leaves the facts blank: the rows are good without. */
static void read_meta(gb_sides *sides, gb_run_facts *run)
{
    const char *path = beside(&sides->arena, run->csv, ".meta.json"), *at, *why;
    gb_error error;
    size_t length;
    if (access(path, F_OK) != 0) return;
    char *text = gb_file_read(path, "a meta file", MOST_META, &length, GB_WRONG, &error);
    cJSON *meta = text ? gb_json_parse(text, length, &at, &why) : NULL;
    free(text);
    const cJSON *worker = cJSON_GetObjectItemCaseSensitive(meta, "worker");
    run->toolkit = text_in(&sides->arena, worker, "toolkit");
    run->driver = text_in(&sides->arena, worker, "driver");
    const cJSON *config = cJSON_GetObjectItemCaseSensitive(meta, "config");
    run->title =
        text_in(&sides->arena, cJSON_GetObjectItemCaseSensitive(config, "content"), "title");
    const cJSON *git = cJSON_GetObjectItemCaseSensitive(meta, "git");
    const bool dirty = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(git, "dirty"));
    run->version = gb_arena_printf(&sides->arena, "%s%s", text_in(&sides->arena, git, "commit"),
                                   dirty ? ", with uncommitted changes" : "");
    const cJSON *host = cJSON_GetObjectItemCaseSensitive(meta, "host");
    run->host = gb_arena_printf(&sides->arena, "%s, %s", text_in(&sides->arena, host, "cpu"),
                                text_in(&sides->arena, host, "os"));
    const cJSON *device = cJSON_GetObjectItemCaseSensitive(meta, "device");
    run->sms = number_in(device, "sms");
    run->l2_bytes = number_in(device, "l2_bytes");
    run->copy_bytes_per_s =
        number_in(cJSON_GetObjectItemCaseSensitive(meta, "ceilings"), "copy_bytes_per_s");
    cJSON_Delete(meta);
}

static gb_run_facts *run_of(gb_sides *sides, const gb_result_row *row)
{
    for (size_t i = sides->run_count; i-- > 0;)
        if (strcmp(sides->runs[i].csv, row->path) == 0) return &sides->runs[i];
    sides->runs = gb_arena_grow(&sides->arena, sides->runs, sides->run_count, &sides->run_capacity,
                                sizeof *sides->runs);
    gb_run_facts *run = &sides->runs[sides->run_count++];
    *run = (gb_run_facts){
        .csv = row->path, .toolkit = "", .driver = "", .title = "", .version = "", .host = ""};
    read_meta(sides, run);
    return run;
}

const gb_run_facts *gb_side_run(gb_sides *sides, const gb_result_row *row)
{
    return run_of(sides, row);
}

const double *gb_side_samples(gb_sides *sides, const gb_result_set *set, const gb_result_row *row)
{
    gb_run_facts *run = run_of(sides, row);
    if (!run->samples) {
        gb_error error;
        run->samples = gb_samples_read(beside(&sides->arena, run->csv, ".samples.csv"), &error);
        if (!run->samples) {
            fprintf(stderr, "gpubench: %s; its rows are compared by their intervals\n", error.text);
            run->samples = gb_samples_read("", &error);
        }
    }
    return run->samples ? gb_samples_of(run->samples, set, row) : NULL;
}
