/* Aligned columns of text for lists that people read. */
#ifndef GB_UTIL_COLUMNS_H
#define GB_UTIL_COLUMNS_H

#include <stdio.h>

typedef struct gb_columns gb_columns;

/* A list with these headers (NULL-terminated, kept by reference). Where memory runs out, the
 * program ends: no list lacks a line. */
gb_columns *gb_columns_new(const char *const *headers);
/* Adds a row: as many texts as headers, copied. */
void gb_columns_add(gb_columns *columns, const char *const *texts);
/* Prints header and rows, each column as wide as its widest text, every line after indent blanks;
 * the header in bold on a terminal. On a terminal that is too
 * narrow, texts go on below, or a row and the header have several lines. */
void gb_columns_print(FILE *file, const gb_columns *columns, int indent);
void gb_columns_free(gb_columns *columns);

#endif
