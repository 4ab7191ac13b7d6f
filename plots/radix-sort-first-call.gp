# What a fresh process pays besides: the paper's method with the initialisation of the device counted
# and without, over the number of keys.
#
# gpubench: title Sorting keys one bit a pass: time with the initialisation of the device
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=host-to-host
# gpubench: paper radix-sort-table1.csv
# gpubench: published opencl-lsd1 GPU, OpenCL
# gpubench: published lsd1 GPU, OpenCL
# gpubench: variant opencl-lsd1 lsd1 in OpenCL
# gpubench: variant opencl-lsd1-first-call lsd1 in OpenCL, first call of a process
# gpubench: variant lsd1 lsd1 in CUDA
# gpubench: variant lsd1-first-call lsd1 in CUDA, first call of a process
# gpubench: leaves *: what the first call of a process costs is asked of the paper's method alone
# gpubench: several-x
# gpubench: needs lsd1-first-call

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
