/* The figure of `gpubench scaling`. Inside the commands only. */
#ifndef GB_COMMANDS_SCALING_PLOT_H
#define GB_COMMANDS_SCALING_PLOT_H

#include "bench/scaling/scaling.h"

/* Draws efficiency over numbers of GPUs, measured and projected, into a file, whose ending says in
 * which format. False and *error. */
bool gb_scaling_plot(gb_arena *arena, const gb_scaling *scaling, const char *path, gb_error *error);

#endif
