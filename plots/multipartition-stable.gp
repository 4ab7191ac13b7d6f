# The ways that keep the order within a bin, and what auto-stable takes of them: throughput over the
# number of bins at the largest n.
#
# gpubench: title Partitioning with the order kept within a bin
# gpubench: x bins
# gpubench: largest n
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: variant auto-stable
# gpubench: variant stable
# gpubench: variant stable-drawn
# gpubench: variant stable-two-pass
# gpubench: variant stable-drawn-two-pass
# gpubench: variant stable-drawn-three-pass
# gpubench: variant stable-tiles
# gpubench: variant stable-tiles-two-pass
# gpubench: variant stable-resident
# gpubench: variant cub-label-sort CUB, sort by labels
# gpubench: leaves cpu* multipartition buffer-per-warp large cub-partition* unstable unstable-counted unstable-tiles unstable-tiles-counted unstable-resident unstable-two-pass unstable-sampled-two-pass unstable-tiles-two-pass auto: keep no order, or run on the host
# gpubench: leaves multisplit* cub-radix-sort cub-*-latest: multipartition-bins, -parts and -cub have them
# gpubench: several-x
# gpubench: needs stable
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
