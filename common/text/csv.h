/* RFC 4180 in both directions. */
#ifndef GB_TEXT_CSV_H
#define GB_TEXT_CSV_H

#include "common/text/error.h"

#include <stdio.h>

/* A table read whole: a header and rows of as many fields. */
typedef struct gb_csv {
    char **header;
    size_t columns;
    char ***rows;
    size_t row_count;
    size_t
        complete_bytes; /* length of the file up to its last complete row: what follows is torn */
    char *storage;
} gb_csv;

/* Reads a file of at most 1 GiB. A last row without its line end, or short of fields, is left out
 * (a run was killed while writing it) and complete_bytes says where it begins; any other malformed
 * row, one of more than 1 MiB or 1000 fields, a NUL and a column that is there twice are errors
 * with their line. NULL and *error if unreadable. */
gb_csv *gb_csv_read(const char *path, gb_error *error);
/* The same for text in memory: size bytes and a NUL, allocated by malloc; it is the table's, or
 * freed on failure. path is for messages. */
gb_csv *gb_csv_parse(char *text, size_t size, const char *path, gb_error *error);
void gb_csv_free(gb_csv *csv);
/* Column index; -1 if absent. */
int gb_csv_column(const gb_csv *csv, const char *name);
/* The field of a row in the named column; "" if the column is absent. */
const char *gb_csv_field(const gb_csv *csv, size_t row, const char *column);

/* Writes one field, quoted where needed, preceded by a comma unless first. */
void gb_csv_put(FILE *file, const char *field, bool first);

#endif
