/* What others printed, as a table of its own. */
#ifndef GB_TABLE_ELSEWHERE_H
#define GB_TABLE_ELSEWHERE_H

#include "bench/table/set.h"

/* One table of all sets of the results that were printed elsewhere about the same primitive and
 * axes as this one, a line a row, its source in a note; none where an earlier set of them has had
 * it. chosen: rows with these values of axes, "variant", "cache" and "scope" alone. False and
 * *error, of status GB_UNSUPPORTED, if that leaves none. */
bool gb_table_of_elsewhere(gb_arena *arena, const gb_results *results, const gb_result_set *set,
                           const gb_choices *chosen, gb_tables *tables, gb_error *error);

#endif
