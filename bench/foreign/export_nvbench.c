/* Writing NVBench's JSON, file version 1.0.0, with files of samples as its --jsonbin does. */
#include "bench/foreign/export.h"
#include "bench/util/disk.h"
#include "bench/util/replace.h"
#include "common/stats/stats.h"
#include "common/text/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct writer {
    const gb_foreign *file;
    const gb_export_run *run;
    const char *path;
    FILE *out;
    size_t sample_files;
    gb_error *error;
} writer;

/* ---- named values ---------------------------------------------------------------------------- */

/* Numbers are texts there, so that none loses digits. */
static void add_value(cJSON *list, const char *name, const char *type, const char *text)
{
    cJSON *value = cJSON_CreateObject();
    cJSON_AddStringToObject(value, "name", name);
    cJSON_AddStringToObject(value, "type", type);
    cJSON_AddStringToObject(value, "value", text);
    cJSON_AddItemToArray(list, value);
}

static void add_number(cJSON *list, const char *name, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", number);
    add_value(list, name, "float64", text);
}

static void add_count(cJSON *list, const char *name, size_t count)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", count);
    add_value(list, name, "int64", text);
}

/* A summary; its data are added to what comes back. */
static cJSON *add_summary(cJSON *summaries, const char *tag, const char *name, const char *hint,
                          const char *description)
{
    cJSON *summary = cJSON_CreateObject();
    cJSON_AddStringToObject(summary, "tag", tag);
    cJSON_AddStringToObject(summary, "name", name);
    cJSON_AddStringToObject(summary, "description", description);
    cJSON_AddStringToObject(summary, "hint", hint);
    cJSON_AddItemToArray(summaries, summary);
    return cJSON_AddArrayToObject(summary, "data");
}

