/* hyperfine's JSON (--export-json). */
#include "bench/foreign/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool gb_hyperfine_is(const cJSON *root)
{
    return cJSON_IsArray(gb_foreign_member(root, "results"));
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Writes a text with each `from` in it replaced. */
static const char *replaced(gb_arena *arena, const char *text, const char *from, const char *to)
{
    const size_t length = strlen(from);
    size_t times = 0;
    if (length == 0) return text;
    for (const char *at = text; (at = strstr(at, from)); at += length)
        times++;
    char *result = gb_arena_alloc(arena, strlen(text) + times * strlen(to) + 1), *end = result;
    while (*text) {
        if (strncmp(text, from, length) == 0) {
            end = stpcpy(end, to);
            text += length;
        } else {
            *end++ = *text++;
        }
    }
    return result;
}

static const char *braced(gb_arena *arena, const char *name)
{
    return gb_arena_printf(arena, "{%s}", name);
}

/* The command with the values of its parameters taken out: "sort -n {n}". */
static const char *pattern_of(gb_arena *arena, const gb_foreign_entry *entry)
{
    const char *text = entry->variant;
    for (unsigned a = 0; a < entry->axis_count; a++)
        text = replaced(arena, text, entry->axes[a].value, braced(arena, entry->axes[a].name));
    return text;
}

/* Whether a pattern with an entry's parameters in it is the entry's command. */
static bool fits(gb_arena *arena, const char *pattern, const gb_foreign_entry *entry)
{
    for (unsigned a = 0; a < entry->axis_count; a++)
        pattern =
            replaced(arena, pattern, braced(arena, entry->axes[a].name), entry->axes[a].value);
    return strcmp(pattern, entry->variant) == 0;
}

/* The file has commands with their parameters filled in. Which parts of them those are, it does not
 * say: the pattern that is right for the most commands is taken, so that `sleep 0.{n}` with n = 0
 * is not `sleep {n}.{n}`. */
static void find_patterns(gb_foreign_reader *reader)
{
    enum { MOST = 300 }; /* as many entries are held against one another */
    gb_foreign *file = reader->file;
    const size_t count = file->count < MOST ? file->count : MOST;
    const char **patterns = gb_arena_alloc(reader->arena, (file->count + 1) * sizeof *patterns);
    const char **best = gb_arena_alloc(reader->arena, (file->count + 1) * sizeof *best);
    for (size_t i = 0; i < file->count; i++)
        best[i] = patterns[i] = pattern_of(reader->arena, &file->entries[i]);
    size_t *most = gb_arena_alloc(reader->arena, (file->count + 1) * sizeof *most);
    for (size_t p = 0; p < count; p++) {
        gb_arena scratch = {0};
        bool seen = false;
        for (size_t q = 0; q < p && !seen; q++)
            seen = strcmp(patterns[q], patterns[p]) == 0;
        bool *right = gb_arena_alloc(&scratch, file->count);
        size_t fitting = 0;
        for (size_t i = 0; i < file->count && !seen; i++)
            fitting += right[i] = fits(&scratch, patterns[p], &file->entries[i]);
        for (size_t i = 0; i < file->count && !seen; i++) {
            if (!right[i] || fitting <= most[i]) continue;
            most[i] = fitting;
            best[i] = patterns[p];
        }
        gb_arena_free(&scratch);
    }
    for (size_t i = 0; i < file->count; i++)
        file->entries[i].variant = best[i];
}

/* ---- results --------------------------------------------------------------------------------- */

static bool take_parameters(gb_foreign_reader *reader, const cJSON *result, gb_foreign_entry *entry)
{
    const cJSON *parameters = gb_foreign_member(result, "parameters"), *parameter;
    if (!parameters || cJSON_IsNull(parameters)) return true;
    if (!cJSON_IsObject(parameters))
        return gb_json_refuse(&reader->json, "\"parameters\" is an object of texts");
    cJSON_ArrayForEach(parameter, parameters)
    {
        const char *value = NULL;
        if (!gb_foreign_text(reader, parameters, parameter->string, true, &value)) return false;
        gb_foreign_add_axis(reader->arena, entry, gb_foreign_copy(reader, parameter->string),
                            value);
    }
    return true;
}

static bool take_times(gb_foreign_reader *reader, const cJSON *result, gb_foreign_entry *entry)
{
    const cJSON *times = gb_foreign_member(result, "times"), *time;
    if (!times || cJSON_IsNull(times)) { /* of a long run it can be left out */
        const cJSON *sd = gb_foreign_member(result, "stddev");
        return gb_foreign_number(reader, result, "mean", true, &entry->mean) &&
               (cJSON_IsNull(sd) || gb_foreign_number(reader, result, "stddev", false, &entry->sd));
    }
    const int count = cJSON_IsArray(times) ? cJSON_GetArraySize(times) : 0;
    if (count == 0)
        return gb_json_refuse(&reader->json,
                              "\"times\" is a list of one number of seconds or more");
    double *samples = gb_arena_alloc(reader->arena, (size_t)count * sizeof *samples);
    const size_t before = gb_json_enter(&reader->json, "times");
    cJSON_ArrayForEach(time, times)
    {
        const size_t here = gb_json_enter_index(&reader->json, entry->count);
        const double value = cJSON_IsNumber(time) ? time->valuedouble : -1;
        if (!(value >= 0) || !isfinite(value))
            return gb_json_refuse_item(&reader->json, time,
                                       "a time in s that is not below 0 is allowed");
        samples[entry->count++] = value;
        gb_json_leave(&reader->json, here);
    }
    gb_json_leave(&reader->json, before);
    entry->times = samples;
    return true;
}

/* With --ignore-failure a command may have failed. */
static bool take_exits(gb_foreign_reader *reader, const cJSON *result, gb_foreign_entry *entry)
{
    const cJSON *codes = gb_foreign_member(result, "exit_codes"), *code;
    size_t failed = 0, all = 0;
    double first = 0;
    if (codes && !cJSON_IsArray(codes))
        return gb_json_refuse(&reader->json, "\"exit_codes\" is a list of numbers");
    cJSON_ArrayForEach(code, codes)
    {
        const bool number = cJSON_IsNumber(code);
        all++;
        if (number && !(code->valuedouble < 0) && !(code->valuedouble > 0)) continue;
        if (failed++ == 0) first = number ? code->valuedouble : NAN;
    }
    if (failed == 0) return true;
    entry->status = GB_CRASHED;
    entry->times = NULL;
    entry->reason =
        isnan(first) ? gb_arena_printf(reader->arena,
                                       "%zu of %zu runs failed, the first by a signal", failed, all)
                     : gb_arena_printf(reader->arena,
                                       "%zu of %zu runs failed, the first with exit status %.0f",
                                       failed, all, first);
    return true;
}

static bool read_result(gb_foreign_reader *reader, const cJSON *result)
{
    gb_foreign_entry *entry = gb_foreign_add(reader);
    return gb_foreign_text(reader, result, "command", true, &entry->variant) &&
           take_parameters(reader, result, entry) && take_times(reader, result, entry) &&
           take_exits(reader, result, entry);
}

bool gb_hyperfine_read(gb_foreign_reader *reader, const cJSON *root)
{
    const cJSON *list, *result;
    if (!gb_foreign_list(reader, root, "results", true, &list)) return false;
    const size_t before = gb_json_enter(&reader->json, "results");
    size_t at = 0;
    cJSON_ArrayForEach(result, list)
    {
        const size_t here = gb_json_enter_index(&reader->json, at++);
        if (!read_result(reader, result)) return false;
        gb_json_leave(&reader->json, here);
    }
    gb_json_leave(&reader->json, before);
    find_patterns(reader);
    return true;
}
