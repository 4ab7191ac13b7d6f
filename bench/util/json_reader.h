/* Reading JSON that people write: every mistake is named with its file, line, column and JSON path,
 * what was found there and what is allowed. */
#ifndef GB_UTIL_JSON_READER_H
#define GB_UTIL_JSON_READER_H

#include "common/text/error.h"

#include <cjson/cJSON.h>
#include <stdint.h>

enum { GB_JSON_PATH = 256, GB_JSON_SHOWN = 96 };

/* Where the reader stands. */
typedef struct gb_json_reader {
    const char *file, *text; /* text: what gb_json_read got */
    char path[GB_JSON_PATH]; /* "axes.bins[3]"; "" at the top */
    gb_error *error;
} gb_json_reader;

/* Parses the text of a file (length bytes and a NUL). Returns the root, which the caller deletes;
 * NULL and *error with file, line and column of a syntax error. */
cJSON *gb_json_read(const char *file, const char *text, size_t length, gb_error *error);

/* Step into a member or an element; what they return goes back to gb_json_leave. */
size_t gb_json_enter(gb_json_reader *reader, const char *member);
size_t gb_json_enter_index(gb_json_reader *reader, size_t index);
void gb_json_leave(gb_json_reader *reader, size_t before);

/* Fills *error with "FILE:LINE:COLUMN: PATH: " and the sentence. Always false. */
bool gb_json_refuse(gb_json_reader *reader, const char *format, ...) GB_PRINTF(2, 3);
/* The same, at the name of a member of the object where the reader stands, counted from 0. */
bool gb_json_refuse_name(gb_json_reader *reader, size_t member, const char *format, ...)
    GB_PRINTF(3, 4);
/* The same with "found WHAT; EXPECTED". */
bool gb_json_refuse_item(gb_json_reader *reader, const cJSON *item, const char *expected);

/* How an item looks in a message: "text", 3.5, true, a list, an object. Returns text. */
const char *gb_json_show(const cJSON *item, char text[GB_JSON_SHOWN]);

/* The item must be an object whose keys are all known (NULL-terminated) and occur once. what names
 * one key in the message: "key", "axis". */
bool gb_json_check_keys(gb_json_reader *reader, const cJSON *object, const char *what,
                        const char *const *known);

/* A string or a whole number below 2^53 as text, for values that may be written either way. */
bool gb_json_scalar(gb_json_reader *reader, const cJSON *item, const char *expected, char *text,
                    size_t capacity);
/* A whole number (or a size in a string) from least to most. expected is the end of the message. */
bool gb_json_whole(gb_json_reader *reader, const cJSON *item, uint64_t least, uint64_t most,
                   const char *expected, uint64_t *value);
/* A string of 0 to most bytes, all printable (common/text/text.h), copied (malloc) into *text. */
bool gb_json_string(gb_json_reader *reader, const cJSON *item, size_t most, char **text);

#endif
