/* Reading --map. */
#include "bench/foreign/map.h"

#include "common/text/text.h"

#include <string.h>

const char gb_foreign_time_units[] = "s, ms, us and ns";

/* Names of parts of a row; all others are axes. */
static const char *const parts[] = {"time",       "sd",        "count",   "items",
                                    "unit",       "variant",   "device",  "cache",
                                    "experiment", "primitive", "backend", NULL};

bool gb_foreign_map_is_part(const char *name)
{
    for (const char *const *part = parts; *part; part++)
        if (strcmp(name, *part) == 0) return true;
    return false;
}

double gb_foreign_time_unit(const char *name)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, name) == 0) return units[i].seconds;
    return 0;
}

const gb_map_item *gb_foreign_map_find(const gb_foreign_map *map, const char *name)
{
    for (size_t i = 0; map && i < map->count; i++)
        if (strcmp(map->items[i].name, name) == 0) return &map->items[i];
    return NULL;
}

static bool refuse(gb_error *error, const char *text, size_t length, const char *why)
{
    gb_fail(error, GB_WRONG,
            "--map %.*s: %s; such as --map 'time=elapsed_ms:ms,variant=kernel,n=size' "
            "(docs/other-tools.md)",
            (int)(length < 80 ? length : 80), text, why);
    return false;
}

/* Takes the unit behind the source of a time: "elapsed_ms:ms". Columns may have colons themselves:
 * what follows the last one is a unit only of these two. */
static bool take_unit(gb_arena *arena, gb_map_item *item)
{
    const char *colon = strrchr(item->source, ':');
    item->unit = 1;
    if (strcmp(item->name, "time") != 0 && strcmp(item->name, "sd") != 0) return true;
    if (!colon) return true;
    item->unit = gb_foreign_time_unit(colon + 1);
    item->source = gb_arena_strndup(arena, item->source, (size_t)(colon - item->source));
    return item->unit > 0;
}

static bool take_item(gb_arena *arena, const char *text, size_t length, gb_foreign_map *map,
                      gb_error *error)
{
    const char *equals = memchr(text, '=', length);
    if (!equals) return refuse(error, text, length, "NAME=COLUMN is allowed, or NAME:=TEXT");
    const bool fixed = equals > text && equals[-1] == ':';
    const char *behind = equals + 1;
    gb_map_item item = {.name = gb_arena_trimmed(arena, text, (size_t)(equals - text) - fixed),
                        .source =
                            gb_arena_trimmed(arena, behind, (size_t)(text + length - behind))};
    if (fixed) {
        item.text = item.source;
        item.source = "";
    }
    if (gb_name_mistake(item.name)) return refuse(error, text, length, gb_name_mistake(item.name));
    if (gb_foreign_map_find(map, item.name)) return refuse(error, text, length, "is there twice");
    if (gb_foreign_map_is_part(item.name) && !*item.source && !item.text)
        return refuse(error, text, length, "only an axis can be left out");
    if (item.text && (!*item.text || gb_text_unprintable(item.text)))
        return refuse(error, text, length, "a printable text is needed behind ':='");
    if (!take_unit(arena, &item))
        return refuse(error, text, length,
                      "behind the column's colon a unit of time is allowed: s, ms, us or ns");
    if (map->count == GB_MAP_ITEMS) return refuse(error, text, length, "there are too many");
    map->items[map->count++] = item;
    return true;
}

bool gb_foreign_map_add(gb_arena *arena, const char *text, gb_foreign_map *map, gb_error *error)
{
    if (map->said_count == GB_MAP_ITEMS)
        return refuse(error, text, strlen(text), "there are too many");
    map->said[map->said_count++] = text;
    for (;;) {
        const size_t length = strcspn(text, ",");
        if (!take_item(arena, text, length, map, error)) return false;
        if (!text[length]) return true;
        text += length + 1;
    }
}

static bool take_map(void *to, const char *option, const char *argument, gb_error *error)
{
    const gb_foreign_mapper *mapper = to;
    (void)option;
    return gb_foreign_map_add(mapper->arena, argument, mapper->map, error);
}

gb_option gb_foreign_map_option(gb_foreign_mapper *mapper)
{
    return gb_option_special(
        "map", "NAME=COLUMN,...",
        "what of another tool's file is what: time=ms:ms,variant=kernel,n=size", take_map, mapper);
}
