# Throughput over the number of bins at the largest n: the paper's two methods, the paper's own curves,
# what this project has for any number of bins, CUB, and what the memory bandwidth allows.
#
# gpubench: title Partitioning 32-bit keys into contiguous bins
# gpubench: x bins
# gpubench: largest n
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: paper multipartition-table1.csv
# gpubench: variant multipartition Multipartition
# gpubench: variant multisplit GPU multisplit
# gpubench: variant auto
# gpubench: variant auto-stable
# gpubench: variant cub-radix-sort[function=range] CUB, radix sort
# gpubench: variant cub-label-sort CUB, sort by labels (cub-label-sort)
# gpubench: leaves cpu*: multipartition-cpu has them
# gpubench: leaves buffer-per-warp large multisplit-*: multipartition-parts has them
# gpubench: leaves cub-*-latest cub-partition: multipartition-cub has them
# gpubench: leaves unstable unstable-counted unstable-tiles unstable-tiles-counted unstable-resident unstable-two-pass unstable-sampled-two-pass unstable-tiles-two-pass: multipartition-unstable has them
# gpubench: leaves stable stable-two-pass stable-drawn stable-drawn-two-pass stable-drawn-three-pass stable-tiles stable-tiles-two-pass stable-resident: multipartition-stable has them
# gpubench: several-x
# gpubench: needs multisplit
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
