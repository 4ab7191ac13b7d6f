# Throughput over the number of keys: this project's sorts, CUB, and what the memory bandwidth
# allows a sort that reads and writes every key once.
#
# gpubench: title Sorting keys: throughput
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all
# gpubench: variant hybrid
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort CUB
# gpubench: variant cub-radix-sort-latest CUB, latest
# gpubench: variant lsd8
# gpubench: variant lsd4
# gpubench: variant lsd1
# gpubench: variant onesweep-out-of-core
# gpubench: leaves cpu-* opencl-* lsd1-*: the paper's, in radix-sort-time and -cpu
# gpubench: leaves small: radix-sort-small has it
# gpubench: several-x
# gpubench: limit

load ARG1
gb_xlabel = "keys"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
load gb_common

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_larger(gb_rate_max, gb_limit_max)/1e9
eval gb_log_y

gb_plot = gb_limit_and(gb_curves(gb_rate_columns))
eval gb_draw
