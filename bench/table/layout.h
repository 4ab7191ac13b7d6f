/* How a table is laid out: data, read from plots/<name>.table.json, so that a further primitive
 * brings its own table without code. */
#ifndef GB_TABLE_LAYOUT_H
#define GB_TABLE_LAYOUT_H

#include "bench/rows/derive.h"
#include "bench/rows/select.h"

typedef enum gb_quantity { GB_QUANTITY_RATE, GB_QUANTITY_TIME } gb_quantity;

/* A variant to show, or the fastest of several at each point ("cub-radix-sort;cub-label-sort");
 * `at`: values of axes at which it is shown wherever the others are (may be empty). */
typedef struct gb_layout_variant {
    const char *name, *label;
    gb_choices at;
} gb_layout_variant;

/* `over` of a ratio: not another variant, but the rate that what limits the variant allows. */
extern const char gb_layout_limit[];

/* The ratio of two variants at the same point: above 1 where `of` is the faster; of several the
 * fastest, as above. `at`: values of axes at which both are taken wherever the others are (may be
 * empty); `over_at`: the same of `over` alone, which stands for whatever the point's values are:
 * one GPU beside many. `printed_for`: `over` is not measured, but what the layout's paper prints
 * for that device; NULL: it is. `per`: an axis of numbers, by whose value at the point the ratio is
 * divided; NULL: by none. */
typedef struct gb_layout_ratio {
    const char *label, *of, *over, *printed_for, *per;
    gb_choices at, over_at;
} gb_layout_ratio;

/* A part of the columns that is printed as a table of its own (the halves of a wide table). */
typedef struct gb_layout_panel {
    const char *title;
    const char **values;
    size_t value_count;
} gb_layout_panel;

typedef struct gb_table_layout {
    const char *path; /* the file; NULL: the plain one */
    const char *title;
    const char *paper; /* file in results/published/; NULL: none */
    gb_quantity quantity;
    double scale;          /* a cell is the quantity in SI units over scale */
    const char *unit;      /* of a cell: "10⁹ keys/s" */
    int digits;            /* significant digits of measured cells */
    const char **row_axes; /* what makes a block of rows */
    size_t row_axis_count;
    /* An axis: the variants are rows of each block. NULL: the variants are the columns. */
    const char *column_axis;
    gb_layout_panel *panels;
    size_t panel_count;
    const char **size_axes; /* axes whose values are printed as 32M rather than 32000000 */
    size_t size_axis_count;
    gb_scale_by *scale_by;  /* NULL: rates stay in items/s */
    const char **best_axes; /* the best over these is shown, unless a value is chosen */
    size_t best_axis_count;
    bool no_cache_resident;      /* rows with that flag are left out */
    gb_choices where;            /* preferred values of the axes that are neither row nor column */
    gb_layout_variant *variants; /* the paper's, in its order */
    size_t variant_count;
    gb_layout_ratio *ratios;
    size_t ratio_count;
    bool reasons_in_cells; /* why a row failed stands in its cell rather than in a note */
    bool ranges;           /* a line below the table says from where to where each ratio goes */
    bool further_variants; /* whatever else was measured follows */
} gb_table_layout;

/* Reads a layout. False and *error with the JSON path of the first mistake, what was found and
 * what is allowed. Everything lives in the arena. */
bool gb_table_layout_load(gb_arena *arena, const char *path, gb_table_layout *layout,
                          gb_error *error);

/* The same of text in memory (length bytes and a NUL); path is for messages. */
bool gb_table_layout_parse(gb_arena *arena, const char *path, const char *text, size_t length,
                           gb_table_layout *layout, gb_error *error);

/* The layout of last resort: one row a point, one column a variant. */
gb_table_layout gb_table_layout_plain(gb_arena *arena, const gb_result_set *set);

/* The digits of a value as the layout wants that axis printed. */
const char *gb_layout_axis_text(gb_arena *arena, const gb_table_layout *layout, const char *axis,
                                const char *value);

#endif
