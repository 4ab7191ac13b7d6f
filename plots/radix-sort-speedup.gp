# How much faster than the sequential sort on one CPU core the paper's method is, over the number of
# keys, with the paper's points.
#
# gpubench: title Sorting keys one bit a pass: speed-up over the same on one CPU core
# gpubench: x n
# gpubench: over cpu-lsd1
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: paper radix-sort-table1.csv
# gpubench: published opencl-lsd1 GPU, OpenCL
# gpubench: published lsd1 GPU, OpenCL
# gpubench: variant opencl-lsd1 lsd1 in OpenCL
# gpubench: variant opencl-lsd1-first-call lsd1 in OpenCL, first call of a process
# gpubench: variant lsd1 lsd1 in CUDA
# gpubench: variant lsd1-first-call lsd1 in CUDA, first call of a process
# gpubench: leaves *: the paper's method alone
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
