/* Numbers that others printed, in abstracts, READMEs and issues: results/published/elsewhere/,
 * whose README describes the columns. They are published sets with the flag `elsewhere`, one a
 * source, and stand beside measured rows only where that is asked for. */
#ifndef GB_ROWS_ELSEWHERE_H
#define GB_ROWS_ELSEWHERE_H

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

/* Adds all files of results/published/elsewhere; none where there is no such folder. False and
 * *error if one of them is damaged or holds something else. */
bool gb_elsewhere_load(gb_results *results, gb_error *error);

/* The next set from *at on that was printed elsewhere about the primitive of `measured`, with its
 * axes in any order; NULL: no further one. Begin with *at = 0. */
const gb_result_set *gb_elsewhere_next(const gb_results *results, const gb_result_set *measured,
                                       size_t *at);

/* Where a row is printed and what it takes for granted: "NVIDIA/cccl issue 9768, comment of
 * 2026-07-09; version: CCCL 3.3.x; assumed: ...". */
const char *gb_elsewhere_note(gb_arena *arena, const gb_result_set *set, const gb_result_row *row);

#endif
