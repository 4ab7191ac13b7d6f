# LFVector by compare-and-swap over n, by the heap's size and the grid: a curve ends where pushes are
# lost. Beside it busy waiting, which takes each bucket once.
#
# gpubench: title LFVector by compare-and-swap: time, as far as it survives
# gpubench: x n
# gpubench: where keep=90 dist=uniform held=0 granule=0 heap=8388608 grid=blocks:1
# gpubench: needs lfvector-cas
# gpubench: variant lfvector-cas[grid=blocks:1,heap=8388608] CAS, one block, heap 8 MiB
# gpubench: variant lfvector-cas[grid=full,heap=8388608] CAS, many blocks, heap 8 MiB
# gpubench: variant lfvector-cas[grid=blocks:1,heap=1073741824] CAS, one block, heap 1 GiB
# gpubench: variant lfvector-cas[grid=full,heap=1073741824] CAS, many blocks, heap 1 GiB
# gpubench: variant lfvector-busy-wait[grid=blocks:1,heap=8388608] busy waiting, heap 8 MiB
# gpubench: listed-only
# gpubench: several-x

load ARG1
gb_wide = 900
gb_high = 480
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.5 : 1.5e6]
set yrange [*:*]
set xlabel "elements looked at; a curve ends before the first n at which pushes are lost"
set ylabel "time"

eval gb_key_beside
if (!gb_dumb) { set mxtics 10 }
set format x "%.0s%c"
set format y "%.0s %cs"

eval "plot " . gb_curves(gb_time_columns)
