# The paper's graph: time over n by one block of 1024 threads, LFVector by busy waiting and its lower
# bound, and what else was measured there.
#
# gpubench: title push_back by one block of 1024 threads: time
# gpubench: x n
# gpubench: where grid=blocks:1 keep=90 dist=uniform held=0 heap=8388608 granule=0
# gpubench: needs cpu-lockfree
# gpubench: variant lfvector-busy-wait LFVector, busy waiting (the paper's)
# gpubench: variant static static (its lower bound)
# gpubench: variant lfvector-busy-wait-acquire busy waiting, strong load
# gpubench: variant growable
# gpubench: variant growable-push
# gpubench: variant static-tile
# gpubench: variant ggarray
# gpubench: variant cpu
# gpubench: variant cpu-lockfree
# gpubench: listed-only
# gpubench: several-x

load ARG1
gb_wide = 900
gb_high = 500
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [*:*]
set xlabel "elements looked at; those below 90 of 100 are pushed"
set ylabel "time"

eval gb_key_beside
if (!gb_dumb) { set mxtics 10 }
set format x "%.0s%c"
set format y "%.0s %cs"

eval "plot " . gb_curves(gb_time_columns)
