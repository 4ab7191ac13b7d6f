/* The inside of writing a figure's data (data.h): what its parts share. */
#ifndef GB_PLOT_WRITER_H
#define GB_PLOT_WRITER_H

#include "bench/plot/script.h"
#include "bench/plot/target.h"
#include "bench/rows/gpus.h"
#include "bench/table/cells.h"

#include <stdio.h>

/* Line types of common.gp for measured series, 1 to this. */
enum { GB_PLOT_STYLES = 15 };

/* A part of a figure. */
typedef struct gb_plot_panel {
    const char *value; /* of the panels' axis; NULL: there is none */
    const char *device,
        *source; /* the one that it is of, as rows and as labels name it; NULL: all */
} gb_plot_panel;

/* A series in a panel, of those that are drawn. */
typedef struct gb_plot_curve {
    size_t series, panel;
} gb_plot_curve;

typedef struct gb_plot_writer {
    gb_table_builder b; /* what there is to draw; its table is not used */
    const gb_plot_script *script;
    const gb_gpus *gpus;
    const char *folder;
    unsigned x_axis;
    int panel_axis; /* -1: one panel */
    bool axis_drawn[GB_MAX_AXES];
    const char **x_values;
    gb_plot_panel *panels;
    size_t x_count, panel_count;
    FILE *gp; /* data.gp */
    gb_plot_curve *curves;
    size_t drawn;
    int *styles;    /* of each series of the builder; 0: it is not drawn */
    bool by_device; /* each panel is one device's */
    bool few;       /* no panel has enough values of x for a curve */
    size_t most_points,
        least_points; /* values of x: of the panel that has most; asked of a panel */
    double rate_min, rate_max, time_min, time_max, speedup_min, speedup_max, limit_max;
    bool rate_bars, time_bars, speedup_bars; /* a point drawn has an interval */
    bool resident;                           /* a point is flagged cache-resident */
    const char *assumed;                     /* what is drawn rests on; "" */
    const char *left_out;                    /* panels where x has too few values; "" */
    const char *gaps;                        /* why something is missing; "" */
    const char *crowded;                     /* series for which there is no room; "" */
    const char *unlisted; /* variants that were measured and of which the script says nothing; "" */
    const char *empty;    /* panels without any series; "" */
    const char *too_many; /* panels beyond what a default figure has room for; "" */
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
                        const char *note);
/* Where names stand along x, each at its number from 1 on, and what they are called there. */
void gb_plot_put_categories(gb_plot_writer *w, const char *axis, const char *const *names,
                            size_t count);
/* Adds a sentence's part to w->assumed, each once. */
void gb_plot_assume(gb_plot_writer *w, const char *text);

/* Chooses the series that are drawn and gives each a line type; one panel becomes one a device
 * where several would crowd it. In choice.c, as the two below. */
void gb_plot_choose(gb_plot_writer *w);
/* Leaves out panels that would be empty, unless all would, and those with too few points beside
 * others that have curves; and values of x at which nothing is drawn. */
void gb_plot_keep_drawn_panels(gb_plot_writer *w);
void gb_plot_keep_drawn_x(gb_plot_writer *w);
/* Of more panels than `most` leaves those of so few values: the first, the last and others evenly
 * between, of those that all devices have if there are enough. */
void gb_plot_keep_few_panels(gb_plot_writer *w, size_t most);

/* Whether series number `series` (of the builder's) has a value in a panel. */
bool gb_plot_has_series(gb_plot_writer *w, size_t series, size_t panel);
/* Whether some series has one there at value number x. */
bool gb_plot_has_x(gb_plot_writer *w, size_t panel, size_t x);
/* Whether two series are the same variant, held at the same values. */
bool gb_plot_is_alike(const gb_table_series *a, const gb_table_series *b);
/* What a series is called. */
const char *gb_plot_label(const gb_plot_writer *w, const gb_table_series *series);
/* What is drawn of a series in a panel at value number x: a speed-up, a rate or else a time; 0:
 * nothing. */
double gb_plot_value(const gb_plot_writer *w, size_t series, size_t panel, size_t x);
/* The row that says why there is nothing; NULL: it was not measured there. */
const gb_result_row *gb_plot_row(const gb_plot_writer *w, size_t series, size_t panel, size_t x);
/* Writes one in a panel: its table, and its lines in data.gp. One without a value at any point is
 * left out. False and *error. */
bool gb_plot_write_series(gb_plot_writer *w, size_t series, size_t panel);
/* The same for the limit of a panel. */
bool gb_plot_write_limit(gb_plot_writer *w, size_t panel);
/* Writes what tells curves apart once all are known (marks.c): where they end, which of them lie
 * under others, where sizes go from powers of ten to powers of two, and what is missing. */
bool gb_plot_write_marks(gb_plot_writer *w);
/* Where a value stands along x: itself, or its number among the categories. */
const char *gb_plot_place(const gb_plot_writer *w, size_t x);

#endif
