# What builds by insertion meet at the slots: by the depth of the cell, compare-and-swap that found
# another value and looks that found a lock. A column for each distribution.
#
# gpubench: title Contention: what threads met at the slots, by depth
# gpubench: dump contention
# gpubench: panels dist
# gpubench: variant burtscher-pingali-as-published Burtscher-Pingali, as published
# gpubench: variant octreebuild-lf-as-published OctreeBuild-LF, as published
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned

load ARG1
# All tries of a table, the most of what it counts, and the deepest cell at which anything happened.
gb_deepest = 0
array gb_total[gb_last[gb_panels]]
array gb_failed[gb_last[gb_panels]]
array gb_waits[gb_last[gb_panels]]
do for [s=1:gb_last[gb_panels]] {
    stats gb_file[s] using (column("failed") + column("waits") > 0 ? column("depth") : NaN) name "DEPTH" nooutput
    if (DEPTH_records > 0 && DEPTH_max > gb_deepest) { gb_deepest = DEPTH_max }
    stats gb_file[s] using (column("tries")) name "ALL" nooutput
    gb_total[s] = ALL_sum > 0 ? ALL_sum : 1
    stats gb_file[s] using (column("failed")) name "FAILED" nooutput
    gb_failed[s] = 1000*FAILED_max/gb_total[s]
    stats gb_file[s] using (column("waits")) name "WAITS" nooutput
    gb_waits[s] = 1000*WAITS_max/gb_total[s]
}
gb_share(name) = 1000.0*column(name)/gb_total[s]

# Two rows: what failed, and below it what waited.
gb_cells = 2*gb_panels
gb_across = gb_panels
gb_across_column = gb_panels
gb_panel_high = 170.0
gb_panel_ratio = 0.75
gb_own_y = gb_print_wide == 0
gb_named = 1
gb_of(p) = (p - 1) % gb_panels + 1
gb_waiting(p) = p > gb_panels
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] {
    gb_cell_name[p] = gb_panel_value[gb_of(p)] . (gb_waiting(p) ? ": found a lock" : ": failed") .         (gb_waiting(p) || gb_print_wide > 0 ? "" : " tries")
}
gb_shape = "box"
gb_xlabel = "depth of the cell (the root: 0)"
gb_ylabel = "of 1000 tries"
gb_remark = "Of 1000 compare-and-swap that were tried in the whole build, at all depths."
load gb_common

gb_x_lo = -0.6
gb_x_hi = gb_deepest + 0.6
set xrange [gb_x_lo : gb_x_hi]
gb_count = gb_last[1] - gb_first[1] + 1
gb_bar = 0.84/gb_count
gb_step = 1 + int(gb_deepest*(gb_text_wide("10", gb_tics_size) + 5)/gb_panel_wide)
do for [i=0:int(gb_deepest):gb_step] {
    gb_tics = gb_tics . sprintf("%s'%d' %d", i ? ", " : "", i, i)
    gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i ? ", " : "", i)
}
# Where nothing happened, too, there is a scale.
gb_each = 'gb_y_hi = 0.0; do for [s=gb_first[gb_of(p)]:gb_last[gb_of(p)]] { ' \
    . 'gb_y_hi = gb_larger(gb_y_hi, gb_waiting(p) ? gb_waits[s] : gb_failed[s]) }; ' \
    . 'gb_y_hi = gb_y_hi > 0 ? 1.05*gb_y_hi : 1; gb_name = gb_waiting(p) ? "waits" : "failed"; eval gb_linear_y'
gb_plot = gb_dumb ? 'plot for [s=gb_first[gb_of(p)]:gb_last[gb_of(p)]] gb_file[s] ' \
    . 'using (column("depth")):(gb_share(gb_name)) with linespoints lt gb_style[s] title gb_label[s]' : \
    'plot for [s=gb_first[gb_of(p)]:gb_last[gb_of(p)]] gb_file[s] using ' \
    . '(column("depth") + (s - gb_first[gb_of(p)] - 0.5*(gb_count - 1))*gb_bar):(gb_share(gb_name)):(gb_bar*0.92) ' \
    . gb_boxes
eval gb_draw
