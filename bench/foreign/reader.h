/* What the readers of the formats share. */
#ifndef GB_FOREIGN_READER_H
#define GB_FOREIGN_READER_H

#include "bench/foreign/foreign.h"
#include "bench/util/json_reader.h"

typedef struct gb_foreign_reader {
    gb_arena *arena;
    gb_json_reader json;
    const gb_foreign_map *map;
    gb_foreign *file;
} gb_foreign_reader;

/* The formats: whether JSON is theirs, and reading it. Always called for the root. */
bool gb_nvbench_is(const cJSON *root);
bool gb_nvbench_read(gb_foreign_reader *reader, const cJSON *root);
bool gb_google_is(const cJSON *root);
bool gb_google_read(gb_foreign_reader *reader, const cJSON *root);
bool gb_hyperfine_is(const cJSON *root);
bool gb_hyperfine_read(gb_foreign_reader *reader, const cJSON *root);

/* Members of an object: they fill *to, or refuse what is there with the place and what is allowed.
 * A member that is absent is refused where it is needed, else *to stays. */
const cJSON *gb_foreign_member(const cJSON *object, const char *name);
bool gb_foreign_text(gb_foreign_reader *reader, const cJSON *object, const char *name, bool needed,
                     const char **to);
/* A finite number that is not below 0. */
bool gb_foreign_number(gb_foreign_reader *reader, const cJSON *object, const char *name,
                       bool needed, double *to);
/* A whole number from 0 to most. */
bool gb_foreign_count(gb_foreign_reader *reader, const cJSON *object, const char *name, bool needed,
                      double most, size_t *to);
bool gb_foreign_flag(gb_foreign_reader *reader, const cJSON *object, const char *name, bool *to);
/* A list of objects; *list is NULL where it is absent or null. */
bool gb_foreign_list(gb_foreign_reader *reader, const cJSON *object, const char *name, bool needed,
                     const cJSON **list);

/* A printable copy in the arena. */
const char *gb_foreign_copy(gb_foreign_reader *reader, const char *text);

/* An entry with nothing said yet. Entries move when another one is added. */
gb_foreign_entry *gb_foreign_add(gb_foreign_reader *reader);
void gb_foreign_add_axis(gb_arena *arena, gb_foreign_entry *entry, const char *name,
                         const char *value);
void gb_foreign_entry_start(gb_foreign_entry *entry);

/* What our own exports say of an entry beyond what the format has room for: its member "gpubench".
 * It overrides what was read; an entry without it is left alone. */
bool gb_foreign_own(gb_foreign_reader *reader, const cJSON *object, gb_foreign_entry *entry);

/* Does as the map says, then gives the axes names and values that a result file can have. */
bool gb_foreign_settle(gb_arena *arena, const char *path, const gb_foreign_map *map,
                       gb_foreign *file, gb_error *error);

#endif
