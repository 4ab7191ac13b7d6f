/* The tables of an experiment: its layout found, the paper's numbers beside, a table a slice. */
#ifndef GB_TABLE_SET_H
#define GB_TABLE_SET_H

#include "bench/table/build.h"

/* What is wanted of the tables; {0}: what the layouts say. */
typedef struct gb_table_wishes {
    gb_choices chosen;
    const char *paper, *layout; /* --published, --table; NULL: the layout's own, the experiment's */
    bool no_paper, records;     /* records: gb_table.records are wanted, too */
    bool elsewhere;             /* what others printed is to stand beside */
} gb_table_wishes;

typedef struct gb_tables {
    gb_table *items;
    size_t count;
    bool elsewhere;     /* something that others printed stands beside, or is what is shown */
    const char *hidden; /* what was measured and is not shown; NULL: nothing */
} gb_tables;

/* Makes the tables of a set of the results; of sets that were printed elsewhere, one for all of
 * them that are about the same. Everything lives in the arena but the texts of
 * *published, which holds the paper's numbers: start it from {0}, free it when the tables are no
 * longer needed. False and *error; its status is GB_UNSUPPORTED where only this set cannot be
 * shown so. */
bool gb_tables_of_set(gb_arena *arena, const gb_results *results, const gb_result_set *set,
                      const gb_table_wishes *wishes, gb_results *published, gb_tables *tables,
                      gb_error *error);

#endif
