/* From rows and a layout to a table of ready text. */
#ifndef GB_TABLE_BUILD_H
#define GB_TABLE_BUILD_H

#include "bench/table/layout.h"
#include "bench/table/render.h"

/* Fills a table with one slice of a set that has all axes the layout draws. paper: published rows
 * to set beside the measured ones where they are about the same points; NULL: none. Everything
 * lives in the arena. */
void gb_table_build(gb_arena *arena, const gb_table_layout *layout, const gb_result_set *set,
                    const gb_slice *slice, const gb_result_set *paper, gb_table *table);

#endif
