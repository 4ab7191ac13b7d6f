/* A figure of a table that a command made, by a script of its own. Inside the commands only. */
#ifndef GB_COMMANDS_MADE_TABLE_PLOT_H
#define GB_COMMANDS_MADE_TABLE_PLOT_H

#include "bench/util/arena.h"
#include "common/text/csv.h"
#include "common/text/error.h"

#include <stdbool.h>

/* Draws a table, laid out as one of `gpubench dump`, by plots/NAME.gp into a file, whose ending
 * says in which format; frees it. False and *error. */
bool gb_made_table_plot(gb_arena *arena, const char *name, gb_csv *csv, const char *path,
                        gb_error *error);

#endif
