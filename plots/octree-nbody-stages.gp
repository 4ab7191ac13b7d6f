# A step of an n-body code by its parts, a panel each: what a second is worth over n.
#
# gpubench: title A step of an n-body code: throughput of its parts
# gpubench: primitive octree-nbody
# gpubench: x n
# gpubench: panels stage
# gpubench: where dist=plummer leaf=1 theta=0.5
# gpubench: needs morton
# gpubench: several-x
# gpubench: variant burtscher-pingali Burtscher-Pingali
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
