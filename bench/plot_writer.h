/* The inside of writing a figure's data (plot_data.h): what its parts share. */
#ifndef GB_PLOT_WRITER_H
#define GB_PLOT_WRITER_H

#include "bench/gpus.h"
#include "bench/plot_data.h"
#include "bench/plot_script.h"
#include "bench/table_cells.h"

#include <stdio.h>

/* Line types of common.gp for measured series, 1 to this. */
enum { GB_PLOT_STYLES = 15 };

typedef struct gb_plot_writer {
    gb_table_builder b; /* what there is to draw; its table is not used */
    const gb_plot_script *script;
    const gb_gpus *gpus;
    const char *folder;
    unsigned x_axis;
    int panel_axis; /* -1: one panel */
    bool axis_drawn[GB_MAX_AXES];
    const char **x_values, **panel_values;
    size_t x_count, panel_count;
    FILE *gp; /* data.gp */
    size_t drawn;
    double rate_min, rate_max;
    bool resident; /* a point is flagged cache-resident */
    const char *limit_label;
    gb_error *error;
} gb_plot_writer;

/* Creates a file, or closes one; NULL, false and *error. */
FILE *gb_plot_create(gb_plot_writer *w, const char *path);
bool gb_plot_finish(gb_plot_writer *w, FILE *file, const char *path);

/* name = "text" in data.gp, whatever characters the text holds; a path as gnuplot takes it. */
void gb_plot_put_text(gb_plot_writer *w, const char *name, const char *text);
void gb_plot_put_path(gb_plot_writer *w, const char *name, const char *path);
/* "array[number]" */
const char *gb_plot_element(gb_plot_writer *w, const char *array, size_t number);

/* The lines of data.gp that every figure has: how it is drawn, its titles and note. */
void gb_plot_put_target(gb_plot_writer *w, const gb_plot_target *target, const char *subtitle,
                        bool simt);

/* Writes series number `series` (of the builder's) in a panel: its table, and its lines in data.gp,
 * with this line type. One without a value at any point is left out. False and *error. */
bool gb_plot_write_series(gb_plot_writer *w, size_t series, size_t panel, int style);
/* The same for the limit of a panel. */
bool gb_plot_write_limit(gb_plot_writer *w, size_t panel);
/* Where a value stands along x: itself, or its number among the categories. */
const char *gb_plot_place(const gb_plot_writer *w, size_t x);

#endif
