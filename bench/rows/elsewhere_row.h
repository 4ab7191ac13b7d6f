/* Rows of what others printed (elsewhere.h), as they are read. */
#ifndef GB_ROWS_ELSEWHERE_ROW_H
#define GB_ROWS_ELSEWHERE_ROW_H

#include "bench/rows/rows.h"

/* Whether a table is of such numbers: it has the column `source` in the place of `paper`. */
bool gb_is_elsewhere(const gb_csv *csv);

/* Whether one of its rows says all that it must; its axes are the columns from first_axis up to
 * axis_end. False and *error with file, row and column, what was found and what is allowed. */
bool gb_elsewhere_check(const gb_csv *csv, size_t row, const char *path, int first_axis,
                        int axis_end, gb_error *error);
/* Gives a row that says of how many items it is the rate that follows from its time, or the time
 * that follows from its rate. */
void gb_elsewhere_complete(const gb_csv *csv, size_t row, gb_result_row *of);

#endif
