# How deep trees are: which part of their cells, and of the bodies by the cell whose slot holds their
# leaf, is at each depth.
#
# gpubench: title How deep the octrees are
# gpubench: dump depth
# gpubench: variant cpu sequential insertion
# gpubench: variant burtscher-pingali-as-published Burtscher-Pingali, as published
# gpubench: variant octreebuild-lf-as-published OctreeBuild-LF, as published
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned

load ARG1
# The depths that hold anything, and of each table the sum and the largest part of its cells and bodies.
array gb_sum[2*gb_last[1]]
gb_deepest = 0
gb_shallowest = 99
array gb_most[2] = [0.0, 0.0]
gb_counted(p) = p == 1 ? "cells" : "bodies"
do for [s=gb_first[1]:gb_last[1]] {
    do for [p=1:2] {
        stats gb_file[s] using (column(gb_counted(p))) name "ALL" nooutput
        gb_sum[2*s-2+p] = ALL_sum
        if (100.0*ALL_max/ALL_sum > gb_most[p]) { gb_most[p] = 100.0*ALL_max/ALL_sum }
        # Of less than a tenth of a percent there is nothing to be seen.
        stats gb_file[s] using (1000.0*column(gb_counted(p)) > ALL_sum ? column("depth") : NaN) name "DEPTH" nooutput
        if (DEPTH_max > gb_deepest) { gb_deepest = DEPTH_max }
        if (DEPTH_min < gb_shallowest) { gb_shallowest = DEPTH_min }
    }
}
gb_cells = 2
gb_across = 1
gb_across_column = 1
gb_wide = 860
gb_panel_high = 170.0
gb_named = 1
array gb_cell_name[2] = ["cells", "bodies, by the cell of their leaf"]
gb_shape = "box"
gb_xlabel = "depth (the root: 0)"
gb_ylabel = "in % of all"
gb_remark = "Depths that hold less than 0.1 % of all are left out at both ends."
load gb_common

set xrange [gb_shallowest - 0.6 : gb_deepest + 0.6]
gb_count = gb_last[1] - gb_first[1] + 1
gb_bar = 0.84/gb_count
do for [i=int(gb_shallowest):int(gb_deepest)] {
    gb_tics = gb_tics . sprintf("%s'%d' %d", i > gb_shallowest ? ", " : "", i, i)
    gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > gb_shallowest ? ", " : "", i)
}
gb_each = 'gb_y_hi = 1.05*gb_most[p]; eval gb_linear_y'
# Side by side, by their place in the list.
gb_plot = 'plot for [s=gb_first[1]:gb_last[1]] gb_file[s] using ' \
    . '(column("depth") + (s - gb_first[1] - 0.5*(gb_count - 1))*gb_bar):(100.0*column(gb_counted(p))/gb_sum[2*s-2+p])' \
    . (gb_dumb ? ' with linespoints lt gb_style[s] title gb_label[s]' : ':(gb_bar*0.92) ' . gb_boxes)
eval gb_draw
