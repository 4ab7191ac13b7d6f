# Small inputs: time over the number of keys, a panel for keys and one for pairs.
#
# gpubench: title Sorting small inputs: time
# gpubench: x n
# gpubench: panels payload
# gpubench: where dist=uniform type=u32 order=ascending bits=all
# gpubench: variant small
# gpubench: variant onesweep
# gpubench: variant hybrid
# gpubench: variant cub-radix-sort CUB
# gpubench: variant cub-radix-sort-latest CUB, latest
# gpubench: leaves cpu-* opencl-* lsd1 lsd1-* lsd4 lsd8: slower by far
# gpubench: leaves onesweep-out-of-core: radix-sort-out-of-core has it
# gpubench: several-x
# gpubench: needs small

load ARG1
gb_xlabel = "keys"
gb_bars = 2
gb_named = 1
load gb_common
gb_ylabel = "time in " . gb_time_unit

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*gb_time_min*gb_time_scale
gb_y_hi = 1.4*gb_time_max*gb_time_scale
eval gb_log_y

gb_plot = "plot " . gb_curves(gb_time_columns)
eval gb_draw
