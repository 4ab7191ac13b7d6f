# Uniform keys beside binomial ones: throughput over the number of bins at the largest n, a panel for each
# distribution, with a bin function that divides by the largest key of all that the type can hold (range) and by
# that of the data (max), beside what the paper prints for uniform keys.
#
# gpubench: title Multipartition and GPU multisplit by distribution of the keys
# gpubench: x bins
# gpubench: panels dist
# gpubench: largest n
# gpubench: only multipartition multipartition-binomial
# gpubench: where payload=none type=u32 function=max|range
# gpubench: paper multipartition-table1.csv
# gpubench: variant multipartition[function=max] Multipartition, max of the data
# gpubench: variant multisplit[function=max] GPU multisplit, max of the data
# gpubench: variant multipartition[function=range] Multipartition, max of the type
# gpubench: variant multisplit[function=range] GPU multisplit, max of the type
# gpubench: leaves *: the paper's two methods alone
# gpubench: several-x

load ARG1
gb_xlabel = "bins"
gb_ylabel = "10⁹ keys/s"
gb_bars = 1
gb_turned = 1
gb_panel_high = 240.0
gb_panel_ratio = 0.5
gb_named = 1
gb_remark = "Bin of x: floor(x · bins / (max + 1)), max the largest key of the data, or that its type can hold."
load gb_common

gb_x_pad = 1.1
eval gb_log_x
eval gb_tics_at_values
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.4*gb_rate_max/1e9
eval gb_log_y

gb_plot = "plot " . gb_curves(gb_rate_columns)
eval gb_draw
