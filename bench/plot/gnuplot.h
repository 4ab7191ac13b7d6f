/* Running gnuplot. */
#ifndef GB_PLOT_GNUPLOT_H
#define GB_PLOT_GNUPLOT_H

#include "bench/util/arena.h"

#include <stdbool.h>

/* A path that gnuplot takes for one: relative ones begin with "./", for it runs "<..." and "|..."
 * as commands and "~..." is a home. "" stays. */
const char *gb_gnuplot_path(gb_arena *arena, const char *path);

/* "text" between quotes, as gnuplot reads it, whatever characters it holds. */
const char *gb_gnuplot_text(gb_arena *arena, const char *text);

/* Runs `gnuplot -d -c script data` and waits for it, with nothing of the user's: neither ~/.gnuplot
 * nor the variables that choose terminals and folders; its output goes where ours goes. False and
 * *error (how to install it, if it is not there) if it cannot be started or fails, or if somebody
 * asked for an end (interrupt.h). */
bool gb_gnuplot(gb_arena *arena, const char *script, const char *data, gb_error *error);

#endif
