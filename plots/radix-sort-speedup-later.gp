# How much faster than the paper's sequential sort on one CPU core what came after is.
#
# gpubench: title Sorting keys: speed-up over the paper's sort on one CPU core
# gpubench: x n
# gpubench: over cpu-lsd1
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: variant lsd1 lsd1 in CUDA
# gpubench: variant lsd8
# gpubench: variant onesweep
# gpubench: variant hybrid
# gpubench: variant cub-radix-sort CUB
# gpubench: variant cub-radix-sort-latest CUB, latest
# gpubench: variant cpu-parallel cpu-parallel (all cores)
# gpubench: leaves cpu-lsd1-operators cpu-lsd8 cpu-qsort: radix-sort-cpu has them
# gpubench: leaves opencl-* lsd1-*: the paper's, in radix-sort-speedup
# gpubench: leaves lsd4: between lsd1 and lsd8
# gpubench: leaves onesweep-out-of-core: radix-sort-out-of-core has it
# gpubench: leaves small: radix-sort-small has it
# gpubench: several-x

load ARG1
gb_xlabel = "keys"
gb_ylabel = "speed-up over cpu-lsd1"
gb_bars = 3
gb_more = 1
array gb_more_text[1] = ["as fast as cpu-lsd1"]
array gb_more_type[1] = [31]
load gb_common

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*(gb_speedup_min < 1 ? gb_speedup_min : 1.0)
gb_y_hi = 1.4*gb_larger(gb_speedup_max, 1)
eval gb_log_y

gb_plot = "plot 1 with lines lt 31 notitle, " . gb_curves(gb_speedup_columns)
eval gb_draw
