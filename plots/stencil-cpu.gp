# The CPU's cores beside their own copy, from host memory to host memory, by the radius at the largest x; and the device
# with its transfers.
#
# gpubench: title Star stencils from host memory to host memory
# gpubench: x radius
# gpubench: largest x
# gpubench: best block
# gpubench: where y=256 z=256 steps=20 fused=1
# gpubench: variant cpu-copy CPU, copy
# gpubench: variant cpu-parallel CPU, all cores
# gpubench: variant cpu CPU, one core, plain
# gpubench: variant copy GPU and transfers, copy
# gpubench: variant base GPU and transfers, BASE
# gpubench: leaves *: the host's cores beside the plainest of the device
# gpubench: needs cpu-parallel

load ARG1
gb_shape = "box"
gb_xlabel = "radius"
gb_ylabel = "10⁹ cells/s"
gb_bars = 1
gb_panel_high = 240.0
load gb_common

gb_tics = gb_x_tics
set xrange [gb_x_min - 0.6 : gb_x_max + 0.6] # radii are places themselves
gb_y_hi = 1.08*gb_rate_max/1e9
eval gb_linear_y
gb_plot = gb_dumb ? "plot " . gb_curves("1:($2/1e9) with points") : \
    'plot for [s=gb_first[p]:gb_last[p]] gb_file[s] using (gb_at_slot($1, gb_style[s])):($2/1e9):(gb_bound(3,2)/1e9):' \
    . '(gb_bound(4,2)/1e9):(gb_bar*0.92) ' . gb_error_boxes . ' title gb_label[s]' . gb_with_gaps("$1")
eval gb_draw
