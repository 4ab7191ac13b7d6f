# Of power-law lengths, most segments short and a few very long: throughput over their
# mean, at 32Mi keys, where CUB's were measured, too, or else the largest n: this project's segmented
# sort, CUB's two, and what the memory bandwidth allows a sort that reads and writes every key once.
#
# gpubench: title Segmented sort of power-law lengths: throughput
# gpubench: x segments
# gpubench: where n=32Mi dist=uniform type=u32 payload=none order=ascending lengths=power
# gpubench: variant segmented
# gpubench: variant cub-segmented-sort CUB, segmented sort
# gpubench: variant cub-segmented-sort-latest CUB, segmented sort, latest
# gpubench: variant cub-segmented-radix-sort CUB, segmented radix sort
# gpubench: variant cub-segmented-radix-sort-latest CUB, segmented radix sort, latest
# gpubench: leaves segmented-*: variations of segmented, for tuning
# gpubench: several-x
# gpubench: limit

load ARG1
gb_xlabel = "mean length of a segment"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
load gb_common

eval gb_log_x
eval gb_tics_at_decades
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_larger(gb_rate_max, gb_limit_max)/1e9
eval gb_log_y

gb_plot = gb_limit_and(gb_curves(gb_rate_columns))
eval gb_draw
