/* Comparisons for people (text, Markdown) and for programs (CSV, JSON). */
#ifndef GB_COMPARE_PRINT_H
#define GB_COMPARE_PRINT_H

#include "bench/compare.h"
#include "bench/table_render.h"

#include <stddef.h>
#include <stdio.h>

enum { GB_ALL_ROWS = -1 };

/* Prints a comparison: what was found by experiment and variant, then the rows that differ most (at
 * most `rows` of them, or GB_ALL_ROWS: every one, in order), then what is missing and what else
 * differs. */
void gb_compare_print(gb_sides *sides, const gb_judging *judging, const gb_comparison *comparison,
                      gb_table_format format, long rows, FILE *file);

/* Of that the rows (compare_rows.c): a panel more, unless there is none to show. */
void gb_compare_add_rows(gb_arena *arena, const gb_comparison *comparison, long rows,
                         gb_table *table);

/* Warnings to stderr: what else differs than the device, each with what to do about it. */
void gb_compare_warn(const gb_judging *judging, const gb_comparison *comparison);

/* All pairs and all rows without a partner, a line each; the header first if it is wanted. */
void gb_compare_put_csv(gb_sides *sides, const gb_comparison *comparison, bool header, FILE *file);
/* One JSON value: {"comparisons": [...]}. False without memory. */
bool gb_compare_put_json(gb_sides *sides, const gb_judging *judging,
                         const gb_comparison *comparisons, size_t count, FILE *file);

/* "n=1000000;bins=256": all axes of a row, for programs. */
const char *gb_pair_key(gb_arena *arena, const gb_result_set *set, const gb_result_row *row);

#endif
