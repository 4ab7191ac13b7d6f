# Neighbours of all bodies by a tree and by a grid: queries a second over n, a panel for each distribution.
#
# gpubench: title Neighbours: queries by a tree and by a grid
# gpubench: primitive octree-neighbours
# gpubench: x n
# gpubench: panels dist
# gpubench: where find=within stage=queries k=16 leaf=1
# gpubench: needs morton
# gpubench: several-x
# gpubench: variant grid
# gpubench: variant morton
# gpubench: leaves direct: all pairs, which the table has

load ARG1
gb_xlabel = "bodies"
gb_ylabel = "10⁹ bodies/s"
gb_bars = 1
gb_named = 1
load gb_common

gb_x_pad = 1.15
eval gb_log_x
eval gb_tics_at_sizes
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_rate_max/1e9
eval gb_log_y

gb_plot = "plot " . gb_curves(gb_rate_columns)
eval gb_draw
