/* The axes that a layout draws, and rows as it wants them. */
#ifndef GB_TABLE_AXES_H
#define GB_TABLE_AXES_H

#include "bench/table/layout.h"

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

/* The same for one further set of printed rows, or none (*set is NULL): what the layout shows
 * stays.
 */
bool gb_table_derive_printed(gb_arena *arena, const gb_table_layout *layout,
                             const gb_result_set **set, gb_error *error);

#endif
