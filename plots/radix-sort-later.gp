# What came after one bit a pass: time over the number of keys.
#
# gpubench: title Sorting keys: time of what came after one bit a pass
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: variant lsd1 lsd1 in CUDA
# gpubench: variant lsd4
# gpubench: variant lsd8
# gpubench: variant onesweep
# gpubench: variant hybrid
# gpubench: variant cub-radix-sort CUB
# gpubench: variant cub-radix-sort-latest CUB, latest
# gpubench: leaves cpu-* opencl-* lsd1-*: the paper's, in radix-sort-time and -cpu
# gpubench: leaves onesweep-out-of-core: radix-sort-out-of-core has it
# gpubench: leaves small: radix-sort-small has it
# gpubench: several-x
# gpubench: needs lsd4

load ARG1
gb_xlabel = "keys"
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
