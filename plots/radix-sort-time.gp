# Time over the number of keys, both logarithmic: every variant measured and the paper's two.
#
# gpubench: title Sorting keys: time
# gpubench: x n
# gpubench: where dist=uniform type=u32 payload=none order=ascending bits=all scope=all
# gpubench: paper radix-sort-table1.csv
# gpubench: variant lsd1
# gpubench: variant cpu-lsd1
# gpubench: variant hybrid
# gpubench: variant onesweep
# gpubench: variant cub-radix-sort CUB

load ARG1
gb_wide = 900
gb_high = 540
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [*:*]
set xlabel "keys"
set ylabel "time"

eval gb_key_beside
if (!gb_dumb) { set mxtics 10 }
set format x "%.0s%c"
set format y "%.0s %cs"

eval "plot " . gb_curves(gb_time_columns)
