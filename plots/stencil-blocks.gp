# Block shapes: 10^9 cells a second of each at the largest x, a panel for each radius.
#
# gpubench: title Star stencils: which block of threads
# gpubench: x block
# gpubench: categories
# gpubench: panels radius
# gpubench: largest x
# gpubench: where y=256 z=256 fused=1
# gpubench: variant base BASE
# gpubench: variant csl CSL
# gpubench: variant comp COMP
# gpubench: variant z-loop
# gpubench: variant z-loop-registers registers
# gpubench: variant z-loop-registers-csl registers, CSL
# gpubench: leaves cpu* copy *-as-printed planes async-copy tma temporal: have blocks of their own, or none
# gpubench: several-x

load ARG1
gb_across_column = 1
gb_panel_ratio = 0.4
# Where there are many, side by side takes room.
if (words(gb_x_values) > 12) { gb_across = 1 }
gb_panel_high = words(gb_x_values) > 12 ? 130.0 : 190.0
gb_turned = 1
gb_named = 1
gb_shape = "point"
gb_xlabel = "block of threads, x × y × z"
gb_ylabel = "10⁹ cells/s"
gb_bars = gb_few
gb_remark = (gb_resident && !gb_few ? "Open points: both arrays fit in the L2." : "")
load gb_common

gb_tics = gb_x_tics
do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > 1 ? ", " : "", i) }
gb_x_tics_font = gb_font(gb_larger(gb_least_size, gb_smaller(gb_tics_size, gb_panel_wide/gb_x_max/(1.15*gb_em))))
set xrange [0.4 : words(gb_x_values) + 0.6]
if (!gb_dumb) { set grid xtics }
gb_y_hi = 1.08*gb_rate_max/1e9
eval gb_linear_y

# Blocks have no order: points, not curves, side by side.
gb_plot = "plot " . gb_curves(gb_few ? gb_rate_columns : (gb_dumb ? "1" : "(gb_at_slot($1, gb_style[s]))") . ":($2/1e9) with points") \
    . (gb_dumb || gb_few || !gb_resident ? "" : ", " . gb_open_points("$2/1e9"))
eval gb_draw
