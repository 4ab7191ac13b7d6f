# The one figure of the array's paper: time over n by one block of 1024 threads, LFVector by busy
# waiting and, below it, memory that is reserved beforehand.
#
# gpubench: title push_back by one block of 1024 threads: LFVector and its lower bound
# gpubench: x n
# gpubench: where grid=blocks:1 keep=90 dist=uniform held=0 heap=8388608 granule=0
# gpubench: assumed pushes go to a second, empty array; the kernel that pushes is timed alone
# gpubench: variant lfvector-busy-wait LFVector, busy waiting
# gpubench: variant static memory reserved beforehand
# gpubench: leaves *: the paper's two alone
# gpubench: several-x
# gpubench: only dynamic-array

load ARG1
gb_xlabel = "elements looked at (n), of which nine in ten are pushed"
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
