/* What a figure's points stand for: the data that it was drawn of. */
#ifndef GB_REPORT_POINTS_H
#define GB_REPORT_POINTS_H

#include "bench/report/svg.h"

/* A series of a panel, with its rows. */
typedef struct gb_figure_series {
    const char *label;
    size_t panel;
    double (*rows)[5]; /* rate, rate_lo, rate_hi in items/s, time in s, speed-up; 0: none */
    const char **x;    /* of each row, as its file has it */
    size_t count;
} gb_figure_series;

typedef struct gb_figure_data {
    const char *title, *subtitle, *x_axis, *unit;
    const char **x_names; /* of categories 1, 2, ...; NULL where x is a number */
    size_t x_count;
    gb_figure_series *series;
    size_t series_count;
} gb_figure_data;

/* Reads what `gpubench plot --keep-data` left in a folder. False if there is nothing, or nothing of
 * rates and times: the figure is shown without. Start from {0}; lives in the arena. */
bool gb_figure_data_read(gb_arena *arena, const char *folder, gb_figure_data *data);

/* Finds for each series of the drawing the one of the data that it shows, by panel and label, and
 * sets its `points`: "X RATE LO HI TIME SPEEDUP" a mark, trailing blanks left out, separated by
 * semicolons. X is as readers know it, with %20 for blanks and the like. Only where it is sure: all
 * marks of a panel must lie where one straight line, of a value or of its logarithm, puts the data,
 * to half a point. */
void gb_figure_match(gb_arena *arena, const gb_figure_data *data, gb_svg *svg);

#endif
