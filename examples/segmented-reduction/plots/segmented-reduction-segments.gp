# Elements a second over the number of segments at the largest n, and what the memory bandwidth allows who
# reads every value and offset once and writes every sum once.
#
# gpubench: title Sums of segments: throughput by how many there are
# gpubench: x segments
# gpubench: largest n
# gpubench: where dist=uniform type=u32
# gpubench: variant merge-path
# gpubench: variant by-segment
# gpubench: variant cub-segmented-reduce CUB segmented reduce
# gpubench: variant cub-segmented-reduce-latest CUB segmented reduce, latest
# gpubench: variant cub-reduce-by-key CUB reduce by key
# gpubench: variant cub-reduce-by-key-latest CUB reduce by key, latest
# gpubench: leaves cpu-*: on the host, in segmented-reduction-cpu
# gpubench: several-x
# gpubench: limit

load ARG1
gb_power = gb_rate_max >= 1e9 ? 9 : 6
gb_scale = 10.0**-gb_power
gb_xlabel = "segments"
gb_ylabel = (gb_power == 9 ? "10⁹" : "10⁶") . " elements/s"
gb_bars = 1
load gb_common

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*gb_rate_min*gb_scale
gb_y_hi = 1.4*gb_larger(gb_rate_max, gb_limit_max)*gb_scale
eval gb_log_y

gb_plot = gb_limit_times(gb_scale*1e9, gb_curves_of("1", "($2*gb_scale)", "(gb_bound(3,2)*gb_scale)", "(gb_bound(4,2)*gb_scale)"))
eval gb_draw
