# Elements pushed a second by the whole device over n: arrays that grow, arrays that do not, and what
# the memory bandwidth allows.
#
# gpubench: title push_back by the whole device: throughput
# gpubench: x n
# gpubench: where grid=full keep=90 dist=uniform held=0 heap=8388608 granule=0
# gpubench: needs cub-select
# gpubench: variant growable
# gpubench: variant static-tile
# gpubench: variant growable-ordered
# gpubench: variant growable-readable
# gpubench: variant growable-mapped
# gpubench: variant ggarray
# gpubench: variant cub-select CUB (does not grow)
# gpubench: variant static-warp
# gpubench: variant growable-push
# gpubench: variant static static (one atomicAdd an element)
# gpubench: variant growable-reserved
# gpubench: variant growable-resumed
# gpubench: listed-only
# gpubench: several-x
# gpubench: limit

load ARG1
gb_wide = 900
gb_high = 520
load gb_common

set logscale xy 10
set xrange [gb_x_min/1.3 : gb_x_max*1.3]
set yrange [gb_rate_min/1.4e9 : *]
set xlabel "elements looked at; nine of ten are pushed"
set ylabel "throughput in 10⁹ pushed elements/s"
eval gb_decades

eval gb_key_beside
if (!gb_dumb) { set mxtics 10 }
set format x "%.0s%c"

eval "plot " . gb_limit_and(gb_curves(gb_rate_columns))
