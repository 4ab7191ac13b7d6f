/* Rows that were not finished: kept in a file of their own, so that rows and samples files hold
 * nothing that is not whole. */
#include "bench/record/unfinished.h"

#include "bench/record/circumstances.h"
#include "bench/util/disk.h"
#include "bench/util/replace.h"
#include "common/text/file.h"
#include "common/text/json.h"
#include "common/text/limits.h"
#include "common/text/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA = 1, MOST_BYTES = 1 << 28 };

void gb_unfinished_row_free(gb_unfinished_row *row)
{
    free(row->point);
    free(row->variant);
    free(row->cache);
    free(row->samples);
    cJSON_Delete(row->sittings);
    *row = (gb_unfinished_row){0};
}

void gb_unfinished_free(gb_unfinished *u)
{
    for (size_t i = 0; i < u->count; i++)
        gb_unfinished_row_free(&u->rows[i]);
    free(u->rows);
    cJSON_Delete(u->circumstances);
    *u = (gb_unfinished){0};
}

bool gb_unfinished_put(gb_unfinished *u, gb_unfinished_row *row)
{
    if (u->count == u->capacity) {
        const size_t capacity = u->capacity ? 2 * u->capacity : 16;
        gb_unfinished_row *rows = realloc(u->rows, capacity * sizeof *rows);
        if (!rows) {
            gb_unfinished_row_free(row);
            return false;
        }
        u->rows = rows;
        u->capacity = capacity;
    }
    u->rows[u->count++] = *row;
    *row = (gb_unfinished_row){0};
    return true;
}

bool gb_unfinished_take(gb_unfinished *u, const char *point, const char *variant, const char *cache,
                        gb_unfinished_row *row)
{
    for (size_t i = 0; i < u->count; i++) {
        gb_unfinished_row *kept = &u->rows[i];
        if (strcmp(kept->point, point) != 0 || strcmp(kept->variant, variant) != 0 ||
            strcmp(kept->cache, cache) != 0)
            continue;
        *row = *kept;
        *kept = u->rows[--u->count];
        return true;
    }
    return false;
}

size_t gb_unfinished_samples(const gb_unfinished *u)
{
    size_t samples = 0;
    for (size_t i = 0; i < u->count; i++)
        samples += u->rows[i].count;
    return samples;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char *text_of(const cJSON *object, const char *name)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble >= 0
               ? item->valuedouble
               : 0;
}

/* The samples, all times that can be; false if one is not. */
static bool read_samples(const cJSON *list, gb_unfinished_row *row)
{
    const cJSON *item = NULL;
    const int count = cJSON_IsArray(list) ? cJSON_GetArraySize(list) : 0;
    row->samples = count > 0 ? malloc((size_t)count * sizeof *row->samples) : NULL;
    if (!row->samples) return false;
    cJSON_ArrayForEach(item, list)
    {
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || item->valuedouble < 0)
            return false;
        row->samples[row->count++] = item->valuedouble;
    }
    return true;
}

/* A short text that can be shown; false if it cannot. */
static bool read_text(const cJSON *object, const char *name, char *text, size_t capacity)
{
    const char *found = text_of(object, name);
    snprintf(text, capacity, "%s", found);
    return strlen(found) < capacity && !gb_text_unprintable(found);
}

/* Who took the samples: together all of them. */
static bool read_sittings(const cJSON *list, gb_unfinished_row *row)
{
    const cJSON *item = NULL;
    double samples = 0;
    cJSON_ArrayForEach(item, list)
    {
        if (gb_name_mistake(text_of(item, "run_id"))) return false;
        samples += number_of(item, "samples");
    }
    row->sittings = cJSON_IsArray(list) ? cJSON_Duplicate(list, true) : NULL;
    return row->sittings && samples == row->count;
}

static bool read_reading(const cJSON *item, gb_reading *reading)
{
    reading->sm_clock_mhz = number_of(item, "sm_clock_mhz");
    reading->mem_clock_mhz = number_of(item, "mem_clock_mhz");
    reading->temperature_c = number_of(item, "temperature_c");
    reading->power_w = number_of(item, "power_w");
    return read_text(item, "throttle", reading->throttle, sizeof reading->throttle);
}

static bool read_row(const cJSON *item, gb_unfinished_row *row)
{
    *row = (gb_unfinished_row){.point = strdup(text_of(item, "point")),
                               .variant = strdup(text_of(item, "variant")),
                               .cache = strdup(text_of(item, "cache")),
                               .spent_s = number_of(item, "spent_s")};
    return row->point && row->variant && row->cache &&
           read_samples(cJSON_GetObjectItemCaseSensitive(item, "samples_s"), row) &&
           read_sittings(cJSON_GetObjectItemCaseSensitive(item, "sittings"), row) &&
           read_reading(cJSON_GetObjectItemCaseSensitive(item, "reading"), &row->reading) &&
           read_text(item, "instance", row->instance, sizeof row->instance) &&
           read_text(item, "started_utc", row->started_utc, sizeof row->started_utc) &&
           strlen(row->started_utc) == strlen("2025-01-31T00:00:00Z");
}

/* Whether a row is in the result file: a run that was killed after it had gone on from here. */
static bool is_there(const gb_output *output, const gb_unfinished_row *row)
{
    char *key = gb_row_key(row->point, row->variant, row->cache);
    const bool there = key && gb_string_set_has(&output->done, key);
    free(key);
    return there;
}

