/* Running gnuplot. */
#ifndef GB_PLOT_GNUPLOT_H
#define GB_PLOT_GNUPLOT_H

#include "common/error.h"

#include <stdbool.h>

/* Runs `gnuplot -c script data` and waits for it; its output goes where ours goes. False and *error
 * (how to install it, if it is not there) if it cannot be started or fails. */
bool gb_gnuplot(const char *script, const char *data, gb_error *error);

#endif
