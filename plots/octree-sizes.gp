# Bodies a second over n as far as it goes, a panel for each distribution: what sorts, what inserts, and what chooses.
#
# gpubench: title Building octrees of any size
# gpubench: primitive octree
# gpubench: x n
# gpubench: panels dist
# gpubench: where leaf=1 grid=full
# gpubench: needs morton-regions
# gpubench: several-x
# gpubench: variant auto
# gpubench: variant seeded few bodies, by seeds
# gpubench: variant morton
# gpubench: variant morton-regions
# gpubench: variant octreebuild-lf-tuned insertion without locks, tuned
# gpubench: variant burtscher-pingali-tuned insertion with locks, tuned
# gpubench: leaves burtscher-pingali: octree-rate has it
# gpubench: leaves octreebuild-lf: octree-rate has it
# gpubench: leaves octreebuild-lf-shared: octree-rate has it
# gpubench: leaves cpu: octree-rate has all cores
# gpubench: leaves cpu-parallel: octree-rate has it
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
