# Elements a second over n. What can stand here: plots/README.md of gpubench.
#
# gpubench: title @NAME@: throughput
# gpubench: x n
@PANELS@# gpubench: limit

load ARG1
gb_power = gb_rate_max >= 1e9 ? 9 : gb_rate_max >= 1e6 ? 6 : 3
gb_scale = 10.0**-gb_power
gb_xlabel = "n"
gb_ylabel = (gb_power == 9 ? "10⁹" : gb_power == 6 ? "10⁶" : "10³") . " elements/s"
gb_bars = 1
load gb_common

eval gb_log_x
eval gb_tics_at_sizes
gb_y_lo = 0.7*gb_rate_min*gb_scale
gb_y_hi = 1.4*gb_larger(gb_rate_max, gb_limit_max)*gb_scale
eval gb_log_y

gb_plot = gb_limit_times(gb_scale*1e9, gb_curves_of("1", "($2*gb_scale)", "(gb_bound(3,2)*gb_scale)", "(gb_bound(4,2)*gb_scale)"))
eval gb_draw
