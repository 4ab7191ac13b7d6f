/* The words of a command: text with the values of a point in it. */
#ifndef GB_COMMAND_WORDS_H
#define GB_COMMAND_WORDS_H

#include "common/gpubench.h"

#include <cjson/cJSON.h>

/* Whether a list is one of words, the first not empty, whose placeholders, {n}, are all axes or
 * {seed}; {{ and }} stand for braces. False and *error. */
bool command_words_check(const cJSON *list, const gb_axis *axes, unsigned axis_count,
                         gb_error *error);
/* The words of a list that was checked, NULL-terminated, in one block that the caller frees; NULL
 * without memory. */
char **command_words(const cJSON *list, const gb_axis *axes, unsigned axis_count,
                     const gb_params *params, uint64_t seed);

#endif
