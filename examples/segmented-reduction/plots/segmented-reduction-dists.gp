# Elements a second by how lengths are spread, at the largest n; a panel for each number of segments.
#
# gpubench: title Sums of segments: throughput by the distribution of lengths
# gpubench: x dist
# gpubench: categories
# gpubench: panels segments
# gpubench: largest n
# gpubench: where type=u32
# gpubench: variant merge-path
# gpubench: variant by-segment
# gpubench: variant cub-segmented-reduce CUB segmented reduce
# gpubench: variant cub-segmented-reduce-latest CUB segmented reduce, latest
# gpubench: variant cub-reduce-by-key CUB reduce by key
# gpubench: variant cub-reduce-by-key-latest CUB reduce by key, latest
# gpubench: leaves cpu-*: on the host, in segmented-reduction-cpu
# gpubench: several-x 3
# gpubench: limit

load ARG1
gb_power = gb_rate_max >= 1e9 ? 9 : 6
gb_scale = 10.0**-gb_power
gb_across_column = 1
gb_named = gb_panels > 1
gb_shape = "point"
gb_xlabel = "lengths of the segments"
gb_ylabel = (gb_power == 9 ? "10⁹" : "10⁶") . " elements/s"
gb_bars = 1
gb_turned = 1
load gb_common

gb_tics = gb_x_tics
do for [i=1:words(gb_x_values)] { gb_tics_bare = gb_tics_bare . sprintf("%s'' %d", i > 1 ? ", " : "", i) }
set xrange [0.4 : gb_x_max + 0.6]
gb_y_lo = 0.7*gb_rate_min*gb_scale
gb_y_hi = 1.4*gb_larger(gb_rate_max, gb_limit_max)*gb_scale
eval gb_log_y

gb_plot = gb_limit_times(gb_scale*1e9, gb_curves((gb_dumb ? "1:" : "(gb_at_slot($1, gb_style[s])):") . "($2*gb_scale)" \
    . (gb_dumb ? " with points" : ":(gb_bound(3,2)*gb_scale):(gb_bound(4,2)*gb_scale) with yerrorbars")))
eval gb_draw
