/* Rows of other tools' files: what bench/foreign read, as result files have it, so that nothing
 * later needs to know who measured. */
#ifndef GB_ROWS_FOREIGN_H
#define GB_ROWS_FOREIGN_H

#include "bench/foreign/foreign.h"
#include "bench/rows/rows.h"

/* Beside a table made of another tool's file. */
typedef struct gb_foreign_rows {
    const gb_row_source *source;
    const double *const *times; /* of each row: its samples, or NULL */
    bool unnamed;               /* the experiment has a name by its axes */
} gb_foreign_rows;

/* Adds a table that was made of another tool's file; path lives as long as the results and is the
 * same for all tables of the file. csv becomes a part of the results. False and *error. */
bool gb_results_add_foreign(gb_results *results, const char *path, gb_csv *csv,
                            const gb_foreign_rows *foreign, gb_error *error);

/* Adds what JSON of another tool says (size bytes and a NUL). */
bool gb_foreign_add_json(gb_results *results, const char *path, const char *text, size_t size,
                         gb_error *error);
/* Whether a table is another tool's, for which the map says what its columns are. */
bool gb_foreign_is_table(const gb_results *results, const gb_csv *csv);
/* Adds it; csv becomes a part of the results. */
bool gb_foreign_add_table(gb_results *results, const char *path, gb_csv *csv, gb_error *error);

/* Puts sets of other tools that name no experiment to the experiment of ours that has the same axes
 * and a variant of theirs: within the results they become rows of it, between several they take its
 * name. Sets without such stay as they are. */
void gb_foreign_adopt(gb_results *all, size_t count);

#endif
