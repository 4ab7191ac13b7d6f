/* JSON from outside: parsed only after a look at how deep and how long it is. */
#ifndef GB_TEXT_JSON_H
#define GB_TEXT_JSON_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* 2^53: JSON numbers are doubles here, which hold all whole numbers up to it and not beyond. */
#define GB_JSON_EXACT 9007199254740992.0

/* Nothing that gpubench reads is nested deeper than a dozen levels. The longest list is the answer
 * to `sample`, of a million numbers; a value takes about a hundred bytes of memory once parsed, so
 * that three bytes ("[],") would otherwise become a hundred. */
enum { GB_JSON_DEPTH = 64, GB_JSON_VALUES = 2000000 };

/* Parses text (length bytes and a NUL behind them) that is one JSON value and blanks. NULL on
 * anything else; *at (never NULL then) is where, *why what was found there, or NULL where the text
 * is no JSON. A NUL, plain or as \u0000, is refused: it would end a string for C. The caller
 * deletes the value. */
cJSON *gb_json_parse(const char *text, size_t length, const char **at, const char **why);

/* Adds a number that is above 0; others say that it is not known, and are left out. */
void gb_json_add_positive(cJSON *object, const char *name, double value);

/* Where in the text of valid JSON the value stands that a path leads to ("axes.bins[3]"; with or
 * without "$." before it; "" is the root); of a path that leads out of it, the last value on the
 * way. cJSON keeps no places, and people look for mistakes by them. */
const char *gb_json_at(const char *text, const char *path);
/* The same of the name of a member, counted from 0, of the object that the path leads to; of the
 * object if it has no such member. */
const char *gb_json_name_at(const char *text, const char *path, size_t member);
/* Line and column (in characters, both from 1) of a place in UTF-8 text. */
void gb_text_locate(const char *text, const char *at, size_t *line, size_t *column);

#endif
