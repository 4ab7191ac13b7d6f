# The first of the paper's charts: bodies inserted a second over n by its two methods, as it describes
# them, a panel for each distribution.
#
# gpubench: title Building octrees as published: throughput
# gpubench: x n
# gpubench: panels dist
# gpubench: where leaf=1 grid=full pool=100
# gpubench: needs burtscher-pingali-as-published[grid=full]
# gpubench: several-x
# gpubench: variant burtscher-pingali-as-published Burtscher-Pingali, as published
# gpubench: variant octreebuild-lf-as-published OctreeBuild-LF, as published
# gpubench: leaves *: the paper's two methods alone

load ARG1
gb_xlabel = "bodies"
gb_ylabel = "10⁹ bodies/s"
gb_bars = 1
gb_panel_high = gb_panels < 5 ? 240.0 : 170.0
gb_named = 1
load gb_common

gb_x_pad = 1.15
eval gb_log_x
eval gb_tics_at_sizes
# From 0, as the paper's chart, unless the rates lie too far apart.
gb_y_lo = 0.7*gb_rate_min/1e9
gb_y_hi = 1.1*gb_rate_max/1e9
if (gb_rate_max > 12*gb_rate_min) {
    gb_y_hi = 1.4*gb_rate_max/1e9
    eval gb_log_y
} else {
    eval gb_linear_y
}

gb_plot = "plot " . gb_curves(gb_rate_columns)
eval gb_draw
