/* The figure of `gpubench history`. Inside the commands only. */
#ifndef GB_COMMANDS_HISTORY_PLOT_H
#define GB_COMMANDS_HISTORY_PLOT_H

#include "bench/history/history.h"

/* Draws the rates of a history of one series over its runs into a file, whose ending says in which
 * format. False and *error. */
bool gb_history_plot(const gb_history *history, const gb_choices *chosen, const char *path,
                     gb_error *error);

#endif
