# The paper's figure and what else one block of 1024 threads can do: time over n.
#
# gpubench: title push_back by one block of 1024 threads: what came after the paper
# gpubench: x n
# gpubench: where grid=blocks:1 keep=90 dist=uniform held=0 heap=8388608 granule=0
# gpubench: needs cpu-lockfree
# gpubench: variant lfvector-busy-wait LFVector, busy waiting (the paper's)
# gpubench: variant static static (its lower bound)
# gpubench: variant lfvector-busy-wait-acquire busy waiting, strong load
# gpubench: variant growable
# gpubench: variant growable-push
# gpubench: variant static-tile
# gpubench: variant ggarray
# gpubench: leaves cpu*: dynamic-array-cpu has them
# gpubench: leaves lfvector-cas lfvector-busy-wait-hoisted lfvector-busy-wait-grid: lose pushes or hang
# gpubench: leaves static-warp cub-* growable-ordered growable-readable growable-mapped growable-reserved growable-resumed: made for the whole device
# gpubench: several-x

load ARG1
gb_xlabel = "elements looked at, of which nine in ten are pushed"
gb_bars = 2
load gb_common
gb_ylabel = "time in " . gb_time_unit

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*gb_time_min*gb_time_scale
gb_y_hi = 1.4*gb_time_max*gb_time_scale
eval gb_log_y

gb_plot = "plot " . gb_curves(gb_time_columns)
eval gb_draw
