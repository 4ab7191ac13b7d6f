/* Memory that is released all at once: tables and figures are made of many small strings that live
 * exactly as long as one command. */
#ifndef GB_UTIL_ARENA_H
#define GB_UTIL_ARENA_H

#include "common/text/error.h"

#include <stddef.h>

typedef struct gb_arena {
    struct gb_arena_block *blocks;
} gb_arena;

/* An arena starts as {0}. The functions below never return NULL: when the host is out of memory
 * they say so and abort. */

/* size bytes, zeroed, aligned for any type. */
void *gb_arena_alloc(gb_arena *arena, size_t size);
char *gb_arena_strdup(gb_arena *arena, const char *text);
char *gb_arena_strndup(gb_arena *arena, const char *text, size_t length);
/* Text of that length without blanks at either end. */
char *gb_arena_trimmed(gb_arena *arena, const char *text, size_t length);
char *gb_arena_printf(gb_arena *arena, const char *format, ...) GB_PRINTF(2, 3);
/* Words for a message: "one, two and three". */
const char *gb_arena_listed(gb_arena *arena, const char *const *words, size_t count);
/* Makes room for one more item in an array of *capacity items of item_size bytes, of which count
 * are used; returns the array, which may have moved. */
void *gb_arena_grow(gb_arena *arena, void *array, size_t count, size_t *capacity, size_t item_size);
/* Releases everything; the arena may be used again. */
void gb_arena_free(gb_arena *arena);

#endif
