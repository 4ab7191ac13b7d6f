/* From what a tool calls things to what a result file can call them. */
#include "bench/foreign/reader.h"
#include "common/protocol/columns.h"
#include "common/text/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The axis of what has none: a result file has one at least. */
static const gb_foreign_axis no_axis = {"case", "only"};

typedef struct settler {
    gb_arena *arena;
    const char *path;
    const gb_foreign_map *map;
    gb_foreign *file;
    gb_error *error;
} settler;

/* ---- the map --------------------------------------------------------------------------------- */

static gb_foreign_axis *find_axis(gb_foreign_entry *entry, const char *name)
{
    for (unsigned a = 0; a < entry->axis_count; a++)
        if (strcmp(entry->axes[a].name, name) == 0) return &entry->axes[a];
    return NULL;
}

static void remove_axis(gb_foreign_entry *entry, gb_foreign_axis *axis)
{
    gb_foreign_axis *end = entry->axes + --entry->axis_count;
    memmove(axis, axis + 1, (size_t)(end - axis) * sizeof *axis);
}

/* Where the entry keeps a part that a map can give; NULL: none of these. */
static const char **part_of(gb_foreign_entry *entry, const char *name)
{
    const struct {
        const char *name, **at;
    } parts[] = {{"variant", &entry->variant},
                 {"benchmark", &entry->variant},
                 {"device", &entry->device},
                 {"cache", &entry->cache},
                 {"experiment", &entry->experiment},
                 {"primitive", &entry->primitive},
                 {"unit", &entry->unit},
                 {"backend", &entry->backend}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) return parts[i].at;
    return NULL;
}

/* Does as an item says; false: the entry has no such source. */
static bool apply(const settler *s, gb_foreign_entry *entry, const gb_map_item *item)
{
    const bool part = gb_foreign_map_is_part(item->name);
    const char **to = part ? part_of(entry, item->name) : NULL, *value = item->text;
    if (part && !to) return true; /* time, sd, count, items: the readers' own */
    if (!part && !*item->source && !item->text) {
        gb_foreign_axis *axis = find_axis(entry, item->name);
        if (axis) remove_axis(entry, axis);
        return axis != NULL;
    }
    if (!value) {
        gb_foreign_axis *axis = find_axis(entry, item->source);
        const char **from = axis ? NULL : part_of(entry, item->source);
        if (!axis && (!from || !*from)) return false;
        value = axis ? axis->value : *from;
        if (axis) remove_axis(entry, axis);
    }
    if (to)
        *to = value;
    else
        gb_foreign_add_axis(s->arena, entry, item->name, value);
    return true;
}

/* "n, k": what the entries have that a map can name. */
static const char *sources_of(const settler *s)
{
    const char *text = "benchmark, device";
    for (size_t i = 0; i < s->file->count; i++)
        for (unsigned a = 0; a < s->file->entries[i].axis_count; a++) {
            const char *name = s->file->entries[i].axes[a].name;
            bool seen = false;
            for (size_t k = 0; k < i && !seen; k++)
                seen = find_axis(&s->file->entries[k], name) != NULL;
            if (!seen) text = gb_arena_printf(s->arena, "%s, %s", text, name);
        }
    return text;
}

static bool apply_map(const settler *s)
{
    for (size_t m = 0; s->map && m < s->map->count; m++) {
        const gb_map_item *item = &s->map->items[m];
        bool found = false;
        for (size_t i = 0; i < s->file->count; i++)
            found |= apply(s, &s->file->entries[i], item);
        if (found) continue;
        gb_fail(s->error, GB_WRONG, "%s: --map %s: nothing there is called '%.60s'; there is: %s",
                s->path, item->name, *item->source ? item->source : item->name, sources_of(s));
        return false;
    }
    return true;
}

/* ---- names and values ------------------------------------------------------------------------ */

/* Letters, digits, '-', '_' and '.' stay; what stands between becomes one '-', at an end nothing:
 * "Elements{io}" is "Elements-io". */
static const char *name_of(gb_arena *arena, const char *text)
{
    char *name = gb_arena_alloc(arena, strlen(text) + 3), *end = name;
    for (; *text; text++) {
        const bool plain = isalnum((unsigned char)*text) || strchr("_.-", *text);
        if (plain && !(end == name && strchr("-.", *text)))
            *end++ = *text;
        else if (end > name && end[-1] != '-')
            *end++ = '-';
    }
    while (end > name && end[-1] == '-')
        end--;
    *end = '\0';
    if (gb_column_is_taken(name)) strcpy(end, "_");
    return name;
}

/* Lists of variants and values are separated by these. */
static const char *value_of(gb_arena *arena, const char *text)
{
    char *value = gb_arena_strdup(arena, *text ? text : "(none)");
    for (char *at = value; *at; at++)
        if (strchr(",;", *at)) *at = '_';
    return value;
}

static bool refuse(const settler *s, const gb_foreign_entry *entry, const char *what)
{
    gb_fail(s->error, GB_WRONG, "%s: %s: %s", s->path, entry->where, what);
    return false;
}

static bool settle_axes(const settler *s, gb_foreign_entry *entry)
{
    gb_arena *arena = s->arena;
    if (entry->axis_count == 0) gb_foreign_add_axis(arena, entry, no_axis.name, no_axis.value);
    if (entry->axis_count > GB_MAX_AXES)
        return refuse(s, entry,
                      gb_arena_printf(arena,
                                      "there are %u axes; at most %d are allowed (--map 'NAME=' "
                                      "leaves one out)",
                                      entry->axis_count, GB_MAX_AXES));
    for (unsigned a = 0; a < entry->axis_count; a++) {
        gb_foreign_axis *axis = &entry->axes[a];
        const char *name = name_of(arena, axis->name), *mistake = gb_name_mistake(name);
        if (mistake)
            return refuse(s, entry,
                          gb_arena_printf(arena,
                                          "the axis '%.60s' cannot be named so (%s): --map "
                                          "'NAME=%.60s' gives it another name",
                                          axis->name, mistake, axis->name));
        for (unsigned b = 0; b < a; b++)
            if (strcmp(entry->axes[b].name, name) == 0)
                return refuse(s, entry,
                              gb_arena_printf(arena,
                                              "two axes are named '%.60s': --map gives one "
                                              "of them another name",
                                              name));
        if (strlen(axis->value) >= GB_MAX_VALUE)
            return refuse(s, entry,
                          gb_arena_printf(arena,
                                          "a value of the axis '%.60s' has %zu bytes; at "
                                          "most %d are allowed",
                                          name, strlen(axis->value), GB_MAX_VALUE - 1));
        axis->name = name;
        axis->value = value_of(arena, axis->value);
    }
    return true;
}

static bool settle_entry(const settler *s, gb_foreign_entry *entry)
{
    const bool named = entry->experiment || entry->primitive;
    if (!settle_axes(s, entry)) return false;
    entry->variant = value_of(s->arena, entry->variant);
    if (!*entry->device) entry->device = "CPU";
    /* Where one of them is said the other is the same; whether they are names is checked with the
     * rows. */
    if (named && !entry->experiment) entry->experiment = entry->primitive;
    if (named && !entry->primitive) entry->primitive = entry->experiment;
    return true;
}

bool gb_foreign_settle(gb_arena *arena, const char *path, const gb_foreign_map *map,
                       gb_foreign *file, gb_error *error)
{
    const settler s = {arena, path, map, file, error};
    if (!apply_map(&s)) return false;
    for (size_t i = 0; i < file->count; i++)
        if (!settle_entry(&s, &file->entries[i])) return false;
    return true;
}
