/* RFC 4180 in both directions: the one reader of CSV for everything, a row at a time or a table
 * whole.
 *
 * What is read: fields separated by commas, quoted or not; lines that end in LF or CR LF; a byte
 * order mark of UTF-8 in front. The first row says how many fields all have. Where these are more
 * than one, an empty line is no row. The last row may lack its line end: it is read if it has all
 * its fields, and the reader is told (unterminated), for whoever was killed while writing a row may
 * have left it so. It is torn if it is short of fields, or its quote is open. What is no CSV is
 * refused with what it is (common/text/kind.h): compressed, UTF-16, columns separated by ';' or
 * tabs. */
#ifndef GB_TEXT_CSV_H
#define GB_TEXT_CSV_H

#include "common/text/error.h"

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a row at a time ------------------------------------------------------------------------- */

/* A file of any length that is read in bounded memory. */
typedef struct gb_csv_stream gb_csv_stream;

typedef struct gb_csv_row {
    char **fields; /* valid, and the caller's to change, until the next row is asked for */
    size_t count;
    uint64_t line;     /* where it begins, from 1 */
    bool unterminated; /* the file ends behind its last field, without a line end */
} gb_csv_row;

typedef enum gb_csv_step {
    GB_CSV_ROW,
    GB_CSV_END,
    GB_CSV_TORN, /* the file ends within a row; *error says so */
    GB_CSV_BAD   /* *error says why and in which line */
} gb_csv_step;

/* Reads on from where file stands, which stays the caller's and open until gb_csv_close; path is
 * for messages, whose status is `status`. NULL and *error without memory, or if the file is no text
 * at all. */
gb_csv_stream *gb_csv_open(FILE *file, const char *path, gb_status status, gb_error *error);
/* The next row; after anything but GB_CSV_ROW there is none. Rows of another width than the first,
 * of more than 1 MiB or 1000 fields, quotes where none may be, and a NUL are GB_CSV_BAD. */
gb_csv_step gb_csv_next(gb_csv_stream *stream, gb_csv_row *row, gb_error *error);
/* NULL is allowed. */
void gb_csv_close(gb_csv_stream *stream);
/* The first of count names that is there twice; NULL if all differ. */
const char *gb_csv_twice(char *const *names, size_t count);

/* ---- a table ----------------------------------------------------------------------------------
 */

/* A table read whole: a header and rows of as many fields. */
typedef struct gb_csv {
    char **header;
    size_t columns;
    char ***rows;
    size_t row_count;
    /* Length of the file up to the end of its last row: what is behind it is torn or empty. */
    size_t complete_bytes;
    /* No line end stands behind the last row (or the header, if there is no row): its last field
     * may have been cut. terminated_bytes is the length up to the row before it, which has one. */
    bool unterminated;
    size_t terminated_bytes; /* complete_bytes where the last row has its line end */
    uint64_t torn_line;      /* where a torn row begins, which is left out; 0: there is none */
    char *storage;
} gb_csv;

/* Reads a file of at most 1 GiB. A torn last row is left out; anything that gb_csv_next calls bad,
 * and a column that is there twice, are errors with their line. NULL and *error if unreadable. */
gb_csv *gb_csv_read(const char *path, gb_error *error);
/* The same for text in memory: size bytes and a NUL, allocated by malloc; it is the table's, or
 * freed on failure. path is for messages. */
gb_csv *gb_csv_parse(char *text, size_t size, const char *path, gb_error *error);
void gb_csv_free(gb_csv *csv);
/* Column index; -1 if absent. */
int gb_csv_column(const gb_csv *csv, const char *name);
/* The field of a row in the named column; "" if the column is absent. */
const char *gb_csv_field(const gb_csv *csv, size_t row, const char *column);

/* ---- writing ----------------------------------------------------------------------------------
 */

/* Writes one field, quoted where needed, preceded by a comma unless first. */
void gb_csv_put(FILE *file, const char *field, bool first);
/* Writes a number behind a comma; a blank where it is not present, or is not above 0. */
void gb_csv_put_number(FILE *file, double value, bool present);
void gb_csv_put_positive(FILE *file, double value);

#ifdef __cplusplus
}
#endif
#endif
