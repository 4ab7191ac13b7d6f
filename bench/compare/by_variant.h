/* What a variant costs on several sides, of which the first is what the others are held against:
 * the price of old code, of fewer multiprocessors, of an older version. */
#ifndef GB_COMPARE_BY_VARIANT_H
#define GB_COMPARE_BY_VARIANT_H

#include "bench/compare/compare.h"

#include <stdio.h>

/* Writes one table of comparisons that have the same A: a line a variant of an experiment, a column
 * a B, in each cell how many times as long as in A its rows take (the median, the least, the most),
 * or why none can be compared. Rows that A lacks are left out. CSV: a line a cell. format: "text",
 * "markdown", "latex" or "csv"; false, and nothing is written, if it is another one. */
bool gb_compare_by_variant(gb_sides *sides, const gb_comparison *list, size_t count,
                           const char *format, FILE *file);

#endif
