/* NVBench's JSON, file version 1.x: nvbench/json_printer.cu writes it. Numbers of summaries and
 * values of axes stand there as texts. */
#include "bench/foreign/reader.h"
#include "bench/foreign/samples.h"
#include "common/text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a state was measured: on the GPU, the caches flushed before each run, or on the CPU alone. */
typedef struct manner {
    const char *prefix, *clock; /* of tags: "nv/cold/time/gpu/mean" */
    const char *cache, *limit_kind;
} manner;
static const manner manners[] = {{"nv/cold", "gpu", "cold", "bandwidth"},
                                 {"nv/cpu_only", "cpu", "warm", ""}};

bool gb_nvbench_is(const cJSON *root)
{
    return cJSON_IsArray(gb_foreign_member(root, "benchmarks")) &&
           !gb_foreign_member(root, "context");
}

/* ---- summaries ------------------------------------------------------------------------------- */

/* The summary with the tag PREFIX/REST; *at: its number. NULL: there is none. */
static const cJSON *summary_of(const cJSON *state, const char *before, const manner *m,
                               const char *rest, size_t *at)
{
    char tag[128];
    snprintf(tag, sizeof tag, "%s%s/%s", before, m->prefix, rest);
    const cJSON *summary;
    *at = 0;
    cJSON_ArrayForEach(summary, gb_foreign_member(state, "summaries"))
    {
        const char *found = cJSON_GetStringValue(gb_foreign_member(summary, "tag"));
        if (found && strcmp(found, tag) == 0) return summary;
        ++*at;
    }
    return NULL;
}

/* The value of a datum of a summary; NULL: there is none of that name. */
static const cJSON *datum_of(const cJSON *summary, const char *name)
{
    const cJSON *datum;
    cJSON_ArrayForEach(datum, gb_foreign_member(summary, "data"))
    {
        const char *found = cJSON_GetStringValue(gb_foreign_member(datum, "name"));
        if (found && strcmp(found, name) == 0) return gb_foreign_member(datum, "value");
    }
    return NULL;
}

/* A number, as a text or as it is; NAN: it is none, or none that is finite. */
static double number_in(const cJSON *value)
{
    double number;
    if (cJSON_IsNumber(value)) return isfinite(value->valuedouble) ? value->valuedouble : NAN;
    const char *text = cJSON_GetStringValue(value);
    return text && gb_number_parse(text, &number) ? number : NAN;
}

/* *number: what a summary says; what it was where there is none. False where it is no number that
 * is not below 0; such as "inf", of a deviation that NVBench does not know, is no mistake where
 * `lax`. */
static bool take_number(gb_foreign_reader *reader, const cJSON *state, const manner *m,
                        const char *rest, bool lax, double *number)
{
    size_t at;
    const cJSON *summary = summary_of(state, "", m, rest, &at);
    if (!summary) return true;
    const double found = number_in(datum_of(summary, "value"));
    if (found >= 0) *number = found;
    if (found >= 0 || lax) return true;
    const size_t before = gb_json_enter(&reader->json, "summaries");
    gb_json_enter_index(&reader->json, at);
    char shown[GB_JSON_SHOWN];
    gb_json_refuse(&reader->json, "%s/%s: found %s; a finite number that is not below 0 is allowed",
                   m->prefix, rest, gb_json_show(datum_of(summary, "value"), shown));
    gb_json_leave(&reader->json, before);
    return false;
}

/* ---- samples --------------------------------------------------------------------------------- */

static bool take_samples(gb_foreign_reader *reader, const cJSON *state, const manner *m,
                         gb_foreign_entry *entry)
{
    size_t at;
    const cJSON *summary = summary_of(state, "nv/json/bin:", m, "sample_times", &at);
    if (!summary) return true;
    const char *name = cJSON_GetStringValue(datum_of(summary, "filename"));
    const double size = number_in(datum_of(summary, "size"));
    const size_t before = gb_json_enter(&reader->json, "summaries");
    gb_json_enter_index(&reader->json, at);
    bool good = name && *name && size >= 1 && size <= GB_MOST_SAMPLES && floor(size) >= size;
    if (!good)
        gb_json_refuse(&reader->json,
                       "a file of samples has a \"filename\" and a \"size\" from 1 to %d",
                       (int)GB_MOST_SAMPLES);
    good = good && gb_samples_binary(reader, name, (size_t)size, entry);
    gb_json_leave(&reader->json, before);
    return good;
}

/* ---- states ---------------------------------------------------------------------------------- */

static bool take_measurement(gb_foreign_reader *reader, const cJSON *state, gb_foreign_entry *entry)
{
    const manner *m = manners;
    double mean = -1, relative = 0, count = 0, clock = 0, rate = 0, used = 0;
    char time[64], noise[64];
    size_t at;
    for (size_t i = 0; i < sizeof manners / sizeof *manners; i++) {
        m = &manners[i];
        snprintf(time, sizeof time, "time/%s/mean", m->clock);
        if (summary_of(state, "", m, time, &at)) break;
    }
    snprintf(noise, sizeof noise, "time/%s/stdev/relative", m->clock);
    if (!take_number(reader, state, m, time, false, &mean) ||
        !take_number(reader, state, m, noise, true, &relative) ||
        !take_number(reader, state, m, "sample_size", false, &count) ||
        !take_number(reader, state, m, "sm_clock_rate/mean", true, &clock) ||
        !take_number(reader, state, m, "bw/item_rate", true, &rate) ||
        !take_number(reader, state, m, "bw/global/utilization", true, &used))
        return false;
    if (mean < 0)
        return gb_json_refuse(&reader->json,
                              "this state is not skipped and has no time: neither of the summaries "
                              "nv/cold/time/gpu/mean and nv/cpu_only/time/cpu/mean is there");
    entry->cache = m->cache;
    entry->limit_kind = m->limit_kind;
    entry->mean = mean;
    entry->sd = relative * mean;
    entry->count = count < 1e15 ? (size_t)count : 0;
    entry->sm_clock_mhz = clock / 1e6;
    entry->items = rate * mean;
    entry->unit = rate > 0 ? "items" : "";
    if (rate > 0 && used > 0) entry->limit_rate = rate / used;
    return take_samples(reader, state, m, entry);
}

