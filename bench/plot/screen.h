/* Figures in characters, on the terminal. */
#ifndef GB_PLOT_SCREEN_H
#define GB_PLOT_SCREEN_H

#include "bench/plot/target.h"
#include "common/text/error.h"

#include <stddef.h>

/* A target as large as the screen: of the terminal that stdout is, or that stderr is where stdout
 * is a pager's; else as terminals were, 80 x 24. Its last line is left to the shell. False and
 * *error if it is too small for any figure. */
bool gb_plot_screen(gb_plot_target *target, gb_error *error);

/* Copies a drawing in characters to stdout: of its pages, which begin with form feeds, the lines
 * from the first to the last that are not blank, without blanks at their ends, and one between;
 * *shown counts lines over several figures, 0 before the first. False and *error. */
bool gb_plot_show(const char *path, size_t *shown, gb_error *error);

#endif
