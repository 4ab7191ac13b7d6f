/* google/benchmark's JSON. Everything about a benchmark stands in its name:
 * "BM_sort<int>/n:1024/8/real_time/threads:2". */
#include "bench/foreign/reader.h"
#include "common/text/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What came of a benchmark, gathered over its repetitions. */
typedef struct gathered {
    const char *run_name;
    size_t entry; /* its number in the file */
    double *times;
    size_t count, capacity;
    bool aggregated; /* mean and deviation are there, whose repetitions may not be */
} gathered;

typedef struct google {
    gb_foreign_reader *reader;
    const char *device;
    const char *time; /* real_time or cpu_time */
    gathered *items;
    size_t count, capacity;
} google;

bool gb_google_is(const cJSON *root)
{
    return cJSON_IsObject(gb_foreign_member(root, "context")) &&
           cJSON_IsArray(gb_foreign_member(root, "benchmarks"));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Parts of a name that say how it was measured. */
static bool is_setting(const char *part, bool *real_time)
{
    static const char *const words[] = {"process_time", "real_time", "manual_time"};
    static const char *const keys[] = {"iterations:", "repeats:", "min_time:", "min_warmup_time:"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(part, words[i]) == 0) {
            *real_time |= i > 0;
            return true;
        }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(part, keys[i], strlen(keys[i])) == 0) return true;
    return false;
}

/* The end of the part that begins at `at`: a slash that stands in no brackets of a template. */
static const char *part_end(const char *at)
{
    int open = 0;
    for (; *at; at++) {
        open += *at == '<';
        open -= *at == '>' && open > 0;
        if (*at == '/' && open == 0) break;
    }
    return at;
}

/* The colon of "n:1024"; NULL: it has none, or one of "std::sort". */
static const char *key_end(const char *part)
{
    const char *colon = strchr(part, ':');
    if (!colon || colon == part || colon[1] == ':' || strpbrk(part, "<(")) return NULL;
    return colon;
}

/* Takes a name apart: the first parts up to an argument are the variant. */
static void take_name(google *g, const char *name, gb_foreign_entry *entry, bool *real_time)
{
    gb_arena *arena = g->reader->arena;
    const char *variant = "", *end;
    unsigned unnamed = 0;
    bool settled = false;
    for (const char *at = name;; at = end + 1) {
        end = part_end(at);
        const char *part = gb_arena_strndup(arena, at, (size_t)(end - at));
        const char *colon = at == name ? NULL : key_end(part);
        double number;
        if (at != name && is_setting(part, real_time)) {
            settled = true;
        } else if (colon) {
            settled = true;
            gb_foreign_add_axis(arena, entry, gb_arena_strndup(arena, part, (size_t)(colon - part)),
                                colon + 1);
        } else if (at != name && (settled || gb_number_parse(part, &number))) {
            settled = true;
            gb_foreign_add_axis(arena, entry, gb_arena_printf(arena, "range%u", unnamed++), part);
        } else {
            variant = gb_arena_printf(arena, "%s%s%s", variant, *variant ? "/" : "", part);
        }
        if (!*end) break;
    }
    entry->variant = variant;
}

/* ---- measurements ---------------------------------------------------------------------------- */

static bool take_unit(google *g, const cJSON *item, double *seconds)
{
    const char *unit = "ns";
    if (!gb_foreign_text(g->reader, item, "time_unit", false, &unit)) return false;
    *seconds = gb_foreign_time_unit(unit);
    return *seconds > 0 ||
           gb_json_refuse(&g->reader->json, "\"time_unit\" is \"%.20s\"; %s are allowed", unit,
                          gb_foreign_time_units);
}

/* What a run works on, from the rate and the time that it is by. */
static bool take_items(google *g, const cJSON *item, double seconds, bool real_time,
                       gb_foreign_entry *entry)
{
    static const char *const rates[][2] = {{"items_per_second", "items"},
                                           {"bytes_per_second", "bytes"}};
    for (size_t i = 0; i < 2 && !(entry->items > 0); i++) {
        double rate = 0, time = 0;
        if (!gb_foreign_number(g->reader, item, rates[i][0], false, &rate) ||
            !gb_foreign_number(g->reader, item, real_time ? "real_time" : "cpu_time", false, &time))
            return false;
        entry->items = rate * time * seconds;
        if (entry->items > 0) entry->unit = rates[i][1];
    }
    return true;
}

static gathered *gathered_of(google *g, const char *run_name)
{
    for (size_t i = g->count; i-- > 0;)
        if (strcmp(g->items[i].run_name, run_name) == 0) return &g->items[i];
    g->items = gb_arena_grow(g->reader->arena, g->items, g->count, &g->capacity, sizeof *g->items);
    g->items[g->count] = (gathered){.run_name = run_name, .entry = g->reader->file->count};
    gb_foreign_add(g->reader)->device = g->device;
    return &g->items[g->count++];
}

