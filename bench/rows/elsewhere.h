/* Numbers that others printed, in abstracts, READMEs and issues: results/published/elsewhere/,
 * whose README describes the columns. They are published sets with the flag `elsewhere`, one a
 * source, and stand beside measured rows only where that is asked for. */
#ifndef GB_ROWS_ELSEWHERE_H
#define GB_ROWS_ELSEWHERE_H

#include "bench/rows/rows.h"

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
