/* A part of a panel as LaTeX's tabular. */
#ifndef GB_TABLE_LATEX_GRID_H
#define GB_TABLE_LATEX_GRID_H

#include "bench/table/latex_columns.h"

/* The stubs of a panel and the columns from..to. */
typedef struct gb_latex_grid {
    gb_arena *arena;
    FILE *file;
    const gb_table_panel *panel;
    const gb_latex_column *columns;
    size_t from, to;
    double points; /* of the text */
} gb_latex_grid;

bool gb_latex_shows(const gb_latex_grid *grid, size_t column);

/* How many lines its head has. */
size_t gb_latex_head_lines(const gb_latex_grid *grid);

/* Begins it, with its head, so many points between two columns; a row; its end. */
void gb_latex_begin(const gb_latex_grid *grid, double gap);
void gb_latex_row(const gb_latex_grid *grid, const char *const *cells);
void gb_latex_end(const gb_latex_grid *grid);

#endif
