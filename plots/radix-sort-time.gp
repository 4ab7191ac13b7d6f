# Table 1 of the paper as a figure: time over the number of keys of its method, in its technology and
# in CUDA, and of its sequential sort on the CPU.
#
# gpubench: title Sorting keys one bit a pass: time, measured and as published (Table 1)
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: paper radix-sort-table1.csv
# gpubench: published opencl-lsd1 GPU, OpenCL
# gpubench: published lsd1 GPU, OpenCL
# gpubench: published cpu-lsd1 one CPU core
# gpubench: variant opencl-lsd1 lsd1 in OpenCL
# gpubench: variant lsd1 lsd1 in CUDA
# gpubench: variant lsd1-unpadded lsd1-unpadded in CUDA
# gpubench: variant cpu-lsd1
# gpubench: variant cpu-lsd1-operators
# gpubench: leaves *: the paper's method alone
# gpubench: several-x
# gpubench: needs lsd1

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
