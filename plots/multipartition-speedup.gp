# The row of Table 1 that says how much faster Multipartition is than GPU multisplit, over the number of
# bins: a panel for each n, measured and as printed.
#
# gpubench: title Speed-up of Multipartition over GPU multisplit, measured and as published (Table 1)
# gpubench: x bins
# gpubench: panels n
# gpubench: over multisplit
# gpubench: only multipartition
# gpubench: where dist=uniform payload=none type=u32 function=max|range
# gpubench: paper multipartition-table1.csv
# gpubench: variant multipartition Multipartition
# gpubench: leaves *: the paper's two methods alone
# gpubench: several-x

load ARG1
gb_xlabel = "bins"
gb_ylabel = "speed-up, times"
gb_bars = 3
gb_more = 1
array gb_more_text[1] = ["as fast as GPU multisplit"]
array gb_more_type[1] = [31]
gb_panel_high = 170.0
load gb_common

gb_x_pad = 1.2
eval gb_log_x
eval gb_tics_at_sizes
gb_y_hi = 1.12*gb_larger(gb_speedup_max, 1)
eval gb_linear_y

gb_plot = "plot 1 with lines lt 31 notitle, " . gb_curves(gb_speedup_columns)
eval gb_draw
