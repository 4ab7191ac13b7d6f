/* The inside of building a table: which series there are, and what each says at a point. */
#ifndef GB_TABLE_CELLS_H
#define GB_TABLE_CELLS_H

#include "bench/table_layout.h"
#include "bench/table_render.h"

/* A line of cells, or a column of them: one variant, or the ratio of two, from one source. */
typedef struct gb_table_series {
    const char *label, *source;
    const char *variant, *over; /* over: NULL unless this is a ratio */
    const char *device;
    bool published, further;
} gb_table_series;

typedef struct gb_table_builder {
    gb_arena *arena;
    const gb_table_layout *layout;
    const gb_result_set *set;
    const gb_slice *slice;
    const gb_result_set *paper; /* NULL: none */
    gb_table *table;            /* its notes grow as cells are made */
    gb_table_series *series;
    size_t series_count, series_capacity;
    const char **templates; /* of the notes: their text with numbers blotted out */
    size_t template_capacity;
} gb_table_builder;

/* Lists the series: the layout's variants, its ratios, then whatever else was measured; of each the
 * paper's before the measured ones. */
void gb_table_make_series(gb_table_builder *b);

/* The row of a series that is no ratio at a point (its axis[], cache and scope); of published ones
 * that with this quantity. NULL if there is none. */
const gb_result_row *gb_table_row(const gb_table_builder *b, const gb_table_series *s,
                                  const gb_result_row *point, const char *variant,
                                  const char *quantity);

/* The text of a series at a point (its axis[], cache and scope): a number, "-" with the mark of its
 * reason, what went wrong, or "" where there is no row. */
const char *gb_table_cell(gb_table_builder *b, const gb_table_series *s,
                          const gb_result_row *point);

/* Whether a line of cells is worth printing: the layout's own variants where they say anything,
 * ratios and further variants only where there is a number. */
bool gb_table_says_something(const gb_table_series *s, const char *const *cells, size_t count);

#endif
