/* What a row of NAME.csv may say: one opinion for all who read result files and for those who
 * append to them. */
#ifndef GB_PROTOCOL_MEASURED_H
#define GB_PROTOCOL_MEASURED_H

#include "common/text/csv.h"

/* A run writes a row with its line end. Where the last row of a result file lacks it, its last
 * field, the time at which it was begun, may have been cut: unless that time has its end (an editor
 * took the line end off) the row is torn. Leaves such a row, or a header alone, out of the table:
 * row_count, complete_bytes, unterminated and torn_line say so from then on. Other tables stay as
 * they are. */
void gb_rows_settle(gb_csv *csv);

/* Whether a row of any result file has the schema that is read here. False and *error (of
 * `status`). */
bool gb_row_schema_check(const gb_csv *csv, size_t row, const char *path, gb_status status,
                         gb_error *error);

/* Whether a row is one that a run could have written: its schema, status, cache and scope are
 * known; numbers are decimal and finite, and not below 0 but for the lower ends of intervals, which
 * are below the upper; counts are whole. A blank says nothing, and so does a column that the file
 * does not have. False and *error (of `status`), which names file, row, column and what it found.
 */
bool gb_row_check(const gb_csv *csv, size_t row, const char *path, gb_status status,
                  gb_error *error);

#endif
