/* The data of a figure: one table a series, and a gnuplot file that names them. */
#ifndef GB_PLOT_DATA_H
#define GB_PLOT_DATA_H

#include "bench/plot/script.h"
#include "bench/plot/target.h"

/* Writes the tables of a slice into a folder, then `data.gp` there, which defines for the script:
 *
 *   gb_format gb_output gb_common gb_columns gb_lines gb_colour
 *   gb_print_wide                 how wide it is printed, in points; 0: it is for the screen
 *   gb_titled                     0: without title and subtitle, which are left to a caption
 *   gb_title gb_subtitle gb_note gb_x_axis
 *   gb_unit                       what rates count: "keys", "items" where the results do not say
 *   gb_assumed                    what the numbers rest on and no paper says; ""
 *   gb_unlisted                   variants that were measured and of which the script says nothing
 *   gb_many                       the script's reason for more than seven series; ""
 *   gb_x_tics                     'label' position, ... for `set xtics`
 *   gb_x_tics_log                 the same for a logarithmic axis: crowded tics have no label
 *   gb_x_values                   the values, separated by blanks
 *   gb_x_is_named gb_x_name[]     1: of categories; their names
 *   gb_x_min gb_x_max             of the x axis's values
 *   gb_rated                      1: rates show them all; 0: another tool gave some times alone
 *   gb_rate_min gb_rate_max gb_time_min gb_time_max gb_speedup_min gb_speedup_max
 *                                 of everything drawn but the limit, in SI units, with intervals as
 *                                 far as these leave room for the rest; 0: there is none
 *   gb_rate_bars gb_time_bars gb_speedup_bars     1: some rate, time, speed-up that is drawn has
 *                                 an interval
 *   gb_is_speedup                 1: of a script that has the key `over`
 *   gb_few                        1: no panel has three values of x, which makes bars
 *   gb_device_panels              how many devices have panels of their own; 0: they share them
 *   gb_panels gb_panel_title[] gb_panel_value[]    at least one panel
 *   gb_first[] gb_last[]          the series of each panel, by number
 *   gb_file[] gb_label[]          of each series
 *   gb_variant[] gb_device[]      its variant; its device, with " (paper)" behind a paper's
 *   gb_at[]                       where the script holds it: "block=32x1x1", ""
 *   gb_best[]                     of the best over axes, which values it has, the most frequent
 *                                 first: "64x4x1 (60 of 64), 32x8x1 (4 of 64)"; "": no choice
 *   gb_published[]                1: a paper's
 *   gb_points[]                   how many values of x it has
 *   gb_end_rate[] gb_end_time[] gb_end_speedup[]   what it has at its last value of x; 0: nothing
 *   gb_under[] gb_most_under      how many curves above one another cover it, 3 at most, in some
 *                                 panel; the most of all
 *   gb_level[]                    the rate of a paper's best over x, which its file has at gb_x_min
 *                                 and gb_x_max; 0 of all other series
 *   gb_bandwidth[] gb_peak[]      of its device, in bytes/s and flop/s, by the script's data
 *                                 sheets; 0: they do not say
 *   gb_style[]                    a line type, the same in all panels: 1, 2, ... for the measured
 *                                 series, 21, 22, ... for the paper's
 *   gb_jumps gb_jump_from[] gb_jump_to[]
 *                                 neighbours along x of nearly the same size, one in thousands and
 *                                 one in powers of two
 *   gb_missing[]                  file of what each panel lacks, with columns x, style and why, in
 *                                 a word; "": it lacks nothing
 *   gb_gaps                       why, with the variants; ""
 *   gb_limit[]                    file of the limit of each panel, "" if there is none
 *   gb_limit_label gb_limit_max   what sets it; the highest, 0 if there is none
 *   gb_resident                   1: some point is flagged cache-resident
 *
 * Tables are blank-separated with one header line that names the columns; cache_resident is 0 or 1;
 * "?" is absent, in bounds where there is no interval; of categories, 1, 2, ... stand for the
 * values of x. Series without a value at any point are left out; false and *error if that leaves
 * none. */
bool gb_plot_data_write(gb_arena *arena, const char *folder, const gb_plot_script *script,
                        const gb_result_set *set, const gb_slice *slice, const gb_result_set *paper,
                        const gb_plot_target *target, gb_error *error);

#endif