static bool read_rows(gb_unfinished *u, const gb_output *output, const cJSON *root, gb_error *error)
{
    const cJSON *item = NULL, *rows = cJSON_GetObjectItemCaseSensitive(root, "rows");
    cJSON_ArrayForEach(item, rows)
    {
        gb_unfinished_row row;
        if (!read_row(item, &row)) {
            gb_unfinished_row_free(&row);
            gb_fail(error, GB_CRASHED,
                    "%s: row %zu is none that a run kept; remove the file to resume without it",
                    output->files.unfinished, u->count + 1);
            return false;
        }
        if (is_there(output, &row)) {
            gb_unfinished_row_free(&row);
        } else if (!gb_unfinished_put(u, &row)) {
            gb_fail(error, GB_CRASHED, "out of memory while reading %s", output->files.unfinished);
            return false;
        }
    }
    return true;
}

/* Puts the file of other circumstances out of the way, and says so. */
static bool move_aside(const gb_output *output, const char *what, char *note, size_t capacity,
                       gb_error *error)
{
    const char *path = output->files.unfinished;
    char aside[GB_PATH_SIZE + 128];
    snprintf(aside, sizeof aside, "%s.%s.unfinished.json", output->files.base,
             output->setup.run_id);
    if (rename(path, aside) != 0) return gb_disk_fail(error, path, "moved aside", errno, 0);
    snprintf(note, capacity,
             "the samples of rows that were not finished are not gone on from, for they were taken "
             "under other circumstances (%s); they are kept as %s",
             what, aside);
    return true;
}

/* The file as JSON; NULL and *error. */
static cJSON *read_file(const char *path, gb_error *error)
{
    const char *at, *why = NULL;
    size_t length;
    char *text =
        gb_file_read(path, "samples that were kept", MOST_BYTES, &length, GB_CRASHED, error);
    if (!text) return NULL;
    cJSON *root = gb_json_parse(text, length, &at, &why);
    free(text);
    if (number_of(root, "schema") == SCHEMA) return root;
    gb_fail(error, GB_CRASHED, "%s: found %s; remove the file to resume without it", path,
            !root && why ? why : "no samples that a run kept");
    cJSON_Delete(root);
    return NULL;
}

bool gb_unfinished_begin(gb_unfinished *u, const gb_output *output, const gb_session *session,
                         char *note, size_t capacity, gb_error *error)
{
    const char *path = output->files.unfinished;
    char what[320];
    *u = (gb_unfinished){.circumstances = gb_circumstances_of(output, session)};
    *note = 0;
    if (!output->setup.resume || access(path, F_OK) != 0) return true;
    cJSON *root = read_file(path, error);
    if (!root) return false;
    const cJSON *then = cJSON_GetObjectItemCaseSensitive(root, "circumstances");
    bool good;
    if (gb_circumstances_differ(then, u->circumstances, what, sizeof what)) {
        good = move_aside(output, what, note, capacity, error);
    } else {
        u->there = true;
        good = read_rows(u, output, root, error);
    }
    cJSON_Delete(root);
    return good;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* "[0.001,0.002]", to the last bit, which cJSON's own numbers are not. */
static void add_samples(cJSON *item, const gb_unfinished_row *row)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (unsigned i = 0; file && i < row->count; i++)
        fprintf(file, "%c%.17g", i ? ',' : '[', row->samples[i]);
    if (file) fputs("]", file);
    if (!file || fclose(file) != 0) gb_memory_gone("gpubench", row->count * sizeof *row->samples);
    cJSON_AddRawToObject(item, "samples_s", text);
    free(text);
}

static cJSON *row_json(const gb_unfinished_row *row)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "point", row->point);
    cJSON_AddStringToObject(item, "variant", row->variant);
    cJSON_AddStringToObject(item, "cache", row->cache);
    cJSON_AddStringToObject(item, "started_utc", row->started_utc);
    cJSON_AddStringToObject(item, "instance", row->instance);
    cJSON_AddNumberToObject(item, "spent_s", row->spent_s);
    cJSON *reading = cJSON_AddObjectToObject(item, "reading");
    cJSON_AddNumberToObject(reading, "sm_clock_mhz", row->reading.sm_clock_mhz);
    cJSON_AddNumberToObject(reading, "mem_clock_mhz", row->reading.mem_clock_mhz);
    cJSON_AddNumberToObject(reading, "temperature_c", row->reading.temperature_c);
    cJSON_AddNumberToObject(reading, "power_w", row->reading.power_w);
    cJSON_AddStringToObject(reading, "throttle", row->reading.throttle);
    cJSON_AddItemToObject(item, "sittings", cJSON_Duplicate(row->sittings, true));
    add_samples(item, row);
    return item;
}

bool gb_unfinished_write(gb_unfinished *u, const gb_output *output, gb_error *error)
{
    const char *path = output->files.unfinished;
    if (u->count == 0) {
        if (u->there && unlink(path) != 0 && errno != ENOENT)
            return gb_disk_fail(error, path, "removed", errno, 0);
        u->there = false;
        return true;
    }
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema", SCHEMA);
    cJSON_AddStringToObject(root, "run_id", output->setup.run_id);
    cJSON_AddStringToObject(root, "experiment", output->setup.config->name);
    cJSON_AddItemToObject(root, "circumstances", cJSON_Duplicate(u->circumstances, true));
    cJSON *rows = cJSON_AddArrayToObject(root, "rows");
    for (size_t i = 0; i < u->count; i++)
        cJSON_AddItemToArray(rows, row_json(&u->rows[i]));
    char *text = cJSON_PrintUnformatted(root);
    cJSON_Delete(root);
    if (!text) {
        gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        return false;
    }
    const bool good = gb_files_replace(path, text, strlen(text), error);
    cJSON_free(text);
    u->there |= good;
    return good;
}
