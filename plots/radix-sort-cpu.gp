# The sorts on the CPU, from host memory to host memory: time over the number of keys.
#
# gpubench: title Sorting keys on the CPU: time
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: paper radix-sort-table1.csv
# gpubench: published cpu-lsd1 one CPU core
# gpubench: variant cpu-lsd1 cpu-lsd1 (the paper's, one core)
# gpubench: variant cpu-lsd1-operators
# gpubench: variant cpu-qsort
# gpubench: variant cpu-lsd8
# gpubench: variant cpu-parallel cpu-parallel (all cores)
# gpubench: leaves lsd* small onesweep* hybrid cub-* opencl-*: run on the device
# gpubench: several-x
# gpubench: needs cpu-lsd1

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
