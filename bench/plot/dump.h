/* The data of a figure that is drawn from a file of `gpubench dump`. */
#ifndef GB_PLOT_DUMP_H
#define GB_PLOT_DUMP_H

#include "bench/plot/data.h"
#include "bench/rows/dumps.h"

/* Writes a blank-separated table for each variant and point into a folder, with the dump's own
 * columns under their names, then `data.gp` there, which defines for the script:
 *
 *   gb_format gb_output gb_common gb_columns gb_lines gb_colour gb_print_wide gb_titled
 *   gb_title gb_subtitle gb_note gb_assumed gb_many
 *   gb_panels gb_panel_title[] gb_panel_value[] gb_first[] gb_last[]
 *   gb_file[] gb_label[] gb_variant[] gb_device[] gb_style[] gb_published[] gb_points[]
 *                                                               of each table
 *
 * as for other figures (data.h). A label says in what a table differs from the others; tables
 * of the same label have the same style in all panels. False and *error. */
bool gb_plot_dump_write(gb_arena *arena, const char *folder, const gb_plot_script *script,
                        const gb_dump_file *file, const gb_plot_target *target, gb_error *error);

#endif
