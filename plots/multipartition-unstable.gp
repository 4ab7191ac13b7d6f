# The ways that keep no order within a bin, and what auto takes of them: throughput over the number of
# bins at the largest n.
#
# gpubench: title Partitioning without order within a bin
# gpubench: x bins
# gpubench: largest n
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: variant auto
# gpubench: variant unstable
# gpubench: variant unstable-counted
# gpubench: variant unstable-two-pass
# gpubench: variant unstable-sampled-two-pass
# gpubench: variant unstable-resident
# gpubench: variant multipartition Multipartition
# gpubench: leaves cpu* multisplit* cub-* stable stable-two-pass stable-drawn stable-drawn-two-pass stable-drawn-three-pass stable-tiles stable-tiles-two-pass stable-resident auto-stable: keep the order
# gpubench: leaves unstable-tiles*: for wide elements, of which multipartition-wide has what auto takes
# gpubench: leaves buffer-per-warp large: multipartition-parts has them
# gpubench: several-x
# gpubench: needs unstable
# gpubench: limit

load ARG1
gb_xlabel = "bins"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
gb_turned = 1
load gb_common

gb_x_pad = 1.08
eval gb_log_x
eval gb_tics_at_values
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_larger(gb_rate_max, gb_limit_max)/1e9
eval gb_log_y

gb_plot = gb_limit_and(gb_curves(gb_rate_columns))
eval gb_draw
