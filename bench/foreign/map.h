/* What of another tool's file is to be taken for what: --map 'time=elapsed_ms:ms,variant=kernel'.
 */
#ifndef GB_FOREIGN_MAP_H
#define GB_FOREIGN_MAP_H

#include "bench/util/arena.h"
#include "bench/util/options.h"

#include <stdbool.h>

enum { GB_MAP_ITEMS = 32 };

/* NAME=SOURCE, NAME:=TEXT or NAME=. */
typedef struct gb_map_item {
    const char *name;   /* time, sd, count, items, unit, variant, ... or that of an axis */
    const char *source; /* a column, or an axis as the tool calls it; "": leave the axis out */
    const char *text;   /* the same for all rows; NULL: what the source says */
    double unit;        /* s, of a time; 1 of all else */
} gb_map_item;

typedef struct gb_foreign_map {
    gb_map_item items[GB_MAP_ITEMS];
    size_t count;
    const char *said[GB_MAP_ITEMS]; /* the arguments, for who passes them on */
    size_t said_count;
} gb_foreign_map;

/* Adds the items of a text, which are separated by commas. False and *error (of GB_WRONG), which
 * begins with the option, if it is none. Texts live in the arena. */
bool gb_foreign_map_add(gb_arena *arena, const char *text, gb_foreign_map *map, gb_error *error);

/* The item for a name; NULL: none, as where map is NULL. */
const gb_map_item *gb_foreign_map_find(const gb_foreign_map *map, const char *name);

/* Whether a name is that of a part of a row rather than of an axis. */
bool gb_foreign_map_is_part(const char *name);

/* Seconds of a unit of time (s, ms, us, ns); 0: it is none. */
double gb_foreign_time_unit(const char *name);
extern const char gb_foreign_time_units[]; /* "s, ms, us and ns", for messages */

/* Where the option puts them. */
typedef struct gb_foreign_mapper {
    gb_arena *arena;
    gb_foreign_map *map;
} gb_foreign_mapper;

/* --map, of all commands that read results. */
gb_option gb_foreign_map_option(gb_foreign_mapper *mapper);

#endif