static const char *device_of(gb_foreign_reader *reader, const cJSON *root, double id)
{
    const cJSON *device;
    cJSON_ArrayForEach(device, gb_foreign_member(root, "devices"))
    {
        const cJSON *own = gb_foreign_member(device, "id");
        const char *name = cJSON_GetStringValue(gb_foreign_member(device, "name"));
        if (cJSON_IsNumber(own) && name && !(own->valuedouble < id) && !(own->valuedouble > id))
            return gb_foreign_copy(reader, name);
    }
    return NULL;
}

static bool take_axes(gb_foreign_reader *reader, const cJSON *state, gb_foreign_entry *entry)
{
    const cJSON *list, *axis;
    if (!gb_foreign_list(reader, state, "axis_values", false, &list)) return false;
    cJSON_ArrayForEach(axis, list)
    {
        const char *name = NULL;
        char value[GB_MAX_VALUE];
        if (!gb_foreign_text(reader, axis, "name", true, &name) ||
            !gb_json_scalar(&reader->json, gb_foreign_member(axis, "value"),
                            "the value of an axis is a text or a whole number", value,
                            sizeof value))
            return false;
        gb_foreign_add_axis(reader->arena, entry, name, gb_foreign_copy(reader, value));
    }
    return true;
}

static bool read_state(gb_foreign_reader *reader, const cJSON *root, const char *benchmark,
                       const cJSON *state)
{
    gb_foreign_entry *entry = gb_foreign_add(reader);
    double device = 0;
    bool skipped = false;
    const cJSON *summaries;
    entry->variant = benchmark;
    entry->backend = "cuda";
    entry->limit_kind = manners[0].limit_kind;
    entry->cache = manners[0].cache;
    if (!gb_foreign_list(reader, state, "summaries", false, &summaries) ||
        !gb_foreign_flag(reader, state, "is_skipped", &skipped) ||
        !gb_foreign_number(reader, state, "device", true, &device) ||
        !take_axes(reader, state, entry))
        return false;
    entry->device = device_of(reader, root, device);
    if (!entry->device)
        return gb_json_refuse(&reader->json, "the file's \"devices\" have none with the id %g",
                              device);
    if (skipped) {
        entry->status = GB_UNSUPPORTED;
        return gb_foreign_text(reader, state, "skip_reason", false, &entry->reason) &&
               gb_foreign_own(reader, state, entry);
    }
    return take_measurement(reader, state, entry) && gb_foreign_own(reader, state, entry);
}

static bool read_benchmark(gb_foreign_reader *reader, const cJSON *root, const cJSON *benchmark)
{
    const char *name = NULL;
    const cJSON *states, *state;
    if (!gb_foreign_text(reader, benchmark, "name", true, &name) ||
        !gb_foreign_list(reader, benchmark, "states", false, &states))
        return false;
    const size_t before = gb_json_enter(&reader->json, "states");
    size_t at = 0;
    bool good = true;
    cJSON_ArrayForEach(state, states)
    {
        const size_t here = gb_json_enter_index(&reader->json, at++);
        good = read_state(reader, root, name, state);
        gb_json_leave(&reader->json, here);
        if (!good) break;
    }
    gb_json_leave(&reader->json, before);
    return good;
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool version_is_known(gb_foreign_reader *reader, const cJSON *root)
{
    const cJSON *version =
        gb_foreign_member(gb_foreign_member(gb_foreign_member(root, "meta"), "version"), "json");
    if (!version)
        return gb_json_refuse(&reader->json,
                              "this file of NVBench does not say its version, as those before 1.0 "
                              "did not; version 1 is read: measure again with an NVBench of 2022 "
                              "or later");
    const cJSON *major = gb_foreign_member(version, "major");
    const double number = cJSON_IsNumber(major) ? major->valuedouble : 0;
    if (number >= 1 && number < 2) return true;
    gb_json_enter(&reader->json, "meta.version.json.major");
    return gb_json_refuse_item(&reader->json, major, "version 1 of NVBench's JSON is read");
}

bool gb_nvbench_read(gb_foreign_reader *reader, const cJSON *root)
{
    const cJSON *devices, *list, *benchmark;
    if (!version_is_known(reader, root) ||
        !gb_foreign_list(reader, root, "devices", true, &devices) ||
        !gb_foreign_list(reader, root, "benchmarks", true, &list))
        return false;
    const size_t before = gb_json_enter(&reader->json, "benchmarks");
    size_t at = 0;
    bool good = true;
    cJSON_ArrayForEach(benchmark, list)
    {
        const size_t here = gb_json_enter_index(&reader->json, at++);
        good = read_benchmark(reader, root, benchmark);
        gb_json_leave(&reader->json, here);
        if (!good) break;
    }
    gb_json_leave(&reader->json, before);
    return good;
}
