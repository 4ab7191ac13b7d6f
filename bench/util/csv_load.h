/* Reading a table for people. */
#ifndef GB_UTIL_CSV_LOAD_H
#define GB_UTIL_CSV_LOAD_H

#include "common/text/csv.h"

/* gb_csv_read, and what it leaves out is said on stderr: a last row that is torn, and one of a
 * result file whose last field may be (gb_rows_settle). NULL and *error if it cannot be read. */
gb_csv *gb_csv_load(const char *path, gb_error *error);
/* The same of text in memory, as gb_csv_parse. */
gb_csv *gb_csv_load_text(char *text, size_t size, const char *path, gb_error *error);

#endif
