# CUB as the toolkit brings it and its latest release, beside Multipartition: throughput over
# the number of bins at the largest n.
#
# gpubench: title Partitioning by CUB: the toolkit's and the latest
# gpubench: x bins
# gpubench: largest n
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: variant multipartition Multipartition
# gpubench: variant cub-partition CUB, partition
# gpubench: variant cub-partition-latest CUB, partition, latest
# gpubench: variant cub-radix-sort[function=range] CUB, radix sort
# gpubench: variant cub-radix-sort-latest[function=range] CUB, radix sort, latest
# gpubench: variant cub-label-sort CUB, sort by labels
# gpubench: variant cub-label-sort-latest CUB, sort by labels, latest
# gpubench: leaves cpu* buffer-per-warp large multisplit* unstable unstable-* stable stable-* auto auto-stable: CUB is the subject
# gpubench: several-x
# gpubench: needs cub-label-sort-latest
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