static bool take_failure(google *g, const cJSON *item, gb_foreign_entry *entry, bool *failed)
{
    bool error = false, skipped = false;
    if (!gb_foreign_flag(g->reader, item, "error_occurred", &error) ||
        !gb_foreign_flag(g->reader, item, "skipped", &skipped))
        return false;
    *failed = error || skipped;
    if (!*failed) return true;
    entry->status = error ? GB_CRASHED : GB_UNSUPPORTED;
    return gb_foreign_text(g->reader, item, error ? "error_message" : "skip_message", false,
                           &entry->reason);
}

static bool take_repetition(google *g, const cJSON *item, gathered *of, double seconds)
{
    double time = 0;
    if (!gb_foreign_number(g->reader, item, g->time, true, &time)) return false;
    of->times =
        gb_arena_grow(g->reader->arena, of->times, of->count, &of->capacity, sizeof *of->times);
    of->times[of->count++] = time * seconds;
    return true;
}

static bool take_aggregate(google *g, const cJSON *item, gathered *of, double seconds)
{
    gb_foreign_entry *entry = &g->reader->file->entries[of->entry];
    const char *name = "";
    if (!gb_foreign_text(g->reader, item, "aggregate_name", true, &name)) return false;
    const bool mean = strcmp(name, "mean") == 0;
    if (!mean && strcmp(name, "stddev") != 0) return true;
    double *to = mean ? &entry->mean : &entry->sd;
    if (!gb_foreign_number(g->reader, item, g->time, true, to) ||
        !gb_foreign_count(g->reader, item, "repetitions", false, 1e9, &entry->count))
        return false;
    *to *= seconds;
    of->aggregated |= mean;
    return true;
}

static bool read_item(google *g, const cJSON *item)
{
    const char *name = NULL, *run_name = NULL, *type = "iteration";
    double seconds;
    if (!gb_foreign_text(g->reader, item, "name", true, &name) ||
        !gb_foreign_text(g->reader, item, "run_type", false, &type) ||
        !take_unit(g, item, &seconds))
        return false;
    run_name = name;
    if (!gb_foreign_text(g->reader, item, "run_name", false, &run_name)) return false;
    const bool aggregate = strcmp(type, "aggregate") == 0;
    gathered *of = gathered_of(g, run_name);
    gb_foreign_entry *entry = &g->reader->file->entries[of->entry];
    bool real_time = false, failed = false;
    if (!*entry->variant) take_name(g, run_name, entry, &real_time);
    if (!take_failure(g, item, entry, &failed)) return false;
    if (aggregate ? !take_aggregate(g, item, of, seconds)
                  : !failed && !take_repetition(g, item, of, seconds))
        return false;
    const char *aggregate_name = "mean";
    if (!gb_foreign_text(g->reader, item, "aggregate_name", false, &aggregate_name)) return false;
    /* Of aggregates the mean's rate is a rate. */
    if (!failed && strcmp(aggregate_name, "mean") == 0 &&
        !take_items(g, item, seconds,
                    real_time || strstr(run_name, "/real_time") || strstr(run_name, "/manual_time"),
                    entry))
        return false;
    return gb_foreign_own(g->reader, item, entry);
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool take_context(google *g, const cJSON *root)
{
    const cJSON *context = gb_foreign_member(root, "context");
    double version = 1;
    const size_t before = gb_json_enter(&g->reader->json, "context");
    const bool good =
        gb_foreign_text(g->reader, context, "host_name", false, &g->device) &&
        gb_foreign_number(g->reader, context, "json_schema_version", false, &version) &&
        ((version >= 1 && version < 2) ||
         gb_json_refuse(&g->reader->json,
                        "\"json_schema_version\" is %g; version 1 of google/benchmark's JSON is "
                        "read",
                        version));
    gb_json_leave(&g->reader->json, before);
    return good;
}

bool gb_google_read(gb_foreign_reader *reader, const cJSON *root)
{
    /* Which of the two times a map asks for. */
    const gb_map_item *time = gb_foreign_map_find(reader->map, "time");
    google g = {.reader = reader, .device = "", .time = time ? time->source : "real_time"};
    const cJSON *list, *item;
    if (!take_context(&g, root) || !gb_foreign_list(reader, root, "benchmarks", true, &list))
        return false;
    const size_t before = gb_json_enter(&reader->json, "benchmarks");
    size_t at = 0;
    cJSON_ArrayForEach(item, list)
    {
        const size_t here = gb_json_enter_index(&reader->json, at++);
        if (!read_item(&g, item)) return false;
        gb_json_leave(&reader->json, here);
    }
    gb_json_leave(&reader->json, before);
    for (size_t i = 0; i < g.count; i++) {
        gb_foreign_entry *entry = &reader->file->entries[g.items[i].entry];
        const gathered *of = &g.items[i];
        if (of->count) {
            entry->times = of->times;
            entry->count = of->count;
        } else if (entry->status == GB_OK && !of->aggregated) {
            gb_json_enter(&reader->json, entry->where);
            return gb_json_refuse(&reader->json, "'%.80s' has neither a repetition nor a mean",
                                  of->run_name);
        }
    }
    return true;
}
