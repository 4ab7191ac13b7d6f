# Bodies inserted a second over n, a panel for each distribution: both methods, made well and tuned, and
# what came after.
#
# gpubench: title Building octrees: throughput
# gpubench: x n
# gpubench: panels dist
# gpubench: where leaf=1 grid=full pool=100
# gpubench: needs burtscher-pingali[grid=full]
# gpubench: several-x
# gpubench: variant burtscher-pingali Burtscher-Pingali
# gpubench: variant octreebuild-lf OctreeBuild-LF
# gpubench: variant burtscher-pingali-tuned Burtscher-Pingali, tuned
# gpubench: variant octreebuild-lf-tuned OctreeBuild-LF, tuned
# gpubench: variant octreebuild-lf-shared OctreeBuild-LF, shared
# gpubench: variant morton
# gpubench: variant cpu-parallel all cores of the CPU
# gpubench: leaves morton-regions: octree-sizes has it
# gpubench: leaves auto: octree-choice has it
# gpubench: leaves seeded: octree-sizes has it
# gpubench: leaves cpu: the oracle, slower than all cores by as many
# gpubench: leaves *-as-published: octree-paper has them
# gpubench: leaves pool-clear: builds nothing

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
