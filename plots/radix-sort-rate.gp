# Throughput over the number of keys: this project's sorts, CUB, and what the memory bandwidth
# allows a sort that reads and writes every key once.
#
# gpubench: title Sorting keys: throughput
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all
# gpubench: variant hybrid
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort CUB
# gpubench: variant lsd8
# gpubench: variant lsd4
# gpubench: variant lsd1
# gpubench: variant lsd1-unpadded
# gpubench: variant opencl-lsd1
# gpubench: variant cpu-parallel
# gpubench: listed-only
# gpubench: limit

load ARG1
gb_wide = 900
gb_high = 520
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [gb_rate_min/1.4e9 : *]
set xlabel "keys"
set ylabel "throughput in 10⁹ keys/s"
eval gb_decades

eval gb_key_beside
if (!gb_dumb) { set mxtics 10 }
set format x "%.0s%c"

eval "plot " . gb_limit_and(gb_curves(gb_rate_columns))
