/* Comparisons for people (text, Markdown, LaTeX) and for programs (CSV, JSON). */
#ifndef GB_COMPARE_PRINT_H
#define GB_COMPARE_PRINT_H

#include "bench/compare/compare.h"
#include "bench/table/render.h"
#include "bench/util/exporter.h"

#include <stddef.h>
#include <stdio.h>

enum { GB_ALL_ROWS = -1 };

/* Where comparisons are written to, and how. Start from {0} with the first four set. */
typedef struct gb_compare_output {
    gb_sides *sides;
    const gb_judging *judging;
    long rows; /* that those for people show at most, or GB_ALL_ROWS: every one, in order */
    FILE *file;
    size_t tables;      /* written so far */
    struct cJSON *json; /* what is written at the end; NULL of other formats */
} gb_compare_output;

/* The formats. They write to a gb_compare_output, an item a gb_comparison. For people: what was
 * found by experiment and variant, then the rows that differ most, then what is missing and what
 * else differs. CSV: all pairs and all rows without a partner, a line each. A comparison without a
 * pair is left out of all these, which is said on stderr. JSON: one value, {"comparisons": [...]},
 * of all. */
extern const gb_exporter gb_compare_exporters[];

/* The formats for programs (records.c). */
void gb_compare_begin_csv(void *output);
void gb_compare_put_csv(void *output, const void *comparison);
void gb_compare_begin_json(void *output);
void gb_compare_put_json(void *output, const void *comparison);
void gb_compare_end_json(void *output);

/* Of those for people (rows.c): where pairs of which others printed a row have it from, a note a
 * source; the rows, a panel more, unless there is none to show. */
void gb_compare_add_notes(gb_arena *arena, const gb_comparison *comparison, gb_table *table);
void gb_compare_add_rows(gb_arena *arena, const gb_comparison *comparison, long rows,
                         gb_table *table);

/* Which rows have no partner, and why: remarks of a table. */
void gb_compare_add_missing(gb_arena *arena, const gb_comparison *comparison, gb_table *table);
/* A side as sentences call it. */
const char *gb_compare_name(gb_arena *arena, const gb_side *side);
/* The axes of a set that its pairs do not all have the same value on: GB_MAX_AXES of them. */
const bool *gb_compare_shown_axes(gb_arena *arena, const gb_comparison *comparison,
                                  const gb_result_set *set);
/* "warm", "cold, host-to-host", "warm/cold": the cache mode, and the scope where it is not the
 * usual one. */
const char *gb_pair_conditions(gb_arena *arena, const gb_pair *pair);

/* Warnings to stderr: what else differs than the device, each with what to do about it. told: that
 * the noise of A is not known was said of an earlier comparison. */
void gb_compare_warn(const gb_judging *judging, const gb_comparison *comparison, bool told);

#endif
