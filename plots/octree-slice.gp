# The tree itself: the cells that a plane through the middle of the bodies cuts, each divided into its
# quarters, over the bodies of the leaves that it cuts. A column for each distribution: all of it, and
# the middle of the bodies from nearby.
#
# gpubench: title Octrees, cut at the middle of the bodies' z
# gpubench: dump slice
# gpubench: panels dist

load ARG1
# Of each table the root's corner and side, which stand in its first row, and where most of the bodies lie.
array gb_x0[gb_panels]
array gb_y0[gb_panels]
array gb_root[gb_panels]
array gb_near[gb_panels]
array gb_near_x[gb_panels]
array gb_near_y[gb_panels]
array gb_dot[gb_panels]
set datafile missing "?"
do for [d=1:gb_panels] {
    stats gb_file[gb_first[d]] every ::0::0 using (column("x")) name "X" nooutput
    stats gb_file[gb_first[d]] every ::0::0 using (column("y")) name "Y" nooutput
    stats gb_file[gb_first[d]] every ::0::0 using (column("size")) name "ROOT" nooutput
    stats gb_file[gb_first[d]] using (strcol("kind") eq "body" ? column("x") : NaN) name "XS" nooutput
    stats gb_file[gb_first[d]] using (strcol("kind") eq "body" ? column("y") : NaN) name "YS" nooutput
    gb_x0[d] = X_min
    gb_y0[d] = Y_min
    gb_root[d] = ROOT_min
    gb_spread = XS_up_quartile - XS_lo_quartile
    if (YS_up_quartile - YS_lo_quartile > gb_spread) { gb_spread = YS_up_quartile - YS_lo_quartile }
    gb_near[d] = gb_spread > 0 && 6*gb_spread < ROOT_min ? 2*gb_spread : ROOT_min/3
    gb_near_x[d] = 0.5*(XS_up_quartile + XS_lo_quartile - gb_near[d])
    gb_near_y[d] = 0.5*(YS_up_quartile + YS_lo_quartile - gb_near[d])
    gb_dot[d] = XS_records > 1500 ? sqrt(1500.0/XS_records) : 1.0
}

# One distribution's two pictures stand side by side, those of several below one another.
gb_cells = gb_format eq "dumb" ? gb_panels : 2*gb_panels
gb_across = gb_panels > 1 ? gb_panels : 2
gb_across_column = gb_across
gb_of(p) = gb_format eq "dumb" ? p : gb_panels > 1 ? (p - 1) % gb_panels + 1 : 1
gb_is_near(p) = gb_format ne "dumb" && p > gb_panels
gb_left = gb_print_wide > 0 ? 14.0 : 34.0
gb_right = gb_print_wide > 0 ? 4.0 : 14.0
gb_between = gb_print_wide > 0 ? 6.0 : 18.0
gb_panel_high = 300.0
gb_wide = gb_left + gb_right + gb_across*gb_panel_high + (gb_across - 1)*gb_between
gb_panel_ratio = 1.0
gb_below = gb_print_wide > 0 ? 12.0 : 22.0
gb_named = 1
array gb_cell_name[gb_cells]
do for [p=1:gb_cells] {
    gb_cell_name[p] = gb_is_near(p) ? sprintf("%.2g times nearer", gb_root[gb_of(p)]/gb_near[gb_of(p)]) : gb_panel_value[gb_of(p)]
}
# From the few lines of the large cells to the many of the deep ones.
gb_depths = "0 4 8 12 16"
gb_colours = "#B9C7D2 #7FB0D6 #2F7FBD #5B3A8C #200030"
gb_own_key = 1
gb_keys = 6
array gb_key_text[6]
array gb_key_type[6]
array gb_key_shape[6]
do for [i=1:5] {
    gb_key_text[i] = (i == 1 ? "cells of depth " : "") . word(gb_depths, i)
    gb_key_type[i] = 50 + i
    gb_key_shape[i] = "line"
}
gb_key_text[6] = "bodies"
gb_key_type[6] = 56
gb_key_shape[6] = "point"
gb_xlabel = "x"
gb_ylabel = "y"
gb_remark = "Bodies in leaves that the plane cuts; the lengths are the distribution's own. " . (gb_panels > 1 ? "Below" : "On the right") \
    . ": where most of them lie, which is framed " . (gb_panels > 1 ? "above." : "on the left.")
load gb_common

do for [i=1:5] { set linetype 50+i lc rgb word(gb_colours, i) lw 1.4 dt 1 }
set linetype 56 lc rgb "#101010" pt 7 ps 0.4
if (!gb_dumb) {
    gb_tics_high = gb_printed ? 1.0 : 3.0
    gb_ylabel_at = gb_left - (gb_printed ? 6.0 : 12.0)
    unset grid
    unset xtics
    unset ytics
    gb_place_tics = ''
    unset colorbox
    set border 15 lc rgb "#606060" lw 0.8
    set palette defined (0 "#B9C7D2", 4 "#7FB0D6", 8 "#2F7FBD", 12 "#5B3A8C", 16 "#200030")
    set cbrange [0 : 16]
    set clip two
}
# The lines that part a cell into its quarters: through its middle, one along x and one along y.
gb_cell_x(part) = strcol("kind") eq "cell" ? column("x") + part*column("size") : NaN
gb_cell_y(part) = column("y") + part*column("size")
gb_each = 'd = gb_of(p); gb_data = gb_file[gb_first[d]]; gb_span = gb_is_near(p) ? gb_near[d] : gb_root[d]; ' \
    . 'gb_from_x = gb_is_near(p) ? gb_near_x[d] : gb_x0[d]; gb_from_y = gb_is_near(p) ? gb_near_y[d] : gb_y0[d]; ' \
    . 'set xrange [gb_from_x : gb_from_x + gb_span]; set yrange [gb_from_y : gb_from_y + gb_span]; unset object 1; ' \
    . 'if (!gb_is_near(p) && !gb_dumb) { set object 1 rectangle from gb_near_x[d], gb_near_y[d] ' \
    . 'to gb_near_x[d] + gb_near[d], gb_near_y[d] + gb_near[d] fs empty border lc rgb "#D55E00" lw 1.6 dt 1 front }'
gb_end = 'unset object 1'
gb_plot = gb_dumb ? 'plot gb_data using (strcol("kind") eq "body" ? column("x") : NaN):(column("y")) with dots notitle' : \
    'plot gb_data using (gb_cell_x(0)):(gb_cell_y(0.5)):(column("size")):(0):(column("depth")) ' \
    . 'with vectors nohead lw 0.7 dt 1 lc palette, ' \
    . 'gb_data using (gb_cell_x(0.5)):(gb_cell_y(0)):(0):(column("size")):(column("depth")) ' \
    . 'with vectors nohead lw 0.7 dt 1 lc palette, ' \
    . 'gb_data using (strcol("kind") eq "body" ? column("x") : NaN):(column("y")) ' \
    . 'with points pt 7 ps (gb_is_near(p) ? 0.22 : 0.09)*gb_dot[d]*gb_panel_wide/300.0 lc rgb "#101010"'
eval gb_draw
