/* Writing google/benchmark's JSON: each sample is a repetition of one iteration. */
#include "bench/foreign/export.h"
#include "common/stats/stats.h"
#include "common/text/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A sample takes about so many values of JSON. */
enum { VALUES_A_SAMPLE = 14, MOST_SAMPLES = GB_JSON_VALUES / VALUES_A_SAMPLE - 10000 };

static const double ns = 1e-9;

typedef struct writer {
    FILE *out;
    const gb_foreign_entry *entry;
    const char *name; /* with arguments */
    size_t number;    /* of the entry */
    size_t repetitions;
    bool first; /* nothing was written yet */
} writer;

/* "multisplit/n:1024/bins:8/manual_time"; time taken by hand is what the library calls a time that
 * is not the host's clock's. */
static char *name_of(const gb_foreign *file, const gb_foreign_entry *entry)
{
    char *name = gb_export_name(file, entry);
    for (unsigned a = 0; name && a < entry->axis_count; a++) {
        char *longer = NULL;
        if (asprintf(&longer, "%s/%s:%s", name, entry->axes[a].name, entry->axes[a].value) < 0)
            longer = NULL;
        free(name);
        name = longer;
    }
    char *whole = NULL;
    if (name && asprintf(&whole, "%s/manual_time", name) < 0) whole = NULL;
    free(name);
    return whole;
}

static cJSON *item_of(const writer *w, const char *name, const char *type)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddNumberToObject(item, "family_index", (double)w->number);
    cJSON_AddNumberToObject(item, "per_family_instance_index", 0);
    cJSON_AddStringToObject(item, "run_name", w->name);
    cJSON_AddStringToObject(item, "run_type", type);
    cJSON_AddNumberToObject(item, "repetitions", (double)w->repetitions);
    cJSON_AddNumberToObject(item, "threads", 1);
    return item;
}

/* There is one time, which stands for both of theirs. */
static void add_times(cJSON *item, double seconds, double rate, const char *unit)
{
    cJSON_AddNumberToObject(item, "real_time", seconds);
    cJSON_AddNumberToObject(item, "cpu_time", seconds);
    cJSON_AddStringToObject(item, "time_unit", "ns");
    if (rate > 0 && isfinite(rate))
        cJSON_AddNumberToObject(
            item, strcmp(unit, "bytes") == 0 ? "bytes_per_second" : "items_per_second", rate);
}

static bool put(writer *w, cJSON *item)
{
    const bool good = gb_export_put(w->out, item, w->first);
    w->first = false;
    return good;
}

static bool put_failure(writer *w)
{
    cJSON *item = item_of(w, w->name, "iteration");
    const bool skipped = w->entry->status == GB_UNSUPPORTED;
    cJSON_AddNumberToObject(item, "repetition_index", 0);
    cJSON_AddBoolToObject(item, skipped ? "skipped" : "error_occurred", true);
    cJSON_AddStringToObject(item, skipped ? "skip_message" : "error_message", w->entry->reason);
    cJSON_AddNumberToObject(item, "iterations", 0);
    add_times(item, 0, 0, "");
    gb_export_own(item, w->entry);
    return put(w, item);
}

static bool put_samples(writer *w)
{
    const gb_foreign_entry *entry = w->entry;
    bool good = true;
    for (size_t i = 0; i < entry->count && entry->times && good; i++) {
        const double time = entry->times[i];
        cJSON *item = item_of(w, w->name, "iteration");
        cJSON_AddNumberToObject(item, "repetition_index", (double)i);
        cJSON_AddNumberToObject(item, "iterations", 1);
        add_times(item, time / ns, time > 0 ? entry->items / time : 0, entry->unit);
        if (i == 0) gb_export_own(item, entry);
        good = put(w, item);
    }
    return good;
}

static bool put_aggregate(writer *w, const char *what, double time, double rate, bool part)
{
    char *name = NULL;
    if (asprintf(&name, "%s_%s", w->name, what) < 0) return false;
    cJSON *item = item_of(w, name, "aggregate");
    free(name);
    cJSON_AddStringToObject(item, "aggregate_name", what);
    cJSON_AddStringToObject(item, "aggregate_unit", part ? "percentage" : "time");
    cJSON_AddNumberToObject(item, "iterations", (double)w->repetitions);
    add_times(item, time, rate, w->entry->unit);
    if (!w->entry->times && strcmp(what, "mean") == 0) gb_export_own(item, w->entry);
    return put(w, item);
}

static bool put_aggregates(writer *w)
{
    const gb_foreign_entry *entry = w->entry;
    gb_stats s = {.mean = entry->mean, .median = entry->mean, .sd = entry->sd};
    if (entry->times) s = gb_stats_of(entry->times, entry->count);
    const double rate = s.mean > 0 ? entry->items / s.mean : 0;
    if (!put_aggregate(w, "mean", s.mean / ns, rate, false)) return false;
    if (entry->times && !put_aggregate(w, "median", s.median / ns,
                                       s.median > 0 ? entry->items / s.median : 0, false))
        return false;
    if (!(s.sd > 0)) return true;
    return put_aggregate(w, "stddev", s.sd / ns, 0, false) &&
           put_aggregate(w, "cv", s.sd / s.mean, 0, true);
}

static bool put_context(FILE *out, const gb_export_run *run)
{
    cJSON *context = cJSON_CreateObject();
    cJSON_AddStringToObject(context, "date", run->date);
    cJSON_AddStringToObject(context, "host_name", run->host);
    cJSON_AddStringToObject(context, "executable", "gpubench");
    cJSON_AddNumberToObject(context, "json_schema_version", 1);
    char *text = cJSON_Print(context);
    cJSON_Delete(context);
    if (!text) return false;
    fprintf(out, "{\n\"context\": %s,\n\"benchmarks\": [", text);
    cJSON_free(text);
    return true;
}

bool gb_export_google(const gb_foreign *file, const gb_export_run *run, FILE *out, gb_error *error)
{
    writer w = {.out = out, .first = true};
    size_t samples = 0;
    for (size_t i = 0; i < file->count; i++)
        samples += file->entries[i].times ? file->entries[i].count : 0;
    if (samples > MOST_SAMPLES) {
        gb_fail(error, GB_WRONG,
                "these results have %zu samples, each of which google/benchmark's JSON spells out; "
                "of more than %d no file is made: export fewer rows, or the format nvbench, whose "
                "samples are binary",
                samples, (int)MOST_SAMPLES);
        return false;
    }
    bool good = put_context(out, run);
    for (size_t i = 0; i < file->count && good; i++) {
        char *name = name_of(file, &file->entries[i]);
        w.entry = &file->entries[i];
        w.name = name;
        w.number = i;
        w.repetitions = w.entry->count;
        good = name &&
               (w.entry->status == GB_OK ? put_samples(&w) && put_aggregates(&w) : put_failure(&w));
        free(name);
    }
    fputs("\n]\n}\n", out);
    if (!good) gb_fail(error, GB_CRASHED, "out of memory");
    return good;
}
