/* The data of a figure over generations of GPUs. */
#ifndef GB_PLOT_GENERATIONS_H
#define GB_PLOT_GENERATIONS_H

#include "bench/plot/data.h"

/* Writes a table a series (a version as measured, or as printed) into a folder, then `data.gp`
 * there, which defines for the script:
 *
 *   gb_format gb_output gb_common gb_columns gb_lines gb_colour gb_print_wide gb_titled
 *   gb_title gb_subtitle gb_note gb_assumed gb_many gb_unit gb_published[] gb_points[]
 *   gb_x_tics gb_x_values gb_x_is_named gb_x_name[] gb_x_min gb_x_max
 *   gb_panels gb_panel_title[] gb_panel_value[] gb_first[] gb_last[]    one panel, of all series
 *   gb_file[] gb_label[] gb_variant[] gb_device[] gb_style[]            as for other figures
 *   gb_rate_bars gb_speedup_bars                                        (data.h), and
 *   gb_generations                path of plots/generations.gp, which draws it
 *   gb_architecture[] gb_measured[]      of each value of x; "": no data sheet of it is known;
 *                                 1: something was measured on it
 *   gb_line[] gb_name_of_line[]   of each series: which version it is of, from 1, and its name
 *   gb_is_ratio[]                 1: speed-ups
 *   gb_joined_count gb_joined[] gb_joined_line[]    files of all points of a version, and which it
 *   gb_lowest[] gb_highest[]      of rates (1), of these over the bandwidth (2) and the cycles (3),
 *                                 of speed-ups (4), in SI units; 0: the script asks for none, or
 *                                 there are none
 *
 * Each table has the columns of other figures, then per_bandwidth, per_sm_cycle (13, 14) and
 * both (15: 1, the same was measured and is printed); the first is the number of the device. False
 * and *error. */
bool gb_plot_generations_write(gb_arena *arena, const char *folder, const gb_plot_script *script,
                               const gb_generation *generation, const gb_plot_target *target,
                               gb_error *error);

#endif
