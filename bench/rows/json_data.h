/* Members of the JSON files that come with gpubench (plots/NAME.json) as values that live in an
 * arena. The reader's path names the object; every mistake ends with what was found and what is
 * allowed. */
#ifndef GB_ROWS_JSON_DATA_H
#define GB_ROWS_JSON_DATA_H

#include "bench/rows/terms.h"
#include "bench/util/json_reader.h"

/* The root of a file that comes along ("plots/audit.json"), an object of "schema": 1, which the
 * caller deletes; reader->file is where it lies. NULL and *error. */
cJSON *gb_json_share(gb_arena *arena, const char *relative, gb_json_reader *reader,
                     gb_error *error);

/* A string that is not empty; what *text was where the member is absent and not needed. */
bool gb_json_text(gb_json_reader *reader, gb_arena *arena, const cJSON *object, const char *key,
                  bool needed, const char **text);
/* A list of such strings; absent: none. */
bool gb_json_texts(gb_json_reader *reader, gb_arena *arena, const cJSON *object, const char *key,
                   const char ***texts, size_t *count);
/* A number from least to most; what *value was where it is absent. */
bool gb_json_number(gb_json_reader *reader, const cJSON *object, const char *key, double least,
                    double most, double *value);
/* true or false; what *flag was where it is absent. */
bool gb_json_flag(gb_json_reader *reader, const cJSON *object, const char *key, bool *flag);
/* A string of conditions (bench/rows/terms.h); absent: none are added. */
bool gb_json_terms(gb_json_reader *reader, gb_arena *arena, const cJSON *object, const char *key,
                   gb_terms *terms);
/* A list of objects, none empty; *first is its first item. */
bool gb_json_objects(gb_json_reader *reader, const cJSON *object, const char *key, bool needed,
                     const cJSON **first, size_t *count);

#endif
