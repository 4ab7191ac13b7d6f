/* From rows and a layout to a table of ready text. */
#ifndef GB_TABLE_BUILD_H
#define GB_TABLE_BUILD_H

#include "bench/table_layout.h"
#include "bench/table_render.h"

/* Which of the set's axes the layout draws, as rows or columns. False and *error if it names one
 * that the set does not have. */
bool gb_table_drawn_axes(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                         bool drawn[GB_MAX_AXES], gb_error *error);

/* Puts in the place of *set, and of *paper if there is one, the rows that the layout asks for:
 * scaled, and with the best over its axes (gb_results_derive), which the layout prefers from then
 * on. drawn: as above. The new sets live in the arena, their texts as long as those of the old.
 * False and *error if the layout names an axis that the set does not have, or takes the best over
 * one that is drawn. */
bool gb_table_derive(gb_arena *arena, gb_table_layout *layout, const bool drawn[GB_MAX_AXES],
                     const gb_result_set **set, const gb_result_set **paper, gb_error *error);

/* Fills a table with one slice of a set that has all axes the layout draws. paper: published rows
 * to set beside the measured ones where they are about the same points; NULL: none. Everything
 * lives in the arena. */
void gb_table_build(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                    const gb_slice *slice, const gb_result_set *paper, gb_table *table);

/* value with this many significant digits and no exponent: 3 digits of 98.04 are "98.0". */
const char *gb_significant(gb_arena *arena, double value, int digits);
/* A ratio with the digits that tell it from 1: three, near 1 four; "" for 0 and below. */
const char *gb_ratio_text(gb_arena *arena, double ratio);

#endif
