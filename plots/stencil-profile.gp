# What the caches do at the largest x for the paper's kernels and those that loop over z: hit rates of L1 and L2 and the
# bytes that the memory moves for a cell, over the radius (scripts/profile.sh).
#
# gpubench: title Star stencils: hit rates and bytes of memory a cell, plain kernels
# gpubench: profile
# gpubench: x radius
# gpubench: largest x
# gpubench: best block steps
# gpubench: where fused=1
# gpubench: variant copy
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop
# gpubench: variant z-loop-registers registers
# gpubench: variant z-loop-registers-csl registers, CSL
# gpubench: leaves cpu*: no profile of the device
# gpubench: leaves *-as-printed: made well they are drawn
# gpubench: leaves planes async-copy tma temporal: stencil-profile-planes has them

load ARG1
gb_cells = 3
gb_across = 3
gb_across_column = 1
gb_wide = 1000
gb_panel_high = 240.0
gb_panel_ratio = gb_print_wide > 300 ? 1.0 : 0.4
gb_own_y = 1
gb_named = 0
gb_xlabel = "radius"
gb_remark = "All kernels of a run together, loads and stores; of several blocks the fastest. At least 8 bytes a cell in one step."
gb_more = 1
array gb_more_text[1] = ["8 bytes a cell"]
array gb_more_type[1] = [31]
load gb_common

set xrange [gb_x_min-0.3 : gb_x_max+0.3]
gb_tics = gb_x_tics
do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %s", i > 1 ? ", " : "", word(gb_x_values, i)) }
gb_bytes = 8.0
do for [s=gb_first[1]:gb_last[1]] {
    stats gb_file[s] using ($4+$5) nooutput
    gb_bytes = gb_larger(gb_bytes, STATS_max)
}
# Hit rates of both caches and the bytes that the memory moves.
gb_each = 'gb_ylabel = p == 1 ? "L1 hit rate in %" : p == 2 ? "L2 hit rate in %" : "bytes of memory a cell"; ' \
    . 'gb_y_hi = p < 3 ? 100.0 : 1.08*gb_bytes; eval gb_linear_y'
gb_plot = 'plot (p == 3 ? 8 : NaN) with lines lt 31 title "8 bytes a cell", ' \
    . gb_halos("gb_first[1]", "gb_last[1]", "1", "(p == 1 ? 100*$2 : p == 2 ? 100*$3 : $4 + $5)") \
    . 'for [s=gb_first[1]:gb_last[1]] gb_file[s] using 1:(p == 1 ? 100*$2 : p == 2 ? 100*$3 : $4 + $5) ' \
    . 'with linespoints lt gb_style[s] title gb_label[s]'
eval gb_draw
