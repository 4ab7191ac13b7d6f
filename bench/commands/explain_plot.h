/* The figure of `gpubench compare --explain`. Inside the commands only. */
#ifndef GB_COMMANDS_EXPLAIN_PLOT_H
#define GB_COMMANDS_EXPLAIN_PLOT_H

#include "bench/compare/explain.h"

/* Draws an explanation into a file, whose ending says in which format. False and *error. */
bool gb_explain_plot(gb_arena *arena, const gb_explanation *explanation, const char *path,
                     gb_error *error);

#endif
