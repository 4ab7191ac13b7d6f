/* Figures in characters, on the terminal. */
#ifndef GB_PLOT_SCREEN_H
#define GB_PLOT_SCREEN_H

#include "bench/plot/target.h"
#include "common/text/error.h"

#include <stddef.h>
#include <stdio.h>

/* A target as large as the screen: of the terminal that stdout is, or that stderr is where stdout
 * is a pager's; else as terminals were, 80 x 24. Its last line is left to the shell. False and
 * *error if it is too small for any figure. */
bool gb_plot_screen(gb_plot_target *target, gb_error *error);

/* The same for a figure that grows on a terminal, with a few lines of other things beside it. False
 * and *error, which begins with what wants it, if it is too small or no terminal on which lines can
 * be rewritten. */
bool gb_plot_screen_live(gb_plot_target *target, FILE *terminal, const char *what, gb_error *error);

/* Copies a drawing in characters to a stream: of its pages, which begin with form feeds, the lines
 * from the first to the last that are not blank, without blanks at their ends, and one between;
 * *shown counts lines over several figures, 0 before the first. False and *error. */
bool gb_plot_show(const char *path, FILE *to, size_t *shown, gb_error *error);

#endif
