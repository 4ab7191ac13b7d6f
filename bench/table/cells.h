/* The inside of building a table: which series there are, and what each says at a point. */
#ifndef GB_TABLE_CELLS_H
#define GB_TABLE_CELLS_H

#include "bench/table/build.h"
#include "bench/table/layout.h"
#include "bench/table/render.h"
#include "common/stats/two.h"

/* A line of cells, or a column of them: one variant, or the ratio of two, from one source. */
typedef struct gb_table_series {
    const char *label, *source;
    const char *variant, *over; /* over: NULL unless this is a ratio */
    const char *printed_for; /* of a ratio: the device for which a paper prints `over`, or NULL */
    const char *device;
    const gb_choices *at;           /* the layout's; NULL: none */
    const gb_choices *over_at;      /* of a ratio: where `over` is taken besides; NULL: none */
    const char *per;                /* of a ratio: the axis that it is divided by; NULL: none */
    const gb_result_set *elsewhere; /* of what others printed: the set; else NULL */
    bool published, further;        /* published: printed, by the paper or elsewhere */
    gb_ratio least, most; /* of a measured ratio, of the cells that were made; 0: none yet */
} gb_table_series;

/* A row that is the best over some axes and was printed, in a series (an index into those of the
 * builder). */
typedef struct gb_table_best {
    size_t series;
    const gb_result_row *row;
} gb_table_best;

/* What is said of printed rows: what those of a paper take for granted, where others are printed;
 * no two alike. */
typedef struct gb_table_assumed {
    const char **texts;
    size_t count, capacity;
} gb_table_assumed;

typedef struct gb_table_builder {
    gb_arena *arena;
    const gb_table_layout *layout;
    const gb_result_set *set;
    const gb_slice *slice;
    const gb_result_set *paper; /* NULL: none */
    const gb_result_set **elsewhere;
    size_t elsewhere_count;
    gb_table *table; /* its notes grow as cells are made */
    gb_table_series *series;
    size_t series_count, series_capacity;
    const char **templates; /* of the notes: their text with numbers blotted out */
    size_t template_capacity;
    gb_table_best *best; /* no two alike */
    size_t best_count, best_capacity;
    bool sticky, redone, ungated; /* some cell's row has the flag autocorrelated, redone, ungated */
    bool unstable;                /* some cell says so */
    gb_table_assumed assumed;     /* of the cells made since this was last {0} */
} gb_table_builder;

/* Lists the series: the layout's variants, its ratios, then whatever else was measured; of each the
 * paper's before the measured ones. */
void gb_table_make_series(gb_table_builder *b);

/* The row of a series that is no ratio at a point (its axis[], cache and scope; on the axes that
 * the series is held at, there); of published ones that with this quantity; of several variants,
 * separated by ";", that of the fastest. NULL if there is none. */
const gb_result_row *gb_table_row(const gb_table_builder *b, const gb_table_series *s,
                                  const gb_result_row *point, const char *variant,
                                  const char *quantity);

/* The same of what a series is held against: at the point, but at these values of axes (NULL: none)
 * whatever the point's and those of the series are. */
const gb_result_row *gb_table_row_over(const gb_table_builder *b, const gb_table_series *s,
                                       const gb_result_row *point, const char *variant,
                                       const gb_choices *at, const char *quantity);

/* A ratio at a point by the value of an axis there: of so many GPUs what each has of it. {0} where
 * that is no number above 0. */
gb_ratio gb_table_ratio_per(const gb_result_set *set, const char *axis, const gb_result_row *point,
                            const gb_ratio *ratio);

/* The text of a series at a point (its axis[], cache and scope): a number, "-" with the mark of its
 * reason, what went wrong, or "" where there is no row. */
const char *gb_table_cell(gb_table_builder *b, const gb_table_series *s,
                          const gb_result_row *point);

/* The same for programs. False where there is no row. */
bool gb_table_value(gb_table_builder *b, const gb_table_series *s, const gb_result_row *point,
                    gb_table_record *record);

/* The points of the rows of the slice, each different combination of these axes once, in ascending
 * order. */
const gb_result_row **gb_table_points(gb_table_builder *b, const unsigned *axes, size_t axis_count,
                                      size_t *count);

/* Notes (notes.c): the mark of a reason of a version, reasons that differ in their numbers alone
 * share a note; remembers in b->assumed what is to be said of a row of a series; the text with the
 * marks of what was remembered. */
const char *gb_table_reason_mark(gb_table_builder *b, const char *label, const char *reason);
void gb_table_keep_said(gb_table_builder *b, const gb_table_series *s, const gb_result_row *row);
const char *gb_table_marked(gb_table_builder *b, const char *text, const gb_table_assumed *assumed);

/* Remembers a row that is shown, if it is the best over some axes. */
void gb_table_keep_best(gb_table_builder *b, const gb_table_series *s, const gb_result_row *row);
/* What those of a series were the best with: "64x4x1 (radius 1, 2), 32x8x1 (radius 3, 4)"; of many
 * values of the axis drawn[] their number. NULL if there was nothing to choose from. */
const char *gb_table_best_text(gb_table_builder *b, size_t series, const bool drawn[GB_MAX_AXES]);

/* Adds to the table which values the best rows have: a remark a series. */
void gb_table_add_best_remarks(gb_table_builder *b);

/* Adds to the table from where to where each measured ratio goes: a remark a series. */
void gb_table_add_range_remarks(gb_table_builder *b);

/* Whether a line of cells is worth printing: the layout's own variants where they say anything,
 * ratios and further variants only where there is a number. */
bool gb_table_says_something(const gb_table_series *s, const char *const *cells, size_t count);

#endif
