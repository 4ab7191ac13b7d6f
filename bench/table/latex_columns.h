/* The columns of a LaTeX table: how a cell is cut so that numbers stand below one another, how
 * heads are folded, and how wide all of it becomes. */
#ifndef GB_TABLE_LATEX_COLUMNS_H
#define GB_TABLE_LATEX_COLUMNS_H

#include "bench/table/render.h"

/* A number's digits before the point, the point and those behind, and what follows: "±1.2%", marks
 * of footnotes. */
enum { GB_LATEX_PARTS = 3 };

/* A cell, cut. Of what is no number all stands in part[0]. */
typedef struct gb_latex_cell {
    bool number;
    const char *part[GB_LATEX_PARTS];
} gb_latex_cell;

gb_latex_cell gb_latex_cut(gb_arena *arena, const char *text);

/* All widths are ems. */
typedef struct gb_latex_column {
    bool numeric;             /* most of its cells are numbers: they are cut */
    bool has[GB_LATEX_PARTS]; /* the columns that it makes */
    bool foldable;            /* its cells are text that can be broken */
    const char **head;        /* lines, from above */
    size_t head_count;
    double parts;  /* of all parts side by side */
    double width;  /* of the widest of cells and head */
    double folded; /* the width of the lines that its cells are broken into; 0: they are not */
} gb_latex_column;

enum { GB_LATEX_MOST_HEAD_LINES = 3 };

/* The columns of a panel, unfolded. */
gb_latex_column *gb_latex_columns(gb_arena *arena, const gb_table_panel *panel);

/* How many columns of LaTeX's it makes. */
size_t gb_latex_column_parts(const gb_latex_column *column);

/* How wide the columns from..to are with the stubs before them, in points, with text of so many
 * points and `gap` between columns. */
double gb_latex_columns_width(const gb_latex_column *columns, size_t stubs, size_t from, size_t to,
                              double points, double gap);

/* Folds long texts so that all columns are no wider than `most` points, or else the stubs with any
 * one of the others, if that can be done. */
void gb_latex_fold(gb_latex_column *columns, size_t stubs, size_t count, double points, double gap,
                   double most);

#endif
