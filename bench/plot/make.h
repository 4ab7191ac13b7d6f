/* A figure from its rows to its file, in a folder of its own that is removed behind it. */
#ifndef GB_PLOT_MAKE_H
#define GB_PLOT_MAKE_H

#include "bench/plot/figures.h"
#include "bench/plot/target.h"

/* Draws a figure into target->output. False and *error: GB_UNSUPPORTED if it does not fit on a
 * screen of characters. */
bool gb_plot_make(gb_arena *arena, const gb_plot_figure *figure, const gb_plot_target *target,
                  gb_error *error);

/* Finds plots/common.gp, which all figures need. False and *error. */
bool gb_plot_common(gb_arena *arena, const char **path, gb_error *error);

#endif
