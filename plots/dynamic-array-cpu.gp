# The paper's two on the GPU, one block of 1024 threads, beside the CPU: time over n.
#
# gpubench: title push_back by one block of 1024 threads, and by the CPU
# gpubench: x n
# gpubench: where grid=blocks:1 keep=90 dist=uniform held=0 heap=8388608 granule=0
# gpubench: needs cpu-lockfree
# gpubench: variant lfvector-busy-wait LFVector, busy waiting (the paper's)
# gpubench: variant static static (its lower bound)
# gpubench: variant cpu CPU, one core
# gpubench: variant cpu-lockfree CPU, LFVector by all cores
# gpubench: leaves *: the paper's two and the CPU alone; what the device does besides stands in figures of its own
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
