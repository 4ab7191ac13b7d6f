# What the paper's two methods are made of: throughput over the number of bins at the largest n.
#
# gpubench: title Partitioning by the parts of Multipartition and of GPU multisplit
# gpubench: x bins
# gpubench: largest n
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: variant multipartition Multipartition
# gpubench: variant buffer-per-warp
# gpubench: variant large
# gpubench: variant multisplit GPU multisplit
# gpubench: variant multisplit-warp
# gpubench: variant multisplit-block
# gpubench: variant multisplit-reduced-bit
# gpubench: leaves cpu* cub-* unstable unstable-* stable stable-* auto auto-stable: no parts of the paper's two methods
# gpubench: several-x
# gpubench: needs multisplit-reduced-bit
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
