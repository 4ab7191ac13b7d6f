# Table 1 of the paper as a figure: throughput over the number of bins, a row for each n; measured on the
# left and as printed on the right, each on a scale of its own.
#
# gpubench: title GPU multisplit and Multipartition, measured and as published (Table 1)
# gpubench: x bins
# gpubench: panels n
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: paper multipartition-table1.csv
# gpubench: variant multipartition Multipartition
# gpubench: variant multisplit GPU multisplit
# gpubench: leaves *: the paper's two methods alone
# gpubench: several-x 3
# gpubench: only multipartition

load ARG1
# The papers' come behind the measured ones; either may be missing.
array gb_from[gb_panels]
array gb_measured_on[gb_panels]
gb_measured = 0
gb_papers = 0
gb_most_measured = 0.0
gb_most_printed = 0.0
do for [p=1:gb_panels] {
    gb_from[p] = gb_last[p] + 1
    gb_measured_on[p] = ""
    do for [s=gb_last[p]:gb_first[p]:-1] {
        stats gb_file[s] using ($2/1e9) nooutput
        if (gb_published[s]) {
            gb_from[p] = s
            gb_papers = 1
            if (STATS_max > gb_most_printed) { gb_most_printed = STATS_max }
            gb_printed_by = gb_device[s]
        } else {
            gb_measured_on[p] = gb_device[s]
            gb_measured = 1
            if (STATS_max > gb_most_measured) { gb_most_measured = STATS_max }
        }
    }
}
gb_both = gb_measured && gb_papers
gb_cells = gb_both ? 2*gb_panels : gb_panels
gb_across = gb_both ? 2 : 1
gb_across_column = 1
gb_panel_high = 120.0
gb_panel_ratio = gb_print_wide > 300 ? 0.42 : 0.27
gb_named = 1
gb_row(p) = gb_both ? (p + 1)/2 : p
gb_shows_paper(p) = gb_both ? p % 2 == 0 : gb_papers
gb_one(p) = gb_shows_paper(p) ? gb_from[gb_row(p)] : gb_first[gb_row(p)]
gb_end(p) = gb_shows_paper(p) ? gb_last[gb_row(p)] : gb_from[gb_row(p)] - 1
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] {
    gb_cell_name[p] = "n = " . gb_panel_value[gb_row(p)] . ", " . \
        (gb_shows_paper(p) ? gb_printed_by : gb_measured_on[gb_row(p)])
}

gb_xlabel = "bins"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
gb_turned = 1
load gb_common

gb_x_pad = 1.1
eval gb_log_x
eval gb_tics_at_values
# All panels of a column on one scale, so that heights can be compared.
gb_each = 'gb_y_hi = 1.08*(gb_shows_paper(p) ? gb_most_printed : gb_most_measured); eval gb_linear_y'
gb_plot = "plot NaN notitle, " . gb_curves_from("gb_one(p)", "gb_end(p)", gb_rate_columns)
eval gb_draw
