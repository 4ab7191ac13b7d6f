/* A figure from its rows to its file. */
#ifndef GB_PLOT_MAKE_H
#define GB_PLOT_MAKE_H

#include "bench/plot/figures.h"
#include "bench/plot/target.h"

/* Writes a figure's data tables for a target into a folder, for gb_plot_draw. */
bool gb_plot_write(gb_arena *arena, const char *folder, const gb_plot_figure *figure,
                   const gb_plot_target *target, gb_error *error);
/* Draws a figure into target->output, its data in a temporary folder. False and *error:
 * GB_UNSUPPORTED if there is nothing of it to draw, or if it does not fit on a screen of
 * characters. */
bool gb_plot_make(gb_arena *arena, const gb_plot_figure *figure, const gb_plot_target *target,
                  gb_error *error);

/* Removes a folder's files of wanted names, those that begin with a dot left out; NULL: all. */
void gb_plot_remove_files(gb_arena *arena, const char *folder, bool (*wanted)(const char *name));
/* Removes a folder of plain files. */
void gb_plot_remove_folder(gb_arena *arena, const char *folder);

/* Finds plots/common.gp, which all figures need. False and *error. */
bool gb_plot_common(gb_arena *arena, const char **path, gb_error *error);

#endif