/* Whether a value is what NVBench calls an int64. */
static bool is_whole(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    char again[32];
    snprintf(again, sizeof again, "%" PRId64, *number);
    return errno == 0 && *end == '\0' && strcmp(again, text) == 0;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The folder beside the file. The caller frees it. */
static char *folder_of(const char *path)
{
    char *folder = NULL;
    return asprintf(&folder, "%s-bin", path) < 0 ? NULL : folder;
}

static void encode(unsigned char *at, double time)
{
    const float value = (float)time;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (unsigned i = 0; i < 4; i++)
        at[i] = (unsigned char)(bits >> 8 * i);
}

/* Writes the samples of an entry and names the file in its summaries. */
static bool put_samples(writer *w, const gb_foreign_entry *entry, cJSON *summaries)
{
    char *folder = folder_of(w->path), *path = NULL;
    unsigned char *bytes = malloc(4 * entry->count + 1);
    bool good = folder && bytes && asprintf(&path, "%s/%zu.bin", folder, w->sample_files) > 0;
    if (!good) gb_fail(w->error, GB_CRASHED, "%s: out of memory", w->path);
    if (good && mkdir(folder, 0777) != 0 && errno != EEXIST)
        good = gb_disk_fail(w->error, folder, "made", errno, 0);
    for (size_t i = 0; good && i < entry->count; i++)
        encode(bytes + 4 * i, entry->times[i]);
    good = good && gb_files_replace(path, (const char *)bytes, 4 * entry->count, w->error);
    if (good) {
        const char *slash = strrchr(folder, '/');
        cJSON *data = add_summary(summaries, "nv/json/bin:nv/cold/sample_times",
                                  "Samples Times File", "file/sample_times",
                                  "Binary file containing sample times as little-endian float32.");
        add_value(data, "filename", "string", path + (slash ? slash + 1 - folder : 0));
        add_count(data, "size", entry->count);
        w->sample_files++;
    }
    free(bytes);
    free(folder);
    free(path);
    return good;
}

/* Removes what an earlier export of more rows left. */
static void remove_others(const writer *w)
{
    char *folder = folder_of(w->path);
    for (size_t i = w->sample_files; folder; i++) {
        char *path = NULL;
        if (asprintf(&path, "%s/%zu.bin", folder, i) < 0) break;
        const bool gone = unlink(path) != 0;
        free(path);
        if (gone) break;
    }
    free(folder);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* Devices in the order of appearance. */
static size_t device_id(const gb_foreign *file, const gb_foreign_entry *entry)
{
    size_t id = 0;
    for (size_t i = 0; i < file->count; i++) {
        bool seen = false;
        if (strcmp(file->entries[i].device, entry->device) == 0) return id;
        for (size_t k = 0; k < i && !seen; k++)
            seen = strcmp(file->entries[k].device, file->entries[i].device) == 0;
        id += !seen;
    }
    return id;
}

static void add_state_name(cJSON *state, size_t device, const gb_foreign_entry *entry)
{
    char *text = NULL;
    size_t size;
    FILE *name = open_memstream(&text, &size);
    if (!name) return;
    fprintf(name, "Device=%zu", device);
    for (unsigned a = 0; a < entry->axis_count; a++)
        fprintf(name, " %s=%s", entry->axes[a].name, entry->axes[a].value);
    if (fclose(name) == 0) cJSON_AddStringToObject(state, "name", text);
    free(text);
}

static bool add_summaries(writer *w, const gb_foreign_entry *entry, cJSON *summaries)
{
    gb_stats s = {.count = entry->count, .mean = entry->mean, .sd = entry->sd};
    if (entry->times) s = gb_stats_of(entry->times, entry->count);
    add_count(add_summary(summaries, "nv/cold/sample_size", "Samples", "sample_size",
                          "Number of isolated kernel executions"),
              "value", s.count);
    add_number(add_summary(summaries, "nv/cold/time/gpu/mean", "GPU Time", "duration",
                           "Mean isolated kernel execution time (measured with CUDA events)"),
               "value", s.mean);
    if (s.mean > 0)
        add_number(add_summary(summaries, "nv/cold/time/gpu/stdev/relative", "Noise", "percentage",
                               "Relative standard deviation of isolated GPU times"),
                   "value", s.sd / s.mean);
    if (entry->items > 0 && s.mean > 0)
        add_number(add_summary(summaries, "nv/cold/bw/item_rate", "Elem/s", "item_rate",
                               "Number of input elements processed per second"),
                   "value", entry->items / s.mean);
    if (entry->items > 0 && s.mean > 0 && entry->limit_rate > 0 &&
        strcmp(entry->limit_kind, "bandwidth") == 0)
        add_number(add_summary(summaries, "nv/cold/bw/global/utilization", "BWUtil", "percentage",
                               "Global device memory utilization"),
                   "value", entry->items / s.mean / entry->limit_rate);
    if (entry->sm_clock_mhz > 0)
        add_number(add_summary(summaries, "nv/cold/sm_clock_rate/mean", "Clock Rate", "frequency",
                               "Mean SM clock rate"),
                   "value", entry->sm_clock_mhz * 1e6);
    return !entry->times || put_samples(w, entry, summaries);
}

static bool add_state(writer *w, const gb_foreign_entry *entry, cJSON *states)
{
    cJSON *state = cJSON_CreateObject();
    const size_t device = device_id(w->file, entry);
    cJSON_AddItemToArray(states, state);
    add_state_name(state, device, entry);
    cJSON_AddNumberToObject(state, "device", (double)device);
    cJSON_AddNumberToObject(state, "type_config_index", 0);
    cJSON *axes = cJSON_AddArrayToObject(state, "axis_values");
    for (unsigned a = 0; a < entry->axis_count; a++) {
        int64_t number;
        const char *value = entry->axes[a].value;
        add_value(axes, entry->axes[a].name, is_whole(value, &number) ? "int64" : "string", value);
    }
    cJSON *summaries = cJSON_AddArrayToObject(state, "summaries");
    const bool good = entry->status != GB_OK || add_summaries(w, entry, summaries);
    cJSON_AddBoolToObject(state, "is_skipped", entry->status != GB_OK);
    if (entry->status != GB_OK) cJSON_AddStringToObject(state, "skip_reason", entry->reason);
    gb_export_own(state, entry);
    return good;
}

/* ---- benchmarks ------------------------------------------------------------------------------ */

/* Whether two entries are states of one benchmark. */
static bool is_of(const gb_foreign_entry *a, const gb_foreign_entry *b)
{
    return strcmp(a->experiment, b->experiment) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->cache, b->cache) == 0 && strcmp(a->scope, b->scope) == 0;
}

/* The axis of that number with the values that the benchmark's states have. */
static void add_axis(const writer *w, const gb_foreign_entry *of, unsigned a, cJSON *axes)
{
    cJSON *axis = cJSON_CreateObject(), *value;
    bool whole = true;
    int64_t number;
    for (size_t i = 0; i < w->file->count; i++)
        whole &= !is_of(of, &w->file->entries[i]) ||
                 is_whole(w->file->entries[i].axes[a].value, &number);
    cJSON_AddItemToArray(axes, axis);
    cJSON_AddStringToObject(axis, "name", of->axes[a].name);
    cJSON_AddStringToObject(axis, "type", whole ? "int64" : "string");
    cJSON_AddStringToObject(axis, "flags", "");
    cJSON *values = cJSON_AddArrayToObject(axis, "values");
    for (size_t i = 0; i < w->file->count; i++) {
        if (!is_of(of, &w->file->entries[i])) continue;
        const char *text = w->file->entries[i].axes[a].value;
        bool seen = false;
        cJSON_ArrayForEach(value, values)
        {
            seen |= strcmp(cJSON_GetObjectItem(value, "input_string")->valuestring, text) == 0;
        }
        if (seen) continue;
        value = cJSON_CreateObject();
        cJSON_AddItemToArray(values, value);
        cJSON_AddStringToObject(value, "input_string", text);
        cJSON_AddStringToObject(value, "description", "");
        if (whole && is_whole(text, &number))
            cJSON_AddRawToObject(value, "value", text);
        else
            cJSON_AddStringToObject(value, "value", text);
    }
}

static bool put_benchmark(writer *w, const gb_foreign_entry *first, size_t number)
{
    cJSON *benchmark = cJSON_CreateObject();
    char *name = gb_export_name(w->file, first);
    bool good = name != NULL;
    cJSON_AddStringToObject(benchmark, "name", name ? name : "");
    free(name);
    cJSON_AddNumberToObject(benchmark, "index", (double)number);
    cJSON *devices = cJSON_AddArrayToObject(benchmark, "devices");
    cJSON *axes = cJSON_AddArrayToObject(benchmark, "axes");
    for (unsigned a = 0; a < first->axis_count; a++)
        add_axis(w, first, a, axes);
    cJSON *states = cJSON_AddArrayToObject(benchmark, "states"), *device;
    for (size_t i = 0; i < w->file->count && good; i++) {
        const gb_foreign_entry *entry = &w->file->entries[i];
        if (!is_of(first, entry)) continue;
        const double id = (double)device_id(w->file, entry);
        bool seen = false;
        cJSON_ArrayForEach(device, devices)
        {
            seen |= !(device->valuedouble < id) && !(device->valuedouble > id);
        }
        if (!seen) cJSON_AddItemToArray(devices, cJSON_CreateNumber(id));
        good = add_state(w, entry, states);
    }
    return gb_export_put(w->out, benchmark, number == 0) && good;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void put_head(writer *w)
{
    cJSON *meta = cJSON_CreateObject(), *devices = cJSON_CreateArray();
    cJSON *argv = cJSON_AddArrayToObject(meta, "argv");
    for (size_t i = 0; i < w->run->command_count; i++)
        cJSON_AddItemToArray(argv, cJSON_CreateString(w->run->command[i]));
    cJSON *version = cJSON_AddObjectToObject(meta, "version");
    cJSON *json = cJSON_AddObjectToObject(version, "json");
    cJSON_AddNumberToObject(json, "major", 1);
    cJSON_AddNumberToObject(json, "minor", 0);
    cJSON_AddNumberToObject(json, "patch", 0);
    cJSON_AddStringToObject(json, "string", "1.0.0");
    for (size_t i = 0; i < w->file->count; i++) {
        const gb_foreign_entry *entry = &w->file->entries[i];
        const size_t id = device_id(w->file, entry);
        if ((size_t)cJSON_GetArraySize(devices) > id) continue;
        cJSON *device = cJSON_CreateObject();
        cJSON_AddNumberToObject(device, "id", (double)id);
        cJSON_AddStringToObject(device, "name", entry->device);
        if (w->run->sms > 0) cJSON_AddNumberToObject(device, "number_of_sms", w->run->sms);
        if (w->run->l2_bytes > 0)
            cJSON_AddNumberToObject(device, "l2_cache_size", w->run->l2_bytes);
        cJSON_AddItemToArray(devices, device);
    }
    char *texts[] = {cJSON_Print(meta), cJSON_Print(devices)};
    cJSON_Delete(meta);
    cJSON_Delete(devices);
    fprintf(w->out, "{\n\"meta\": %s,\n\"devices\": %s,\n\"benchmarks\": [",
            texts[0] ? texts[0] : "", texts[1] ? texts[1] : "");
    cJSON_free(texts[0]);
    cJSON_free(texts[1]);
}

bool gb_export_nvbench(const gb_foreign *file, const gb_export_run *run, const char *path,
                       FILE *out, gb_error *error)
{
    writer w = {.file = file, .run = run, .path = path, .out = out, .error = error};
    size_t number = 0;
    put_head(&w);
    *error = (gb_error){GB_OK, ""};
    for (size_t i = 0; i < file->count; i++) {
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = is_of(&file->entries[k], &file->entries[i]);
        if (seen) continue;
        if (put_benchmark(&w, &file->entries[i], number++)) continue;
        if (error->status == GB_OK) gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        return false;
    }
    fputs("\n]\n}\n", out);
    remove_others(&w);
    return true;
}
